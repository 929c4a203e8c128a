// The wheel of a game with trapdoors. Chance chooses the result, and the result the angle at which the wheel stops.
"use strict";

/** A wheel with these outcomes, which are equally likely: each has two sectors of one size. */
damspecPlay.wheel = (outcomes, label) => {
  const { svg, use, isStill } = damspecBoard;
  const RADIUS = 92, SPIN_MS = 500, AT_REST = 18;
  const FILLS = { disc: "#f3e3c0", green: "#2a9461", orange: "#ef8a26" };
  const sectors = [...outcomes, ...outcomes];
  const step = 360 / sectors.length;
  let angle = AT_REST;

  const at = (degrees, far) => {
    const turn = ((degrees - 90) * Math.PI) / 180;
    return [Math.cos(turn) * far, Math.sin(turn) * far];
  };
  const wedge = (from, to, colour) =>
    svg("path", { d: `M0 0L${at(from, RADIUS)}A${RADIUS} ${RADIUS} 0 0 1 ${at(to, RADIUS)}z`, fill: FILLS[colour] });

  const knob = (colour, degrees, far) =>
    svg("g", { transform: `translate(${at(degrees, far)}) rotate(${degrees})` },
      svg("rect", { x: -23, y: -5, width: 46, height: 10, rx: 5, fill: "#000", "fill-opacity": 0.45 }),
      svg("rect", { x: -10, y: -14, width: 20, height: 28, rx: colour === "green" ? 11 : 3, class: `handle ${colour}` }));

  const sector = (outcome, place) => {
    const middle = place * step, from = middle - step / 2, to = middle + step / 2;
    if (outcome === "disc") {
      const [x, y] = at(middle, 60);
      return [wedge(from, to, outcome), use("w-mb", { x: x - 23, y: y - 23, width: 46, height: 46 })];
    }
    if (outcome !== "both") return [wedge(from, to, outcome), knob(outcome, middle, 60)];
    const quarter = step / 4;
    return [
      wedge(from, middle, "green"), wedge(middle, to, "orange"),
      knob("green", middle - quarter, 68), knob("orange", middle + quarter, 68),
    ];
  };

  const turning = svg("g", { class: "rot" }, ...sectors.flatMap(sector));
  const element = svg("svg", { class: "wheel", viewBox: "-110 -122 220 236", role: "img", "aria-label": label },
    svg("circle", { cx: 3, cy: 7, r: 103, fill: "#1d0f06", opacity: 0.35 }),
    svg("circle", { r: 104, fill: "url(#walnut)" }),
    svg("circle", { r: 95, fill: "#1d0f06" }),
    turning,
    svg("circle", { r: 19, fill: "url(#black-disc)", stroke: "#120c09", "stroke-width": 2 }),
    svg("circle", { r: 9, fill: "#f0b93a" }),
    svg("path", { d: "M0 -84L-13 -112Q0 -124 13 -112z", class: "pointer" }),
  );

  /** Turns to the next sector with a result, at least by so much. */
  const turn = (result, least) => {
    const ways = sectors.flatMap((outcome, place) => (outcome === result ? [-place * step] : []));
    angle += Math.min(...ways.map((to) => least + ((((to - angle - least) % 360) + 360) % 360)));
    turning.style.setProperty("--a", `${angle}deg`);
  };

  return {
    element,
    /** Promises that the wheel has been spun and shows a result. */
    spin: (result) => {
      turn(result, 360);
      return new Promise((done) => setTimeout(done, isStill() ? 0 : SPIN_MS));
    },
    /** Shows a result; stands anywhere if there is none. */
    show: (result) => {
      if (outcomes.includes(result)) turn(result, 0);
    },
  };
};
