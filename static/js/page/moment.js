/**
 * The place that a link opens at, #t=21.160&level=chips: the moment, and the level of detail if somebody chose one.
 * Seconds in the address, microseconds everywhere else.
 *
 * @import {Level} from "../run/layout.js"
 */

/** A moment as the address says it: seconds with three decimals, or as many as the moment has. @param {number} t us */
export function hashTime(t) {
  const us = Math.round(t);
  return (us / 1e6).toFixed(us % 1000 ? 6 : 3);
}

/** @param {string} hash @returns {number | null} us */
export function momentOf(hash) {
  const match = /[#&]t=(\d+(?:\.\d+)?)/.exec(hash);
  return match ? Math.round(Number(match[1]) * 1e6) : null;
}

/** @param {number} t us @param {Level | null} level @returns {string} */
export const hashOf = (t, level) => `#t=${hashTime(t)}${level ? `&level=${level}` : ""}`;

/** @param {string} hash @returns {Level | null} */
export function levelOf(hash) {
  const match = /[#&]level=(logs|chips|map)$/.exec(hash);
  return /** @type {Level | null} */ (match ? match[1] : null);
}
