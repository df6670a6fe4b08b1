/**
 * The list of questions: what is pointed at or focused shows its answer beside the list. Arrow keys walk the titles,
 * "/" goes to the search.
 */
import { seen } from "./seen.js";

const HOVER_MS = 120;
const links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll("#ask-list a[data-key]")]);
const answers = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".ask-answer")]);
const search = /** @type {HTMLInputElement} */ (document.getElementById("ask-search"));
let waiting = 0;

/** @param {HTMLAnchorElement} link */
function show(link) {
  for (const answer of answers) answer.hidden = answer.dataset.key !== link.dataset.key;
  for (const other of links) other.classList.toggle("shown", other === link);
}

/** Check marks, and where the path goes on. */
function tellProgress() {
  const known = seen();
  for (const link of links) link.querySelector(".done")?.toggleAttribute("hidden", !known.has(link.dataset.key ?? ""));
  if (!known.size) return;
  const next = answers.find((answer) => !known.has(answer.dataset.key ?? ""));
  const path = /** @type {HTMLAnchorElement} */ (document.getElementById("ask-path"));
  const told = /** @type {HTMLElement} */ (document.getElementById("ask-seen"));
  told.textContent = `${known.size} of ${answers.length} seen.`;
  if (!next) return;
  path.href = `/questions/${next.dataset.key}`;
  path.textContent = `go on with question ${answers.indexOf(next) + 1}`;
}

for (const link of links) {
  link.addEventListener("focus", () => show(link));
  link.addEventListener("pointerenter", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => show(link), HOVER_MS);
  });
  link.addEventListener("pointerleave", () => clearTimeout(waiting));
}
addEventListener("keydown", (event) => {
  const at = links.indexOf(/** @type {HTMLAnchorElement} */ (document.activeElement));
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step && at >= 0) {
    links[(at + step + links.length) % links.length]?.focus();
    event.preventDefault();
  } else if (event.key === "/" && event.target === document.body) {
    search.focus();
    event.preventDefault();
  }
});
tellProgress();
