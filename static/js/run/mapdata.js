/**
 * The data of the map: per row (topic, or topics of one prefix) and broker how many replicas are in sync and the worst
 * state of a partition there; per row its partitions' states; leaders per broker. Pure.
 *
 * @import {View, Partition} from "../facts/types.js"
 * @import {Health} from "./layout.js"
 */
import { healthOf } from "./layout.js";

export const TOPIC_ROWS_MAX = 40;
/** Worst first. */
export const HEALTHS = /** @type {Health[]} */ (["offline", "under-min", "under-replicated", "healthy"]);
export const HEALTH_WORDS = {
  offline: "offline",
  "under-min": "under min ISR",
  "under-replicated": "under-replicated",
  healthy: "healthy",
  reassigning: "reassigning",
};

/**
 * @typedef {object} MapRow
 * @property {string} name
 * @property {number[]} topics
 * @property {number[]} partitions  indices, in order
 * @property {Health[]} states  one per partition; reassigning counts as healthy or under-replicated
 * @property {number[]} inSync  per broker column
 * @property {number[]} replicas  per broker column
 * @property {number[]} leaders  per broker column
 * @property {(Health | "")[]} worst  per broker column
 * @property {Record<Health, number>} counts
 *
 * @typedef {object} MapData
 * @property {MapRow[]} rows
 * @property {number[]} load  leaders per broker column
 * @property {number[]} preferred  partitions whose first replica is the broker
 * @property {Record<Health, number>} counts
 * @property {number} most  largest inSync of a cell
 */

/**
 * Rows of the map: topics, or prefixes of their names when there are too many.
 * @param {string[]} names
 * @returns {{name: string, topics: number[]}[]}
 */
export function mapRows(names) {
  if (names.length <= TOPIC_ROWS_MAX) return names.map((name, i) => ({ name, topics: [i] }));
  /** @type {Map<string, number[]>} */ const groups = new Map();
  names.forEach((name, i) => {
    const prefix = /^[^._-]+/.exec(name)?.[0] ?? name;
    groups.set(prefix, [...(groups.get(prefix) ?? []), i]);
  });
  return [...groups].map(([prefix, topics]) => ({
    name: topics.length === 1 ? (names[/** @type {number} */ (topics[0])] ?? prefix) : `${prefix}… (${topics.length})`,
    topics,
  }));
}

/**
 * @param {View} view
 * @param {number[]} brokers  in the order of the columns
 * @param {(topic: number) => number} minIsr
 * @param {(topic: number) => string} nameOf
 * @returns {MapData}
 */
export function mapData(view, brokers, minIsr, nameOf) {
  const column = new Map(brokers.map((broker, i) => [broker, i]));
  const zeros = () => brokers.map(() => 0);
  const rows = mapRows(view.topics.map((_, topic) => nameOf(topic))).map((row) => ({
    ...row,
    partitions: /** @type {number[]} */ ([]),
    states: /** @type {Health[]} */ ([]),
    inSync: zeros(),
    replicas: zeros(),
    leaders: zeros(),
    worst: brokers.map(() => /** @type {Health | ""} */ ("")),
    counts: noCounts(),
  }));
  const rowOf = new Map(rows.flatMap((row) => row.topics.map((topic) => [topic, row])));
  const data = { rows, load: zeros(), preferred: zeros(), counts: noCounts(), most: 1 };
  view.partitions.forEach((partition, p) => {
    const row = partition && rowOf.get(partition.topic);
    if (row) addPartition(data, row, partition, p, stateOf(partition, minIsr(partition.topic)), column);
  });
  data.most = Math.max(1, ...rows.flatMap((row) => row.inSync));
  return data;
}

/**
 * @param {MapData} data
 * @param {MapRow} row
 * @param {Partition} partition
 * @param {number} p
 * @param {Health} state
 * @param {Map<number, number>} column
 */
function addPartition(data, row, partition, p, state, column) {
  row.partitions.push(p);
  row.states.push(state);
  row.counts[state]++;
  data.counts[state]++;
  for (const broker of partition.replicas) {
    const at = column.get(broker);
    if (at === undefined) continue;
    row.replicas[at] = (row.replicas[at] ?? 0) + 1;
    if (isWorse(state, row.worst[at] ?? "")) row.worst[at] = state;
  }
  for (const broker of partition.isr) bump(row.inSync, column.get(broker));
  bump(row.leaders, column.get(partition.leader));
  bump(data.load, column.get(partition.leader));
  bump(data.preferred, column.get(partition.replicas[0] ?? -1));
}

/**
 * The four states of the map: a reassigning partition counts by its ISR.
 * @param {Partition} partition
 * @param {number} minIsr
 * @returns {Health}
 */
function stateOf(partition, minIsr) {
  const state = healthOf(partition, minIsr);
  if (state !== "reassigning") return state;
  return partition.isr.length < partition.replicas.length ? "under-replicated" : "healthy";
}

/** @param {Health} state @param {Health | ""} than */
const isWorse = (state, than) => than === "" || HEALTHS.indexOf(state) < HEALTHS.indexOf(than);

/** @param {number[]} counts @param {number | undefined} at */
function bump(counts, at) {
  if (at !== undefined) counts[at] = (counts[at] ?? 0) + 1;
}

/** @returns {Record<Health, number>} */
const noCounts = () => ({ offline: 0, "under-min": 0, "under-replicated": 0, healthy: 0, reassigning: 0 });

/** Topics that are not healthy, the worst first. @param {MapRow[]} rows @returns {MapRow[]} */
export function worstRows(rows) {
  const weight = (/** @type {MapRow} */ row) =>
    row.counts.offline * 1e6 + row.counts["under-min"] * 1e3 + row.counts["under-replicated"];
  return rows.filter((row) => row.counts.offline || row.counts["under-min"]).sort((a, b) => weight(b) - weight(a));
}
