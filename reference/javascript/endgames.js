/**
 * Reads what `damspec solve` wrote: who wins endgames, and in how many plies. docs/solve.md has the format of the files.
 *
 *     import { readFileSync } from "node:fs";
 *     const endgames = new Endgames();
 *     endgames.add(readFileSync("english-endgames/KKvK.damsolve"));
 *     endgames.value(game.read("W:WK1,K2:BK14"));  // { value: "win", distance: 33 }
 *
 * Whoever adds files sees to it that they are of the game that is asked about. The values leave out huffing, and limits
 * of moves that may draw a game before a win ends it.
 */

const MAGIC = "DAMSOLVE";
const VERSION = 1;
const [HEAD, SECTION] = [88, 16];
const VALUES = ["draw", "win", "loss", null];

export class EndgamesError extends Error {}

/** Solved endgames of one game, one file for each material. */
export class Endgames {
  constructor() {
    this.sections = new Map();
    this.apart = false;
    /** The most pieces of a position in a file. */
    this.most = 0;
  }

  /**
   * Take in a file.
   *
   * @param {Uint8Array} bytes all of it
   * @throws {EndgamesError} for bytes that are no such file, or are cut off
   */
  add(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < HEAD || String.fromCharCode(...bytes.subarray(0, 8)) !== MAGIC) {
      throw new EndgamesError(`no file of solved endgames: expected it to begin with ${MAGIC}`);
    }
    if (view.getUint32(8, true) !== VERSION) {
      throw new EndgamesError(`found version ${view.getUint32(8, true)} of the format, expected ${VERSION}`);
    }
    let at = view.getUint32(12, true);
    const [squares, number, width, limit] = [view.getUint16(16, true), bytes[18], bytes[19], bytes[20]];
    const tables = HEAD + number * SECTION;
    const { squares: numbers } = JSON.parse(new TextDecoder().decode(bytes.subarray(tables, at)));
    const index = new Map(numbers.map((square, place) => [square, place]));
    for (let place = HEAD; place < tables; place += SECTION) {
      const [side, men, kings, enemyMen, enemyKings, without, enemyWithout] = bytes.subarray(place, place + 7);
      const size = Number(view.getBigUint64(place + 8, true));
      const distances = at + Math.ceil(size / 4);
      this.apart ||= side === 1;
      this.most = Math.max(this.most, men + kings + enemyMen + enemyKings);
      const found = { view, squares, index, width, limit, without, enemyWithout, values: at, distances };
      this.sections.set([side, men, kings, enemyMen, enemyKings].join(), found);
      at = distances + size * width;
    }
    if (at !== bytes.length) throw new EndgamesError(`found ${bytes.length} bytes, expected ${at}`);
  }

  /**
   * What a position comes to for the side to move, and in how many plies (0 for a draw, or without distances).
   *
   * @param {Position} position
   * @returns {?{value: "win"|"draw"|"loss", distance: number}} null where no file has it, a king's moves in a row count
   *   or a lapse is pending
   */
  value(position) {
    const { pieces, side, runs, huffable, compelled } = position;
    let count = 0;
    for (const piece of pieces) if (piece) count++;
    if (count > this.most || runs || huffable || compelled) return null;
    const own = side === "W" ? 1 : -1;
    const on = new Map([[own, []], [2 * own, []], [-own, []], [-2 * own, []]]);
    for (let square = 1; square < pieces.length; square++) if (pieces[square]) on.get(pieces[square]).push(square);
    const counts = [...on.values()].map(({ length }) => length);
    const section = this.sections.get([this.apart && side === "B" ? 1 : 0, ...counts].join());
    if (!section) return null;
    const { view, squares, index, width, limit, without, enemyWithout, values, distances } = section;
    // Squares are counted as the side to move sees the board.
    const seen = (square) => (side === "W" ? index.get(square) : squares - 1 - index.get(square));
    const [men, kings, enemyMen, enemyKings] = [...on.values()].map((each) => each.map(seen).sort((a, b) => a - b));
    const taken = [...men, ...enemyMen];
    const free = squares - taken.length;
    let entry = rank(men, [], without);
    entry = entry * ways(squares - enemyWithout, enemyMen.length) + rank(enemyMen, [], 0);
    entry = entry * ways(free, kings.length) + rank(kings, taken, 0);
    entry = entry * ways(free - kings.length, enemyKings.length) + rank(enemyKings, [...taken, ...kings], 0);
    if (men.length) entry *= 1 + limit * kings.length;
    if (enemyMen.length) entry *= 1 + limit * enemyKings.length;
    const value = VALUES[(view.getUint8(values + (entry >> 2)) >> (2 * (entry & 3))) & 3];
    if (value === null) return null;
    const at = distances + entry * width;
    return { value, distance: width === 0 ? 0 : width === 1 ? view.getUint8(at) : view.getUint16(at, true) };
  }
}

/** The number of choices of `k` of `n`. */
function ways(n, k) {
  let found = 1;
  for (let place = 0; place < k; place++) found = (found * (n - place)) / (place + 1);
  return k > n ? 0 : found;
}

/** The rank of some squares among all choices of so many, where those that are taken or skipped do not count. */
function rank(squares, taken, skipped) {
  let sum = 0;
  squares.forEach((square, place) => {
    sum += ways(square - skipped - taken.filter((each) => each < square).length, place + 1);
  });
  return sum;
}
