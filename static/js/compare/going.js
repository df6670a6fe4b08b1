/**
 * To a difference: its moment, a run that has it, and the partition that it is about.
 *
 * @import {ComparePage} from "./page.js"
 * @import {Difference} from "./apart.js"
 */
import { LETTERS } from "./apart.js";

/**
 * Where a run of somebody else has not come so far, copies of one's own go there.
 * @param {ComparePage} page
 * @param {Difference} difference
 */
export async function goTo(page, { t_us: t, sides, text }) {
  if (page.others.some(({ model }) => model.trace.end < t)) return page.copyOthers(t);
  const shown = LETTERS.toLowerCase().indexOf(page.tab.value);
  if (!sides.includes(shown)) page.tab.value = String(LETTERS[sides[0] ?? 0]).toLowerCase();
  await page.travel.seek(t);
  for (const { model, stage } of page.players) {
    const names = (model.view?.partitions ?? []).map((_, p) => model.partitionName(p));
    stage.showRow(partitionOf(text, names));
  }
}

/** The first partition that a sentence names; -1 if it names none. @param {string} text @param {string[]} names */
export function partitionOf(text, names) {
  const words = new Set(text.split(/[\s:,;]+/).map((word) => word.replace(/\.$/, "")));
  return names.findIndex((name) => words.has(name));
}
