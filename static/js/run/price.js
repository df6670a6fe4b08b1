/**
 * The price of an action before it is done, from the state of the moment: the acknowledged records that would be gone,
 * who would lead, what would stop. Pure.
 *
 * @import {Copy, Partition} from "../facts/types.js"
 * @import {Model} from "./model.js"
 */
import { IS_ACTIVE } from "../facts/standing.js";
import { copyTime } from "../words/copytime.js";
import { capital, listed, plural } from "../kit/wording.js";
import { countInRuns, isUnderMin } from "./layout.js";
import { sizesNow } from "./throttle.js";

const NAMED_MAX = 3;

/**
 * Who would lead after an unclean election, and what each able replica would cost (UNC-3, UNC-4).
 * @param {Model} model @param {Partition} partition
 */
export function priceOfUnclean(model, partition) {
  const [first, ...others] = successors(partition, (id) => isActive(model, id)).map(
    (id) => /** @type {const} */ ([model.nodeName(id), lackedBy(partition, id)]),
  );
  if (!first) return "";
  const [name, gone] = first;
  const rest = others.map(([other, number]) => `${other}: ${number.toLocaleString("en")}`);
  return `${capital(name)} would lead: ${records(gone)} would be gone${rest.length ? ` (${rest.join(", ")})` : ""}.`;
}

/**
 * Who would lead the partitions without a leader if a topic allowed unclean elections now, and the cost (UNC-1).
 * @param {Model} model @param {number} topic
 */
export function priceOfUncleanOn(model, topic) {
  const unled = model.partitionsOf(topic).filter((p) => model.view?.partitions[p]?.leader === -1);
  if (!unled.length) return "Costs nothing now: each partition has a leader.";
  const heirs = unled.flatMap((p) => {
    const partition = model.view?.partitions[p];
    const [heir] = partition ? successors(partition, (id) => isActive(model, id)) : [];
    return partition && heir !== undefined ? [{ p, heir, gone: lackedBy(partition, heir) }] : [];
  });
  if (!heirs.length) return "Elects nobody now: no replica is on a broker that is alive.";
  const named = heirs.slice(0, NAMED_MAX).map(({ p, heir }) => `${model.nodeName(heir)} ${model.partitionName(p)}`);
  const more = heirs.length - named.length;
  const gone = heirs.reduce((sum, one) => sum + one.gone, 0);
  return `Would lead: ${listed(more ? [...named, `${more} more`] : named)}. ${capital(records(gone))} would be gone.`;
}

/**
 * What a controlled shutdown of a broker hands over, and what stops (SHUT-1, PROD-2).
 * @param {Model} model @param {number} id
 */
export function priceOfStop(model, id) {
  const all = partitionsOf(model);
  const led = all.filter(([, { leader }]) => leader === id);
  const heirless = led.filter(
    ([, { replicas, isr, elr }]) =>
      !replicas.some((other) => other !== id && [...isr, ...elr].includes(other) && isActive(model, other)),
  );
  const small = all.filter((one) => isLeftUnderMin(model, one[1], id) && !heirless.includes(one));
  return [
    led.length > heirless.length ? `Hands over ${plural(led.length - heirless.length, "partition")}.` : "",
    heirless.length ? `No leader until it is back: ${namesOf(model, heirless)}.` : "",
    small.length ? `Below min.insync.replicas: ${namesOf(model, small)}.` : "",
  ]
    .filter(Boolean)
    .join(" ");
}

/**
 * The acknowledged records whose only copy is on a broker's disk.
 * @param {Model} model @param {number} id
 */
export function priceOfDisk(model, id) {
  let gone = 0;
  for (const [, partition] of partitionsOf(model)) gone += onlyOn(partition, id);
  const lost = gone ? `${capital(records(gone))} would be gone: no other replica has a copy.` : "";
  const own = replicasOf(model, id);
  const copies = own.length && model.words.basis(id).log_mb ? priceOfCopies(model, own, [id]) : "";
  return [lost, copies].filter(Boolean).join(" ");
}

/**
 * The replicas that are copied, and how long that takes with the sizes that the document tells.
 * @param {Model} model @param {number[]} partitions of each replica @param {number[]} takers brokers that may copy them
 */
export function priceOfCopies(model, partitions, takers) {
  const heavy = partitions.filter((p) => model.words.hasOldLog(p));
  if (!heavy.length) return `Copies ${plural(partitions.length, "replica")}. ${copyTime({}, 0)}`;
  const sizes = sizesNow(model, takers[0] ?? -1, heavy);
  const time = copyTime(sizes, heavy.length, Math.max(1, Math.min(takers.length, heavy.length)));
  return `Copies ${plural(partitions.length, "replica")}. ${time}`.trim();
}

/** @param {Model} model @param {number} id */
const replicasOf = (model, id) =>
  partitionsOf(model).flatMap(([p, { replicas }]) => (replicas.includes(id) ? [p] : []));

/**
 * The replicas that stand on a broker, and those of them that an active broker without one can take.
 * @param {Model} model @param {number} id
 */
export function replicasOn(model, id) {
  const others = model.brokerIds.filter((one) => model.siteOf(one) === model.siteOf(id) && isActive(model, one));
  const own = partitionsOf(model).filter(([, one]) => one.replicas.includes(id) && !one.removing.includes(id));
  const movable = own.filter(([, { replicas }]) => others.some((one) => !replicas.includes(one)));
  return { all: own.length, movable: movable.map(([p]) => p), takers: others.filter((one) => one !== id) };
}

/** @param {number} count */
const records = (count) => plural(count, "acknowledged record");

/** @param {Model} model @returns {[number, Partition][]} */
const partitionsOf = (model) =>
  (model.view?.partitions ?? []).map((partition, p) => /** @type {[number, Partition]} */ ([p, partition]));

/** @param {Model} model @param {number} id */
const isActive = (model, id) => Boolean(IS_ACTIVE[model.view?.brokers[id]?.registration ?? ""]);

/** @param {Model} model @param {[number, Partition][]} partitions */
function namesOf(model, partitions) {
  const names = partitions.slice(0, NAMED_MAX).map(([p]) => model.partitionName(p));
  const more = partitions.length - names.length;
  return listed(more ? [...names, `${more} more`] : names);
}

/**
 * A member of the ELR that is elected becomes the ISR (ELR-4).
 * @param {Model} model @param {Partition} partition @param {number} id
 */
function isLeftUnderMin(model, partition, id) {
  const minIsr = model.minIsr(partition.topic);
  const others = partition.isr.filter((other) => other !== id);
  const left = { ...partition, isr: others.length ? others : partition.elr.slice(0, 1) };
  return partition.leader >= 0 && !isUnderMin(partition, minIsr) && isUnderMin(left, minIsr);
}

/**
 * The able replicas as an election that may be unclean takes them: of the ISR or ELR, the last-known leader, any.
 * @param {Partition} partition @param {(id: number) => boolean} isAble
 */
export function successors({ replicas, isr, elr, last_known: last, observers }, isAble) {
  const clean = isr.length ? isr : elr;
  const rank = (/** @type {number} */ id) => (clean.includes(id) ? 0 : !clean.length && last.includes(id) ? 1 : 2);
  return replicas.filter((id) => isAble(id) && !observers?.includes(id)).sort((a, b) => rank(a) - rank(b));
}

/** Acknowledged records, not lost yet, that a broker's copy lacks. @param {Partition} partition @param {number} id */
const lackedBy = (partition, id) => ackedIn(partition, everything) - ackedIn(partition, held(partition.copies[id]));

/** Acknowledged records, not lost yet, on one broker alone. @param {Partition} partition @param {number} id */
function onlyOn(partition, id) {
  const others = Object.entries(partition.copies).filter(([other]) => Number(other) !== id);
  const own = held(partition.copies[id]);
  return ackedIn(partition, (epoch) => {
    const [from, to] = own(epoch);
    return [Math.max(from, ...others.map(([, copy]) => held(copy)(epoch)[1])), to];
  });
}

/** @typedef {(epoch: number) => [from: number, to: number]} Held  the offsets of an epoch that a copy has */

/** @type {Held} */
const everything = () => [0, Number.MAX_SAFE_INTEGER];

/** @param {Copy | undefined} copy @returns {Held} */
const held = (copy) => (epoch) => {
  const at = copy?.epochs.findIndex(([one]) => one === epoch) ?? -1;
  if (!copy || at < 0) return [0, 0];
  return [copy.epochs[at]?.[1] ?? 0, copy.epochs[at + 1]?.[1] ?? copy.leo];
};

/** @param {Partition} partition @param {Held} of */
function ackedIn({ acked, lost }, of) {
  const epochs = new Set(acked.map(([, , epoch]) => epoch));
  return [...epochs].reduce((sum, epoch) => {
    const [from, to] = of(epoch);
    return sum + (to > from ? countInRuns(acked, from, to, epoch, lost) : 0);
  }, 0);
}
