/**
 * The reasons why an election on request does nothing, in words. The engine gives them (`standing.js`). Pure.
 *
 * @import {Model} from "./model.js"
 * @import {Partition} from "../facts/types.js"
 */
import { IS_ACTIVE, keyOf, WHY_NOT_PREFERRED, WHY_NOT_UNCLEAN } from "../facts/standing.js";
import { capital } from "../kit/wording.js";

/**
 * The reason why an unclean election would do nothing, in words; the engine gives it (UNC-3).
 * @param {Model} model
 * @param {Partition} partition
 * @param {string} name
 */
export function whyNotUnclean(model, partition, name) {
  const hasController = (model.partOf(partition.replicas[0] ?? 0)?.active ?? -1) >= 0;
  const hasAble = partition.replicas.some((id) => IS_ACTIVE[model.view?.brokers[id]?.registration ?? ""]);
  /** @type {Record<string, string>} */
  const words = {
    "has a leader": `${name} has a leader, ${model.nodeName(partition.leader)}`,
    "no controller": "No controller is active",
    "nobody able": `No replica of ${name} is on a broker that is alive`,
  };
  return words[WHY_NOT_UNCLEAN[keyOf(partition.leader >= 0, hasController, hasAble)] ?? ""] ?? "";
}

/** @param {Model} model @param {Partition} partition @param {number} id */
export function whyNotPreferred(model, partition, id) {
  const preferred = partition.replicas[0] ?? id;
  if (preferred !== id)
    return `The preferred leader is ${model.nodeName(preferred)}, the first of ${model.ids(partition.replicas)}`;
  const why = WHY_NOT_PREFERRED[keyOf(partition.leader === id, partition.isr.includes(id))];
  return why ? `${capital(model.nodeName(id))} ${why}` : "";
}
