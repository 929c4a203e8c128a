// The list of rules in the workshop, group by group: the question, a control for the value, what is wrong with it, and a
// button that restores the value of the game it began with.
"use strict";

/** `chosen` has the `base` and the `values`; `change(rule, value)` and `toggle(groups, there)` are called on a choice. */
const damspecRuleList = ({ language, texts, chosen, change, toggle }) => {
  const { element, button } = damspec;
  const { same } = damspecLink;
  const games = damspecRulesets;
  const controls = damspecControls(texts, change);

  /** A problem in the reader's language. */
  const explained = (problem) => {
    const { rule, kind, entry, other, others, number, squares } = problem;
    if (kind === "clash") {
      const groups = Object.fromEntries(language.groups.map((group) => [group.id, group]));
      const isThere = (each) => Object.keys(chosen.values).some((name) => name === each || name.startsWith(`${each}.`));
      const there = others.filter(isThere);
      const said = (each) => (groups[each] ? texts.titled(groups[each]) : texts.sentence(each, chosen.values));
      if (there.length) return texts.page("clash", there.map(said).join(" "));
      return texts.page("needs", others.map((each) => texts.titled(groups[each] ?? language.rules[each])).join(", "));
    }
    const words = (word) => (word === undefined ? "" : kind.startsWith("nothing") ? texts.entry(rule, word) : word);
    return texts.page(kind, { "": squares ? texts.listed(squares) : words(entry), other: words(other), number });
  };

  const ruleOf = (name) => {
    const { form: kind, free, ordered } = language.rules[name];
    const title = texts.title(name);
    const control = controls({ rule: name, form: kind, free, ordered, title });
    const note = element("p", { class: "wrong", id: `wrong-${name}` });
    const sentence = element("p", { class: "sentence" });
    const restore = button("", () => {
      change(name, games[chosen.base].values[name]);
      holder.querySelector("input, select")?.focus();
    }, { class: "restore" });
    const page = element("a", { href: `${damspec.root}rules/${name}.html`, hreflang: "en" }, texts.page("page"));
    const holder = element("fieldset", { id: `rule-${name}`, "aria-describedby": note.id },
      element("legend", {}, title),
      element("p", { class: "asks" }, texts.asked(name)),
      control.element,
      ...(kind.kind === "choice" ? [] : [sentence]),
      note,
      element("p", { class: "after" }, restore),
      element("p", { class: "after" }, page, texts.inEnglish),
    );
    return {
      name,
      holder,
      show(problems) {
        const there = damspec.presence(name, chosen.values) !== "never";
        holder.hidden = !there;
        if (!there) return;
        const mine = problems.filter(({ rule }) => rule === name);
        control.show(chosen.values);
        sentence.textContent = mine.some(texts.leavesUnsaid) ? "" : texts.sentence(name, chosen.values);
        note.textContent = mine.map(explained).join(" ");
        const base = games[chosen.base];
        const differs = base && !same(base.values[name], chosen.values[name]);
        restore.parentElement.hidden = !differs || (!(name in base.values) && !free);
        holder.classList.toggle("changed", Boolean(differs));
        if (base) restore.textContent = texts.page("restore", texts.game(chosen.base));
      },
    };
  };

  const groupOf = (group) => {
    const rules = group.rules.map(ruleOf);
    const marks = element("span", { class: "marks" });
    const ids = [group.id, ...group.brings];
    const box = element("input", { type: "checkbox" });
    box.addEventListener("change", () => toggle(ids, box.checked));
    const has = group.brings.length ? [element("p", {}, element("label", { class: "option" }, box, " ", texts.page("has")))] : [];
    const holder = element("details", { class: "group", id: `group-${group.id}` },
      element("summary", {}, element("h3", {}, texts.titled(group)), " ", marks),
      ...has,
      ...rules.map(({ holder }) => holder),
    );
    return {
      id: group.id,
      holder,
      show(problems) {
        for (const rule of rules) rule.show(problems);
        box.checked = group.rules.some((rule) => rule in chosen.values);
        holder.hidden = !has.length && rules.every((rule) => rule.holder.hidden);
        const changed = rules.filter((rule) => !rule.holder.hidden && rule.holder.classList.contains("changed")).length;
        const wrong = problems.filter(({ rule }) => group.rules.includes(rule)).length;
        marks.replaceChildren(
          ...(changed ? [element("span", { class: "tag" }, texts.page("changed", { number: changed }))] : []),
          ...(wrong ? [" ", element("span", { class: "tag low" }, texts.page("wrong", { number: wrong }))] : []),
        );
      },
    };
  };

  const groups = language.groups.map(groupOf);
  return {
    explained,
    elements: groups.map(({ holder }) => holder),
    show: (problems) => groups.forEach((group) => group.show(problems)),
  };
};
