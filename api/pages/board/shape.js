/**
 * shape.js - where the squares of a board lie: in rows one above the other, or as hexagons, of which each row is set off
 * by half a square. Squares may be missing. All is measured in the width of a square.
 */

/** @typedef {import("../plyd.js").Board} Board */

const ROW = Math.sqrt(3) / 2;   // from one row of hexagons to the next
const TIP = 1 / Math.sqrt(3);   // from the middle of a hexagon to its upper corner
const EDGE = ROW / 2;           // from there to the middle of a lower edge, down; .25 to the side

export class Shape {
  /**
   * @param {Board} board
   * @param {boolean} flipped whether seat 2 is at the bottom
   * @param {boolean} hexagons
   */
  constructor(board, flipped, hexagons) {
    this.rows = flipped ? board.rows.toReversed().map((row) => row.toReversed()) : board.rows;
    this.hexagons = hexagons;
    this.columns = board.width;
    const there = this.rows.flatMap((row, y) => row.flatMap(({ missing }, x) => (missing ? [] : [this.#across(y, x)])));
    this.whole = there.length === board.width * board.height;
    this.left = Math.min(...there);
    this.width = Math.max(...there) + 1 - this.left;
    this.height = hexagons ? (board.height - 1) * ROW + 2 * TIP : board.height;
    this.key = `${board.width}x${board.height}${hexagons}${this.whole ? "" : this.rows.flat().map(({ missing }) => +!!missing).join("")}`;
  }

  #across(row, column) { return column + (this.hexagons ? row / 2 : 0); }

  has(row, column) { return this.rows[row]?.[column] !== undefined && !this.rows[row][column].missing; }

  /** The upper left corner of the box that a man has on a place, in the middle of its square. */
  place(row, column) {
    return { x: this.#across(row, column) - this.left, y: this.hexagons ? row * ROW + TIP - 0.5 : row };
  }

  /** The upper left corner of the box around a hexagon, as parts of the board. */
  boxOf(row, column) {
    const { x, y } = this.place(row, column);
    return { x: x / this.width, y: (y + 0.5 - TIP) / this.height };
  }

  /** The name of the square at a point; null where there is none. */
  squareAt(x, y) {
    const row = this.hexagons ? Math.floor((y - TIP) / ROW + 0.5) : Math.floor(y);
    let found = null, least = this.hexagons ? TIP : Infinity;
    for (const r of this.hexagons ? [row - 1, row, row + 1] : [row]) {
      const c = Math.floor(x + this.left - (this.hexagons ? r / 2 : 0)), box = this.place(r, c);
      const far = Math.hypot(x - box.x - 0.5, y - box.y - 0.5);
      if (!this.has(r, c) || far > least) continue;
      [found, least] = [this.rows[r][c].square, far];
    }
    return found;
  }

  /**
   * The place to which an arrow leads, over squares that are missing; the same at the edge. On hexagons two lie above
   * and below: it goes to the one and the other by turns, and so straight.
   * @returns {[number, number]} the row and the column
   */
  step({ row, column }, right, down) {
    for (const other of [0, 1]) {
      let r = row, c = column;
      do {
        c += right - (this.hexagons && (r + (down > 0) + other) % 2 === 0 ? down : 0);
        r += down;
      } while (this.rows[r]?.[c]?.missing);
      if (this.has(r, c)) return [r, c];
    }
    return [row, column];
  }

  /**
   * The first place of a row whose square is there, or the last one.
   * @returns {[number, number]} the row and the column
   */
  end(row, last) {
    const columns = [...Array(this.columns).keys()].filter((column) => this.has(row, column));
    return [row, columns.at(last ? -1 : 0) ?? 0];
  }

  /**
   * Where the labels of hexagons stand: behind each column, and beside each row, in the middle of an edge. Files that are
   * letters are below, as `step` 1; digits, as -1, above.
   * @returns {{files: ({x: number, y: number} | null)[], ranks: ({x: number, y: number} | null)[]}}
   */
  labels(step) {
    const rows = [...this.rows.keys()], order = step > 0 ? rows.toReversed() : rows;
    const beside = (row) => this.end(row, step < 0)[1];
    const files = Array.from({ length: this.columns }, (_, column) => {
      const row = order.find((r) => this.has(r, column));
      if (row === undefined || this.rows[row + step] && column + step === beside(row + step)) return null;
      const { x, y } = this.place(row, column);
      return { x: x + 0.5 + step / 4, y: y + 0.5 + step * EDGE };
    });
    const ranks = rows.map((row) => {
      const column = beside(row), { x, y } = this.place(row, column);
      return this.has(row, column) ? { x: step < 0 ? x + 1 : x, y: y + 0.5 } : null;
    });
    return { files, ranks };
  }
}

/** What hexagons and boards with missing squares need of a style. --w and --h are the size of the board. */
export const shapeStyle = `
.square.missing { visibility: hidden; }
.holes .board, .hexagons .board { border-color: transparent; background: none; }
.holes .square { border-width: 1px !important; margin: 0 -1px -1px 0; }
.hexagons .row { display: contents; }
.hexagons .square {
  position: absolute; border: 0; inline-size: calc(100% / var(--w)); block-size: calc(100% * ${2 * TIP} / var(--h));
  clip-path: polygon(50% 1.5%, 98% 26%, 98% 74%, 50% 98.5%, 2% 74%, 2% 26%);
}
.hexagons .square::before { inset-block: 6.7%; border-radius: 50%; }
.hexagons [part~=target]::after { inset-block: 37.9%; }
.hexagons [part~=target]:is([part~=occupied], [part~=over])::after {
  inset: 6.7% 0; border-radius: 50%; background: none; border: max(3px, calc(var(--cell) * .07)) solid var(--aim-);
}
.hexagons [part~=refused]::after { inset: 6.7% 0; border-radius: 50%; }
.hexagons .square:focus-visible { background: radial-gradient(closest-side, var(--ground) 76%, var(--focus-) 79%); box-shadow: none; }
.field.hexagons { grid-template: auto 1fr var(--gutter) / var(--gutter) 1fr auto; }
.opposite .field.hexagons { grid-template: var(--gutter) 1fr auto / auto 1fr var(--gutter); }
.hexagons :is(.files, .ranks) { grid-area: 2 / 2; position: relative; inline-size: auto; block-size: auto; pointer-events: none; }
.hexagons :is(.files, .ranks) > * { position: absolute; translate: -50% -50%; }
`;
