/**
 * The settings of producers, consumers and flows of MirrorMaker as a document has them, and the document with another
 * value. They are read at start, so another value is another document. Pure.
 *
 * `client.rack` counts only where brokers have a rack-aware `replica.selector.class` (FFR-1, FFR-2): it brings that.
 */

export const RACK = "client.rack";
const SELECTOR = "replica.selector.class";
const RACK_AWARE = "org.apache.kafka.common.replica.RackAwareReplicaSelector";
const TITLE_MAX = 200;
const BETWEEN = ", ";

/** @typedef {"producers" | "consumers" | "mirrors"} Kind */
/** @typedef {{name: string, default: string | number | boolean, unit: string, choices: string[]}} Key */
/** @typedef {Record<string, Record<string, Key["default"]>>} Defaults by Kafka profile */
/** @typedef {Record<Kind, Key[]> & {defaults: Defaults}} ClientKeys those that the engine obeys */
/**
 * `rack` "": it reads from leaders only.
 * @typedef {{kind: Kind, id: string, acks: string, rack: string, profile: string, config: Record<string, any>}} Client
 */

/** The clients of a cluster. @param {any} part of a document @returns {Client[]} */
export function clientsOf(part) {
  const isAware = hasRackAwareBrokers(part);
  return /** @type {Kind[]} */ (["producers", "consumers"]).flatMap((kind) =>
    (part[kind] ?? []).map((/** @type {any} */ { id, acks, rack, config }) => ({
      kind,
      id,
      acks: String(acks ?? "all"),
      rack: isAware ? (rack ?? "") : "",
      profile: String(part.profile ?? ""),
      config: config ?? {},
    })),
  );
}

/** The flows of MirrorMaker, as clients. @param {any} document @returns {Client[]} */
export const flowsOf = (document) =>
  (document.mirrors ?? []).map((/** @type {any} */ flow) => ({
    kind: "mirrors",
    id: nameOf(flow),
    acks: "",
    rack: "",
    profile: "",
    config: flow.config ?? {},
  }));

/** @param {any} entry of a document's list */
const nameOf = ({ id, source, target }) => id ?? `${source}->${target}`;

/** @param {any} part */
const hasRackAwareBrokers = (part) =>
  [part.cluster, ...(part.cluster?.brokers ?? [])].some((one) =>
    String(one?.config?.[SELECTOR] ?? "").endsWith("RackAwareReplicaSelector"),
  );

/** The racks that brokers of a cluster stand in. @param {any} part of a document @returns {string[]} */
export const racksOf = (part) =>
  [...new Set((part.cluster?.brokers ?? []).flatMap((/** @type {any} */ broker) => broker?.rack ?? []))].sort();

/**
 * What a client goes by where it sets nothing: a producer is idempotent only with acks=all (IDEM-1).
 * @param {Key} key @param {Client} client @param {Defaults} defaults
 */
export const defaultOf = (key, client, defaults) =>
  key.name === "enable.idempotence" && client.acks !== "all" && client.acks !== "-1"
    ? false
    : (defaults[client.profile]?.[key.name] ?? key.default);

/**
 * The document with another value of one setting of a client.
 * @param {any} document
 * @param {string | undefined} site
 * @param {{kind: Kind, id: string}} client
 * @param {string} key
 * @param {string} value "": the default
 */
export function withSetting(document, site, { kind, id }, key, value) {
  const part = site === undefined ? document : document.clusters[site];
  const set = key === RACK ? withRack : withConfig;
  const clients = part[kind].map((/** @type {any} */ one) => (nameOf(one) === id ? set(one, key, value) : one));
  const cluster = key === RACK && value ? withRackAwareBrokers(part.cluster) : part.cluster;
  const changed = { ...part, cluster, [kind]: clients };
  const whole = site === undefined ? changed : { ...document, clusters: { ...document.clusters, [site]: changed } };
  return { ...whole, title: titled(document.title, `${id}: ${key} `, value) };
}

/** @param {any} client @param {string} _key @param {string} value */
const withRack = ({ rack: _, ...client }, _key, value) => (value ? { ...client, rack: value } : client);

/** @param {any} cluster */
const withRackAwareBrokers = (cluster) => ({ ...cluster, config: { ...cluster.config, [SELECTOR]: RACK_AWARE } });

/** @param {any} client @param {string} key @param {string} value */
function withConfig({ config, ...client }, key, value) {
  const { [key]: _, ...others } = config ?? {};
  const changed = value ? { ...others, [key]: value } : others;
  return Object.keys(changed).length ? { ...client, config: changed } : client;
}

/**
 * My runs lists it beside the run that it was made from.
 * @param {any} title @param {string} what @param {string} value
 */
const titled = (title, what, value) =>
  [
    ...String(title ?? "")
      .split(BETWEEN)
      .filter((words) => !words.startsWith(what)),
    ...(value ? [what + value] : []),
  ]
    .join(BETWEEN)
    .slice(0, TITLE_MAX);
