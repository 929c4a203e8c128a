// A board in the page, drawn like the site's pictures of boards. Its squares can be chosen by mouse, touch and keys, have
// accessible names and can be marked. It knows no moves: the caller decides what a choice means.
"use strict";

const damspecBoard = (() => {
  /** The side of a square; the radius of a piece, outline included; how far a king's upper disc lies above its lower. */
  const UNIT = 40, REACH = 16, RAISED = 5;
  /** The font size of square names, which leaves them in the corner beside a piece; then of sliders' names. */
  const LETTER = 7, LABEL = 14;
  /** The movement of a pointer in pixels that starts a drag. */
  const SLACK = 6;
  const LIGHT = "#f0dcbb", DARK = "#96633f", MARKED = "#d9a72e", NAME = "#fffaf2", HOLE = "#0b0705";
  const ARROW = "#1f5fd0", CROSS = "#c8202c", CASING = "#ffffff", LINE = "#1d140c";
  const DISCS = { white: ["#fffaf0", "#5c4630"], black: ["#2b2320", "#d9c7b0"] };
  const COLOURS = { green: "#35b56e", orange: "#ff9d2e" };
  /** The distance of a slider's handle from the middle of its slot. */
  const AWAY = { L: -8, M: 0, R: 8 };
  /** How long a piece takes to glide over one jump, in milliseconds. */
  const ANIMATION_MS = 160;
  /** What is read out; a game in another language brings its own words (spec/rulebook). */
  const WORDS = {
    square: "square {square}", empty: "empty",
    "white-man": "white man", "white-king": "white king", "black-man": "black man", "black-king": "black king",
    "open-door": "open door of {id}", "shut-door": "shut door of {id}", slider: "slider {id}",
    "slider-L": "to the left", "slider-M": "in the middle", "slider-R": "to the right", "can-push": "can be pushed",
  };

  const svg = (tag, attributes = {}, ...inside) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...inside);
    return made;
  };
  const side = (value) => (value > 0 ? "white" : "black");
  const written = (fill, size) => ({ "font-size": size, "font-family": "sans-serif", fill });
  const bold = (size) => ({ ...written(LINE, size), "font-weight": "bold", "text-anchor": "middle" });

  const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

  // --- what lies on a square, whose upper left corner is the origin ---

  const pieceAt = (value, x = UNIT / 2, y = UNIT / 2) => {
    const [fill, line] = DISCS[side(value)];
    const disc = (cy, radius) => svg("circle", { cx: x, cy, r: radius - 1, fill, stroke: line, "stroke-width": 2 });
    const inside =
      Math.abs(value) === 2
        ? [
          disc(y + RAISED / 2, REACH - RAISED / 2),
          disc(y - RAISED / 2, REACH - RAISED / 2),
          svg("circle", { cx: x, cy: y - RAISED / 2, r: 5, fill: line }),
        ]
        : [disc(y, REACH), svg("circle", { cx: x, cy: y, r: 9, fill: "none", stroke: line })];
    return svg("g", { class: "piece" }, ...inside);
  };

  const doorAt = (colour, open) => {
    const frame = { x: 3, y: 3, width: 34, height: 34, rx: 4, stroke: COLOURS[colour] };
    if (!open) return [svg("rect", { ...frame, fill: "none", "stroke-width": 3, "stroke-dasharray": "5 3" })];
    return [
      svg("rect", { ...frame, fill: HOLE, "stroke-width": 4 }),
      svg("path", { d: "M7,33 V15 L14,21 V33 z", fill: "#5b4330" }),
    ];
  };

  const sliderName = (id, x, y, width, size) =>
    svg("text", { x, y, textLength: width, lengthAdjust: "spacingAndGlyphs", ...bold(size) }, id);

  const tagAt = (slider) => [
    svg("rect", { x: 29, width: 11, height: 6, rx: 2, fill: COLOURS[slider.colour] }),
    sliderName(slider.id, 34.5, 5.6, 9, LETTER),
  ];

  const sliderAt = (slider, away) => [
    svg("rect", { x: 1, y: 15, width: 38, height: 10, rx: 5, fill: "#3a2a1c" }),
    svg("rect", {
      x: 9 + away, y: 11, width: 22, height: 18, rx: 4, fill: COLOURS[slider.colour], stroke: LINE, "stroke-width": 1.5,
    }),
    sliderName(slider.id, UNIT / 2 + away, 25, 18, LABEL),
  ];

  const crossAt = () => {
    const d = `M${UNIT / 2 - 9},${UNIT / 2 - 9} l18,18 m-18,0 l18,-18`;
    return [[CASING, 7], [CROSS, 4]].map(([stroke, wide]) =>
      svg("path", { d, stroke, "stroke-width": wide, "stroke-linecap": "round" }),
    );
  };

  const spot = { cx: UNIT / 2, cy: UNIT / 2 };
  /** The marks of squares by name, besides filled `squares`. */
  const MARKS = {
    rings: () => [
      svg("circle", { ...spot, r: 16.5, fill: "none", stroke: LINE, "stroke-width": 4 }),
      svg("circle", { ...spot, r: 16.5, fill: "none", stroke: "#ffd75e", "stroke-width": 2 }),
    ],
    dots: () => [svg("circle", { ...spot, r: 7, fill: ARROW, stroke: CASING, "stroke-width": 2 })],
    broken: () => [
      svg("circle", { ...spot, r: 8, fill: "none", stroke: CASING, "stroke-width": 5 }),
      svg("circle", { ...spot, r: 8, fill: "none", stroke: CROSS, "stroke-width": 3, "stroke-dasharray": "4 3" }),
    ],
    crosses: crossAt,
  };

  /** A sign of the spinner: a disc, or one or both colours. */
  const sign = (kind) => {
    const block = (x, colour) =>
      svg("rect", { x, y: 11, width: 18, height: 18, rx: 4, fill: COLOURS[colour], stroke: LINE });
    const [fill, stroke] = DISCS.black;
    const disc = { cx: 20, cy: 20, r: 13, fill, stroke, "stroke-width": 2 };
    const signs = {
      disc: () => [svg("circle", disc)],
      green: () => [block(11, "green")],
      orange: () => [block(11, "orange")],
      both: () => [block(1, "green"), block(21, "orange")],
    };
    return svg("svg", { viewBox: `0 0 ${UNIT} ${UNIT}`, "aria-hidden": "true", class: "sign" }, ...signs[kind]());
  };

  // --- the board ---

  /** Column and row of the place of each slider: the nearest free ones to the middle between its doors. */
  const slots = (board) => {
    const { columns, rows, squares: count, sliders } = board;
    if (count === columns * rows) return sliders.map((_, at) => [at % columns, rows + Math.floor(at / columns)]);
    const taken = new Set(Array.from({ length: count }, (_, at) => String(board.place(at + 1))));
    const free = [];
    for (let column = 0; column < columns; column++) {
      for (let row = 0; row < rows; row++) if (!taken.has(String([column, row]))) free.push([column, row]);
    }
    return sliders.map((slider) => {
      const [[left, low], [right, high]] = [board.place(slider.left), board.place(slider.right)];
      const farness = ([column, row]) => {
        const aside = Math.abs(column - (left + right) / 2), along = Math.abs(row - (low + high) / 2);
        return [aside ** 2 + along ** 2, aside, -Math.abs(2 * row - rows + 1), column, -row];
      };
      const nearer = (one, other) => {
        const [first, second] = [farness(one), farness(other)];
        const at = first.findIndex((value, each) => value !== second[each]);
        return at < 0 ? 0 : first[at] - second[at];
      };
      free.sort(nearer);
      return free.shift();
    });
  };

  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  /**
   * A board for a game of the interpreter. `choose(square)` is called on a click, a tap, Enter or Space on a square, and
   * `push(id)` on a slider; without `push` sliders cannot be chosen. `drop(from, to)` is called when a piece is dragged
   * from a square for which `drag(square)` holds; `to` is 0 beside the board. Returns an object:
   *
   *     element                  to insert into the page
   *     show(position)           draws a position
   *     mark(marks)              marks squares, and nothing else: lists of squares by name, `squares` (filled), `rings`,
   *                              `dots`, `broken` and `crosses`; `arrows` and `dashed`, lists of paths; `words`, an
   *                              object that adds to what is read out of a square, `{21: "can move"}`; `sliders`, the
   *                              ids of those that can be pushed
   *     turn(turned)             Black's side at the bottom, or White's
   *     write(letters)           squares in letters, or in numbers
   *     name(square)             a square as it is written now
   *     glide(piece, path, captured)
   *                              shows a piece on its way to where it stands now, unless the reader wants no motion;
   *                              `captured` are squares with the pieces that were there
   *     focus(square)            moves the keyboard's focus there, or to where it was last
   *     square(number)           the element of a square
   *     squareAt(x, y)           the square at a point of the window, 0 if there is none
   *
   * With `still` it is a picture: nothing on it can be chosen.
   */
  const make = (game, given = {}) => {
    const { choose = () => {}, push = null, drag = () => false, drop = () => {}, label = "Board", still = false, texts = WORDS } = given;
    let { turned = false, letters = false } = given;
    const { board } = game;
    const { columns, rows, squares: count, sliders } = board;
    const spots = slots(board);
    const strip = sliders.length && count === columns * rows ? Math.ceil(sliders.length / columns) : 0;
    const doors = new Map(sliders.flatMap((each, at) => [["left", "L"], ["right", "R"]].map(
      ([way, letter]) => [each[way], { slider: each, at, letter }],
    )));
    let position = null, marks = {}, current = 1;

    const ground = svg("g", { "aria-hidden": "true" });
    const squares = svg("g");
    const handles = svg("g");
    const above = svg("g", { "pointer-events": "none", "aria-hidden": "true" });
    const element = svg("svg", {
      viewBox: `0 0 ${columns * UNIT} ${(rows + strip) * UNIT}`, class: "playboard", role: still ? "img" : "group", "aria-label": label,
    }, ground, squares, handles, above);
    ground.append(svg("rect", { width: columns * UNIT, height: rows * UNIT, fill: LIGHT }));

    const cells = Array.from({ length: count + 1 }, (_, number) =>
      number ? svg("g", still ? {} : { role: "button", class: "cell", tabindex: -1, "data-square": number }) : null,
    );
    squares.append(...cells.slice(1));
    const slides = sliders.map(({ id }) => svg("g", push ? { role: "button", class: "cell", "data-slider": id } : {}));
    handles.append(...slides);

    // --- where things lie ---

    const shown = ([column, row]) =>
      turned ? [columns - 1 - column, row < rows ? rows - 1 - row : row] : [column, row];
    const corner = (place) => shown(place).map((each) => each * UNIT);
    const middle = (number) => {
      const [x, y] = corner(board.place(number));
      return [x + UNIT / 2, y + UNIT / 2];
    };
    const name = (number) => (letters ? board.name(number) : String(number));
    const letterOf = (at) => position?.sliders[at] ?? "M";

    // --- drawing ---

    const arrow = (path, dashes) => {
      const middles = path.map(middle);
      const points = middles.map(String).join(" ");
      const [x, y] = middles.at(-1), [beforeX, beforeY] = middles.at(-2);
      const turn = Math.round((Math.atan2(y - beforeY, x - beforeX) * 180) / Math.PI);
      const line = { points, fill: "none", "stroke-linejoin": "round", ...(dashes ? { "stroke-dasharray": "6 4" } : {}) };
      const edged = { fill: ARROW, stroke: CASING, "stroke-width": 1.3 };
      return [
        svg("polyline", { ...line, stroke: CASING, "stroke-width": 6, "stroke-opacity": 0.85 }),
        svg("polyline", { ...line, stroke: ARROW, "stroke-width": 4 }),
        svg("circle", { cx: middles[0][0], cy: middles[0][1], r: 4.3, ...edged }),
        svg("path", { d: "M-9,-7 L5,0 L-9,7 z", transform: `translate(${x},${y}) rotate(${turn})`, ...edged }),
      ];
    };

    const pieceName = (value) => texts[value ? `${side(value)}-${Math.abs(value) === 2 ? "king" : "man"}` : "empty"];

    const said = (number) => {
      const door = doors.get(number);
      const state = door && texts[letterOf(door.at) === door.letter ? "open-door" : "shut-door"];
      const piece = pieceName(position?.pieces[number] ?? 0);
      const words = [piece, state && filled(state, { id: door.slider.id }), marks.words?.[number]];
      return `${filled(texts.square, { square: name(number) })}, ${words.filter(Boolean).join(", ")}`;
    };

    const drawSquare = (number) => {
      const [x, y] = corner(board.place(number));
      const door = doors.get(number);
      const value = position?.pieces[number];
      const all = count === columns * rows ? { stroke: LIGHT } : {};
      const fill = marks.squares?.includes(number) ? MARKED : DARK;
      cells[number].setAttribute("transform", `translate(${x},${y})`);
      if (!still) {
        cells[number].setAttribute("class", marks.rings?.includes(number) ? "cell held" : "cell");
        cells[number].setAttribute("aria-label", said(number));
      }
      cells[number].replaceChildren(
        svg("rect", { width: UNIT, height: UNIT, fill, ...all }),
        ...(door ? doorAt(door.slider.colour, letterOf(door.at) === door.letter) : []),
        svg("text", { x: 0.5, y: 5.6, ...written(NAME, LETTER), "fill-opacity": 0.8 }, name(number)),
        ...(value ? [pieceAt(value)] : []),
        ...Object.entries(MARKS).flatMap(([kind, draw]) => (marks[kind]?.includes(number) ? draw() : [])),
        ...(door ? tagAt(door.slider) : []),
        svg("rect", { class: "focus", x: 1.5, y: 1.5, width: UNIT - 3, height: UNIT - 3, rx: 3 }),
      );
    };

    const drawSlider = (slider, at) => {
      const [x, y] = corner(spots[at]);
      const can = push && marks.sliders?.includes(slider.id);
      const ring = { x: 1, y: 8, width: 38, height: 24, rx: 6, fill: "none", stroke: ARROW, "stroke-width": 3 };
      const letter = letterOf(at);
      slides[at].setAttribute("transform", `translate(${x},${y})`);
      slides[at].replaceChildren(
        ...sliderAt(slider, turned ? -AWAY[letter] : AWAY[letter]),
        ...(can ? [svg("rect", ring)] : []),
        svg("rect", { class: "focus", x: 1.5, y: 1.5, width: UNIT - 3, height: UNIT - 3, rx: 3 }),
      );
      if (!push) return;
      slides[at].setAttribute("aria-label", [
        filled(texts.slider, { id: slider.id }), texts[`slider-${letter}`], can && texts["can-push"],
      ].filter(Boolean).join(", "));
      slides[at].setAttribute("tabindex", can ? 0 : -1);
    };

    const draw = () => {
      for (let number = 1; number <= count; number++) drawSquare(number);
      sliders.forEach(drawSlider);
      above.replaceChildren(
        ...(marks.dashed ?? []).flatMap((path) => arrow(path, true)),
        ...(marks.arrows ?? []).flatMap((path) => arrow(path, false)),
      );
    };

    /** Shows a piece on its way to the end of a path, where it stands already, and the pieces that it captures. */
    const glide = (piece, path, captured) => {
      if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
      const duration = ANIMATION_MS * (path.length - 1);
      const at = (number) => ({ transform: `translate(${middle(number).join("px,")}px)` });
      for (const [number, value] of captured) {
        const taken = above.appendChild(pieceAt(value, ...middle(number)));
        taken.animate([{ opacity: 1 }, { opacity: 0 }], { duration, easing: "ease-in", fill: "forwards" });
      }
      const moving = above.appendChild(pieceAt(piece, 0, 0));
      const standing = cells[path.at(-1)].querySelector(".piece");
      standing?.setAttribute("visibility", "hidden");
      moving.animate(path.map(at), { duration, easing: "ease-in-out" }).finished.then(() => {
        if (moving.isConnected) draw();
      }, () => {});
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
        held.picture = above.appendChild(pieceAt(position.pieces[held.number], 0, 0));
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
    draw();
    return {
      element,
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
        draw();
      },
      write: (given) => {
        letters = given;
        draw();
      },
      glide,
      focus: (number = current) => cells[number].focus(),
      square: (number) => cells[number],
      squareAt,
    };
  };

  return { make, pieceAt, sign, UNIT };
})();
