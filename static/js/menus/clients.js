/**
 * The menu of a producer or a consumer: its links to brokers, and its process.
 *
 * @import {Actor} from "../page/player.js"
 * @import {Menu} from "./menu.js"
 */
import { capital } from "../kit/wording.js";
import { clientLink, healAll, whyNotCut } from "./links.js";
import { doing } from "./menu.js";

const BROKERS_MAX = 12;

/** @param {Actor} app @param {number} index of the client @returns {Menu} */
export function clientMenu(app, index) {
  const { model } = app;
  const { id = "", kind = "client" } = model.clientCalled(index) ?? {};
  const state = model.view?.clients[index]?.state ?? "closed";
  const site = model.sites.find(({ name }) => id.startsWith(`${name}/`));
  const brokers = model.brokerIds.filter((one) => !site || model.siteOf(one)?.name === site.name);
  const notOpen = state === "open" ? "" : `It is ${state}`;
  return {
    title: `${capital(kind)} ${id}`,
    items: [
      ...brokers.slice(0, BROKERS_MAX).map((broker) => clientLink(app, broker, index, model.nodeName(broker))),
      doing(app, `cut ${id}|${model.refs(brokers)}`, {
        id: "cut-brokers",
        icon: "cut",
        text: "Cut from all brokers",
        why: whyNotCut(model.view, [-1 - index], brokers, "There is no broker"),
      }),
      healAll(app),
      null,
      doing(app, `open ${id}`, { id: "open", icon: "play", text: "Open it", why: notOpen ? "" : "It is open" }),
      doing(app, `close ${id}`, { id: "close", icon: "stop", text: "Close it", why: notOpen }),
      doing(app, `crash ${id}`, { id: "crash", icon: "power", text: "Crash it", why: notOpen }),
    ],
  };
}
