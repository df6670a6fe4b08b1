/**
 * Facts of MirrorMaker as sentences. Pure.
 *
 * @import {Row} from "./types.js"
 * @import {Event, Words} from "./narrate.js"
 */
import { ERROR_NAMES, KIND, PROCESS } from "./facts.js";
import { plural } from "./wording.js";

/** @type {Record<number, string>} */
const STATES = { [PROCESS.DOWN]: "is down", [PROCESS.STARTING]: "starts", [PROCESS.RUNNING]: "runs", [PROCESS.PAUSED]: "is paused" };

/** @type {Record<number, (narrator: {words: Words}, row: Row) => Partial<Event> | null>} */
export const MIRROR_SENTENCES = {
  [KIND.MIRROR_PROCESS_CHANGED]: ({ words }, [, , , , process, state]) => ({ icon: state === PROCESS.DOWN ? "x" : state === PROCESS.PAUSED ? "pause" : "play", marker: state === PROCESS.DOWN ? "fault" : "other", grave: state === PROCESS.DOWN,
    text: `${words.process(process)} ${STATES[state] ?? "changes its state"}` }),
  [KIND.CHECKPOINT_WRITTEN]: ({ words }, [, , , , flow, remote, upstream, downstream, group]) => ({ icon: "flag", minor: true, rule: "MM-6",
    text: `${words.flow(flow)} writes a checkpoint for group ${group}: source offset ${upstream} translates to ${downstream} in ${words.partition(remote)}` }),
  [KIND.GROUP_OFFSET_SYNCED]: ({ words }, [, , , , flow, remote, offset, error, group]) => ({ icon: error ? "stop" : "check", minor: true, rule: "MM-7",
    text: error ? `${words.flow(flow)} may not commit for group ${group} on the target: ${ERROR_NAMES[error] ?? error}` : `${words.flow(flow)} commits ${offset} of ${words.partition(remote)} for group ${group}` }),
  [KIND.MIRROR_SKIPPED]: ({ words }, [, , , , flow, p, first, end]) => ({ icon: "flag", p, marker: "flag", grave: true, rule: "MM-1",
    text: `${words.flow(flow)} skips ${plural(end - first, "record")} of ${words.partition(p)} that the source no longer has, and goes on at ${end}`,
    caption: { lead: "A silent gap.", rest: `${words.flow(flow)} goes on at the earliest record that ${words.partition(p)} has left. Nobody reports an error.` } }),
};
