/**
 * The replica lists of a topic, as the file that kafka-reassign-partitions.sh reads. Pure.
 *
 * @import {Model} from "./model.js"
 */

/** @typedef {{topic: string, partition: number, replicas: number[]}} ReplicaList */

/**
 * The lists that partitions have, or are to have once a reassignment is done.
 * @param {Model} model @param {number} topic @returns {ReplicaList[]}
 */
export const listsOf = (model, topic) =>
  model.partitionsOf(topic).flatMap((p) => {
    const partition = model.view?.partitions[p];
    if (!partition) return [];
    const replicas = partition.replicas.filter((id) => !partition.removing.includes(id));
    return {
      topic: model.localName(topic),
      partition: partition.number,
      replicas: replicas.map((id) => Number(model.idOf(id))),
    };
  });

/** @param {ReplicaList[]} partitions */
export const reassignmentJson = (partitions) => JSON.stringify({ version: 1, partitions }, null, 2);
