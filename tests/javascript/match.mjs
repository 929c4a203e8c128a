// Plays games of the opponent against random moves, each side in turn. The input is a line {rules, games, depth,
// milliseconds, start}, the output a line {score, slowest}.

import { readFileSync } from "node:fs";

import { rules } from "../../reference/javascript/damspec.js";
import { think } from "../../reference/javascript/opponent.js";

const LONGEST = 400;
const { rules: values, games, depth, milliseconds, start } = JSON.parse(readFileSync(0, "utf8"));
const game = rules(values);

let state = start;
function random() {
  state = (state * 1103515245 + 12345) % 2147483648;
  return state / 2147483648;
}

let [score, slowest] = [0, 0];
for (let index = 0; index < games; index++) {
  const side = index % 2 ? "W" : "B";
  const begin = game.start();
  const played = [];
  const seen = [];
  let position = begin;
  let outcome = { result: "ongoing" };
  while (outcome.result === "ongoing" && played.length < LONGEST) {
    seen.push(game.write(position));
    const actions = game.moves(position);
    let text = actions[Math.floor(random() * actions.length)].text;
    if (position.side === side && actions[0].kind !== "spin") {
      const begun = performance.now();
      text = think(game, position, { milliseconds, depth, seen, random }).action;
      slowest = Math.max(slowest, performance.now() - begun);
    }
    position = game.play(position, text);
    played.push(text);
    outcome = game.outcome(position);
  }
  const drawn = outcome.result === "draw" || outcome.result === "ongoing";
  score += drawn ? 0.5 : Number((outcome.result === "white") === (side === "W"));
}
console.log(JSON.stringify({ score, slowest }));
