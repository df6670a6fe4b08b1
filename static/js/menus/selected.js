/**
 * The menu of what is selected.
 *
 * @import {Actor} from "../page/player.js"
 * @import {Selection} from "../page/pagestate.js"
 */
import { brokerMenu } from "./brokers.js";
import { controllerMenu } from "./controllers.js";
import { openMenu } from "./menu.js";
import { flightMenu } from "./messages.js";
import { replicaMenu } from "./partitions.js";
import { topicMenu } from "./topics.js";

/** @param {Actor} app @param {Selection} selection @param {{left: number, bottom: number}} at */
export function menuFor(app, selection, at) {
  openMenu(app, () => menuOf(app, selection, at), at, selection.kind);
}

/** @param {Actor} app @param {Selection} selection @param {{left: number, bottom: number}} at */
function menuOf(app, { kind, id, p = 0 }, at) {
  if (kind === "broker") return brokerMenu(app, id, at);
  if (kind === "controller") return controllerMenu(app, id);
  if (kind === "replica") return replicaMenu(app, p, id, at);
  return kind === "topic" ? topicMenu(app, id) : flightMenu(app, id);
}
