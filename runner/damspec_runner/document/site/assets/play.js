// Opens a board to play on: on the page of a game when its button is pressed, on the page for playing at once. The
// interpreter, the rules and all the rest are loaded only then.
"use strict";

const damspecPlay = {
  /** A button that does something. */
  button: (text, act, attributes = {}) => {
    const made = damspec.element("button", { type: "button", ...attributes }, text);
    made.addEventListener("click", act);
    return made;
  },
};

{
  const PARTS = ["session", "steps", "words", "pdn", "text", "rival", "table", "why", "exercise"];
  const SCRIPTS = ["interpreter", "rulesets", "board", ...PARTS.map((name) => `play-${name}`)];
  const made = damspec.element;

  /** All that is needed to play, and what the site knows of its games beside their rules. */
  const load = async () => {
    await Promise.all(SCRIPTS.map((name) => damspec.script(`assets/${name}.js`)));
    return damspec.part("play/games");
  };

  /** A game by its id, or on the board of another, `english@international`: what a table needs to know of it. */
  const gameOf = (called, { words, games, board }) => {
    const [id, host] = called.split("@");
    const { name, values } = damspecRulesets[id];
    const placed = host ? board.map((rule) => [rule, damspecRulesets[host].values[rule]]) : [];
    const address = new URL(`${damspec.root}play/index.html#${called}`, location.href).href;
    const game = damspec.rules({ ...values, ...Object.fromEntries(placed) });
    // PDN has no tag for a game on the board of another.
    const format = host ? { ...games[id], tags: {} } : games[id];
    return { game, name, words, format, address };
  };

  const open = (place, id, data, fen = "") => {
    const given = gameOf(id, data);
    let [start, wrong] = [given.game.start(), ""];
    try {
      if (fen) start = given.game.read(fen);
    } catch (error) {
      wrong = error.message;
    }
    const table = damspecPlay.table(place, { ...given, start });
    if (wrong) place.prepend(made("p", { class: "wrong", role: "alert" }, wrong));
    return table;
  };

  const openExercise = async (place, id, data) => {
    const ruleset = id.split(".")[0];
    const { cases, clauses, lifted } = await damspec.part(`play/cases/${ruleset}`);
    if (!(id in cases)) return null;
    const ids = Object.keys(cases);
    const next = ids[ids.indexOf(id) + 1];
    const [position, why, cited] = cases[id];
    return damspecPlay.exercise(place, {
      ...gameOf(ruleset, data),
      lifted,
      next: next && `#case=${next}`,
      exercise: { position, why, clauses: cited.map((each) => ({ id: each, ...clauses[each] })), home: `${damspec.root}cases/${id}.html` },
    });
  };

  /** Writes squares as players of a game do, unless the reader has chosen. */
  const writeAs = (format) => {
    const control = document.getElementById("notation");
    control.dataset.usual = format.letters ? "letters" : "numbers";
    control.dispatchEvent(new Event("usual"));
  };

  // --- the page of a game ---

  for (const here of document.querySelectorAll(".play-here")) {
    const button = here.querySelector("button");
    button.hidden = false;
    button.addEventListener("click", async () => {
      button.disabled = true;
      const place = made("div", { class: "table" });
      here.after(place);
      open(place, here.dataset.game, await load());
      button.hidden = true;
      place.querySelector(".cell[tabindex='0']").focus();
    });
  }

  // --- the page for playing ---

  const form = document.getElementById("play-form");
  if (form) {
    const choice = document.getElementById("play-game");
    const place = document.getElementById("play-table");
    const heading = document.querySelector("h1");
    const usual = heading.textContent;
    const note = document.getElementById("play-note");
    let current = null;

    const show = async () => {
      const data = await load();
      const [wanted, ...rest] = decodeURIComponent(location.hash.slice(1)).split("/");
      const exercise = wanted.startsWith("case=") ? wanted.slice(5) : "";
      const called = exercise ? exercise.split(".")[0] : wanted || choice.value;
      const [id, host = id] = called.split("@");
      current?.stop();
      current = null;
      place.replaceChildren();
      heading.textContent = usual;
      if (id in data.games && host in data.games) {
        choice.value = id;
        heading.textContent = `${usual}: ${damspecRulesets[id].name}`;
        writeAs(data.games[id]);
        current = exercise ? await openExercise(place, exercise, data) : open(place, called, data, rest.join("/"));
      }
      note.textContent = current ? "" : `Nothing here is called ${wanted}.`;
    };

    choice.addEventListener("change", () => (location.hash = choice.value));
    window.addEventListener("hashchange", show);
    form.hidden = false;
    show();
  }
}
