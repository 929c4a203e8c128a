/**
 * Adapter for the npm package jocly: a platform with many board games. A game is set up by a text like FEN, and its
 * pieces and moves are read from its model, where squares count along the rows from 0, from the first side's end of
 * the board. Of moves that begin and end alike and capture the same, the first is listed: it has thousands of some.
 */
import { enginePackage, serve } from './loop.mjs';

// Rows and width of the numbered squares, and the colour of the engine's first side. Its squares are numbered here
// from the far end of the board; `turned` from the near one, beginning at the other side, `upward` as it counts them.
const small = { rows: 8, width: 4, first: 'W' };
const english = { ...small, first: 'B', turned: true };
const GAMES = {
  brazilian: { game: 'brazilian-draughts', ...small },
  'brazilian+on-6x6': { game: 'kids-draughts', rows: 6, width: 3, first: 'W' },
  english: { game: 'english-draughts', ...english },
  'english+losing': { game: 'suicide-checkers', ...english },
  german: { game: 'german-draughts', ...small },
  international: { game: 'draughts', rows: 10, width: 5, first: 'W' },
  spanish: { game: 'spanish-draughts', ...small, upward: true },
  thai: { game: 'thai-draughts', ...small, first: 'B' },
  turkish: { game: 'turkish-draughts', rows: 8, width: 8, first: 'W' },
};

const { module: jocly, version } = enginePackage('jocly', 'jocly/dist/node/jocly.core.js');
const matches = new Map();

/** A match of a game, at a position if one is given; a match that was set up keeps its set-up, so it is kept apart. */
async function match(ruleset, position) {
  const { game } = GAMES[ruleset];
  if (!position) return jocly.createMatch(game);
  if (!matches.has(ruleset)) matches.set(ruleset, await jocly.createMatch(game));
  const found = matches.get(ruleset);
  await found.load({ game, initialBoard: setUp(ruleset, position) });
  return found;
}

/** The number of a square that the engine counts from 0, and the engine's own number for one. */
function number(ruleset, place) {
  const { rows, width, turned, upward } = GAMES[ruleset];
  const column = place % width;
  const row = (place - column) / width;
  if (upward) return place + 1;
  return turned ? row * width + width - column : (rows - 1 - row) * width + column + 1;
}

function own(ruleset, square) {
  const { rows, width } = GAMES[ruleset];
  for (let place = 0; place < rows * width; place++) {
    if (number(ruleset, place) === square) {
      const column = place % width;
      return (rows - 1 - (place - column) / width) * width + column + 1; // as its set-ups number the squares
    }
  }
  throw new Error(`no square ${square}`);
}

const other = { W: 'B', B: 'W' };
const letter = (ruleset, side) => (side === 1 ? GAMES[ruleset].first : other[GAMES[ruleset].first]);

function setUp(ruleset, position) {
  const [side, ...lists] = position.split(':');
  const swap = (colour) => (GAMES[ruleset].first === 'W' ? colour : other[colour]);
  const pieces = lists
    .filter((list) => list.length > 1)
    .map((list) => {
      const squares = list.slice(1).split(',');
      const one = (piece) => (piece[0] === 'K' ? 'K' : '') + own(ruleset, Number(piece.replace('K', '')));
      return swap(list[0]) + squares.map(one).join(',');
    });
  return [swap(side), ...pieces].join(':');
}

function fen(ruleset, { game }) {
  const lists = { W: [], B: [] };
  for (const piece of game.mBoard.pieces) {
    if (piece) lists[letter(ruleset, piece.s)].push([number(ruleset, piece.p), piece.t === 1 ? 'K' : '']);
  }
  const text = (colour) => lists[colour].sort(([a], [b]) => a - b).map(([square, king]) => king + square).join(',');
  return `${letter(ruleset, game.mWho)}:W${text('W')}:B${text('B')}`;
}

const name = (ruleset, { pos, capt }) =>
  pos.map((place) => number(ruleset, place)).join(capt.some((place) => place !== null) ? 'x' : '-');

/** The moves by their names. */
async function moves(ruleset, found) {
  const seen = new Set();
  const named = new Map();
  for (const move of await found.getPossibleMoves()) {
    const same = [move.pos[0], move.pos.at(-1), ...move.capt.filter((place) => place !== null).sort()].join();
    if (!seen.has(same)) named.set(name(ruleset, move), move);
    seen.add(same);
  }
  return named;
}

serve({
  name: 'jocly',
  version,
  rulesets: Object.keys(GAMES),
  start: async ({ ruleset }) => ({ position: fen(ruleset, await match(ruleset)) }),
  async moves({ ruleset, position }) {
    return { moves: [...(await moves(ruleset, await match(ruleset, position))).keys()] };
  },
  async play({ ruleset, position, move }) {
    const found = await match(ruleset, position);
    const listed = (await moves(ruleset, found)).get(move);
    if (!listed) throw new Error(`not a move of this position: ${JSON.stringify(move)}`);
    await found.applyMove(listed);
    return { position: fen(ruleset, found) };
  },
  async plays({ ruleset, position, level }) {
    const found = await match(ruleset, position);
    if (!(await found.getPossibleMoves()).length) return { move: null };
    const limits = { maxDuration: level?.['move-time'] ?? 1, maxNodes: level?.nodes };
    const search = { ai: 'uct', playoutDepth: 0, minVisitsExpand: 1, c: 0.5, ...limits }; // as its own levels
    const { move } = await found.machineSearch({ level: search });
    return { move: name(ruleset, move) };
  },
  async outcome({ ruleset, position }) {
    const found = await match(ruleset, position);
    await found.getPossibleMoves();
    const { game } = found;
    game.mBoard.Evaluate(game, false, true);
    if (!game.mBoard.mFinished) return { outcome: 'ongoing' };
    const { mWinner: winner } = game.mBoard;
    const colours = { W: 'white', B: 'black' };
    return { outcome: winner === 1 || winner === -1 ? colours[letter(ruleset, winner)] : 'draw' };
  },
});
