// The case browser: filters over all cases, kept in the address after #. Without a filter the page shows its lists.
"use strict";

{
  const EACH = 24;
  const form = document.getElementById("filters");
  const controls = Object.fromEntries(
    ["ruleset", "topic", "clause", "text"].map((key) => [key, document.getElementById(`filter-${key}`)]),
  );
  const count = document.getElementById("count");
  const why = document.getElementById("why");
  const found = document.getElementById("found");
  const list = found.querySelector(".cases");
  const pager = found.querySelector(".pager");
  const lists = document.getElementById("lists");
  const everything = Number(count.dataset.number);
  const { element } = damspec;
  const counted = (number) => `${number} position${number === 1 ? "" : "s"}`;
  let turn = 0;
  let typing = null;

  /** Whether a case passes a filter. */
  const FITS = {
    ruleset: (one, id) => one.rulesets.includes(id),
    topic: (one, topic) => one.topic === topic,
    clause: (one, id) => one.sources.includes(id.toLowerCase()),
    text: (one, text) => text.split(/\s+/).every((word) => one.says.includes(damspec.folded(word))),
  };

  const wanted = () =>
    Object.entries(controls)
      .map(([key, control]) => [key, control.value.trim()])
      .filter(([, value]) => value);
  const fitting = (cases, filters) =>
    cases.filter((one) => filters.every(([key, value]) => FITS[key](one, value)));
  const address = (filters) => filters.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&");
  const asked = () => new URLSearchParams(location.hash.slice(1).replaceAll("+", "%2B"));
  const named = (key, value) =>
    controls[key].querySelector(`option[value="${CSS.escape(value)}"]`)?.text ?? value;

  const read = ({ games, boards, cases }) =>
    cases.map(([id, why, topic, players, sources, fen, board]) => ({
      ...{ id, why, topic, fen, board: boards[board], rulesets: games[players] },
      sources: sources.map((source) => source.toLowerCase()),
      says: damspec.folded(`${id} ${damspec.caseName(id)} ${why} ${fen}`),
    }));
  const load = async () => read(await damspec.part("search/cases"));

  const row = (one) => {
    const picture = damspec.pictures.make(one.fen, one.board, 112);
    const says = one.why.split("`").map((text, index) => (index % 2 ? element("code", {}, text) : text));
    const link = element("a", { href: damspec.root + damspec.casePlace(one.id) }, damspec.caseName(one.id));
    const words = element("p", {},
      link,
      " ",
      element("code", {}, one.id),
      " ",
      element("span", { class: "says" }, ...says),
    );
    return element("li", { class: "case" }, picture, words);
  };

  const pages = (number, page, filters) => {
    const last = Math.ceil(number / EACH);
    const to = (wanted, key, rel) =>
      element("a", { href: `#${address([...filters, ["page", wanted]])}`, rel }, key);
    pager.replaceChildren(
      ...(page > 1 ? [to(page - 1, "Earlier ones", "prev")] : []),
      ...(last > 1 ? [`Page ${page} of ${last}`] : []),
      ...(page < last ? [to(page + 1, "More", "next")] : []),
    );
  };

  const dropping = (key, text) =>
    damspec.button(text, () => {
      controls[key].value = "";
      changed(null);
      form.querySelector("select").focus();
    });

  /** The filters that leave nothing, each with a button that drops it. */
  const reasons = (cases, filters) => {
    const number = (some) => fitting(cases, some).length;
    const without = filters.map(([key, value]) => [key, value, number(filters.filter(([other]) => other !== key))]);
    const helping = without.filter(([, , left]) => left);
    const alone = filters.filter((filter) => !number([filter]));
    const parts = alone.map(([key, value]) => {
      const words = key === "text" ? value.split(/\s+/).filter((word) => !number([["text", word]])) : [];
      return ["No position at all has", ` ${(words.length ? words : [value]).map((word) => `“${word}”`).join(", ")}. `];
    });
    if (!alone.length && filters.length > 1) parts.push(["Each of these has positions, but none has them all.", " "]);
    const shown = helping.length ? helping : alone.map(([key, value]) => [key, value, 0]);
    const buttons = shown.map(([key, value, left]) =>
      dropping(key, `Without “${named(key, value)}”${left ? `: ${counted(left)}` : ""}`),
    );
    return [...parts.flat(), ...buttons];
  };

  const show = async () => {
    const mine = ++turn;
    const filters = wanted();
    lists.hidden = filters.length > 0;
    found.hidden = !filters.length;
    why.replaceChildren();
    if (!filters.length) {
      count.textContent = counted(everything);
      return;
    }
    try {
      const cases = await load();
      const fits = fitting(cases, filters);
      if (mine !== turn) return;
      const page = Math.min(Math.max(1, asked().get("page") || 1), Math.ceil(fits.length / EACH) || 1);
      list.replaceChildren(...fits.slice((page - 1) * EACH, page * EACH).map(row));
      damspec.pictures.observe(list);
      pages(fits.length, page, filters);
      count.textContent = `${fits.length} of ${counted(everything)}`;
      if (!fits.length) why.replaceChildren(...reasons(cases, filters));
    } catch {
      count.textContent = "The positions could not be loaded.";
    }
  };

  /** Puts the filters into the address, as a new entry of the history except while typing. */
  const changed = (control) => {
    const place = address(wanted());
    const replaces = control !== null && control === typing;
    history[replaces ? "replaceState" : "pushState"](
      null,
      "",
      place ? `#${place}` : location.pathname + location.search,
    );
    typing = control?.matches("input") ? control : null;
    return show();
  };

  const recall = async () => {
    const given = asked();
    typing = null;
    for (const [key, control] of Object.entries(controls)) control.value = given.get(key) ?? "";
    await show();
    if (location.hash) window.scrollTo({ top: 0, behavior: "instant" });
  };

  form.addEventListener("input", (event) => changed(event.target));
  // The controls are emptied after this event.
  form.addEventListener("reset", () => setTimeout(() => changed(null)));
  form.addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", recall);
  window.addEventListener("popstate", () => location.hash || recall());
  form.hidden = false;
  recall();
}
