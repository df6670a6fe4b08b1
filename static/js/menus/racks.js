/**
 * The menu of an AZ.
 *
 * @import {Actor} from "../page/player.js"
 * @import {Menu} from "./menu.js"
 */
import { isRackDown } from "../run/rack.js";
import { healAll, whyNotCut } from "./links.js";
import { doing } from "./menu.js";

/** @param {Actor} app @param {string} rack @returns {Menu} */
export function rackMenu(app, rack) {
  const { model } = app;
  const inside = model.brokerIds.filter((id) => model.rackOf(id) === rack);
  const site = inside.length ? model.siteOf(inside[0] ?? 0) : null;
  const controllers = model.names.controllers
    .map((entry) => entry.id)
    .filter((id) => model.siteOf(id)?.name === site?.name);
  const down = isRackDown(model.names, model.view, rack);
  const nodesOfRack = (/** @type {string} */ name) =>
    [...model.names.brokers, ...model.names.controllers]
      .map((entry) => entry.id)
      .filter((id) => model.rackOf(id) === name);
  const racks = [
    ...new Set(model.brokerIds.filter((id) => model.siteOf(id)?.name === site?.name).map((id) => model.rackOf(id))),
  ].filter((other) => other && other !== rack);
  return {
    title: rack,
    items: [
      doing(app, `kill-rack ${rack}`, {
        id: "kill-rack",
        icon: "zap",
        text: `Take ${rack} down`,
        key: "⇧K",
        why: down ? "It is down" : "",
      }),
      doing(app, `power-loss ${rack} 0`, {
        id: "dark",
        icon: "hidden",
        text: `Let ${rack} go dark: it answers nobody, no connection closes`,
        why: down ? "It is down" : "",
      }),
      doing(app, `power-loss ${rack}`, {
        id: "power-loss",
        icon: "zap",
        text: `Cut the power of ${rack}`,
        why: down ? "It is down" : "",
      }),
      doing(app, `cut ${rack}|${racks.join(",")}`, {
        id: "cut-rack",
        icon: "cut",
        text: "Cut from the other AZs",
        why: whyNotCut(
          model.view,
          nodesOfRack(rack),
          racks.flatMap((other) => nodesOfRack(other ?? "")),
          "There is no other AZ",
        ),
      }),
      doing(app, `cut ${model.refs(inside)}|${model.refs(controllers)}`, {
        id: "cut-controllers",
        icon: "cut",
        text: "Cut its brokers from the controllers",
        why: whyNotCut(model.view, inside, controllers, "There is no controller"),
      }),
      null,
      doing(app, `start-rack ${rack}`, {
        id: "start-rack",
        icon: "play",
        text: `Bring ${rack} back`,
        why: inside.some((id) => model.view?.brokers[id]?.process === "down") ? "" : "All of it is up",
      }),
      healAll(app),
    ],
  };
}
