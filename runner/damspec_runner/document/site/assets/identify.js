// The page that finds out which game somebody played: question after question, the candidates, the verdict, and what can be
// saved. The address after # has the answers.
"use strict";

{
  const { element } = damspec;
  const { called, key } = damspecSession;
  const SAID = { yes: "Yes", no: "No", unknown: "Don’t know" };
  const WORDS = { y: "yes", n: "no" };
  const KEYS = { y: "yes", n: "no", "?": "unknown" };
  /** The most candidates named; the most games in the table beside the one found. */
  const NAMED = 5, BESIDE = 3;
  /** The probability below which a game is no candidate. */
  const SETTLED = 0.5;
  /** The rules that no player can notice: how squares are numbered. */
  const UNTOLD = "board.numbering";
  const part = (id) => document.getElementById(id);
  const form = part("told");
  const status = part("sure");
  let session, words, data;
  let notes = new Map();
  let turn = 0;

  // --- words ---

  const says = (rule, value) => words[rule].says[key(value)] ?? `${words[rule].title}: ${key(value)}`;
  /** The rules in which a game differs from its ruleset, in sentences. */
  const differing = ({ ruleset, changes, essential }) =>
    Object.keys(words)
      .filter((rule) => essential.includes(rule) && rule !== UNTOLD)
      .map((rule) => {
        if (changes[rule] !== null) return says(rule, changes[rule]);
        return `Not so: ${says(rule, damspecRulesets[ruleset].values[rule])}`;
      });
  const nameOf = ({ ruleset }) => data.names[ruleset];
  const houseRules = ({ length }) => `your house rule${length > 1 ? "s" : ""}`;
  const titleOf = (game) => {
    const but = differing(game);
    return nameOf(game) + (but.length ? `, and ${houseRules(but)}: ${but.join(" ")}` : "");
  };
  const linked = (game) => [
    element("a", { href: damspec.root + damspec.gamePage(game.ruleset) }, nameOf(game)),
    titleOf(game).slice(nameOf(game).length),
  ];
  /** The same in short, if much differs. */
  const shortly = (game) => {
    const [page, rest] = linked(game);
    const number = differing(game).length;
    return [page, number > 1 ? `, with ${number} house rules` : rest];
  };
  const share = (value) => `${Math.min(99, Math.max(1, Math.round(100 * value)))} %`;

  // --- data loaded on demand ---

  /** Promises the changes of a game and the values of its ruleset. */
  const changesOf = async (game) => {
    status.textContent = "Games are looked at that nobody has written down …";
    await damspec.script("assets/interpreter.js");
    const { own, readings } = await damspec.part(`identify/changes/${game.ruleset}`);
    const { rules, changes } = readings[game.id] ?? { rules: [], changes: [] };
    const others = own.filter(([rule]) => !rules.includes(rule)).map(([, each]) => each);
    return { values: damspecRulesets[game.ruleset].values, changes: [...others, ...changes] };
  };

  // --- questions and answers ---

  const picture = ([src, alt, width, height], wide) =>
    element("img", { src: damspec.root + src, alt, width: wide, height: Math.round((height / width) * wide) });

  const ask = (question) => {
    part("asking").hidden = !question;
    if (!question) return;
    part("turn").textContent = `Question ${session.given.size + 1}.`;
    part("question").textContent = question.asks;
    part("shown").replaceChildren(...(question.board ? [picture(question.board, 320)] : []));
    part("position").textContent = question.board ? question.board[1] : "";
    part("asking").dataset.question = question.id;
  };

  /** A question with its board, its answer, which can be changed there, and a differing answer of the game. */
  const answered = (question, game, noted) => {
    const said = session.given.get(question.id);
    const choice = element("select", { "aria-label": `Answer to: ${question.asks}` });
    for (const [value, name] of Object.entries(SAID)) choice.append(new Option(name, value, false, value === said));
    choice.addEventListener("change", () => {
      session.given.set(question.id, choice.value);
      changed();
    });
    const letter = game.answers[session.places.get(question.id)];
    const otherwise = session.agrees(game, question.id) === false;
    const aside = otherwise ? [" ", element("mark", {}, `The game says ${WORDS[letter]}.`)] : [];
    return element(
      "li",
      { "data-question": question.id },
      ...(question.board ? [picture(question.board, 168)] : []),
      element("p", {}, question.asks),
      element("p", {}, choice, ...aside),
      ...(noted ? [element("p", {}, noting(question))] : []),
    );
  };

  /** A field for a note on an answer. */
  const noting = ({ id, asks }) => {
    const field = element("input", { maxlength: "2000", placeholder: "a note", "aria-label": `Note on: ${asks}` });
    field.value = notes.get(id) ?? "";
    field.addEventListener("input", () => {
      const note = field.value.trim();
      if (note) notes.set(id, note);
      else notes.delete(id);
      remember();
    });
    return field;
  };

  const list = (ids, game, noted = false) =>
    ids.map((id) => answered(session.questions[session.places.get(id)], game, noted));

  // --- candidates ---

  /** The number of candidates, in words. */
  const sure = (standing) => {
    const likely = standing.filter((one) => one.share > standing[0].share / 20).length;
    if (!session.said.length) return "It could be any game that is known here.";
    return likely === 1 ? "One game is far more likely than all others." : `${likely} games are likely.`;
  };

  const stand = () => {
    const standing = session.standing();
    status.textContent = sure(standing);
    part("standing").replaceChildren(
      ...standing.slice(0, session.said.length ? NAMED : 0).map((one) => {
        const item = element("li", {}, element("span", {}, ...shortly(called(one.games))));
        const bar = `<rect width="${100 * one.share}" height="1"/>`;
        item.insertAdjacentHTML(
          "beforeend",
          `<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">${bar}</svg>`,
        );
        item.append(element("span", { class: "fine" }, share(one.share)));
        return item;
      }),
    );
    part("given").hidden = part("keeping").hidden = !session.given.size;
    part("answers").replaceChildren(...list([...session.given.keys()], called(standing[0].games), true));
  };

  // --- verdict ---

  const clashing = ({ clashes, game }) =>
    clashes.length
      ? [
          element("h3", {}, "What does not go together"),
          element("p", {}, "No game that was looked at has all of these answers. Is one of them otherwise?"),
          ...clashes.map((ids) => element("ul", { class: "asked clash" }, ...list(ids, game))),
        ]
      : [];

  /** The rules of games side by side; values that differ from the first game's are marked. */
  const table = (columns) => {
    const rows = Object.keys(words)
      .filter((rule) => rule !== UNTOLD && columns.some(({ values }) => rule in values))
      .map((rule) => {
        const found = columns.map(({ values }) => values[rule] ?? null);
        const differs = (value) => key(value) !== key(found[0]);
        const cells = found.map((value) =>
          element(
            "td",
            {},
            ...(differs(value) ? [element("mark", {}, "≠"), " "] : []),
            value === null ? "no such rule" : says(rule, value),
          ),
        );
        const title = element("a", { href: `${damspec.root}rules/${rule}.html` }, words[rule].title);
        const name = element("th", { scope: "row" }, title);
        return element("tr", { class: found.some(differs) ? "differs" : "same" }, name, ...cells);
      });
    const heads = ["Rule", ...columns.map(({ name }) => name)].map((name) => element("th", { scope: "col" }, name));
    const head = element("thead", {}, element("tr", {}, ...heads));
    const whole = element("table", { class: "beside" }, head, element("tbody", {}, ...rows));
    const box = element("input", { type: "checkbox", id: "only-differing", checked: "checked" });
    const scroll = { class: "scroll tall", role: "region", tabindex: "0", "aria-label": "Rules side by side" };
    return [element("p", {}, element("label", {}, box, " Only rules that differ")), element("div", scroll, whole)];
  };

  /** The known games with the fewest rules different from a game's. */
  const nearest = (values, { game, known }) => {
    const different = (other) =>
      Object.keys(words).filter((rule) => rule !== UNTOLD && key(values[rule] ?? null) !== key(other[rule] ?? null));
    return known
      .map((one) => ({ ...one, values: damspecRulesets[one.game.ruleset].values }))
      .filter((one) => differing(game).length || one.game.id !== game.ruleset)
      .map((one) => ({ ...one, rules: different(one.values).length }))
      .sort((one, other) => one.rules - other.rules)
      .slice(0, BESIDE);
  };

  const beside = (judged) => {
    const { game } = judged;
    const values = damspecSession.changed(damspecRulesets[game.ruleset].values, game.changes);
    const own = { name: differing(game).length ? "As you told it" : nameOf(game), values };
    const others = nearest(values, judged).map((one) => ({
      name: `${nameOf(one.game)}: ${one.agrees} of ${one.of} answers`,
      values: one.values,
    }));
    return [element("h3", {}, "Beside the nearest known games"), ...table([own, ...others])];
  };

  /** The rules as a ruleset file. */
  const taken = (judged) => {
    const { ruleset, changes, essential } = judged.game;
    const said = Object.fromEntries(essential.map((rule) => [rule, changes[rule]]));
    const text = damspecAnswersFile.ruleset(ruleset, `${nameOf(judged.game)} as it was told`, titleOf(judged.game), said);
    const save = element("button", { type: "button" }, "Save the ruleset");
    save.addEventListener("click", () => damspecAnswersFile.save("as-told.yaml", text));
    return [
      element("h3", {}, "The rules as a file"),
      element("pre", { tabindex: "0" }, element("code", { id: "ruleset" }, text)),
      element("p", {}, save, " ", element("code", {}, "damspec moves as-told.yaml start")),
    ];
  };

  const sentences = (judged) => {
    const said = session.said.length;
    const fits = said - judged.against.length;
    const summary = element("summary", {}, `What no question here tells from it: ${judged.alike.length}`);
    const items = judged.alike.map((game) => element("li", {}, ...linked(game)));
    const alike = items.length ? [element("details", {}, summary, element("ul", {}, ...items))] : [];
    const settled = judged.share < SETTLED ? [element("p", {}, "That is not settled: see below what else it could be.")] : [];
    const asks = judged.only && session.questions[session.places.get(judged.only)].asks;
    const slip = asks ? [element("p", {}, `One answer alone says so, which may be a slip: “${asks}”`)] : [];
    const titles = judged.unasked.map((rule) => words[rule].title).join(", ");
    const taken = titles ? [element("p", { class: "fine" }, `Not asked, and taken as this game has it: ${titles}.`)] : [];
    return [...settled, ...slip, element("p", {}, `${fits} of ${said} answers are as this game has them.`), ...taken, ...alike];
  };

  /** Links from a game: its page, a board with its rules, the workshop. */
  const leading = (game, differs) => {
    const to = (page, text) => element("a", { href: `${damspec.root}${page}` }, text);
    const { ruleset, changes } = game;
    const values = damspecSession.changed(damspecRulesets[ruleset].values, changes);
    const link = damspecLink.write({ base: ruleset, name: differs ? `${nameOf(game)} as it was told` : "", values });
    return [
      to(damspec.gamePage(ruleset), `How ${nameOf(game)} is played`),
      "; ",
      to(`play/index.html#${differs ? "rules=" : ""}${link}`, "a board to play it on"),
      "; ",
      to(`workshop/index.html#${link}`, "its rules in the workshop"),
    ];
  };

  /** Shows the verdict once it has been worked out. */
  const conclude = async (mine) => {
    await Promise.all(["assets/interpreter.js", "assets/ruleset-link.js"].map(damspec.script));
    const judged = await damspecVerdict(session);
    if (mine !== turn) return;
    const but = differing(judged.game);
    const name = nameOf(judged.game);
    const heading = element("h2", { id: "found", tabindex: "-1" }, but.length ? `${name}, and ${houseRules(but)}:` : name);
    const items = but.map((one) => element("li", {}, one));
    const differences = but.length ? [element("ul", { class: "differences" }, ...items)] : [];
    part("result").replaceChildren(
      heading,
      ...differences,
      ...sentences(judged),
      element("p", {}, ...leading(judged.game, but.length > 0)),
      ...clashing(judged),
      ...beside(judged),
      ...taken(judged),
    );
    part("result").hidden = false;
    status.textContent = sure(session.standing());
    part("answers").replaceChildren(...list([...session.given.keys()], judged.game, true));
  };

  // --- events ---

  /** The answers, notes and facts. */
  const told = () => {
    const facts = damspecAnswersFile.FACTS.map((name) => [name, form.elements[name].value.trim()]);
    const kept = [...notes].filter(([id]) => session.given.has(id));
    return { given: session.given, notes: new Map(kept), facts: Object.fromEntries(facts) };
  };

  const remember = () => {
    const kept = damspecAnswersFile.address(told());
    history.replaceState(null, "", kept ? `#${kept}` : location.pathname + location.search);
  };

  const broken = () => {
    part("broken").hidden = false;
  };

  /** Updates the page after an answer: the candidates, and the next question or the verdict. */
  const changed = async () => {
    const mine = ++turn;
    remember();
    stand();
    part("lead").hidden = session.given.size > 0;
    part("undo").disabled = part("anew").disabled = !session.given.size;
    part("enough").disabled = !session.said.length;
    try {
      const question = await session.next();
      if (mine !== turn) return;
      stand();
      ask(question);
      part("result").hidden = true;
      if (!question) await (session.said.length ? end(mine) : nothing());
    } catch {
      broken();
    }
  };

  /** Without any answer every game is a candidate. */
  const nothing = () => {
    part("result").replaceChildren(element("h2", { id: "found", tabindex: "-1" }, "It may be any game"));
    part("result").hidden = false;
  };

  const end = async (mine) => {
    await conclude(mine);
    if (mine === turn) part("found").focus();
  };

  const say = (said) => {
    if (part("asking").hidden) return;
    session.given.set(part("asking").dataset.question, said);
    changed();
  };

  const undo = () => {
    const last = [...session.given.keys()].at(-1);
    if (!last) return;
    session.given.delete(last);
    changed();
  };

  const recall = () => {
    const kept = damspecAnswersFile.read(location.hash);
    session.given = new Map([...kept.given].filter(([id]) => session.places.has(id)));
    notes = kept.notes;
    for (const name of damspecAnswersFile.FACTS) form.elements[name].value = kept.facts[name];
    return changed();
  };

  const begin = async () => {
    const parts = ["identify/questions", "identify/words"].map(damspec.part);
    [data, words] = await Promise.all([...parts, damspec.script("assets/rulesets.js")]);
    session = new damspecSession.Session(data, changesOf);
    for (const button of document.querySelectorAll("[data-said]"))
      button.addEventListener("click", () => say(button.dataset.said));
    part("undo").addEventListener("click", undo);
    part("anew").addEventListener("click", () => {
      session.given.clear();
      changed();
    });
    part("enough").addEventListener("click", () => {
      const mine = ++turn;
      ask(null);
      end(mine).catch(broken);
    });
    document.addEventListener("keydown", (event) => {
      const writing = event.target.closest("input, select, textarea");
      if (writing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key in KEYS) say(KEYS[event.key]);
      else if (event.key === "u") undo();
    });
    form.addEventListener("input", remember);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const whole = told();
      const wrong = damspecAnswersFile.wrong(whole.facts);
      const name = damspec.folded(whole.facts.name).replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "answers";
      part("told-note").textContent = wrong || `The answers are saved as ${name}.yaml.`;
      if (!wrong) damspecAnswersFile.save(`${name}.yaml`, damspecAnswersFile.answersFile(whole));
    });
    window.addEventListener("hashchange", recall);
    part("without").hidden = true;
    part("identify").hidden = false;
    await recall();
  };

  begin().catch(broken);
}
