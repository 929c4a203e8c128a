// Controls for the values of rules, one for each form of value. Each is made once, shows any value and reports a choice;
// `undefined` means that the rule is absent.
"use strict";

const damspecControls = (texts, changed) => {
  const { element, button } = damspec;
  const { page } = texts;
  const { same } = damspecLink;
  let made = 0;

  const label = (text, input, attributes = {}) => element("label", attributes, text, " ", input);
  const selection = (options) =>
    element("select", {}, ...options.map(([value, text]) => Object.assign(element("option", {}, text), { value })));
  const numeric = (attributes) => element("input", { type: "number", inputmode: "numeric", step: "1", ...attributes });
  const number = (input) => (input.value === "" ? undefined : Number(input.value));
  /** Sets what an input shows, but not under the hands of whoever is writing in it. */
  const put = (input, text) => {
    if (input.value !== text && input !== document.activeElement) input.value = text;
  };

  const squaresOf = (text) =>
    text.split(/[\s,;]+/).filter(Boolean).flatMap((part) => {
      const [first, last = first] = part.split(/[-–]/).map(Number);
      return last - first < 1000 && last >= first ? Array.from({ length: last - first + 1 }, (_, at) => first + at) : [NaN];
    });

  // --- a value out of several ---

  const choice = ({ rule, form, free, title }) => {
    const group = `choice-${++made}`;
    const options = [...form.values, ...(free ? [undefined] : [])].map((value) => {
      const radio = element("input", { type: "radio", name: group });
      radio.addEventListener("change", () => changed(rule, value));
      const text = element("span");
      return { value, radio, text, row: element("label", { class: "option" }, radio, " ", text) };
    });
    return {
      element: element("div", { role: "radiogroup", "aria-label": title }, ...options.map(({ row }) => row)),
      show(values) {
        for (const { value, radio, text } of options) {
          radio.checked = same(values[rule], value);
          text.textContent = texts.sentence(rule, { ...values, [rule]: value });
        }
      },
    };
  };

  // --- a number, or a text of a certain form ---

  const typed = (input, text, { rule, read }) => {
    input.addEventListener("input", () => changed(rule, read(input)));
    return {
      element: element("label", {}, element("span", { class: "spoken" }, text), input),
      show: (values) => put(input, values[rule] === undefined ? "" : String(values[rule])),
    };
  };
  const numbered = ({ rule, form, title }) =>
    typed(numeric({ min: form.least, max: form.most }), title, { rule, read: number });
  const text = ({ rule, title }) => {
    const list = `known-${++made}`;
    const known = new Set(damspecLink.known(rule));
    const input = element("input", { size: "8", autocomplete: "off", spellcheck: "false", list });
    const field = typed(input, title, { rule, read: ({ value }) => value.trim() || undefined });
    field.element.append(element("datalist", { id: list }, ...[...known].map((value) => element("option", { value }))));
    return field;
  };

  // --- several of a list ---

  const listed = ({ rule, form, ordered, title }) => {
    let chosen = [];
    const set = (next) => changed(rule, ordered ? next : form.values.filter((value) => next.includes(value)));
    const items = form.values.map((value, at) => {
      const box = element("input", { type: "checkbox" });
      const words = texts.entry(rule, value);
      box.addEventListener("change", () => set(box.checked ? [...chosen, value] : chosen.filter((each) => each !== value)));
      if (form.places) {
        const [column, row] = form.places[at];
        const place = element("label", { title: words }, box, element("span", { class: "spoken" }, words));
        place.style.gridArea = `${2 - row} / ${column + 2}`;
        return { value, box, place };
      }
      const earlier = ordered
        ? button("↑", () => {
            const from = chosen.indexOf(value);
            const next = chosen.filter((each) => each !== value);
            next.splice(from - 1, 0, value);
            set(next);
            earlier.focus();
          }, { "aria-label": page("earlier", words), class: "earlier" })
        : null;
      const place = element("li", {}, element("label", { class: "option" }, box, " ", words), ...(earlier ? [" ", earlier] : []));
      return { value, box, place, earlier };
    });
    const middle = element("span", { class: "piece", "aria-hidden": "true" });
    const holder = form.places
      ? element("div", { class: "compass", role: "group", "aria-label": title }, ...items.map(({ place }) => place), middle)
      : element("ul", { class: "options", "aria-label": title }, ...items.map(({ place }) => place));
    return {
      element: holder,
      show(values) {
        chosen = values[rule] ?? [];
        const place = (value) => (chosen.includes(value) ? chosen.indexOf(value) : form.values.length);
        for (const { value, box, earlier } of items) {
          box.checked = chosen.includes(value);
          if (earlier) earlier.hidden = chosen.indexOf(value) < 1;
        }
        if (!ordered) return;
        const focused = document.activeElement;
        const order = [...items].sort((one, other) => place(one.value) - place(other.value));
        if (order.some(({ place }, at) => holder.children[at] !== place)) holder.append(...order.map(({ place }) => place));
        if (holder.contains(focused)) focused.focus();
      },
    };
  };

  // --- a word for each of some keys ---

  const mapping = ({ rule, form }) => {
    const words = [["", page("never")], ...form.values.map((value) => [value, texts.entry(rule, value)])];
    const rows = form.keys.map((key) => {
      const select = selection(words);
      select.addEventListener("change", () =>
        changed(rule, Object.fromEntries(rows.filter(([, each]) => each.value).map(([name, each]) => [name, each.value]))),
      );
      return [key, select];
    });
    return {
      element: element("div", { class: "fields" }, ...rows.map(([key, select]) => label(texts.entry(rule, key), select))),
      show(values) {
        for (const [key, select] of rows) select.value = values[rule]?.[key] ?? "";
      },
    };
  };

  // --- lines that can be added and taken away ---

  /** Lines of inputs: `line` makes the inputs of one, `read` the value of all, `fill` puts an entry of a value into them. */
  const lined = ({ rule, entries, line, read, fill }) => {
    const holder = element("div", { class: "lines" });
    let lines = [];
    const value = () => read(lines);
    const add = (entry) => {
      const inputs = line(() => changed(rule, value()));
      const row = element("div", { class: "fields" }, ...inputs.map(([words, input]) => label(words, input)));
      const fields = Object.assign(inputs.map(([, input]) => input), { row });
      row.append(
        button("×", () => {
          lines = lines.filter((each) => each !== fields);
          row.remove();
          more.focus();
          changed(rule, value());
        }, { "aria-label": page("remove"), class: "remove" }),
      );
      if (entry) fill(fields, entry);
      lines.push(fields);
      holder.append(row);
      return fields;
    };
    const more = button(page("add"), () => add()[0].focus());
    return {
      element: element("div", {}, holder, more),
      show(values) {
        if (same(values[rule], value())) return;
        lines = [];
        holder.replaceChildren();
        for (const entry of entries(values[rule])) add(entry);
      },
    };
  };

  const counts = ({ rule }) =>
    lined({
      rule,
      entries: (value) => Object.entries(value ?? {}),
      line: (change) => {
        const key = element("input", { size: "14", autocomplete: "off", spellcheck: "false" });
        const times = numeric({ min: "1", size: "4" });
        key.addEventListener("input", change);
        times.addEventListener("input", change);
        return [[page("pieces"), key], [page("number-of"), times]];
      },
      read: (lines) =>
        lines.length ? Object.fromEntries(lines.map(([key, times]) => [key.value.trim(), number(times) ?? 0])) : undefined,
      fill: ([key, times], [name, many]) => {
        key.value = name;
        times.value = many;
      },
    });

  const layout = ({ rule }) => {
    const known = [...new Map(damspecLink.known(rule).map((each) => [each.id, each])).values()];
    const which = selection([...known.map(({ id, name }) => [id, name]), ["", page("own")]]);
    let board = "";
    const own = lined({
      rule,
      entries: (value) => value?.sliders ?? [],
      line: (change) => {
        const id = element("input", { size: "3", autocomplete: "off" });
        const colour = selection(["green", "orange"].map((each) => [each, texts.colour(each)]));
        const [left, right] = [numeric({ min: "1" }), numeric({ min: "1" })];
        for (const input of [id, colour, left, right]) input.addEventListener("input", change);
        return [[page("slider"), id], [page("colour"), colour], [page("left"), left], [page("right"), right]];
      },
      read: (lines) => {
        if (!lines.length) return undefined;
        const sliders = lines.map(([id, colour, left, right]) => ({
          id: id.value.trim(), colour: colour.value, left: number(left) ?? 0, right: number(right) ?? 0,
        }));
        const like = known.find((each) => each.board === board && same(each.sliders, sliders));
        return like ?? damspecLink.layoutOf(sliders, board);
      },
      fill: (fields, { id, colour, left, right }) => {
        [fields[0].value, fields[1].value, fields[2].value, fields[3].value] = [id, colour, left, right];
      },
    });
    which.addEventListener("change", () => which.value && changed(rule, known.find(({ id }) => id === which.value)));
    return {
      element: element("div", {}, label(page("layout"), which), own.element),
      show(values) {
        board = values["board.size"];
        which.value = known.some(({ id }) => id === values[rule]?.id) ? values[rule].id : "";
        own.show(values);
      },
    };
  };

  // --- rows of men, or squares ---

  const squares = ({ rule, form, title }) => {
    const group = `squares-${++made}`;
    const radios = [element("input", { type: "radio", name: group }), element("input", { type: "radio", name: group })];
    const rows = numeric({ min: "1", max: "12" });
    const fields = form.sides.map((side) => [side, element("input", { autocomplete: "off", inputmode: "text" })]);
    let kings = [];
    /** The squares as they are written, and those of the kings that still have a piece. */
    const asSquares = () => {
      const placed = Object.fromEntries(fields.map(([side, input]) => [side, squaresOf(input.value)]));
      const left = kings.filter((square) => Object.values(placed).flat().includes(square));
      changed(rule, left.length ? { ...placed, kings: left } : placed);
    };
    radios[0].addEventListener("change", () => changed(rule, number(rows) ?? 1));
    radios[1].addEventListener("change", asSquares);
    rows.addEventListener("input", () => changed(rule, number(rows)));
    for (const [, input] of fields) input.addEventListener("input", asSquares);
    const sides = element("div", { class: "fields" }, ...fields.map(([side, input]) => label(page(side), input)));
    return {
      element: element("div", { role: "group", "aria-label": title },
        element("label", { class: "option" }, radios[0], " ", page("rows")),
        label(page("number"), rows),
        element("label", { class: "option" }, radios[1], " ", page("squares")),
        sides,
      ),
      show(values) {
        const value = values[rule];
        const placed = typeof value === "object";
        // a square that is being rewritten is no square for a moment
        if (!fields.some(([, input]) => input === document.activeElement)) kings = (placed && value.kings) || [];
        radios[0].checked = typeof value === "number";
        radios[1].checked = placed;
        rows.parentElement.hidden = placed;
        sides.hidden = !placed;
        if (typeof value === "number") put(rows, String(value));
        for (const [side, input] of fields) if (placed) put(input, texts.listed([value[side] ?? []].flat()).replaceAll("–", "-"));
      },
    };
  };

  const KINDS = { choice, number: numbered, text, list: listed, mapping, counts, layout, squares };

  /** The control for a rule, `{element, show(values)}`; `rule` is its name, `form` that of its value. */
  return (rule) => KINDS[rule.form.kind](rule);
};
