/**
 * What a person does to the cluster. At the newest moment of one's own run it is an action of the run; in the past, or in
 * somebody else's run, it makes a new run that leaves this one there. Nothing is confirmed: time can be moved back.
 *
 * @import {App} from "./app.js"
 */
import { read, request, toast } from "./kit.js";
import { sentence } from "./actionwords.js";
import { remember, write } from "./place.js";

/** Told on the page that a fork leads to. */
const FLASH = "highwater-flash";
/** A moment this close to the newest one counts as the newest. */
const NEWEST_US = 1000;

/** @param {App} app @param {string} action */
export async function act(app, action) {
  const { model } = app;
  app.opening.leave();
  if (model.connection.value.state !== "open") return toast("Not done, for the connection is lost. The page connects again by itself; then repeat the action.");
  const atEnd = model.following.value || model.moment >= model.trace.end - NEWEST_US;
  if (!atEnd || !model.owner.value) return fork(app, Math.round(model.moment), action);
  if (!model.following.value) app.travel.goLive();
  await actLive(app, action);
}

/** @param {App} app @param {string} action */
async function actLive(app, action) {
  const { model, live } = app;
  try {
    const ack = await live.room.send("act", { do: action, shown_us: Math.round(model.t), nonce: crypto.randomUUID() });
    live.showWhenHere(ack.at_us);
    if (ack.said) toast(ack.said);
    app.lastAction = { at: ack.at_us, action };
    model.changedUs = Math.min(model.changedUs, ack.at_us);
    document.body.dataset.acted = "yes";
    app.say(`${app.timeText(ack.at_us)}: ${sentence(action, model.words)}`, true);
  } catch (refusal) {
    toast(`Not done: ${/** @type {Error} */ (refusal).message}`);
  }
}

/**
 * A new run that is this one before `at` and goes on with the action.
 * @param {App} app
 * @param {number} at us
 * @param {string} action "" for none
 */
export async function fork(app, at, action) {
  try {
    const answer = await request(`/s/${app.boot.scenario}/fork`, { method: "POST", json: { at_us: at, do: action } });
    const { url } = await answer.json();
    const what = action ? `New branch from ${app.timeText(at)}: ${sentence(action, app.model.words)}` : `New branch from ${app.timeText(at)}, before the action`;
    leaveFor(app, url, what);
  } catch (problem) {
    toast(`Not done: ${/** @type {Error} */ (problem).message}`);
  }
}

/** Go on from the state at the drawn moment, at 0, without the past. @param {App} app */
export async function carryOn(app) {
  try {
    const answer = await request(`/s/${app.boot.scenario}/carry-on`, { method: "POST", json: { at_us: Math.round(app.model.moment) } });
    leaveFor(app, (await answer.json()).url, "This run begins in the state that the other one had.");
  } catch (problem) {
    toast(`Not done: ${/** @type {Error} */ (problem).message}`);
  }
}

/** @param {App} app @param {string} url @param {string} flash */
function leaveFor(app, url, flash) {
  write(app);
  try { sessionStorage.setItem(FLASH, flash); } catch { /* only the greeting is lost */ }
  location.href = url;
}

/** What the page before had to say. */
export function sayFlash() {
  const flash = read(sessionStorage, FLASH);
  if (!flash) return;
  sessionStorage.removeItem(FLASH);
  toast(flash);
}

/**
 * Back to before the last action: in a branch that is its parent, else a new branch without the action. What is left
 * stays where it is.
 * @param {App} app
 */
export function undo(app) {
  const { lastAction, parent } = app;
  remember(app);
  if (lastAction) return fork(app, Math.max(0, lastAction.at), "");
  if (parent) {
    leaveFor(app, `${parent.url}#t=${(parent.cutUs / 1e6).toFixed(3)}`, "Back in the run before the action. The branch is kept under My runs.");
    return undefined;
  }
  return toast("Nothing to undo in this run.");
}
