// The opponent as a process for `opponent.py`: the argument is the values of the rules, the input a line of JSON for
// each question, `{position}`, `{push}` or `{think}`. Its clock is the processor time of the process.

import { createInterface } from "node:readline";

import { rules } from "../reference/javascript/damspec.js";
import { think } from "../reference/javascript/opponent.js";

const clock = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
performance.now = clock;

const game = rules(JSON.parse(process.argv[2]));
const key = ({ path, captured }) => [path[0], path.at(-1), [...captured].sort((one, two) => one - two)];

let position = null;
let seen = [];

const answers = {
  position: (fen) => {
    position = game.read(fen);
    seen = [];
    return {};
  },
  push: (move) => {
    seen.push(game.write(position));
    position = game.moves(position).find((action) => String(key(action)) === String(move)).after;
    return {};
  },
  think: (seconds) => {
    const begun = clock();
    const { action } = think(game, position, { milliseconds: 1000 * seconds, seen });
    return { move: key(game.find(position, action)), seconds: (clock() - begun) / 1000 };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [[name, value]] = Object.entries(JSON.parse(line));
  console.log(JSON.stringify(answers[name](value)));
}
