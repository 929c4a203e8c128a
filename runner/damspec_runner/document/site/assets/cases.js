// The case browser: filters over the list that is on the page, kept in the address after #.
"use strict";

const form = document.getElementById("filters");
const controls = {
  ruleset: document.getElementById("filter-ruleset"),
  topic: document.getElementById("filter-topic"),
  clause: document.getElementById("filter-clause"),
  text: document.getElementById("filter-text"),
};
const count = document.getElementById("count");
const items = [...document.querySelectorAll("li.case")].map((element) => ({
  element,
  rulesets: element.dataset.rulesets.split(" "),
  topic: element.dataset.topic,
  sources: element.dataset.sources.toLowerCase().split(" "),
  text: element.textContent.toLowerCase() + element.querySelector("img").alt.toLowerCase(),
}));
// Topics first: whether a ruleset's section is empty depends on them.
const sections = [...document.querySelectorAll(".topic"), ...document.querySelectorAll("section.ruleset")];

function wanted() {
  return Object.fromEntries(Object.entries(controls).map(([key, control]) => [key, control.value.trim()]));
}

function filter() {
  const { ruleset, topic, clause, text } = wanted();
  const source = clause.toLowerCase();
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const item of items) {
    const fits =
      (!ruleset || item.rulesets.includes(ruleset)) &&
      (!topic || item.topic === topic) &&
      (!source || item.sources.includes(source)) &&
      words.every((word) => item.text.includes(word));
    item.element.hidden = !fits;
    shown += fits;
  }
  for (const section of sections) section.hidden = !section.querySelector("li.case:not([hidden])");
  count.textContent = shown === items.length ? `${shown} positions` : `${shown} of ${items.length} positions`;
}

function remember() {
  const given = Object.entries(wanted()).filter(([, value]) => value);
  const hash = given.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&");
  history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
}

function recall() {
  const given = new URLSearchParams(location.hash.slice(1).replaceAll("+", "%2B"));
  for (const [key, control] of Object.entries(controls)) control.value = given.get(key) ?? "";
  filter();
  if (location.hash) window.scrollTo({ top: 0, behavior: "instant" });
}

form.addEventListener("input", () => {
  filter();
  remember();
});
form.addEventListener("reset", () => {
  // The controls are emptied after this event.
  setTimeout(() => {
    filter();
    remember();
  });
});
form.addEventListener("submit", (event) => event.preventDefault());
window.addEventListener("hashchange", recall);
form.hidden = false;
recall();
