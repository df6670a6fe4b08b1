/** The moment of a link, #t=21.160: seconds in the address, microseconds everywhere else. */

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
