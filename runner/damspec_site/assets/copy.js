// Copy buttons.
"use strict";

for (const code of document.querySelectorAll(".copy code[id]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.copy = `#${code.id}`;
  button.textContent = "Copy";
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = "Selected";
    }
  });
  code.after(button);
}
