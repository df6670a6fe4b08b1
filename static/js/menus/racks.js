/**
 * The menu of an AZ.
 *
 * @import {Actor} from "../page/player.js"
 * @import {Menu} from "./menu.js"
 */
import { healAll, whyNotCut } from "./links.js";
import { doing } from "./menu.js";
import { cutRackPower, goDark, killRack, startRack } from "./outages.js";

/** @param {Actor} app @param {string} rack @returns {Menu} */
export function rackMenu(app, rack) {
  const { model } = app;
  const inside = model.brokerIds.filter((id) => model.rackOf(id) === rack);
  const site = inside.length ? model.siteOf(inside[0] ?? 0) : null;
  const controllers = model.names.controllers
    .map((entry) => entry.id)
    .filter((id) => model.siteOf(id)?.name === site?.name);
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
      killRack(app, rack),
      goDark(app, rack),
      cutRackPower(app, rack),
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
      startRack(app, rack),
      healAll(app),
    ],
  };
}
