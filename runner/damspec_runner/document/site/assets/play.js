// Opens a board to play on: on the page of a game when its button is pressed, on the page for playing at once. The
// interpreter, the rules and all the rest are loaded only then.
"use strict";

const damspecPlay = {};

{
  const SCRIPTS = ["interpreter", "rulesets", "board", "play-session", "play-steps", "play-words", "play-pdn", "play-rival", "play-table", "play-exercise", "ruleset-link"];
  const made = damspec.element;

  /** All that is needed to play, and what the site knows of its games beside their rules. */
  const load = async () => {
    await Promise.all(SCRIPTS.map((name) => damspec.script(`assets/${name}.js`)));
    return damspec.part("play/games");
  };

  /** A game by its id: what a table needs to know of it. */
  const gameOf = (id, { words, games }) => {
    const { name, values } = damspecRulesets[id];
    const address = new URL(`${damspec.root}play/index.html#${id}`, location.href).href;
    return { game: damspec.rules(values), name, words, format: games[id], address };
  };

  /** The same for rules that somebody has put together, as a link holds them. */
  const ownGame = (text, { words, games }) => {
    const { base, name, values } = damspecLink.read(text);
    const format = games[base || Object.keys(games)[0]];
    const address = new URL(`${damspec.root}play/index.html#rules=${text}`, location.href).href;
    return { game: damspec.rules(values), name: name || "Rules of your own", words, format: { ...format, tags: {} }, address };
  };

  const open = (place, given, fen = "") => {
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
      open(place, gameOf(here.dataset.game, await load()));
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

    const OWN = "rules=";
    const openOwn = (data) => {
      const [text, ...rest] = location.hash.slice(1 + OWN.length).split("/");
      try {
        const given = ownGame(text, data);
        heading.textContent = `${usual}: ${given.name}`;
        writeAs(given.format);
        current = open(place, given, decodeURIComponent(rest.join("/")));
        note.textContent = "";
      } catch (error) {
        note.textContent = error.message;
      }
    };

    const show = async () => {
      const data = await load();
      const [wanted, ...rest] = decodeURIComponent(location.hash.slice(1)).split("/");
      const exercise = wanted.startsWith("case=") ? wanted.slice(5) : "";
      const id = exercise ? exercise.split(".")[0] : wanted || choice.value;
      current?.stop();
      current = null;
      place.replaceChildren();
      heading.textContent = usual;
      if (wanted.startsWith(OWN)) {
        openOwn(data);
        return;
      }
      if (id in data.games) {
        choice.value = id;
        heading.textContent = `${usual}: ${damspecRulesets[id].name}`;
        writeAs(data.games[id]);
        current = exercise ? await openExercise(place, exercise, data) : open(place, gameOf(id, data), rest.join("/"));
      }
      note.textContent = current ? "" : `Nothing here is called ${wanted}.`;
    };

    choice.addEventListener("change", () => (location.hash = choice.value));
    window.addEventListener("hashchange", show);
    form.hidden = false;
    show();
  }
}
