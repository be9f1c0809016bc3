// glicko2.mjs - ratings by Glicko-2 from the games of plyd, which has none of its own: what they mean is a policy of the application.
//
// For Node 18 and later, without any package. A receiver of webhooks calls `finished()` with each game that has ended (relay.mjs shows
// how one is received), and `endPeriod()` once in a while, such as each night. What was missed is in GET /v1/me/games?ended_after=,
// which `catchUp()` reads. A game counts once, however often it comes.
// The formulas are those of Mark Glickman, "Example of the Glicko-2 system".

const SCALE = 173.7178, TAU = 0.5, START = { rating: 1500, deviation: 350, volatility: 0.06 };

const weight = (phi) => 1 / Math.sqrt(1 + 3 * phi ** 2 / Math.PI ** 2);
const expected = (mu, other) => 1 / (1 + Math.exp(-weight(other.phi) * (mu - other.mu)));

/** The volatility after a period: the root of f, between two places where f has different signs (the Illinois method). */
function newVolatility({ phi, volatility }, variance, change) {
  const a = Math.log(volatility ** 2);
  const f = (x) => Math.exp(x) * (change ** 2 - phi ** 2 - variance - Math.exp(x)) / (2 * (phi ** 2 + variance + Math.exp(x)) ** 2)
    - (x - a) / TAU ** 2;
  let low = a, high, fLow = f(a), fHigh;
  if (change ** 2 > phi ** 2 + variance) high = Math.log(change ** 2 - phi ** 2 - variance);
  else for (let k = 1; high === undefined; k++) if (f(a - k * TAU) >= 0) high = a - k * TAU;
  fHigh = f(high);
  while (Math.abs(high - low) > 1e-6) {
    const middle = low + (low - high) * fLow / (fHigh - fLow), fMiddle = f(middle);
    if (fMiddle * fHigh <= 0) [low, fLow] = [high, fHigh];
    else fLow /= 2;
    [high, fHigh] = [middle, fMiddle];
  }
  return Math.exp(low / 2);
}

const inner = ({ rating, deviation, volatility }) => ({ mu: (rating - 1500) / SCALE, phi: deviation / SCALE, volatility });

/** A player's numbers after a period. `results`: against whom, as they were before it, and the score (1, 0.5, 0). */
export function rate(player, results) {
  const me = inner(player);
  let precision = 0, gain = 0;
  for (const { other, score } of results) {
    const them = inner(other), e = expected(me.mu, them), g = weight(them.phi);
    precision += g ** 2 * e * (1 - e);
    gain += g * (score - e);
  }
  const volatility = results.length > 0 ? newVolatility(me, 1 / precision, gain / precision) : me.volatility;
  const before = Math.sqrt(me.phi ** 2 + volatility ** 2); // who does not play becomes less certain
  const phi = 1 / Math.sqrt(1 / before ** 2 + precision);
  return { rating: 1500 + SCALE * (me.mu + phi ** 2 * gain), deviation: Math.min(350, SCALE * phi), volatility };
}

/** The ratings of all players in one game or in several, by their ids. */
export class Ratings {
  players = new Map();
  #played = new Map(); // the results of this period, by player
  #known = new Set();  // the games that have counted
  #seen = new Map();   // when the last game ended that catchUp() has seen, by player

  of(player) { return this.players.get(player) ?? START; }

  /** Counts a game as GET /v1/games/{id} shows it, if two players have ended it. False: it counts not, or has counted. */
  finished({ id, status, outcome, seats }) {
    const [first, second] = seats.map(({ player }) => player);
    if (status !== "finished" || !first || !second || first === second || this.#known.has(id)) return false;
    this.#known.add(id);
    for (const [i, [me, other]] of [[first, second], [second, first]].entries()) {
      if (!this.#played.has(me)) this.#played.set(me, []);
      this.#played.get(me).push({ other, score: outcome.winner ? Number(outcome.winner === i + 1) : 0.5 });
    }
    return true;
  }

  /**
   * Counts the games of a player that have ended since it was last called for them, and from a minute before: what ends at the
   * same moment may be seen one after the other. `ask(path)` brings the JSON.
   */
  async catchUp(player, ask) {
    let last = this.#seen.get(player) ?? 0;
    const since = new Date(Math.max(0, last - 60_000)).toISOString();
    for (let next = `/v1/me/games?status=finished&ended_after=${since}&limit=100`; next;) {
      const page = await ask(next);
      for (const game of page.items) {
        this.finished(game);
        last = Math.max(last, Date.parse(game.ended_at));
      }
      next = page.next;
    }
    this.#seen.set(player, last);
  }

  /** Rates all that was played since the last time, by the numbers that everybody had then. */
  endPeriod() {
    const before = new Map(this.players);
    for (const player of new Set([...before.keys(), ...this.#played.keys()])) {
      const results = (this.#played.get(player) ?? []).map(({ other, score }) => ({ other: before.get(other) ?? START, score }));
      this.players.set(player, rate(before.get(player) ?? START, results));
    }
    this.#played.clear();
  }
}
