// The workshop: a game made rule by rule. Its state is the values of the rules; everything else on the page follows from
// them: the rules that apply, contradictions, the board, the nearest known games, the file and the link.
"use strict";

(async () => {
  const { element } = damspec;
  const bench = document.getElementById("workshop");
  const place = (id) => document.getElementById(id);
  const [written, language, words] = await Promise.all([
    damspecPlay.load(), damspec.part("workshop/language"), damspec.texts(), damspec.speak(bench),
  ]);
  const games = damspecRulesets;
  const near = damspecNearest(language);
  const telling = damspecDifferenceSearch();
  const { same } = damspecLink;

  const chosen = { base: bench.dataset.base, name: "", values: {} };
  /** The board to play on, and the rules by which it is played. */
  let table = null, played = null;

  // --- choosing ---

  /** A value for a rule that is needed now: from the game it began with, or the nearest one whose value goes with the rest. */
  const borrowed = (rule, values) => {
    if (!chosen.base) return undefined;
    const orders = [chosen.base, ...near.ranked(values).map(({ game }) => game)];
    const given = orders.filter((game) => rule in games[game].values).map((game) => games[game].values[rule]);
    const fits = (value) => !damspec.problems({ ...values, [rule]: value }).some((problem) => problem.rule === rule);
    return given.find(fits) ?? given[0];
  };

  /** Sets the values and all values that depend on them, until nothing more follows. */
  const take = (values) => {
    let before;
    do {
      before = values;
      values = damspec.settled(values);
      for (const [rule, layout] of Object.entries(values).filter(([, each]) => each?.sliders)) {
        if (layout.id === damspecLink.OWN) values[rule] = damspecLink.layoutOf(layout.sliders, values["board.size"]);
      }
      for (const rule of Object.keys(language.rules)) {
        if (damspec.presence(rule, values) !== "always" || rule in values) continue;
        const value = borrowed(rule, values);
        if (value !== undefined) values[rule] = value;
      }
    } while (!same(before, values));
    chosen.values = values;
  };

  const update = (values) => {
    take(values);
    show();
    remember();
  };

  const change = (rule, value) => {
    const values = { ...chosen.values, [rule]: value };
    if (value === undefined) delete values[rule];
    update(values);
  };

  /** Adds groups of rules that are there together, or takes them away. */
  const toggle = (ids, there) => {
    const values = { ...chosen.values };
    for (const { id, rules } of language.groups) {
      if (!ids.includes(id)) continue;
      for (const rule of rules) {
        if (!there) delete values[rule];
        else values[rule] ??= damspecLink.known(rule)[0];
      }
    }
    update(values);
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
  const recall = async () => {
    const hash = location.hash.slice(1);
    const given = place(hash) && !(hash in games) ? kept : hash; // a place of the page is no link
    if (given && given === kept) return;
    const problem = place("workshop-problem");
    problem.hidden = true;
    let read = { base: bench.dataset.base, name: "", values: games[bench.dataset.base].values };
    try {
      if (given) read = damspecLink.read(given);
    } catch (error) {
      problem.textContent = await damspec.explained(error);
      problem.hidden = false;
    }
    Object.assign(chosen, { ...read, values: damspec.settled(texts.oneByOne(read.values)) });
    kept = given;
    place("workshop-name").value = chosen.name;
    show();
  };

  // --- what follows ---

  const problems = () => damspec.problems(chosen.values);

  const state = (wrong) => {
    const status = place("workshop-state");
    const rules = [...new Set(wrong.map(({ rule }) => rule))];
    const text = rules.length ? texts.page("open", { number: rules.length }) : `${texts.page("done")} ${verdict()}`;
    if (status.textContent !== text) status.textContent = text;
    place("workshop-wrong").replaceChildren(
      ...rules.map((rule) => {
        const to = element("a", { href: `#rule-${rule}` }, texts.title(rule));
        to.addEventListener("click", (event) => {
          event.preventDefault();
          const holder = place(`rule-${rule}`);
          holder.closest("details").open = true;
          holder.scrollIntoView();
          holder.querySelector("input, select, button")?.focus();
        });
        return element("li", {}, to, texts.page("colon"), list.explained(wrong.find((each) => each.rule === rule)));
      }),
    );
  };

  /** Which game it is, or how far it is from the nearest. */
  const verdict = () => {
    const [{ game, differs }] = near.ranked(chosen.values);
    if (!differs.length) return texts.page("same", texts.game(game));
    return `${texts.page(differs.length === 1 ? "differs" : "differ", { "": texts.game(game), number: differs.length })}.`;
  };

  /** Shows the board, begun anew whenever a rule has changed. */
  const board = (wrong) => {
    place("workshop-board").hidden = wrong.length > 0;
    place("workshop-play").href = `${damspec.root}${damspec.inLanguage("play/index.html")}#rules=${link()}`;
    if (wrong.length || same(played, chosen.values)) return;
    played = chosen.values;
    table?.stop();
    const game = damspec.rules(played);
    const format = { ...written.games[chosen.base || near.ranked(played)[0].game], tags: {} };
    const name = chosen.name || texts.page("unnamed");
    table = damspecPlay.table(place("workshop-table"), {
      game,
      start: game.start(),
      name,
      format,
      words: words.play,
      lifted: async () => damspecPlay.lifted(game.values, language, texts),
    });
  };

  const save = (wrong) => {
    place("workshop-save").hidden = wrong.length > 0;
    if (wrong.length) return;
    const whole = bench.querySelector("[name=extent]:checked").value === "whole";
    const [{ game }] = near.ranked(chosen.values);
    place("workshop-yaml").textContent = file.text({
      name: chosen.name || texts.page("unnamed"),
      values: chosen.values,
      base: whole ? "" : game,
    });
    place("workshop-link").textContent = new URL(`#${link()}`, location.href).href;
  };

  const show = () => {
    place("workshop-base").value = chosen.base;
    const wrong = problems();
    list.show(wrong);
    state(wrong);
    board(wrong);
    neighbours.show(wrong);
    save(wrong);
  };

  const texts = damspecRuleTexts(language, words);
  const file = damspecFile(language, texts);
  const list = damspecRuleList({ language, texts, chosen, change, toggle });
  const neighbours = damspecNeighbours({ place: place("workshop-nearest"), telling, near, texts, chosen });
  place("workshop-rules").replaceChildren(...list.elements);
  bench.lang = words.tag;

  // --- what the reader does around the rules ---

  const copy = (id) => async ({ currentTarget: button }) => {
    if (await damspec.copy(place(id).textContent)) button.textContent = texts.page("copied");
    else getSelection().selectAllChildren(place(id));
  };
  place("workshop-copy").addEventListener("click", copy("workshop-yaml"));
  place("workshop-copy-link").addEventListener("click", copy("workshop-link"));
  place("workshop-download").addEventListener("click", () => {
    const id = file.idOf(chosen.name || texts.page("unnamed"));
    damspec.download(`${id}.yaml`, place("workshop-yaml").textContent, "application/yaml");
  });
  place("workshop-base").addEventListener("change", (event) => begin(event.target.value));
  place("workshop-name").addEventListener("input", (event) => {
    chosen.name = event.target.value.trim();
    save(problems());
    remember();
  });
  for (const radio of bench.querySelectorAll("[name=extent]")) radio.addEventListener("change", () => save(problems()));
  document.addEventListener("notation", () => neighbours.show(problems()));
  window.addEventListener("hashchange", recall);

  await recall();
  bench.hidden = false;
  place("workshop-without").hidden = true;
})();
