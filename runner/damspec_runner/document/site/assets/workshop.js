// The workshop: a game made rule by rule. What is chosen is one thing, the values of the rules; all else on the page
// follows from it: which rules there are, what contradicts what, the board, the nearest known games, the file, the link.
"use strict";

(async () => {
  const { element } = damspec;
  const bench = document.getElementById("workshop");
  const place = (id) => document.getElementById(id);
  damspec.root = bench.dataset.root;
  await Promise.all([damspecPlay.load(), damspec.part("workshop/language")]);
  const language = damspec.held["workshop/language"];
  const games = damspecRulesets;
  const judge = damspecContradictions(language, damspec.Board);
  const near = damspecNearest(language);
  const telling = damspecTelling();
  const { same } = damspecLink;

  /** How many of the nearest games are told of; how long choosing rests before positions are looked for. */
  const NEAREST = 3, REST = 300;
  const TONGUE = "damspec.workshop";

  const chosen = { base: bench.dataset.base, name: "", values: {} };
  let told, file, controls, searching;

  const titles = (titled) => titled.titles[tag()] ?? titled.titles.en;
  const tag = () => place("workshop-language").value;

  // --- choosing ---

  /** A value for a rule that has to be there now: that of the game it began with, or of the nearest that has one. */
  const borrowed = (rule, values) => {
    if (!chosen.base) return undefined;
    const orders = [chosen.base, ...near.ranked(values).map(({ game }) => game)];
    const found = orders.find((game) => rule in games[game].values);
    return found && games[found].values[rule];
  };

  /** Takes values over, with what depends on others settled, until nothing more follows. */
  const take = (values) => {
    let before;
    do {
      before = values;
      values = judge.settled(values);
      for (const [rule, layout] of Object.entries(values).filter(([, each]) => each?.sliders)) {
        if (layout.id === damspecLink.OWN) values[rule] = damspecLink.layoutOf(layout.sliders, values["board.size"]);
      }
      for (const rule of Object.keys(language.rules)) {
        if (judge.presence(rule, values) !== "always" || rule in values) continue;
        const value = borrowed(rule, values);
        if (value !== undefined) values[rule] = value;
      }
    } while (!same(before, values));
    chosen.values = values;
  };

  const change = (rule, value) => {
    const values = { ...chosen.values, [rule]: value };
    if (value === undefined) delete values[rule];
    take(values);
    show();
    remember();
  };

  /** Adds groups of rules that are there together, or takes them away. */
  const toggle = (ids, there) => {
    const values = { ...chosen.values };
    for (const { id, rules } of language.groups) {
      if (!ids.includes(id)) continue;
      for (const rule of rules) {
        if (!there) delete values[rule];
        else values[rule] ??= Object.values(games).find((game) => rule in game.values).values[rule];
      }
    }
    take(values);
    show();
    remember();
  };

  const begin = (base) => {
    Object.assign(chosen, { base, values: { ...games[base]?.values } });
    show();
    remember();
  };

  // --- the link ---

  let kept = "";
  const link = () => damspecLink.write(chosen);
  const remember = () => {
    kept = link();
    history.replaceState(null, "", `#${kept}`);
  };
  const recall = () => {
    const given = decodeURI(location.hash).slice(1) ? location.hash.slice(1) : "";
    if (given && given === kept) return;
    const problem = place("workshop-problem");
    try {
      const read = given ? damspecLink.read(given) : { base: bench.dataset.base, name: "", values: games[bench.dataset.base].values };
      Object.assign(chosen, read);
      chosen.values = judge.settled(read.values);
      problem.hidden = true;
    } catch (error) {
      Object.assign(chosen, { base: bench.dataset.base, name: "", values: { ...games[bench.dataset.base].values } });
      problem.textContent = error.message;
      problem.hidden = false;
    }
    kept = given;
    place("workshop-name").value = chosen.name;
    show();
  };

  // --- the rules ---

  /** What is wrong, in the reader's words. */
  const explained = (problem) => {
    const { rule, kind, entry, other, others, number, squares } = problem;
    if (kind === "clash") {
      const sentences = others.flatMap((each) => {
        const group = language.groups.find(({ id }) => id === each);
        return group ? titles(group) : told.sentence(each, chosen.values);
      });
      return told.said("clash", sentences.join(" "));
    }
    const words = (word) => (word === undefined ? "" : kind.startsWith("nothing") ? told.entry(rule, word) : word);
    return told.said(kind, { "": squares ? told.listed(squares) : words(entry), other: words(other), number });
  };

  const ruleOf = (name) => {
    const { form: kind, free, ordered, says, asks } = language.rules[name];
    const title = titles(language.rules[name]);
    const control = controls({ rule: name, form: kind, free, ordered, title });
    const note = element("p", { class: "wrong", id: `wrong-${name}` });
    const sentence = element("p", { class: "sentence" });
    const restore = element("button", { type: "button", class: "restore" });
    restore.addEventListener("click", () => {
      change(name, games[chosen.base].values[name]);
      holder.querySelector("input, select")?.focus();
    });
    const help = element(
      "details",
      { class: "help" },
      element("summary", {}, told.said("help")),
      element("p", { lang: "en" }, says.replaceAll("`", "")),
      element("p", {}, element("a", { href: `${damspec.root}rules/${name}.html`, hreflang: "en" }, told.said("page"))),
    );
    const question = tag() === "en" ? [element("p", { class: "asks" }, asks)] : [];
    const holder = element(
      "fieldset",
      { id: `rule-${name}`, "aria-describedby": note.id },
      element("legend", {}, title),
      ...question,
      control.element,
      ...(kind.kind === "choice" ? [] : [sentence]),
      note,
      element("p", { class: "after" }, restore),
      help,
    );
    return {
      name,
      holder,
      show(problems) {
        const there = judge.presence(name, chosen.values) !== "never";
        holder.hidden = !there;
        if (!there) return;
        const mine = problems.filter(({ rule }) => rule === name);
        control.show(chosen.values);
        const readable = !mine.some(({ kind }) => ["form", "few", "missing"].includes(kind));
        sentence.textContent = readable ? told.sentence(name, chosen.values) : "";
        note.textContent = mine.map(explained).join(" ");
        const base = games[chosen.base];
        const differs = base && !same(base.values[name], chosen.values[name]);
        restore.parentElement.hidden = !differs || (!(name in base.values) && !free);
        holder.classList.toggle("changed", Boolean(differs));
        if (base) restore.textContent = told.said("restore", told.game(chosen.base));
      },
    };
  };

  const groupOf = (group) => {
    const rules = group.rules.map(ruleOf);
    const marks = element("span", { class: "marks" });
    const ids = [group.id, ...group.brings];
    const box = element("input", { type: "checkbox" });
    box.addEventListener("change", () => toggle(ids, box.checked));
    const has = group.brings.length ? [element("p", {}, element("label", { class: "option" }, box, " ", told.said("has")))] : [];
    const holder = element(
      "details",
      { class: "group", id: `group-${group.id}` },
      element("summary", {}, element("h3", {}, titles(group)), " ", marks),
      ...has,
      ...rules.map(({ holder }) => holder),
    );
    return {
      id: group.id,
      holder,
      show(problems) {
        for (const rule of rules) rule.show(problems);
        box.checked = group.rules.some((rule) => rule in chosen.values);
        holder.hidden = !has.length && rules.every((rule) => rule.holder.hidden);
        const changed = rules.filter((rule) => !rule.holder.hidden && rule.holder.classList.contains("changed")).length;
        const wrong = problems.filter(({ rule }) => group.rules.includes(rule)).length;
        marks.replaceChildren(
          ...(changed ? [element("span", { class: "tag" }, told.said("changed", { number: changed }))] : []),
          ...(wrong ? [" ", element("span", { class: "tag low" }, told.said("wrong", { number: wrong }))] : []),
        );
      },
    };
  };

  // --- what follows ---

  /** All that is wrong; what only the interpreter finds is told in its words. */
  const problems = () => {
    const found = judge.all(chosen.values);
    if (found.length) return found;
    return damspec.problems(chosen.values).map(({ rule, message }) => ({ rule, kind: "told", message }));
  };

  const state = (wrong) => {
    const status = place("workshop-state");
    const number = new Set(wrong.map(({ rule }) => rule)).size;
    const text = number ? told.said("open", { number }) : `${told.said("done")} ${verdict()}`;
    if (status.textContent !== text) status.textContent = text;
    const list = place("workshop-wrong");
    list.replaceChildren(
      ...[...new Set(wrong.map(({ rule }) => rule))].map((rule) => {
        const to = element("a", { href: `#rule-${rule}` }, titles(language.rules[rule]));
        to.addEventListener("click", (event) => {
          event.preventDefault();
          const holder = place(`rule-${rule}`);
          holder.closest("details").open = true;
          holder.scrollIntoView();
          holder.querySelector("input, select, button")?.focus();
        });
        return element("li", {}, to, ": ", explained(wrong.find((each) => each.rule === rule)));
      }),
    );
  };

  /** Which game it is, or how far it is from the nearest. */
  const verdict = () => {
    const [{ game, differs }] = near.ranked(chosen.values);
    if (!differs.length) return told.said("same", told.game(game));
    return `${told.said(differs.length === 1 ? "differs" : "differ", { "": told.game(game), number: differs.length })}.`;
  };

  const letters = () => place("notation").value === "letters";

  /** The board to play on, begun anew whenever a rule has changed. */
  let table = null, played = null;
  const board = (wrong) => {
    place("workshop-board").hidden = wrong.length > 0;
    place("workshop-play").href = `${damspec.root}play/index.html#rules=${link()}`;
    if (wrong.length || same(played, chosen.values)) return;
    played = chosen.values;
    table?.stop();
    const game = damspec.rules(played);
    const { words, games: written } = damspec.held["play/games"];
    const format = { ...written[chosen.base || near.ranked(played)[0].game], tags: {} };
    const name = chosen.name || told.said("unnamed");
    table = damspecPlay.table(place("workshop-table"), { game, start: game.start(), name, format, words });
  };

  const difference = (game, { rule, weight }) =>
    element(
      "li",
      {},
      element("strong", {}, titles(language.rules[rule])),
      ...(weight ? [` (${told.said("often", { number: Math.max(1, Math.round(1000 * weight)) })})`] : []),
      element("br"),
      `${told.said("here")} ${told.sentence(rule, chosen.values)}`,
      element("br"),
      `${told.said("there")} ${told.sentence(rule, games[game].values)}`,
    );

  const neighbours = (wrong) => {
    const open = wrong.filter(({ kind }) => kind === "missing").map(({ rule }) => rule);
    const ranked = near.ranked(chosen.values, open);
    const same = ranked.filter(({ differs }) => !differs.length);
    const equal = wrong.length ? [] : same;
    const shown = same.length ? [] : ranked.slice(0, NEAREST);
    place("workshop-nearest").parentElement.hidden = !equal.length && !shown.length;
    const named = (game) => element("a", { href: `${damspec.root}rulesets/${game}.html`, hreflang: "en" }, told.game(game));
    const [before, after] = told.said("same", "\n").split("\n");
    const equals = equal.flatMap(({ game }, at) => [...(at ? [", "] : []), named(game)]);
    place("workshop-nearest").replaceChildren(
      element("p", { id: "workshop-equal" }, ...(equal.length ? [before, ...equals, after] : [told.said("next")])),
      ...shown.map(({ game, differs }) => {
        const [begun, ended] = told.said(differs.length === 1 ? "differs" : "differ", { "": "\n", number: differs.length }).split("\n");
        return element(
          "section",
          { class: "neighbour", "data-game": game },
          element("h3", {}, begun, named(game), ended),
          element("details", {}, element("summary", {}, titlesOf(differs)), element("ul", {}, ...differs.map((each) => difference(game, each)))),
          element("div", { class: "telling" }),
        );
      }),
    );
    clearTimeout(searching);
    telling.ask([]);
    if (wrong.length || !shown.length) return;
    searching = setTimeout(() => seek(shown), REST);
  };

  const titlesOf = (differs) => differs.map(({ rule }) => titles(language.rules[rule])).join(", ");

  /** Looks for a position for each of the nearest games, and shows what comes of it. */
  const seek = async (shown) => {
    const { values } = chosen;
    const positions = await damspec.part("workshop/positions");
    if (values !== chosen.values) return;
    const pairs = [];
    for (const { game, differs } of shown) {
      const theirs = near.onBoardOf(values, game);
      const to = tellingOf(game);
      if (!differs.some(({ rule }) => near.shows(rule))) {
        to.replaceChildren(element("p", {}, told.said("no-position")));
      } else if (damspec.problems(theirs).length) {
        to.replaceChildren(element("p", {}, told.said("unboarded")));
      } else {
        pairs.push({ id: game, mine: values, other: theirs, pool: positions[values["board.size"]] ?? [] });
      }
    }
    telling.ask(pairs, ({ id, tried, best, done }) => {
      const to = values === chosen.values && tellingOf(id);
      if (!to) return;
      const number = tried.toLocaleString(tag());
      if (best?.fen !== to.dataset.fen) {
        to.dataset.fen = best.fen;
        to.replaceChildren(...telltale(id, best), element("p", { class: "fine" }));
      } else if (!best && !to.children.length) to.append(element("p"));
      const none = best ? "" : told.said("untold", { number });
      to.lastElementChild.textContent = done ? none : told.said("seeking", { number });
      if (done && !near.sameBoard(values, id)) to.append(element("p", { class: "fine" }, told.said("on-board")));
    });
  };

  const tellingOf = (game) => document.querySelector(`.neighbour[data-game="${game}"] .telling`);

  /** A position that tells two games apart, with what each allows there. */
  const telltale = (game, best) => {
    const rules = damspec.rules(chosen.values);
    const drawn = damspecBoard.make(rules, { label: best.fen, letters: letters() });
    drawn.show(rules.read(best.drawn));
    const both = best.over && best.mine.result === best.other.result;
    return [
      element("p", {}, told.said("tells", { pieces: told.counted("piece", best.pieces) })),
      element("div", { class: "small" }, drawn.element),
      element("p", {}, element("code", {}, best.fen)),
      answer(told.said("by-yours"), best.mine, rules.board, both),
      answer(told.said("by-theirs", told.game(game)), best.other, rules.board, both),
    ];
  };

  const RESULTS = { white: "wins-white", black: "wins-black", draw: "drawn" };
  /** What can be played in a position; where the game is over how it has ended, and what could be played only if `both`. */
  const answer = (title, { moves, lapses, result }, board, both) => {
    const ended = RESULTS[result] && told.said(RESULTS[result]);
    const squares = (text) => (letters() && !/[=:]/.test(text) ? text.replace(/\d+/g, (square) => board.name(Number(square))) : text);
    const listed = (texts) => texts.map(squares).join(", ");
    const words = [listed(moves) || told.said("no-moves"), ...(lapses.length ? [`(${listed(lapses)})`] : [])];
    const played = element("code", {}, words.join(" "));
    const shown = !ended ? [played] : both ? [played, ` · ${ended}`] : [ended];
    return element("p", { class: "actions" }, element("strong", {}, `${title}:`), " ", ...shown);
  };

  const save = (wrong) => {
    place("workshop-save").hidden = wrong.length > 0;
    if (wrong.length) return;
    const whole = bench.querySelector("[name=extent]:checked").value === "whole";
    const [{ game }] = near.ranked(chosen.values);
    place("workshop-yaml").textContent = file.text({
      name: chosen.name || told.said("unnamed"),
      values: chosen.values,
      base: whole ? "" : game,
    });
    place("workshop-link").textContent = new URL(`#${link()}`, location.href).href;
  };

  const show = () => {
    place("workshop-base").value = chosen.base;
    const wrong = problems();
    for (const group of groups) group.show(wrong);
    state(wrong);
    board(wrong);
    neighbours(wrong);
    save(wrong);
  };

  // --- the language of the page ---

  let groups = [];
  const speak = () => {
    const tongue = { tag: tag(), ...language.languages[tag()] };
    told = damspecTold(language, tongue);
    file = damspecFile(language, told);
    controls = damspecControls(told, change);
    bench.lang = tag();
    for (const said of bench.querySelectorAll("[data-say]")) said.textContent = told.said(said.dataset.say);
    for (const option of place("workshop-base").options) option.textContent = option.value ? told.game(option.value) : told.said("nothing");
    const open = groups.filter(({ holder }) => holder.open).map(({ id }) => id);
    groups = language.groups.map(groupOf);
    for (const { id, holder } of groups) holder.open = open.includes(id);
    place("workshop-rules").replaceChildren(...groups.map(({ holder }) => holder));
  };

  const keep = (name, value) => {
    try {
      if (value) localStorage.setItem(name, value);
      return localStorage.getItem(name);
    } catch {
      return null; // a browser that keeps nothing
    }
  };

  // --- what the reader does around the rules ---

  const copy = (id) => async (event) => {
    const button = event.currentTarget;
    try {
      await navigator.clipboard.writeText(place(id).textContent);
      button.textContent = told.said("copied");
    } catch {
      getSelection().selectAllChildren(place(id));
    }
  };
  place("workshop-copy").addEventListener("click", copy("workshop-yaml"));
  place("workshop-copy-link").addEventListener("click", copy("workshop-link"));
  place("workshop-download").addEventListener("click", () => {
    const name = file.idOf(chosen.name || told.said("unnamed"));
    const content = new Blob([place("workshop-yaml").textContent], { type: "application/yaml" });
    const to = element("a", { href: URL.createObjectURL(content), download: `${name}.yaml` });
    to.click();
    URL.revokeObjectURL(to.href);
  });
  place("workshop-base").addEventListener("change", (event) => begin(event.target.value));
  place("workshop-language").addEventListener("change", () => {
    keep(TONGUE, tag());
    speak();
    show();
  });
  place("workshop-name").addEventListener("input", (event) => {
    chosen.name = event.target.value.trim();
    save(problems());
    remember();
  });
  for (const radio of bench.querySelectorAll("[name=extent]")) radio.addEventListener("change", () => save(problems()));
  document.addEventListener("notation", () => neighbours(problems()));
  window.addEventListener("hashchange", recall);

  const usual = keep(TONGUE);
  if (usual in language.languages) place("workshop-language").value = usual;
  speak();
  recall();
  bench.hidden = false;
  place("workshop-without").hidden = true;
})();
