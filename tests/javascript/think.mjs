// Prints what the opponent thinks of a position, or of each action; its input is {rules, fen, options, each}. With
// `files` of solved endings it knows these, and with `fens` it prints what they say of each.

import { readFileSync } from "node:fs";

import { rules } from "../../reference/javascript/damspec.js";
import { Endings } from "../../reference/javascript/endings.js";
import { analyse, think } from "../../reference/javascript/opponent.js";

const { rules: values, fen, options, each, files = [], fens } = JSON.parse(readFileSync(0, "utf8"));
const game = rules(values);
const endings = new Endings();
for (const file of files) endings.add(readFileSync(file));
const found = fens
  ? fens.map((each) => endings.value(game.read(each)))
  : (each ? analyse : think)(game, game.read(fen), { ...options, endings });
console.log(JSON.stringify(found));
