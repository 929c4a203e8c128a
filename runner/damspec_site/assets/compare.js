// The picker of two games, each as chosen here or under another reading of what is unclear. It opens the page that compares
// them; where there is none, the differences are worked out here, with a position that shows them.
"use strict";

{
  const form = document.getElementById("pair");
  const result = document.getElementById("pair-result");
  const sides = ["first", "second"].map((id) => ({
    game: document.getElementById(id),
    reading: document.getElementById(`${id}-reading`),
  }));
  const note = document.getElementById("pair-note");
  const nearest = new Map(form.dataset.nearest.trim().split(" ").filter(Boolean).map((pair) => pair.split("=")));
  const { element, text } = damspec;
  const SCRIPTS = ["interpreter", "rulesets", "board", "ruleset-link", "rule-texts", "nearest-games", "difference-search"];
  let search = null;

  const hasPage = (one, other) => {
    const alone = [one, other].filter((id) => nearest.has(id));
    return !alone.length || alone.some((id) => [one, other].includes(nearest.get(id)));
  };

  /** Offers the readings of the chosen game, which are in the project's own English. */
  const offer = async ({ game, reading }, wanted = "") => {
    const found = (await damspec.part("compare/readings"))[game.value] ?? [];
    const options = found.map(([id, query, says]) => element("option", { value: query, lang: "en" }, `${id}: ${says}`));
    reading.replaceChildren(element("option", { "data-text": "as-chosen-here" }), ...options);
    reading.options[0].value = "";
    reading.value = wanted;
    reading.parentElement.hidden = !found.length;
    await damspec.speak(reading);
  };

  /** The values of a side; a reading changes some of them (null removes one). */
  const valuesOf = async ({ game, reading }) => {
    const { values } = damspecRulesets[game.value];
    const found = ((await damspec.part("compare/readings"))[game.value] ?? []).find(([, query]) => query === reading.value);
    const changed = { ...values, ...found?.[3] };
    return Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== null));
  };

  const compare = async () => {
    const loaded = [damspec.part("workshop/language"), damspec.texts(), ...SCRIPTS.map((name) => damspec.script(`assets/${name}.js`))];
    const [language, words] = await Promise.all(loaded);
    const texts = damspecRuleTexts(language, words);
    const near = damspecNearest(language);
    const [one, other] = await Promise.all(sides.map(valuesOf));
    const names = sides.map(({ game, reading }) => texts.game(game.value) + (reading.value ? ` (${reading.value})` : ""));
    const differing = Object.keys(language.rules).filter((rule) => !damspecLink.same(one[rule], other[rule]));
    const number = differing.length;
    const stance = (name, rule, values) =>
      element("div", { class: "stance" }, element("p", { class: "who" }, name), element("p", {}, texts.sentence(rule, values)));
    const telling = element("div", { class: "telling" });
    const says = element("p", {}, number ? damspec.counted("rules-differ", number) : text("rules-differ-none"));
    const title = element("h3", {}, text("a-position"));
    result.lang = words.tag;
    result.replaceChildren(
      element("h2", {}, names.join(" – ")),
      says,
      ...(differing.some(near.shows) ? [title, telling] : []),
      ...differing.map((rule) =>
        element(
          "section",
          { class: "difference" },
          element("h3", {}, element("a", { href: `${damspec.root}rules/${rule}.html` }, texts.title(rule))),
          element("div", { class: "sides values" }, stance(names[0], rule, one), stance(names[1], rule, other)),
        ),
      ),
    );
    await damspec.speak(result);
    if (telling.isConnected) await seek({ near, texts, one, other, names, telling });
  };

  /** Looks for a small position that the two answer differently. */
  const seek = async ({ near, texts, one, other, names, telling }) => {
    const theirs = near.onBoardOf(one, other);
    const say = (key, attributes = {}) => {
      const said = element("p", attributes, text(key));
      telling.append(said);
      return damspec.speak(said);
    };
    if (damspec.problems(theirs).length) return say("on-no-board");
    const letters = () => document.getElementById("notation")?.value === "letters";
    const telltale = damspecTelltale({ texts, letters });
    const positions = await damspec.part("workshop/positions");
    search ??= damspecDifferenceSearch();
    const status = element("p", { role: "status", class: "fine" });
    telling.append(status);
    search.ask([{ id: 0, mine: one, other: theirs, pool: positions[one["board.size"]] ?? [] }], ({ tried, best, done }) => {
      const number = tried.toLocaleString([texts.tag, "de"]);
      status.textContent = done ? (best ? "" : texts.page("untold", { number })) : texts.page("seeking", { number });
      if (!done || !best) return;
      telling.replaceChildren(...telltale(one, best, names));
      if (!near.sameBoard(one, other)) say("on-first-board", { class: "fine" });
    });
  };

  const called = ({ game, reading }) => game.value + (reading.value ? `?${reading.value}` : "");

  /** Compares the two games in the address after `#`. */
  const recall = async () => {
    const given = decodeURIComponent(location.hash.slice(1)).split(",").map((each) => each.split("?"));
    const known = given.length === 2 && given.every(([id], at) => [...sides[at].game.options].some(({ value }) => value === id));
    if (known) given.forEach(([id], at) => (sides[at].game.value = id));
    await Promise.all(sides.map((side, at) => offer(side, known ? given[at][1] : "")));
    if (known && result) await compare();
  };

  for (const side of sides) side.game.addEventListener("change", () => offer(side));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const [one, other] = sides.map(called);
    note.replaceChildren(...(one === other ? [text("choose-others")] : []));
    if (one === other) return damspec.speak(note);
    const plain = sides.every(({ reading }) => !reading.value);
    if (plain && hasPage(one, other)) location.href = `${form.dataset.pages}${[one, other].sort().join("--")}.html`;
    else location.href = `${form.dataset.pages}index.html#${one},${other}`;
  });
  window.addEventListener("hashchange", recall);
  form.hidden = false;
  recall();
}
