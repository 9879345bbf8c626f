"use strict";
// What all scripts of the page share. Nothing here, or below, touches the network.
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const DATA = JSON.parse($("#data").textContent);
document.documentElement.classList.add("js");

// m:ss.s, as in the rest of the report.
function clock(seconds) {
  const tenths = Math.round(Math.max(seconds, 0) * 10);
  const s = Math.floor(tenths / 10) % 60, minutes = Math.floor(tenths / 600);
  const h = Math.floor(minutes / 60), m = minutes % 60;
  const two = (n) => String(n).padStart(2, "0");
  return (h ? `${h}:${two(m)}` : `${m}`) + `:${two(s)}.${tenths % 10}`;
}

(() => {
  // Light, dark, or as the system has it. Storage may be refused to local files.
  const button = $("#theme");
  if (!button) return;
  const themes = ["auto", "light", "dark"];
  let theme = "auto";
  try { theme = localStorage.getItem("triptych-theme") || "auto"; } catch { /* stays auto */ }
  const show = () => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.textContent = `Theme: ${theme}`;
  };
  button.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    try { localStorage.setItem("triptych-theme", theme); } catch { /* for this visit only */ }
    show();
  });
  show();
})();

(() => {
  for (const button of $$(".copy")) {
    button.addEventListener("click", async () => {
      const code = $("code", button.parentElement);
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(code);
        button.textContent = "Selected";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
  }
})();
