/**
 * What writes a topic that no application writes: a flow of MirrorMaker, MirrorMaker for itself, or Kafka. Pure.
 *
 * @import {Model} from "./model.js"
 */

/** By the name in its cluster, the first that fits. */
const OWNERS = /** @type {const} */ ([
  [/^__consumer_offsets$/, "the group coordinators, with acks=all"],
  [/^__transaction_state$/, "the transaction coordinators, with acks=all"],
  [/^__/, "Kafka or a service beside it"],
  [/^mm2-(offsets|configs|status)\..+\.internal$/, "MirrorMaker's Connect worker"],
  [/^mm2.*\.internal$/, "MirrorMaker"],
  [/\.checkpoints\.internal$/, "MirrorMaker"],
  [/^heartbeats$/, "MirrorMaker"],
]);
const REMOTE_HEARTBEATS = /^(.+)\Wheartbeats$/;

/**
 * "MirrorMaker, east → west": the writer of a topic; "" where applications write, or nobody is known to.
 * @param {Model} model
 * @param {number} topic
 */
export function writerOf(model, topic) {
  if (model.producersOf(topic).length) return "";
  const partitions = model.partitionsOf(topic);
  const flow = (model.names.mirrors?.flows ?? []).find(({ remote }) =>
    Object.values(remote).some((p) => partitions.includes(p)),
  );
  if (flow) return `MirrorMaker, ${flow.name.replace("->", " → ")}`;
  const name = model.localName(topic);
  if (REMOTE_HEARTBEATS.test(name)) return "MirrorMaker, as a copy";
  return OWNERS.find(([pattern]) => pattern.test(name))?.[1] ?? "";
}
