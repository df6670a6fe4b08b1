/**
 * The menu of what is selected.
 *
 * @import {App} from "../app.js"
 * @import {Selection} from "../pagestate.js"
 */
import { brokerMenu } from "./brokers.js";
import { controllerMenu } from "./controllers.js";
import { openMenu } from "./menu.js";
import { flightMenu } from "./messages.js";
import { replicaMenu } from "./partitions.js";
import { topicMenu } from "./topics.js";

/** @param {App} app @param {Selection} selection @param {{left: number, bottom: number}} at */
export function menuFor(app, selection, at) {
  const menu =
    selection.kind === "broker"
      ? brokerMenu(app, selection.id, at)
      : selection.kind === "controller"
        ? controllerMenu(app, selection.id)
        : selection.kind === "replica"
          ? replicaMenu(app, selection.p ?? 0, selection.id, at)
          : selection.kind === "topic"
            ? topicMenu(app, selection.id)
            : flightMenu(app, selection.id);
  openMenu(menu, at, selection.kind);
}
