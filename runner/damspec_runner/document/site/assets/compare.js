// The picker of two games, which opens the page that compares them, or else the table of rules with these two alone.
"use strict";

const form = document.getElementById("pair");
const first = document.getElementById("first");
const second = document.getElementById("second");
const note = document.getElementById("pair-note");
const nearest = new Map(form.dataset.nearest.trim().split(" ").filter(Boolean).map((pair) => pair.split("=")));

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (first.value === second.value) {
    note.textContent = "Choose two different games.";
    return;
  }
  const alone = [first.value, second.value].filter((id) => nearest.has(id));
  if (alone.length && !alone.some((id) => [first.value, second.value].includes(nearest.get(id)))) {
    location.href = `${form.dataset.table}#games=${first.value},${second.value}&differing`;
    return;
  }
  const [one, other] = [first.value, second.value].sort();
  location.href = `${form.dataset.pages}${one}--${other}.html`;
});
form.hidden = false;
