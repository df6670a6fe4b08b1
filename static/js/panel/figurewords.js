/** The figures of the engine's verdict in words, for the list of every figure. Pure. */
import { logTime } from "../words/narrate.js";
import { count } from "../words/verdictwords.js";

/** @type {Record<string, string>} */
const NAMES = {
  theta_us: "interruptions count from",
  at_us: "at",
  balance_ok: "every call counted once",
  in_user_units: "in users’ units",
  on_disk_of: "on the disks of brokers",
  min_isr: "min ISR",
  calls: "sent",
  acked: "acknowledged",
  lost: "acknowledged, then lost",
  lost_all: "lost with acks=all",
  lost_1: "lost with acks=1",
  doomed: "acknowledged when already lost",
  recovered: "records lost, and back as the application sent them again",
  lost_again: "lost calls of records that were lost before",
  by_application: "records that stand more than once as the application sent them again",
  resent: "calls that sent a record again",
  moved: "kept at another offset",
  duplicated: "stand more than once",
  duplicated_acked: "acknowledged and stand more than once",
  undetermined: "undecided until a leader is elected",
  stranded: "stand only on brokers that are dead or cut off",
  hidden: "hidden",
  frozen_hidden: "hidden below min ISR",
  handed_over: "sent with acks=0",
  arrived: "of acks=0 arrived",
  vanished: "of acks=0 vanished",
  refused_written: "refused, but written",
  unknown_written: "unknown, but written",
  unknown_absent: "unknown, and not written",
  open: "not answered yet",
  open_written: "not answered yet, but written",
  duplicated_handed_over: "sent with acks=0 and stand more than once",
  duplicated_unknown: "unknown and stand more than once",
  duplicated_open: "not answered yet and stand more than once",
  undetermined_handed_over: "sent with acks=0, undecided until a leader is elected",
  undetermined_unknown: "unknown, undecided until a leader is elected",
  seen: "read",
  lagging: "not read yet",
  skipped: "skipped by readers",
  phantoms: "read, then lost",
  overwritten: "read, now another record",
  reread: "read again",
  reads_undetermined: "reads not decided yet",
  write_down_all_us: "not writable with acks=all",
  write_down_1_us: "not writable with acks=1",
  read_down_us: "not readable",
  write_down_client_us: "writes stood still for a client",
  read_down_client_us: "reads stood still for a client",
  exposed_us: "exposed: on fewer live copies than min ISR",
  stalled_us: "acks=all waits: a member of the ISR is out",
  refused_us: "refused below min ISR",
  leaderless_us: "without a leader",
  latency_p50_us: "produce latency, p50",
  latency_p99_us: "produce latency, p99",
  lost_traffic_us: "lost, as time of the topic’s traffic",
  deciding: "decided by",
  deciding_lost: "lost by that",
  held_back: "records held back",
  write_same_us: "of that, not writable by the servers",
  read_same_us: "of that, not readable by the servers",
  vain_us: "time in which every acknowledged record was already lost",
  waits: "calls wait now because of the servers",
  waiting: "partitions in which calls wait now",
  waiting_1: "of them without a leader",
  silent_us: "no response now for",
  stop_since_us: "the longest stop began at",
  stopped_all: "partitions not writable now with acks=all",
  stopped_1: "partitions not writable now with acks=1",
};

/** @param {string} name */
export const figureName = (name) => NAMES[name] ?? name.replaceAll("_", " ");

/** True if a figure says nothing: none, zero, nobody (-1), no text, an empty list. @param {any} value */
export const isEmpty = (value) =>
  value === null ||
  value === undefined ||
  value === 0 ||
  value === -1 ||
  value === "" ||
  (Array.isArray(value) && !value.length);

/** @param {string} name @param {any} value @returns {string} */
export function figureText(name, value) {
  if (Array.isArray(value))
    return value.map((part) => figureText("", part)).join(typeof value[0] === "object" ? "; " : ", ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return name.endsWith("_us") ? duration(value) : count(value);
  if (typeof value !== "object") return String(value);
  if (name === "deciding") return `${logTime(value.t)} s ${value.text}`;
  return Object.entries(value)
    .filter(([key, part]) => key === "partition" || !isEmpty(part))
    .map(([key, part]) => phrase(key, part))
    .join(", ");
}

/** A figure among others: counts as "3 sent", the rest as "at 4.000 s". @param {string} name @param {any} value */
function phrase(name, value) {
  const text = figureText(name, value);
  if (name === "partition" || name === "client") return `${name} ${text}`;
  return typeof value === "number" && !name.endsWith("_us")
    ? `${text} ${figureName(name)}`
    : `${figureName(name)}: ${text}`;
}

/** Below 0: of what did not happen, as a latency where nothing was acknowledged. @param {number} us */
const duration = (us) =>
  us < 0 ? "none" : us < 1_000_000 ? `${(us / 1000).toFixed(1)} ms` : `${(us / 1e6).toFixed(3)} s`;
