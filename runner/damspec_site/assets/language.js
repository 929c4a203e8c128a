// The language of the page, and the one that a reader has clicked, else the browser's first that there is: the first page opens
// in it, and pages for programmers and historians, which are in English alone, lead back to it. It runs before anything is drawn.
"use strict";

/** What the browser keeps for all pages of the site, texts by name. */
const damspecKept = {
  /** The text of a name; null if nothing is kept, or the browser keeps nothing. */
  read: (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  },
  /** Keeps a text, or no text any more; returns whether the browser does so. */
  write: (name, text) => {
    try {
      if (text === null) localStorage.removeItem(name);
      else localStorage.setItem(name, text);
      return true;
    } catch {
      return false;
    }
  },
};

const damspecLanguage = (() => {
  const KEY = "damspec-language"; // not damspec.language, which earlier versions kept without a click
  const { languages, root, english } = document.currentScript.dataset;
  const tags = languages.split(" ");
  const tag = document.documentElement.lang.split("-")[0];

  const asked = new URLSearchParams(location.search).get("in");
  const usual = navigator.languages.map((each) => each.split("-")[0]);
  const reader = [asked, damspecKept.read(KEY), ...usual].find((each) => tags.includes(each)) ?? "en";
  const start = document.querySelector(`link[data-start][hreflang="${reader}"]`);
  if (start && tag !== reader) location.replace(start.href + location.hash);

  document.addEventListener("DOMContentLoaded", () => {
    // What is in English alone leads back to the pages in the reader's language.
    const doors = english === undefined || reader === "en" ? [] : document.querySelectorAll(".lid [data-door]");
    for (const door of doors) door.href = `${root}${reader}/${door.dataset.door}`;
  });
  document.addEventListener("click", ({ target }) => {
    const chosen = target.closest("[data-language]");
    if (!chosen) return;
    if (chosen.hreflang) chosen.hash = location.hash;
    const { language } = chosen.dataset;
    if (!damspecKept.write(KEY, language)) chosen.search = `?in=${language}`;
  });

  return { tag, reader, root };
})();
