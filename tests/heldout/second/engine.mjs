// A draughts engine that plays whole turns, with faults to choose from: node engine.mjs RULESET [FAULT].
//
// It plays nl-trapdoor and fr-trapdoor (spins, sliders, falls), de (huffing) and russian, written from docs/protocol.md,
// spec/README.md, spec/rules.yaml, the layout and the documents' clauses, and from no other program. Without FAULT it is
// meant to be right. Each fault is one mistake at the place where it is easily made; faults.yaml says what each is.
import { createInterface } from 'node:readline';

const FAULTS = `
  spin_beside_capture men_fall_only shy_of_doors on_from_the_door doors_end_lines blocked_side_spins colours_swapped
  never_back_to_middle last_slider_stuck nothing_falls right_doors_hold lands_safely jumps_safely sliders_reset
  sliders_reversed spin_passes_turn sliders_sticky end_to_end doors_are_walls declines doors_spring_shut spin_stays
  no_retract huffs_the_mover huff_ends_turn compelled_unread lapses_are_moves huffs_old_square retract_keeps_crown
  crown_mark_missing every_move_an_offence retract_loses_turn no_huff offence_never_dies offence_outlives_huff
  king_lapses_missing no_lapses huffs_first_only able_afterwards blocked_can_huff
  short_new_king looks_nearby_only one_digit_kings mutated_cache nothing_is_null
`.trim().split(/\s+/);

const GAMES = {
  'nl-trapdoor': { first: 'W', back: true, flying: true, mostPieces: true, atOnce: true, doors: true },
  'fr-trapdoor': { first: 'W', back: true, flying: true, mostPieces: true, doors: true },
  de: { first: 'B', atOnce: true, huffing: true },
  russian: { first: 'W', back: true, flying: true, continuing: true, crownGoesOn: true },
};
const SLIDERS = [
  { id: 'O1', colour: 'orange', L: 9, R: 11 },
  { id: 'G1', colour: 'green', L: 14, R: 16 },
  { id: 'G2', colour: 'green', L: 17, R: 19 },
  { id: 'O2', colour: 'orange', L: 22, R: 24 },
];

const [id, fault] = process.argv.slice(2);
const game = GAMES[id];
if (!game || (fault && !FAULTS.includes(fault))) {
  console.error(`usage: node engine.mjs ${Object.keys(GAMES).join('|')} [FAULT]`);
  process.exit(2);
}

// --- the board: squares 1 to 32, and a table of lines

const UP_LEFT = 0, UP_RIGHT = 1, DOWN_LEFT = 2, DOWN_RIGHT = 3;
const rowOf = (square) => (square - 1) >> 2;
const columnOf = (square) => ((square - 1) % 4) * 2 + (rowOf(square) % 2 ? 0 : 1);

// LINES[square][direction] has the squares from there to the edge.
const LINES = [null];
for (let square = 1; square <= 32; square++) {
  LINES.push([[-1, -1], [-1, 1], [1, -1], [1, 1]].map(([down, right]) => {
    const line = [];
    for (let row = rowOf(square) + down, column = columnOf(square) + right;
      row >= 0 && row < 8 && column >= 0 && column < 8; row += down, column += right) {
      line.push(row * 4 + (column >> 1) + 1);
    }
    return line;
  }));
}
const other = (side) => (side === 'W' ? 'B' : 'W');
const forward = (side) => (side === 'W' ? [UP_LEFT, UP_RIGHT] : [DOWN_LEFT, DOWN_RIGHT]);
const ALL = [UP_LEFT, UP_RIGHT, DOWN_LEFT, DOWN_RIGHT];
const isPromotionRow = (side, square) => rowOf(square) === (side === 'W' ? 0 : 7);

// --- positions: pieces is a Map from squares to {side, king}

// All sliders in the middle.
const MIDDLE = [...'MMMM'];

const readPieces = (list, side, pieces) => {
  for (const word of list.split(',').filter(Boolean)) {
    const king = word[0] === 'K';
    const text = king ? word.slice(1) : word;
    const [first, last] = text.split('-').map(Number);
    const from = fault === 'one_digit_kings' && king ? Number(text[0]) : first;
    for (let square = from; square <= (last ?? from); square++) pieces.set(square, { side, king });
  }
};

const readPosition = (fen) => {
  const [side, ...fields] = fen.split(':');
  const position = { side, pieces: new Map(), sliders: [...MIDDLE] };
  for (const field of fields) {
    const [name, value] = field.split('=');
    if (name === 'sliders') position.sliders = value === 'MMMM' ? MIDDLE : [...value];
    else if (name === 'spin') position.spin = value;
    else if (name === 'huffable') position.huffable = readOffence(value);
    else if (name === 'compelled') position.compelled = fault !== 'compelled_unread';
    else readPieces(field.slice(1), field[0], position.pieces);
  }
  if (fault === 'sliders_reversed') position.sliders = [...position.sliders].reverse();
  return position;
};

const readOffence = (text) => {
  const [from, to] = text.replace('K', '').split('-').map(Number);
  return { from, to, crowned: text.endsWith('K') };
};

const writePosition = ({ side, pieces, sliders, spin, huffable, compelled }) => {
  const list = (own) => [...pieces.keys()].filter((square) => pieces.get(square).side === own)
    .sort((a, b) => a - b).map((square) => (pieces.get(square).king ? 'K' : '') + square).join(',');
  let fen = `${side}:W${list('W')}:B${list('B')}`;
  if (game.doors) {
    const letters = fault === 'sliders_reversed' ? [...sliders].reverse() : sliders;
    if (letters.join('') !== 'MMMM') fen += `:sliders=${letters.join('')}`;
  }
  if (spin) fen += `:spin=${spin}`;
  if (huffable) {
    const crown = huffable.crowned && fault !== 'crown_mark_missing' ? 'K' : '';
    fen += `:huffable=${huffable.from}-${huffable.to}${crown}`;
  }
  if (compelled) fen += ':compelled';
  return fen;
};

const copied = (position) => ({ ...position, pieces: new Map(position.pieces), sliders: [...position.sliders] });

const isOpen = (position, square) =>
  game.doors && SLIDERS.some((slider, i) => slider[position.sliders[i]] === square);

// --- captures and quiet moves of pieces: {from, path, taken, crowns, falls}

// The jumps of a piece from a square: over which, and where it may land.
const jumpsFrom = (position, square, piece, taken, short) => {
  const found = [];
  const directions = piece.king || game.back ? ALL : forward(piece.side);
  for (const direction of directions) {
    const line = LINES[square][direction];
    let i = 0;
    while (piece.king && game.flying && !short && i < line.length && !position.pieces.has(line[i])) {
      if (['doors_end_lines', 'doors_are_walls'].includes(fault) && isOpen(position, line[i])) break;
      i++;
    }
    const over = line[i];
    const victim = position.pieces.get(over);
    if (!victim || victim.side === piece.side || taken.includes(over)) continue;
    const landings = [];
    for (i++; i < line.length && !position.pieces.has(line[i]); i++) {
      if (fault === 'doors_are_walls' && piece.king && isOpen(position, line[i])) break;
      landings.push(line[i]);
      if (!piece.king || !game.flying || short) break;
      if (fault === 'doors_end_lines' && isOpen(position, line[i])) break;
    }
    if (landings.length) found.push({ over, landings });
  }
  return found;
};

const withoutOne = (position, square) => {
  const next = copied(position);
  next.pieces.delete(square);
  return next;
};

const capturesOf = (position, from) => {
  const piece = position.pieces.get(from);
  const captures = [];
  const end = (path, taken, king, falls) =>
    captures.push({ from, path, taken, falls, crowns: king && !piece.king });
  const goOn = (board, square, king, path, taken, short) => {
    if (path.length && isOpen(position, square) && fault !== 'on_from_the_door') return end(path, taken, king, true);
    if (path.length && !king && isPromotionRow(piece.side, square)) {
      if (!game.crownGoesOn) return end(path, taken, true, false);
      king = true;
      if (fault === 'short_new_king') short = true;
    }
    const jumps = jumpsFrom(board, square, { side: piece.side, king }, taken, short);
    if (!jumps.length && path.length) end(path, taken, king, isOpen(position, square));
    for (const { over, landings } of jumps) {
      const now = [...taken, over];
      const next = game.atOnce ? withoutOne(board, over) : board;
      let open = landings;
      if (game.continuing && king) {
        const leads = landings.filter((landing) => {
          const near = short || fault === 'looks_nearby_only';
          return jumpsFrom(next, landing, { side: piece.side, king }, now, near).length;
        });
        if (leads.length) open = leads;
      }
      for (const landing of open) goOn(next, landing, king, [...path, landing], now, short);
    }
    return undefined;
  };
  goOn(withoutOne(position, from), from, piece.king, [], [], false);
  return captures;
};

const key = ({ from, path, taken }) => [from, path[path.length - 1], ...[...taken].sort((a, b) => a - b)].join(' ');

const ownSquares = (position, side) =>
  [...position.pieces.keys()].filter((square) => position.pieces.get(square).side === side).sort((a, b) => a - b);

const capturesFor = (position) => {
  let captures = ownSquares(position, position.side).flatMap((square) => capturesOf(position, square));
  if (game.mostPieces) {
    const most = Math.max(0, ...captures.map(({ taken }) => taken.length));
    captures = captures.filter(({ taken }) => taken.length === most);
  }
  return [...new Map(captures.reverse().map((capture) => [key(capture), capture])).values()].reverse();
};

const quietMoves = (position) => ownSquares(position, position.side).flatMap((from) => {
  const { side, king } = position.pieces.get(from);
  const moves = [];
  for (const direction of king ? ALL : forward(side)) {
    for (const to of LINES[from][direction].slice(0, king && game.flying ? 8 : 1)) {
      if (position.pieces.has(to)) break;
      const falls = isOpen(position, to);
      if (falls && king && fault === 'doors_are_walls') break;
      if (!(falls && fault === 'shy_of_doors')) {
        moves.push({ from, path: [to], taken: [], crowns: !king && isPromotionRow(side, to), falls });
      }
      if (falls && fault === 'doors_end_lines') break;
    }
  }
  return moves;
});

// --- whole turns: {text, after}

const write = ({ from, path, taken }) => [from, ...path].join(taken.length ? 'x' : '-');

const afterMove = (position, move) => {
  const next = copied(position);
  const piece = position.pieces.get(move.from);
  next.pieces.delete(move.from);
  for (const square of move.taken) next.pieces.delete(square);
  const safe = fault === (move.taken.length ? 'jumps_safely' : 'lands_safely');
  if (!move.falls || safe) {
    next.pieces.set(move.path[move.path.length - 1], { side: piece.side, king: piece.king || move.crowns });
  }
  if (fault === 'sliders_reset' && move.taken.length) next.sliders = [...'MMMM'];
  const huffable = fault === 'offence_never_dies' ? position.huffable : undefined;
  return { ...next, side: other(position.side), spin: undefined, huffable, compelled: false };
};

const moveAction = (position) => (move) => ({ text: write(move), after: () => afterMove(position, move) });

const spinActions = (position) => ['disc', 'green', 'orange'].map((result) => ({
  text: `spin=${result}`,
  after: () => ({ ...copied(position), spin: result,
    side: fault === 'spin_passes_turn' ? other(position.side) : position.side }),
}));

const slideActions = (position) => {
  const colour = fault === 'colours_swapped' ? { green: 'orange', orange: 'green' }[position.spin] : position.spin;
  const actions = [];
  SLIDERS.forEach((slider, i) => {
    if (slider.colour !== colour || (fault === 'last_slider_stuck' && i === SLIDERS.length - 1)) return;
    const ends = fault === 'end_to_end' ? ['L', 'M', 'R'].filter((goal) => goal !== position.sliders[i]) : ['M'];
    const goals = position.sliders[i] === 'M' ? ['L', 'R'] : fault === 'never_back_to_middle' ? [] : ends;
    for (const goal of goals) {
      actions.push({ text: `${slider.id}=${goal}`, after: () => afterSlide(position, i, goal) });
    }
  });
  const pass = { text: 'pass', after: () => ({ ...copied(position), side: other(position.side), spin: undefined }) };
  return fault === 'declines' ? [...actions, pass] : actions;
};

const afterSlide = (position, i, goal) => {
  const spin = fault === 'spin_stays' ? position.spin : undefined;
  const next = { ...copied(position), side: other(position.side), spin };
  next.sliders[i] = fault === 'doors_spring_shut' ? 'M' : goal;
  if (fault === 'sliders_sticky') position.sliders[i] = goal;
  const door = SLIDERS[i][goal];
  const piece = position.pieces.get(door);
  const holds = fault === 'nothing_falls' || (fault === 'right_doors_hold' && goal === 'R')
    || (fault === 'men_fall_only' && piece?.king);
  if (!holds) next.pieces.delete(door);
  return next;
};

const trapdoorTurns = (position) => {
  const captures = capturesFor(position).map(moveAction(position));
  const quiet = quietMoves(position).map(moveAction(position));
  if (position.spin === 'disc') return quiet;
  if (position.spin) return slideActions(position);
  if (captures.length) return fault === 'spin_beside_capture' ? [...captures, ...spinActions(position)] : captures;
  const blocked = !quiet.length && !(fault === 'blocked_side_spins' && ownSquares(position, position.side).length);
  return blocked ? [] : spinActions(position);
};

// The position before the move that is an offence, the offender to move.
const beforeOffence = (position) => {
  const { from, to, crowned } = position.huffable;
  const before = copied(position);
  const piece = before.pieces.get(to);
  before.pieces.delete(to);
  before.pieces.set(from, { side: piece.side, king: piece.king && !(crowned && fault !== 'retract_keeps_crown') });
  return { ...before, side: piece.side, huffable: undefined };
};

const remedies = (position) => {
  if (!position.huffable) return [];
  const { from, to } = position.huffable;
  const before = beforeOffence(position);
  const asked = fault === 'able_afterwards' ? { ...position, side: before.side } : before;
  const starts = [...new Set(capturesFor(asked).map((capture) => capture.from))];
  const able = fault === 'huffs_the_mover' ? [from] : starts.slice(0, fault === 'huffs_first_only' ? 1 : starts.length);
  const huff = (start) => {
    const square = start === from ? to : start;
    return {
      text: `huff ${fault === 'huffs_old_square' ? start : square}`,
      after: () => ({ ...withoutOne(position, square),
        huffable: fault === 'offence_outlives_huff' ? position.huffable : undefined,
        side: fault === 'huff_ends_turn' ? other(position.side) : position.side }),
    };
  };
  const retract = {
    text: 'retract',
    after: () => (fault === 'retract_loses_turn' ? { ...before, side: position.side } : { ...before, compelled: true }),
  };
  if (fault === 'no_huff') return [retract];
  return fault === 'no_retract' ? able.map(huff) : [...able.map(huff), retract];
};

const huffingTurns = (position) => {
  const captures = capturesFor(position).map(moveAction(position));
  const offence = (move) => ({
    text: write(move),
    after: () => ({ ...afterMove(position, move),
      huffable: { from: move.from, to: move.path[0], crowned: move.crowns } }),
  });
  const quiet = quietMoves(position);
  if (position.compelled) return { moves: captures, lapses: [] };
  if (!captures.length) {
    const plain = quiet.map(fault === 'every_move_an_offence' ? offence : moveAction(position));
    return { moves: [...plain, ...remedies(position)], lapses: [] };
  }
  const playable = fault === 'king_lapses_missing' ? quiet.filter(({ from }) => !position.pieces.get(from).king) : quiet;
  const lapses = fault === 'no_lapses' ? [] : playable.map(offence);
  const moves = [...captures, ...remedies(position)];
  return fault === 'lapses_are_moves' ? { moves: [...moves, ...lapses], lapses: [] } : { moves, lapses };
};

const plainTurns = (position) => {
  const captures = capturesFor(position);
  return (captures.length ? captures : quietMoves(position)).map(moveAction(position));
};

const turns = (position) => {
  if (game.huffing) return huffingTurns(position);
  return { moves: game.doors ? trapdoorTurns(position) : plainTurns(position), lapses: [] };
};

const outcome = (position) => {
  const loses = (side) => (side === 'W' ? 'black' : 'white');
  for (const side of [position.side, other(position.side)]) {
    if (!ownSquares(position, side).length) return loses(side);
  }
  const { moves, lapses } = turns(position);
  if (fault === 'blocked_can_huff' && !capturesFor(position).length && !quietMoves(position).length) return loses(position.side);
  return moves.length + lapses.length ? 'ongoing' : loses(position.side);
};

// --- the protocol

const cache = new Map();

const known = (fen) => {
  if (fault !== 'mutated_cache') return readPosition(fen);
  if (!cache.has(fen)) cache.set(fen, readPosition(fen));
  return cache.get(fen);
};

const startPosition = () => {
  const pieces = new Map();
  for (let square = 1; square <= 12; square++) pieces.set(square, { side: 'B', king: false });
  for (let square = 21; square <= 32; square++) pieces.set(square, { side: 'W', king: false });
  return { side: game.first, pieces, sliders: [...'MMMM'] };
};

const played = (fen, text) => {
  const position = known(fen);
  const { moves, lapses } = turns(position);
  const action = [...moves, ...lapses].find((one) => one.text === text);
  if (!action) throw new Error(`no such move: ${text}`);
  const after = action.after();
  if (fault === 'mutated_cache') position.pieces = after.pieces;
  return { position: writePosition(after) };
};

const listed = (fen) => {
  const { moves, lapses } = turns(known(fen));
  const texts = (actions) => actions.map(({ text }) => text);
  if (fault === 'nothing_is_null' && !moves.length) return { moves: null };
  return game.huffing ? { moves: texts(moves), lapses: texts(lapses) } : { moves: texts(moves) };
};

const questions = {
  hello: () => ({ protocol: 1, name: 'second-javascript', version: '1', rulesets: [id],
    questions: ['start', 'moves', 'play', 'outcome'] }),
  start: () => ({ position: writePosition(startPosition()) }),
  moves: ({ position }) => listed(position),
  play: ({ position, move }) => played(position, move),
  outcome: ({ position }) => ({ outcome: outcome(known(position)) }),
  quit: () => null,
};

for await (const line of createInterface({ input: process.stdin })) {
  if (!line.trim()) continue;
  const request = JSON.parse(line);
  const answer = { jsonrpc: '2.0', id: request.id };
  try {
    answer.result = questions[request.method](request.params);
  } catch (error) {
    answer.error = { code: -32000, message: error.message };
  }
  console.log(JSON.stringify(answer));
  if (request.method === 'quit') break;
}
