// The picker of two rulesets: leads to the page that compares them.
"use strict";

const form = document.getElementById("pair");
const first = document.getElementById("first");
const second = document.getElementById("second");
const note = document.getElementById("pair-note");

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (first.value === second.value) {
    note.textContent = "Choose two different rulesets.";
    return;
  }
  const [one, other] = [first.value, second.value].sort();
  location.href = `${form.dataset.pages}${one}--${other}.html`;
});
form.hidden = false;
