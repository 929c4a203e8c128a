// Prints what the opponent thinks of a position, or of each action; its input is {rules, fen, options, each}. With
// `files` of solved endgames it knows these, and with `fens` it prints what they say of each.

import { readFileSync } from "node:fs";

import { rules } from "../../reference/javascript/damspec.js";
import { Endgames } from "../../reference/javascript/endgames.js";
import { analyse, think } from "../../reference/javascript/opponent.js";

const { rules: values, fen, options, each, files = [], fens } = JSON.parse(readFileSync(0, "utf8"));
const game = rules(values);
const endgames = new Endgames();
for (const file of files) endgames.add(readFileSync(file));
const found = fens
  ? fens.map((each) => endgames.value(game.read(each)))
  : (each ? analyse : think)(game, game.read(fen), { ...options, endgames });
console.log(JSON.stringify(found));
