/**
 * The items that take down an AZ or a cluster, that cut a host's power, and that bring it back.
 *
 * @import {Actor} from "../page/player.js"
 * @import {Item} from "./menu.js"
 */
import { isRackDown } from "../run/rack.js";
import { doing } from "./menu.js";

/** @param {Actor} app @param {string} rack @returns {Item} */
export const killRack = (app, rack) =>
  doing(app, `kill-rack ${rack}`, { id: "kill-rack", icon: "zap", key: "⇧K", why: whyNotRack(app, rack) });

/** @param {Actor} app @param {string} rack @returns {Item} */
export function startRack(app, rack) {
  const { model } = app;
  const isUp = model.brokerIds.every((id) => model.rackOf(id) !== rack || model.view?.brokers[id]?.process !== "down");
  return doing(app, `start-rack ${rack}`, { id: "start-rack", icon: "play", why: isUp ? "All of it is up" : "" });
}

/** Why a rack cannot be taken down. @param {Actor} app @param {string} rack */
const whyNotRack = ({ model }, rack) => (isRackDown(model.names, model.view, rack) ? `${rack} is down already` : "");

/** @param {Actor} app @param {string} site @param {Partial<Item>} [item]  its words in another menu @returns {Item} */
export const killSite = (app, site, item) =>
  doing(app, `kill-site ${site}`, {
    id: "kill-site",
    icon: "zap",
    why: upAndDown(app, site).up ? "" : "It is down",
    ...item,
  });

/** @param {Actor} app @param {string} site @returns {Item} */
export const startSite = (app, site) =>
  doing(app, `start-site ${site}`, {
    id: "start-site",
    icon: "play",
    why: upAndDown(app, site).down ? "" : "All of it is up",
  });

/** Processes of a cluster. @param {Actor} app @param {string} site */
function upAndDown({ model }, site) {
  const nodes = [...model.names.brokers, ...model.names.controllers].filter(
    ({ id }) => model.siteOf(id)?.name === site,
  );
  const down = nodes.filter(
    ({ id }) => (model.view?.brokers[id] ?? model.view?.controllers[id])?.process === "down",
  ).length;
  return { up: nodes.length - down, down };
}

/** @param {Actor} app @param {string} host  a broker or a rack @param {Partial<Item>} [item] @returns {Item} */
export const cutPower = (app, host, item) =>
  doing(app, `power-loss ${host}`, { id: "power-loss", icon: "zap", ...item });

/** A rack without power and without an answer. @param {Actor} app @param {string} rack @returns {Item} */
export const goDark = (app, rack) =>
  doing(app, `power-loss ${rack} 0`, { id: "dark", icon: "hidden", why: whyNotRack(app, rack) });

/** @param {Actor} app @param {string} rack @returns {Item} */
export const cutRackPower = (app, rack) => cutPower(app, rack, { why: whyNotRack(app, rack) });
