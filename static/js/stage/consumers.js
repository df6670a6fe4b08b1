/**
 * The right-hand column: how far the consumers of each partition have read, and why not further.
 *
 * @import {Model} from "../run/model.js"
 * @import {Client, Partition, View} from "../facts/types.js"
 */
import { inSite, joinedTo } from "../fold/sites.js";
import { breakable, el, icon, setAttr, setClass, setIcon, setText } from "../kit/dom.js";
import { countInRuns } from "../run/layout.js";
import { shortened } from "../kit/wording.js";

/** of a partition's name: two lines, its number at the end of them */
const LETTERS_MAX = 22;

/**
 * @typedef {{name: string, group: string, client: Client | undefined}} Reader
 * @typedef {{icon: string, text: string, bad: boolean}} Status
 */

/**
 * The state of a partition's readers: why they read no further, and how far they are behind the high watermark.
 * @param {View} view
 * @param {number} p
 * @param {Reader[]} readers
 * @returns {Status}
 */
export function readingOf(view, p, readers) {
  const partition = /** @type {Partition} */ (view.partitions[p]);
  const process = view.brokers[partition.leader]?.process;
  if (partition.epoch < 0) return { icon: "trash", text: "deleted", bad: false };
  if (partition.leader < 0) return { icon: "stop", text: "no leader", bad: true };
  if (process === "down" || process === "starting") return { icon: "stop", text: "leader dead", bad: true };
  const copy = partition.copies[partition.leader];
  if (copy?.role !== "leader") return { icon: "clock", text: "leader changing", bad: false };
  const behind = Math.max(0, ...readers.map((reader) => lagOf(reader, p, copy.hw)));
  if (behind > 0) return { icon: "clock", text: `${behind.toLocaleString("en")} behind`, bad: false };
  const open = copy.leo - copy.hw;
  const acked = countInRuns(partition.acked, copy.hw, copy.leo, copy.epoch);
  if (acked > 0) return aboveHw(acked, (view.verdict[partition.topic]?.hidden ?? 0) > 0);
  if (open > 0) return { icon: "clock", text: `${open.toLocaleString("en")} waiting`, bad: false };
  if (readers.some((reader) => (positionOf(reader, p) ?? -1) >= 0))
    return { icon: "check", text: "up to date", bad: false };
  if (!readers.length) return { icon: "ring", text: "no reader", bad: false };
  if (readers.every((reader) => reader.client?.state !== "open"))
    return { icon: "ring", text: "not reading", bad: false };
  return { icon: "ring", text: copy.hw > copy.start ? "nothing read yet" : "nothing to read yet", bad: false };
}

/**
 * Acknowledged records above the high watermark. With acks=1 some always are, for a moment; hidden are those that wait
 * longer than theta, as the verdict counts them.
 * @param {number} count
 * @param {boolean} isHidden
 * @returns {Status}
 */
function aboveHw(count, isHidden) {
  const figure = count.toLocaleString("en");
  return isHidden
    ? { icon: "hidden", text: `${figure} hidden`, bad: false }
    : { icon: "clock", text: `${figure} not committed yet`, bad: false };
}

/**
 * The position of a reader; undefined before it has one, -1 where its group took the partition away.
 * @param {Reader} reader
 * @param {number} p
 */
const positionOf = (reader, p) => (reader.client?.state === "open" ? reader.client.position[p] : undefined);

/** Readable records that a reader has not read yet. @param {Reader} reader @param {number} p @param {number} hw */
function lagOf(reader, p, hw) {
  const position = positionOf(reader, p) ?? -1;
  return position < 0 ? 0 : Math.max(0, hw - position);
}

/**
 * The position of a reader of a partition, in words.
 * @param {Reader} reader
 * @param {number} p
 * @param {boolean} alone
 * @returns {string}
 */
export function placeOf(reader, p, alone) {
  const state = reader.client?.state ?? "closed";
  const who = alone ? "" : `${reader.name} `;
  if (state !== "open") return `${alone ? "reader" : reader.name} ${state}`;
  const position = positionOf(reader, p);
  if (position === undefined) return `${who}${reader.group ? "joining group" : "no position"}`;
  if (position < 0) return `${who}not assigned`;
  return alone ? `reads to ${position.toLocaleString("en")}` : `${who}at ${position.toLocaleString("en")}`;
}

export class ConsumerCell {
  /** @param {Model} model @param {number} p */
  constructor(model, p) {
    this.model = model;
    this.p = p;
    const consumers = consumersOf(model, p);
    this.consumers = consumers;
    this.name = el("b", null, ...breakable(shortened(model.partitionName(p), LETTERS_MAX)));
    this.isAlone = consumers.length < 2;
    this.lines = consumers.slice(0, 2).map((index) => ({
      index,
      line: el("span", {
        class: "rd",
        "data-client": index,
        "data-testid": `consumer-${model.clientCalled(index)?.group || model.clientCalled(index)?.id || ""}`,
      }),
    }));
    this.icon = icon("check");
    this.words = el("span");
    this.status = el("span", { class: "st" }, this.icon, this.words);
    this.root = el(
      "div",
      { class: "con", role: "rowheader", "data-p": p, "data-testid": `partition-${model.partitionName(p)}` },
      this.name,
      ...this.lines.map((entry) => entry.line),
      this.status,
    );
  }

  /** @param {View} view */
  draw(view) {
    const readers = readersOf(this.model, view, this.consumers);
    const reading = readingOf(view, this.p, readers);
    const leader = view.partitions[this.p]?.leader ?? -1;
    const hw = view.partitions[this.p]?.copies[leader]?.hw ?? 0;
    setClass(this.root, reading.bad ? "con bad" : "con");
    this.lines.forEach(({ line }, i) =>
      setText(line, placeOf(/** @type {Reader} */ (readers[i]), this.p, this.isAlone)),
    );
    setIcon(this.icon, reading.icon);
    setText(this.words, reading.text);
    setAttr(
      this.root,
      "title",
      `${this.model.partitionName(this.p)}. High watermark ${hw.toLocaleString("en")}. ` +
        `${readers.map((reader) => placeOf(reader, this.p, false)).join(", ")}`,
    );
    setAttr(this.root, "data-hw", hw);
  }
}

/**
 * Clients as readers, with their names.
 * @param {Model} model
 * @param {View} view
 * @param {number[]} consumers
 * @returns {Reader[]}
 */
export const readersOf = (model, view, consumers) =>
  consumers.map((index) => ({
    name: model.clientCalled(index)?.id ?? "",
    group: model.clientCalled(index)?.group ?? "",
    client: view.clients[index],
  }));

/** Consumers of a partition, as indices of clients. @param {Model} model @param {number} p @returns {number[]} */
export function consumersOf(model, p) {
  const index = model.view?.partitions[p]?.topic ?? -1;
  const [topic, site] = [model.localName(index), model.siteOfTopic(index)];
  const number = model.view?.partitions[p]?.number ?? -1;
  /** @type {any[]} */ const documents = model.documentOf(site).consumers ?? [];
  const ids = new Set(
    documents.filter((entry) => readsPartition(entry, topic, number)).map((entry) => inSite(site, entry.id)),
  );
  return (model.view?.clients ?? []).flatMap((client, i) =>
    client.kind === "consumer" && (ids.has(client.id) || joinedTo(client, site, topic)) ? [i] : [],
  );
}

/** @param {any} consumer of the document @param {string} topic @param {number} number */
function readsPartition(consumer, topic, number) {
  if (consumer.partitions?.length)
    return consumer.partitions.some((/** @type {any[]} */ pair) => pair[0] === topic && pair[1] === number);
  return (consumer.topics ?? []).includes(topic);
}
