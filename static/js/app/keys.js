/**
 * The keyboard: everything the pointer can do. Single letters are off while typing and can be turned off in Settings.
 *
 * @import {App} from "./app.js"
 */
import { openDialog } from "../kit/kit.js";
import { listenForKeys, listenForUndo, TIME_KEYS } from "../page/timekeys.js";
import { STAGE_KEYS } from "./stagekeys.js";

/** @param {App} app */
export function startKeys(app) {
  listenForUndo(app);
  listenForKeys(app.page, (name) => {
    const handler = HANDLERS[name];
    return handler && (!app.model.isUnopened || handler === openHelp) ? (event) => handler(app, event) : undefined;
  });
}

/** @typedef {(app: App, event: KeyboardEvent) => unknown} KeyHandler */

const openHelp = () => openDialog("help");

/** @type {Record<string, KeyHandler>} */
const HANDLERS = {
  ...TIME_KEYS,
  ...STAGE_KEYS,
  t: () => /** @type {HTMLElement | null} */ (document.querySelector(".tp .seg button"))?.focus(),
  v: (app) => app.showTab("verdict"),
  e: (app) => app.showTab("events"),
  i: (app) => app.showTab("inspect"),
  g: (app) => app.showTab("changes"),
  j: () => /** @type {HTMLElement | null} */ (document.querySelector("[data-testid=deciding-event]"))?.click(),
  b: (app, event) => goToBranch(app, event.shiftKey),
  l: openHelp,
  "?": openHelp,
  Escape: (app) => {
    app.markSpan(null);
    app.select(null);
  },
};

/** @param {App} app @param {boolean} tree */
function goToBranch(app, tree) {
  if (tree) location.href = app.aboutUrl;
  else if (app.lanes[0]) location.href = app.lanes[0].url;
  else app.say("This run was not branched off another one, and none was branched off it.");
}
