/**
 * Keys of a page that plays: how they are heard, and those that move time. Single letters are off while typing and can
 * be turned off in Settings.
 *
 * @import {Model} from "../run/model.js"
 * @import {PageState} from "./pagestate.js"
 * @import {Moves} from "./travel.js"
 */
import { SPEEDS, stopOf } from "../run/clock.js";

const FACT_KEY = ">";
const SCRUB_US = 10_000;
const SCRUB_FAR_US = 1_000_000;

/**
 * @typedef {{model: Model, page: PageState, travel: Moves}} Timed
 * @param {PageState} page
 * @param {(name: string) => ((event: KeyboardEvent) => unknown) | undefined} find what a key does; false from it: not
 *   done, the browser may have the key
 */
export function listenForKeys(page, find) {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || isTyping(event.target) || document.querySelector("dialog[open]")) return;
    if (event.ctrlKey || event.metaKey) return;
    const name = nameOf(event);
    const handler = find(name);
    if (!handler || (/^[a-z]$/.test(name) && !page.singleKeys.value)) return;
    if (ownsKey(event.target, event.key)) return;
    if (handler(event) !== false) event.preventDefault();
  });
}

/**
 * Ctrl Z, and Ctrl Shift Z or Ctrl Y; their buttons in the menu.
 * @param {{undo: () => unknown, redo: () => unknown}} app
 */
export function listenForUndo(app) {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || isTyping(event.target) || document.querySelector("dialog[open]")) return;
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || (key !== "z" && key !== "y")) return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) app.redo();
    else app.undo();
  });
  for (const way of /** @type {const} */ (["undo", "redo"]))
    for (const button of document.querySelectorAll(`[data-testid=${way}]`))
      button.addEventListener("click", () => app[way]());
}

/** @type {Record<string, (app: Timed) => unknown>} */
export const TIME_KEYS = {
  " ": (app) => app.travel.togglePlay(),
  ".": (app) => app.travel.step(1),
  [FACT_KEY]: (app) => app.travel.stepFact(),
  ",": (app) => app.travel.step(-1),
  "[": (app) => changeSpeed(app, -1),
  "]": (app) => changeSpeed(app, 1),
  Home: (app) => app.travel.seek(0),
  End: (app) => app.travel.goLive(),
};

/** @param {Timed} app @param {number} by */
function changeSpeed(app, by) {
  const at = stopOf(app.page.speedOf(app.model));
  app.travel.setSpeed(SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at + by))] ?? 100_000);
}

/**
 * Move the playhead by a tenth of a second as it is played, with Shift by a second.
 * @param {Timed} app
 * @param {KeyboardEvent} event
 * @param {number} way
 */
export function scrub(app, event, way) {
  const step = event.shiftKey ? SCRUB_FAR_US : Math.max(SCRUB_US, app.page.speedOf(app.model) / 10);
  app.travel.seek(app.model.moment + way * step);
  return true;
}

/**
 * Shift with the key of the full stop, whatever the layout makes of it; some need Shift for the stop itself.
 * @param {KeyboardEvent} event
 */
function nameOf({ key, code, shiftKey }) {
  if (shiftKey && code === "Period" && key !== ".") return FACT_KEY;
  return key.length === 1 ? key.toLowerCase() : key;
}

/** @param {EventTarget | null} target */
export function isTyping(target) {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      /^(TEXTAREA|SELECT)$/.test(target.tagName) ||
      (target instanceof HTMLInputElement && !/^(range|checkbox|radio|button)$/.test(target.type)))
  );
}

/** Keys that the focused control understands itself. @param {EventTarget | null} target @param {string} key */
function ownsKey(target, key) {
  if (!(target instanceof Element)) return false;
  if (key === "Enter" || key === " ") return Boolean(target.closest("button, a, summary, input, [role=menu]"));
  if (/^(Arrow|Home|End)/.test(key))
    return (
      target instanceof HTMLInputElement ||
      Boolean(target.closest("[role=tablist], [role=menu], [role=separator], [role=log]"))
    );
  return false;
}
