// Sets the theme before the first paint, so a dark page never flashes light. A classic script on purpose:
// modules run after the document is parsed.
(() => {
  let stored = null;
  try {
    stored = localStorage.getItem("highwater-theme");
  } catch {
    /* storage can be forbidden: follow the system */
  }
  const dark = stored ? stored === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
