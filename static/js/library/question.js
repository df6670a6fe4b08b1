/**
 * A question's page: one guesses first, then the answer and its runs are shown. Without this script all is shown.
 */
import { see, seen } from "./seen.js";

const guess = /** @type {HTMLElement} */ (document.getElementById("guess"));
const answer = /** @type {HTMLElement} */ (document.getElementById("answer"));
const told = /** @type {HTMLElement} */ (document.getElementById("guess-told"));
const choices = /** @type {HTMLButtonElement[]} */ ([...guess.querySelectorAll("[data-choice]")]);
const key = answer.dataset.key ?? "";

/** @param {HTMLButtonElement} button */
function choose(button) {
  const right = guess.dataset.right ?? "";
  const chosen = button.dataset.choice;
  const start = chosen === right ? "Right: the" : chosen ? "Not quite: the" : "The";
  told.textContent = `${start} run shows ${right}.`;
  for (const choice of choices) {
    choice.disabled = true;
    choice.setAttribute("aria-pressed", String(choice === button));
    choice.classList.toggle("right", choice.dataset.choice === right);
  }
  answer.hidden = false;
  see(key);
}

guess.hidden = false;
answer.hidden = !seen().has(key);
for (const button of choices) button.addEventListener("click", () => choose(button));
