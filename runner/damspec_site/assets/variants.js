// A game with its variants on one page: switches choose one, and what others have is hidden. The address keeps the choice.
"use strict";

for (const form of document.querySelectorAll("form.variants")) {
  const status = form.querySelector("[role=status]");
  const boxes = [...form.querySelectorAll("input")];
  const game = location.pathname.match(/([^/]+)\.html$/)[1];
  const variants = [...document.querySelectorAll("[data-variant]")].map(({ id, dataset }) => ({
    id,
    name: dataset.name,
    parts: boxes.map(({ value }) => value).filter((value) => value === id || dataset.variant.split(" ").includes(value)),
  }));
  const all = [{ id: game, name: form.getAttribute("aria-label"), parts: [] }, ...variants];

  const show = (chosen) => {
    for (const box of boxes) box.checked = chosen.parts.includes(box.value);
    for (const each of document.querySelectorAll("[data-games]")) {
      each.hidden = !each.dataset.games.split(" ").includes(chosen.id);
    }
    status.textContent = chosen.name;
  };

  const recall = () => show(all.find(({ id }) => id === location.hash.slice(1)) ?? all[0]);

  form.addEventListener("change", ({ target }) => {
    const parts = boxes.filter(({ checked }) => checked).map(({ value }) => value);
    // Where the document does not combine them, the last one counts.
    const fits = all.find((each) => String(each.parts) === String(parts)) ?? all.find(({ id }) => id === target.value);
    history.replaceState(null, "", fits.id === game ? location.pathname : `#${fits.id}`);
    show(fits);
  });
  window.addEventListener("hashchange", () => all.some(({ id }) => id === location.hash.slice(1)) && recall());
  form.hidden = false;
  document.documentElement.classList.add("one-variant");
  recall();
}
