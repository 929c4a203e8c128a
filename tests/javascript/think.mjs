// Prints what the opponent thinks of a position, or of each action; its input is {rules, fen, options, each}.

import { readFileSync } from "node:fs";

import { rules } from "../../reference/javascript/damspec.js";
import { analyse, think } from "../../reference/javascript/opponent.js";

const { rules: values, fen, options, each } = JSON.parse(readFileSync(0, "utf8"));
const game = rules(values);
console.log(JSON.stringify((each ? analyse : think)(game, game.read(fen), options)));
