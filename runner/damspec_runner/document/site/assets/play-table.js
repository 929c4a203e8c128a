// The board to play on with all that lies beside it: what can be done, what was done, the players, the game as text.
"use strict";

/**
 * Puts a table into the page. `given` has the `game` and `start` (a position), what it is called (`name`), how it is
 * written (`format`), and `address`, what a link to a position begins with, if there can be one.
 */
damspecPlay.table = (place, { game, start, name, format, words: data, address = "" }) => {
  const made = damspec.element;
  const notation = document.getElementById("notation");
  const inLetters = () => notation?.value === "letters";
  const board = damspecBoard.make(game, {
    label: `Board of ${name}`,
    letters: inLetters(),
    choose: (square) => choose(square),
    push: game.board.sliders.length ? (id) => push(id) : null,
    drag: (square) => playing() && (steps.walked.at(-1) === square || steps.starts().includes(square)),
    drop: (from, to) => drop(from, to),
  });
  const words = damspecPlay.words(game, board.name, data);
  let session = damspecPlay.session(game, start);
  let offers = [], steps = damspecPlay.steps([]), asking = [], outcome = null, rival = null, waiting = 0;
  let said = "";

  // --- what there is in the page ---

  const button = (text, act, attributes = {}) => {
    const found = made("button", { type: "button", ...attributes }, text);
    found.addEventListener("click", act);
    return found;
  };
  const select = (label, options, change) => {
    const found = made("select", {}, ...options.map(([value, text]) => made("option", { value }, text)));
    found.addEventListener("change", change);
    return [made("label", {}, `${label} `, found), found];
  };

  const status = made("p", { role: "status", class: "told" });
  const turn = made("p", { class: "turn" });
  const choices = made("div", { class: "choices", role: "group", "aria-label": "To choose" });
  const offered = made("ul", { class: "offers" });
  const offeredHead = made("summary", {}, "What can be played");
  const moves = made("ol", { class: "played", "aria-label": "What was played" });
  const undo = button("Undo", () => back());
  const redo = button("Redo", () => forward());
  const again = button("Start again", () => begin(start));
  const round = button("Turn the board", () => turnRound(), { "aria-pressed": "false" });
  const SIDES = [["W", "White"], ["B", "Black"]];
  const PLAYERS = [["", "a person"], ["rival", "the computer"]];
  const players = SIDES.map(([letter, side]) => [letter, ...select(`${side} is`, PLAYERS, () => settle())]);
  const TIMES = [["200", "a moment"], ["1000", "a second"], ["3000", "three seconds"]];
  const [timeLabel, time] = select("It thinks for", TIMES, () => settle());
  time.value = "1000";
  const saw = made("p", { class: "saw", "aria-live": "polite" });
  const pdn = made("textarea", { readonly: "readonly", rows: "6", "aria-label": "The game in PDN", spellcheck: "false" });
  const fen = made("input", { type: "text", "aria-label": "The position as FEN", spellcheck: "false", autocomplete: "off" });
  const fenForm = made("form", { class: "position-form" }, fen, made("button", { type: "submit" }, "Set up"));
  const fenWrong = made("p", { class: "wrong", role: "alert" });
  const link = made("a", {}, "This position");

  const copying = (label, text) => {
    const found = button(label, async () => {
      try {
        await navigator.clipboard.writeText(text());
        found.textContent = "Copied";
      } catch {
        found.textContent = "Not copied";
      }
      setTimeout(() => (found.textContent = label), 2000);
    });
    return found;
  };
  const save = button("Download", () => {
    const href = URL.createObjectURL(new Blob([pdn.value], { type: "text/plain" }));
    const file = made("a", { href, download: "game.pdn" });
    file.click();
    setTimeout(() => URL.revokeObjectURL(href), 1000);
  });

  place.replaceChildren(
    made("div", { class: "board-side" }, board.element, status, choices),
    made(
      "div",
      { class: "desk" },
      turn,
      made("p", { class: "buttons" }, undo, redo, again, round),
      made("details", { open: "open" }, offeredHead, offered),
      made("p", { class: "players" }, ...players.map((each) => each[1]), timeLabel),
      saw,
      made("h3", {}, "The game"),
      moves,
      made(
        "details",
        {},
        made("summary", {}, "As text"),
        made("p", { class: "field-name" }, "Position (FEN)"),
        fenForm,
        fenWrong,
        made("p", { class: "buttons" }, copying("Copy FEN", () => game.write(session.position)), ...(address ? [link, copying("Copy link", () => link.href)] : [])),
        made("p", { class: "field-name" }, "Game (PDN)"),
        pdn,
        made("p", { class: "buttons" }, copying("Copy PDN", () => pdn.value), save),
      ),
    ),
  );

  // --- how it stands ---

  const isRival = (letter) => players.find((each) => each[0] === letter)[2].value === "rival";
  const playing = () => outcome.result === "ongoing" && !isRival(session.position.side);
  const spins = () => offers.filter(({ action }) => action.kind === "spin");
  const others = () => offers.filter(({ action }) => !["move", "capture", "spin"].includes(action.kind));
  const pushes = (id) => others().filter(({ action }) => action.kind === "slide" && action.text.startsWith(`${id}=`));
  const huffs = (square) => others().filter(({ action }) => action.kind === "huff" && action.text === `huff ${square}`);

  /** The position with the piece where it stands in the middle of a move, and the marks that go with it. */
  const shown = () => {
    const { position } = session;
    const last = session.turns.at(-1)?.action;
    if (!steps.walked.length) {
      const starts = playing() ? steps.starts() : [];
      const huffed = playing() ? others().filter(({ action }) => action.kind === "huff") : [];
      const squares = huffed.map(({ action }) => Number(action.text.slice(5)));
      return [position, {
        squares: last?.path?.length ? [last.path[0], last.path.at(-1)] : [],
        rings: starts,
        broken: squares,
        sliders: playing() ? others().filter(({ action }) => action.kind === "slide").map(({ action }) => action.text.split("=")[0]) : [],
        words: { ...Object.fromEntries(starts.map((each) => [each, "can move"])), ...Object.fromEntries(squares.map((each) => [each, "can be huffed"])) },
      }];
    }
    const pieces = position.pieces.slice();
    const [first, here] = [steps.walked[0], steps.walked.at(-1)];
    pieces[first] = 0;
    pieces[here] = position.pieces[first];
    const next = steps.next();
    const only = next.filter(({ lapse }) => lapse), right = next.filter(({ lapse }) => !lapse);
    return [{ ...position, pieces }, {
      squares: [first],
      rings: [here],
      dots: right.map(({ square }) => square),
      broken: only.map(({ square }) => square),
      crosses: steps.captured(),
      words: Object.fromEntries([
        [here, "chosen"],
        ...right.map(({ square }) => [square, "can go here"]),
        ...only.map(({ square }) => [square, "can go here, which breaks the duty to capture"]),
      ]),
    }];
  };

  const drawBoard = () => {
    const [position, marks] = shown();
    board.show(position);
    board.mark(marks);
  };

  const offerButton = (offer) => {
    const text = words.offered(offer) + (offer.lapse ? " (breaks the duty to capture)" : "");
    return button(text, () => play(offer), offer.lapse ? { class: "lapse" } : {});
  };

  const drawChoices = () => {
    const found = playing() ? spins() : [];
    const spinning = found.length
      ? [
          button("Spin", () => play(found[Math.floor(Math.random() * found.length)]), { class: "main" }),
          made("span", {}, "or choose what it shows:"),
          ...found.map((offer) => {
            const choice = button(offer.action.text.slice(5), () => play(offer));
            choice.prepend(damspecBoard.sign(offer.action.text.slice(5)));
            return choice;
          }),
        ]
      : [];
    const shows = ["", "due"].includes(session.position.spin) ? [] : [damspecBoard.sign(session.position.spin)];
    const { offers: ended, more } = steps.ended();
    const stop = ended.map((offer) => {
      const choice = offerButton(offer);
      if (more) choice.prepend("End here: ");
      return choice;
    });
    const drop = steps.walked.length ? [button("Another piece", () => drop_())] : [];
    choices.replaceChildren(...shows, ...spinning, ...asking.map(offerButton), ...stop, ...drop);
  };

  const drawList = () => {
    const found = playing() ? offers.filter(({ action }) => action.kind !== "spin") : [];
    offeredHead.textContent = `What can be played (${found.length})`;
    offered.replaceChildren(...found.map((offer) => made("li", {}, offerButton(offer))));
  };

  const drawPlayed = () => {
    moves.replaceChildren(
      ...session.all.map(({ before, action, lapse }, at) => {
        const text = words.written(action.text) + (lapse ? " (lapse)" : "");
        const to = button(text, () => goTo(at + 1), { "aria-label": `${words.side(before.side)} ${text}, go there`, "aria-current": at + 1 === session.length ? "step" : "" });
        return made("li", { class: at < session.length ? before.side : `${before.side} later` }, to);
      }),
    );
    moves.hidden = !session.longest;
    const here = moves.children[session.length - 1];
    if (here) moves.scrollTop = here.offsetTop - moves.offsetTop - moves.clientHeight / 2;
  };

  const drawText = () => {
    pdn.value = damspecPlay.pdn(session, format);
    fen.value = game.write(session.position);
    fenWrong.textContent = "";
    link.href = `${address}/${game.write(session.position)}`;
  };

  const draw = () => {
    drawBoard();
    drawChoices();
    drawList();
    drawPlayed();
    drawText();
    undo.disabled = session.length === 0;
    redo.disabled = session.length === session.longest;
    turn.textContent = outcome.result === "ongoing" ? `${words.asked(session.position)}.` : `${words.ended(outcome)}.`;
    status.textContent = said;
  };

  // --- what is done ---

  /** Takes in a new position: what can be done there, and whether the computer is to move. */
  const settle = () => {
    waiting += 1;
    rival?.forget();
    outcome = session.outcome();
    offers = outcome.result === "ongoing" ? session.offers() : [];
    steps = damspecPlay.steps(offers);
    asking = [];
    place.classList.toggle("thinking", outcome.result === "ongoing" && isRival(session.position.side));
    draw();
    if (outcome.result === "ongoing" && isRival(session.position.side)) answer(waiting);
  };

  const say = (text) => {
    said = text;
    status.textContent = said;
  };

  const keepFocus = (change) => {
    const inside = [choices, offered].find((part) => part.contains(document.activeElement));
    change();
    if (inside) (choices.querySelector("button") ?? offered.querySelector("button") ?? undo).focus();
  };

  const play = (offer) =>
    keepFocus(() => {
      session.play(offer);
      const then = session.outcome();
      said = `${words.told(session.turns.at(-1))}. ${then.result === "ongoing" ? words.asked(session.position) : words.ended(then)}.`;
      settle();
    });

  const begin = (position) => {
    session = damspecPlay.session(game, position);
    said = "";
    saw.textContent = "";
    settle();
  };

  const goTo = (number) => {
    session.go(number);
    said = number ? `After ${words.told(session.turns.at(-1))}.` : "The beginning.";
    settle();
  };

  const back = () => {
    let number = session.length - 1;
    while (number > 0 && isRival(session.all[number].before.side)) number -= 1;
    saw.textContent = "";
    goTo(number);
    say(`Taken back. ${words.asked(session.position)}.`);
  };

  const forward = () => goTo(session.length + 1);

  const turnRound = () => {
    const turned = round.getAttribute("aria-pressed") !== "true";
    round.setAttribute("aria-pressed", turned);
    board.turn(turned);
  };

  const drop_ = () => {
    steps.clear();
    asking = [];
    drawBoard();
    drawChoices();
    board.focus();
  };

  /** A square is chosen: a step of a move, or a piece to be huffed. */
  const choose = (square) => {
    if (!playing()) return;
    if (spins().length === offers.length && offers.length) return say("The spinner has to be turned first.");
    asking = [];
    if (steps.choose(square)) {
      const { offers: ended, more } = steps.ended();
      if (ended.length === 1 && !more) return play(ended[0]);
      if (ended.length) say("This can end here or be something else: choose below the board.");
      else if (steps.walked.length) say(`From ${words.listed(steps.walked)}: it can go to ${words.listed(steps.next().map((each) => each.square))}.`);
    } else if (huffs(square).length) {
      asking = huffs(square);
      steps.clear();
      say("Huff this piece? Choose below the board.");
    } else say(words.refused(session.position, square, { walked: steps.walked, offers }));
    drawBoard();
    drawChoices();
  };

  const push = (id) => {
    if (!playing() || !pushes(id).length) return;
    steps.clear();
    if (pushes(id).length === 1) return play(pushes(id)[0]);
    asking = pushes(id);
    say(`Where is ${id} pushed to? Choose below the board.`);
    drawBoard();
    drawChoices();
  };

  const drop = (from, to) => {
    if (steps.walked.at(-1) !== from) {
      steps.clear();
      choose(from);
    }
    if (to !== from) choose(to);
  };

  // --- the computer ---

  const answer = async (asked) => {
    const { position } = session;
    const found = offers.filter(({ action }) => action.kind === "spin");
    if (found.length) {
      await new Promise((done) => setTimeout(done, 500));
      if (asked === waiting) play(found[Math.floor(Math.random() * found.length)]);
      return;
    }
    saw.textContent = `${words.side(position.side)} is thinking ...`;
    rival ??= damspecPlay.rival(game);
    try {
      const limits = { milliseconds: Number(time.value), seen: session.turns.map(({ before }) => game.write(before)) };
      const thought = await rival.think(position, limits);
      if (asked !== waiting) return;
      saw.textContent = words.saw(position, thought);
      play(offers.find(({ action }) => action.text === thought.action));
    } catch (error) {
      saw.textContent = `The computer cannot play on: ${error.message}`;
    }
  };

  // --- listening ---

  place.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && (steps.walked.length || asking.length)) {
      drop_();
      say("Nothing is chosen.");
    }
  });
  fenForm.addEventListener("submit", (event) => {
    event.preventDefault();
    try {
      begin(game.read(fen.value.trim()));
      say(`Set up. ${words.asked(session.position)}.`);
    } catch (error) {
      fenWrong.textContent = error.message;
    }
  });
  const listening = new AbortController();
  const { signal } = listening;
  document.addEventListener("notation", () => {
    board.write(inLetters());
    draw();
  }, { signal });

  const stop = () => {
    waiting += 1;
    listening.abort();
    rival?.end();
  };

  settle();
  return { begin, stop };
};
