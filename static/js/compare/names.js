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

/** @param {string} common @param {string} title */
const without = (common, title) => (title.startsWith(common) ? title.slice(common.length) : title);

/**
 * Titles, without the phrases that most of them begin with; where these are the same, as few of the settings that
 * differ as tell the runs apart, else what was changed. Where none of these tells all apart, the one that tells most.
 * @param {Pick<RunBoot, "title" | "change">[]} runs
 * @param {string} common that most titles begin with
 * @param {Comparison | null} found
 */
export function namesOf(runs, common, found) {
  const all = [
    runs.map(({ title }) => without(common, title).trim()),
    ...Array.from({ length: SETTINGS_MAX }, (_, most) =>
      runs.map((_, i) =>
        settingsOf(found, i)
          .slice(0, most + 1)
          .join(BETWEEN),
      ),
    ),
    runs.map(({ change }) => change || "Original run"),
  ];
  return all.reduce((best, names) => (new Set(names).size > new Set(best).size ? names : best));
}

/**
 * One title of all runs, which tells once what their titles have in common.
 * @param {Pick<RunBoot, "title">[]} runs
 * @param {string} common that most titles begin with
 */
export function titleOf(runs, common) {
  const titles = [...new Set(runs.map(({ title }) => title))];
  if (!titles.every((title) => title.startsWith(common))) return titles.join(" or ");
  return common + titles.map((title) => without(common, title)).join(" or ");
}

/** @param {string[]} names */
export const areApart = (names) => new Set(names).size === names.length;
