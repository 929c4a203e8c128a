// Opens a board to play on, on the page for playing. What the workshop needs of it too is loaded on demand.
"use strict";

const damspecPlay = {};

{
  const PARTS = ["keep", "session", "selection", "words", "pdn", "text", "opponent", "wheel", "table", "exercise"];
  const SCRIPTS = ["interpreter", "rulesets", "ruleset-link", "board", ...PARTS.map((name) => `play-${name}`)];
  /** The beginning of the address of an exercise. */
  const CASE = "case=";
  /** The beginning of an address with rules of one's own, as ruleset-link.js writes them. */
  const OWN = "rules=";
  /** What stands between a position and moves to be played through from there. */
  const MOVES = "&moves=";
  const { element } = damspec;

  /**
   * Loads everything needed to play. Promises what the site knows beside the rules: the `words` of the board, the `names`
   * of games and the `titles` of rules in the reader's language, the games that come `first` in it, how each of the `games` is written, the rules that belong to a `board`, and which games have files of `solved` endgames.
   */
  damspecPlay.load = async () => {
    await Promise.all(SCRIPTS.map((name) => damspec.script(`assets/${name}.js`)));
    const [written, { play, games, titles, first }] = await Promise.all([damspec.part("play/games"), damspec.texts()]);
    return { ...written, words: play, names: games, titles, first };
  };

  /** The address of a table with a game of this name. */
  const addressOf = (called) => new URL(`${damspec.root}${damspec.inLanguage("play/index.html")}#${called}`, location.href).href;

  /** Promises the language of rules with its sentences in the reader's language. */
  const sentences = async () => {
    const parts = [damspec.part("workshop/language"), damspec.texts(), damspec.script("assets/rule-texts.js")];
    const [language, words] = await Promise.all(parts);
    return { language, texts: damspecRuleTexts(language, words) };
  };

  /** The data of a table for rules of one's own. Throws an Error; for rules that make no game it has a `link` to the workshop. */
  const ownGame = (called, { words, games, titles }) => {
    const link = called.slice(OWN.length);
    const { base, name, values } = damspecLink.read(link);
    const wrong = [...new Set(damspec.problems(values).map(({ rule }) => titles[rule] ?? rule))];
    if (wrong.length) {
      const error = new damspec.KeyedError("rules", { titles: wrong.join(", ") });
      throw Object.assign(error, { link: `${damspec.root}${damspec.inLanguage("workshop/index.html")}#${link}` });
    }
    const format = { ...games[base || Object.keys(games)[0]], tags: {} };
    return {
      id: "",
      name: name || words.own,
      words,
      game: damspec.rules(values),
      lifted: async () => {
        const { language, texts } = await sentences();
        return damspecPlay.lifted(values, language, texts);
      },
      format,
      address: addressOf(called),
      slot: `game.${called}`,
    };
  };

  /** The rules that can be lifted to explain why a move is not allowed, as a sheet says them, with the clauses that they rest on. */
  const lifted = async (id) => {
    const { values } = damspecRulesets[id];
    const [{ clauses, lifted: rules }, { texts }] = await Promise.all([damspec.part(`play/cases/${id}`), sentences()]);
    return rules.map(([rule, changes, cited]) => ({
      rule,
      changes,
      title: texts.title(rule),
      says: texts.whole(rule, values),
      clauses: cited.map((each) => ({ id: each, ...clauses[each] })),
    }));
  };

  /** The data of a table for a game by its id, or `english@international` on another one's board. */
  const gameOf = (called, { words, names, games, board, solved }) => {
    const [id, host] = decodeURIComponent(called).split("@");
    if (!(id in games && (host ?? id) in games)) return null;
    const { values } = damspecRulesets[id];
    const placed = host ? board.map((rule) => [rule, damspecRulesets[host].values[rule]]) : [];
    return {
      id,
      name: names[id],
      words,
      slot: `game.${called}`,
      lifted: () => lifted(id),
      solved: !host && solved.includes(id) ? () => damspec.part(`play/endgames/${id}`) : null,
      game: damspec.rules({ ...values, ...Object.fromEntries(placed) }),
      // PDN has no tag for a game on the board of another.
      format: host ? { ...games[id], tags: {} } : games[id],
      address: addressOf(called),
    };
  };

  /**
   * Opens a table from the start or a position, perhaps with moves that can be played through from there. If the FEN
   * cannot be read, it says so and shows the start.
   */
  const open = (place, given, linked = "") => {
    const [fen, moves] = linked.split(MOVES);
    let start = given.game.start(), line = moves?.split(",") ?? [], wrong = null;
    try {
      if (fen) start = given.game.read(fen);
      damspecPlay.session(given.game, start).playAll(line);
    } catch (error) {
      if (!(error instanceof damspec.PositionError || error instanceof damspec.MoveError)) throw error;
      wrong = error;
      line = [];
    }
    const table = damspecPlay.table(place, {
      ...given, start, line, rival: !fen && !moves,
      ...(moves ? { slot: "" } : fen ? { slot: "linked", linked: `${given.slot}/${fen}` } : {}),
    });
    if (wrong) {
      const note = element("p", { class: "wrong", role: "alert" });
      place.prepend(note);
      damspec.explained(wrong).then((text) => note.append(text));
    }
    return table;
  };

  /** Opens a case as an exercise; null if there is no such case. */
  const openExercise = async (place, given, id) => {
    const { cases, clauses } = await damspec.part(`play/cases/${given.id}`);
    if (!(id in cases)) return null;
    const ids = Object.keys(cases);
    const next = ids[ids.indexOf(id) + 1];
    const [position, why, cited] = cases[id];
    const exercise = {
      position,
      why,
      clauses: cited.map((each) => ({ id: each, ...clauses[each] })),
      home: damspec.root + damspec.casePlace(id),
    };
    return damspecPlay.exercise(place, { ...given, exercise, lifted: await lifted(given.id), next: next && `#${CASE}${next}` });
  };

  /** Writes squares as the game's players do, unless the reader has chosen. */
  const writeAs = (format) => {
    const control = document.getElementById("notation");
    control.dataset.usual = format.letters ? "letters" : "numbers";
    control.dispatchEvent(new Event("usual"));
  };

  // --- the page for playing ---

  const choice = document.getElementById("play-game");
  if (choice) {
    const place = document.getElementById("play-table");
    const more = document.getElementById("play-more");
    const note = document.getElementById("play-note");
    const heading = document.querySelector("h1");
    let current = null;

    const show = async () => {
      const data = await damspecPlay.load();
      const [called, ...rest] = location.hash.slice(1).split("/");
      const exercise = called.startsWith(CASE) ? decodeURIComponent(called.slice(CASE.length)) : "";
      let given = null, wrong = [damspec.filled(data.words.unknown, { name: decodeURIComponent(called) })];
      try {
        if (called.startsWith(OWN)) given = ownGame(called, data);
        else if (exercise) given = gameOf(exercise.split(".")[0], data);
        else given = gameOf(called || damspecPlay.kept.read("last") || data.first[0], data);
      } catch (error) {
        wrong = [await damspec.explained(error)];
        if (error.link) wrong.push(" ", element("a", { href: error.link }, damspec.text("the-workshop")));
      }
      current?.stop();
      current = null;
      place.before(more);
      more.hidden = Boolean(exercise);
      place.replaceChildren();
      const titled = exercise ? data.words["exercise-titled"] : data.words.titled;
      heading.textContent = given ? damspec.filled(titled, { game: given.name }) : data.words.title;
      if (given) {
        choice.value = given.id;
        if (given.id && !exercise) damspecPlay.kept.write("last", given.id);
        writeAs(given.format);
        if (exercise) current = await openExercise(place, given, exercise);
        else current = open(place, { ...given, more }, decodeURIComponent(rest.join("/")));
      }
      note.replaceChildren(...(current ? [] : wrong));
      damspec.speak(note);
    };

    choice.addEventListener("change", () => (location.hash = choice.value));
    window.addEventListener("hashchange", show);
    show();
  }
}
