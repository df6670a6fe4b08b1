/**
 * The menu of a replica: elections of its partition, and the menus beside it.
 *
 * @import {Actor} from "../page/player.js"
 * @import {Partition} from "../facts/types.js"
 * @import {Menu} from "./menu.js"
 */
import { whyNotPreferred, whyNotUnclean } from "../run/elections.js";
import { priceOfUnclean } from "../run/price.js";
import { brokerMenu } from "./brokers.js";
import { doing, openMenu } from "./menu.js";
import { reassignItem } from "./reassigning.js";
import { topicMenu } from "./topics.js";

/**
 * @param {Actor} app @param {number} p @param {number} id @param {{left: number, bottom: number}} at
 * @returns {Menu}
 */
export function replicaMenu(app, p, id, at) {
  const partition = /** @type {Partition} */ (app.model.view?.partitions[p]);
  const name = app.model.partitionName(p);
  return {
    title: `${name} on ${app.model.nodeName(id)}`,
    items: [
      doing(app, `elect preferred ${name}`, {
        id: "elect-preferred",
        icon: "crown",
        why: whyNotPreferred(app.model, partition, id),
      }),
      doing(app, `elect unclean ${name}`, {
        id: "elect-unclean",
        icon: "crown-open",
        why: whyNotUnclean(app.model, partition, name),
        price: priceOfUnclean(app.model, partition),
      }),
      null,
      reassignItem(app, p, id, at),
      {
        id: "inspect",
        ownPage: true,
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
