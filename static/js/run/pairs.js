/**
 * The document with one more cluster, one more flow of MirrorMaker, or another distance between clusters. Pure.
 */

const BACK = "mirror-back"; // the process of a flow back, as plans call it
const POLICY = "replication.policy.class";
const KEEPS_NAMES = "IdentityReplicationPolicy";
const FACTORS = [
  "replication.factor",
  "offset-syncs.topic.replication.factor",
  "checkpoints.topic.replication.factor",
  "heartbeats.topic.replication.factor",
  "offset.storage.replication.factor",
];
const FACTOR_DEFAULT = 3; // Kafka's, of most of them

/** @typedef {{source: string, target: string}} Pair */

/**
 * The document with one more cluster, built like the first one: its brokers, racks and settings, without topics and
 * clients.
 * @param {any} document of several clusters
 * @param {string} name
 * @param {string} latency between clusters, one way
 */
export function withCluster(document, name, latency) {
  if (document.clusters[name]) throw new Error(`there is a cluster ${name} already`);
  const [{ profile, elr, network, cluster }] = /** @type {any[]} */ (Object.values(document.clusters));
  const { active: _, ...nodes } = cluster;
  const built = {
    profile,
    ...(elr === undefined ? {} : { elr }),
    ...(network ? { network: { latency: network.latency, jitter: network.jitter } } : {}),
    cluster: { ...nodes, brokers: nodes.brokers.map(anew), controllers: nodes.controllers.map(anew) },
  };
  return withDistance({ ...document, clusters: { ...document.clusters, [name]: built } }, latency);
}

/** A node that runs at the start. @param {any} node */
function anew(node) {
  if (typeof node !== "object") return node;
  const { state: _, ...kept } = node;
  return kept;
}

/** @param {any} document @param {string} latency between clusters, one way */
export const withDistance = (document, latency) => ({ ...document, network: { ...document.network, latency } });

/** The pairs of clusters between which a flow can be added. @param {any} document @returns {Pair[]} */
export function missingFlows(document) {
  const names = Object.keys(document?.clusters ?? {});
  return names
    .flatMap((source) => names.map((target) => ({ source, target })))
    .filter((pair) => pair.source !== pair.target && !flowOf(document, pair));
}

/** @param {any} document @param {Pair} pair */
export const flowOf = (document, { source, target }) =>
  (document.mirrors ?? []).find((/** @type {any} */ one) => one.source === source && one.target === target);

/**
 * True if a flow must not run beside the one the other way: both would copy the same names.
 * @param {any} document @param {Pair} pair
 */
export const startsLater = (document, { source, target }) =>
  String(flowOf(document, { source: target, target: source })?.config?.[POLICY] ?? "").endsWith(KEEPS_NAMES);

/**
 * The document with one more flow. A flow back has the settings of the flow there and a process of its own; if copies
 * keep their names, this process is down at the start.
 * @param {any} document @param {Pair} pair
 */
export function withFlow(document, pair) {
  const there = flowOf(document, { source: pair.target, target: pair.source });
  const flow = {
    ...pair,
    ...(there ? { process: BACK } : {}),
    ...(startsLater(document, pair) ? { state: "down" } : {}),
    config: { ...factorsOf(document, pair), ...there?.config },
  };
  return { ...document, mirrors: [...(document.mirrors ?? []), flow] };
}

/**
 * Replication factors that both clusters can hold, where Kafka's default is too great.
 * @param {any} document @param {Pair} pair
 */
function factorsOf({ clusters }, { source, target }) {
  const brokers = Math.min(...[source, target].map((name) => clusters[name].cluster.brokers.length));
  return brokers < FACTOR_DEFAULT ? Object.fromEntries(FACTORS.map((key) => [key, brokers])) : {};
}
