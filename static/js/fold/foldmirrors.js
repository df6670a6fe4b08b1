/**
 * The part of the fold that is about MirrorMaker: its processes, and what each flow has copied, synced and
 * checkpointed.
 *
 * @import {View, MirrorFlow, CopiedSoFar} from "../facts/types.js"
 */
import { KIND, PROCESS_NAMES, TASKS_NAMES } from "../facts/facts.js";

/** @param {View} view @param {number} flow @returns {MirrorFlow | undefined} */
const flowAt = (view, flow) => view.mirrors?.flows[flow];

/**
 * @param {View} view
 * @param {number} flow
 * @param {number} p index of a source partition, which may be new
 * @returns {CopiedSoFar | undefined}
 */
function copiedOf(view, flow, p) {
  const found = flowAt(view, flow);
  return found && (found.partitions[p] ??= { upstream: -1, downstream: -1, count: 0, at: -1, skipped: 0, syncs: 0 });
}

/** @type {import("./fold.js").Handlers} */
export const MIRROR_HANDLERS = {
  [KIND.MIRROR_PROCESS_CHANGED](view, { process, state }, dirty) {
    if (view.mirrors) view.mirrors.processes[process] = PROCESS_NAMES[state] ?? "";
    dirty.links = true; // the processes are drawn between the clusters
  },
  [KIND.MIRROR_TASKS_CHANGED](view, { flow, state, until }, dirty) {
    const found = flowAt(view, flow);
    if (found) found.tasks = { state: TASKS_NAMES[state] ?? "", until };
    dirty.links = true;
  },
  [KIND.RECORDS_COPIED](view, { t: at, flow, p, upstream, downstream, count }) {
    const copied = copiedOf(view, flow, p);
    if (!copied) return;
    copied.count += count;
    Object.assign(copied, { upstream: upstream + count - 1, downstream: downstream + count - 1, at });
  },
  [KIND.OFFSET_SYNCED](view, { flow, p }) {
    const copied = copiedOf(view, flow, p);
    if (copied) copied.syncs += 1;
  },
  [KIND.MIRROR_SKIPPED](view, { flow, p, first, end }) {
    const copied = copiedOf(view, flow, p);
    if (copied) copied.skipped += end - first;
  },
  [KIND.CHECKPOINT_WRITTEN](view, { flow, remote, upstream, downstream, group }) {
    const found = flowAt(view, flow);
    if (found) (found.checkpoints[group] ??= {})[remote] = [upstream, downstream];
  },
  [KIND.GROUP_OFFSET_SYNCED](view, { flow, remote, offset, error, group }) {
    const found = flowAt(view, flow);
    if (found) (found.synced[group] ??= {})[remote] = [offset, error];
  },
};
