/**
 * Several clusters in one run. Nodes have numbers of the whole run; this module says which cluster a node is of and how
 * actions and sentences call it: "east/1", "broker east/1". A run with one cluster has no names of clusters. Pure.
 *
 * @import {ClusterPart, Names, View} from "../facts/types.js"
 */

/** between the subjects of settings of whole clusters (kernel/site.py) */
export const SETTINGS_STEP = 2 ** 40;

/** @typedef {{index: number, name: string, base: number}} Site */

/** The clusters that have names, in the order of the document. @param {Names} names @returns {Site[]} */
export const sitesOf = (names) => (names.clusters ?? []).map(({ name, base }, index) => ({ index, name, base }));

/**
 * The cluster of a node; null where clusters have no names.
 * @param {Names} names
 * @param {number} node
 * @returns {Site | null}
 */
export const siteOf = (names, node) => sitesOf(names).findLast(({ base }) => base <= node) ?? null;

/** A node's Kafka id, in its cluster. @param {Names} names @param {number} node */
export const idOf = (names, node) => node - (siteOf(names, node)?.base ?? 0);

/** A name of one cluster as actions write it: "east/orders". @param {Site | null} site @param {string | number} name */
export const inSite = (site, name) => (site ? `${site.name}/${name}` : String(name));

/**
 * True if a client joined the run to use a topic of a cluster.
 * @param {import("../facts/types.js").Client} client
 * @param {{name: string} | null} site
 * @param {string} topic its local name
 */
export const joinedTo = (client, site, topic) =>
  Boolean(client.topics?.includes(topic) && site && client.id.startsWith(`${site.name}/`));

/** A node as actions write it: "1", or "east/1". @param {Names} names @param {number} node */
export const refOf = (names, node) => inSite(siteOf(names, node), idOf(names, node));

/**
 * The node that an action names, or null where it names something else.
 * @param {Names} names
 * @param {string} ref "1" or "east/1"
 * @returns {number | null}
 */
export function nodeOf(names, ref) {
  const [, cluster, id] = /^(?:([A-Za-z][\w-]*)\/)?(\d+)$/.exec(ref) ?? [];
  if (id === undefined) return null;
  if (cluster === undefined) return Number(id);
  const site = sitesOf(names).find(({ name }) => name === cluster);
  return site ? site.base + Number(id) : null;
}

/**
 * The part of a view for one cluster alone: the view itself where the only cluster has no name.
 * @param {View} view
 * @param {number} index
 * @returns {ClusterPart}
 */
export const clusterAt = (view, index) => view.clusters?.[index] ?? view;

/** The place of the cluster that a node is of. @param {View} view @param {number} node */
export const clusterOf = (view, node) => (view.clusters ? view.clusters.findLastIndex(({ base }) => base <= node) : 0);

/** The part of a view for a node's cluster alone. @param {View} view @param {number} node @returns {ClusterPart} */
export const partOf = (view, node) => clusterAt(view, clusterOf(view, node));

/**
 * The rack of a node without its cluster, whatever stands in its name; "" without one.
 * @param {Names} names
 * @param {number} node
 */
export const rackNameOf = (names, node) =>
  [...names.brokers, ...names.controllers].find(({ id }) => id === node)?.rack ?? "";

/**
 * The rack of a node as actions write it: "az-a", or "east/az-a"; null without one.
 * @param {Names} names
 * @param {number} node
 */
export function rackOf(names, node) {
  const rack = rackNameOf(names, node);
  return rack ? inSite(siteOf(names, node), rack) : null;
}

/**
 * The frame in which a broker's column stands: its rack, else its cluster, else "".
 * @param {Names} names
 * @param {number} broker
 */
export const frameOf = (names, broker) => rackOf(names, broker) ?? siteOf(names, broker)?.name ?? "";

/** Brokers in the order of their columns: by cluster, rack and id. @param {Names} names @returns {number[]} */
export function columnsOf(names) {
  const key = (/** @type {number} */ node) => ({
    node,
    cluster: siteOf(names, node)?.index ?? 0,
    frame: frameOf(names, node),
  });
  return names.brokers
    .map(({ id }) => key(id))
    .sort((a, b) => a.cluster - b.cluster || (a.frame < b.frame ? -1 : a.frame > b.frame ? 1 : a.node - b.node))
    .map(({ node }) => node);
}

/** Nodes of a cluster. @param {Names} names @param {string} name @returns {number[]} */
export const nodesOf = (names, name) =>
  [...names.brokers, ...names.controllers].map(({ id }) => id).filter((id) => siteOf(names, id)?.name === name);

/**
 * True if every link from some nodes to others is cut.
 * @param {View} view
 * @param {number[]} from
 * @param {number[]} to
 */
export const isCut = (view, from, to) =>
  from.every((one) => to.every((other) => Boolean(view.links[`${one}>${other}`]?.cut)));

/**
 * True if every link from a cluster to another is cut.
 * @param {Names} names
 * @param {View} view
 * @param {string} from
 * @param {string} to
 */
export const isSiteCut = (names, view, from, to) => isCut(view, nodesOf(names, from), nodesOf(names, to));

/** The clusters that have names and no broker that runs. @param {Names} names @param {View} view @returns {string[]} */
export const lostSites = (names, view) =>
  sitesOf(names)
    .map(({ name }) => name)
    .filter((name) => {
      const brokers = names.brokers.filter(({ id }) => siteOf(names, id)?.name === name);
      return brokers.length > 0 && brokers.every(({ id }) => view.brokers[id]?.process === "down");
    });

/**
 * The links between the nodes of two clusters as one.
 * @param {Names} names @param {View} view @param {string} a @param {string} b
 * @returns {{cut: "none" | "some" | "both", slowUs: number}} both: every link is cut both ways; slowUs: the slowest
 */
export function siteLink(names, view, a, b) {
  let [links, cut, slowUs] = [0, 0, 0];
  for (const one of nodesOf(names, a)) {
    for (const other of nodesOf(names, b)) {
      for (const link of [view.links[`${one}>${other}`], view.links[`${other}>${one}`]]) {
        links += 1;
        cut += link?.cut ? 1 : 0;
        slowUs = Math.max(slowUs, link?.slow_us ?? 0);
      }
    }
  }
  return { cut: !cut ? "none" : cut === links ? "both" : "some", slowUs };
}

/**
 * Tells whether a link is as the whole WAN between its clusters is, which tells of it.
 * @param {Names} names @param {View} view
 * @returns {(state: {a: number, b: number, cut: string, slowUs: number}) => boolean}
 */
export function toldByWan(names, view) {
  /** @type {Map<string, ReturnType<typeof siteLink>>} */ const wans = new Map();
  return ({ a, b, cut, slowUs }) => {
    const [one, other] = [siteOf(names, a), siteOf(names, b)];
    if (!one || !other || one.index === other.index) return false;
    const pair = `${one.name}|${other.name}`;
    const wan = wans.get(pair) ?? siteLink(names, view, one.name, other.name);
    wans.set(pair, wan);
    return wan.cut === cut && wan.slowUs === slowUs;
  };
}
