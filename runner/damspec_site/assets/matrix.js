// The table of all rules: the chosen games are kept in the address after #, families unfold by a click, rows count as
// differing by the chosen games, cells link to their sources, and in print the columns are split.
"use strict";

const form = document.getElementById("games");
const table = document.querySelector("table.matrix");
const only = document.getElementById("only-differing");
const note = document.getElementById("games-note");
const finder = document.getElementById("find-game");
const boxes = [...form.querySelectorAll("[id^=game-]")];
const heads = [...table.querySelectorAll("[data-game]")];
const rows = [...table.querySelectorAll("tr[data-rule]")];
const unfolding = [...table.querySelectorAll(".unfold")];
// The number of columns on a printed page beside the names of the rules.
const ON_PAPER = 8;

const box = (id) => boxes.find((one) => one.value === id);
const chosen = () => boxes.filter((one) => one.checked).map((one) => one.value);
const usual = () => boxes.every((one) => one.checked === one.defaultChecked);
const value = (cell) => cell.firstChild.textContent.trim();

function show() {
  const ids = chosen();
  const places = heads.flatMap((head, place) => (ids.includes(head.dataset.game) ? [place + 1] : []));
  for (const row of rows) {
    const cells = places.map((place) => row.children[place]);
    const values = new Set(cells.map(value)).size;
    row.className = values > 1 ? "differs" : "same";
    const number = row.querySelector(".number");
    if (number) number.textContent = values;
    for (const cell of cells) lead(cell, heads[[...row.children].indexOf(cell) - 1].dataset.game, row.dataset.rule);
  }
  for (const button of unfolding) {
    const open = button.dataset.family.trim().split(" ").every((id) => ids.includes(id));
    button.setAttribute("aria-expanded", open);
  }
  note.textContent = `${ids.length} game${ids.length === 1 ? " is" : "s are"} shown.`;
}

// A link from a value to the rule on the page of its game, with its sources.
function lead(cell, game, rule) {
  if (cell.querySelector("a")) return;
  const link = document.createElement("a");
  link.href = `${table.dataset.pages}${game}.html#${value(cell) === "–" ? "absent" : rule}`;
  link.append(...[...cell.childNodes].filter((node) => !node.classList?.contains("others")));
  cell.prepend(link);
}

function remember() {
  const given = [usual() ? "" : `games=${chosen().join(",")}`, only.checked ? "differing" : ""].filter(Boolean);
  history.replaceState(null, "", given.length ? `#${given.join("&")}` : location.pathname + location.search);
}

function recall() {
  const given = new URLSearchParams(location.hash.slice(1));
  const games = given.get("games")?.split(",");
  for (const one of boxes) one.checked = games ? games.includes(one.value) : one.defaultChecked;
  only.checked = given.has("differing");
  show();
}

function change(wanted) {
  for (const one of boxes) one.checked = wanted(one);
  show();
  remember();
}

form.addEventListener("change", () => {
  show();
  remember();
});
form.addEventListener("submit", (event) => event.preventDefault());
finder.addEventListener("click", (event) => {
  const which = event.target.closest("[data-games]")?.dataset.games;
  if (which) change((one) => which === "all" || (which === "first" && one.defaultChecked));
});
finder.querySelector("input").addEventListener("input", (event) => {
  const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const item of form.querySelectorAll(".choices li")) {
    const text = item.textContent.toLowerCase();
    item.hidden = !words.every((word) => text.includes(word));
  }
});
for (const button of unfolding) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const family = button.dataset.family.trim().split(" ");
    const open = !family.every((id) => box(id).checked);
    change((one) => (family.includes(one.value) ? open : one.checked));
  });
}

// In print: several tables with all rules, each with as many columns as fit on a page.
window.addEventListener("beforeprint", () => {
  const ids = chosen();
  const pages = Math.ceil(ids.length / ON_PAPER);
  const each = Math.ceil(ids.length / pages);
  for (let page = 0; page < pages; page++) {
    const shown = ids.slice(page * each, (page + 1) * each);
    const copy = table.cloneNode(true);
    copy.className = "matrix paper";
    copy.caption.textContent = pages > 1 ? `${page + 1} / ${pages}` : "";
    for (const row of copy.rows) {
      if (row.className === "group") row.cells[0].colSpan = shown.length + 1;
      else [...row.cells].forEach((cell, place) => place && !shown.includes(heads[place - 1].dataset.game) && cell.remove());
    }
    copy.style.setProperty("--columns", shown.length);
    table.closest(".scroll").after(...document.querySelectorAll("table.paper"), copy);
  }
});
window.addEventListener("afterprint", () => document.querySelectorAll("table.paper").forEach((copy) => copy.remove()));
window.addEventListener("hashchange", recall);
finder.hidden = false;
recall();
