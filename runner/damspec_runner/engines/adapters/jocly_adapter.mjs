/**
 * Adapter for the npm package jocly: a platform with many board games. A game is set up by a text like FEN, and its
 * pieces and moves are read from its model, where squares count along the rows from 0, from the first side's end of
 * the board. Its first side, A, is always White for it; where Black begins, A is Black here.
 */
import { enginePackage, serve } from './loop.mjs';

// `rows` and `width` of the numbered squares; `turned` where Black begins, so that the board is turned round for the
// engine; `upward` where the squares are numbered from White's end of the board.
const small = { rows: 8, width: 4 };
const GAMES = {
  brazilian: { game: 'brazilian-draughts', ...small },
  'brazilian+on-6x6': { game: 'kids-draughts', rows: 6, width: 3 },
  english: { game: 'english-draughts', ...small, turned: true },
  'english+losing': { game: 'suicide-checkers', ...small, turned: true },
  german: { game: 'german-draughts', ...small },
  international: { game: 'draughts', rows: 10, width: 5 },
  spanish: { game: 'spanish-draughts', ...small, upward: true },
  thai: { game: 'thai-draughts', ...small },
  turkish: { game: 'turkish-draughts', rows: 8, width: 8 },
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

const letter = (ruleset, side) => ((side === 1) === !GAMES[ruleset].turned ? 'W' : 'B');

function setUp(ruleset, position) {
  const [side, ...lists] = position.split(':');
  const swap = (colour) => (GAMES[ruleset].turned ? { W: 'B', B: 'W' }[colour] : colour);
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

serve({
  name: 'jocly',
  version,
  rulesets: Object.keys(GAMES),
  start: async ({ ruleset }) => ({ position: fen(ruleset, await match(ruleset)) }),
  async moves({ ruleset, position }) {
    const moves = await (await match(ruleset, position)).getPossibleMoves();
    return { moves: moves.map((move) => name(ruleset, move)) };
  },
  async play({ ruleset, position, move }) {
    const found = await match(ruleset, position);
    const listed = (await found.getPossibleMoves()).find((each) => name(ruleset, each) === move);
    if (!listed) throw new Error(`not a move of this position: ${JSON.stringify(move)}`);
    await found.applyMove(listed);
    return { position: fen(ruleset, found) };
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
