/** The chips of the AZ editor that are picked up. Pure. */

/** @typedef {{keys: string[], anchor: string}} Picked `anchor`: where a range begins */

/** @type {Picked} */
export const NONE = { keys: [], anchor: "" };

/**
 * The picked chips after a click on one: alone; with Ctrl or a finger one more or less; with Shift all from the last
 * one.
 * @param {Picked} picked
 * @param {string} key
 * @param {{range: boolean, more: boolean}} how
 * @param {string[]} order all chips
 * @returns {Picked}
 */
export function clicked(picked, key, how, order) {
  if (how.range && order.includes(picked.anchor)) {
    const [from, to] = [order.indexOf(picked.anchor), order.indexOf(key)].sort((a, b) => a - b);
    return {
      keys: [...new Set([...picked.keys, ...order.slice(from, /** @type {number} */ (to) + 1)])],
      anchor: picked.anchor,
    };
  }
  const others = picked.keys.filter((one) => one !== key);
  const isPicked = others.length < picked.keys.length;
  if (how.more || how.range) return { keys: isPicked ? others : [...others, key], anchor: key };
  return isPicked && !others.length ? NONE : { keys: [key], anchor: key };
}

/** The words on the picked chips, for `role="status"`. @param {Picked} picked */
export const pickedText = ({ keys }) =>
  keys.length ? `${keys.length} picked up. Left and right arrow keys move between AZs, Escape lets go.` : "Let go.";

/** The chip beside another: the same one at an end. @param {string[]} order @param {string} key @param {number} step */
export const beside = (order, key, step) =>
  order[Math.max(0, Math.min(order.length - 1, order.indexOf(key) + step))] ?? key;
