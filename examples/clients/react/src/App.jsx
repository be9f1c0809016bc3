// App.jsx - the first hour of an application on plyd: sign in, invite, play, be told. Requests are retried by the module.
import { useEffect, useMemo, useRef, useState } from "react";
import "plyd/board";

import { sessionOf } from "./session.js";

const SERVER = import.meta.env.VITE_PLYD ?? "http://localhost:8080";

/** Your server's: it knows who is signed in, and makes them a JWT (docs/identity.md of plyd). */
const signIn = async (user) => (await fetch(`/jwt?user=${encodeURIComponent(user)}`)).text();

const invitationOf = () => {
  const [, game, code] = /\/g\/(\w+)#invitation=(\w+)/.exec(location.pathname + location.hash) ?? [];
  return game ? { game, code } : null;
};

export function App() {
  const [user, setUser] = useState(() => localStorage.getItem("user"));
  const plyd = useMemo(() => user && sessionOf(SERVER, user, () => signIn(user)), [user]);
  const enter = (name) => {
    localStorage.setItem("user", name);
    setUser(name);
  };
  return plyd ? <Games plyd={plyd} /> : <SignIn enter={enter} />;
}

function SignIn({ enter }) {
  const submit = (event) => {
    event.preventDefault();
    enter(new FormData(event.target).get("name"));
  };
  return (
    <form onSubmit={submit}>
      <label>Your name <input name="name" required maxLength="32" /></label> <button>Sign in</button>
    </form>
  );
}

/** The games of whoever is signed in; those in which it is their turn come first. */
function Games({ plyd }) {
  const [games, setGames] = useState([]);
  const [open, setOpen] = useState(null);
  const [error, setError] = useState(null);

  const refresh = () => plyd.myGames({ limit: 20 }).then(({ items }) => setGames(items), setError);
  useEffect(() => {
    const invitation = invitationOf();
    const begin = async () => {
      if (invitation) {
        const game = plyd.game(invitation.game);
        await game.join({ invitation: invitation.code });
        history.replaceState(null, "", "/");
        setOpen(game);
      }
      await refresh();
    };
    begin().catch(setError);
  }, [plyd]);

  const create = async (variant) => {
    setOpen(await plyd.create({ variant, seats: [{ me: true }, { open: true }] }));
    await refresh();
  };
  return (
    <main>
      {error && <p role="alert">{error.message}</p>}
      {["shogi", "jungle", "tictactoe"].map((variant) => (
        <button key={variant} onClick={() => create(variant).catch(setError)}>New game of {variant}</button>
      ))}
      <ul>
        {games.map(({ id, variant, ply, you, to_move: turn }) => (
          <li key={id}>
            <button onClick={() => setOpen(plyd.game(id))}>
              {variant}, move {ply}{you?.seats.includes(turn) ? ": it is your turn" : ""}
            </button>
          </li>
        ))}
      </ul>
      {open && <Table key={open.id} plyd={plyd} game={open} told={refresh} />}
    </main>
  );
}

/** One game: the board plays it, and news come by themselves. */
function Table({ plyd, game, told }) {
  const board = useRef(null);
  const [state, setState] = useState(game.state);
  const [link, setLink] = useState(null);
  const [said, setSaid] = useState("");

  useEffect(() => {
    const element = board.current;
    element.plyd = plyd;
    element.game = game;
    const heard = {
      "plyd-state": ({ detail }) => setState(detail),
      "plyd-refused": ({ detail }) => setSaid(detail.message),
      "plyd-connection": ({ detail }) => setSaid(detail === "offline" ? "No connection: what you play is kept." : ""),
      "plyd-end": () => told(),
    };
    for (const [type, listener] of Object.entries(heard)) element.addEventListener(type, listener);
    return () => {
      for (const [type, listener] of Object.entries(heard)) element.removeEventListener(type, listener);
    };
  }, [plyd, game]);

  const invite = async () => {
    const { code } = await game.invite({ seat: state.seats.find((seat) => seat.state === "open").seat, expires: "7d" });
    setLink(`${location.origin}/g/${game.id}#invitation=${code}`);
  };
  const may = state?.you?.may ?? [];
  return (
    <section>
      <plyd-board ref={board} server={SERVER} style={{ width: "min(100%, 32rem)" }} />
      <p role="status">{said}</p>
      {state?.seats.some((seat) => seat.state === "open") && <button onClick={() => invite().catch((e) => setSaid(e.message))}>Invite a friend</button>}
      {link && <p>Send this link: <a href={link}>{link}</a></p>}
      {may.includes("resign") && <button onClick={() => game.act("resign").catch((e) => setSaid(e.message))}>Resign</button>}
      {may.includes("rematch") && <button onClick={() => game.act("rematch").then(told, (e) => setSaid(e.message))}>Rematch</button>}
    </section>
  );
}
