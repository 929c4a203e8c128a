// Answers questions with the interpreter, a line of JSON each: {rules}, {fen}, {fen, played}, {fen, depth} or
// {fen, find}. `rules` are those of the positions that follow.

import { createInterface } from "node:readline";

import { MoveError, PositionError, RulesError, problems, rules } from "../../reference/javascript/damspec.js";

let game = null;

const plain = (action) => ({
  text: action.text,
  kind: action.kind,
  path: action.path,
  captured: action.captured,
  crowned: action.crowned,
  paths: action.paths,
  after: game.write(action.after),
});

function answer(question) {
  if (question.rules) {
    game = null;
    const found = problems(question.rules);
    if (found.length === 0) game = rules(question.rules);
    return { problems: found };
  }
  const position = game.read(question.fen);
  if (question.played) return game.outcome(position, question.played);
  if (question.depth) return { nodes: game.perft(position, question.depth) };
  if (question.find) return plain(game.find(position, question.find));
  const { moves, lapses } = game.legal(position);
  const canCapture = game.canCapture(position);
  return { moves: moves.map(plain), lapses: lapses.map(plain), canCapture, outcome: game.outcome(position) };
}

for await (const line of createInterface({ input: process.stdin })) {
  let result;
  try {
    result = answer(JSON.parse(line));
  } catch (error) {
    if (![RulesError, PositionError, MoveError].some((kind) => error instanceof kind)) throw error;
    result = { error: error.message, key: error.key, values: error.values };
  }
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
