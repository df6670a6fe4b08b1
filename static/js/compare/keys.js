/**
 * The keyboard of a comparison: time and the stage as on a run's own page, D for the next difference, X for the other
 * run, A for whether an action goes to all of them, Shift A to apply the newest one to the others too.
 *
 * @import {ComparePage} from "./page.js"
 */
import { STAGE_KEYS } from "../app/stagekeys.js";
import { openDialog } from "../kit/kit.js";
import { listenForKeys, listenForUndo, scrub, TIME_KEYS } from "../page/timekeys.js";

/** @param {ComparePage} page */
export function startKeys(page) {
  const timed = { model: page.leader.model, page: page.page, travel: page.travel };
  /** @type {Record<string, (event: KeyboardEvent) => unknown>} */
  const own = {
    d: () => page.goToNext(),
    x: () => page.swap(),
    f: () => openDialog("figures"),
    a: ({ shiftKey }) => (shiftKey ? page.acting.applyToOthers() : page.acting.toggle()),
    Escape: () => page.leader.select(null),
    "?": () => openDialog("help"),
  };
  for (const [name, way] of /** @type {const} */ ([
    ["ArrowLeft", -1],
    ["ArrowRight", 1],
  ]))
    own[name] = (event) => (isOnStage(event) ? STAGE_KEYS[name]?.(page.activePlayer, event) : scrub(timed, event, way));
  listenForUndo(page.acting);
  listenForKeys(page.page, (name) => {
    if (TIME_KEYS[name]) return () => TIME_KEYS[name]?.(timed);
    return own[name] ?? (STAGE_KEYS[name] && ((event) => STAGE_KEYS[name]?.(page.activePlayer, event)));
  });
}

/** @param {KeyboardEvent} event */
const isOnStage = ({ target }) => target instanceof Element && Boolean(target.closest(".stage"));
