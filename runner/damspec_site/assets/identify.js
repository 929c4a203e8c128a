// The page that finds out which game somebody played: question after question, the candidates, the verdict, and what can be
// saved. The address after # has the answers.
"use strict";

{
  const { element } = damspec;
  const { key, RECAP } = damspecSession;
  const WORDS = { y: "yes", n: "no" };
  const KEYS = { y: "yes", n: "no", "?": "unknown" };
  /** The most candidates named; the most games in the table beside the one found. */
  const NAMED = 5, BESIDE = 3;
  const part = (id) => document.getElementById(id);
  const form = part("told");
  const status = part("sure");
  let session, words;
  let asking = null;
  let notes = new Map();
  let turn = 0;

  const nameOf = ({ ruleset }) => words.name(ruleset);
  const linked = (ruleset) => element("a", { href: damspec.root + damspec.gamePage(ruleset) }, words.name(ruleset));
  const ruleLink = (rule) => element("a", { href: `${damspec.root}rules/${rule}.html` }, words.title(rule));
  const share = (value) => `${Math.min(99, Math.max(1, Math.round(100 * value)))} %`;
  const fits = (values) => {
    try {
      damspec.rules(values);
      return true;
    } catch (error) {
      if (error instanceof damspec.RulesError) return false;
      throw error;
    }
  };

  // --- questions and answers ---

  const picture = ([src, alt, width, height], wide) =>
    element("img", { src: damspec.root + src, alt, width: wide, height: Math.round((height / width) * wide) });
  const listed = (sentences) =>
    sentences.length ? [element("ul", { class: "sentences" }, ...sentences.map((each) => element("li", {}, each)))] : [];

  /** Boxes to mark sentences that are not so, by topics, and the button that says so. */
  const marking = (question, statements, facts) => {
    const box = (id) => element("input", { type: "checkbox", value: id });
    const topics = words.markable(statements, facts).map(({ heading, sentences, absent }) => [
      ...(question.id === RECAP ? [element("h3", {}, heading)] : []),
      element("ul", {}, ...sentences.map(({ id, says }) => element("li", {}, element("label", {}, box(id), ` ${says}`)))),
      ...(absent.length
        ? [element("p", { class: "fine" }, words.page("absent"), ...absent.flatMap(({ id, says }) => [" ", element("label", {}, box(id), ` ${says}`)]))]
        : []),
    ]);
    const button = element("button", { type: "button" }, words.page("marked"));
    button.hidden = true;
    const whole = element("div", { class: "marking" }, element("p", {}, words.page("mark")), ...topics.flat(), element("p", {}, button));
    const ids = () => [...whole.querySelectorAll(":checked")].map(({ value }) => value);
    whole.addEventListener("change", () => {
      button.hidden = !ids().length;
      if (question === asking) part("asking").classList.toggle("marked", !button.hidden);
    });
    button.addEventListener("click", () => {
      const marked = ids();
      session.mark(question, statements.filter(({ id }) => marked.includes(id))).then(changed).catch(broken);
    });
    return whole;
  };

  const ask = (question) => {
    asking = question;
    part("asking").hidden = !question;
    if (!question) return;
    const { facts } = session;
    const { asks, sentences } = words.question(question, facts);
    const statements = session.asked.places.has(question.id) ? [] : session.sentences(question, facts);
    part("turn").textContent = words.page("question", { number: session.given.size + 1 });
    part("question").textContent = asks;
    part("sentences").replaceChildren(...(statements.length ? [marking(question, statements, facts)] : listed(sentences)));
    part("asking").classList.remove("marked");
    part("asking").classList.toggle("whole", question.id === RECAP);
    part("shown").replaceChildren(...(question.board ? [picture(question.board, 320)] : []));
    part("position").textContent = question.board ? question.board[1] : "";
    part("asking").dataset.question = question.id;
  };

  /** A question with its board, its answer, which can be changed there, and a differing answer of the game. */
  const answered = (question, facts, verdict, noted) => {
    const said = session.given.get(question.id);
    const { asks, sentences } = words.question(question, facts);
    const choice = element("select", { "aria-label": words.page("answer", { question: asks }) });
    for (const value of Object.values(KEYS)) choice.append(new Option(words.page(value), value, false, value === said));
    choice.addEventListener("change", () => {
      session.given.set(question.id, choice.value);
      changed();
    });
    const otherwise = verdict?.against.includes(question.id);
    const says = otherwise ? words.page("otherwise", { answer: words.page(WORDS[verdict.answer(question.id)]) }) : "";
    return element(
      "li",
      { "data-question": question.id },
      ...(question.board ? [picture(question.board, 168)] : []),
      element("p", {}, asks),
      ...listed(question.id === RECAP ? [] : sentences), // which are read out above
      element("p", {}, choice, ...(says ? [" ", element("mark", {}, says)] : [])),
      ...(noted ? [element("p", {}, noting(question.id, asks))] : []),
    );
  };

  /** A field for a note on an answer. */
  const noting = (id, asks) => {
    const says = { placeholder: words.page("note"), "aria-label": words.page("note-on", { question: asks }) };
    const field = element("input", { maxlength: "2000", ...says });
    field.value = notes.get(id) ?? "";
    field.addEventListener("input", () => {
      const note = field.value.trim();
      if (note) notes.set(id, note);
      else notes.delete(id);
      remember();
    });
    return field;
  };

  const list = (ids, facts, verdict, noted = false) =>
    ids.map((id) => answered(session.asked.question(id), facts, verdict, noted));

  // --- candidates ---

  const sure = (standing) => {
    const likely = standing.filter((one) => one.share > standing[0].share / 20).length;
    if (!hasAnswer()) return words.page("any");
    return likely === 1 ? words.page("surely") : words.page("likely", { number: likely });
  };
  const hasAnswer = () => [...session.given.values()].some((said) => said !== "unknown");

  const stand = (verdict) => {
    const { facts } = session;
    const standing = session.standing(facts);
    const rulesets = new Map();
    for (const { game, share } of standing) rulesets.set(game.ruleset, (rulesets.get(game.ruleset) ?? 0) + share);
    status.textContent = sure(standing);
    part("standing").replaceChildren(
      ...[...rulesets].sort(([, one], [, other]) => other - one).slice(0, hasAnswer() ? NAMED : 0).map(([ruleset, part]) => {
        const item = element("li", {}, element("span", {}, linked(ruleset)));
        const bar = `<rect width="${100 * part}" height="1"/>`;
        item.insertAdjacentHTML(
          "beforeend",
          `<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">${bar}</svg>`,
        );
        item.append(element("span", { class: "fine" }, share(part)));
        return item;
      }),
    );
    part("given").hidden = part("keeping").hidden = !session.given.size;
    part("answers").replaceChildren(...list([...session.given.keys()], facts, verdict, true));
  };

  // --- verdict ---

  const clashing = (verdict, facts) =>
    verdict.clashes.length
      ? [
          element("h3", {}, words.page("clash")),
          element("p", {}, words.page("clashing")),
          ...verdict.clashes.map((ids) => element("ul", { class: "asked clash" }, ...list(ids, facts, verdict))),
        ]
      : [];

  /** The rules of games side by side; values that differ from the first game's are marked. */
  const table = (columns) => {
    const rows = Object.keys(session.asked.topicOf)
      .filter((rule) => columns.some(({ values }) => rule in values))
      .map((rule) => {
        const found = columns.map(({ values }) => values[rule] ?? null);
        const differs = (value) => key(value) !== key(found[0]);
        const cells = columns.map(({ values }, place) =>
          element(
            "td",
            {},
            ...(differs(found[place]) ? [element("mark", {}, "≠"), " "] : []),
            found[place] === null ? words.page("without") : words.sentence(rule, values),
          ),
        );
        const name = element("th", { scope: "row" }, ruleLink(rule));
        return element("tr", { class: found.some(differs) ? "differs" : "same" }, name, ...cells);
      });
    const heads = [words.page("rule"), ...columns.map(({ name }) => name)].map((name) => element("th", { scope: "col" }, name));
    const head = element("thead", {}, element("tr", {}, ...heads));
    const whole = element("table", { class: "beside" }, head, element("tbody", {}, ...rows));
    const box = element("input", { type: "checkbox", id: "only-differing", checked: "checked" });
    const scroll = { class: "scroll tall", role: "region", tabindex: "0", "aria-label": words.page("sides") };
    return [element("p", {}, element("label", {}, box, ` ${words.page("differing")}`)), element("div", scroll, whole)];
  };

  const beside = (verdict, isChanged) => {
    const own = { name: isChanged ? words.page("yours") : nameOf(verdict), values: verdict.values };
    const rules = Object.keys(session.asked.topicOf);
    const others = verdict.known
      .filter(({ game }) => isChanged || game.ruleset !== verdict.ruleset)
      .map((one) => ({ ...one, far: rules.filter((rule) => key(verdict.values[rule]) !== key(one.game.values[rule])).length }))
      .sort((one, other) => one.far - other.far)
      .slice(0, BESIDE)
      .map(({ game, agrees, of }) => ({ name: words.page("agrees", { game: nameOf(game), agrees, of }), values: game.values }));
    return [element("h3", {}, words.page("beside")), ...table([own, ...others])];
  };

  /** All rules that are known, to be marked where they are not so. */
  const readOut = (facts) => {
    const recap = session.asked.read(RECAP);
    const statements = session.sentences(recap, facts);
    return statements.length ? [element("h3", {}, words.page("found-rules")), marking(recap, statements, facts)] : [];
  };

  /** The rules as a ruleset file. */
  const taken = (verdict, but) => {
    const about = [words.heading(verdict, but), ...but.map(({ says }) => says)].join(" ");
    const named = words.page("as-told", { game: nameOf(verdict) });
    const text = damspecAnswersFile.ruleset(verdict.ruleset, named, about, verdict.changes);
    const save = element("button", { type: "button" }, words.page("save-rules"));
    save.addEventListener("click", () => damspecAnswersFile.save("as-told.yaml", text));
    return [
      element("h3", {}, words.page("file")),
      element("pre", { tabindex: "0" }, element("code", { id: "ruleset" }, text)),
      element("p", {}, save, " ", element("code", {}, "damspec moves as-told.yaml start")),
    ];
  };

  const remarks = (verdict) => {
    const number = [...session.given.values()].filter((said) => said !== "unknown").length;
    const alike = verdict.alike.map((id) => words.name(session.asked.known.get(id).ruleset));
    return [
      verdict.share < session.asked.belief.settled && words.page("unsettled"),
      verdict.unclear.length && words.page("unclear", { titles: words.titles(verdict.unclear) }),
      words.page("fits", { fits: number - verdict.against.length, number }),
      verdict.unasked.length && words.page("untold", { titles: words.titles(verdict.unasked) }),
      alike.length && words.page("alike", { games: alike.join(", ") }),
    ].filter(Boolean).map((each) => element("p", {}, each));
  };

  /** Links from a game: its page, a board with its rules, the workshop. */
  const leading = ({ ruleset, values }, isChanged) => {
    const to = (page, text) => element("li", {}, element("a", { href: `${damspec.root}${page}` }, text));
    const named = isChanged ? words.page("as-told", { game: words.name(ruleset) }) : "";
    const link = damspecLink.write({ base: ruleset, name: named, values });
    return element(
      "ul",
      {},
      to(damspec.gamePage(ruleset), words.page("how", { game: words.name(ruleset) })),
      to(`${damspec.inLanguage("play/index.html")}#${isChanged ? "rules=" : ""}${link}`, words.page("board")),
      to(`${damspec.inLanguage("workshop/index.html")}#${link}`, words.page("workshop")),
    );
  };

  /** Shows the verdict once it has been worked out. */
  const conclude = async (mine) => {
    await Promise.all(["assets/interpreter.js", "assets/ruleset-link.js"].map(damspec.script));
    await session.load();
    if (mine !== turn) return;
    const { facts } = session;
    const verdict = damspecVerdict(session, fits);
    const but = words.differing(verdict);
    const house = ({ rule, says }) => element("li", {}, ruleLink(rule), `${words.page("colon")}${says}`);
    const differences = element("ul", { class: "differences" }, ...but.map(house));
    part("result").replaceChildren(
      element("h2", { id: "found", tabindex: "-1" }, words.heading(verdict, but)),
      ...(but.length ? [differences] : []),
      ...remarks(verdict),
      leading(verdict, but.length > 0),
      ...readOut(facts),
      ...clashing(verdict, facts),
      ...beside(verdict, but.length > 0),
      ...taken(verdict, but),
    );
    part("result").hidden = false;
    stand(verdict);
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
    part("lead").hidden = session.given.size > 0;
    part("undo").disabled = part("anew").disabled = !session.given.size;
    part("enough").disabled = !hasAnswer();
    try {
      const question = await session.next();
      if (mine !== turn) return;
      stand();
      ask(question);
      part("result").hidden = true;
      if (!question) await (hasAnswer() ? end(mine) : nothing());
    } catch {
      broken();
    }
  };

  /** Without any answer every game is a candidate. */
  const nothing = () => {
    part("result").replaceChildren(element("h2", { id: "found", tabindex: "-1" }, words.page("nothing")));
    part("result").hidden = false;
  };

  const end = async (mine) => {
    await conclude(mine);
    if (mine === turn) part("found").focus();
  };

  const say = (said) => {
    // Of all rules together it has to be said which are not so.
    if (!asking || part("asking").matches(said === "no" ? ".marked, .whole" : ".marked")) return;
    session.given.set(asking.id, said);
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
    session.given = new Map([...kept.given].filter(([id]) => session.asked.question(id)));
    notes = kept.notes;
    for (const name of damspecAnswersFile.FACTS) form.elements[name].value = kept.facts[name];
    return changed();
  };

  const begin = async () => {
    const { tag } = damspecLanguage;
    const parts = ["identify/questions", "workshop/language"].map(damspec.part);
    const [content, language, tongue] = await Promise.all([
      ...parts, damspec.texts(), damspec.script("assets/rulesets.js"), damspec.script("assets/rule-texts.js"),
    ]);
    const asked = new damspecSession.Questionnaire(content, damspecRulesets);
    session = new damspecSession.Session(asked, (ruleset) => damspec.part(`identify/changes/${ruleset}`));
    words = damspecIdentifyWords(damspecRuleTexts(language, tongue), tongue, asked);
    part("identify-page").lang = tag;
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
      part("told-note").textContent = wrong ? words.page(wrong) : words.page("saved", { name: `${name}.yaml` });
      if (!wrong) damspecAnswersFile.save(`${name}.yaml`, damspecAnswersFile.answersFile(whole));
    });
    window.addEventListener("hashchange", recall);
    part("without").hidden = true;
    part("identify").hidden = false;
    await recall();
  };

  begin().catch(broken);
}
