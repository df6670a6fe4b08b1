/**
 * The replication throttle (FET-19): the rates of a cluster, the replicas that a topic lists, and the speed at which a
 * broker copies under both. Pure.
 *
 * @import {Sizes} from "../words/copytime.js"
 * @import {Model} from "./model.js"
 */
import { clusterAt, inSite, SETTINGS_STEP } from "../fold/sites.js";
import { askedFor } from "./asked.js";

/** @typedef {"follower" | "leader"} Side */
/** @typedef {import("../fold/sites.js").Site | null} Site */

const BYTES_PER_MB = 1e6;
/** Kafka's default: the greatest long. JavaScript's numbers cannot hold it. */
const NO_LIMIT = "9223372036854775807";

/** @param {Side} side */
export const rateKey = (side) => `${side}.replication.throttled.rate`;

/** @param {Side} side */
export const listKey = (side) => `${side}.replication.throttled.replicas`;

/**
 * The action that holds all brokers of a cluster to a rate.
 * @param {Site} site @param {Side} side @param {number} rate
 */
export const rateAction = (site, side, rate) =>
  `config ${clusterName(site)} ${rateKey(side)} ${rate === Infinity ? NO_LIMIT : rate}`;

/**
 * The rate of all brokers of a cluster, in bytes a second, as it is asked for; infinite without one.
 * @param {Model} model @param {Site} site @param {Side} side
 */
export function rateAsked(model, site, side) {
  const index = site?.index ?? 0;
  const setting = { topic: -1 - index * SETTINGS_STEP, name: clusterName(site), key: rateKey(side) };
  return limitOf(askedFor(model.trace.decisive, model.asked, model.t, setting) ?? ofAll(model, site, side));
}

/**
 * True if a topic lists all its replicas, as it is asked for.
 * @param {Model} model @param {number} topic @param {Side} side
 */
export const isListedAsked = (model, topic, side) =>
  (model.asking(topic, listKey(side)) ?? model.config(topic, listKey(side), "")) === "*";

/**
 * The sizes by which a broker copies some partitions: at its throttled rate where topics list all these replicas, both
 * as they are asked for, since time may stand.
 * @param {Model} model @param {number} broker @param {number[]} partitions
 * @returns {Sizes}
 */
export function sizesNow(model, broker, partitions) {
  const sizes = model.words.basis(broker);
  const limit = rateOf(model, broker) / BYTES_PER_MB;
  const isHeld = limit < (sizes.copy_mb_per_s ?? 0) && partitions.every((p) => isListed(model, p, broker));
  return isHeld ? { ...sizes, copy_mb_per_s: limit } : sizes;
}

/** A broker's own rate for what it copies, else that of all. @param {Model} model @param {number} broker */
function rateOf(model, broker) {
  const site = model.siteOf(broker);
  const id = model.idOf(broker);
  const entries = /** @type {any[]} */ (model.documentOf(site).cluster?.brokers ?? []);
  const key = rateKey("follower");
  const set = model.view && clusterAt(model.view, site?.index ?? 0).broker_configs?.[String(broker)]?.[key];
  const own = set ?? entries.find((one) => one.id === id)?.config?.[key];
  return own === undefined ? rateAsked(model, site, "follower") : limitOf(own);
}

/** @param {Model} model @param {Site} site @param {Side} side @returns {string | number | undefined} */
const ofAll = (model, site, side) =>
  (model.view && clusterAt(model.view, site?.index ?? 0).broker_configs?.[""]?.[rateKey(side)]) ??
  model.documentOf(site).cluster?.config?.[rateKey(side)];

/** The owner of a cluster's settings as actions write it. @param {Site} site */
const clusterName = (site) => inSite(site, "cluster");

/** @param {string | number | null | undefined} rate as it is written */
const limitOf = (rate) => (rate === undefined || rate === null || String(rate) === NO_LIMIT ? Infinity : Number(rate));

/** True if a topic's list names a follower. @param {Model} model @param {number} p @param {number} broker */
function isListed(model, p, broker) {
  const partition = model.view?.partitions[p];
  const key = listKey("follower");
  const listed = partition ? String(model.asking(partition.topic, key) ?? model.config(partition.topic, key, "")) : "";
  return listed === "*" || listed.split(",").includes(`${partition?.number}:${model.idOf(broker)}`);
}
