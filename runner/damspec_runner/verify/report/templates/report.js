// The filters: what does not match is hidden. Without JavaScript the whole report is there, and no filters.
"use strict";
const form = document.getElementById("filters");
const [verdict, topic, text] = ["status", "topic", "text"].map(id => document.getElementById(id));
const cases = [...document.querySelectorAll(".case")].map(place => [place, place.textContent.toLowerCase()]);

function filter() {
  const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const [place, content] of cases) {
    const fits = (!verdict.value || place.dataset.status === verdict.value)
      && (!topic.value || place.dataset.topic === topic.value)
      && words.every(word => content.includes(word));
    place.hidden = !fits;
    shown += fits;
  }
  const filtered = verdict.value || topic.value || words.length;
  for (const others of document.querySelectorAll(".others")) {
    const any = others.querySelector(".case:not([hidden])");
    others.hidden = !any;
    if (filtered && any) others.open = true;
  }
  document.getElementById("shown").textContent = filtered ? `${shown} of ${cases.length} cases` : `${cases.length} cases`;
}

form.addEventListener("input", filter);
form.addEventListener("submit", event => event.preventDefault());
form.hidden = false;
filter();
