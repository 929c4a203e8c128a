// A ruleset as a file for `damspec`: the differences from a game, or every rule, with the meanings as comments.
"use strict";

const damspecFile = ({ groups, rules }, texts) => {
  const COLUMNS = 100;
  const PLAIN = /^[a-z][a-z-]*$/;
  // Words that YAML may read as another type.
  const TAKEN = ["yes", "no", "on", "off", "true", "false", "null", "y", "n"];

  const yaml = (value) => {
    if (value === undefined) return "null";
    if (Array.isArray(value)) return `[${value.map(yaml).join(", ")}]`;
    if (typeof value === "object") return `{${Object.entries(value).map(([key, each]) => `${yaml(key)}: ${yaml(each)}`).join(", ")}}`;
    if (typeof value === "string" && PLAIN.test(value) && !TAKEN.includes(value)) return value;
    return JSON.stringify(value);
  };

  const comment = (text, indent = "") => {
    const lines = [""];
    for (const word of text.split(/\s+/)) {
      if (lines.at(-1) && `${indent}# ${lines.at(-1)} ${word}`.length > COLUMNS) lines.push("");
      lines.push(`${lines.pop()} ${word}`.trim());
    }
    return lines.map((line) => `${indent}# ${line}`);
  };

  /** An unused id made from a name. */
  const idOf = (name) => {
    const plain = damspec.folded(name).replace(/[^a-z0-9]+/g, "-").replace(/^[-0-9]+|-+$/g, "");
    const id = plain || "own-rules";
    return id in damspecRulesets ? `my-${id}` : id;
  };

  /** The trapdoor layout in a file: the id of a known one, or the layout itself. */
  const filed = (rule, value) => {
    if (rules[rule].form.kind !== "layout" || value === undefined) return value;
    return damspecLink.known(rule).some((layout) => damspecLink.same(layout, value)) ? value.id : value;
  };

  /** The lines of one rule. `beside` are the values of the other rules for its sentence. */
  const lines = (rule, values) => [
    "",
    ...comment(texts.asked(rule), "  "),
    ...comment(texts.sentence(rule, values), "  "),
    `  ${rule}: {value: ${yaml(filed(rule, values[rule]))}}`,
  ];

  return {
    idOf,

    /** The text of the file; `base` is the game it extends, or empty for a file with all rules. */
    text({ name, values, base }) {
      const before = damspecRulesets[base]?.values ?? {};
      const written = (rule) => (base ? !damspecLink.same(before[rule], values[rule]) : rule in values);
      const chosen = groups.flatMap((group) => group.rules).filter(written);
      const id = idOf(name);
      const about = base ? `Made in the workshop from ${damspecRulesets[base].name}.` : "Made in the workshop.";
      const uses = `damspec moves ${id}.yaml start shows what it plays, damspec check ${id}.yaml -- ENGINE whether an engine plays it.`;
      return [
        ...comment(uses),
        "damspec: 1",
        `id: ${id}`,
        `name: ${JSON.stringify(name)}`,
        `about: ${JSON.stringify(about)}`,
        ...(base ? [`extends: ${base}`] : ["documents: []"]),
        chosen.length ? "rules:" : "rules: {}",
        ...chosen.flatMap((rule) => lines(rule, values)),
        "",
      ].join("\n");
    },
  };
};
