/**
 * Sentences of partitions: elections, changes of the ISR, truncation, lost records.
 *
 * @import {Event, Known, Narrator, Words} from "./narrate.js"
 * @import {PartitionChanged, RecordsLost, Truncated} from "../facts/decisive.js"
 */
import { ELECTION, REASON, REASON_NAMES } from "../facts/facts.js";
import { ISR_RULES, isrChanged, list } from "./isrevents.js";
import { copyTime } from "./copytime.js";
import { capital, plural, range } from "../kit/wording.js";

/** The words on an emptied copy that no leader can fill. */
export const NOBODY_LEFT = "nobody in sync is left to fetch it from";
/** A former leader acknowledges record by record: losses no further apart than this are one, us */
const SERIES_US = 1_000_000;

const ELECTION_RULES = {
  [ELECTION.CLEAN]: "ELEC-3",
  [ELECTION.ELR]: "ELR-4",
  [ELECTION.LAST_KNOWN]: "ELR-6",
  [ELECTION.UNCLEAN]: "UNC-1",
  [ELECTION.OFFLINE]: "ELEC-7",
};
const ELECTION_HOW = {
  [ELECTION.ELR]: " from the ELR",
  [ELECTION.LAST_KNOWN]: " as last known leader",
  [ELECTION.UNCLEAN]: " uncleanly",
};

/** @param {Narrator} n @param {PartitionChanged} fact @returns {Partial<Event> | null} */
export function partitionChanged(n, fact) {
  const { t, p, leader, epoch, reason, election, isr } = fact;
  const before = n.known.get(p);
  if (!before && t === 0) return null;
  const name = n.words.partition(p);
  // a commit says itself whether it elected anybody; of what was before it this page may not know all yet
  if (leader >= 0 && before?.leader !== leader && election === ELECTION.NONE && reason !== REASON.CREATED)
    return {
      icon: "isr",
      p,
      rule: ISR_RULES[/** @type {keyof typeof ISR_RULES} */ (reason)] ?? "ISR-8",
      text: `${name}: ISR is ${list(isr, n.words)}`,
    };
  if (before && before.leader === leader && before.epoch === epoch) {
    const event = isrChanged(name, before, fact, n.words);
    const back = event && n.rejoining.partition(fact, n.known, n.words);
    return back ? { ...event, ...back, p: -1, changes: [...(back.changes ?? []), ...(event.changes ?? [])] } : event;
  }
  const changes = [
    { name: `${name} leader`, from: before ? nobody(before.leader, n.words) : "", to: nobody(leader, n.words) },
    { name: "epoch", from: before ? String(before.epoch) : "", to: String(epoch) },
  ];
  if (before && list(before.isr, n.words) !== list(isr, n.words))
    changes.push({ name: "ISR", from: list(before.isr, n.words), to: list(isr, n.words) });
  if (leader < 0) return leaderless(name, fact, changes);
  return elected(n.words, before, fact, changes, REASON_NAMES[reason] ?? "");
}

/** @param {number} leader @param {Words} words */
const nobody = (leader, words) => (leader < 0 ? "none" : String(words.id(leader)));

/** @param {string} name @param {PartitionChanged} fact @param {Event["changes"]} changes @returns {Partial<Event>} */
function leaderless(name, fact, changes) {
  return {
    icon: "x",
    grave: true,
    marker: "fault",
    part: "leaderless",
    p: fact.p,
    rule: "ELEC-7",
    text: `${name}: no leader, epoch ${fact.epoch}`,
    changes,
    caption: {
      lead: `${name} has no leader.`,
      rest: "No replica that may lead is alive; it can be neither written nor read.",
    },
  };
}

/**
 * @param {Words} words
 * @param {Known | undefined} before
 * @param {PartitionChanged} fact
 * @param {Event["changes"]} changes
 * @param {string} why
 * @returns {Partial<Event>}
 */
function elected(words, before, fact, changes, why) {
  const { p, leader, epoch, reason, election } = fact;
  const [name, who] = [words.partition(p), words.node(leader)];
  const how = ELECTION_HOW[/** @type {keyof typeof ELECTION_HOW} */ (election)] ?? "";
  const rule =
    reason === REASON.PREFERRED
      ? "PREF-2"
      : (ELECTION_RULES[/** @type {keyof typeof ELECTION_RULES} */ (election)] ?? "ELEC-3");
  const epochs = before ? `epoch ${before.epoch} → ${epoch}` : `epoch ${epoch}`;
  const same = before?.leader === leader;
  const unclean = election === ELECTION.UNCLEAN;
  return {
    icon: "crown",
    grave: unclean,
    marker: "election",
    part: unclean ? "unclean" : same ? "" : "elected",
    p,
    node: leader,
    rule,
    changes,
    text: same ? `${name}: ${who} stays leader, ${epochs}` : `${name}: ${who} elected${how}, ${epochs}`,
    caption: unclean
      ? {
          lead: "Unclean election.",
          rest: `${capital(who)} leads ${name} without being in sync; what only others had is cut off.`,
        }
      : same
        ? null
        : {
            lead: `${capital(who)} is elected for ${name}.`,
            rest: `${capital(why)}; ${epochs}. Records beyond its log end are not part of the partition.`,
          },
  };
}

/** @param {Narrator} n @param {Truncated} fact @returns {Partial<Event>} */
export function truncated({ words, actions, known }, { cause, broker, p, old, new: now }) {
  const [name, who] = [words.partition(p), words.node(broker)];
  const disk = /^start \S+ (empty|wiped)\b/.exec(actions.get(cause)?.text ?? "")?.[1];
  if (disk)
    return {
      icon: "trash",
      grave: true,
      marker: "flag",
      part: "emptied",
      amount: old,
      p,
      node: broker,
      rule: "STATE-7",
      text: `${name}: ${who}'s ${disk === "empty" ? "new" : "wiped"} disk has none of ${range(now, old - now)}`,
      changes: [{ name: `${name} LEO on ${words.id(broker)}`, from: String(old), to: String(now) }],
      caption: {
        lead: disk === "empty" ? `${capital(who)} has a new disk.` : `${capital(who)}'s disk was wiped.`,
        rest:
          `Its copy of ${name} is gone${disk === "empty" ? " with the old one" : ""}; ` +
          (isLast(known.get(p), broker)
            ? `${NOBODY_LEFT}.`
            : `it fetches what the leader has.${sizeOf(words, broker, p)}`),
      },
    };
  const cut = range(now, old - now);
  if (/^power-loss\b/.test(actions.get(cause)?.text ?? ""))
    return {
      icon: "cut",
      grave: true,
      marker: "flag",
      part: "",
      amount: old - now,
      p,
      node: broker,
      rule: "LOG-8",
      text: `${name}: ${who} loses ${cut}, not flushed`,
      changes: [{ name: `${name} LEO on ${words.id(broker)}`, from: String(old), to: String(now) }],
      caption: {
        lead: `${capital(who)} loses what its disk had not got.`,
        rest: `${capital(offsets(now, old - now))} of ${name} ${old - now === 1 ? "was" : "were"} not flushed.`,
      },
    };
  return {
    icon: "cut",
    grave: true,
    marker: "flag",
    part: "truncated",
    amount: old - now,
    p,
    node: broker,
    rule: "TRUNC-3",
    text: `${name}: ${who} cuts off ${cut}`,
    changes: [{ name: `${name} LEO on ${words.id(broker)}`, from: String(old), to: String(now) }],
    caption: {
      lead: `${capital(who)} cuts its log.`,
      rest:
        `${cut} of ${name} ${old - now === 1 ? "differs" : "differ"} from the leader's history and ` +
        `${old - now === 1 ? "goes" : "go"}.`,
    },
  };
}

/**
 * What a copy of a partition takes, where the document tells sizes.
 * @param {Words} words @param {number} broker @param {number} p
 */
const sizeOf = (words, broker, p) =>
  words.basis(broker).log_mb && words.hasOldLog(p) ? ` ${copyTime(words.basis(broker), 1)}` : "";

/**
 * True if no other replica has the records that a broker's copy of a partition had to have.
 * @param {Known | undefined} partition
 * @param {number} broker
 */
const isLast = (partition, broker) =>
  Boolean(
    partition && (partition.leader < 0 || (partition.leader === broker && partition.isr.every((id) => id === broker))),
  );

/** ``offset 10``, ``offsets 10–12``. @param {number} base @param {number} count */
const offsets = (base, count) => `${count === 1 ? "offset" : "offsets"} ${range(base, count)}`;

/** @param {Narrator} n @param {RecordsLost} fact @returns {Partial<Event>} */
export function recordsLost({ words, losses, cuts }, { t, cause, p, base, count, epoch, acks }) {
  const name = words.partition(p);
  const last = losses.get(p);
  const from = last && last.epoch === epoch && last.end === base && t - last.t <= SERIES_US ? last.base : base;
  const goesOn = from < base;
  losses.set(p, { t, base: from, end: base + count, epoch });
  const so = base + count - from;
  const verb = count === 1 ? "is" : "are";
  return {
    icon: "x",
    grave: true,
    marker: goesOn ? "" : "flag",
    minor: goesOn,
    part: "lost",
    amount: so,
    p,
    rule: cuts.has(cause) ? "STATE-7" : "LOG-1",
    text:
      `${name}: ${offsets(base, count)} of epoch ${epoch}, acknowledged with acks=${acks < 0 ? "all" : acks}, ` +
      `${verb} lost`,
    changes: [{ name: `${name} lost`, from: "", to: plural(so, "record") }],
    caption: {
      lead: `${plural(so, "acknowledged record")} of ${name} ${so === 1 ? "is" : "are"} gone.`,
      rest: cuts.has(cause)
        ? `No broker has ${offsets(from, so)} of epoch ${epoch} in its log or on its disk any more.`
        : `The leader's log does not have ${offsets(from, so)} of epoch ${epoch}.`,
    },
  };
}

/** Records that were counted lost are there again: later losses are another series. @returns {Partial<Event>} */
export function recordsBack(
  /** @type {Narrator} */ { words, losses },
  /** @type {import("../facts/decisive.js").RecordsBack} */ { p, base, count },
) {
  losses.delete(p);
  const verb = count === 1 ? "is" : "are";
  return {
    icon: "check",
    p,
    marker: "flag",
    text: `${words.partition(p)}: ${range(base, count)}, counted lost, ${verb} back`,
    changes: [{ name: `${words.partition(p)} back`, from: "", to: plural(count, "record") }],
    caption: {
      lead: `${plural(count, "acknowledged record")} of ${words.partition(p)} ${verb} back.`,
      rest: `A log that counts again has ${range(base, count)}, counted lost before.`,
    },
  };
}
