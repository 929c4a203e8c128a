/**
 * Adapter for the npm package draughts: international draughts. The engine reads and writes FEN and numbers
 * its squares as the protocol does, so both pass through as they are. It does not say who won: no `outcome`.
 */
import { enginePackage, serve } from './loop.mjs';

const { module: Draughts, version } = enginePackage('draughts');

function setUp(position) {
  const game = new Draughts();
  if (!game.load(position)) throw new Error(`the engine does not accept the position ${position}`);
  return game;
}

const describe = ({ from, to, takes, jumps }) => (takes.length ? jumps.join('x') : `${from}-${to}`);

serve({
  name: 'draughts',
  version,
  rulesets: ['international'],
  start: () => ({ position: new Draughts().fen() }),
  moves: ({ position }) => ({ moves: setUp(position).moves().map(describe) }),
  play({ position, move }) {
    const game = setUp(position);
    const listed = game.moves().find((candidate) => describe(candidate) === move);
    if (!listed) throw new Error(`not a move of this position: ${JSON.stringify(move)}`);
    if (!game.move(listed)) throw new Error(`the engine refuses its own move ${move}`);
    return { position: game.fen() };
  },
});
