/**
 * Offers a copy that plays, of a run whose clock only its owner moves.
 *
 * @import {Player} from "./player.js"
 */
import { request, toast } from "../kit/kit.js";
import { leaveToPlay } from "./leaving.js";

/** Say that only the owner moves the clock, and offer a copy. @param {Player} app */
export function offerCopy(app) {
  toast("Only its owner moves this run’s clock.", { label: COPY_TEXT, run: () => copyAndPlay(app) });
}

/** The text of the button that makes a copy. */
export const COPY_TEXT = "Make a copy and play";

/** Make a copy of this run up to the drawn moment, open it and play it. @param {Player} app */
export async function copyAndPlay(app) {
  const { model } = app;
  if (app.isLeft) return;
  app.isLeft = true; // a second press is ignored: the page is left
  model.waiting.value = "Making the copy";
  try {
    const at = Math.round(model.moment);
    const json = { shown_us: at, do: "", later: app.later.value, speed: app.page.speed.value };
    const { url } = await (await request(`/s/${app.boot.scenario}/fork`, { method: "POST", json })).json();
    leaveToPlay(app, url, `Your own copy, from ${app.timeText(at)}. The other run stays as it is.`);
  } catch (problem) {
    app.isLeft = false;
    model.waiting.value = "";
    toast(`Not done: ${/** @type {Error} */ (problem).message}`);
  }
}
