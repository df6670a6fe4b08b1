/**
 * Menus of a whole cluster, and of the WAN between two.
 *
 * @import {Actor} from "../page/player.js"
 * @import {Menu} from "./menu.js"
 */
import { failoverMenu } from "./failovers.js";
import { healAll } from "./links.js";
import { doing, openMenu } from "./menu.js";
import { killSite, startSite } from "./outages.js";
import { addFlow } from "../page/actions.js";
import { missingFlows } from "../run/pairs.js";
import { isSiteCut, siteLink } from "../fold/sites.js";

const WAN_DELAYS = ["50ms", "200ms", "1s"];

/** @param {Actor} app @param {string} name @param {{left: number, bottom: number}} at where it opens @returns {Menu} */
export function siteMenu(app, name, at) {
  const { model } = app;
  const others = model.sites.filter((site) => site.name !== name).map((site) => site.name);
  return {
    title: `Cluster ${name}`,
    items: [
      killSite(app, name),
      startSite(app, name),
      null,
      ...others.map((other) => ({
        id: `fail-over-${other}`,
        icon: "right",
        text: `Fail over to ${other}…`,
        run: () => openMenu(app, () => failoverMenu(app, name, other), at, "failover"),
      })),
      ...missingFlows(model.document)
        .filter(({ source }) => source === name)
        .map((pair) => ({
          id: `add-flow-${pair.target}`,
          ownPage: true,
          icon: "copy",
          text: `Mirror ${name} to ${pair.target}, in a new run`,
          run: () => addFlow(app, pair),
        })),
      {
        id: "plans",
        ownPage: true,
        icon: "chart",
        text: "Fail over and back: what each plan costs",
        run: () => {
          location.href = `/s/${app.boot.scenario}/plans`;
        },
      },
      null,
      ...others.map((other) =>
        doing(app, `cut ${name}|${other}`, {
          id: `cut-${other}`,
          icon: "cut",
          text: `Cut from ${other}`,
          why: model.view && siteLink(model.names, model.view, name, other).cut === "both" ? "It is cut" : "",
        }),
      ),
      healAll(app),
    ],
  };
}

/** @param {Actor} app @param {string} pair "east|west" @returns {Menu} */
export function wanMenu(app, pair) {
  const [a = "", b = ""] = pair.split("|");
  const state = app.model.view ? siteLink(app.model.names, app.model.view, a, b) : null;
  const whyCut = (/** @type {string} */ from, /** @type {string} */ to) =>
    app.model.view && isSiteCut(app.model.names, app.model.view, from, to) ? "It is cut" : "";
  return {
    title: `WAN between ${a} and ${b}`,
    items: [
      doing(app, `cut ${a}|${b}`, {
        id: "cut",
        icon: "cut",
        text: "Cut both ways",
        why: state?.cut === "both" ? "It is cut" : "",
      }),
      doing(app, `cut ${a}>${b}`, {
        id: "cut-there",
        icon: "cut",
        text: `Cut only from ${a} to ${b}`,
        why: whyCut(a, b),
      }),
      doing(app, `cut ${b}>${a}`, {
        id: "cut-back",
        icon: "cut",
        text: `Cut only from ${b} to ${a}`,
        why: whyCut(b, a),
      }),
      null,
      ...WAN_DELAYS.map((delay) =>
        doing(app, `slow-link ${a}|${b} ${delay}`, {
          id: `slow-${delay}`,
          icon: "clock",
          text: `Slow by ${delay.replace(/(\d)([a-z])/, "$1 $2")}`,
        }),
      ),
      null,
      doing(app, `heal ${a}|${b}`, {
        id: "heal",
        icon: "link",
        why: state && state.cut === "none" && !state.slowUs ? "It is healthy" : "",
      }),
    ],
  };
}
