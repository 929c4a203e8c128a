/**
 * Adapter for the npm package rapid-draughts: English draughts. Its squares are numbered 0 to 31 from the top
 * left, its light side is White; it knows which pieces a capture takes, but not the path.
 */
import { enginePackage, serve } from './loop.mjs';

const { module, version } = enginePackage('rapid-draughts', 'rapid-draughts/english');
const { EnglishDraughts, EnglishDraughtsBitSquare, EnglishDraughtsComputerFactory } = module;

const SIDES = { W: 'light', B: 'dark' };
const LETTERS = { light: 'W', dark: 'B' };
const RESULTS = { playing: 'ongoing', light_won: 'white', dark_won: 'black', draw: 'draw' };

// The engine sets a position up in bits and shows it in squares: it tells itself which bit is which square.
const BITS = new Map(
  Object.values(EnglishDraughtsBitSquare).map((bit) => {
    const lone = EnglishDraughts.setup({ board: { light: bit, dark: 0, king: 0 } });
    return [lone.board.find((square) => square.piece).position + 1, bit];
  }),
);

function setUp(position) {
  const fields = /^([WB]):([WB])([^:]*):([WB])([^:]*)$/.exec(position);
  if (!fields) throw new Error(`not a position of this game: ${position}`);
  const board = { light: 0, dark: 0, king: 0 };
  for (const [letter, pieces] of [fields.slice(2, 4), fields.slice(4, 6)]) {
    for (const piece of pieces ? pieces.split(',') : []) {
      const [, king, square] = /^(K?)(\d+)$/.exec(piece) ?? [];
      const bit = BITS.get(Number(square));
      if (!bit) throw new Error(`no such piece: ${letter}${piece}`);
      board[SIDES[letter]] = (board[SIDES[letter]] | bit) >>> 0;
      if (king) board.king = (board.king | bit) >>> 0;
    }
  }
  return EnglishDraughts.setup({ player: SIDES[fields[1]], board }, { moves: [], boards: [] });
}

function fen(game) {
  const list = (side) =>
    game.board
      .filter((square) => square.piece?.player === side)
      .map((square) => `${square.piece.king ? 'K' : ''}${square.position + 1}`)
      .join(',');
  return `${LETTERS[game.player]}:W${list('light')}:B${list('dark')}`;
}

function describe({ origin, destination, captures }) {
  if (!captures.length) return `${origin + 1}-${destination + 1}`;
  const captured = captures.map((square) => square + 1).sort((a, b) => a - b);
  return { move: `${origin + 1}x${destination + 1}`, captured };
}

serve({
  name: 'rapid-draughts',
  version,
  rulesets: ['english', 'lb'],
  start: () => ({ position: fen(EnglishDraughts.setup()) }),
  moves: ({ position }) => ({ moves: setUp(position).moves.map(describe) }),
  play({ position, move }) {
    const game = setUp(position);
    const wanted = JSON.stringify(move);
    const listed = game.moves.find((candidate) => JSON.stringify(describe(candidate)) === wanted);
    if (!listed) throw new Error(`not a move of this position: ${wanted}`);
    game.move(listed);
    return { position: fen(game) };
  },
  async plays({ position, level }) {
    const game = setUp(position);
    const player = EnglishDraughtsComputerFactory.alphaBeta({ maxDepth: level?.depth ?? 7 });
    const move = await player(game);
    return { move: move ? describe(move) : null };
  },
  outcome: ({ position }) => ({ outcome: RESULTS[setUp(position).status] }),
});
