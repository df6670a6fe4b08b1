/**
 * The keyboard of a comparison: time as on a run's own page, D for the next difference, X for the other run.
 *
 * @import {ComparePage} from "./page.js"
 */
import { openDialog } from "../kit/kit.js";
import { listenForKeys, scrub, TIME_KEYS } from "../page/timekeys.js";

/** @param {ComparePage} page */
export function startKeys(page) {
  const timed = { model: page.leader.model, page: page.page, travel: page.travel };
  /** @type {Record<string, (event: KeyboardEvent) => unknown>} */
  const own = {
    d: () => page.goToNext(),
    x: () => page.swap(),
    f: () => openDialog("figures"),
    ArrowLeft: (event) => scrub(timed, event, -1),
    ArrowRight: (event) => scrub(timed, event, 1),
    "?": () => openDialog("help"),
  };
  listenForKeys(page.page, (name) => own[name] ?? (TIME_KEYS[name] && (() => TIME_KEYS[name]?.(timed))));
}
