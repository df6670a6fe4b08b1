/**
 * Reading from followers (KIP-392): a consumer with a `client.rack` is sent to an in-sync replica in that rack where
 * brokers have a rack-aware `replica.selector.class` (FFR-1, FFR-2). Kafka reads both settings at start, so another
 * value is another document. Pure.
 */

const SELECTOR = "replica.selector.class";
const RACK_AWARE = "org.apache.kafka.common.replica.RackAwareReplicaSelector";
const TITLE_MAX = 200;
const TITLED = ", client.rack ";

/** @typedef {{id: string, rack: string}} Reader `rack` "": it reads from leaders only */

/** The consumers of a cluster and where each reads. @param {any} part of a document @returns {Reader[]} */
export function readersOf(part) {
  const configs = [
    part.cluster?.config,
    ...(part.cluster?.brokers ?? []).map((/** @type {any} */ broker) => broker?.config),
  ];
  const isAware = configs.some((config) => String(config?.[SELECTOR] ?? "").endsWith("RackAwareReplicaSelector"));
  return (part.consumers ?? []).map((/** @type {any} */ { id, rack }) => ({ id, rack: isAware ? (rack ?? "") : "" }));
}

/** The racks that brokers of a cluster stand in. @param {any} part of a document @returns {string[]} */
export const racksOf = (part) =>
  [...new Set((part.cluster?.brokers ?? []).flatMap((/** @type {any} */ broker) => broker?.rack ?? []))].sort();

/**
 * The document with another `client.rack` of a consumer.
 * @param {any} document
 * @param {string | undefined} site
 * @param {string} id
 * @param {string} rack "": it reads from leaders only
 */
export function withClientRack(document, site, id, rack) {
  const part = partOf(document, site);
  const { rack: _, ...consumer } = part.consumers.find((/** @type {any} */ one) => one.id === id);
  const consumers = part.consumers.map((/** @type {any} */ one) =>
    one.id !== id ? one : rack ? { ...consumer, rack } : consumer,
  );
  const cluster = rack ? { ...part.cluster, config: { ...part.cluster.config, [SELECTOR]: RACK_AWARE } } : part.cluster;
  const changed = { ...part, cluster, consumers };
  return titled(site === undefined ? changed : { ...document, clusters: { ...document.clusters, [site]: changed } });
}

/** @param {any} document @param {string | undefined} site */
const partOf = (document, site) => (site === undefined ? document : document.clusters[site]);

/** My runs lists it beside the run that it was made from. @param {any} document */
function titled(document) {
  const parts = document.clusters ? Object.values(document.clusters) : [document];
  const racks = [...new Set(parts.flatMap((part) => readersOf(part).flatMap(({ rack }) => rack || [])))].sort();
  const title = String(document.title ?? "").split(TITLED)[0] ?? "";
  return { ...document, title: `${title}${racks.length ? TITLED : ""}${racks.join(" and ")}`.slice(0, TITLE_MAX) };
}
