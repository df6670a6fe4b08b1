/**
 * The menu of a replica: elections and reassignment of its partition.
 *
 * @import {App} from "../app.js"
 * @import {Partition} from "../types.js"
 * @import {Menu} from "./menu.js"
 */
import { whyNotPreferred, whyNotUnclean } from "../elections.js";
import { brokerMenu } from "./brokers.js";
import { doing, openMenu } from "./menu.js";
import { topicMenu } from "./topics.js";

const MOVES_MAX = 12;

/** @param {App} app @param {number} p @param {number} id @param {{left: number, bottom: number}} at @returns {Menu} */
export function replicaMenu(app, p, id, at) {
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
        run: () => openMenu(app, () => reassignMenu(app, p, id), at, "reassign"),
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
        run: () => openMenu(app, () => brokerMenu(app, id, at), at, "broker"),
      },
      {
        id: "topic",
        icon: "right",
        text: `Actions of ${app.model.topicName(partition.topic)}…`,
        run: () => openMenu(app, () => topicMenu(app, partition.topic), at, "topic"),
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
