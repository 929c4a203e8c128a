// The reader's language, on every page: that of the page if it is not English, the one chosen before, or the browser's first
// one that there is. It runs before anything is drawn, since it opens the first page in that language.
"use strict";

const damspecLanguage = (() => {
  const KEY = "damspec.language";
  const { languages, root } = document.currentScript.dataset;
  const tags = languages.split(" ");
  const page = document.documentElement.lang.split("-")[0];

  const keep = (tag) => {
    try {
      localStorage.setItem(KEY, tag);
    } catch {
      // a browser that keeps nothing: it applies to this page only
    }
  };
  const kept = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  };

  const asked = new URLSearchParams(location.search).get("in");
  const own = page === "en" ? null : page;
  const usual = navigator.languages.map((each) => each.split("-")[0]);
  const tag = [own, asked, kept(), ...usual].find((each) => tags.includes(each)) ?? "en";
  if (own || tags.includes(asked)) keep(tag);
  const start = document.querySelector(`link[data-start][hreflang="${tag}"]`);
  if (start && tag !== page && !location.hash) location.replace(start.href);

  document.addEventListener("DOMContentLoaded", () => {
    const choice = document.querySelector(".languages");
    if (!choice) return; // what is printed has none
    choice.hidden = false;
    choice.addEventListener("click", ({ target }) => {
      const chosen = target.closest("[data-language]")?.dataset.language;
      if (!chosen) return;
      keep(chosen);
      if (target.closest("a")) return;
      const address = new URL(location.href);
      address.searchParams.set("in", chosen);
      location.assign(address);
    });
    for (const each of choice.querySelectorAll("button")) {
      if (each.dataset.language === tag) each.setAttribute("aria-current", "true");
    }
  });

  return { tag, page, root };
})();
