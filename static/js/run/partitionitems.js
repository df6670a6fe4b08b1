/**
 * Partitions of the drawn moment as items of a list: replicas by AZ, and in words how each stands. Pure.
 *
 * @import {Item} from "../partitions/rows.js"
 * @import {Partition, View} from "../facts/types.js"
 * @import {Health} from "./layout.js"
 */
import { healthOf } from "./layout.js";

/** @type {Record<Health, number>} steps of the severity scale */
const STEPS = { healthy: 0, reassigning: 1, "under-replicated": 1, "under-min": 3, offline: 4 };

/**
 * @param {View} view
 * @param {number[]} partitions
 * @param {{frames: string[], frameOf: (broker: number) => string, idOf: (broker: number) => number, minIsr: (topic:
 *   number) => number, topicName: (topic: number) => string}} names
 * @returns {Item[]} the worst first
 */
export function itemsOf(view, partitions, names) {
  const items = partitions.flatMap((p) => {
    const partition = view.partitions[p];
    return partition ? [itemOf(view, partition, names)] : [];
  });
  return items.sort((a, b) => b.step - a.step);
}

/** @param {View} view @param {Partition} partition @param {Parameters<typeof itemsOf>[2]} names @returns {Item} */
function itemOf(view, partition, names) {
  const isDown = (/** @type {number} */ id) => view.brokers[id]?.process === "down";
  const state = healthOf(partition, names.minIsr(partition.topic));
  const azs = names.frames.map((az) => ({
    az,
    brokers: partition.replicas
      .filter((id) => names.frameOf(id) === az)
      .map((id) => ({ id: names.idOf(id), leads: id === partition.leader, lost: isDown(id) })),
  }));
  return {
    topic: names.topicName(partition.topic),
    partition: partition.number,
    azs,
    step: STEPS[state],
    us: STEPS[state] > 1 ? null : 0,
    why: whyOf(partition, state, partition.replicas.filter((id) => !isDown(id)).length, names.minIsr(partition.topic)),
  };
}

/**
 * @param {Partition} partition
 * @param {Health} state
 * @param {number} up replicas whose broker runs
 * @param {number} minIsr
 */
function whyOf({ isr, replicas }, state, up, minIsr) {
  if (state === "offline")
    return `no leader: ${up} of ${replicas.length} replicas up, ${up ? "none of them may lead" : "none to elect"}`;
  const sync = `${isr.length} of ${replicas.length} in sync`;
  return state === "under-min" ? `${sync}, ${minIsr} wanted` : sync;
}
