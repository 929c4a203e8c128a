// Prints what the opponent thinks of a position; its input is {rules, fen, options}.

import { readFileSync } from "node:fs";

import { rules } from "../../reference/javascript/damspec.js";
import { think } from "../../reference/javascript/opponent.js";

const { rules: values, fen, options } = JSON.parse(readFileSync(0, "utf8"));
const game = rules(values);
console.log(JSON.stringify(think(game, game.read(fen), options)));
