// An engine's side of damspec's line protocol: each question is a line, each answer is a line.
//
//     damspec check english --lines -- node adapter.mjs
//
// To fill in: NAME, RULESET and START below, and legalMoves(). The rest can stay as it is.
import { createInterface } from 'node:readline';
import { read, write } from './fen.mjs';

const NAME = 'my-engine 1.0';
const RULESET = 'english'; // the rulesets it plays, separated by commas; `damspec rulesets` lists them
const START = 'B:W21-32:B1-12'; // numbered as the engine does; --rotate and --numbering translate it
const HOPS = false; // true if it lists single jumps, one after another, and not whole captures

// TO FILL IN: [move, position after it] for every legal move of the side position.turn; after it, it is the other
// side's turn. A move is written with all the squares on its way: 9-14, or 9x18x27. With HOPS, hops are the jumps
// already made from the position in this turn, as they were listed, and after a jump that has to be followed by another
// it is still the same side's turn; else there are none.
function legalMoves(position, hops) {
  return null; // not filled in yet
}

function moves(fen, hops) {
  const legal = legalMoves(read(fen), hops);
  if (legal === null) return 'unsupported legalMoves() in adapter.mjs is not filled in yet';
  return ['moves', ...legal.map(([move, after]) => `${move}>${write(after)}`)].join(' ');
}

function answer(question, fen, hops) {
  switch (question) {
    case 'hello':
      return `hello ${NAME} rulesets=${RULESET} questions=start,moves,play${HOPS ? ',steps' : ''}`;
    case 'start':
      return START;
    case 'moves':
      return moves(fen, hops);
    default:
      return `unsupported ${question}`;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const [question, , fen, ...hops] = line.trim().split(' ');
  if (question === 'quit') break;
  try {
    console.log(answer(question, fen, hops));
  } catch (error) {
    console.log(`error ${error.message}`);
  }
}
