// Positions of draughts as text, as damspec writes them: B:W21-32:BK5,9 is Black to move.

const PIECE = /^(K?)([1-9]\d{0,2})(?:-([1-9]\d{0,2}))?$/;

// A position is { turn: 'W' or 'B', on: { square: piece } }, squares from 1: 'w' 'b' a man, 'W' 'B' a king.
export function read(text) {
  const [turn, ...parts] = text.split(':');
  const sides = parts.slice(0, 2);
  if (!/^[WB]$/.test(turn) || sides.map((part) => part[0]).sort().join('') !== 'BW') {
    throw new RangeError(`no position: ${text}`);
  }
  const position = { turn, on: {} };
  for (const part of sides) {
    for (const piece of part.slice(1).split(',').filter(Boolean)) {
      const [, king, first, last = first] = PIECE.exec(piece) ?? [];
      if (!(Number(first) <= Number(last))) throw new RangeError(`no piece: ${piece}`);
      for (let square = Number(first); square <= Number(last); square++) {
        position.on[square] = king ? part[0] : part[0].toLowerCase();
      }
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
