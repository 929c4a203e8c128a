// The board to play on with everything beside it: the possible actions, the game so far, who plays, and what moves lead to.
"use strict";

/** How the computer plays at each level, and how often it overlooks a capture where that is no more than a lapse. */
damspecPlay.LEVELS = {
  easy: { limits: { milliseconds: 300, depth: 2 }, lapses: 0.3 },
  medium: { limits: { milliseconds: 600, depth: 5 }, lapses: 0.15 },
  strong: { limits: { milliseconds: 1000 }, lapses: 0.08 },
  strongest: { limits: { milliseconds: 3000 }, lapses: 0.04 },
};

/**
 * Puts a table into the page. `given` has the `game`, its start position, its `name`, how it is written (`format`), the
 * words in the reader's language, `address`, the beginning of links to positions, if there can be any, `slot`, the name
 * under which the browser keeps the game, if it does, `line`, moves that can be played through, and `lifted`, which
 * promises what `damspecPlay.explain` needs, and `solved`, which promises the files of solved endings.
 * Returns `begin(position)`, which starts anew there, and `stop()`, to be called when the table is removed.
 */
damspecPlay.table = (place, { game, start, name, format, words: texts, address = "", slot = "", line = [], lifted = null, solved = null }) => {
  const { element } = damspec;
  const { button, kept } = damspecPlay;
  const inLetters = () => document.getElementById("notation")?.value === "letters";
  const board = damspecBoard.make(game, {
    label: damspec.filled(texts.board, { game: name }),
    letters: inLetters(),
    texts,
    choose: (square) => choose(square),
    push: game.board.sliders.length ? (id) => push(id) : null,
    drag: (square) => playing() && (selection.walked.at(-1) === square || selection.starts().includes(square)),
    drop: (from, to) => drop(from, to),
  });
  const words = damspecPlay.words(game, board.name, texts);
  const opponent = damspecPlay.opponent(game, solved);
  const sounds = damspecPlay.sounds();
  const listening = new AbortController();

  let session = damspecPlay.session(game, start);
  let outcome = null;
  /** The possible actions; the selection among them square by square; those to choose from below the board. */
  let offers = [], selection = damspecPlay.selection([]), asking = [];
  /** A piece that cannot move, chosen to read why; the path of a hint. */
  let stuck = 0, hint = [];
  /** The number of changes of the position; answers to earlier requests to the computer are dropped. */
  let changes = 0;
  /** The last event, in words. */
  let said = "";

  // --- elements ---

  const select = (label, options, change) => {
    const found = element("select", {}, ...options.map((value) => element("option", { value }, texts[value])));
    found.addEventListener("change", change);
    return [element("label", {}, `${label} `, found), found];
  };
  const toggle = (text, act) => {
    const made = button(text, () => {
      made.setAttribute("aria-pressed", made.getAttribute("aria-pressed") !== "true");
      act(made.getAttribute("aria-pressed") === "true");
    }, { "aria-pressed": "false" });
    return made;
  };

  const status = element("p", { role: "status", class: "told" });
  const turn = element("p", { class: "turn" });
  const choices = element("div", { class: "choices", role: "group", "aria-label": texts.choose });
  const list = element("ul", { class: "offers" });
  const listHead = element("summary");
  const played = element("ol", { class: "played", "aria-label": texts.played });
  const undo = button(texts.undo, () => back());
  const redo = button(texts.redo, () => goTo(session.length + 1));
  const round = toggle(texts.turn, (turned) => {
    board.turn(turned);
    keep();
  });
  const clue = button(texts.hint, () => showHint());
  const resign = button(texts.resign, () => giveUp());
  const draw = button(texts.draw, () => askDraw());
  const PLAYERS = ["person", "computer"];
  const [whiteLabel, white] = select(texts["white-is"], PLAYERS, () => changePlayers());
  const [blackLabel, black] = select(texts["black-is"], PLAYERS, () => changePlayers());
  const [levelLabel, level] = select(texts.level, Object.keys(damspecPlay.LEVELS), () => settle());
  level.value = "easy";
  const sound = element("input", { type: "checkbox" });
  sound.checked = sounds.on;
  sound.addEventListener("change", () => sounds.turn(sound.checked));
  const saw = element("p", { class: "saw", "aria-live": "polite" });
  const analysis = element("details", { class: "analysis" }, element("summary", {}, texts.analyse));
  const consequences = analysis.appendChild(element("div", { "aria-live": "polite" }));
  analysis.addEventListener("toggle", () => analyse());
  const written = damspecPlay.texts({
    game,
    format,
    address,
    texts,
    begin: (position) => {
      begin(position);
      say(`${texts["set-up"]} ${stands()}.`);
    },
    load: (position, actions) => {
      begin(position, actions);
      say(`${texts.loaded} ${stands()}.`);
    },
  });

  place.replaceChildren(
    element(
      "div",
      { class: "board-side" },
      turn,
      board.element,
      choices,
      element("p", { class: "buttons" }, undo, redo, clue, resign, draw, round),
    ),
    element(
      "div",
      { class: "desk" },
      status,
      element(
        "p",
        { class: "players" },
        whiteLabel,
        blackLabel,
        levelLabel,
        element("label", {}, sound, ` ${texts.sounds}`),
        button(texts.again, () => begin(start)),
      ),
      saw,
      element("details", { open: "open" }, listHead, list),
      analysis,
      element("h3", {}, texts.played),
      played,
      written.element,
    ),
  );

  // --- state ---

  const isRival = (side) => (side === "W" ? white : black).value === "computer";
  const isAlone = () => white.value !== black.value;
  const playing = () => outcome.result === "ongoing" && !isRival(session.position.side);
  /** The possible actions of a kind, for one square or slider if given. */
  const ofKind = (kind, text = "") =>
    offers.filter(({ action }) => action.kind === kind && action.text.startsWith(text));
  const spins = () => ofKind("spin");
  const pushes = (id) => ofKind("slide", `${id}=`);
  const huffs = (square) => ofKind("huff").filter(({ action }) => action.captured[0] === square);
  const labelled = (squares, text) => squares.map((square) => [square, text]);

  /** The marks of a position before anything is chosen. */
  const atRest = () => {
    const last = session.turns.at(-1);
    const path = last?.action.path ?? [];
    const fell = last?.action.falls ?? [];
    const starts = playing() ? selection.starts() : [];
    const huffed = playing() ? ofKind("huff").flatMap(({ action }) => action.captured) : [];
    return {
      squares: stuck ? [stuck] : path.length ? [path[0], path.at(-1)] : [],
      arrows: path.length && isRival(last.before.side) ? [path] : [],
      dashed: hint.length > 1 ? [hint] : [],
      rings: starts,
      broken: huffed,
      crosses: fell,
      sliders: playing() ? ofKind("slide").map(({ action }) => action.slider) : [],
      words: Object.fromEntries([
        ...labelled(fell, texts.fell),
        ...labelled(starts, texts["can-move"]),
        ...labelled(huffed, texts["can-huff"]),
      ]),
    };
  };

  /** The marks in the middle of a move. */
  const onTheWay = () => {
    const here = selection.walked.at(-1);
    const squares = (lapse) => selection.next().filter((each) => each.lapse === lapse).map((each) => each.square);
    return {
      squares: selection.walked.slice(0, 1),
      rings: [here],
      dots: squares(false),
      broken: squares(true),
      crosses: selection.captured(),
      words: Object.fromEntries([
        ...labelled(squares(false), texts["can-go"]),
        ...labelled(squares(true), texts["can-lapse"]),
        [here, texts.chosen],
      ]),
    };
  };

  // --- drawing ---

  const drawBoard = () => {
    board.show(damspecPlay.halfway(session.position, selection.walked));
    board.mark(selection.walked.length ? onTheWay() : atRest());
  };

  const offerButton = (offer) => {
    const text = words.offered(offer) + (offer.lapse ? ` ${texts.breaks}` : "");
    return button(text, () => play(offer), { class: offer.lapse ? "lapse" : "" });
  };

  /** The spinner, if it has to be spun: by chance, or to a chosen outcome. */
  const spinner = () => {
    const found = playing() ? spins() : [];
    if (!found.length) return [];
    const chosen = found.map((offer) => {
      const result = offer.action.text.slice("spin=".length);
      const choice = button(texts[result] ?? result, () => play(offer));
      choice.prepend(damspecBoard.sign(result));
      return choice;
    });
    const spin = button(texts.spin, () => play(byChance(found)), { class: "main" });
    return [spin, element("span", {}, texts["or-spin"]), ...chosen];
  };

  const drawChoices = () => {
    const { spin } = session.position;
    const { offers: ended, more } = selection.ended();
    const ends = ended.map((offer) => {
      const choice = offerButton(offer);
      if (more) choice.prepend(texts["end-here"]);
      return choice;
    });
    choices.replaceChildren(
      ...(spin && spin !== "due" ? [damspecBoard.sign(spin)] : []),
      ...spinner(),
      ...asking.map(offerButton),
      ...ends,
      ...(selection.walked.length || asking.length ? [button(texts["let-go"], () => letGo())] : []),
    );
  };

  const drawList = () => {
    const found = playing() ? offers.filter(({ action }) => action.kind !== "spin") : [];
    listHead.textContent = words.fill("offers", { number: found.length });
    list.replaceChildren(...found.map((offer) => element("li", {}, offerButton(offer))));
  };

  const drawPlayed = () => {
    const items = session.all.map(({ before, action, lapse }, at) => {
      const text = words.written(action.text) + (lapse ? ` ${texts.lapsed}` : "");
      const here = at + 1 === session.length;
      const label = words.fill("there", { side: words.side(before.side), move: text });
      const to = button(text, () => goTo(at + 1), { "aria-label": label, "aria-current": here ? "step" : "" });
      return element("li", { class: at < session.length ? before.side : `${before.side} later` }, to);
    });
    played.replaceChildren(...items);
    played.hidden = !items.length;
    const here = items[session.length - 1];
    if (here) played.scrollTop = here.offsetTop - played.offsetTop - played.clientHeight / 2;
  };

  const drawAll = () => {
    drawBoard();
    drawChoices();
    drawList();
    drawPlayed();
    written.show(session);
    undo.disabled = session.length === 0;
    redo.disabled = session.length === session.longest;
    clue.disabled = !playing() || spins().length > 0;
    resign.disabled = draw.disabled = outcome.result !== "ongoing";
    turn.textContent = `${stands()}.`;
    status.textContent = said;
  };

  /** The state of the game, or what the side to move has to do. */
  const stands = () => {
    if (outcome.result !== "ongoing") return words.ended(outcome);
    const first = spins().length && !session.position.spin ? `; ${texts["spin-first"]}` : "";
    return words.asked(session.position) + first;
  };

  /** The last turn, with all that one side did in it, in words. */
  const lastTurn = () => {
    const { turns } = session;
    let first = turns.length - 1;
    while (first > 0 && turns[first - 1].before.side === turns[first].before.side) first -= 1;
    const mine = isAlone() && isRival(turns[first].before.side);
    return turns.slice(first).map((each, at) => words.told(each, turns[first + at - 1], mine)).join(". ");
  };

  // --- actions ---

  /** Updates the possible actions, and lets the computer move if it is its turn. */
  const settle = () => {
    changes += 1;
    opponent.forget();
    outcome = session.outcome();
    offers = outcome.result === "ongoing" ? session.offers() : [];
    selection = damspecPlay.selection(offers);
    asking = [];
    stuck = 0;
    hint = [];
    drawAll();
    keep();
    if (outcome.result === "ongoing" && isRival(session.position.side)) answer();
    else analyse();
  };

  const say = (...parts) => {
    said = parts.filter((part) => typeof part === "string").join("");
    status.replaceChildren(...parts);
  };

  const byChance = (found) => found[Math.floor(Math.random() * found.length)];

  /** Plays an action, shown from a square of its path on. If its button disappears, the next one gets the focus. */
  const play = (offer, from = 0) => {
    const focused = [choices, list, analysis].some((part) => part.contains(document.activeElement));
    const { pieces } = session.position;
    const { path, captured } = offer.action;
    session.play(offer);
    settle();
    if (path.length - from > 1) {
      board.glide(pieces[path[0]], path.slice(from), captured.map((square) => [square, pieces[square]]));
    }
    sounds.play(outcome.result !== "ongoing" ? "over" : captured.length ? "capture" : "move");
    say(`${lastTurn()}. ${stands()}.`);
    if (focused) (choices.querySelector("button") ?? list.querySelector("button") ?? undo).focus();
  };

  const begin = (position, actions = []) => {
    session = damspecPlay.session(game, position);
    session.playAll(actions);
    said = "";
    saw.textContent = "";
    settle();
  };

  const goTo = (number) => {
    const focused = document.activeElement;
    session.go(number);
    said = session.length ? `${texts.after} ${words.told(session.turns.at(-1), session.turns.at(-2))}.` : texts.begun;
    settle();
    if (focused.disabled) (focused === undo ? redo : undo).focus();
  };

  /** Undoes the last action, and the computer's answers after a person's action. */
  const back = () => {
    let number = session.length - 1;
    while (number > 0 && isRival(session.all[number].before.side)) number -= 1;
    saw.textContent = "";
    goTo(number);
    say(`${texts["taken-back"]} ${stands()}.`);
  };

  const turnTo = (turned) => {
    round.setAttribute("aria-pressed", turned);
    board.turn(turned);
  };

  /** Who plays Black alone sees the board from there. */
  const changePlayers = () => {
    if (isAlone()) turnTo(isRival("W"));
    settle();
  };

  const letGo = () => {
    selection.clear();
    asking = [];
    stuck = 0;
    drawBoard();
    drawChoices();
    board.focus();
    say(texts.nothing);
  };

  /** Says which rule forbids a move. */
  const explain = async (squares) => {
    const asked = changes;
    const { position } = session;
    const rules = await lifted();
    if (asked === changes) say(...damspecPlay.explain(game, position, rules, board.name, texts)(squares, ""));
  };

  /** Handles a chosen square: part of a move, a piece to huff, or a move to be explained. */
  const choose = (square, dragged = false) => {
    if (!playing()) return;
    if (spins().length) {
      say(texts["spin-due"]);
      return;
    }
    asking = [];
    const { position } = session;
    const own = position.pieces[square] * (position.side === "W" ? 1 : -1) > 0;
    const before = stuck ? [stuck] : selection.walked;
    stuck = 0;
    if (selection.choose(square)) {
      const { offers: ended, more } = selection.ended();
      if (ended.length === 1 && !more) {
        const { path } = ended[0].action;
        play(ended[0], dragged ? path.length : Math.max(0, before.length - 1));
        return;
      }
      const next = words.listed(selection.next().map((each) => each.square));
      if (ended.length) say(texts.ends);
      else if (selection.walked.length) say(words.fill("from", { squares: words.listed(selection.walked), next }));
      else say(texts.nothing);
    } else if (huffs(square).length) {
      selection.clear();
      asking = huffs(square);
      say(texts["huff-this"]);
    } else {
      const refused = words.refused(position, square, { walked: own ? [] : before, offers });
      say(refused + (own && lifted ? ` ${texts["where-to"]}` : ""));
      selection.clear();
      if (own) stuck = square;
      else if (before.length && lifted) explain([...before, square]);
    }
    drawBoard();
    drawChoices();
  };

  /** Handles a chosen slider; asks if it can be pushed in two ways, or may close its door again. */
  const push = (id) => {
    const found = playing() ? pushes(id) : [];
    if (found.length === 1) play(found[0]);
    if (found.length < 2) return;
    selection.clear();
    asking = found;
    say(words.fill("push-where", { id }));
    drawBoard();
    drawChoices();
  };

  const drop = (from, to) => {
    if (selection.walked.at(-1) !== from) {
      selection.clear();
      choose(from);
    }
    if (to) choose(to, true);
  };

  // --- the end by agreement ---

  const end = (result, reason) => {
    session.end(result, reason);
    said = "";
    settle();
    sounds.play("over");
  };

  /** The side that gives up, or offers a draw: the only person's, or the one to move. */
  const askingSide = () => (isAlone() ? (isRival("W") ? "B" : "W") : session.position.side);

  const giveUp = () => end(askingSide() === "W" ? "black" : "white", "resigned");

  /** Two people at one screen have agreed; the computer agrees if it does not stand better. */
  const askDraw = async () => {
    if (!isAlone()) {
      end("draw", "agreed");
      return;
    }
    const rival = askingSide() === "W" ? "B" : "W";
    opponent.forget();
    changes += 1;
    const asked = changes;
    const { value } = await opponent.think(session.position, damspecPlay.LEVELS.strong.limits);
    if (asked !== changes) return;
    const agreed = (session.position.side === rival ? value : -value) <= 0;
    if (agreed) end("draw", "agreed");
    else if (isRival(session.position.side)) answer();
    say(words.fill(agreed ? "drawn-by" : "no-draw", { side: words.side(rival) }));
  };

  // --- the computer ---

  const seen = () => session.turns.map(({ before }) => game.write(before));

  const answer = async () => {
    const asked = changes;
    const { position } = session;
    if (spins().length) {
      await new Promise((done) => setTimeout(done, 500));
      if (asked === changes) play(byChance(spins()));
      return;
    }
    saw.textContent = words.fill("thinking", { side: words.side(position.side) });
    const { limits, lapses } = damspecPlay.LEVELS[level.value];
    try {
      const lapse = Math.random() < lapses;
      const thought = await opponent.think(position, { ...limits, seen: seen(), lapse });
      if (asked !== changes) return;
      saw.textContent = words.saw(position, thought);
      play(offers.find(({ action }) => action.text === thought.action));
    } catch (error) {
      saw.textContent = words.fill("cannot", { why: error.message });
    }
  };

  const showHint = async () => {
    const asked = changes;
    opponent.forget();
    say(texts.analysing);
    const { action: best } = await opponent.think(session.position, { ...damspecPlay.LEVELS.strong.limits, seen: seen() });
    if (asked !== changes) return;
    const offer = offers.find(({ action }) => action.text === best);
    hint = offer.action.path;
    selection.clear();
    drawBoard();
    say(words.fill("hinted", { move: words.offered(offer) }));
    analyse();
  };

  /** Shows what each action leads to, while that is unfolded. */
  const analyse = async () => {
    consequences.replaceChildren();
    if (!analysis.open || !playing() || spins().length) return;
    const asked = changes;
    const { position } = session;
    consequences.textContent = texts.analysing;
    const found = await opponent.analyse(position, { milliseconds: 1500, seen: seen() });
    if (asked !== changes) return;
    const items = found.actions.map((each) => {
      const offer = offers.find(({ action }) => action.text === each.action);
      const line = each.line.slice(1, 6).map(words.written).join(" ");
      return element("li", {}, offerButton(offer), ` ${words.standing(each, position.side)} `, element("small", {}, line));
    });
    consequences.replaceChildren(
      element("p", {}, words.fill("deep", { depth: found.depth })),
      element("ol", {}, ...items),
    );
  };

  // --- what the browser keeps ---

  const keep = () => {
    if (!slot) return;
    const actions = session.turns.map(({ action }) => action.text);
    const changed = actions.length || white.value !== "person" || black.value !== "person";
    kept.write(slot, changed ? {
      start: game.write(session.start),
      played: actions,
      ...(outcome.reason === "resigned" || outcome.reason === "agreed" ? { ended: outcome } : {}),
      white: white.value,
      black: black.value,
      level: level.value,
      turned: round.getAttribute("aria-pressed") === "true",
    } : null);
  };

  /** Takes up the game that is kept; false if there is none, or it cannot be played any more. */
  const takeUp = () => {
    const found = slot ? kept.read(slot) : null;
    if (!found) return false;
    try {
      session = damspecPlay.session(game, game.read(found.start));
      session.playAll(found.played);
    } catch {
      session = damspecPlay.session(game, start);
      return false;
    }
    if (found.ended) session.end(found.ended.result, found.ended.reason);
    white.value = found.white;
    black.value = found.black;
    level.value = found.level;
    turnTo(found.turned);
    return true;
  };

  // --- events ---

  place.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && (selection.walked.length || asking.length || stuck)) letGo();
  }, listening);
  document.addEventListener("notation", () => {
    board.write(inLetters());
    drawAll();
  }, listening);

  if (!takeUp()) {
    session.playAll(line);
    session.go(0);
  }
  settle();
  return {
    begin,
    stop: () => {
      changes += 1;
      listening.abort();
      opponent.end();
    },
  };
};
