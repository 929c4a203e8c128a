// The search box on every page. What the first search needs is loaded when the page is idle, on a phone when the box gets
// the focus.
"use strict";

{
  const form = document.querySelector("form.search");
  const box = form.querySelector("input[type=search]");
  const answer = form.querySelector(".answer");
  const broken = form.querySelector(".why");
  const status = form.querySelector("[role=status]");
  const SCRIPTS = ["assets/search-index.js", "assets/search-results.js"];
  /** The pause in typing before a search, in milliseconds. */
  const REST = 60;
  let turn = 0;

  let finder = null;
  const prepare = (damspec.prepareSearch = () =>
    (finder ??= Promise.all([...SCRIPTS.map(damspec.script), damspec.part(`search/${damspecLanguage.tag}`)]).then(async () => {
      const made = damspec.finder();
      await made.ready();
      return made;
    })));

  /** Searches and shows the results, unless the query changes. */
  const search = async () => {
    const mine = ++turn;
    const query = box.value.trim();
    if (!query) return close();
    status.textContent = "";
    await new Promise((rested) => setTimeout(rested, REST));
    if (mine !== turn) return;
    try {
      const found = await (await prepare()).find(query);
      if (mine !== turn) return;
      const says = damspec.showResults(answer, found, { each: 3 });
      answer.append(everything(found));
      status.textContent = says;
      answer.hidden = false;
    } catch {
      finder = null;
      answer.replaceChildren(broken);
      broken.hidden = false;
      answer.hidden = false;
    }
  };

  const everything = ({ said }) => {
    const address = `${damspec.root}${damspec.inLanguage("search.html")}?${new URLSearchParams(new FormData(form))}`;
    return damspec.element("p", {}, damspec.element("a", { href: address, class: "all" }, said.all));
  };

  const close = () => {
    turn++;
    answer.hidden = true;
    answer.replaceChildren();
    status.textContent = "";
  };

  /** Up and down move through the results and back to the box. */
  const step = (by) => {
    const places = [box, ...answer.querySelectorAll("a, button")];
    const next = places[places.indexOf(document.activeElement) + by];
    if (next && !answer.hidden) next.focus();
    return Boolean(next) && !answer.hidden;
  };

  const early = () => prepare().catch(() => {});
  box.addEventListener("focus", early, { once: true });
  window.addEventListener("load", () => matchMedia("(hover: hover)").matches && window.requestIdleCallback?.(early));
  box.addEventListener("focus", () => answer.hidden && box.value && search());
  box.addEventListener("input", search);
  form.addEventListener("submit", (event) => {
    if (!box.value.trim()) event.preventDefault();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !answer.hidden) {
      event.preventDefault();
      box.focus();
      close();
    } else if (
      (event.key === "ArrowDown" || event.key === "ArrowUp") &&
      step(event.key === "ArrowDown" ? 1 : -1)
    ) {
      event.preventDefault();
    }
  });
  form.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !form.contains(event.relatedTarget)) close();
  });
  document.addEventListener("pointerdown", (event) => {
    if (!form.contains(event.target)) close();
  });
  document.addEventListener("keydown", (event) => {
    const writing = event.target.closest("input:not([type=checkbox]), select, textarea, [contenteditable]");
    if (event.key !== "/" || writing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    form.closest("[popover]")?.showPopover();
    box.focus();
    box.select();
  });
  form.querySelector("label").hidden = false;
}
