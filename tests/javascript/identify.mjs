// Lets players answer the questions of the page that finds out a game. Reads {data, rulesets, changes, players}: each player
// has the values of its rules, its `letters` as answers to the questions about single rules, and a `seed`. Writes for each
// player what came of it when all answers were true, and with one answer in between that was not.

import { readFileSync } from "node:fs";
import vm from "node:vm";

import { problems } from "../../reference/javascript/damspec.js";

const SCRIPT = new URL("../../runner/damspec_site/assets/identify-session.js", import.meta.url);
vm.runInThisContext(readFileSync(SCRIPT, "utf8"), { filename: "identify-session.js" });
const { Questionnaire, Session, MORE } = vm.runInThisContext("damspecIdentify");
const { data, rulesets, changes, players } = JSON.parse(readFileSync(0, "utf8"));
const asked = new Questionnaire(data, rulesets);
const SAID = { y: "yes", n: "no", "-": "unknown" };
const isGame = (values) => !problems(values).length;

/** Numbers between 0 and 1 that look random (mulberry32). */
const numbers = (seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};

const found = (place) => (place < 0 ? "none" : String(place));
const ANSWERS = {
  boards: ({ options }, { values }) => {
    const like = (board) => asked.same(asked.unitOf["board.size"], board, values);
    return found(options.findIndex(({ values: board }) => like(board) && "trapdoors.layout" in board === "trapdoors.layout" in values));
  },
  picture: ({ id }, { letters }) => SAID[letters[asked.places.get(id)]],
  check: ({ units, values: told }, { values }, session) => {
    const isMore = () => session.absent(told).some((unit) => unit.some((rule) => rule in values));
    const place = units.findIndex((unit) => (unit === MORE ? isMore() : !asked.same(unit, told, values)));
    return place < 0 ? "yes" : String(place);
  },
  how: ({ options }, { values }) => found(options.findIndex(({ unit, told }) => asked.same(unit, told, values))),
};
/** What somebody can say by mistake. */
const others = (question, said) => {
  const every = {
    picture: () => ["yes", "no"],
    check: () => ["yes", ...question.units.keys()].map(String),
    boards: () => ["none", ...question.options.keys()].map(String),
    how: () => ["none", ...question.options.keys()].map(String),
  };
  return every[question.kind]().filter((each) => each !== said);
};

const play = async (player, wrong = -1, number = null) => {
  const session = new Session(asked, async (id) => changes[id]);
  let question;
  while ((question = await session.next())) {
    let said = ANSWERS[question.kind](question, player, session);
    if (session.given.length === wrong) {
      const all = others(question, said);
      said = all[Math.floor(number() * all.length)];
    }
    session.given.push({ question, said });
  }
  const verdict = session.verdict(isGame);
  const isRight = asked.units.every((unit) => asked.same(unit, verdict.values, player.values));
  const { game, exactly, near, differs } = verdict;
  const said = session.given.map(({ question: { id }, said: each }) => `${id}=${each}`);
  return { questions: said.length, isRight, game, exactly, near: near.slice(0, 3), differs: differs.map(([rule]) => rule), said };
};

const results = [];
for (const player of players) {
  const number = numbers(player.seed);
  const truly = await play(player);
  results.push({ truly, slip: await play(player, Math.floor(number() * truly.questions), number) });
}
process.stdout.write(JSON.stringify(results));
