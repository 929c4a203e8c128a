// Copy buttons.
"use strict";

for (const code of document.querySelectorAll(".copy code[id]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.copy = `#${code.id}`;
  const say = (key) => {
    button.replaceChildren(damspec.text(key));
    return damspec.speak(button);
  };
  say("workshop.copy");
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      await say("workshop.copied");
    } catch {
      getSelection().selectAllChildren(code);
      say("selected");
    }
  });
  code.after(button);
}
