/**
 * The right-hand column: how far the consumers of each partition have read, and why not further.
 *
 * @import {Model} from "../model.js"
 * @import {Partition, View} from "../types.js"
 */
import { el, icon, setAttr, setClass, setIcon, setText } from "../dom.js";
import { inRuns } from "../layout.js";

/**
 * @param {View} view
 * @param {number} p
 * @returns {{icon: string, text: string, bad: boolean}}
 */
export function readingOf(view, p) {
  const partition = /** @type {Partition} */ (view.partitions[p]);
  const process = view.brokers[partition.leader]?.process;
  if (partition.leader < 0) return { icon: "stop", text: "no leader", bad: true };
  if (process === "down") return { icon: "stop", text: "leader dead", bad: true };
  const copy = partition.copies[partition.leader];
  if (!copy || copy.role !== "leader") return { icon: "clock", text: "leader changing", bad: false };
  const open = copy.leo - copy.hw;
  if (open <= 0) return { icon: "check", text: "up to date", bad: false };
  const hidden = hiddenCount(partition, copy.hw, copy.leo, copy.epoch);
  if (hidden > 0) return { icon: "hidden", text: `${hidden.toLocaleString("en")} hidden`, bad: false };
  return { icon: "clock", text: `${open.toLocaleString("en")} waiting`, bad: false };
}

/** Acknowledged records that no consumer can read. @param {Partition} partition @param {number} hw @param {number} leo @param {number} epoch */
function hiddenCount(partition, hw, leo, epoch) {
  let count = 0;
  for (let offset = hw; offset < leo && offset < hw + 5000; offset++) {
    if (inRuns(partition.acked, offset, epoch)) count++;
  }
  return count;
}

export class ConsumerCell {
  /** @param {Model} model @param {number} p */
  constructor(model, p) {
    this.model = model;
    this.p = p;
    const consumers = consumersOf(model, p);
    this.name = el("b", null, model.partitionName(p));
    this.lines = consumers.slice(0, 2).map((client) => {
      const figure = el("span", { class: "num" });
      const line = el("span", { class: "rd", "data-testid": `consumer-${model.names.clients[client]?.group ?? model.names.clients[client]?.id ?? ""}` },
        consumers.length > 1 ? `${model.names.clients[client]?.id} at ` : "reads to ", figure);
      return { client, figure, line };
    });
    this.icon = icon("check");
    this.words = el("span");
    this.status = el("span", { class: "st" }, this.icon, this.words);
    this.root = el("div", { class: "con", role: "rowheader", "data-p": p, "data-testid": `partition-${model.partitionName(p)}` },
      this.name, ...this.lines.map((entry) => entry.line), this.status);
  }

  /** @param {View} view */
  draw(view) {
    const reading = readingOf(view, this.p);
    const leader = view.partitions[this.p]?.leader ?? -1;
    const hw = view.partitions[this.p]?.copies[leader]?.hw ?? 0;
    setClass(this.root, reading.bad ? "con bad" : "con");
    for (const { client, figure } of this.lines) {
      setText(figure, (view.clients[client]?.position[this.p] ?? 0).toLocaleString("en"));
    }
    setIcon(this.icon, reading.icon);
    setText(this.words, reading.text);
    setAttr(this.root, "data-hw", hw);
  }
}

/** Consumers of a partition, as indices of clients. @param {Model} model @param {number} p @returns {number[]} */
export function consumersOf(model, p) {
  const topic = model.topicName(model.view?.partitions[p]?.topic ?? -1);
  const number = model.view?.partitions[p]?.number ?? -1;
  /** @type {any[]} */ const documents = model.document?.consumers ?? [];
  const ids = new Set(documents.filter((entry) => readsPartition(entry, topic, number)).map((entry) => entry.id));
  return (model.view?.clients ?? []).flatMap((client, i) => (client.kind === "consumer" && ids.has(client.id) ? [i] : []));
}

/** @param {any} consumer of the document @param {string} topic @param {number} number */
function readsPartition(consumer, topic, number) {
  if (consumer.partitions?.length) return consumer.partitions.some((/** @type {any[]} */ pair) => pair[0] === topic && pair[1] === number);
  return (consumer.topics ?? []).includes(topic);
}
