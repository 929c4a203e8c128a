#!/usr/bin/env node
/**
 * The interpreter as an engine: it speaks damspec's protocol (docs/protocol.md), plain lines (docs/lines.md), Hub or DXP
 * (docs/hub.md).
 *
 *     damspec check lb -- node engine.js
 *     damspec check lb --lines -- node engine.js --lines --rules lb.json
 *     damspec check international --hub -- node engine.js --hub --rules normal=international.json
 *     damspec check international --dxp 27531     (beside: node engine.js --dxp 27531 --rules international.json)
 */

import { readFileSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";

import { MoveError, Position, PositionError, RulesError, rules } from "./damspec.js";

const NAME = "damspec.js";
const VERSION = "0.1.0";
const USAGE = "usage: engine.js [--lines | --hub | --dxp [HOST:]PORT | --dxp-connect HOST:PORT] [--rules [NAME=]FILE]...";
/** Characters of a line that are read; a longer one is refused. */
const LIMIT = 1024 * 1024;
/** The greatest depth of a perft. */
const DEEPEST = 20;
const [PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS, UNSUPPORTED] = [-32700, -32600, -32601, -32602, -32001];

/** A question that this engine does not answer, though others may. */
class UnsupportedError extends Error {}

/** A message without the form that the protocol gives it. */
class RequestError extends Error {}

/** The error is one of the input, with a message for whoever gave it. */
function isInputError(error) {
  return [RulesError, PositionError, MoveError, RequestError].some((kind) => error instanceof kind);
}

/** The start of a text, or of a value as JSON, quoted. */
function quoted(value) {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

const isMapping = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

// ---------------------------------------------------------------------------------------------------- the questions

/** The games that the engine was started with, by name. */
class Games {
  constructor(named) {
    this.named = named;
    this.sent = new Map();
  }

  /** The game of a question: by the rules sent with it, else the one of that name. */
  of({ ruleset, rules: values }) {
    if (values === undefined) {
      const game = this.named.get(ruleset);
      if (!game) throw new UnsupportedError(`has no rules of ${quoted(ruleset)}: send them, or start it with --rules`);
      return game;
    }
    const key = JSON.stringify(values);
    let game = this.sent.get(key);
    if (!game) {
      if (this.sent.size > 1000) this.sent.clear();
      this.sent.set(key, (game = rules(values)));
    }
    return game;
  }
}

const isText = (value) => typeof value === "string" && value !== "";
const isNotation = (value) => isText(value) || (isMapping(value) && isText(value.move) && Array.isArray(value.captured));
const isList = (value) => Array.isArray(value) && value.every(isNotation);
const isDepth = (value) => Number.isInteger(value) && value >= 1 && value <= DEEPEST;
const PARAMS = {
  ruleset: [isText, "the name of a ruleset"],
  rules: [isMapping, "a mapping of rules to their values"],
  position: [isText, "a FEN"],
  move: [isNotation, "a move"],
  moves: [isList, "a list of moves"],
  depth: [isDepth, `a whole number from 1 to ${DEEPEST}`],
};

const textOf = (move) => (isMapping(move) ? move.move : move);

/** Each question: the parameters that it must have and may have, and its answer. */
const QUESTIONS = {
  start: [["ruleset"], ["rules"], (game) => ({ position: game.write(game.start()) })],
  moves: [["ruleset", "position"], ["rules", "moves"], (game, params) => {
    const { moves, lapses } = game.legal(reached(game, params));
    return { moves: moves.map((action) => action.text), lapses: lapses.map((action) => action.text) };
  }],
  play: [["ruleset", "position", "move"], ["rules", "moves"], (game, params) => ({
    position: game.write(game.play(reached(game, params), textOf(params.move))),
  })],
  outcome: [["ruleset", "position"], ["rules", "moves"], (game, { position, moves = [] }) => {
    const { result, reason } = game.outcome(game.read(position), moves.map(textOf));
    return { outcome: result, reason };
  }],
  perft: [["ruleset", "position", "depth"], ["rules"], (game, { position, depth }) => ({
    nodes: game.perft(game.read(position), depth),
  })],
};

/** The position of a question, after the moves so far. */
function reached(game, { position, moves = [] }) {
  return moves.reduce((now, move) => game.play(now, textOf(move)), game.read(position));
}

/** The answer to a question. Throws UnsupportedError, or an error of the input. */
function ask(games, method, params) {
  const [required, optional, answer] = QUESTIONS[method];
  if (!isMapping(params)) throw new RequestError(`${method}: found no params, expected ${required.join(", ")}`);
  for (const name of Object.keys(params)) {
    if (![...required, ...optional].includes(name)) throw new RequestError(`${method}: unknown key ${quoted(name)}`);
  }
  for (const name of [...required, ...optional]) {
    const [fits, words] = PARAMS[name];
    if (!Object.hasOwn(params, name) && optional.includes(name)) continue;
    if (!fits(params[name])) throw new RequestError(`${method}: ${name}: found ${quoted(params[name])}, expected ${words}`);
  }
  return answer(games.of(params), params);
}

// ---------------------------------------------------------------------------------------------------- JSON

/** The answer to a line of JSON, and whether it was the last. */
function answerJson(games, line) {
  const reply = (id, rest) => ({ text: JSON.stringify({ jsonrpc: "2.0", id, ...rest }), last: false });
  const fail = (id, code, message) => reply(id, { error: { code, message } });
  let message;
  try {
    if (line.length > LIMIT) return fail(null, INVALID_REQUEST, `a line of more than ${LIMIT} characters`);
    message = JSON.parse(line);
  } catch (error) {
    return fail(null, PARSE_ERROR, `malformed JSON: ${error.message}`);
  }
  const known = isMapping(message) && (typeof message.id === "string" || Number.isInteger(message.id));
  const id = known ? message.id : null;
  if (!isMapping(message) || typeof message.method !== "string") {
    return fail(id, INVALID_REQUEST, "expected a JSON-RPC 2.0 request");
  }
  const { method, params } = message;
  if (method === "quit") return { ...reply(id, { result: null }), last: true };
  if (method === "hello") {
    const rulesets = games.named.size ? [...games.named.keys()] : "*";
    const questions = Object.keys(QUESTIONS);
    const facts = { protocol: 1, name: NAME, version: VERSION, rulesets, questions };
    return reply(id, { result: { ...facts, rules: true, ahead: 256, history: true } });
  }
  if (!Object.hasOwn(QUESTIONS, method)) return fail(id, NO_METHOD, `no method ${quoted(method)}`);
  try {
    return reply(id, { result: ask(games, method, params) });
  } catch (error) {
    if (error instanceof UnsupportedError) return fail(id, UNSUPPORTED, error.message);
    if (!isInputError(error)) throw error;
    return fail(id, INVALID_PARAMS, error.message);
  }
}

// ---------------------------------------------------------------------------------------------------- plain lines

const asWord = (text) => text.replaceAll(" ", ":");
const fromWord = (word) => word.replace(/^huff:/, "huff ").replace(/\([0-9,]*\)$/, "");

/** The answer to a plain line, and whether it was the last. */
function answerLine(games, line) {
  const [method = "", ...words] = line.trim().split(/\s+/);
  const reply = (text) => ({ text, last: method === "quit" });
  if (method === "quit") return reply("quit");
  if (method === "hello") {
    const questions = [...Object.keys(QUESTIONS), "history"].join(",");
    return reply(`hello ${NAME} ${VERSION} rulesets=${[...games.named.keys()].join(",")} questions=${questions}`);
  }
  if (!Object.hasOwn(QUESTIONS, method)) return reply(`unsupported no question ${quoted(method)}`);
  const last = QUESTIONS[method][0][2]; // what stands behind the moves so far
  const [ruleset, position] = words;
  const params = { ruleset, ...(method === "start" ? {} : { position }) };
  const rest = words.slice(method === "start" ? 1 : 2);
  if (last) params[last] = last === "depth" ? Number(rest.pop()) : fromWord(rest.pop() ?? "");
  if (rest.length) params.moves = rest.map(fromWord);
  try {
    return reply(lineOf(method, ask(games, method, params)));
  } catch (error) {
    if (error instanceof UnsupportedError) return reply(`unsupported ${error.message}`);
    if (!isInputError(error)) throw error;
    return reply(`error ${error.message}`);
  }
}

function lineOf(method, { position, moves, lapses, outcome, reason, nodes }) {
  if (method === "moves") return ["moves", ...moves.map(asWord), ...(lapses.length ? ["|", ...lapses.map(asWord)] : [])].join(" ");
  if (method === "outcome") return reason ? `${outcome} ${reason}` : outcome;
  return method === "perft" ? String(nodes) : position;
}

// ---------------------------------------------------------------------------------------------------- Hub

const HUB_LETTERS = "wWbBe";
const DXP_LETTERS = "wWzZe";
const PIECES = [1, 2, -1, -2, 0];

/** A position of Hub or DXP: the side to move and a letter for each square. */
function readSquares(game, text, letters) {
  const side = { W: "W", [letters[3]]: "B" }[text[0]];
  const squares = [...text.slice(1)].map((letter) => PIECES[letters.indexOf(letter)]);
  if (!side || squares.length !== game.board.squares || squares.includes(undefined)) {
    throw new RequestError(`position ${quoted(text)}: expected W or ${letters[3]} and ${game.board.squares} of ${letters}`);
  }
  return new Position(Int8Array.from([0, ...squares]), side, { sliders: "M".repeat(game.board.sliders.length) });
}

const listed = { game: null, fen: "", moves: null };

/** The legal moves of pieces, by from, to and what they capture; the last are remembered, since many ask for them. */
function movesByValue(game, position) {
  const fen = game.write(position);
  if (listed.game !== game || listed.fen !== fen) {
    const moves = game.moves(position).filter((action) => action.path.length);
    const found = new Map(moves.map((action) => [valueOf(action.path[0], action.path.at(-1), action.captured), action]));
    Object.assign(listed, { game, fen, moves: found });
  }
  return listed.moves;
}

const valueOf = (from, to, captured) => [from, to, ...[...captured].sort((one, two) => one - two)].join(" ");

/** One of the legal moves, the same in the same position. */
function anyMove(game, position) {
  const moves = [...movesByValue(game, position).values()];
  const text = game.write(position);
  const hash = [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1000003, 7);
  return moves[hash % moves.length];
}

class Hub {
  constructor(games) {
    this.games = games;
    [this.variant] = games.named.keys();
    this.position = null;
  }

  get game() {
    return this.games.named.get(this.variant);
  }

  /** The lines that answer a line, and whether it was the last; a command that it does not know has none. */
  answer(line) {
    const words = [...line.matchAll(/([^\s="]+)(?:="([^"]*)"|=([^\s="]+))?/g)];
    const [[, command] = []] = words;
    const values = Object.fromEntries(words.slice(1).map(([, name, inQuotes, plain]) => [name, inQuotes ?? plain ?? ""]));
    if (command === "quit") return { text: null, last: true };
    try {
      const said = this.command(command, values);
      return { text: said.length ? said.join("\n") : null, last: false };
    } catch (error) {
      if (!isInputError(error)) throw error;
      return { text: `error message="${error.message.replaceAll('"', "'")}"`, last: false };
    }
  }

  command(command, values) {
    switch (command) {
      case "hub": {
        const names = [...this.games.named.keys()].join(" ");
        return [
          `id name=${NAME} version=${VERSION} author="the damspec authors"`,
          `param name=variant value=${this.variant} type=enum values="${names}"`,
          "wait",
        ];
      }
      case "set-param":
        if (values.name !== "variant" || !this.games.named.has(values.value)) {
          throw new RequestError(`found ${values.name}=${values.value}, expected variant=${[...this.games.named.keys()].join("|")}`);
        }
        [this.variant, this.position] = [values.value, null];
        return [];
      case "init":
        return ["ready"];
      case "ping":
        return ["pong"];
      case "pos":
        this.place(values);
        return [];
      case "go": {
        if (!this.position) throw new RequestError("there is no position");
        const move = anyMove(this.game, this.position);
        return [move ? `done move=${hubMove(move)}` : "done"];
      }
      default:
        return [];
    }
  }

  place({ pos, moves = "" }) {
    this.position = pos === undefined ? this.game.start() : readSquares(this.game, pos, HUB_LETTERS);
    for (const text of moves.split(" ").filter(Boolean)) {
      const found = text.match(/^(\d{1,3})([-x])(\d{1,3})((?:x\d{1,3})*)$/);
      if (!found || (found[2] === "-" && found[4])) throw new RequestError(`${quoted(text)} is no move`);
      const value = valueOf(Number(found[1]), Number(found[3]), found[4].split("x").slice(1).map(Number));
      const action = movesByValue(this.game, this.position).get(value);
      if (!action) throw new RequestError(`illegal move ${text}`);
      this.position = action.after;
    }
  }
}

function hubMove({ path, captured }) {
  const taken = [...captured].sort((one, two) => one - two).map((square) => `x${square}`);
  return `${path[0]}${taken.length ? "x" : "-"}${path.at(-1)}${taken.join("")}`;
}

// ---------------------------------------------------------------------------------------------------- DXP

/** Plays by DXP over a connection, as the one who is asked for games. */
class DxpPlayer {
  constructor(game, socket) {
    Object.assign(this, { game, socket, buffer: "", position: null, side: "W" });
    socket.setEncoding("latin1");
    socket.on("data", (chunk) => this.read(chunk));
    socket.on("error", () => socket.destroy());
  }

  read(chunk) {
    this.buffer += chunk;
    for (let end; (end = this.buffer.indexOf("\0")) >= 0; ) {
      const message = this.buffer.slice(0, end);
      this.buffer = this.buffer.slice(end + 1);
      this.message(message);
    }
    if (this.buffer.length > 127) this.socket.destroy();
  }

  say(message) {
    this.socket.write(`${message}\0`, "latin1");
  }

  message(text) {
    const asked = text.match(/^R(\d\d).{32}([WZ])\d{6}(?:A|B(.*))$/s);
    const moved = text.match(/^M\d{4}(\d\d)(\d\d)(\d\d)((?:\d\d)*)$/);
    if (asked) this.begin(asked);
    else if (moved) this.follow(moved);
    else if (text.startsWith("E")) {
      if (this.position) this.end(0);
      if (text[2] === "1") this.socket.end();
    } else if (text.startsWith("B")) this.say("K1"); // no move is taken back
  }

  begin([, version, follower, position]) {
    const name = NAME.padEnd(32);
    this.position = null;
    if (Number(version) !== 1) return this.say(`A${name}1`);
    try {
      this.position = position === undefined ? this.game.start() : readSquares(this.game, position, DXP_LETTERS);
    } catch (error) {
      if (!isInputError(error)) throw error;
      return this.say(`A${name}2`);
    }
    this.side = follower === "W" ? "W" : "B";
    this.say(`A${name}0`);
    return this.move();
  }

  follow([, from, to, , captured]) {
    if (!this.position) return this.say("Cthere is no game");
    const squares = (captured.match(/../g) ?? []).map(Number);
    const action = movesByValue(this.game, this.position).get(valueOf(Number(from), Number(to), squares));
    if (!action) {
      this.say(`Cillegal move ${from}-${to}`);
      return this.end(0);
    }
    this.position = action.after;
    return this.move();
  }

  /** Move where it is this side's turn; give up where it cannot. */
  move() {
    if (this.position.side !== this.side) return undefined;
    const action = anyMove(this.game, this.position);
    if (!action) return this.end(1);
    this.position = action.after;
    const two = (number) => String(number).padStart(2, "0");
    const taken = [...action.captured].sort((one, other) => one - other);
    const squares = [action.path[0], action.path.at(-1), taken.length, ...taken];
    return this.say(`M0000${squares.map(two).join("")}`);
  }

  end(reason) {
    this.position = null;
    this.say(`E${reason}0`);
  }
}

// ---------------------------------------------------------------------------------------------------- the program

/** The games of the files named on the command line: each by the name before it, or by the id that it states. */
function gamesOf(words) {
  const named = new Map();
  for (const word of words) {
    const [, name, path] = word.match(/^(?:([^=/\\]+)=)?(.+)$/s);
    try {
      const content = JSON.parse(readFileSync(path, "utf8"));
      if (!isMapping(content) || !isText(content.id) || !isMapping(content.rules)) {
        throw new Error("expected the rules of a game: {id, rules: {RULE: {value}, ...}, ...}");
      }
      const stated = Object.entries(content.rules).map(([rule, entry]) => [rule, entry?.value]);
      named.set(name ?? content.id, rules(Object.fromEntries(stated)));
    } catch (error) {
      throw new Error(`${path}: ${error.message}`);
    }
  }
  return new Games(named);
}

function place(text) {
  const [, host = "127.0.0.1", port] = text.match(/^(?:\[?(.*?)\]?:)?(\d{1,5})$/) ?? [];
  if (port === undefined) throw new Error(`found ${quoted(text)}, expected HOST:PORT or PORT`);
  return { host, port: Number(port) };
}

async function answerInput(answer) {
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    if (!line.trim()) continue;
    const { text, last } = answer(line);
    if (text !== null) process.stdout.write(`${text}\n`);
    if (last) break;
  }
  process.stdin.destroy();
}

function playDxp(game, values) {
  const { host, port } = place(values.dxp ?? values["dxp-connect"]);
  const fail = (error) => {
    console.error(`engine.js: ${host}:${port}: ${error.message}`);
    process.exitCode = 2;
  };
  if (values.dxp === undefined) {
    const socket = createConnection({ host, port }, () => new DxpPlayer(game, socket)).on("error", fail);
    return;
  }
  const server = createServer((socket) => new DxpPlayer(game, socket)).on("error", fail);
  server.listen({ host, port }, () => {
    console.error(`engine.js: waiting for a player of DXP at ${host}:${server.address().port}`);
  });
}

function main() {
  let values;
  let games;
  try {
    const options = {
      lines: { type: "boolean" }, hub: { type: "boolean" }, help: { type: "boolean" },
      dxp: { type: "string" }, "dxp-connect": { type: "string" }, rules: { type: "string", multiple: true, default: [] },
    };
    ({ values } = parseArgs({ options }));
    const spoken = ["lines", "hub", "dxp", "dxp-connect"].filter((each) => values[each]);
    games = gamesOf(values.rules);
    if (spoken.length > 1) throw new Error(`found --${spoken.join(" and --")}, expected one of them`);
    if (spoken.length && games.named.size === 0) throw new Error(`--${spoken[0]} needs --rules: it sends none`);
  } catch (error) {
    console.error(`engine.js: ${error.message}\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  if (values.help) console.log(USAGE);
  else if (values.dxp ?? values["dxp-connect"]) playDxp([...games.named.values()][0], values);
  else if (values.hub) {
    const hub = new Hub(games);
    answerInput((line) => hub.answer(line));
  } else answerInput((line) => (values.lines ? answerLine : answerJson)(games, line));
}

main();
