/**
 * The guess before an answer, on the page of a question and beside the list of them. The answer is hidden until
 * somebody guesses or asks for it, and in the browser that has seen it the guess is over. Without scripts all is shown.
 */
import { see, seen } from "./seen.js";

/**
 * @param {HTMLElement} root of one question, with its key: a guess and what is told after it
 * @param {() => void} [onSeen]
 */
export function startGuess(root, onSeen = () => {}) {
  const guess = /** @type {HTMLElement} */ (root.querySelector(".ask-guess"));
  const told = /** @type {HTMLElement} */ (guess.querySelector(".ask-told"));
  const choices = /** @type {HTMLButtonElement[]} */ ([...guess.querySelectorAll("[data-choice]")]);
  const right = guess.dataset.right ?? "";
  const key = root.dataset.key ?? "";

  /** @param {HTMLButtonElement | null} button null: guessed earlier */
  function show(button) {
    const chosen = button?.dataset.choice;
    const start = chosen === right ? "Right: the" : chosen ? "Not quite: the" : "The";
    told.textContent = `${start} run shows ${right}.`;
    for (const choice of choices) {
      choice.disabled = true;
      choice.setAttribute("aria-pressed", String(choice === button));
      choice.classList.toggle("right", choice.dataset.choice === right);
    }
    root.dataset.seen = "";
  }

  for (const button of choices)
    button.addEventListener("click", () => {
      show(button);
      see(key);
      onSeen();
    });
  if (seen().has(key)) show(null);
}
