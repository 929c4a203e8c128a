// Copy buttons.
"use strict";

for (const code of document.querySelectorAll(".copy code[id]")) {
  const button = damspec.button("Copy", async () => {
    const isCopied = await damspec.copy(code.textContent);
    if (!isCopied) getSelection().selectAllChildren(code);
    button.textContent = isCopied ? "Copied" : "Selected";
  }, { "data-copy": `#${code.id}`, "aria-live": "polite" });
  code.after(button);
}
