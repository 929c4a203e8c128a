// The board to play on with everything beside it: the possible actions, the game so far, and who plays.
"use strict";

/**
 * Puts a table into the page. `given` has the `game`, its start position, its `name`, how it is written (`format`), the
 * words for outcomes, and `address`, the beginning of links to positions, if there can be any. Returns
 * `begin(position)`, which starts anew there, and `stop()`, to be called when the table is removed.
 */
damspecPlay.table = (place, { game, start, name, format, words: data, address = "" }) => {
  const { element } = damspec;
  const { button } = damspecPlay;
  const inLetters = () => document.getElementById("notation")?.value === "letters";
  const board = damspecBoard.make(game, {
    label: `Board of ${name}`,
    letters: inLetters(),
    choose: (square) => choose(square),
    push: game.board.sliders.length ? (id) => push(id) : null,
    drag: (square) => playing() && (selection.walked.at(-1) === square || selection.starts().includes(square)),
    drop: (from, to) => drop(from, to),
  });
  const words = damspecPlay.words(game, board.name, data);
  const opponent = damspecPlay.opponent(game);
  const listening = new AbortController();

  let session = damspecPlay.session(game, start);
  let outcome = null;
  /** The possible actions; the selection among them square by square; those to choose from below the board. */
  let offers = [], selection = damspecPlay.selection([]), asking = [];
  /** The number of changes of the position; answers to earlier requests to the computer are dropped. */
  let changes = 0;
  /** The last event, in words. */
  let said = "";

  // --- elements ---

  const select = (label, options) => {
    const found = element("select", {}, ...options.map(([value, text]) => element("option", { value }, text)));
    found.addEventListener("change", () => settle());
    return [element("label", {}, `${label} `, found), found];
  };

  const status = element("p", { role: "status", class: "told" });
  const turn = element("p", { class: "turn" });
  const choices = element("div", { class: "choices", role: "group", "aria-label": "To choose" });
  const list = element("ul", { class: "offers" });
  const listHead = element("summary");
  const played = element("ol", { class: "played", "aria-label": "What was played" });
  const undo = button("Undo", () => back());
  const redo = button("Redo", () => goTo(session.length + 1));
  const round = button("Turn the board", () => turnRound(), { "aria-pressed": "false" });
  const PLAYERS = [["person", "a person"], ["computer", "the computer"]];
  const [whiteLabel, white] = select("White is", PLAYERS);
  const [blackLabel, black] = select("Black is", PLAYERS);
  const [timeLabel, time] = select("It thinks for", [["200", "a moment"], ["1000", "a second"], ["3000", "three seconds"]]);
  time.value = "1000";
  const saw = element("p", { class: "saw", "aria-live": "polite" });
  const texts = damspecPlay.texts({
    game,
    format,
    address,
    begin: (position) => {
      begin(position);
      say(`Set up. ${words.asked(position)}.`);
    },
  });

  place.replaceChildren(
    element("div", { class: "board-side" }, board.element, status, choices),
    element(
      "div",
      { class: "desk" },
      turn,
      element("p", { class: "buttons" }, undo, redo, button("Start again", () => begin(start)), round),
      element("details", { open: "open" }, listHead, list),
      element("p", { class: "players" }, whiteLabel, blackLabel, timeLabel),
      saw,
      element("h3", {}, "The game"),
      played,
      texts.element,
    ),
  );

  // --- state ---

  const isRival = (side) => (side === "W" ? white : black).value === "computer";
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
      squares: path.length ? [path[0], path.at(-1)] : [],
      arrows: path.length && isRival(last.before.side) ? [path] : [],
      rings: starts,
      broken: huffed,
      crosses: fell,
      sliders: playing() ? ofKind("slide").map(({ action }) => action.slider) : [],
      words: Object.fromEntries([
        ...labelled(fell, "a piece fell here"),
        ...labelled(starts, "can move"),
        ...labelled(huffed, "can be huffed"),
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
        ...labelled(squares(false), "can go here"),
        ...labelled(squares(true), "can go here, which breaks the duty to capture"),
        [here, "chosen"],
      ]),
    };
  };

  // --- drawing ---

  const drawBoard = () => {
    board.show(damspecPlay.halfway(session.position, selection.walked));
    board.mark(selection.walked.length ? onTheWay() : atRest());
  };

  const offerButton = (offer) => {
    const text = words.offered(offer) + (offer.lapse ? " (breaks the duty to capture)" : "");
    return button(text, () => play(offer), { class: offer.lapse ? "lapse" : "" });
  };

  /** The spinner, if it has to be spun: by chance, or to a chosen outcome. */
  const spinner = () => {
    const found = playing() ? spins() : [];
    if (!found.length) return [];
    const chosen = found.map((offer) => {
      const result = offer.action.text.slice("spin=".length);
      const choice = button(result, () => play(offer));
      choice.prepend(damspecBoard.sign(result));
      return choice;
    });
    const spin = button("Spin", () => play(byChance(found)), { class: "main" });
    return [spin, element("span", {}, "or choose what it shows:"), ...chosen];
  };

  const drawChoices = () => {
    const { spin } = session.position;
    const { offers: ended, more } = selection.ended();
    const ends = ended.map((offer) => {
      const choice = offerButton(offer);
      if (more) choice.prepend("End here: ");
      return choice;
    });
    choices.replaceChildren(
      ...(spin && spin !== "due" ? [damspecBoard.sign(spin)] : []),
      ...spinner(),
      ...asking.map(offerButton),
      ...ends,
      ...(selection.walked.length || asking.length ? [button("Let go", () => letGo())] : []),
    );
  };

  const drawList = () => {
    const found = playing() ? offers.filter(({ action }) => action.kind !== "spin") : [];
    listHead.textContent = `What can be played (${found.length})`;
    list.replaceChildren(...found.map((offer) => element("li", {}, offerButton(offer))));
  };

  const drawPlayed = () => {
    const items = session.all.map(({ before, action, lapse }, at) => {
      const text = words.written(action.text) + (lapse ? " (lapse)" : "");
      const here = at + 1 === session.length;
      const label = `${words.side(before.side)} ${text}, go there`;
      const to = button(text, () => goTo(at + 1), { "aria-label": label, "aria-current": here ? "step" : "" });
      return element("li", { class: at < session.length ? before.side : `${before.side} later` }, to);
    });
    played.replaceChildren(...items);
    played.hidden = !items.length;
    const here = items[session.length - 1];
    if (here) played.scrollTop = here.offsetTop - played.offsetTop - played.clientHeight / 2;
  };

  const draw = () => {
    drawBoard();
    drawChoices();
    drawList();
    drawPlayed();
    texts.show(session);
    undo.disabled = session.length === 0;
    redo.disabled = session.length === session.longest;
    turn.textContent = `${stands()}.`;
    status.textContent = said;
  };

  /** The state of the game, or what the side to move has to do. */
  const stands = () => {
    if (outcome.result !== "ongoing") return words.ended(outcome);
    const first = spins().length && !session.position.spin ? "; the spinner is turned first" : "";
    return words.asked(session.position) + first;
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
    draw();
    if (outcome.result === "ongoing" && isRival(session.position.side)) answer();
  };

  const say = (text) => {
    said = text;
    status.textContent = said;
  };

  const byChance = (found) => found[Math.floor(Math.random() * found.length)];

  /** Plays an action. If its button disappears, the next one gets the focus. */
  const play = (offer) => {
    const focused = [choices, list].some((part) => part.contains(document.activeElement));
    session.play(offer);
    settle();
    say(`${words.told(session.turns.at(-1))}. ${stands()}.`);
    if (focused) (choices.querySelector("button") ?? list.querySelector("button") ?? undo).focus();
  };

  const begin = (position) => {
    session = damspecPlay.session(game, position);
    said = "";
    saw.textContent = "";
    settle();
  };

  const goTo = (number) => {
    const focused = document.activeElement;
    session.go(number);
    said = session.length ? `After: ${words.told(session.turns.at(-1))}.` : "The beginning.";
    settle();
    if (focused.disabled) (focused === undo ? redo : undo).focus();
  };

  /** Undoes the last action, and the computer's answers after a person's action. */
  const back = () => {
    let number = session.length - 1;
    while (number > 0 && isRival(session.all[number].before.side)) number -= 1;
    saw.textContent = "";
    goTo(number);
    say(`Taken back. ${stands()}.`);
  };

  const turnRound = () => {
    const turned = round.getAttribute("aria-pressed") !== "true";
    round.setAttribute("aria-pressed", turned);
    board.turn(turned);
  };

  const letGo = () => {
    selection.clear();
    asking = [];
    drawBoard();
    drawChoices();
    board.focus();
    say("Nothing is chosen.");
  };

  /** Handles a chosen square: part of a move, or a piece to huff. */
  const choose = (square) => {
    if (!playing()) return;
    if (spins().length) {
      say("The spinner has to be turned first.");
      return;
    }
    asking = [];
    if (selection.choose(square)) {
      const { offers: ended, more } = selection.ended();
      if (ended.length === 1 && !more) {
        play(ended[0]);
        return;
      }
      const next = words.listed(selection.next().map((each) => each.square));
      if (ended.length) say("This can end here or be something else: choose below the board.");
      else if (selection.walked.length) say(`From ${words.listed(selection.walked)}: it can go to ${next}.`);
      else say("Nothing is chosen.");
    } else if (huffs(square).length) {
      selection.clear();
      asking = huffs(square);
      say("Huff this piece? Choose below the board.");
    } else {
      say(words.refused(session.position, square, { walked: selection.walked, offers }));
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
    say(`Where is ${id} pushed to? Choose below the board.`);
    drawBoard();
    drawChoices();
  };

  const drop = (from, to) => {
    if (selection.walked.at(-1) !== from) {
      selection.clear();
      choose(from);
    }
    if (to) choose(to);
  };

  // --- the computer ---

  const answer = async () => {
    const asked = changes;
    const { position } = session;
    if (spins().length) {
      await new Promise((done) => setTimeout(done, 500));
      if (asked === changes) play(byChance(spins()));
      return;
    }
    saw.textContent = `${words.side(position.side)} is thinking ...`;
    const limits = { milliseconds: Number(time.value), seen: session.turns.map(({ before }) => game.write(before)) };
    try {
      const thought = await opponent.think(position, limits);
      if (asked !== changes) return;
      saw.textContent = words.saw(position, thought);
      play(offers.find(({ action }) => action.text === thought.action));
    } catch (error) {
      saw.textContent = `The computer cannot play on: ${error.message}`;
    }
  };

  // --- events ---

  place.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && (selection.walked.length || asking.length)) letGo();
  }, listening);
  document.addEventListener("notation", () => {
    board.write(inLetters());
    draw();
  }, listening);

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
