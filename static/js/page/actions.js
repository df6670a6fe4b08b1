/**
 * A person's act on the cluster. At the newest moment of one's own run it is an action of the run; in the past, or
 * in somebody else's run, it makes a new run that leaves this one there. Nothing is confirmed: time can be moved back.
 *
 * @import {App} from "../app/app.js"
 * @import {Made} from "./leaving.js"
 * @import {Pair} from "../run/pairs.js"
 */
import { request, toast } from "../kit/kit.js";
import { clauses, sentence } from "../words/actionwords.js";
import { forks } from "./forks.js";
import { leaveFor } from "./leaving.js";
import { hashTime } from "./moment.js";
import { keepRedo } from "./redo.js";
import { withFlow } from "../run/pairs.js";
import { undoneText } from "../words/undone.js";
import { capital } from "../kit/wording.js";

/** @param {App} app @param {string} action */
export async function act(app, action) {
  const { model } = app;
  app.opening.leave();
  if (model.connection.value.state !== "open")
    return toast("Not done, for the connection is lost. The page connects again by itself; then repeat the action.");
  if (forks(app)) return fork(app, Math.round(model.moment), action);
  if (!model.following.value) app.travel.goLive();
  app.acting = actLive(app, action);
  await app.acting;
}

/** @param {App} app @param {string} action */
async function actLive(app, action) {
  const { model, live } = app;
  live.moves++;
  model.asked = [...model.asked, action];
  model.pulse.value++;
  try {
    const ack = await live.room.send("act", {
      do: action,
      shown_us: Math.round(model.t),
      seen_us: model.trace.actionBefore(model.t),
      nonce: crypto.randomUUID(),
    });
    live.showWhenHere(ack.at_us);
    model.noteChange(ack.at_us);
    document.body.dataset.acted = "yes";
    app.say(`${app.timeText(ack.at_us)}: ${sentence(action, model.words)} ${ack.said ?? ""}`.trim(), ack.at_us);
  } catch (refusal) {
    toast(`Not done: ${/** @type {Error} */ (refusal).message}`);
  } finally {
    model.asked = model.asked.filter((_, i) => i !== model.asked.indexOf(action));
    model.pulse.value++;
  }
}

/**
 * A new run that is this one up to `at`, which is drawn, and goes on with the action.
 * @param {App} app
 * @param {number} at us
 * @param {string} action
 */
async function fork(app, at, action) {
  app.model.waiting.value = "Making the new run";
  try {
    const json = { shown_us: at, do: action, later: app.later.value, speed: app.page.speed.value };
    const { url } = await (await request(`/s/${app.boot.scenario}/fork`, { method: "POST", json })).json();
    leaveFor(app, url, `New branch from ${app.timeText(at)}: ${sentence(action, app.model.words)}`, {
      of: app.boot.scenario,
      json,
    });
  } catch (problem) {
    app.model.waiting.value = "";
    toast(`Not done: ${/** @type {Error} */ (problem).message}`);
  }
}

/**
 * The run as it would have been had an action come at another moment; what came after is kept.
 * @param {App} app
 * @param {number} at us
 * @param {string} action
 */
export async function forkAt(app, at, action) {
  try {
    const json = {
      shown_us: Math.max(0, at - 1),
      do: action,
      later: /** @type {import("../run/later.js").Choice} */ ("keep"),
      speed: app.page.speed.value,
    };
    const { url } = await (await request(`/s/${app.boot.scenario}/fork`, { method: "POST", json })).json();
    leaveFor(app, url, `New branch from ${app.timeText(at)}: ${sentence(action, app.model.words)}`, {
      of: app.boot.scenario,
      json,
    });
  } catch (problem) {
    toast(`Not done: ${/** @type {Error} */ (problem).message}`);
  }
}

/**
 * The same branch with the other choice of what becomes of the later actions.
 * @param {App} app
 * @param {Made} made the branch that this page shows
 */
export async function forkOtherwise(app, made) {
  const json = {
    ...made.json,
    later: /** @type {import("../run/later.js").Choice} */ (made.json.later === "keep" ? "drop" : "keep"),
  };
  try {
    const { url } = await (await request(`/s/${made.of}/fork`, { method: "POST", json })).json();
    leaveFor(app, url, `New branch from ${app.timeText(json.shown_us)}: ${sentence(json.do, app.model.words)}`, {
      of: made.of,
      json,
    });
  } catch (problem) {
    toast(`Not done: ${/** @type {Error} */ (problem).message}`);
  }
}

/**
 * A run of its own with another value of what is read at start; what was done in this run is done in it too.
 * @param {import("./player.js").Player} app @param {(document: any) => any} change @param {string} flash
 * @param {{name?: string, pageOf?: (url: string) => string, told?: (text: string) => void}} [how] name: of the only
 *   cluster, where the changed document is one of several clusters; pageOf: where the run is shown, else on its own
 *   page; told: where a refusal is said
 */
export async function startWith(app, change, flash, { name = "", pageOf = (url) => url, told = toast } = {}) {
  try {
    const query = new URLSearchParams({ at_us: String(Math.round(app.model.moment)), cluster: name });
    const document = await (await request(`/s/${app.boot.scenario}.json?${query}`)).json();
    const { url } = await (await request("/api/documents", { method: "POST", json: change(document) })).json();
    leaveFor(app, pageOf(url), flash);
  } catch (problem) {
    told(`Not done: ${/** @type {Error} */ (problem).message}`);
  }
}

/**
 * A new run in which MirrorMaker copies from one cluster to another.
 * @param {import("./player.js").Player} app @param {Pair} pair
 */
export const addFlow = (app, pair) =>
  startWith(
    app,
    (document) => withFlow(document, pair),
    `A new run, in which MirrorMaker copies from ${pair.source} to ${pair.target}. Its settings are in Settings.`,
  );

/** Go on from the state at the drawn moment, at 0, without the past. @param {App} app */
export const carryOn = (app) => carried(app, "", "This run begins in the state that the other one had.");

/**
 * Opens a page of a new run that begins in the state of the drawn moment.
 * @param {App} app
 * @param {string} page
 * @param {string} flash
 */
async function carried(app, page, flash) {
  try {
    const answer = await request(`/s/${app.boot.scenario}/carry-on`, {
      method: "POST",
      json: { at_us: Math.round(app.model.moment), speed: app.page.speed.value },
    });
    leaveFor(app, `${(await answer.json()).url}${page}`, flash);
  } catch (problem) {
    toast(`Not done: ${/** @type {Error} */ (problem).message}`);
  }
}

/** True if anything has been done or gone wrong up to the drawn moment. @param {App} app */
const hasHappened = (app) => app.story.events().some((event) => event.t <= app.model.moment && event.marker !== "");

/**
 * Open the answer on each AZ's loss in the drawn state: a run of its own that begins in it; before anything
 * happened, the document's own answer.
 * @param {App} app
 */
export async function openAz(app) {
  await app.live.past;
  if (!hasHappened(app)) {
    location.href = `/s/${app.boot.scenario}/az`;
    return;
  }
  const unnoticed = Object.entries(app.model.view?.brokers ?? {}).find(
    ([, { process, registration }]) =>
      ["down", "paused", "stopping"].includes(process) && registration !== "fenced" && registration !== "unregistered",
  );
  if (unnoticed)
    return toast(
      `${capital(app.model.nodeName(Number(unnoticed[0])))} is gone and its session still runs: play until it is ` +
        `fenced, then ask again.`,
    );
  return carried(app, "/az", "");
}

/**
 * Back to before the newest action of the timeline, or before the one at `until`. What is left stays where it is.
 * @param {App} app
 * @param {number} [until] us
 */
export async function undo(app, until) {
  await app.acting;
  const { model, page } = app;
  if (app.isLeft || !model.ready.value) return;
  app.isLeft = true; // a second press means the page that comes
  try {
    const json = { at_us: until ?? Math.round(model.trace.end), speed: page.speed.value };
    /** @type {import("../words/undone.js").Undone} */ const undone = await (
      await request(`/s/${app.boot.scenario}/undo`, { method: "POST", json })
    ).json();
    if (undone.url) {
      const words = clauses(undone.actions.join(", "), model.words);
      await keepRedo({ at: undone.url, back: app.link(), words: `${words}.` });
      leaveFor(
        app,
        undone.is_new ? undone.url : `${undone.url}#t=${hashTime(undone.at_us)}`,
        undoneText(undone, app.timeText(undone.at_us), model.words),
      );
    } else toast("Nothing to undo: no action of this run's timeline has happened yet.");
    app.isLeft = Boolean(undone.url);
  } catch (problem) {
    app.isLeft = false;
    toast(`Not done: ${/** @type {Error} */ (problem).message}.`);
  }
}
