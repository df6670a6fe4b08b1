/**
 * Names of the runs of a comparison.
 *
 * @import {RunBoot} from "../page/player.js"
 * @import {Comparison} from "./apart.js"
 */
import { settingsOf } from "./apart.js";

/** settings that a name may hold */
const SETTINGS_MAX = 3;
export const BETWEEN = ", ";

/**
 * Titles, without the phrases that all begin with; where these are the same, as few of the settings that differ as tell
 * the runs apart, else what was changed.
 * @param {Pick<RunBoot, "title" | "change">[]} runs
 * @param {string} common that the titles of all begin with
 * @param {Comparison | null} found
 */
export function namesOf(runs, common, found) {
  const all = [
    runs.map(({ title }) => title.slice(common.length).trim()),
    ...Array.from({ length: SETTINGS_MAX }, (_, most) =>
      runs.map((_, i) =>
        settingsOf(found, i)
          .slice(0, most + 1)
          .join(BETWEEN),
      ),
    ),
    runs.map(({ change }) => change || "Original run"),
  ];
  return all.find(areApart) ?? /** @type {string[]} */ (all[0]);
}

/**
 * One title of all runs, which tells once what their titles have in common.
 * @param {Pick<RunBoot, "title">[]} runs
 * @param {string} common that the titles of all begin with
 */
export const titleOf = (runs, common) =>
  common + [...new Set(runs.map(({ title }) => title.slice(common.length)))].join(" or ");

/** @param {string[]} names */
export const areApart = (names) => new Set(names).size === names.length;
