/**
 * MirrorMaker in a run: its processes, their flows, and the topics that are not an application's own. Pure.
 *
 * @import {FlowNames, Names, View} from "../facts/types.js"
 */
import { isCut, siteOf } from "../fold/sites.js";

/**
 * @typedef {{group: string, partition: string, source: number, true: number, checkpoint: number, starts: number,
 *   skips: number, uncommitted?: number, rereads: number, sentence: string}} GroupCard  offsets; -1: none
 */
/**
 * @typedef {{kind: "reread" | "skip", from: number, to: number, continues: number, true: number, start: number, label:
 *   string}} Mark  places in percent of the drawn part of the log
 */

/** share of the drawn log before and behind what matters, in percent */
const MARGIN = 18;

/**
 * The processes of MirrorMaker that stand between two clusters.
 * @param {Names} names
 * @param {string} a
 * @param {string} b
 */
export function processesBetween(names, a, b) {
  const clusters = (names.clusters ?? []).map(({ name }) => name);
  const flows = (names.mirrors?.flows ?? []).filter(({ source, target }) =>
    [a, b].every((name) => [source, target].includes(clusters.indexOf(name))),
  );
  return [...new Set(flows.map(({ process }) => process))];
}

/**
 * The clusters that a process reads from or writes to.
 * @param {Names} names
 * @param {string} process
 * @returns {string[]}
 */
export function clustersOfProcess(names, process) {
  const flows = (names.mirrors?.flows ?? []).filter((flow) => flow.process === process);
  return [...new Set(flows.flatMap(({ source, target }) => [source, target]))]
    .sort((a, b) => a - b)
    .map((index) => names.clusters?.[index]?.name ?? "");
}

/**
 * True if a process is cut from all brokers of a cluster, both ways.
 * @param {Names} names
 * @param {View} view
 * @param {string} process
 * @param {string} cluster
 */
export function isProcessCut(names, view, process, cluster) {
  const legs = names.clients.flatMap((client, i) =>
    client.kind === "mirror" && client.process === process && client.id.startsWith(`${cluster}/`) ? [-1 - i] : [],
  );
  const brokers = names.brokers.map(({ id }) => id).filter((id) => siteOf(names, id)?.name === cluster);
  return legs.length > 0 && isCut(view, legs, brokers) && isCut(view, brokers, legs);
}

/**
 * The clusters of each flow of a process.
 * @param {Names} names
 * @param {string} process
 * @returns {{source: string, target: string}[]}
 */
export function flowsOf(names, process) {
  const name = (/** @type {number} */ index) => names.clusters?.[index]?.name ?? "";
  return (names.mirrors?.flows ?? [])
    .filter((flow) => flow.process === process)
    .map((flow) => ({ source: name(flow.source), target: name(flow.target) }));
}

/** The state of a process: "running". @param {Names} names @param {View} view @param {string} process */
export const stateWord = (names, view, process) =>
  view.mirrors?.processes[(names.mirrors?.processes ?? []).findIndex(({ name }) => name === process)] ?? "";

/**
 * The reason why a flow of a process that runs copies nothing: its worker has no tasks; "" where it has.
 * @param {View} view
 * @param {number} index of the flow
 */
export function idleWords(view, index) {
  const { state, until } = view.mirrors?.flows[index]?.tasks ?? { state: "running", until: -1 };
  if (state === "delayed") return `no tasks until ${Math.round(until / 1e6)} s: Connect waits for lost tasks`;
  if (state === "given up") return "no tasks: its worker does not find its group on the target";
  if (state === "waiting") return "no tasks: the target has no topic of its stored offsets";
  return state === "joining" ? "joins its group" : "";
}

/**
 * The process that writes a topic of copies; "" for others.
 * @param {Names} names
 * @param {number[]} partitions of the topic
 */
export function copierOf(names, partitions) {
  const remote = new Set(partitions);
  return (
    (names.mirrors?.flows ?? []).find((flow) => Object.values(flow.remote).some((p) => remote.has(p)))?.process ?? ""
  );
}

/**
 * The topics in which Connect stores the offsets of the flows of a process; `topic`: its place, -1 while there is none.
 * @param {Names} names
 * @param {View} view
 * @param {string} process
 */
export function storedOffsets(names, view, process) {
  const cluster = (/** @type {number} */ index) => names.clusters?.[index]?.name ?? "";
  return (names.mirrors?.flows ?? []).flatMap((flow, index) => {
    if (flow.process !== process) return [];
    const local = `mm2-offsets.${cluster(flow.source)}.internal`;
    const topic = view.topics.findIndex((one) => !one.deleted && one.cluster === flow.target && one.name === local);
    return [{ name: `${cluster(flow.target)}/${local}`, topic, again: copiedAgain(view, index) }];
  });
}

/**
 * Records that a flow would copy again if it began at the earliest record now (MM-11).
 * @param {View} view
 * @param {number} index of the flow
 */
function copiedAgain(view, index) {
  const partitions = Object.entries(view.mirrors?.flows[index]?.partitions ?? {});
  return partitions.reduce((sum, [p, { upstream }]) => {
    const log = newestLog(view, Number(p));
    return sum + (log ? Math.max(0, Math.min(upstream + 1, log.hw) - log.start) : 0);
  }, 0);
}

/** The leader's copy of a partition, else the one that is known furthest. @param {View} view @param {number} p */
function newestLog(view, p) {
  const partition = view.partitions[p];
  const copies = Object.values(partition?.copies ?? {});
  return (
    partition?.copies[partition.leader] ??
    copies.reduce((best, one) => (best && best.hw >= one.hw ? best : one), copies[0])
  );
}

/** Copies that a flow has made in all. @param {View} view @param {number} index of the flow */
export const copiesOf = (view, index) =>
  Object.values(view.mirrors?.flows[index]?.partitions ?? {}).reduce((sum, { count }) => sum + count, 0);

/**
 * Records of the source that a flow has still to copy.
 * @param {View} view
 * @param {FlowNames} flow
 * @param {number} index
 */
export function behindOf(view, flow, index) {
  const partitions = new Set([
    ...Object.keys(flow.remote),
    ...Object.keys(view.mirrors?.flows[index]?.partitions ?? {}),
  ]); // those of new topics too
  return [...partitions].reduce((sum, p) => {
    const hw = newestLog(view, Number(p))?.hw ?? 0;
    return sum + Math.max(0, hw - 1 - (view.mirrors?.flows[index]?.partitions[p]?.upstream ?? -1));
  }, 0);
}

/**
 * The offset at which a group starts on the target, on the part of the remote log around it; null without a position.
 * @param {GroupCard} group
 * @returns {Mark | null}
 */
export function markOf(group) {
  const start = group.starts;
  if (start < 0) return null;
  const [low, high] = [Math.min(start, group.true), Math.max(start, group.true)];
  const scale = high > low ? (100 - 2 * MARGIN) / (high - low) : 0;
  const at = (/** @type {number} */ offset) => (scale ? MARGIN + (offset - low) * scale : 50);
  const { skips, uncommitted = 0 } = group;
  const words = skips
    ? `skips ${skips.toLocaleString("en")}`
    : uncommitted
      ? `passes over ${uncommitted.toLocaleString("en")} read and not committed`
      : `reads ${group.rereads.toLocaleString("en")} again`;
  return {
    kind: skips ? "skip" : "reread",
    from: at(low),
    to: at(high),
    continues: at(start),
    true: at(group.true),
    start,
    label: `starts at ${start}, true position ${group.true}: ${words}`,
  };
}
