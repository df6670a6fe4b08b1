/**
 * The runs around this one: the one that it left, and those that left it. Pure.
 *
 * @import {Boot} from "../app/app.js"
 */

/**
 * @typedef {{id: string, title: string, change: string, cut_us: number}} Branch  as the page's template says it
 * @typedef {{id: string, title: string, change: string, url: string, cutUs: number, isParent: boolean}} Lane
 */

/** @param {Boot} boot @returns {{url: string, title: string, cutUs: number, change: string} | null} */
export function parentOf({ parent, cut_us: cut, change }) {
  return parent && !parent.deleted ? { url: `/s/${parent.id}`, title: parent.title, cutUs: cut ?? 0, change } : null;
}

/** Their lanes on the timeline, the parent's first. @param {Boot} boot @returns {Lane[]} */
export function lanesOf(boot) {
  const parent = parentOf(boot);
  const own = (boot.branches ?? []).map((branch) => ({
    ...branch,
    url: `/s/${branch.id}`,
    cutUs: branch.cut_us,
    isParent: false,
  }));
  if (!parent) return own;
  return [
    {
      ...parent,
      id: boot.parent?.id ?? "",
      change: "",
      url: `${parent.url}#t=${(parent.cutUs / 1e6).toFixed(3)}`,
      isParent: true,
    },
    ...own,
  ];
}
