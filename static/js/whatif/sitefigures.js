/** The figures of runs of several clusters, as the result page reads them. Pure: runs under node. */
import { count } from "./words.js";

/** @typedef {import("./words.js").Triple} Triple */
/** @typedef {{kind: string, of: string, figure: string, median: Triple}} Part */

/** Figures of a failover, by their names in a result. @type {Record<string, string>} */
const FAILOVER = {
  rpo_records: "RPO, records not mirrored when clients moved",
  rpo: "RPO, time of these records",
  rto: "RTO",
};

/** Figures of a flow, a group or a cluster, by their names in a row. @type {Record<string, string>} */
const FIGURES = {
  not_mirrored: "not mirrored",
  unmirrored: "of them in topics that are not copied",
  not_mirrored_us: "time of the records not mirrored",
  mirrored_twice: "mirrored twice",
  left_out: "left out, without a copy to come",
  disagree: "copies of records that the source no longer has",
  group_skips: "skips",
  group_rereads: "reads again",
  groups_without_offset: "partitions without a committed offset",
  lost: "acknowledged records lost",
  duplicated: "records doubled",
  write_down_client_us: "writes without a response",
};

const KINDS = /** @type {Record<string, string>} */ ({ flow: "Flow", group: "Group", cluster: "Cluster" });

/** True if a result is one of several clusters with MirrorMaker or with clients that move. @param {any} result */
export const hasSites = (result) => Boolean(result?.variants.some((/** @type {any} */ v) => v.sites));

/** True if a result has figures of single flows, groups or clusters. @param {any} result */
export const hasParts = (result) =>
  hasSites(result) || Boolean(result?.variants.some((/** @type {any} */ v) => v.parts?.length));

/** True if clients moved to another cluster: then RTO says how long they stood still. @param {any} result */
export const hasMoves = (result) => Boolean(result?.variants.some((/** @type {any} */ v) => v.sites?.failovers));

/**
 * The records that were not mirrored when they were needed: when clients moved, else at the end.
 * @param {any} v a configuration
 * @returns {Triple | undefined}
 */
export const waiting = (v) => v.sites?.rpo_records ?? v.sites?.not_mirrored;

/**
 * The lines of the table: a heading, or a figure of every configuration.
 * @param {any[]} variants
 * @returns {{head: string, lines: {name: string, time: boolean, values: (Triple | undefined)[]}[]}[]}
 */
export function groupsOf(variants) {
  const found = [];
  const moved = variants.filter((v) => v.sites?.failovers);
  if (moved.length)
    found.push({
      head: "Failover",
      lines: Object.entries(FAILOVER).map(([key, name]) => ({
        name,
        time: key !== "rpo_records",
        values: variants.map((v) => v.sites?.[key]),
      })),
    });
  const parts = variants.flatMap((v) => /** @type {Part[]} */ (v.parts ?? []));
  for (const head of new Set(parts.map(titled))) {
    const names = new Set(parts.filter((part) => titled(part) === head).map((part) => part.figure));
    found.push({
      head,
      lines: [...names].map((figure) => ({
        name: FIGURES[figure] ?? figure,
        time: figure.endsWith("_us"),
        values: variants.map(
          (v) => v.parts?.find((/** @type {Part} */ part) => titled(part) === head && part.figure === figure)?.median,
        ),
      })),
    });
  }
  return found;
}

/** @param {Part} part */
const titled = ({ kind, of }) => `${KINDS[kind] ?? kind} ${of}`;

/** The failovers that were not over, in words. @param {any[]} variants */
export function notOver(variants) {
  const open = variants.filter((v) => v.sites && v.sites.over < v.sites.failovers);
  return open
    .map(
      (v) =>
        `${v.letter}: the failover was not over at the end of ${count(v.sites.failovers - v.sites.over)} of ` +
        `${count(v.sites.failovers)} runs. `,
    )
    .join("");
}
