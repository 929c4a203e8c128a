// The table of collected answers, sorted by a click on a heading; filters apply to table and map.
"use strict";

{
  const form = document.getElementById("collected-filters");
  const note = document.getElementById("collected-note");
  const table = document.querySelector("table.collected");
  const rows = [...table.tBodies[0].rows];
  const heads = [...table.tHead.rows[0].cells];
  const wanted = Object.fromEntries(
    ["game", "country", "words"].map((name) => [name, document.getElementById(`wanted-${name}`)]),
  );

  const fits = (row) =>
    (!wanted.game.value || row.dataset.game === wanted.game.value) &&
    (!wanted.country.value || row.dataset.country === wanted.country.value) &&
    damspec
      .folded(wanted.words.value)
      .split(/\s+/)
      .every((word) => damspec.folded(row.textContent).includes(word));

  const show = () => {
    const shown = new Set(rows.filter(fits).map((row) => row.dataset.row));
    for (const part of document.querySelectorAll("main [data-row]")) {
      part.toggleAttribute("hidden", !shown.has(part.dataset.row));
    }
    const [number, all] = [shown.size, rows.length];
    note.replaceChildren(number === all ? damspec.counted("places", all) : damspec.text("places-of", String(number), String(all)));
    damspec.speak(note);
  };

  const sort = (place) => {
    const down = heads[place].getAttribute("aria-sort") === "ascending";
    const text = (row) => row.cells[place].dataset.by ?? row.cells[place].textContent.trim();
    // Empty cells come last in either order.
    const order = (one, other) =>
      !text(one) - !text(other) ||
      text(one).localeCompare(text(other), "en", { numeric: true }) * (down ? -1 : 1) ||
      one.dataset.row - other.dataset.row;
    for (const head of heads) head.removeAttribute("aria-sort");
    heads[place].setAttribute("aria-sort", down ? "descending" : "ascending");
    table.tBodies[0].append(...rows.sort(order));
  };

  for (const [place, head] of heads.entries()) {
    const button = damspec.element("button", { type: "button" }, head.textContent);
    button.addEventListener("click", () => sort(place));
    head.replaceChildren(button);
  }
  form.addEventListener("input", show);
  // The controls are emptied after this event.
  form.addEventListener("reset", () => setTimeout(show));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  show();
}
