/**
 * Adapter for the npm package aima-checkers: rows and columns from the corner where its first player, p, sits.
 * p is Black here, and each row is counted from its other end.
 */
import { engineFile, serve } from './loop.mjs';

const { file, version } = engineFile('aima-checkers', 'index.mjs');
const { checkers } = await import(file);

const SIDES = { B: 'p', W: 'q' };
const number = ([row, column]) => 4 * row + ((7 - column) >> 1) + 1;

function state(position) {
  const [side, ...lists] = position.split(':');
  const found = { p: [], q: [], player: SIDES[side], opponent: side === 'B' ? 'q' : 'p' };
  for (const list of lists) {
    for (const piece of list.slice(1).split(',').filter(Boolean)) {
      const n = Number(piece.replace('K', '')) - 1;
      const row = n >> 2;
      found[SIDES[list[0]]].push([row, 7 - (2 * (n & 3) + ((row + 1) & 1)), piece.startsWith('K')]);
    }
  }
  return found;
}

function write(found) {
  const pieces = (player) => found[player].map((piece) => (piece[2] ? 'K' : '') + number(piece)).join(',');
  return `${found.player === 'p' ? 'B' : 'W'}:W${pieces('q')}:B${pieces('p')}`;
}

const describe = (action) =>
  action.map(number).join(Math.abs(action[1][0] - action[0][0]) === 2 ? 'x' : '-');

serve({
  name: 'aima-checkers',
  version,
  rulesets: ['english'],
  start: () => ({ position: write(checkers.initialState) }),
  moves: ({ position }) => ({ moves: checkers.actions(state(position)).map(describe) }),
  play({ position, move }) {
    const action = checkers.actions(state(position)).find((each) => describe(each) === move);
    if (!action) throw new Error(`not a move of this position: ${JSON.stringify(move)}`);
    return { position: write(checkers.result(state(position), action)) };
  },
});
