/**
 * The items and the menu that reassign: one copy, all of a broker, all of a topic.
 *
 * @import {Actor} from "../page/player.js"
 * @import {Partition} from "../facts/types.js"
 * @import {Item, Menu} from "./menu.js"
 */
import { copy } from "../kit/kit.js";
import { priceOfCopies, replicasOn } from "../run/price.js";
import { listsOf, reassignmentJson } from "../run/reassignment.js";
import { doing, openMenu } from "./menu.js";

const MOVES_MAX = 12;

/**
 * The item that opens the menu to move one copy of a partition.
 * @param {Actor} app @param {number} p @param {number} id @param {{left: number, bottom: number}} at @returns {Item}
 */
export const reassignItem = (app, p, id, at) => ({
  id: "reassign",
  icon: "right",
  text: "Reassign…",
  run: () => openMenu(app, () => reassignMenu(app, p, id), at, "reassign"),
});

/**
 * All replicas of a broker move to others, as before it is taken out of the cluster.
 * @param {Actor} app @param {number} id
 */
export function offItem(app, id) {
  const { model } = app;
  const { all, movable, takers } = replicasOn(model, id);
  return doing(app, `reassign off ${model.ref(id)}`, {
    id: "off",
    icon: "right",
    why: movable.length ? "" : all ? "No active broker is left that could take one" : "No replica is on it",
    price: priceOfCopies(model, movable, takers),
  });
}

/**
 * One replica of each partition more or less, and the lists for Kafka's own tool.
 * @param {Actor} app @param {number} topic @returns {Item[]}
 */
export function factorItems(app, topic) {
  const { model } = app;
  const name = model.topicName(topic);
  const lists = listsOf(model, topic);
  const now = Math.max(...lists.map(({ replicas }) => replicas.length));
  const site = model.siteOfTopic(topic);
  const brokers = model.brokerIds.filter((id) => model.siteOf(id)?.name === site?.name);
  const to = (/** @type {number} */ factor) => `reassign ${name} replication-factor ${factor}`;
  return [
    doing(app, to(now + 1), {
      id: "factor-up",
      icon: "plus",
      why: now < brokers.length ? "" : "Every broker has a replica",
      price: `Kafka adds no replica by itself. ${priceOfCopies(model, model.partitionsOf(topic), brokers)}`,
    }),
    doing(app, to(Math.max(1, now - 1)), {
      id: "factor-down",
      icon: "minus",
      why: now > 1 ? "" : "1 is the least",
    }),
    {
      id: "reassignment-json",
      icon: "copy",
      text: "Copy its replica lists for kafka-reassign-partitions.sh",
      run: () => copy(reassignmentJson(lists), "The replica lists are copied as JSON."),
    },
  ];
}

/** The menu to move one copy of a partition. @param {Actor} app @param {number} p @param {number} id @returns {Menu} */
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
      price: priceOfCopies(model, [p], [broker]),
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
              price: priceOfCopies(model, [p], [others[0] ?? id]),
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
        why: under ? "" : "None is under way",
      }),
    ],
  };
}
