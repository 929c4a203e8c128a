#!/usr/bin/env node
/**
 * The interpreter as an engine: answers the questions of damspec's protocol (docs/protocol.md) on standard input and output.
 *
 *     damspec check lb -- node engine.js
 */

import { createInterface } from "node:readline";

import { MoveError, PositionError, RulesError, rules } from "./damspec.js";

const games = new Map();

/** The game by the rules that came with a question. */
function gameOf({ rules: values }) {
  if (!values) throw new Unsupported("needs the rules with each question");
  const key = JSON.stringify(values);
  let game = games.get(key);
  if (!game) {
    if (games.size > 1000) games.clear();
    games.set(key, (game = rules(values)));
  }
  return game;
}

class Unsupported extends Error {}

const METHODS = {
  hello: () => ({
    protocol: 1,
    name: "damspec.js",
    version: "0.1.0",
    rulesets: "*",
    questions: ["start", "moves", "play", "outcome", "perft"],
    rules: true,
    ahead: 256,
    history: true,
  }),
  start: (game) => ({ position: game.write(game.start()) }),
  moves: (game, { position }) => {
    const { moves, lapses } = game.legal(game.read(position));
    return { moves: moves.map((action) => action.text), lapses: lapses.map((action) => action.text) };
  },
  play: (game, { position, move }) => ({ position: game.write(game.play(game.read(position), move)) }),
  outcome: (game, { position, moves = [] }) => {
    const { result, reason } = game.outcome(game.read(position), moves);
    return { outcome: result, reason };
  },
  perft: (game, { position, depth }) => ({ nodes: game.perft(game.read(position), depth) }),
};

/** The answer to a message, as protocol.md has it. */
function answer({ id, method, params }) {
  const reply = (rest) => JSON.stringify({ jsonrpc: "2.0", id, ...rest });
  if (method === "quit") return reply({ result: null });
  const question = Object.hasOwn(METHODS, method) ? METHODS[method] : null;
  if (!question) return reply({ error: { code: -32601, message: `no such method: ${method}` } });
  try {
    return reply({ result: method === "hello" ? question() : question(gameOf(params), params) });
  } catch (error) {
    if (error instanceof Unsupported) return reply({ error: { code: -32001, message: error.message } });
    if (![RulesError, PositionError, MoveError].some((kind) => error instanceof kind)) throw error;
    return reply({ error: { code: -32000, message: error.message } });
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  if (!line.trim()) continue;
  const message = JSON.parse(line);
  process.stdout.write(`${answer(message)}\n`);
  if (message.method === "quit") break;
}
