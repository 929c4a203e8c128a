// The language of the page, and the one that a reader has clicked, else the browser's first that there is: the first page opens
// in it, and pages for programmers and historians, which are in English alone, lead back to it. It runs before anything is drawn.
"use strict";

const damspecLanguage = (() => {
  const KEY = "damspec-language"; // not damspec.language, which earlier versions kept without a click
  const { languages, root, english } = document.currentScript.dataset;
  const tags = languages.split(" ");
  const tag = document.documentElement.lang.split("-")[0];

  const kept = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  };

  const asked = new URLSearchParams(location.search).get("in");
  const usual = navigator.languages.map((each) => each.split("-")[0]);
  const reader = [asked, kept(), ...usual].find((each) => tags.includes(each)) ?? "en";
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
    try {
      localStorage.setItem(KEY, chosen.dataset.language);
    } catch {
      chosen.search = `?in=${chosen.dataset.language}`; // a browser that keeps nothing
    }
  });

  return { tag, reader, root };
})();
