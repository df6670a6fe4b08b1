/**
 * The events of one instant, as one caption: a rack that dies takes several processes with it, and one fencing moves
 * many partitions. Pure.
 *
 * @import {Event, Part, Words} from "./narrate.js"
 */
import { copyTime } from "./copytime.js";
import { NOBODY_LEFT } from "./partitionevents.js";
import { MISSED, NO_MAJORITY, NONE_LEFT, UNNOTICED, UNREGISTERED } from "./processevents.js";
import { capital, plural, together } from "../kit/wording.js";

/**
 * The part of an instant that the caption begins with: what people do, then what is lost, then what follows.
 * @type {Part[]}
 */
const ORDER = [
  "rack",
  "death",
  "lost",
  "fenced",
  "unclean",
  "leaderless",
  "cut",
  "emptied",
  "active",
  "starting",
  "resumed",
  "truncated",
  "elected",
  "rejoined",
  "shrunk",
  "grown",
  "healed",
  "set",
  "refused",
];
const NAMES_MAX = 3;
/** @type {Part[]} */ const LEADERSHIPS = ["elected", "unclean", "leaderless"];
/** of Kafka's own topics is spoken only where nothing else happens */
const INTERNAL = "__";

/** clients find out one after the other: their refused writes within this time are one story, us */
const REFUSED_US = 1_000_000;

/**
 * The newest events that have a caption, those of one instant, newest first.
 * @param {Event[]} events  oldest first
 * @param {number} at  index of the newest that counts
 */
export function newestOf(events, at) {
  let first = at; // asked each frame: only as far back as need be, and no copies
  while (first >= 0 && !events[first]?.caption) first--;
  const found = events[first];
  if (!found) return [];
  const from = found.t - (found.part === "refused" ? REFUSED_US : 0);
  const same = [];
  for (let k = first; k >= 0 && (events[k]?.t ?? -1) >= from; k--) {
    const event = /** @type {Event} */ (events[k]);
    if (event.caption && (event.t === found.t || event.part === found.part)) same.push(event);
  }
  return same;
}

/**
 * The event at which time stands, where nothing of its instant has a caption: a step tells where it led.
 * @param {Event[]} events  oldest first
 * @param {number} at  index of the newest up to t
 * @param {number} t us
 * @returns {Event | null} a grave one before others, of alike ones the first
 */
export function stoodAt(events, at, t) {
  /** @type {Event | null} */ let found = null;
  for (let k = at; k >= 0 && events[k]?.t === t; k--) {
    const event = /** @type {Event} */ (events[k]);
    if (event.caption) return null;
    if (!event.minor && (event.grave || !found?.grave)) found = event;
  }
  return found;
}

/** @typedef {{lead: string, rest: string, changes: Event["changes"]}} Told */
/** @typedef {(part: Part) => Event[]} Of  the events of one part of the instant */

/**
 * @param {Event[]} events  those of one instant that have a caption, newest first
 * @param {Words} words
 * @param {number} selected  the partition that somebody looks at, or -1
 * @returns {Told | null}
 */
export function captionOf(events, words, selected) {
  const last = settled(events);
  const own = last.filter((event) => event.p < 0 || !words.partition(event.p).startsWith(INTERNAL));
  return own.length ? told(own, words, selected) : told(last, words, selected);
}

/** Without leaderships that another of the same instant undoes. @param {Event[]} events newest first */
function settled(events) {
  /** @type {Set<number>} */ const seen = new Set();
  return events.filter((event) => {
    if (!LEADERSHIPS.includes(event.part)) return true;
    const isNewest = !seen.has(event.p);
    seen.add(event.p);
    return isNewest;
  });
}

/** @param {Event[]} events @param {Words} words @param {number} selected @returns {Told | null} */
function told(events, words, selected) {
  const near = selected < 0 ? undefined : events.find((event) => event.p === selected);
  const of = (/** @type {Part} */ part) => events.filter((event) => event.part === part).reverse();
  const first = ORDER.find((part) => of(part).length);
  const event = near ?? (first ? of(first)[0] : (events.find((one) => one.grave) ?? events[0]));
  if (!event?.caption) return null;
  const whole = near || !first ? null : TELLERS[first]?.(of, words);
  return { ...event.caption, changes: event.changes, ...whole };
}

/** @type {Partial<Record<Part, (of: Of, words: Words) => Partial<Told>>>} */
const TELLERS = {
  rack: (of, words) =>
    of("rack")[0]?.rule === "FLT-5"
      ? {}
      : of("rack")[0]?.rule === "LOG-8"
        ? powerGone(of("death"), words)
        : of("death").length
          ? {
              rest:
                `${nodes(of("death"), words)} ` +
                `${of("death").length === 1 ? "dies" : "die at once"}${ofRack(of("death"))}`,
            }
          : {},
  death: (of, words) =>
    many(of("death"), { lead: `${nodes(of("death"), words)} die.`, rest: ofDeaths(of("death"), words) }),
  lost: (of, words) => {
    const lost = of("lost");
    const count = lostBy(lost);
    return many(lost, {
      lead: `${plural(count, "acknowledged record")} are gone.`,
      rest: lost.every(({ rule }) => rule === "STATE-7")
        ? `No broker has them in its log of ${partitions(lost, words)} or on its disk any more.`
        : `The logs of the leaders of ${partitions(lost, words)} do not have them.`,
      changes: [change("lost", plural(count, "record"))],
    });
  },
  fenced: (of, words) => {
    const follows = consequences(of, words);
    return {
      ...many(of("fenced"), {
        lead: `${nodes(of("fenced"), words)} are fenced.`,
        changes: of("fenced").flatMap((event) => event.changes),
      }),
      ...(follows ? { rest: `${follows}.` } : {}),
    };
  },
  unclean: (of, words) =>
    many(of("unclean"), {
      lead: `${of("unclean").length} unclean elections.`,
      rest:
        `${leaders(of("unclean"), words)} without being in sync: what only others had of ` +
        `${partitions(of("unclean"), words)} is cut off.`,
    }),
  leaderless: (of, words) => {
    const moved = of("elected").length;
    return many(of("leaderless"), {
      lead: `${of("leaderless").length} partitions have no leader.`,
      rest:
        `${partitions(of("leaderless"), words)}: neither written nor ` +
        `read.${moved ? ` ${plural(moved, "other")} got a new one.` : ""}`,
      changes: [change("without a leader", of("leaderless").length)],
    });
  },
  cut: (of, words) =>
    many(of("cut"), {
      lead: `${plural(pairs(of("cut")), "link")} ${pairs(of("cut")) === 1 ? "is" : "are"} cut.`,
      rest: `${hub(of("cut"), words)}Nothing tells either side; what was on the way is gone.`,
    }),
  emptied: (of, words) =>
    many(of("emptied"), {
      rest: `${of("emptied").length} copies are gone; ${refilled(of("emptied"))}.${timeOf(of("emptied"), words)}`,
    }),
  starting: (of, words) =>
    many(of("starting"), { lead: `${nodes(of("starting"), words)} start.`, rest: ofStarts(of("starting"), words) }),
  resumed: (of, words) =>
    many(of("resumed"), { lead: `${nodes(of("resumed"), words)} go on.`, rest: "They know nothing of their pause." }),
  truncated: (of, words) =>
    many(of("truncated"), {
      lead: `${of("truncated").length} logs are cut.`,
      rest:
        `${nodes(of("truncated"), words)} ${one(of("truncated")) ? "gives" : "give"} up what differs from the ` +
        `leaders of ${partitions(of("truncated"), words)}.`,
    }),
  elected: (of, words) =>
    many(of("elected"), {
      lead: `${of("elected").length} partitions get new leaders.`,
      rest: `${leaders(of("elected"), words)}: ${partitions(of("elected"), words)}.`,
      changes: [change("new leaders", of("elected").length)],
    }),
  shrunk: (of, words) =>
    many(of("shrunk"), {
      lead: `${of("shrunk").length} ISRs shrink.`,
      rest: `Of ${partitions(of("shrunk"), words)}: acks=all no longer waits for who left.`,
      changes: [change("ISRs smaller", of("shrunk").length)],
    }),
  grown: (of, words) =>
    many(of("grown"), {
      lead: `${of("grown").length} ISRs grow.`,
      rest: `Of ${partitions(of("grown"), words)}: acks=all waits for the newcomers too.`,
      changes: [change("ISRs larger", of("grown").length)],
    }),
  refused: (of, words) =>
    many(of("refused"), {
      lead: `${of("refused").length} partitions refuse writes.`,
      rest: `${partitions(of("refused"), words)}: fewer replicas are in sync than min.insync.replicas asks for.`,
      changes: [change("refuse writes", of("refused").length)],
    }),
  healed: (of, words) =>
    many(of("healed"), {
      lead: `${plural(pairs(of("healed")), "link")} ${pairs(of("healed")) === 1 ? "works" : "work"} again.`,
      rest: `${hub(of("healed"), words)}${
        of("healed").some((event) => event.ends.some((end) => end < 0)) ? "Requests" : "Fetches and heartbeats"
      } go on.`,
    }),
};

/** The source of the records of emptied copies. @param {Event[]} emptied */
function refilled(emptied) {
  const orphans = emptied.filter(({ caption }) => caption?.rest.includes(NOBODY_LEFT)).length;
  const fetched = "what the leaders have is fetched anew";
  if (!orphans) return fetched;
  return orphans === emptied.length
    ? "nobody in sync is left to fetch them from"
    : `nobody in sync is left to fetch ${orphans} of them from, and ${fetched}`;
}

/** What filling emptied copies takes, where the document tells sizes. @param {Event[]} emptied @param {Words} words */
function timeOf(emptied, words) {
  const filled = emptied.filter(({ p, caption }) => words.hasOldLog(p) && !caption?.rest.includes(NOBODY_LEFT));
  const takers = [...new Set(filled.map(({ node }) => node))];
  const sizes = words.basis(takers[0] ?? -1);
  return filled.length && sizes.log_mb ? ` ${copyTime(sizes, filled.length, takers.length)}` : "";
}

/** @param {Event[]} deaths @param {Words} words */
const powerGone = (deaths, words) =>
  many(deaths, { rest: `${nodes(deaths, words)} lose what their disks had not got yet; no connection is reset.` });

/**
 * The consequence of several deaths: the newest controller's tells of the quorum.
 * @param {Event[]} deaths
 * @param {Words} words
 */
function ofDeaths(deaths, words) {
  const said = deaths.map((event) => event.caption?.rest ?? "");
  if (said.includes(UNNOTICED)) return UNNOTICED;
  if (said.every((rest) => rest === MISSED))
    return "They were fenced already: nobody leads or waits for them any more.";
  const isBroker = (/** @type {Event} */ event) => words.node(event.node).startsWith("broker");
  if (!deaths.some(isBroker)) return deaths.at(-1)?.caption?.rest ?? "";
  const gone = said.includes(NONE_LEFT) ? "All" : said.includes(NO_MAJORITY) ? "Most" : "";
  return gone
    ? `${gone} controllers are down too: nobody notices, and nobody is elected.`
    : "Nobody has noticed yet: their controller sessions still run.";
}

/** The consequence of several starts. @param {Event[]} starts @param {Words} words */
function ofStarts(starts, words) {
  const isBroker = (/** @type {Event} */ event) => words.node(event.node).startsWith("broker");
  if (starts.some((event) => event.caption?.rest === UNREGISTERED))
    return "No controller is active: brokers wait for one to register with.";
  return starts.some(isBroker)
    ? "Brokers read their logs, then register with the controller."
    : "They join the quorum again.";
}

/** The consequence of the death of a rack's nodes. @param {Event[]} deaths */
function ofRack(deaths) {
  const said = deaths.map((event) => event.caption?.rest ?? "");
  const quorum = [UNNOTICED, NONE_LEFT, NO_MAJORITY].find((text) => said.includes(text));
  if (quorum) return `. ${quorum}`;
  return said.length && said.every((rest) => rest === MISSED)
    ? "; all of it was fenced already."
    : "; nobody has noticed yet.";
}

/** Records lost: of losses that go on the newest has counted those before. @param {Event[]} lost oldest first */
function lostBy(lost) {
  /** @type {Map<number, number[]>} */ const counts = new Map();
  for (const { p, amount, minor } of lost)
    counts.set(p, [...(counts.get(p) ?? []).slice(0, minor ? -1 : undefined), amount]);
  return [...counts.values()].flat().reduce((sum, count) => sum + count, 0);
}

/** One event has its own caption. @param {Event[]} events @param {Partial<Told>} told */
const many = (events, told) => (events.length > 1 ? told : {});

/** @param {string} name @param {string | number} to */
const change = (name, to) => ({ name, from: "", to: String(to) });

/** True if all events are of one node. @param {Event[]} events */
const one = (events) => new Set(events.map((event) => event.node)).size === 1;

/**
 * The consequences of a fencing: "3 partitions get new leaders: broker 2 (2), broker 3 (1); 1 has none".
 * @param {Of} of
 * @param {Words} words
 */
function consequences(of, words) {
  const [moved, none, unclean, shrunk] = [of("elected"), of("leaderless"), of("unclean"), of("shrunk")];
  const parts = [
    moved.length
      ? `${moved.length === 1 ? partitions(moved, words) : plural(moved.length, "partition")} ` +
        `${moved.length === 1 ? "gets a new leader" : "get new leaders"}: ${leaders(moved, words, false)}`
      : "",
    unclean.length ? `${plural(unclean.length, "election")} ${unclean.length === 1 ? "is" : "are"} unclean` : "",
    none.length
      ? `${none.length === 1 ? partitions(none, words) : plural(none.length, "partition")} ` +
        `${none.length === 1 ? "has" : "have"} no leader`
      : "",
    shrunk.length && !moved.length && !none.length
      ? `The ISR of ${shrunk.length === 1 ? partitions(shrunk, words) : plural(shrunk.length, "partition")} shrinks`
      : "",
  ];
  return parts.filter(Boolean).join("; ");
}

/** "Broker 2 leads 7 of them, broker 3 5". @param {Event[]} events @param {Words} words @param {boolean} [inFull] */
function leaders(events, words, inFull = true) {
  /** @type {Map<number, number>} */ const counts = new Map();
  for (const { node } of events) counts.set(node, (counts.get(node) ?? 0) + 1);
  const most = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const shown = most
    .slice(0, NAMES_MAX)
    .map(([node, count]) => (most.length === 1 ? words.node(node) : `${words.node(node)} (${count})`));
  const all = [...shown, ...(most.length > NAMES_MAX ? [`${plural(most.length - NAMES_MAX, "other")}`] : [])];
  return inFull ? `${capital(listed(all))} ${most.length === 1 ? "leads" : "lead"}` : listed(all);
}

/** Several nodes by name, many by their number. @param {Event[]} events @param {Words} words */
function nodes(events, words) {
  const names = [...new Set(events.map((event) => words.node(event.node)))];
  const brokers = names.filter((name) => name.startsWith("broker"));
  const others = names.filter((name) => !name.startsWith("broker"));
  return capital([named(brokers, "broker"), named(others, "controller")].filter(Boolean).join(" and "));
}

/** "brokers 1 and 4", "12 brokers". @param {string[]} names @param {string} kind */
function named(names, kind) {
  if (!names.length) return "";
  if (names.length === 1) return names[0] ?? "";
  if (names.length > NAMES_MAX + 1) return plural(names.length, kind);
  return listed(together(names));
}

/** "orders-0, orders-1 and 4 more". @param {Event[]} events @param {Words} words */
function partitions(events, words) {
  const names = [...new Set(events.map((event) => words.partition(event.p)))];
  if (names.length <= NAMES_MAX) return listed(names);
  return `${names.slice(0, NAMES_MAX - 1).join(", ")} and ${names.length - NAMES_MAX + 1} more`;
}

/** @param {string[]} all */
const listed = (all) => (all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`);

/** Links, both directions as one. @param {Event[]} events */
const pairs = (events) => new Set(events.map(({ ends }) => [...ends].sort((a, b) => a - b).join())).size;

/** The node that all these links have in common. @param {Event[]} events @param {Words} words */
function hub(events, words) {
  const [first] = events;
  if (pairs(events) < 2) return first ? `Between ${listed(first.ends.map((id) => words.node(id)))}. ` : "";
  const common = first?.ends.find((id) => events.every(({ ends }) => ends.includes(id)));
  return common === undefined ? "" : `All of them are ${words.node(common)}’s. `;
}
