/**
 * Menus of brokers, replicas, AZs, controllers and messages. An item that cannot act is shown with the reason on its
 * second line.
 *
 * @import {App} from "./app.js"
 * @import {Model, Selection} from "./model.js"
 * @import {View, Partition} from "./types.js"
 */
import { el, icon } from "./dom.js";
import { toast } from "./kit.js";
import { causeOf } from "./causes.js";
import { MSG_NAMES } from "./facts.js";
import { beyondReplicas } from "./minisr.js";
import { isRackDown } from "./rack.js";
import { isCut, nodesOf } from "./sites.js";
import { capital, perSecond } from "./wording.js";

const EDGE_PX = 10;
const SLOW_RATES = [5, 20, 100, 1000];
const SLOW_LINKS = ["50ms", "200ms", "1s"];
const MOVES_MAX = 12;
const OFFSETS_TOPIC = "__consumer_offsets";

/**
 * @typedef {object} Item
 * @property {string} id  for data-testid
 * @property {string} icon
 * @property {string} text
 * @property {string} [key]
 * @property {string} [why]  the reason for which it cannot act
 * @property {() => void} run
 *
 * @typedef {{title: string, items: (Item | null)[]}} Menu  null is a line
 */

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

/** @param {App} app @param {string} action @param {Omit<Item, "run">} item @returns {Item} */
export const doing = (app, action, item) => ({ ...item, run: () => app.act(action) });

/** @param {App} app @returns {Item} */
export const healAll = (app) =>
  doing(app, "heal", {
    id: "heal",
    icon: "link",
    text: "Heal all links",
    key: "H",
    why: Object.keys(app.model.view?.links ?? {}).length ? "" : "No link is cut or slow",
  });

/**
 * A key does what the item beside it does, or says why it cannot.
 * @param {Item | null | undefined} item
 * @param {string} otherwise the reason where there is no such item
 */
function choose(item, otherwise) {
  const why = item ? item.why : otherwise;
  if (!item || why) toast(`Not done: ${why}.`);
  else item.run();
}

/** @param {App} app */
export const chooseHeal = (app) => choose(healAll(app), "");

/** @param {App} app @param {number} id @param {string} key as the menu shows it */
export function chooseOfBroker(app, id, key) {
  const { items } = brokerMenu(app, id, { left: 0, bottom: 0 });
  choose(
    items.find((item) => item?.key === key),
    `${capital(app.model.nodeName(id))} is down`,
  );
}

/** @param {App} app @param {number} id @param {{left: number, bottom: number}} at @returns {Menu} */
function brokerMenu(app, id, at) {
  const { model } = app;
  const process = model.view?.brokers[id]?.process ?? "down";
  const rack = model.rackOf(id);
  const title = `${capital(model.nodeName(id))}${rack ? ` · ${rack}` : ""}`;
  /** @type {(Item | null)[]} */ const rackItems = rack
    ? [doing(app, `kill-rack ${rack}`, { id: "kill-rack", icon: "zap", text: `Take all of ${rack} down`, key: "⇧K" })]
    : [];
  /** @type {Item} */ const links = {
    id: "cut",
    icon: "cut",
    text: "Cut links…",
    key: "C",
    run: () => openMenu(cutMenu(app, id), at, "cut"),
  };
  if (process === "down") {
    return {
      title,
      items: [
        doing(app, `start ${app.model.ref(id)}`, { id: "start", icon: "play", text: "Start", key: "K" }),
        doing(app, `start ${app.model.ref(id)} empty`, {
          id: "start-empty",
          icon: "play",
          text: "Start with a new, empty disk",
        }),
        doing(app, `start ${app.model.ref(id)} wiped`, {
          id: "start-wiped",
          icon: "play",
          text: "Start with its data wiped",
        }),
        null,
        links,
        ...(rack
          ? [doing(app, `start-rack ${rack}`, { id: "start-rack", icon: "play", text: `Bring all of ${rack} back` })]
          : []),
      ],
    };
  }
  const paused = process === "paused";
  const busy = ["starting", "registering", "recovering", "stopping"].includes(process)
    ? `${capital(model.nodeName(id))} is ${process}`
    : "";
  return {
    title,
    items: [
      doing(app, `kill ${app.model.ref(id)}`, { id: "kill", icon: "power", text: "Kill (hard)", key: "K" }),
      doing(app, `stop ${app.model.ref(id)}`, {
        id: "stop",
        icon: "stop",
        text: "Shut down cleanly",
        key: "S",
        why: paused ? "A paused process cannot shut down" : busy,
      }),
      doing(app, `power-loss ${app.model.ref(id)}`, {
        id: "power-loss",
        icon: "zap",
        text: "Cut its power: unwritten records are lost",
        key: "⇧P",
      }),
      paused
        ? doing(app, `resume ${app.model.ref(id)}`, {
            id: "resume",
            icon: "play",
            text: "Let the process go on",
            key: "P",
          })
        : doing(app, `pause ${app.model.ref(id)}`, {
            id: "pause",
            icon: "pause",
            text: "Pause the process",
            key: "P",
            why: busy,
          }),
      { id: "slow", icon: "clock", text: "Slow its fetches…", run: () => openMenu(slowMenu(app, id), at, "slow") },
      {
        id: "slow-serving",
        icon: "clock",
        text: "Slow how it serves fetches…",
        run: () => openMenu(servingMenu(app, id), at, "slow-serving"),
      },
      null,
      links,
      ...rackItems,
    ],
  };
}

/** @param {App} app @param {number} id @returns {Menu} */
function slowMenu(app, id) {
  const now = app.model.slow.get(id);
  return {
    title: `Fetches of ${app.model.nodeName(id)}`,
    items: [
      ...SLOW_RATES.map((rate) =>
        doing(app, `slow ${app.model.ref(id)} ${rate}`, {
          id: `slow-${rate}`,
          icon: "clock",
          text: `At most ${perSecond(rate)}`,
          why: now === rate ? "It is at this rate now" : "",
        }),
      ),
      null,
      doing(app, `slow ${app.model.ref(id)} off`, {
        id: "slow-off",
        icon: "check",
        text: "Full speed",
        why: now === undefined ? "It is not slowed" : "",
      }),
    ],
  };
}

/**
 * A leader that is slow to serve: its followers fall behind together.
 * @param {App} app
 * @param {number} id
 * @returns {Menu}
 */
function servingMenu(app, id) {
  const now = app.model.serving.get(id);
  return {
    title: `Fetches that ${app.model.nodeName(id)} serves`,
    items: [
      ...SLOW_RATES.map((rate) =>
        doing(app, `slow ${app.model.ref(id)} serving ${rate}`, {
          id: `slow-serving-${rate}`,
          icon: "clock",
          text: `At most ${perSecond(rate)}`,
          why: now === rate ? "It is at this rate now" : "",
        }),
      ),
      null,
      doing(app, `slow ${app.model.ref(id)} serving off`, {
        id: "slow-serving-off",
        icon: "check",
        text: "Full speed",
        why: now === undefined ? "It is not slowed" : "",
      }),
    ],
  };
}

/**
 * Targets of a cut: one broker of its cluster, all of them, its controllers, another cluster; heal and slow beside
 * them.
 * @param {App} app
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
      healAll(app),
    ],
  };
}

/**
 * The menu that a drag from one head to another opens.
 * @param {App} app
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
        text: "Heal",
        why: there || back ? "" : "It is healthy",
      }),
    ],
  };
}

/** @param {App} app @param {number} p @param {number} id @param {{left: number, bottom: number}} at @returns {Menu} */
function replicaMenu(app, p, id, at) {
  const partition = /** @type {Partition} */ (app.model.view?.partitions[p]);
  const name = app.model.partitionName(p);
  return {
    title: `${name} on ${app.model.nodeName(id)}`,
    items: [
      doing(app, `elect preferred ${name}`, {
        id: "elect-preferred",
        icon: "crown",
        text: "Elect the preferred leader",
        why: whyNotPreferred(app.model, partition, id),
      }),
      doing(app, `elect unclean ${name}`, {
        id: "elect-unclean",
        icon: "crown-open",
        text: "Unclean election",
        why: whyNotUnclean(app.model, partition, name),
      }),
      null,
      {
        id: "reassign",
        icon: "right",
        text: "Reassign…",
        run: () => openMenu(reassignMenu(app, p, id), at, "reassign"),
      },
      {
        id: "inspect",
        icon: "search",
        text: "Show its fields",
        key: "I",
        run: () => {
          app.select({ kind: "replica", id, p });
          app.showTab("inspect");
        },
      },
      {
        id: "broker",
        icon: "right",
        text: `Actions of ${app.model.nodeName(id)}…`,
        run: () => openMenu(brokerMenu(app, id, at), at, "broker"),
      },
      {
        id: "topic",
        icon: "right",
        text: `Actions of ${app.model.topicName(partition.topic)}…`,
        run: () => openMenu(topicMenu(app, partition.topic), at, "topic"),
      },
    ],
  };
}

/** Where one copy of a partition may go. @param {App} app @param {number} p @param {number} id @returns {Menu} */
function reassignMenu(app, p, id) {
  const { model } = app;
  const partition = /** @type {Partition} */ (model.view?.partitions[p]);
  const name = model.partitionName(p);
  const list = partition.replicas.filter((broker) => !partition.removing.includes(broker));
  const under = partition.adding.length + partition.removing.length > 0;
  const others = model.brokerIds.filter(
    (broker) => model.siteOf(broker)?.name === model.siteOf(id)?.name && !partition.replicas.includes(broker),
  );
  const to = (/** @type {number[]} */ replicas) => `reassign ${name} ${model.ids(replicas)}`;
  const moves = others.slice(0, MOVES_MAX).map((broker) =>
    doing(app, to(list.map((one) => (one === id ? broker : one))), {
      id: `move-${broker}`,
      icon: "right",
      text: `Move this copy to ${model.nodeName(broker)}${model.rackOf(broker) ? `, ${model.rackOf(broker)}` : ""}`,
    }),
  );
  const none = others.length
    ? []
    : [{ id: "move", icon: "right", text: "Move this copy", why: "Every broker has one", run: () => {} }];
  return {
    title: `Replicas of ${name}: ${model.ids(list)}`,
    items: [
      ...moves,
      ...none,
      null,
      doing(app, to([id, ...list.filter((one) => one !== id)]), {
        id: "first",
        icon: "crown",
        text: `Put ${model.nodeName(id)} first: the preferred leader`,
        why: list[0] === id ? "It is the first" : "",
      }),
      ...(others.length
        ? [
            doing(app, to([...list, others[0] ?? id]), {
              id: "add",
              icon: "plus",
              text: `Add a copy on ${model.nodeName(others[0] ?? id)}`,
            }),
          ]
        : []),
      doing(app, to(list.filter((one) => one !== id)), {
        id: "remove",
        icon: "minus",
        text: "Remove this copy",
        why: list.length > 1 ? "" : "It is the only one",
      }),
      null,
      doing(app, `reassign ${name} cancel`, {
        id: "cancel",
        icon: "x",
        text: "Cancel the reassignment",
        why: under ? "" : "None is under way",
      }),
    ],
  };
}

/**
 * Why an unclean election would do nothing (UNC-3).
 * @param {Model} model
 * @param {Partition} partition
 * @param {string} name
 */
function whyNotUnclean(model, partition, name) {
  if (partition.leader >= 0) return `${name} has a leader, ${model.nodeName(partition.leader)}`;
  if ((model.partOf(partition.replicas[0] ?? 0)?.active ?? -1) < 0) return "No controller is active";
  return partition.replicas.some((id) => model.view?.brokers[id]?.registration === "active")
    ? ""
    : `No replica of ${name} is on a broker that is alive`;
}

/** @param {Model} model @param {Partition} partition @param {number} id */
function whyNotPreferred(model, partition, id) {
  const preferred = partition.replicas[0] ?? id;
  if (preferred !== id)
    return `The preferred leader is ${model.nodeName(preferred)}, the first of ${model.ids(partition.replicas)}`;
  if (partition.leader === id) return `${capital(model.nodeName(id))} leads already`;
  return partition.isr.includes(id) ? "" : `${capital(model.nodeName(id))} is not in the ISR`;
}

/** @param {App} app @param {number} topic @returns {Menu} */
function topicMenu(app, topic) {
  const { model } = app;
  const name = model.topicName(topic);
  const acks = model.acksOf(topic);
  const minIsr = model.minIsrAsked(topic);
  const unclean = model.isUncleanAsked(topic);
  const partitions = model.partitionsOf(topic);
  if (model.view?.topics[topic]?.deleted) return deletedMenu(app, topic, name);
  return {
    title: name,
    items: [
      ...["0", "1", "all"].map((value) =>
        doing(app, `acks ${name} ${value}`, {
          id: `acks-${value}`,
          icon: "pen",
          text: `acks=${value}`,
          why: acks === null ? "Nobody produces to this topic" : acks === value ? "It is set" : "",
        }),
      ),
      null,
      doing(app, `config ${name} min.insync.replicas ${minIsr + 1}`, {
        id: "min-isr-up",
        icon: "plus",
        text: [`min.insync.replicas = ${minIsr + 1}`, beyondReplicas(model, topic, minIsr + 1)]
          .filter(Boolean)
          .join(": "),
      }),
      doing(app, `config ${name} min.insync.replicas ${Math.max(1, minIsr - 1)}`, {
        id: "min-isr-down",
        icon: "minus",
        text: `min.insync.replicas = ${Math.max(1, minIsr - 1)}`,
        why: minIsr > 1 ? "" : "1 is the least",
      }),
      doing(app, `config ${name} unclean.leader.election.enable ${!unclean}`, {
        id: "unclean",
        icon: "crown-open",
        text: `Unclean election ${unclean ? "off" : "on"}`,
      }),
      null,
      ...[partitions.length + 1, partitions.length * 2]
        .filter((count, i, all) => all.indexOf(count) === i)
        .map((count) =>
          doing(app, `partitions ${name} ${count}`, {
            id: `partitions-${count}`,
            icon: "plus",
            text: `Add ${count === partitions.length + 1 ? "a partition" : "partitions"}: ${count} in all`,
            why: whyFixed(name),
          }),
        ),
      doing(app, `delete ${name}`, {
        id: "delete-topic",
        icon: "trash",
        text: "Delete the topic with all its records",
        why: whyFixed(name),
      }),
    ],
  };
}

/** Why a topic can be neither deleted nor given partitions. @param {string} name */
const whyFixed = (name) => (name.endsWith(OFFSETS_TOPIC) ? "It holds the committed offsets of the groups" : "");

/**
 * What can be done about a topic that was deleted: create one of its name.
 * @param {App} app
 * @param {number} topic
 * @param {string} title
 * @returns {Menu}
 */
function deletedMenu(app, topic, title) {
  const { model } = app;
  const name = title.replace(/ \(deleted\)$/, "");
  const site = model.siteOfTopic(topic);
  const count = model.partitionsOf(topic).length;
  const most = Math.min(model.brokerIds.filter((id) => model.siteOf(id)?.name === site?.name).length, 3);
  const there = model.view?.topics.some((one, i) => !one.deleted && model.topicName(i) === name);
  return {
    title,
    items: [
      doing(app, `create ${name} ${most} ${count}`, {
        id: "create-topic",
        icon: "plus",
        why: there ? "There is a topic of this name again" : "",
        text:
          `Create it again, with ${count} ${count === 1 ? "partition" : "partitions"} and ${most} ` +
          `${most === 1 ? "replica" : "replicas"} each`,
      }),
    ],
  };
}

/**
 * Why a cut of all links from some nodes to others would do nothing; `none`: where there are no others.
 * @param {View | null} view
 * @param {number[]} from
 * @param {number[]} to
 * @param {string} none
 */
function whyNotCut(view, from, to, none) {
  const others = to.filter((id) => !from.includes(id));
  if (!others.length) return none;
  return view && isCut(view, from, others) && isCut(view, others, from) ? "They are cut" : "";
}

/** @param {App} app @param {string} rack @returns {Menu} */
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

/** @param {App} app @param {number} id @returns {Menu} */
function controllerMenu(app, id) {
  const process = app.model.view?.controllers[id]?.process ?? "running";
  const title = capital(app.model.nodeName(id));
  if (process === "down")
    return { title, items: [doing(app, `start ${app.model.ref(id)}`, { id: "start", icon: "play", text: "Start" })] };
  const isActive = app.model.partOf(id)?.active === id;
  return {
    title,
    items: [
      doing(app, `kill ${app.model.ref(id)}`, { id: "kill", icon: "power", text: "Kill" }),
      doing(app, `stop ${app.model.ref(id)}`, {
        id: "stop",
        icon: "stop",
        text: "Shut down cleanly",
        why: process === "paused" ? "A paused process cannot shut down" : "",
      }),
      process === "paused"
        ? doing(app, `resume ${app.model.ref(id)}`, { id: "resume", icon: "play", text: "Let the process go on" })
        : doing(app, `pause ${app.model.ref(id)}`, { id: "pause", icon: "pause", text: "Pause the process" }),
      null,
      {
        id: "move",
        icon: "crown",
        text: "Move to it",
        why: isActive
          ? "It is the active controller"
          : "Kafka has no command for it: stop the active one, and the quorum elects",
        run: () => {},
      },
    ],
  };
}

/** @param {App} app @param {number} seq @returns {Menu} */
function flightMenu(app, seq) {
  const { model } = app;
  const flight = model.cursor?.flights.all.get(seq);
  const gone = !flight || flight.ended >= 0 ? "It is not under way any more" : "";
  const cause = flight
    ? causeOf(
        flight,
        [...(model.cursor?.stretch.before ?? []), ...(model.cursor?.stretch.rows ?? [])],
        model.trace.decisive,
      )
    : null;
  const title = flight
    ? `${MSG_NAMES[flight.msg]}${flight.p >= 0 ? ` of ${model.partitionName(flight.p)}` : ""}, ` +
      `${model.nodeName(flight.src)} → ${model.nodeName(flight.dst)}`
    : "A message";
  return {
    title,
    items: [
      doing(app, `deliver ${seq}`, {
        id: "deliver",
        icon: "play",
        text: "Deliver now",
        why: gone || (flight && flight.held < 0 && flight.arrive < 0 ? "Its link is cut" : ""),
      }),
      doing(app, `hold ${seq}`, {
        id: "hold",
        icon: "pause",
        text: "Hold",
        why: gone || (flight && flight.held >= 0 ? "It is held" : ""),
      }),
      doing(app, `drop ${seq}`, { id: "drop", icon: "x", text: "Drop: its connection breaks", why: gone }),
      null,
      {
        id: "inspect",
        icon: "search",
        text: "Show its fields",
        run: () => {
          app.select({ kind: "flight", id: seq });
          app.showTab("inspect");
        },
      },
      {
        id: "cause",
        icon: "prev",
        text: "Show its cause",
        why: cause ? "" : "Its sender's own clock sent it",
        run: () => cause && app.travel.goTo(cause.t, cause.seq),
      },
    ],
  };
}

/** The runs that were branched off this one, and the one that it left. @param {App} app @param {DOMRect} at */
export function openBranches(app, at) {
  const items = app.lanes.map((/** @type {import("./family.js").Lane} */ lane) => ({
    id: `branch-${lane.id}`,
    icon: "fork",
    text: lane.isParent ? `Parent run: ${lane.title}` : lane.change || lane.title,
    run: () => {
      location.href = lane.url;
    },
  }));
  openMenu(
    {
      title: "Branches",
      items: [
        ...items,
        null,
        {
          id: "tree",
          icon: "list",
          text: "The whole tree",
          key: "⇧B",
          run: () => {
            location.href = app.aboutUrl;
          },
        },
      ],
    },
    at,
    "branches",
  );
}

/** @type {(() => void) | null} */
let closeOpen = null;

/** @param {Menu} menu @param {{left: number, bottom: number}} at @param {string} kind */
export function openMenu(menu, at, kind) {
  closeOpen?.();
  const back = document.activeElement;
  const root = el(
    "div",
    { class: "menu", role: "menu", "aria-label": menu.title, "data-testid": `${kind}-menu` },
    el("div", { class: "menu-head", role: "presentation" }, menu.title),
  );
  const close = () => {
    root.remove();
    removeEventListener("pointerdown", outside, true);
    closeOpen = null;
    if (back instanceof HTMLElement || back instanceof SVGElement) back.focus();
  };
  const outside = (/** @type {Event} */ event) => {
    if (!root.contains(/** @type {Node} */ (event.target))) close();
  };
  for (const item of menu.items) root.append(item ? itemNode(item, close) : el("hr"));
  root.addEventListener("keydown", (event) => onMenuKey(event, root, close));
  (document.querySelector("footer.dock") ?? document.body).append(root); // within a landmark
  root.style.left = `${Math.max(EDGE_PX, Math.min(at.left, innerWidth - root.offsetWidth - EDGE_PX))}px`;
  root.style.top = `${Math.max(EDGE_PX, Math.min(at.bottom + 4, innerHeight - root.offsetHeight - EDGE_PX))}px`;
  addEventListener("pointerdown", outside, true);
  closeOpen = close;
  /** @type {HTMLElement | null} */ (root.querySelector("[role=menuitem]"))?.focus();
}

/** @param {Item} item @param {() => void} close */
function itemNode(item, close) {
  const node = el(
    "button",
    {
      type: "button",
      role: "menuitem",
      tabindex: "-1",
      "data-testid": `menu-item-${item.id}`,
      "aria-disabled": item.why ? "true" : null,
    },
    icon(item.icon),
    el("span", { text: item.text }),
    item.key ? el("kbd", { text: item.key }) : null,
    item.why ? el("span", { class: "why", text: item.why }) : null,
  );
  node.addEventListener("click", () => {
    if (item.why) return;
    close();
    item.run();
  });
  return node;
}

/** @param {KeyboardEvent} event @param {HTMLElement} root @param {() => void} close */
function onMenuKey(event, root, close) {
  const items = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("[role=menuitem]")]);
  const at = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const to = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (at - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  }[event.key];
  if (to !== undefined) items[to]?.focus();
  else if (event.key === "Escape" || event.key === "Tab") close();
  else if (event.key.length === 1 && event.key !== " ")
    items.find((item) => item.textContent?.trim().toLowerCase().startsWith(event.key.toLowerCase()))?.focus();
  else return event.stopPropagation();
  event.preventDefault();
  event.stopPropagation();
  return undefined;
}
