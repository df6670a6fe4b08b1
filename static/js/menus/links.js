/**
 * Menus of links: what they cut, slow and heal.
 *
 * @import {Actor} from "../page/player.js"
 * @import {View} from "../facts/types.js"
 * @import {Item, Menu} from "./menu.js"
 */
import { isCut, nodesOf } from "../fold/sites.js";
import { choose, doing } from "./menu.js";

const SLOW_LINKS = ["50ms", "200ms", "1s"];
/** clients that have an item in the menu of a broker; a client's own menu has up to 12 brokers */
const CLIENTS_MAX = 6;

/** @param {Actor} app @returns {Item} */
export const healAll = (app) =>
  doing(app, "heal", {
    id: "heal",
    icon: "link",
    key: "H",
    why: Object.keys(app.model.view?.links ?? {}).length ? "" : "No link is cut or slow",
  });

/** @param {Actor} app */
export const chooseHeal = (app) => choose(healAll(app), "");

/**
 * The link between a broker and a client: cut it both ways, or heal it.
 * @param {Actor} app @param {number} broker @param {number} client its index @param {string} name of the other end
 */
export function clientLink(app, broker, client, name) {
  const { model } = app;
  const node = -1 - client;
  const links = model.view?.links ?? {};
  const verb = links[`${node}>${broker}`]?.cut && links[`${broker}>${node}`]?.cut ? "heal" : "cut";
  return doing(app, `${verb} ${model.clientCalled(client)?.id}|${model.ref(broker)}`, {
    id: `${verb}-client-${client}-${model.ref(broker)}`,
    icon: verb === "cut" ? "cut" : "link",
    text: `${verb === "cut" ? "Cut from" : "Heal link to"} ${name}`,
  });
}

/** Links of a broker to applications of its cluster. @param {Actor} app @param {number} broker */
function applicationLinks(app, broker) {
  const { model } = app;
  const site = model.siteOf(broker);
  return (model.view?.clients ?? [])
    .flatMap((_, index) => {
      const { id = "", kind = "" } = model.clientCalled(index) ?? {};
      const isTheirs = ["producer", "consumer"].includes(kind) && (!site || id.startsWith(`${site.name}/`));
      return isTheirs ? [clientLink(app, broker, index, `${kind} ${id}`)] : [];
    })
    .slice(0, CLIENTS_MAX);
}

/**
 * Targets of a cut: one broker of its cluster, all of them, its controllers, its clients, another cluster; heal and
 * slow beside them.
 * @param {Actor} app
 * @param {number} id
 * @returns {Menu}
 */
export function cutMenu(app, id) {
  const { model } = app;
  const site = model.siteOf(id);
  const isNear = (/** @type {number} */ other) => model.siteOf(other)?.name === site?.name;
  const others = model.brokerIds.filter((other) => other !== id && isNear(other));
  const controllers = model.names.controllers.map((entry) => entry.id).filter(isNear);
  const [own, them] = [model.ref(id), model.refs(others)];
  const single = others.slice(0, 12).map((other) => {
    const cut = model.view?.links[`${id}>${other}`]?.cut;
    return doing(app, `${cut ? "heal" : "cut"} ${own}|${model.ref(other)}`, {
      id: `${cut ? "heal" : "cut"}-${other}`,
      icon: cut ? "link" : "cut",
      text: `${cut ? "Heal link to" : "Cut from"} ${model.nodeName(other)}`,
    });
  });
  const far = model.sites
    .filter(({ name }) => name !== site?.name)
    .map(({ name }) =>
      doing(app, `cut ${own}|${name}`, {
        id: `cut-site-${name}`,
        icon: "cut",
        text: `Cut from cluster ${name}`,
        why: whyNotCut(model.view, [id], nodesOf(model.names, name), ""),
      }),
    );
  const slow = others.length
    ? [
        doing(app, `slow-link ${own}|${them} ${SLOW_LINKS[1]}`, {
          id: "slow-link",
          icon: "clock",
          text: `Slow its links to brokers by 200 ms`,
        }),
        doing(app, `slow-link ${own}|${them} 0s`, {
          id: "slow-link-off",
          icon: "check",
          text: "Links to brokers at full speed",
        }),
      ]
    : [];
  return {
    title: `Links of ${model.nodeName(id)}`,
    items: [
      ...single,
      null,
      doing(app, `cut ${own}|${them}`, {
        id: "cut-brokers",
        icon: "cut",
        text: "Cut from all brokers",
        why: others.length ? "" : "There is no other broker",
      }),
      doing(app, `cut ${own}|${model.refs(controllers)}`, {
        id: "cut-controllers",
        icon: "cut",
        text: "Cut from the controllers",
        why: controllers.length ? "" : "There is no controller",
      }),
      ...far,
      ...slow,
      null,
      ...applicationLinks(app, id),
      null,
      healAll(app),
    ],
  };
}

/**
 * The menu that a drag from one head to another opens.
 * @param {Actor} app
 * @param {number} a
 * @param {number} b
 * @returns {Menu}
 */
export function linkMenu(app, a, b) {
  const view = /** @type {View} */ (app.model.view);
  const there = view.links[`${a}>${b}`];
  const back = view.links[`${b}>${a}`];
  const { model } = app;
  const [one, other] = [model.ref(a), model.ref(b)];
  return {
    title: `Link between ${model.nodeName(a)} and ${model.nodeName(b)}`,
    items: [
      doing(app, `cut ${one}|${other}`, {
        id: "cut",
        icon: "cut",
        text: "Cut both ways",
        why: there?.cut && back?.cut ? "It is cut" : "",
      }),
      doing(app, `cut ${one}>${other}`, {
        id: "cut-there",
        icon: "cut",
        text: `Cut only from ${one} to ${other}`,
        why: there?.cut ? "It is cut" : "",
      }),
      ...SLOW_LINKS.map((delay) =>
        doing(app, `slow-link ${one}|${other} ${delay}`, {
          id: `slow-${delay}`,
          icon: "clock",
          text: `Slow by ${delay.replace(/(\d)([a-z])/, "$1 $2")}`,
        }),
      ),
      null,
      doing(app, `heal ${one}|${other}`, {
        id: "heal",
        icon: "link",
        why: there || back ? "" : "It is healthy",
      }),
    ],
  };
}

/**
 * The reason why a cut of all links from some nodes to others would do nothing; `none`: where there are no others.
 * @param {View | null} view
 * @param {number[]} from
 * @param {number[]} to
 * @param {string} none
 */
export function whyNotCut(view, from, to, none) {
  const others = to.filter((id) => !from.includes(id));
  if (!others.length) return none;
  return view && isCut(view, from, others) && isCut(view, others, from) ? "They are cut" : "";
}
