// An example engine, to copy from: English draughts (American checkers), in plain Node without dependencies.
import { createInterface } from 'node:readline';

// Inside, a gap follows every eighth square: then every step is 4 or 5, and off the board it meets a gap.
const inside = (number) => number + ((number - 1) >> 3);
const outside = (square) => square - Math.floor((square - 1) / 9);
const STEPS = { w: [-5, -4], b: [4, 5], W: [-5, -4, 4, 5], B: [-5, -4, 4, 5] }; // capitals are kings

function read(fen) {
  const [turn, ...sides] = fen.split(':');
  const board = [...' -------- -------- -------- --------'];
  for (const [letter, ...pieces] of sides)
    for (const [, king, number] of pieces.join('').matchAll(/(K?)(\d+)/g))
      board[inside(Number(number))] = king ? letter : letter.toLowerCase();
  return { board, turn, other: turn === 'W' ? 'B' : 'W' };
}

function captures({ board, other }, path, taken = []) { // every complete capture that begins with this path
  const longer = STEPS[board[path[0]]].flatMap((step) => {
    const [over, to] = [path.at(-1) + step, path.at(-1) + 2 * step];
    const free = board[to] === '-' || to === path[0]; // the square it came from is empty by now
    const jumps = free && board[over].toUpperCase() === other && !taken.includes(over);
    return jumps ? captures({ board, other }, [...path, to], [...taken, over]) : [];
  });
  return longer.length || !taken.length ? longer : [{ path, taken }];
}

function after({ board, turn, other }, { path, taken }) {
  const [from, to] = [path[0], path.at(-1)];
  const next = board.map((piece, square) => (square === from || taken.includes(square) ? '-' : piece));
  next[to] = to <= inside(4) || to >= inside(29) ? turn : board[from]; // no man moves to its own first row
  const list = (side) => next.flatMap((p, n) => (p.toUpperCase() !== side ? [] : (p === side ? 'K' : '') + outside(n)));
  return `${other}:W${list('W')}:B${list('B')}`;
}

function legal(position) { // every legal move, with the position after it
  const { board, turn } = position;
  const own = [...board.keys()].filter((square) => board[square].toUpperCase() === turn);
  const jumps = own.flatMap((from) => captures(position, [from]));
  const steps = (from) => STEPS[board[from]].map((step) => ({ path: [from, from + step], taken: [] }));
  const moves = jumps.length ? jumps : own.flatMap(steps).filter(({ path }) => board[path[1]] === '-');
  const ends = new Map(moves.map((m) => [after(position, m), m.path.map(outside).join(m.taken[0] ? 'x' : '-')]));
  return new Map([...ends].map(([end, text]) => [text, end])); // two paths to the same end are one move
}

const answers = {
  hello: () => ({ protocol: 1, name: 'example', version: '1', rulesets: ['english', 'lb'],
    questions: ['start', 'moves', 'play', 'outcome'] }),
  start: () => ({ position: 'B:W21-32:B1-12' }),
  moves: ({ position }) => ({ moves: [...legal(read(position)).keys()] }),
  play: ({ position, move }) => ({ position: legal(read(position)).get(move) }),
  outcome: ({ position: p }) => ({ outcome: legal(read(p)).size ? 'ongoing' : p[0] === 'W' ? 'black' : 'white' }),
  quit: () => process.stdin.destroy() && null,
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const reply = ['english', 'lb', undefined].includes(params?.ruleset) ? { result: answers[method](params) }
    : { error: { code: -32001, message: 'plays American checkers only' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...reply }));
});
