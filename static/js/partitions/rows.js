/** The partitions of a list: their order, the text and CSV of all of them, and which rows are in view. Pure. */
import { natural } from "../kit/wording.js";

export const ROWS_DRAWN_MAX = 200; // of a longer list only the rows in view are drawn
const MARGIN_ROWS = 12; // drawn above and below the view, so that scrolling shows no gap

/**
 * A partition of a list: its replicas by AZ, in the order of the AZs of the list. `us` is how long it is out, null
 * until what is lost is back; `step` is its step of the severity scale.
 * @typedef {{id: number, leads: boolean, lost: boolean}} Replica
 * @typedef {{topic: string, partition: number, azs: {az: string, brokers: Replica[]}[], step: number, us: number |
 *   null, why: string}} Item
 * @typedef {{by: string, isDown: boolean}} Order `by`: "partition", "why", "az:" and the name of an AZ; "" as given
 */

/** @param {Item} item */
export const nameOf = (item) => `${item.topic}-${item.partition}`;
/** @param {string} az */
export const azName = (az) => az || "no AZ";

/** The replicas of a partition in an AZ. @param {Item} item @param {string} az @returns {Replica[]} */
export const replicasIn = (item, az) => item.azs.find((one) => one.az === az)?.brokers ?? [];

/** The AZs in which a partition of the list has a replica, in their order. @param {Item[]} items @returns {string[]} */
export function azsOf(items) {
  const order = items[0]?.azs.map((one) => one.az) ?? [];
  return order.filter((az) => items.some((item) => replicasIn(item, az).length));
}

/** @param {Item} a @param {Item} b */
const byPartition = (a, b) => (a.topic === b.topic ? a.partition - b.partition : natural(a.topic, b.topic));
/** @param {Item} a @param {Item} b */
const byWhy = (a, b) => b.step - a.step || natural(a.why, b.why) || byPartition(a, b);

/** By the number of replicas in an AZ, most first, then by their brokers. @param {string} az */
const byAz = (az) => (/** @type {Item} */ a, /** @type {Item} */ b) => {
  const [mine, theirs] = [replicasIn(a, az), replicasIn(b, az)];
  return theirs.length - mine.length || (mine[0]?.id ?? 0) - (theirs[0]?.id ?? 0) || byPartition(a, b);
};

/** The items in an order; "" leaves them as given. @param {Item[]} items @param {Order} order @returns {Item[]} */
export function sorted(items, order) {
  if (!order.by) return items;
  const compare =
    order.by === "partition" ? byPartition : order.by === "why" ? byWhy : byAz(order.by.slice("az:".length));
  const found = [...items].sort(compare);
  return order.isDown ? found.reverse() : found;
}

/**
 * The order after a click on the head of a column: up, down, as given.
 * @param {Order} order
 * @param {string} by
 * @returns {Order}
 */
export function nextOrder(order, by) {
  if (order.by !== by) return { by, isDown: false };
  return order.isDown ? { by: "", isDown: false } : { by, isDown: true };
}

const HEADS = ["topic", "partition", "replicas_by_az", "leader", "lost_replicas", "out_for", "why"];

/** The fields of a partition in a file. @param {Item} item */
function fieldsOf(item) {
  const placed = item.azs.filter((one) => one.brokers.length);
  const all = placed.flatMap((one) => one.brokers);
  const places = placed
    .map((one) => `${azName(one.az)}: ${one.brokers.map((broker) => broker.id).join(" ")}`)
    .join("; ");
  const lost = all
    .filter((one) => one.lost)
    .map((one) => one.id)
    .join(" ");
  return [
    item.topic,
    String(item.partition),
    places,
    String(all.find((one) => one.leads)?.id ?? "none"),
    lost,
    outFor(item),
    item.why,
  ];
}

/** "" for a partition that is in the list for another reason. @param {Item} item */
const outFor = (item) => (item.us === null ? "until it is back" : item.us ? `${(item.us / 1e6).toFixed(1)} s` : "");

/** The whole list as CSV. @param {Item[]} items */
export const csv = (items) =>
  `${[HEADS, ...items.map(fieldsOf)].map((row) => row.map(noFormula).map(quoted).join(",")).join("\r\n")}\r\n`;

/** The whole list as lines with tabs, as a sheet takes it from the clipboard. @param {Item[]} items */
export const tabbed = (items) =>
  [HEADS, ...items.map(fieldsOf)]
    .map((row) =>
      row
        .map(noFormula)
        .map((field) => field.replace(/[\t\n]/g, " "))
        .join("\t"),
    )
    .join("\n");

/** A name as a sheet takes it for a text, even one that begins as formulas do. @param {string} text */
const noFormula = (text) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

/** @param {string} field */
const quoted = (field) => (/[",\n\r]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);

/**
 * The rows to draw: from, to (not included). All of a list of up to 200.
 * @param {number} count @param {number} rowPx @param {number} top scrolled px @param {number} height px of the view
 */
export function rowsInView(count, rowPx, top, height) {
  if (count <= ROWS_DRAWN_MAX) return { from: 0, to: count };
  const from = Math.max(0, Math.min(Math.floor(top / rowPx), count) - MARGIN_ROWS);
  return { from, to: Math.min(count, Math.ceil((top + height) / rowPx) + MARGIN_ROWS) };
}
