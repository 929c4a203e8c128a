// Filters, moves as arrows, FENs to copy, and keys. Without JavaScript all positions are there with their moves.
"use strict";
const SVG = "http://www.w3.org/2000/svg";
const form = document.getElementById("filters");
const [rule, side, kind, text] = ["rule", "side", "kind", "text"].map(id => document.getElementById(id));
const cards = [...document.querySelectorAll(".card")];

// --- filters ---

const numbers = new Map();  // the values of a rule
for (const group of form.querySelectorAll("optgroup")) {
  numbers.set(group.label, [...group.querySelectorAll("option")].slice(1).map(option => option.value));
}
const contents = cards.map(card => ({
  card, values: new Set(card.dataset.values.split(" ")), kinds: card.dataset.kinds.split(" "), words: card.textContent.toLowerCase(),
}));

function filter() {
  const wanted = rule?.value ? numbers.get(rule.value) ?? [rule.value] : null;
  const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const { card, values, kinds, words: content } of contents) {
    const fits = (!wanted || wanted.some(number => values.has(number)))
      && (!side.value || card.dataset.side === side.value)
      && (!kind.value || kinds.includes(kind.value))
      && words.every(word => content.includes(word));
    card.hidden = !fits;
    shown += fits;
  }
  document.getElementById("shown").textContent = shown === cards.length ? `${shown} positions` : `${shown} of ${cards.length} positions`;
}

form.addEventListener("input", filter);
form.addEventListener("submit", event => event.preventDefault());
form.hidden = false;
filter();

// --- moves on the board ---

function part(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

const squares = list => list ? list.split(",").map(number => middles[number - 1]) : [];

function arrow(button) {
  const group = part("g", { class: "move" });
  const path = squares(button.dataset.path);
  if (path.length > 1) {
    const points = path.map(place => place.join(",")).join(" ");
    const [[fromX, fromY], [x, y]] = path.slice(-2);
    const turn = Math.atan2(y - fromY, x - fromX) * 180 / Math.PI;
    const line = { points, fill: "none", "stroke-linejoin": "round" };
    group.append(
      part("polyline", { ...line, stroke: "#fff", "stroke-width": 6, "stroke-opacity": .85 }),
      part("polyline", { ...line, stroke: "#1f5fd0", "stroke-width": 4 }),
      part("path", { d: "M-9,-7 L5,0 L-9,7 z", transform: `translate(${x},${y}) rotate(${turn})`, fill: "#1f5fd0", stroke: "#fff" }),
    );
  }
  for (const [x, y] of squares(button.dataset.taken)) {
    const d = `M${x - 9},${y - 9} l18,18 M${x - 9},${y + 9} l18,-18`;
    group.append(part("path", { d, stroke: "#fff", "stroke-width": 7 }), part("path", { d, stroke: "#c8202c", "stroke-width": 4 }));
  }
  return group;
}

function draw(card, pointed) {
  const picture = card.querySelector(".board svg");
  picture.querySelectorAll(".move").forEach(group => group.remove());
  const kept = [...card.querySelectorAll('.moves [aria-pressed="true"]')];
  for (const button of new Set([...kept, ...(pointed ? [pointed] : [])])) picture.append(arrow(button));
  const told = kept.at(-1);
  card.querySelector(".after").textContent = told ? `${told.textContent} leads to ${told.dataset.after}` : "";
}

const main = document.getElementById("positions");
const move = event => event.target.closest(".moves button");
for (const name of ["pointerover", "focusin"]) {
  main.addEventListener(name, event => { const button = move(event); if (button) draw(button.closest(".card"), button); });
}
for (const name of ["pointerout", "focusout"]) {
  main.addEventListener(name, event => { const button = move(event); if (button) draw(button.closest(".card")); });
}
main.addEventListener("click", event => {
  const button = move(event);
  if (!button) return;
  button.setAttribute("aria-pressed", button.getAttribute("aria-pressed") !== "true");
  draw(button.closest(".card"));
});

// --- keys, copying ---

main.addEventListener("keydown", event => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
  const seen = cards.filter(card => !card.hidden);
  const here = seen.indexOf(event.target.closest(".card"));
  const next = seen[here < 0 ? 0 : here + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
});

for (const line of document.querySelectorAll(".fen")) {
  const code = line.firstElementChild;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.setAttribute("aria-describedby", code.id);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = "Selected";
    }
  });
  line.append(button);
}
