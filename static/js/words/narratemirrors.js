/**
 * Facts of MirrorMaker as sentences. Pure.
 *
 * @import {Event, Sentences} from "./narrate.js"
 */
import { ERROR_NAMES, KIND, PROCESS, TASKS } from "../facts/facts.js";
import { plural } from "../kit/wording.js";

/** @type {Record<number, string>} */
const STATES = {
  [PROCESS.DOWN]: "is down",
  [PROCESS.STARTING]: "starts",
  [PROCESS.RUNNING]: "runs",
  [PROCESS.PAUSED]: "is paused",
};

/** The findings of a look for topics, in words. @param {[count: number, what: string][]} found */
const listed = (found) =>
  found
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${plural(count, "partition")} ${what}`)
    .join(", ");

/** The event of each state of the tasks. @type {Record<number, (flow: string, until: number) => Partial<Event>>} */
const TASKS_SENTENCES = {
  [TASKS.NONE]: (flow) => ({ icon: "x", minor: true, text: `${flow} has no tasks: its process is down` }),
  [TASKS.JOINING]: (flow) => ({ icon: "play", minor: true, text: `${flow} waits to join its group on the target` }),
  [TASKS.WAITING]: (flow) => ({
    icon: "stop",
    marker: "fault",
    rule: "MM-11",
    text: `${flow} copies nothing: the target has no topic of its stored offsets`,
  }),
  [TASKS.RUNNING]: (flow) => ({ icon: "play", text: `${flow} has its tasks and copies` }),
  [TASKS.GIVEN_UP]: (flow) => ({
    icon: "stop",
    marker: "fault",
    grave: true,
    text: `${flow} gives up its tasks: its worker does not find the coordinator of its group on the target`,
    caption: {
      lead: "Nothing is copied.",
      rest: `The worker of ${flow} has lost its group on the target, and with it its tasks.`,
    },
  }),
  [TASKS.DELAYED]: (flow, until) => ({
    icon: "stop",
    marker: "fault",
    grave: true,
    text:
      `${flow} joins its group again without its tasks: they count as lost, and it gets them back at ` +
      `${Math.round(until / 1e6)} s (scheduled.rebalance.max.delay.ms)`,
    caption: {
      lead: "Connect waits.",
      rest:
        `The worker is back in its group, but its tasks wait until ${Math.round(until / 1e6)} s for a member ` +
        `that brings them back.`,
    },
  }),
};

/** @type {Sentences} */
export const MIRROR_SENTENCES = {
  [KIND.MIRROR_PROCESS_CHANGED]: ({ words }, { process, state }) => ({
    icon: state === PROCESS.DOWN ? "x" : state === PROCESS.PAUSED ? "pause" : "play",
    marker: state === PROCESS.DOWN ? "fault" : "other",
    grave: state === PROCESS.DOWN,
    text: `${words.process(process)} ${STATES[state] ?? "changes its state"}`,
  }),
  [KIND.MIRROR_TASKS_CHANGED]: ({ words }, { flow, state, until }) => {
    const told = TASKS_SENTENCES[state]?.(words.flow(flow), until);
    return told ? { rule: "MM-1", ...told } : null;
  },
  [KIND.MIRROR_TOPICS_CHANGED]: ({ words }, { flow, added, removed, missing }) => ({
    icon: "plus",
    marker: "other",
    rule: "MM-1",
    text: `${words.flow(flow)} looks for topics: ${listed([
      [added, "new at the source"],
      [removed, "gone there"],
      [missing, "missing on the target"],
    ])}; its tasks start anew`,
  }),
  [KIND.MIRROR_STARTED_OVER]: ({ words }, { flow, partitions }) => ({
    icon: "flag",
    marker: "flag",
    grave: true,
    rule: "MM-11",
    text:
      `${words.flow(flow)} has no stored offset of ${plural(partitions, "partition")}: it copies again from the ` +
      `earliest record`,
    caption: {
      lead: "Copied again.",
      rest:
        `${words.flow(flow)} finds no stored offset and begins at the earliest record. What it had copied before ` +
        `stands twice on the target.`,
    },
  }),
  [KIND.CHECKPOINT_WRITTEN]: ({ words }, { flow, remote, upstream, downstream, group }) => ({
    icon: "flag",
    minor: true,
    rule: "MM-6",
    text:
      `${words.flow(flow)} writes a checkpoint for group ${group}: source offset ${upstream} translates to ` +
      `${downstream} in ${words.partition(remote)}`,
  }),
  [KIND.GROUP_OFFSET_SYNCED]: ({ words }, { flow, remote, offset, error, group }) => ({
    icon: error ? "stop" : "check",
    minor: true,
    rule: "MM-7",
    text: error
      ? `${words.flow(flow)} may not commit for group ${group} on the target: ${ERROR_NAMES[error] ?? error}`
      : `${words.flow(flow)} commits ${offset} of ${words.partition(remote)} for group ${group}`,
  }),
  [KIND.MIRROR_SKIPPED]: ({ words }, { flow, p, first, end }) => ({
    icon: "flag",
    p,
    marker: "flag",
    grave: true,
    rule: "MM-1",
    text:
      `${words.flow(flow)} skips ${plural(end - first, "record")} of ${words.partition(p)} that the source no ` +
      `longer has, and goes on at ${end}`,
    caption: {
      lead: "A silent gap.",
      rest:
        `${words.flow(flow)} goes on at the earliest record that ${words.partition(p)} has left. Nobody reports ` +
        `an error.`,
    },
  }),
};
