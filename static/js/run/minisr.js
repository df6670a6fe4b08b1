/**
 * Kafka's limit of a min.insync.replicas above the number of replicas: it asks for no more than there are (HW-3).
 *
 * @import {Model} from "./model.js"
 */

/**
 * In words, "" where the value is within the replicas.
 * @param {Model} model
 * @param {number} topic
 * @param {number} minIsr
 */
export function beyondReplicas(model, topic, minIsr) {
  const replicas = Math.max(
    0,
    ...model.partitionsOf(topic).map((p) => model.view?.partitions[p]?.replicas.length ?? 0),
  );
  return replicas && minIsr > replicas
    ? `more than the ${replicas} ${replicas === 1 ? "replica" : "replicas"}: Kafka asks for ${replicas}`
    : "";
}
