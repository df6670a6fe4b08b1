/**
 * The list of questions: the one that the pointer rests on, or that has the focus, shows its answer beside the list. In
 * the order of Tab an answer's button follows its title. Arrow keys walk the titles, "/" goes to the search.
 */
import { startGuess } from "./guess.js";
import { seen } from "./seen.js";

/** the pointer rests on a title for so long: on its way to the button it crosses others */
const HOVER_MS = 120;
const links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll("#ask-list a[data-key]")]);
/** in the order of the path */
const answers = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".ask-answer")]).sort(
  (a, b) => Number(a.dataset.number) - Number(b.dataset.number),
);
const search = /** @type {HTMLInputElement} */ (document.getElementById("ask-search"));
let waiting = 0;

/** @param {HTMLAnchorElement} link */
function show(link) {
  for (const answer of answers) answer.hidden = answer.dataset.key !== link.dataset.key;
  for (const other of links) other.classList.toggle("shown", other === link);
  history.replaceState({ ...history.state, question: link.dataset.key }, "");
}

/**
 * The pointer moves on a title: its answer is shown once the pointer rests. A page that scrolls below the pointer moves
 * nothing, and an answer that the keyboard has come to stays.
 * @param {HTMLAnchorElement} link
 */
function rest(link) {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    if (!document.activeElement?.matches(".ask-answer :focus-visible")) show(link);
  }, HOVER_MS);
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

for (const answer of answers) startGuess(answer, tellProgress);
for (const link of links) {
  link.addEventListener("focus", () => show(link));
  link.addEventListener("pointermove", () => rest(link));
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
const left = links.find((link) => link.dataset.key === history.state?.question);
if (left) show(left);
tellProgress();
