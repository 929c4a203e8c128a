/**
 * An opponent for any game that damspec.js plays: it looks some moves deep and says what it saw.
 *
 *     import { think } from "damspec/opponent.js";
 *     const { action, value, line } = think(game, position, { milliseconds: 500 });
 *
 * It knows nothing of a game but its rules: it searches by alpha-beta, deeper and deeper until its time is over, counts
 * pieces where it stops, and takes a spin for what it is, an average over the results.
 */

const WON = 1_000_000;
const MAN = 100;

class OutOfTime extends Error {}

/**
 * What to play in a position.
 *
 * @param {Game} game as `rules(values)` makes it
 * @param {Position} position with the opponent's side to move
 * @param {object} options `milliseconds` at most and `depth` in moves at most; `seen`, FENs of positions that have been,
 *   which it takes for drawn; `random`, a function like Math.random that chooses among the first moves equally good;
 *   `lapse`, whether it breaks the duty to capture if it can, as somebody who overlooks a capture; `endings`, what is
 *   known of solved endings, as endings.js reads them, which it looks no further than
 * @returns {{action: ?string, value: number, won: ?number, depth: number, nodes: number, line: string[]}}
 *   the action, null if chance has to act or nobody can; how the side stands, in men; in how many moves it has won (or,
 *   below zero, lost) if it saw that; how deep it looked, how many positions, and what it expects to be played
 */
export function think(game, position, { milliseconds = 1000, depth = 64, seen = [], random = Math.random, lapse = false, endings = null } = {}) {
  const search = new Search(game, seen, milliseconds, endings);
  const lapses = lapse ? game.lapses(position) : [];
  const actions = lapses.length ? lapses : search.actions(position);
  const told = { action: null, value: 0, won: null, depth: 0, nodes: 0, line: [] };
  if (actions.length === 0 || actions[0].kind === "spin") return told;
  shuffle(actions, random);
  let best = { value: 0, line: [actions[0].text] };
  try {
    for (let deep = 1; deep <= depth; deep++) {
      best = search.root(position, actions, deep);
      told.depth = deep;
      if (actions.length === 1 || Math.abs(best.value) > WON / 2) break;
    }
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    best = search.found ?? best;
  }
  return { ...told, action: best.line[0], ...standing(best.value), nodes: search.nodes, line: best.line };
}

/**
 * What each action of a position leads to.
 *
 * @param {Game} game as `rules(values)` makes it
 * @param {Position} position
 * @param {object} options `milliseconds` and `depth` at most, `seen` and `endings`, as `think` takes them
 * @returns {{depth: number, nodes: number, actions: {action: string, value: number, won: ?number, line: string[]}[]}}
 *   how deep all of them were looked at, and the actions, the best first; none where chance has to act
 */
export function analyse(game, position, { milliseconds = 1000, depth = 64, seen = [], endings = null } = {}) {
  const search = new Search(game, seen, milliseconds, endings);
  const actions = search.actions(position).filter((action) => action.kind !== "spin");
  let found = actions.map((action) => ({ action: action.text, value: 0, won: null, line: [action.text] }));
  let reached = 0;
  try {
    while (actions.length && reached < depth) {
      const looked = actions.map((action) => {
        const { value, line } = search.first(position, action, reached + 1, -Infinity);
        return { action: action.text, ...standing(value), line };
      });
      found = looked;
      reached += 1;
      if (looked.every(({ won }) => won !== null)) break;
    }
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
  }
  // A win is the better the sooner it comes, a loss the later.
  const rank = ({ value, won }) => (won === null ? value : Math.sign(won) * WON - won);
  return { depth: reached, nodes: search.nodes, actions: found.sort((one, other) => rank(other) - rank(one)) };
}

/** How a side stands, in men, and in how many moves it has won or lost, if that is sure. */
function standing(value) {
  const decided = Math.abs(value) > WON / 2;
  return {
    value: decided ? Math.sign(value) * Infinity : value / MAN,
    won: decided ? Math.sign(value) * Math.ceil((WON - Math.abs(value)) / 2) : null,
  };
}

function shuffle(list, random) {
  for (let index = list.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1));
    [list[index], list[other]] = [list[other], list[index]];
  }
}

class Search {
  constructor(game, seen, milliseconds, endings) {
    this.game = game;
    this.endings = endings;
    this.seen = new Set(seen);
    this.until = performance.now() + milliseconds;
    this.nodes = 0;
    const { values, board } = game;
    const flies = values["king.move.reach"] !== 1 || values["king.capture.reach"] !== 1;
    /** Where the last piece lost wins, pieces are worth what they are worth elsewhere, to the other side. */
    this.worth = values["ending.no-pieces"] === "wins" ? -1 : 1;
    this.king = flies ? 3 * MAN : 1.5 * MAN;
    const step = values["ending.first-king"] ? MAN : 4;
    /** What a man is worth on each square, by side, and a king. */
    this.man = { W: [0], B: [0] };
    this.centre = [0];
    for (let square = 1; square <= board.squares; square++) {
      const [column, row] = board.place(square);
      this.man.W.push(MAN + step * (board.rows - 1 - row));
      this.man.B.push(MAN + step * row);
      const off = Math.max(Math.abs(2 * column + 1 - board.columns), Math.abs(2 * row + 1 - board.rows));
      this.centre.push(this.king + board.columns - off);
    }
  }

  /** What the side to move can do by the rules; it breaks none. */
  actions(position) {
    return this.game.moves(position);
  }

  /** The best of the first actions, which are then in the order of what they gave. */
  root(position, actions, depth) {
    this.found = null;
    const values = new Map();
    for (const action of actions) {
      const floor = this.found ? this.found.value : -Infinity;
      const { value, line } = this.first(position, action, depth, floor);
      values.set(action, value);
      if (value > floor) this.found = { value, line };
    }
    const [first] = actions.filter((action) => action.text === this.found.line[0]);
    actions.sort((one, other) => values.get(other) - values.get(one));
    actions.splice(actions.indexOf(first), 1);
    actions.unshift(first);
    return this.found;
  }

  /** What a first action is worth to the side that plays it, and what is expected from it on. */
  first(position, action, depth, floor) {
    if (this.seen.has(this.game.write(action.after))) return { value: 0, line: [action.text] };
    const rest = [];
    const value = this.valueAfter(position.side, action.after, depth - 1, floor, Infinity, 1, rest);
    return { value, line: [action.text, ...rest] };
  }

  /** What a position is worth to the side that moved to it, which may still be to move. */
  valueAfter(side, position, depth, alpha, beta, ply, line) {
    return position.side === side
      ? this.value(position, depth, alpha, beta, ply, line)
      : -this.value(position, depth, -beta, -alpha, ply, line);
  }

  /** What a position is worth to the side to move, in hundredths of a man; `line` is filled with what is expected. */
  value(position, depth, alpha, beta, ply, line) {
    if (++this.nodes % 32 === 0 && performance.now() > this.until) throw new OutOfTime();
    const ended = this.ended(position, ply);
    if (ended !== null) return ended;
    const solved = this.endings?.value(position);
    if (solved) {
      if (solved.value === "draw") return 0;
      return solved.value === "win" ? WON - ply - solved.distance : ply + solved.distance - WON;
    }
    const actions = this.actions(position);
    if (actions.length === 0) return this.over(this.game.outcome(position), position, ply);
    const [first] = actions;
    if (first.kind === "spin") return this.average(position, actions, depth, ply);
    if (depth <= 0 && (first.kind !== "capture" || depth < -8)) return this.count(position);
    let best = -Infinity;
    for (const action of actions) {
      const rest = [];
      const value = this.valueAfter(position.side, action.after, depth - 1, Math.max(alpha, best), beta, ply + 1, rest);
      if (value > best) {
        best = value;
        line.splice(0, line.length, action.text, ...rest);
        if (best >= beta) break;
      }
    }
    return best;
  }

  /** The mean of what spins lead to. */
  average(position, spins, depth, ply) {
    const values = spins.map((spin) => this.value(spin.after, depth - 1, -Infinity, Infinity, ply, []));
    return values.reduce((sum, each) => sum + each, 0) / values.length;
  }

  /** What a position is worth if it is over for another reason than that nothing can be played; else null. */
  ended(position, ply) {
    const { values } = this.game;
    let [white, black] = [0, 0];
    for (const piece of position.pieces) {
      if (piece > 0) white++;
      if (piece < 0) black++;
    }
    const few = values["ending.one-piece"] ? white <= 1 || black <= 1 : white <= 1 && black <= 1;
    if (white && black && !few && !values["ending.first-king"] && values["ending.blocked"] !== "no-step") return null;
    const outcome = this.game.outcome(position);
    return outcome.result === "ongoing" ? null : this.over(outcome, position, ply);
  }

  over({ result }, position, ply) {
    if (result === "draw" || result === "ongoing") return 0;
    return (result === "white") === (position.side === "W") ? WON - ply : ply - WON;
  }

  /** The pieces counted, for the side to move. */
  count({ pieces, side }) {
    let sum = 0;
    for (let square = 1; square < pieces.length; square++) {
      const piece = pieces[square];
      if (piece === 1) sum += this.man.W[square];
      else if (piece === -1) sum -= this.man.B[square];
      else if (piece) sum += piece > 0 ? this.centre[square] : -this.centre[square];
    }
    return (side === "W" ? sum : -sum) * this.worth;
  }
}
