/**
 * Names of the runs of a comparison.
 *
 * @import {RunBoot} from "../page/player.js"
 * @import {Comparison} from "./apart.js"
 */
import { settingsOf } from "./apart.js";

/**
 * Titles, without the phrases that all begin with; where these are the same, what was changed, else the first setting
 * that differs.
 * @param {Pick<RunBoot, "title" | "change">[]} runs
 * @param {string} common that the titles of all begin with
 * @param {Comparison | null} found
 */
export function namesOf(runs, common, found) {
  const all = [
    runs.map(({ title }) => title.slice(common.length).trim()),
    runs.map(({ change }) => change || "Original run"),
    runs.map((_, i) => settingsOf(found, i)[0] ?? ""),
  ];
  return all.find(areApart) ?? /** @type {string[]} */ (all[0]);
}

/** @param {string[]} names */
export const areApart = (names) => new Set(names).size === names.length;
