/**
 * Sentences of processes: a broker or controller that starts, dies, is fenced or registers; the active controller.
 *
 * @import {Event, Narrator} from "./narrate.js"
 * @import {BrokerRegistration, ControllerChanged, ProcessChanged} from "../facts/decisive.js"
 */
import { PROCESS, PROCESS_NAMES, REG } from "../facts/facts.js";
import { capital, plural } from "../kit/wording.js";

/** The words on dead brokers that no controller misses. */
export const UNNOTICED = "No controller is active: nobody notices, and nobody is elected.";
/** The words on a broker that had been fenced before it died. */
export const MISSED = "It was fenced already: nobody leads or waits for it any more.";
/** The words on a broker that runs again and had been fenced (FLT-2, LIVE-5). */
const FENCED_MEANWHILE = "It was fenced meanwhile and does not know it: to itself it leads what it led before.";
/** The words on a broker that starts while nobody could register it. */
export const UNREGISTERED = "No controller is active: it waits for one to register with.";
/** The words on a broker that starts. */
const STARTS = "It reads its logs, then registers with the controller.";
/** The words when a majority of the controllers is gone. */
export const NO_MAJORITY = "Most controllers are down: metadata cannot change until they are back.";
/** The words when the last controller is gone. */
export const NONE_LEFT = "All controllers are down: metadata cannot change until most of them are back.";

/** True if a broker has no session that could run out. @param {Narrator} n @param {number} node */
const isFenced = (n, node) =>
  (n.registrations.get(node)?.state ??
    (n.start?.brokers[node]?.registration === "fenced" ? REG.FENCED : REG.ACTIVE)) === REG.FENCED;

/**
 * The words on a broker that has shut down: nobody in sync may have been left to hand a leadership to.
 * @param {Narrator} n
 * @param {number} broker
 */
function afterLeaving(n, broker) {
  const orphans = [...n.known.values()].filter(({ leader, last }) => leader < 0 && last === broker).length;
  return orphans
    ? `Nobody in sync was left to lead ${plural(orphans, "partition")} after it.`
    : "It has handed its leaderships over and leaves.";
}

/**
 * The consequence of the fencing of a dead or paused broker. Its partitions are committed before it, in that instant.
 * @param {Narrator} n @param {number} broker @param {number} t
 */
function afterFencing(n, broker, t) {
  const known = [...n.known.values()].map((one) => (one.was?.t === t ? one.was : one));
  if (known.some((partition) => partition.leader === broker))
    return "The controller picks new leaders from the replicas still in sync.";
  return known.some((partition) => partition.isr.includes(broker))
    ? "It led nothing; the ISRs that it was in go on without it."
    : "It led nothing and was in no ISR: nothing else changes.";
}

/**
 * The consequence of the death of a broker or controller.
 * @param {Narrator} n
 * @param {number} node
 * @param {boolean} broker
 */
function afterDeath(n, node, broker) {
  if (broker && isFenced(n, node)) return MISSED;
  if (broker) return n.activeOf(node) < 0 ? UNNOTICED : "Nobody has noticed yet: its controller session still runs.";
  const voters = Object.entries(n.start?.controllers ?? {}).filter(
    ([id]) => n.words.cluster(Number(id)) === n.words.cluster(node),
  );
  const left = voters.filter(
    ([id, voter]) =>
      Number(id) !== node &&
      (n.processes.get(Number(id)) ?? (voter.process === "down" ? PROCESS.DOWN : PROCESS.RUNNING)) !== PROCESS.DOWN,
  );
  if (voters.length && left.length * 2 <= voters.length) return left.length ? NO_MAJORITY : NONE_LEFT;
  return node === n.activeOf(node)
    ? "It was the active one; the others elect another."
    : "The quorum goes on as long as most controllers live.";
}

/** @param {Narrator} n @param {ProcessChanged} fact @returns {Partial<Event> | null} */
export function processChanged(n, { t, node, state, left }) {
  const before = n.processes.get(node);
  if (t === 0 && state === PROCESS.RUNNING) return null;
  const name = capital(n.words.node(node));
  const broker = n.words.node(node).startsWith("broker");
  if (before === PROCESS.PAUSED && state !== PROCESS.DOWN)
    return {
      icon: "check",
      marker: "other",
      part: "resumed",
      node,
      text: `${name} goes on`,
      rule: "FLT-2",
      changes: [{ name, from: "paused", to: PROCESS_NAMES[state] ?? "" }],
      caption: {
        lead: `${name} goes on.`,
        rest: broker && isFenced(n, node) ? FENCED_MEANWHILE : "It knows nothing of its pause.",
      },
    };
  switch (state) {
    case PROCESS.DOWN: {
      const clean = Boolean(left);
      return {
        icon: clean ? "stop" : "x",
        part: clean ? "" : "death",
        grave: !clean,
        marker: "fault",
        node,
        rule: clean ? "SHUT-3" : broker && n.activeOf(node) < 0 ? "QUO-6" : "FLT-3",
        text: clean ? `${name} has stopped` : `${name} dies`,
        caption: clean ? null : { lead: `${name} dies.`, rest: afterDeath(n, node, broker) },
        changes: [{ name, from: PROCESS_NAMES[before ?? PROCESS.RUNNING] ?? "", to: "down" }],
      };
    }
    case PROCESS.REGISTERING:
      return { icon: "clock", node, minor: true, rule: "REG-1", text: `${name} asks to be registered` };
    case PROCESS.STARTING:
      return {
        icon: "play",
        marker: "other",
        node,
        rule: "REG-1",
        text: `${name} is starting`,
        changes: [{ name, from: "down", to: "starting" }],
        part: "starting",
        caption: {
          lead: `${name} starts.`,
          rest: !broker ? "It joins the quorum again." : n.activeOf(node) < 0 ? UNREGISTERED : STARTS,
        },
      };
    case PROCESS.RECOVERING:
      return { icon: "clock", node, minor: true, rule: "LOG-10", text: `${name} recovers its logs` };
    case PROCESS.STOPPING:
      return {
        icon: "stop",
        marker: "fault",
        node,
        rule: "SHUT-1",
        text: `${name} shuts down cleanly`,
        caption: {
          lead: `${name} shuts down.`,
          rest:
            broker && n.activeOf(node) < 0
              ? "No controller is active: it waits for one that moves its leaderships."
              : broker
                ? "It first hands its leaderships over, then leaves."
                : "The quorum goes on as long as most controllers live.",
        },
        changes: [{ name, from: "running", to: "stopping" }],
      };
    case PROCESS.PAUSED:
      return {
        icon: "pause",
        marker: "fault",
        grave: true,
        node,
        rule: "FLT-2",
        text: `${name} is paused`,
        caption: {
          lead: `${name} stands still.`,
          rest: "It neither fetches nor answers nor heartbeats, and does not know it.",
        },
        changes: [{ name, from: "running", to: "paused" }],
      };
    default:
      return {
        icon: "check",
        marker: "other",
        node,
        text: `${name} is up`,
        rule: "REG-1",
        changes: [{ name, from: "", to: "running" }],
      };
  }
}

/** @param {Narrator} n @param {BrokerRegistration} fact @returns {Partial<Event> | null} */
export function registrationChanged(n, { t, broker, be, state }) {
  if (t === 0) return null;
  const name = n.words.node(broker);
  const changes = [
    {
      name: capital(name),
      from: "",
      to: state === REG.FENCED ? "fenced" : state === REG.ACTIVE ? "active" : "shutting down",
    },
  ];
  if (state === REG.FENCED) {
    const isNew = be !== (n.registrations.get(broker)?.be ?? n.start?.brokers[broker]?.be);
    if (isNew && n.processes.get(broker) === PROCESS.REGISTERING)
      return {
        icon: "check",
        minor: true,
        node: broker,
        rule: "REG-1",
        text: `Controller registers ${name}, fenced until it has caught up`,
        changes,
      };
    if (n.registrations.get(broker)?.state === REG.FENCED)
      return {
        icon: "clock",
        minor: true,
        node: broker,
        rule: "SHUT-4",
        text: `${capital(name)}'s session has run out; it had left already`,
        changes: [],
      };
    const leaves = n.processes.get(broker) === PROCESS.STOPPING;
    const running = n.processes.get(broker) === undefined || n.processes.get(broker) === PROCESS.RUNNING;
    return {
      icon: "stop",
      grave: true,
      marker: "other",
      part: "fenced",
      node: broker,
      rule: "LIVE-4",
      text: `Controller fences ${name}`,
      changes,
      caption: {
        lead: `${capital(name)} is fenced.`,
        rest: leaves
          ? afterLeaving(n, broker)
          : running
            ? "It may neither lead nor be in an ISR; it is not told."
            : afterFencing(n, broker, t),
      },
    };
  }
  if (state === REG.ACTIVE)
    return {
      icon: "check",
      marker: "other",
      node: broker,
      rule: "LIVE-6",
      text: `Controller unfences ${name}`,
      changes,
    };
  if (state === REG.SHUTTING_DOWN)
    return { icon: "stop", node: broker, rule: "SHUT-1", text: `${capital(name)} is marked as shutting down`, changes };
  return { icon: "ring", node: broker, rule: "REG-1", text: `${capital(name)} is no longer registered`, changes };
}

/** @param {Narrator} n @param {ControllerChanged} fact @returns {Partial<Event> | null} */
export function controllerChanged(n, { t, controller, epoch }) {
  if (t === 0) return null;
  const site = n.words.site(controller < 0 ? -1 - controller : n.words.cluster(controller));
  const none = site ? `${site}: no controller is active` : "No controller is active";
  const name = capital(n.words.node(controller));
  if (controller < 0)
    return {
      icon: "x",
      grave: true,
      marker: "fault",
      rule: "QUO-6",
      text: none,
      caption: {
        lead: `${capital(none)}.`,
        rest: "Leaders, ISRs and metadata are frozen until the quorum elects one.",
      },
    };
  return {
    icon: "crown",
    marker: "election",
    part: "active",
    node: controller,
    rule: "QUO-1",
    text: `${name} becomes active, epoch ${epoch}`,
    caption:
      n.activeOf(controller) < 0
        ? { lead: `${name} is active.`, rest: "Metadata changes again; every broker's session begins anew." }
        : null,
    changes: [{ name: "active controller", from: "", to: String(n.words.id(controller)) }],
  };
}
