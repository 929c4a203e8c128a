// Replays sessions of the questionnaire by the scripts of the site. Reads {data, rulesets, changes, sessions}; writes for
// each session, a list of answers or of the sentences marked as not so, the questions, the answers, and the verdict.

import { readFileSync } from "node:fs";
import vm from "node:vm";

import { problems } from "../../reference/javascript/damspec.js";

const SITE = new URL("../../runner/damspec_site/assets/", import.meta.url);
for (const name of ["identify-session.js", "identify-verdict.js"])
  vm.runInThisContext(readFileSync(new URL(name, SITE), "utf8"), { filename: name });
const [{ Questionnaire, Session }, verdict] = vm.runInThisContext("[damspecSession, damspecVerdict]");

const { data, rulesets, changes, sessions } = JSON.parse(readFileSync(0, "utf8"));
const asked = new Questionnaire(data, rulesets);
const found = [];
for (const answers of sessions) {
  const session = new Session(asked, async (id) => changes[id]);
  const questions = [];
  for (const { marked, said } of answers) {
    const question = await session.next();
    questions.push(question?.id ?? null);
    if (said) session.given.set(question.id, said);
    else await session.mark(question, session.sentences(question, session.facts).filter(({ id }) => marked.includes(id)));
  }
  questions.push((await session.next())?.id ?? null);
  const { id, share, changes: own, unclear, unasked, against, clashes } = verdict(session, (values) => !problems(values).length);
  found.push({ questions, given: [...session.given], id, share, changes: own, unclear, unasked, against, clashes });
}
process.stdout.write(JSON.stringify(found));
