/** On a phone the chapters of a long page are closed at first: the heading of a chapter opens it. */
import { plural } from "../kit/wording.js";

const narrow = matchMedia("(max-width: 720px)");

/** Close the chapters where the window is narrow. @param {HTMLElement[]} chapters @param {[string, string?]} noun */
export function foldChapters(chapters, noun) {
  if (narrow.matches) for (const chapter of chapters) foldable(chapter, noun);
}

/** Open the chapter that an element stands in. @param {Element} element */
export function unfold(element) {
  const chapter = element.closest(".chapter.folded");
  chapter?.classList.remove("folded");
  chapter?.querySelector(".fold")?.setAttribute("aria-expanded", "true");
}

/** @param {HTMLElement} chapter @param {[string, string?]} noun of its cards */
function foldable(chapter, noun) {
  const heading = /** @type {HTMLElement} */ (chapter.querySelector("h2"));
  const number = document.createElement("span");
  number.className = "muted";
  number.textContent = plural(chapter.querySelectorAll("article").length, ...noun);
  const button = document.createElement("button");
  button.type = "button";
  button.className = "fold";
  button.append(...heading.childNodes, number);
  button.addEventListener("click", () => {
    button.ariaExpanded = String(!chapter.classList.toggle("folded"));
  });
  button.ariaExpanded = "false";
  heading.append(button);
  chapter.classList.add("folded");
}
