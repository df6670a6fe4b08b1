/**
 * The menu of a topic.
 *
 * @import {Actor} from "../page/player.js"
 * @import {Menu} from "./menu.js"
 */
import { beyondReplicas } from "../run/minisr.js";
import { priceOfUncleanOn } from "../run/price.js";
import { writerOf } from "../run/writers.js";
import { doing } from "./menu.js";
import { factorItems } from "./reassigning.js";

const OFFSETS_TOPIC = "__consumer_offsets";

/** @param {Actor} app @param {number} topic @returns {Menu} */
export function topicMenu(app, topic) {
  const { model } = app;
  const name = model.topicName(topic);
  const acks = model.acksOf(topic);
  const writer = writerOf(model, topic);
  const nobody = writer ? `Written by ${writer}` : "Nobody produces to this topic";
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
          why: acks === null ? nobody : acks === value ? "It is set" : "",
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
        why: minIsr > 1 ? "" : "1 is the least",
      }),
      doing(app, `config ${name} unclean.leader.election.enable ${!unclean}`, {
        id: "unclean",
        icon: "crown-open",
        text: `Unclean election ${unclean ? "off" : "on"}`,
        price: unclean ? "" : priceOfUncleanOn(model, topic),
      }),
      null,
      ...[partitions.length + 1, partitions.length * 2]
        .filter((count, i, all) => all.indexOf(count) === i)
        .map((count) =>
          doing(app, `partitions ${name} ${count}`, {
            id: `partitions-${count}`,
            icon: "plus",
            why: whyFixed(name),
          }),
        ),
      ...factorItems(app, topic),
      doing(app, `delete ${name}`, {
        id: "delete-topic",
        icon: "trash",
        why: whyFixed(name),
      }),
    ],
  };
}

/** The reason why a topic can be neither deleted nor given partitions. @param {string} name */
const whyFixed = (name) => (name.endsWith(OFFSETS_TOPIC) ? "It holds the committed offsets of the groups" : "");

/**
 * The menu of a topic that was deleted: create one of its name.
 * @param {Actor} app
 * @param {number} topic
 * @param {string} title
 * @returns {Menu}
 */
function deletedMenu(app, topic, title) {
  const { model } = app;
  const name = title.replace(/ \(deleted.*\)$/, "");
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
