/** The open list of partitions, and its row of the AZ table; facts, figures and causes set it. */
import { signal } from "@preact/signals";

/**
 * `of`: a figure ("lost", "write", "read") or a fact ("until_back", "seconds", "hidden", "disks") with `acks`, or
 * "cause" with the key of the cause.
 * @typedef {{of: string, acks?: string, cause?: string}} List
 * @type {import("@preact/signals").Signal<{row: string, list: List | null} | null>} list null: the worst cause's
 */
export const open = signal(null);

/** Opens the list behind a figure, and shows it. @param {string} row @param {List} list */
export function showList(row, list) {
  open.value = { row, list };
  requestAnimationFrame(() =>
    document.querySelector(`[data-detail="${CSS.escape(row)}"]`)?.scrollIntoView({ block: "nearest" }),
  );
}

/** @param {List | null} a @param {List | null} b */
export const isSame = (a, b) => a?.of === b?.of && a?.acks === b?.acks && a?.cause === b?.cause;
