// The page that asks which game somebody played: a question after another, what it could be, what became of it, and
// what can be taken along. The address after # keeps the answers.
"use strict";

{
  const made = damspec.element;
  const { key } = damspecInquiry;
  const SAID = { yes: "Yes", no: "No", unknown: "Don’t know" };
  const WORDS = { y: "yes", n: "no" };
  /** How many games are named while there are several; how many the table has beside the one found. */
  const NAMED = 5, BESIDE = 3;
  const part = (id) => document.getElementById(id);
  const form = part("told");
  let inquiry, words, games, rulesets;

  // --- words ---

  const lower = (sentence) =>
    /^(White|Black)\b/.test(sentence) ? sentence : sentence[0].toLowerCase() + sentence.slice(1);
  const says = (rule, value) =>
    value === null || value === undefined
      ? `No rule about this: ${lower(words[rule].title)}.`
      : (words[rule].says[key(value)] ?? `${words[rule].title}: ${key(value)}`);
  const differing = ({ changes }) => Object.entries(changes).map(([rule, value]) => says(rule, value));
  const nameOf = (game) => {
    const but = differing(game).map((sentence) => lower(sentence).replace(/\.$/, ""));
    return games[game.ruleset].name + (but.length ? `, but ${but.join(", and ")}` : "");
  };
  const linked = (game) => {
    const name = games[game.ruleset].name;
    const page = made("a", { href: `${damspec.root}rulesets/${game.ruleset}.html` }, name);
    return [page, nameOf(game).slice(name.length)];
  };
  const share = (value) => (value > 0.995 ? "99 %" : value < 0.01 ? "1 %" : `${Math.round(100 * value)} %`);

  // --- boards and questions ---

  const picture = ([src, alt, width, height], wide) =>
    made("img", { src: damspec.root + src, alt, width: wide, height: Math.round((height / width) * wide) });

  /** A question with its board, and its answer, which can be changed there. */
  const answered = (question, found) => {
    const said = inquiry.given.get(question.id);
    const choice = made("select", { "aria-label": `Answer to: ${question.asks}` });
    for (const [value, name] of Object.entries(SAID)) choice.append(new Option(name, value, false, value === said));
    choice.addEventListener("change", () => {
      inquiry.given.set(question.id, choice.value);
      changed();
      note(`The answer is now: ${SAID[choice.value]}.`);
    });
    const letter = found?.answers[inquiry.places.get(question.id)];
    const against = said !== "unknown" && letter in WORDS && WORDS[letter] !== said;
    return [
      ...(question.board ? [picture(question.board, 168)] : []),
      made("p", {}, question.asks),
      made("p", {}, choice, ...(against ? [" ", made("mark", {}, `${games[found.ruleset].name} says ${WORDS[letter]}`)] : [])),
    ];
  };

  const ask = (question) => {
    part("asking").hidden = !question;
    if (!question) return;
    part("turn").textContent = `Question ${inquiry.given.size + 1}`;
    part("question").textContent = question.asks;
    part("shown").replaceChildren(...(question.board ? [picture(question.board, 320)] : []));
    part("asking").dataset.question = question.id;
  };

  // --- what it could be ---

  const stand = (ranked) => {
    const likely = ranked.filter(({ share }) => share > ranked[0].share / 50);
    part("sure").textContent =
      inquiry.said.length === 0
        ? `Nothing is known yet: it could be any of ${ranked.length} games and ways to read their rules.`
        : likely.length === 1
          ? "One game is left."
          : `${likely.length} games are still likely.`;
    part("standing").replaceChildren(
      ...ranked.slice(0, NAMED).map((one) => {
        const bar = `<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${100 * one.share}" height="1"/></svg>`;
        const item = made("li", {}, made("span", {}, ...linked(one.game)));
        item.insertAdjacentHTML("beforeend", bar);
        item.append(made("span", { class: "fine" }, share(one.share)));
        return item;
      }),
    );
  };

  // --- what became of it ---

  /** The other games that answer every question as one does. */
  const twins = (game, ranked) => ranked.filter((one) => one.game !== game && one.game.answers === game.answers);

  const clashing = (clashes, found) =>
    clashes.length
      ? [
          made("h3", {}, "What does not go together"),
          made("p", {}, "No game that is thought of gives both of these answers. Is one of them otherwise?"),
          ...clashes.map((pair) =>
            made("div", { class: "asked clash" }, ...pair.map((one) => made("div", {}, ...answered(one, found)))),
          ),
        ]
      : [];

  /** The rules of some games side by side, those that differ from the first one's marked. */
  const table = (columns) => {
    const rules = Object.keys(words).filter((rule) => columns.some(({ values }) => rule in values));
    const rows = rules.map((rule) => {
      const cells = columns.map(({ values }) => values[rule] ?? null);
      const same = cells.every((value) => key(value) === key(cells[0]));
      const title = made("a", { href: `${damspec.root}rules/${rule}.html` }, words[rule].title);
      return made(
        "tr",
        { class: same ? "same" : "differs" },
        made("th", { scope: "row" }, title),
        ...cells.map((value) => {
          const marked = key(value) !== key(cells[0]);
          const text = value === null ? "no such rule" : says(rule, value);
          return made("td", {}, ...(marked ? [made("mark", {}, "≠"), " "] : []), text);
        }),
      );
    });
    const head = made("tr", {}, ...["Rule", ...columns.map(({ name }) => name)].map((name) => made("th", { scope: "col" }, name)));
    return made(
      "div",
      { class: "scroll tall", role: "region", tabindex: "0", "aria-label": "Rules side by side" },
      made("table", { class: "matrix" }, made("thead", {}, head), made("tbody", {}, ...rows)),
    );
  };

  const valuesOf = (game) => damspecInquiry.changed(rulesets[game.ruleset].values, game.changes);

  /** The known games that differ from one in the fewest rules, with these. */
  const nearest = (values) =>
    Object.entries(rulesets)
      .map(([id, { name, values: other }]) => ({
        ...{ id, name, values: other },
        rules: Object.keys(words).filter((rule) => key(values[rule] ?? null) !== key(other[rule] ?? null)).length,
      }))
      .sort((one, other) => one.rules - other.rules)
      .slice(0, BESIDE);
}
