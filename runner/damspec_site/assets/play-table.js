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
 * under which the browser keeps the game, if it does, and the position to which it was `linked`, `line`, moves that can
 * be played through, `lifted`, which promises what `damspecPlay.explain` needs, `solved`, which promises the files of
 * solved endgames, `rival`, whether the computer plays Black at first, and `more`, an element to show with the settings.
 * Returns an object with `stop()`, to be called when the table is removed.
 */
damspecPlay.table = (place, given) => {
  const { game, start, name, format, words: texts, address = "", slot = "", line = [], lifted = null, solved = null } = given;
  const { element, button, inLetters } = damspec;
  const { kept } = damspecPlay;
  const { icon } = damspecBoard;
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
  const outcomes = Object.keys(game.values["spin.outcomes"] ?? {});
  const wheel = outcomes.length ? damspecPlay.wheel(outcomes, texts.wheel) : null;
  const listening = new AbortController();

  let session = damspecPlay.session(game, start);
  let outcome = null;
  /** The possible actions; the selection among them square by square; those to choose from beside the board. */
  let offers = [], selection = damspecPlay.selection([]), asking = [];
  /** A piece that cannot move, chosen to read why; the path of a hint; the piece that may be huffed, 0 if none is to be. */
  let stuck = 0, hint = [], offender = 0;
  /** The number of changes of the position; answers to earlier requests to the computer are dropped. */
  let changes = 0;
  /** The number of changes when the wheel was spun last. */
  let turning = -1;
  /** The motion on the board, for which the computer waits. */
  let motion = Promise.resolve();

  // --- elements ---

  const PLAYERS = ["person", "computer"];
  const select = (label, options, usual, change) => {
    const found = element("select", {}, ...options.map((value) => element("option", { value }, texts[value])));
    found.value = usual;
    found.addEventListener("change", change);
    return [element("label", {}, `${label} `, found), found];
  };
  const check = (text, checked, change) => {
    const box = Object.assign(element("input", { type: "checkbox" }), { checked });
    box.addEventListener("change", () => change(box.checked));
    return [element("label", {}, box, ` ${text}`), box];
  };
  const drawn = (name, d) => damspecBoard.svg("svg", { class: name, viewBox: "0 0 24 24", "aria-hidden": "true" }, damspecBoard.svg("path", { d }));
  const BACK = "M9 4L4 9l5 5M4 9h10a6 6 0 0 1 0 12", ON = "M7 4.5v15l12-7.5z";
  const tool = (text, d, act) => {
    const made = button(text, act, { class: "btn" });
    made.prepend(drawn("i", d));
    return made;
  };
  /** A button with what it does below its name. */
  const choice = (picture, text, effect, act, main = false) => {
    const made = button("", act, { class: main ? "btn go" : "btn" });
    made.append(...picture, element("span", {}, text, element("small", {}, effect)));
    return made;
  };

  const mover = element("span", { class: "mover" });
  const turn = element("h2");
  const status = element("p", { role: "status", class: "told" });
  const choices = element("div", { class: "offered", role: "group", "aria-label": texts.choose });
  const card = element("div", { class: "card" }, ...(wheel ? [wheel.element] : []), choices);
  const aside = element("p", { class: "aside" });
  const played = element("ol", { class: "log", "aria-label": texts.played, tabindex: "0" });
  const tray = element("p", { class: "tray", role: "img" });
  const undo = tool(texts.undo, BACK, () => back());
  const clue = tool(texts.hint, "M9 18h6M10 21h4M8 14a6 6 0 1 1 8 0c-.8.8-1 1.6-1 2.5H9c0-.9-.2-1.7-1-2.5z", () => showHint());
  const resign = tool(texts.resign, "M5 21V4h12l-3 4 3 4H5", () => giveUp());
  const settings = tool("", "M4 7h9M19 7h1M4 17h1M11 17h9M18.6 7a2.6 2.6 0 1 1-5.2 0a2.6 2.6 0 1 1 5.2 0M10.6 17a2.6 2.6 0 1 1-5.2 0a2.6 2.6 0 1 1 5.2 0", () => more.showModal());
  settings.setAttribute("aria-label", texts.settings);

  const redo = button(texts.redo, () => goTo(session.length + 1));
  const [roundLabel, round] = check(texts.turn, false, (turned) => {
    board.turn(turned);
    keep();
  });
  const [soundLabel] = check(texts.sounds, sounds.on, (on) => sounds.turn(on));
  const draw = button(texts.draw, () => askDraw());
  const usual = { white: "person", black: given.rival ? "computer" : "person" };
  const [whiteLabel, white] = select(texts["white-is"], PLAYERS, usual.white, () => changePlayers());
  const [blackLabel, black] = select(texts["black-is"], PLAYERS, usual.black, () => changePlayers());
  const [levelLabel, level] = select(texts.level, Object.keys(damspecPlay.LEVELS), "easy", () => settle());
  const shows = element("p", { class: "buttons" });
  const list = element("ul", { class: "offers" });
  const listHead = element("summary");
  const saw = element("p", { class: "saw" });
  const analysis = element("details", { class: "analysis" }, element("summary", {}, texts.analyse));
  const consequences = analysis.appendChild(element("div", { "aria-live": "polite" }));
  analysis.addEventListener("toggle", () => analyse());
  const written = damspecPlay.texts({ game, format, address, texts }, (position, actions) => {
    begin(position, actions);
    tell(actions ? texts.loaded : texts["set-up"]);
  });
  const more = element("dialog", { class: "table-settings", "aria-label": texts.settings },
    ...(given.more ? [given.more] : []),
    element("p", { class: "players" }, whiteLabel, blackLabel, levelLabel),
    element("p", { class: "buttons" }, button(texts.again, () => begin(start)), redo, draw, roundLabel, soundLabel),
    shows,
    element("details", {}, listHead, list),
    analysis,
    saw,
    written.element,
    element("form", { method: "dialog" }, element("button", { class: "btn go" }, texts.close)));

  place.style.setProperty("--shape", board.shape);
  place.replaceChildren(
    element("div", { class: "board-side" }, board.element),
    element("div", { class: "panel" },
      element("div", { class: "turn" }, mover, element("div", {}, turn, status)),
      card, aside, played, tray,
      element("div", { class: "tools" }, undo, clue, resign, settings)),
    more,
  );

  // --- state ---

  const isRival = (side) => (side === "W" ? white : black).value === "computer";
  const isAlone = () => white.value !== black.value;
  const playing = () => outcome.result === "ongoing" && !isRival(session.position.side);
  /** The possible actions of a kind, for one slider if given. */
  const ofKind = (kind, text = "") =>
    offers.filter(({ action }) => action.kind === kind && action.text.startsWith(text));
  const spins = () => ofKind("spin");
  const pushes = (id = "") => ofKind("slide", id && `${id}=`);
  const huffs = (square) => ofKind("huff").filter(({ action }) => action.captured[0] === square);
  const huffed = () => ofKind("huff").map(({ action }) => action.captured[0]);
  const takers = () => ofKind("capture").flatMap(({ action, lapse }) => (lapse ? [] : action.path[0]));
  const doorOf = ({ action }) => words.doorOf(action);
  /** The turn that left a capture which may be claimed now: the last one, or else the one that the FEN names. */
  const lapse = () => {
    if (session.length) return session.turns.at(-1);
    const { huffable } = session.position, before = game.beforeLapse(session.position);
    return { before, action: game.legal(before).lapses.find(({ after }) => after.huffable === huffable) };
  };
  const missed = () => (offender ? words.missed(lapse(), offender) : null);
  const labelled = (squares, text) => squares.map((square) => [square, text]);

  /** The marks of a position before anything is chosen. */
  const atRest = () => {
    const last = (offender ? lapse() : session.turns.findLast(({ action }) => action.kind !== "spin"))?.action;
    const starts = playing() && !offender ? selection.starts() : [];
    const pushed = playing() ? pushes() : [];
    const could = missed();
    return {
      squares: stuck ? [stuck] : last?.kind === "slide" ? [words.doorOf(last)] : (last?.path ?? []),
      dashed: hint.length > 1 ? [hint] : could ? [could.path] : [],
      rings: hint.length ? hint.slice(0, 1) : offender ? huffed() : playing() ? takers() : [],
      tags: could ? [offender, ...could.captured] : [],
      crosses: last?.kind === "slide" ? [] : (last?.falls ?? []),
      doors: pushed.map(doorOf),
      sliders: pushed.map(({ action }) => action.slider),
      words: Object.fromEntries([
        ...labelled(last?.falls ?? [], texts.fell),
        ...labelled(starts, texts["can-move"]),
        ...labelled(offender ? huffed() : [], texts["can-huff"]),
        ...labelled(pushed.map(doorOf), texts["can-push"]),
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

  /** What is asked about a capture that the other side overlooked. */
  const question = () => {
    const could = missed(), square = board.name(offender);
    const should = could && words.fill(`should-${words.kindOf(session.position.pieces[offender])}`, {
      square, pieces: words.pieces(lapse().before, could.captured, "taken"),
    });
    return [should, texts["huff-ask"]].filter(Boolean).join(" ");
  };

  /** What the side to move does now, if that goes without saying for nobody. */
  const advice = () => {
    const { position } = session;
    if (outcome.result !== "ongoing") return "";
    if (!playing()) return words.fill("thinking", { side: words.side(position.side) });
    if (offender) return question();
    if (spins().length) return texts[game.values["spin.when"] === "no-capture" ? "spin-free" : "spin-due"];
    const knobs = words.either([...new Set(pushes().map(({ action }) => words.knob(action.slider)))]);
    if (knobs || outcomes.includes(position.spin)) return words.fill(knobs ? "push-now" : "piece-now", { turn: stands(), knobs });
    if (ofKind("capture").some(({ lapse }) => !lapse) && !ofKind("move").some(({ lapse }) => !lapse)) return texts["must-now"];
    return session.length ? "" : texts["choose-piece"];
  };

  /** The state of the game: whose turn it is, and how it ended. */
  const stands = () => {
    const { side } = session.position;
    if (outcome.result !== "ongoing") return words.ended(outcome);
    return isAlone() && !isRival(side) ? texts["your-turn"] : words.fill("asked", { side: words.side(side) });
  };

  // --- drawing ---

  const drawBoard = () => {
    board.show(damspecPlay.halfway(session.position, selection.walked));
    board.mark(selection.walked.length ? onTheWay() : atRest());
  };

  const offerButton = (offer) =>
    button(words.offered(offer) + (offer.lapse ? ` ${texts.breaks}` : ""), () => {
      more.close();
      play(offer);
    }, { class: offer.lapse ? "btn lapse" : "btn" });

  /** The wheel to be spun, or what its result allows. */
  const drawWheel = () => {
    if (!playing()) return spins().length ? [element("p", {}, texts["rival-spins"])] : [];
    if (spins().length) return [button(texts.spin, () => spin(byChance(spins())), { class: "btn go" })];
    return pushes().map((offer) => {
      const { action } = offer;
      const text = words.fill(`knob-${action.text.split("=")[1][0]}`, { id: words.knob(action.slider) });
      const effect = words.effect(action, ["opens", "closes", "opens-again"]);
      return choice([], text, words.fill(effect, { square: board.name(doorOf(offer)) }), () => play(offer));
    });
  };

  /** The question what becomes of a capture that the other side overlooked. */
  const drawHuff = () => {
    const { position } = session;
    const other = { side: words.side(position.side === "W" ? "B" : "W") };
    const square = board.name(offender), kind = words.kindOf(position.pieces[offender]);
    const retract = ofKind("retract").map((offer) =>
      choice([drawn("i", BACK)], texts["act-retract"], words.fill(`retracted-${game.values["huff.retracted"]}`, other), () => play(offer)));
    return [
      element("h3", {}, words.fill("huff-title", other)),
      element("p", {}, question()),
      choice([icon(position.pieces[offender], "cross")], texts["huff-it"], words.fill(`huff-${kind}`, { square }), () => play(huffs(offender)[0]), true),
      ...retract,
      choice([drawn("i", ON)], texts["let-stand"], texts["let-stand-how"], () => letGo()),
    ];
  };

  const drawChoices = () => {
    const { offers: ended, more } = selection.ended();
    const ends = ended.map((offer) => {
      const choice = offerButton(offer);
      if (more) choice.prepend(texts["end-here"]);
      return choice;
    });
    const own = [...asking.map(offerButton), ...ends];
    if (own.length) own.push(button(texts["let-go"], () => letGo(), { class: "btn" }));
    const isOver = outcome.result !== "ongoing";
    card.className = offender ? "card huff" : wheel && !isOver ? "card wheelbox" : "card";
    choices.replaceChildren(
      ...(isOver ? [button(texts.again, () => begin(start), { class: "btn go" })] : []),
      ...(offender ? drawHuff() : own.length ? own : drawWheel()),
    );
    aside.textContent = offender ? [texts[`huff-${game.values["huff.turn"]}`], huffed().length > 1 && texts["huff-other"]].filter(Boolean).join(" ") : "";
    aside.hidden = !offender;
    card.hidden = !choices.childElementCount && !(wheel && !isOver);
  };

  const drawMore = () => {
    const found = playing() ? offers.filter(({ action }) => action.kind !== "spin") : [];
    listHead.textContent = words.fill("offers", { number: found.length });
    list.replaceChildren(...found.map((offer) => element("li", {}, offerButton(offer))));
    const shown = (playing() ? spins() : []).map((offer) => button(words.spin(offer.action.text.slice("spin=".length)), () => spin(offer)));
    shows.replaceChildren(...(shown.length ? [texts["or-spin"], ...shown] : []));
  };

  /** The game so far: what the wheel showed and what was done then are one line. */
  const drawPlayed = () => {
    const items = [];
    let shown = null;
    session.all.forEach((each, at) => {
      const { before, action } = each, next = session.all[at + 1];
      if (action.kind === "spin" && next?.before.side === before.side) {
        shown = action;
        return;
      }
      const colour = (shown ?? action).kind === "spin" ? (shown ?? action).text.slice("spin=".length) : "";
      const what = action.kind === "spin" ? "…" : words.done(each, session.all[at - 1]);
      const here = at + 1 === session.length || (at === session.length && shown);
      const to = button("", () => goTo(at + 1), { "aria-current": here ? "step" : "" });
      to.append(
        element("span", { class: "spoken" }, words.side(before.side)), " ",
        ...(colour ? [element("span", { class: `k ${colour}` }, words.spin(colour)), " "] : []), what,
      );
      items.push(element("li", { class: at < session.length ? "" : "later" }, icon(before.side === "W" ? 1 : -1), to));
      shown = null;
    });
    played.replaceChildren(...items);
    const here = played.querySelector("[aria-current]");
    if (here) played.scrollTop = here.offsetTop - played.offsetTop - played.clientHeight + here.clientHeight + 8;
  };

  /** The pieces that have left the board. */
  const drawTray = () => {
    const of = ({ pieces }, sign) => pieces.filter((piece) => piece * sign > 0).length;
    const gone = [1, -1].map((sign) => Math.max(0, of(session.start, sign) - of(session.position, sign)));
    tray.setAttribute("aria-label", words.fill("gone", { white: gone[0], black: gone[1] }));
    tray.replaceChildren(...gone.map((number, at) => element("span", {}, ...Array.from({ length: number }, () => icon(at ? -1 : 1)))));
  };

  const drawAll = () => {
    drawBoard();
    drawChoices();
    drawMore();
    drawPlayed();
    drawTray();
    wheel?.show(session.position.spin);
    written.show(session);
    undo.disabled = session.length === 0;
    redo.disabled = session.length === session.longest;
    clue.disabled = !playing() || spins().length > 0;
    resign.disabled = draw.disabled = outcome.result !== "ongoing";
    const { side, spin } = session.position;
    mover.replaceChildren(icon({ white: 1, black: -1 }[outcome.result] ?? (side === "W" ? 1 : -1)));
    turn.textContent = playing() && outcomes.includes(spin) ? words.fill("shown", { spin: words.spin(spin) }) : stands();
    turn.textContent = turn.textContent[0].toUpperCase() + turn.textContent.slice(1);
    status.textContent = advice();
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
    offender = (playing() && huffed()[0]) || 0;
    drawAll();
    keep();
    if (outcome.result === "ongoing" && isRival(session.position.side)) answer();
    else analyse();
  };

  const say = (...parts) => status.replaceChildren(...parts);
  /** Says what has happened, which can be seen, and then what to do now, which cannot. */
  const tell = (text) => {
    const goesOn = session.length && session.turns.at(-1).before.side === session.position.side;
    const isNew = outcome.result !== "ongoing" || (playing() && !goesOn);
    say(element("span", { class: "spoken" }, `${text} ${isNew ? `${stands()}. ` : ""}`), advice());
  };

  const byChance = (found) => found[Math.floor(Math.random() * found.length)];

  /** Shows an action on the board: jump by jump, and what falls. */
  const animate = async (action, { pieces }, from) => {
    const { path, captured, falls, kind } = action;
    const jumps = path.slice(from);
    if (jumps.length > 1) {
      const taken = captured.map((square) => [square, pieces[square]]);
      await board.glide(pieces[path[0]], jumps, taken, game.values["capture.removal"] === "at-once");
    }
    const opened = kind === "slide" ? words.effect(action, [[words.doorOf(action)], [], [words.doorOf(action)]]) : [];
    const { sliders } = session.position;
    const isOpen = (square) => game.board.sliders.some(({ left, right }, at) => ({ L: left, R: right })[sliders[at]] === square);
    const falling = [...new Set([...opened, ...falls])];
    await Promise.all(falling.map((square) =>
      board.fall(square, falls.includes(square) ? pieces[kind === "slide" ? square : path[0]] : 0, isOpen(square))));
  };

  /** Plays an action, shown from a square of its path on. If its button disappears, the next one gets the focus. */
  const play = (offer, from = 0) => {
    const focused = [choices, list, analysis].some((part) => part.contains(document.activeElement));
    const before = session.position;
    session.play(offer);
    settle();
    motion = animate(offer.action, before, from);
    sounds.play(outcome.result !== "ongoing" ? "over" : offer.action.captured.length ? "capture" : "move");
    tell(`${words.told(session.turns.at(-1), session.turns.at(-2))}.`);
    if (focused && !more.open) (choices.querySelector("button") ?? undo).focus();
  };

  /** Spins the wheel, which stops where it was drawn to stop, before anything is told of it. */
  const spin = async (offer) => {
    if (turning === changes) return;
    const asked = changes;
    turning = asked;
    more.close();
    await wheel.spin(offer.action.text.slice("spin=".length));
    if (asked === changes) play(offer);
  };

  const begin = (position, actions = []) => {
    session = damspecPlay.session(game, position);
    session.playAll(actions);
    saw.textContent = "";
    settle();
  };

  const goTo = (number) => {
    const focused = document.activeElement;
    session.go(number);
    settle();
    tell(session.length ? `${texts.after} ${words.told(session.turns.at(-1), session.turns.at(-2))}.` : texts.begun);
    if (focused.disabled) (focused === undo ? settings : undo).focus();
  };

  /** Undoes the last action, and the computer's answers after a person's action. */
  const back = () => {
    let number = session.length - 1;
    while (number > 0 && isRival(session.all[number].before.side)) number -= 1;
    saw.textContent = "";
    goTo(number);
    tell(texts["taken-back"]);
  };

  const turnTo = (turned) => {
    round.checked = turned;
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
    stuck = offender = 0;
    drawBoard();
    drawChoices();
    board.focus();
    say(texts.nothing);
  };

  /** Says which rule forbids a move. */
  const explain = async (squares) => {
    const asked = changes;
    const rules = await lifted();
    if (asked === changes) say(...damspecPlay.explain(game, session.position, rules, board.name, texts)(squares, ""));
  };

  /** Handles a chosen square: a door, part of a move, a piece to huff, or a move to be explained. */
  const choose = (square, dragged = false) => {
    if (!playing()) return;
    if (spins().length) return say(texts["spin-due"]);
    asking = [];
    const atDoor = pushes().filter((offer) => doorOf(offer) === square);
    if (atDoor.length === 1) return play(atDoor[0]);
    const { position } = session;
    const own = position.pieces[square] * (position.side === "W" ? 1 : -1) > 0;
    const before = stuck ? [stuck] : selection.walked;
    stuck = 0;
    if (selection.choose(square)) {
      offender = 0;
      const { offers: ended, more } = selection.ended();
      if (ended.length === 1 && !more) return play(ended[0], dragged ? ended[0].action.path.length : Math.max(0, before.length - 1));
      const next = words.listed(selection.next().map((each) => each.square));
      if (ended.length) say(texts.ends);
      else if (selection.walked.length) say(words.fill("from", { squares: words.listed(selection.walked), next }));
      else say(texts.nothing);
    } else if (huffs(square).length) {
      selection.clear();
      offender = square;
      say(words.fill("act-huff", { square: board.name(square) }));
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

  /** Handles a chosen knob; asks if it can be pushed in two ways, or may close its door again. */
  const push = (id) => {
    const found = playing() ? pushes(id) : [];
    if (found.length === 1) play(found[0]);
    if (found.length < 2) return;
    asking = found;
    say(words.fill("push-where", { id: words.knob(id) }));
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
    settle();
    tell("");
    sounds.play("over");
  };

  /** The side that gives up, or offers a draw: the only person's, or the one to move. */
  const askingSide = () => (isAlone() ? (isRival("W") ? "B" : "W") : session.position.side);

  const giveUp = () => end(askingSide() === "W" ? "black" : "white", "resigned");

  /** Two people at one screen have agreed; the computer agrees if it does not stand better. */
  const askDraw = async () => {
    if (!isAlone()) return end("draw", "agreed");
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
    await null; // the motion of the last action begins only now
    if (spins().length) {
      await motion;
      if (asked === changes) spin(byChance(spins()));
      return;
    }
    const { limits, lapses } = damspecPlay.LEVELS[level.value];
    try {
      const lapse = Math.random() < lapses;
      const [thought] = await Promise.all([opponent.think(position, { ...limits, seen: seen(), lapse }), motion]);
      if (asked !== changes) return;
      saw.textContent = words.saw(position, thought);
      play(offers.find(({ action }) => action.text === thought.action));
    } catch (error) {
      say(words.fill("cannot", { why: error.message }));
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
    offender = 0;
    selection.clear();
    drawBoard();
    drawChoices();
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
    consequences.replaceChildren(element("p", {}, words.fill("deep", { depth: found.depth })), element("ol", {}, ...items));
  };

  // --- what the browser keeps ---

  const keep = () => {
    if (!slot) return;
    const actions = session.turns.map(({ action }) => action.text);
    const changed = actions.length || white.value !== usual.white || black.value !== usual.black;
    kept.write(slot, changed ? {
      start: game.write(session.start),
      linked: given.linked,
      played: actions,
      ...(outcome.reason === "resigned" || outcome.reason === "agreed" ? { ended: outcome } : {}),
      white: white.value,
      black: black.value,
      level: level.value,
      turned: round.checked,
    } : null);
  };

  /** Takes up the game that is kept; false if there is none, or it cannot be played any more. */
  const takeUp = () => {
    const found = slot ? kept.read(slot) : null;
    if (!found || found.linked !== given.linked) return false;
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
    if (event.key === "Escape" && !more.open && (selection.walked.length || asking.length || stuck)) letGo();
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
    stop: () => {
      changes += 1;
      listening.abort();
      opponent.end();
    },
  };
};
