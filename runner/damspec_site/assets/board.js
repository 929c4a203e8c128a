// A board in the page: of wood to play on, or on paper as a picture. Its squares can be chosen by mouse, touch and keys,
// have accessible names and can be marked. It knows no moves: the caller decides what a choice means. Pieces and doors are
// the symbols of symbols.svg, which the page has.
"use strict";

const damspecBoard = (() => {
  /** The side of a square; the width of the frame at the sides of a board with knobs. */
  const UNIT = 100, SIDE = 104;
  /** The movement of a pointer in pixels that starts a drag. */
  const SLACK = 6;
  /** The distance of a knob from the middle of its slot. */
  const AWAY = { L: -25, M: 0, R: 25 };
  /** How long a jump takes, a captured piece to go, and a door to open and its piece to fall, in milliseconds. */
  const JUMP_MS = 190, GONE_MS = 150, FALL_MS = 500;
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  const svg = (tag, attributes = {}, ...inside) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...inside);
    return made;
  };
  const use = (id, attributes = {}) => svg("use", { href: `#${id}`, width: UNIT, height: UNIT, ...attributes });
  /** A square in the middle of a square. */
  const block = (size, rx, attributes) =>
    svg("rect", { x: (UNIT - size) / 2, y: (UNIT - size) / 2, width: size, height: size, rx, ...attributes });
  const spot = (r, name) => svg("circle", { cx: UNIT / 2, cy: UNIT / 2, r, class: name });
  const side = (value) => (value > 0 ? "white" : "black");
  const pieceAt = (value, look, attributes) =>
    use(`${look}-${Math.abs(value) === 2 ? "k" : "m"}${value > 0 ? "w" : "b"}`, { class: "piece", ...attributes });

  /** A picture beside text: a piece, perhaps with a symbol over it. */
  const icon = (value, ...over) =>
    svg("svg", { viewBox: `0 0 ${UNIT} ${UNIT}`, "aria-hidden": "true", class: "disc" }, pieceAt(value, "w"), ...over.map((id) => use(id)));

  /** Whether the reader wants no motion. */
  const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

  // --- doors and knobs, and the marks of a square by name, below its piece and above it ---

  const doorAt = (colour, name) => {
    const leaf = svg("g", { class: "leaf" }, use(`leaf-${colour}`), use(`door-${colour}`), name);
    return svg("g", { class: "door" }, use(`pit-${colour}`), leaf, block(94, colour === "green" ? 28 : 7, { class: "may" }));
  };

  const knobAt = (colour, name) => [
    use("slot", { x: -50, y: -36, height: 72 }),
    svg("g", { class: "knob" },
      use(`knob-${colour}`, { x: -26, y: -38, width: 54, height: 80 }),
      svg("text", { y: 8, class: "knob" }, name),
    ),
    svg("rect", { x: -52, y: -44, width: 104, height: 92, rx: 22, class: "may" }),
  ];

  const UNDER = { squares: () => use("gold-square") };
  const BELOW = { rings: () => use("gold-ring") };
  const ABOVE = { dots: () => spot(15, "goal"), broken: () => spot(20, "goal lapse"), crosses: () => use("cross") };

  // --- the board ---

  /** Where the knobs are in the frame, by side (0 is left) and row: beside their doors, on either side in turn. */
  const knobPlaces = (board) => {
    const free = Array.from({ length: 2 * board.rows }, (_, at) => [at % 2, at >> 1]);
    return board.sliders.map(({ left, right }, at) => {
      const middle = (board.place(left)[1] + board.place(right)[1]) / 2;
      const farness = ([beside, row]) => Math.abs(row - middle) + (beside === at % 2 ? 0 : 0.4);
      return free.splice(free.indexOf(free.reduce((one, other) => (farness(other) < farness(one) ? other : one))), 1)[0];
    });
  };

  /**
   * A board for a game of the interpreter. `choose(square)` is called on a click, a tap, Enter or Space on a square, and
   * `push(id)` on a knob; without `push` knobs cannot be chosen. `drop(from, to)` is called when a piece is dragged
   * from a square for which `drag(square)` holds; `to` is 0 beside the board. Returns an object:
   *
   *     element                  to insert into the page
   *     show(position)           draws a position
   *     mark(marks)              marks squares, and nothing else: lists of squares by name, `squares` (filled), `rings`,
   *                              `dots`, `broken`, `crosses`, `tags` (their numbers on the pieces) and `doors`, which
   *                              can be chosen; `arrows` and `dashed`, lists of paths; `words`, an object that adds to
   *                              what is read out of a square, `{21: "can move"}`; `sliders`, the ids of those that can
   *                              be pushed
   *     turn(turned)             Black's side at the bottom, or White's
   *     write(letters)           squares in letters, or in numbers
   *     name(square)             a square as it is written now
   *     glide(piece, path, captured, atOnce)
   *                              shows a piece on its way to where it stands now, jump by jump; `captured` are squares
   *                              with the pieces that were there, which go `atOnce` or at the end
   *     fall(square, piece, open)
   *                              shows a piece falling through a door, which is shut again unless it stays `open`
   *     focus(square)            moves the keyboard's focus there, or to where it was last
   *
   * `glide` and `fall` promise that the motion is over, at once if the reader wants none. With `still` the board is a
   * picture on paper: nothing on it can be chosen.
   */
  const make = (game, given) => {
    const { choose, push = null, drag = () => false, drop = () => {}, label, still = false, texts } = given;
    let { turned = false, letters = false } = given;
    const { board } = game;
    const { columns, rows, squares: count, sliders } = board;
    const look = still ? "p" : "w";
    const [width, height] = [columns * UNIT, rows * UNIT];
    const edge = still ? 5 : 4 * columns + 2;
    const aside = sliders.length ? SIDE : edge;
    const doors = new Map(sliders.flatMap((each, at) => [["left", "L"], ["right", "R"]].map(
      ([way, letter]) => [each[way], { slider: each, at, letter }],
    )));
    const places = knobPlaces(board);
    const knobName = (slider) => slider.id.replace(/^[GO](?=\d)/, texts?.knobs[slider.colour] ?? "$&");
    let position = null, marks = {}, current = 1;

    const ground = svg("g", { "aria-hidden": "true" });
    const squares = svg("g");
    const above = svg("g", { "pointer-events": "none", "aria-hidden": "true" });
    const cells = Array.from({ length: count + 1 }, (_, number) => {
      const name = svg("text", { class: "nr" }), door = doors.get(number);
      const parts = { name, under: svg("g"), content: svg("g") };
      const inside = [parts.under, door ? doorAt(door.slider.colour, name) : name, parts.content];
      if (still) return Object.assign(svg("g", {}, ...inside), { parts });
      const focus = [block(90, 6, { class: "focus casing" }), block(90, 6, { class: "focus" })];
      const hit = svg("rect", { width: UNIT, height: UNIT, class: "hit" });
      return Object.assign(svg("g", { role: "button", tabindex: -1, "data-square": number }, hit, ...inside, ...focus), { parts });
    });
    squares.append(...cells.slice(1));
    const slides = sliders.map((slider) => {
      const focus = svg("rect", { x: -48, y: -40, width: 96, height: 84, rx: 20, class: "focus" });
      const inside = knobAt(slider.colour, knobName(slider));
      return svg("g", push ? { role: "button", "data-slider": slider.id } : {}, ...inside, focus);
    });
    const element = svg("svg", {
      viewBox: `${-aside} ${-edge} ${width + 2 * aside} ${height + 2 * edge}`,
      class: `playboard bd ${still ? "paper" : "wood"} ${board.everywhere ? "plain" : ""}`,
      role: still ? "img" : "group",
      "aria-label": label,
    }, ground, squares, svg("g", {}, ...slides), above);

    // --- where things lie ---

    const shown = ([column, row]) => (turned ? [columns - 1 - column, rows - 1 - row] : [column, row]);
    const corner = (number) => shown(board.place(number)).map((each) => each * UNIT);
    const middle = (number) => corner(number).map((each) => each + UNIT / 2);
    const name = (number) => (letters ? board.name(number) : String(number));
    const letterOf = (at) => position?.sliders[at] ?? "M";
    const isOpen = ({ at, letter }) => letterOf(at) === letter;
    const knobAtLeft = (at) => (places[at][0] === 0) !== turned;

    // --- drawing ---

    const rect = (beyond, attributes, beside = beyond) =>
      svg("rect", { x: -beside, y: -beyond, width: width + 2 * beside, height: height + 2 * beyond, ...attributes });
    const onSquares = () => cells.slice(1).map((_, at) => `M${corner(at + 1)}h${UNIT}v${UNIT}h-${UNIT}z`).join("");

    const drawPaper = () => [
      rect(0, { class: "light" }),
      ...(board.everywhere
        ? [svg("path", { d: onSquares(), class: "grid" })]
        : [svg("path", { d: onSquares(), class: "dark" }), svg("path", { d: onSquares(), fill: "url(#hatch)" })]),
      rect(0, { class: "edge" }),
    ];

    /** The lines in the wood from each knob to its doors. */
    const inlay = ({ left, right, colour }, at) => {
      const lines = [left, right].map(corner).map(([x, y]) => (knobAtLeft(at) ? `M0 ${y + 97}H${x + 90}` : `M${width} ${y + 97}H${x + 10}`));
      return svg("path", { d: lines.join(""), class: `inlay ${colour}` });
    };

    const drawWood = () => {
      const corners = `M${-edge} ${-edge}L0 0M${width + edge} ${-edge}L${width} 0M${-edge} ${height + edge}L0 ${height}M${width + edge} ${height + edge}L${width} ${height}`;
      const rounded = { rx: sliders.length ? 22 : 14 };
      return [
        ...["walnut", "grain"].map((fill) => rect(edge, { ...rounded, fill: `url(#${fill})` }, aside)),
        ...(sliders.length ? [] : [svg("path", { d: corners, class: "mitre" })]),
        rect(edge - 3, { rx: rounded.rx - 3, class: "gleam" }, aside - 3),
        rect(8, { fill: "#2a170b" }),
        rect(5, { fill: "#d9b877" }),
        ...["maple", "grain-down"].map((fill) => rect(0, { fill: `url(#${fill})` })),
        ...(board.everywhere
          ? [svg("path", { d: onSquares(), class: "joints" })]
          : ["dark-wood", "grain"].map((fill) => svg("path", { d: onSquares(), fill: `url(#${fill})` }))),
        rect(0, { fill: "url(#lamp)" }),
        svg("path", { d: `M0 0H${width}M0 0V${height}`, class: "inner" }),
        ...sliders.map(inlay),
      ];
    };

    const arrow = (path, dashes) => {
      const points = path.map(middle);
      const along = ([fromX, fromY], [toX, toY], far) => {
        const whole = Math.hypot(toX - fromX, toY - fromY);
        return [fromX + ((toX - fromX) / whole) * far, fromY + ((toY - fromY) / whole) * far];
      };
      const [end, before] = [points.at(-1), points.at(-2)];
      const neck = along(end, before, 40), [x, y] = along(end, before, 4);
      const [wideX, wideY] = along([0, 0], [end[1] - before[1], before[0] - end[0]], 24);
      const head = { points: `${x},${y} ${neck[0] + wideX},${neck[1] + wideY} ${neck[0] - wideX},${neck[1] - wideY}` };
      const line = { points: [along(points[0], points[1], 33), ...points.slice(1, -1), along(end, before, 34)].join(" ") };
      return svg("g", { class: dashes ? "arrow would" : "arrow" },
        ...["casing", ""].flatMap((name) => [svg("polyline", { ...line, class: name }), svg("polygon", { ...head, class: name })]),
        ...points.slice(1, -1).map(([cx, cy]) => svg("circle", { cx, cy, r: 13 })),
      );
    };

    const tag = (number) => {
      const [x, y] = corner(number);
      return svg("g", { class: "tag", transform: `translate(${x},${y})` },
        svg("rect", { x: 4, y: 4, width: 38, height: 27, rx: 6 }), svg("text", { x: 23, y: 25 }, name(number)));
    };

    const pieceName = (value) => texts[value ? `${side(value)}-${Math.abs(value) === 2 ? "king" : "man"}` : "empty"];

    const said = (number) => {
      const door = doors.get(number);
      const state = door && texts[isOpen(door) ? "open-door" : "shut-door"];
      const piece = pieceName(position?.pieces[number] ?? 0);
      const words = [piece, state && damspec.filled(state, { id: knobName(door.slider) }), marks.words?.[number]];
      return `${damspec.filled(texts.square, { square: name(number) })}, ${words.filter(Boolean).join(", ")}`;
    };

    const drawSquare = (number) => {
      const cell = cells[number], { parts } = cell;
      const door = doors.get(number), value = position?.pieces[number];
      const marked = (kinds) => Object.entries(kinds).filter(([kind]) => marks[kind]?.includes(number)).map(([, draw]) => draw());
      cell.setAttribute("transform", `translate(${corner(number)})`);
      cell.setAttribute("class", [
        "cell",
        marks.rings?.includes(number) && "held",
        marks.doors?.includes(number) && "can",
        door && isOpen(door) && "isopen",
      ].filter(Boolean).join(" "));
      if (!still) cell.setAttribute("aria-label", said(number));
      parts.name.textContent = name(number);
      parts.name.setAttribute("x", door ? 21 : 6);
      parts.name.setAttribute("y", door ? 37 : 22);
      parts.under.replaceChildren(...marked(UNDER));
      parts.content.replaceChildren(...marked(BELOW), ...(value ? [pieceAt(value, look)] : []), ...marked(ABOVE));
    };

    const drawKnob = (slider, at) => {
      const can = Boolean(push && marks.sliders?.includes(slider.id));
      const letter = letterOf(at);
      const x = knobAtLeft(at) ? -54 : width + 54, row = places[at][1];
      slides[at].setAttribute("transform", `translate(${x},${((turned ? rows - 1 - row : row) + 0.5) * UNIT})`);
      slides[at].setAttribute("class", can ? "cell can" : "cell");
      slides[at].querySelector(".knob").style.transform = `translateX(${turned ? -AWAY[letter] : AWAY[letter]}px)`;
      if (!push) return;
      slides[at].setAttribute("aria-label", [
        damspec.filled(texts.slider, { id: knobName(slider) }), texts[`slider-${letter}`], can && texts["can-push"],
      ].filter(Boolean).join(", "));
      slides[at].setAttribute("tabindex", can ? 0 : -1);
    };

    const draw = () => {
      for (let number = 1; number <= count; number++) drawSquare(number);
      sliders.forEach(drawKnob);
      above.replaceChildren(
        ...(marks.dashed ?? []).map((path) => arrow(path, true)),
        ...(marks.arrows ?? []).map((path) => arrow(path, false)),
        ...(marks.tags ?? []).map(tag),
      );
    };

    const drawAll = () => {
      ground.replaceChildren(...(still ? drawPaper() : drawWood()));
      draw();
    };

    // --- motion ---

    const lone = (value, x = 0, y = 0) => above.appendChild(pieceAt(value, look, { x: x - UNIT / 2, y: y - UNIT / 2 }));
    const over = (motion) => motion.finished.catch(() => {});

    const glide = async (piece, path, captured, atOnce) => {
      if (isStill()) return;
      const duration = JUMP_MS * (path.length - 1);
      const gone = captured.map(([number, value], at) => {
        const jump = Math.min(captured.length - 1 - at, path.length - 2);  // from the last; one may take several
        const delay = atOnce ? duration - JUMP_MS * jump - JUMP_MS / 2 : duration;
        return lone(value, ...middle(number)).animate([{ opacity: 1 }, { opacity: 0 }], { delay, duration: GONE_MS, fill: "both" });
      });
      const moving = lone(piece);
      const standing = cells[path.at(-1)].querySelector(".piece");
      standing?.setAttribute("visibility", "hidden");
      const steps = path.map((number) => ({ transform: `translate(${middle(number).join("px,")}px)`, easing: "ease-in-out" }));
      await Promise.all([moving.animate(steps, { duration, fill: "forwards" }), ...gone].map(over));
      if (moving.isConnected) draw();
    };

    const fall = async (number, piece, open) => {
      if (isStill()) return;
      cells[number].classList.add("isopen");
      const [x, y] = corner(number);
      const falling = above.appendChild(svg("g", { transform: `translate(${x},${y})` }, pieceAt(piece, look, { class: "drop" })));
      await new Promise((done) => setTimeout(done, FALL_MS));
      falling.remove();
      if (!open) drawSquare(number);
    };

    // --- choosing ---

    /** One square at a time can be reached by Tab; the arrow keys move from there. */
    const stand = (number) => {
      cells[current].setAttribute("tabindex", -1);
      current = number;
      cells[current].setAttribute("tabindex", 0);
    };

    /** The next square of a row, or the one in the same place of the next row that has any. */
    const beside = (number, [aside, along]) => {
      const places = Array.from({ length: count }, (_, at) => [...shown(board.place(at + 1)), at + 1]);
      const [column, row] = shown(board.place(number));
      const inRow = (wanted) => places.filter((each) => each[1] === wanted).sort((one, other) => one[0] - other[0]);
      const here = inRow(row), at = here.findIndex((each) => each[0] === column);
      if (aside) return here[at + aside]?.[2];
      const next = inRow(row + along);
      return next[Math.min(at, next.length - 1)]?.[2];
    };

    const chosen = (cell) => {
      if (cell?.dataset.slider) push(cell.dataset.slider);
      else if (cell) choose(Number(cell.dataset.square));
    };

    const squareAt = (x, y) => {
      const cell = document.elementFromPoint(x, y)?.closest?.(".cell");
      return cell && element.contains(cell) ? Number(cell.dataset.square ?? 0) : 0;
    };

    /** The piece about to be dragged, and its picture while it is dragged. */
    let held = null;
    const release = () => {
      const released = held;
      released?.picture?.remove();
      held = null;
      return released;
    };
    const listen = (name, heard) => still || element.addEventListener(name, heard);
    listen("pointerdown", (event) => {
      const number = Number(event.target.closest(".cell")?.dataset.square);
      if (event.isPrimary && event.button === 0 && number && position?.pieces[number] && drag(number)) {
        held = { number, x: event.clientX, y: event.clientY, picture: null };
      }
    });
    listen("pointermove", ({ clientX, clientY, pointerId }) => {
      if (!held || (!held.picture && Math.hypot(clientX - held.x, clientY - held.y) < SLACK)) return;
      if (!held.picture) {
        element.setPointerCapture(pointerId); // from now on it is no click on a square
        held.picture = lone(position.pieces[held.number]);
      }
      const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(element.getScreenCTM().inverse());
      held.picture.setAttribute("transform", `translate(${x},${y})`);
    });
    listen("pointerup", ({ clientX, clientY }) => {
      const { number, picture } = release() ?? {};
      const to = picture && squareAt(clientX, clientY);
      if (picture && to !== number) drop(number, to);
    });
    listen("pointercancel", release);

    listen("click", (event) => chosen(event.target.closest(".cell")));
    listen("keydown", (event) => {
      const cell = event.target.closest(".cell");
      const number = Number(cell?.dataset.square);
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        chosen(cell);
      } else if (number && ARROWS[event.key]) {
        event.preventDefault();
        const next = beside(number, ARROWS[event.key]);
        if (next) cells[next].focus();
      }
    });
    listen("focusin", (event) => {
      const number = Number(event.target.closest(".cell")?.dataset.square);
      if (number) stand(number);
    });

    if (!still) stand(1);
    drawAll();
    return {
      element,
      /** Its width, for its height. */
      shape: (width + 2 * aside) / (height + 2 * edge),
      name,
      show: (given) => {
        position = given;
        draw();
      },
      mark: (given) => {
        marks = given;
        draw();
      },
      turn: (given) => {
        turned = given;
        drawAll();
      },
      write: (given) => {
        letters = given;
        draw();
      },
      glide,
      fall,
      focus: (number = current) => cells[number].focus(),
    };
  };

  return { make, icon, svg, use, isStill };
})();
