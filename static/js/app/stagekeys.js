/**
 * The keyboard on the stage of a run: the selection, its menu, and what acts on it.
 *
 * @import {Actor} from "../page/player.js"
 * @import {Selection} from "../page/pagestate.js"
 */
import { capital } from "../kit/wording.js";
import { chooseOfBroker } from "../menus/brokers.js";
import { chooseHeal, cutMenu } from "../menus/links.js";
import { choose, openMenu } from "../menus/menu.js";
import { killRack } from "../menus/outages.js";
import { menuFor } from "../menus/selected.js";
import { scrub } from "../page/timekeys.js";
import { firstLeader } from "../run/rack.js";

const LEVELS = /** @type {const} */ (["map", "chips", "logs"]);

/** @type {Record<string, (app: Actor, event: KeyboardEvent) => unknown>} */
export const STAGE_KEYS = {
  ArrowLeft: (app, event) => arrow(app, event, -1, 0),
  ArrowRight: (app, event) => arrow(app, event, 1, 0),
  ArrowUp: (app, event) => arrow(app, event, 0, -1),
  ArrowDown: (app, event) => arrow(app, event, 0, 1),
  Enter: (app) => openSelected(app),
  F10: (app, event) => (event.shiftKey ? openSelected(app) : false),
  k: (app, event) => (event.shiftKey ? killRackOf(app) : killOrStart(app)),
  s: (app) => onBroker(app, (id) => chooseOfBroker(app, id, "S")),
  p: (app, event) => onBroker(app, (id) => chooseOfBroker(app, id, event.shiftKey ? "⇧P" : "P")),
  c: (app) => onBroker(app, (id) => openMenu(app, () => cutMenu(app, id), placeOf(app, id), "cut")),
  h: (app) => chooseHeal(app),
  m: (app) => nextMessage(app),
  z: (app, event) => changeLevel(app, event.shiftKey ? -1 : 1),
};

/**
 * In the matrix arrows move the selection, elsewhere they scrub.
 * @param {Actor} app
 * @param {KeyboardEvent} event
 * @param {number} dx
 * @param {number} dy
 */
function arrow(app, event, dx, dy) {
  if (event.target instanceof Element && event.target.closest(".stage")) return moveSelection(app, dx, dy);
  return dx ? scrub(app, event, dx) : false;
}

/** @param {Actor} app @param {number} dx @param {number} dy */
function moveSelection(app, dx, dy) {
  const brokers = app.model.brokerIds;
  const { rows } = app.stage;
  const now = app.page.selection.value;
  const column = Math.max(0, brokers.indexOf(now && (now.kind === "broker" || now.kind === "replica") ? now.id : -1));
  const row = now?.kind === "replica" ? rows.indexOf(now.p ?? -1) : -1;
  const to = {
    column: Math.max(0, Math.min(brokers.length - 1, now ? column + dx : 0)),
    row: Math.max(-1, Math.min(rows.length - 1, now ? row + dy : 0)),
  };
  const id = brokers[to.column] ?? 0;
  if (to.row < 0) app.select({ kind: "broker", id });
  else
    app.select({
      kind: "replica",
      id: nearestReplica(app, rows[to.row] ?? 0, brokers, to.column, dx),
      p: rows[to.row] ?? 0,
    });
  app.stage.root.querySelector(".selected")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/**
 * Rows have no replica on some brokers: go on in the direction, else stay near.
 * @param {Actor} app
 * @param {number} p
 * @param {number[]} brokers
 * @param {number} column
 * @param {number} dx
 */
function nearestReplica(app, p, brokers, column, dx) {
  const holds = (/** @type {number} */ at) => app.model.view?.partitions[p]?.replicas.includes(brokers[at] ?? -1);
  for (let at = column; dx && at >= 0 && at < brokers.length; at += dx) if (holds(at)) return brokers[at] ?? 0;
  const near = brokers
    .map((_, at) => at)
    .filter(holds)
    .sort((a, b) => Math.abs(a - column) - Math.abs(b - column))[0];
  return brokers[near ?? column] ?? 0;
}

/** @param {Actor} app @param {number} id */
function placeOf(app, id) {
  return (
    app.stage.root.querySelector(`[data-testid="broker-${id}"]`)?.getBoundingClientRect() ?? {
      left: innerWidth / 2,
      bottom: innerHeight / 3,
    }
  );
}

/** @param {Actor} app */
function openSelected(app) {
  const selection = app.page.selection.value;
  if (!selection) return false;
  const node = app.stage.root.querySelector(".selected");
  menuFor(app, selection, node?.getBoundingClientRect() ?? placeOf(app, selection.id));
  return true;
}

/** The broker of the selection. @param {Selection | null} selection @returns {number | null} */
function brokerOf(selection) {
  return selection && (selection.kind === "broker" || selection.kind === "replica") ? selection.id : null;
}

/** The selected broker, else the one under the pointer. @param {Actor} app */
function chosenBroker({ model, page }) {
  return brokerOf(page.selection.value) ?? (page.pointed >= 0 ? page.pointed : null);
}

/** @param {Actor} app @param {(id: number) => void} run */
function onBroker(app, run) {
  const id = chosenBroker(app);
  if (id === null) app.say("Select a broker first: click it, or Tab to the stage and use the arrows.");
  else run(id);
}

/** Acts on the chosen broker; without one on the first that leads. @param {Actor} app */
export function killOrStart(app) {
  const id = chosenBroker(app) ?? firstLeader(app.model.view, app.stage.rows, app.model.brokerIds);
  if (id !== null)
    app.act(`${app.model.view?.brokers[id]?.process === "down" ? "start" : "kill"} ${app.model.ref(id)}`);
}

/** @param {Actor} app */
function killRackOf(app) {
  const id = chosenBroker(app) ?? firstLeader(app.model.view, app.stage.rows, app.model.brokerIds);
  const rack = id === null ? null : app.model.rackOf(id);
  if (!rack) app.say(id === null ? "There is no broker." : `${capital(app.model.nodeName(id))} has no rack.`);
  else choose(killRack(app, rack), "");
}

/** @param {Actor} app */
function nextMessage(app) {
  const flights = [...(app.model.cursor?.flights.all.values() ?? [])].filter((flight) => flight.ended < 0);
  if (!flights.length) return app.say("No message is under way at this moment.");
  const at = flights.findIndex((flight) => flight.seq === app.stage.particles.picked);
  const next = flights[(at + 1) % flights.length];
  if (!next) return undefined;
  app.stage.particles.picked = next.seq;
  app.select({ kind: "flight", id: next.seq });
  app.stage.takeFocus();
  return app.showTab("inspect");
}

/** @param {Actor} app @param {number} by 1: more detail */
export function changeLevel(app, by) {
  const at = LEVELS.indexOf(app.page.level.value);
  app.page.levelChoice.value = LEVELS[Math.max(0, Math.min(LEVELS.length - 1, at + by))] ?? null;
}
