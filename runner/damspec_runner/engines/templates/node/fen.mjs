// Positions of draughts as text, as damspec writes them: B:W21-32:BK5,9 is Black to move.

// A position is { turn: 'W' or 'B', on: { square: piece } }, squares from 1: 'w' 'b' a man, 'W' 'B' a king.
export function read(text) {
  const [turn, ...parts] = text.split(':');
  if (turn !== 'W' && turn !== 'B') throw new RangeError(`no position: ${text}`);
  const position = { turn, on: {} };
  for (const part of parts) {
    const side = part[0];
    if (side !== 'W' && side !== 'B') break;
    for (const piece of part.slice(1).split(',').filter(Boolean)) {
      const king = piece.startsWith('K');
      const [first, last = first] = piece.slice(king ? 1 : 0).split('-').map(Number);
      for (let square = first; square <= last; square++) position.on[square] = king ? side : side.toLowerCase();
    }
  }
  return position;
}

export function write({ turn, on }) {
  const pieces = (side) =>
    Object.keys(on)
      .filter((square) => on[square].toUpperCase() === side)
      .sort((one, other) => one - other)
      .map((square) => (on[square] === side ? 'K' : '') + square);
  return `${turn}:W${pieces('W')}:B${pieces('B')}`;
}
