// Written by tools/facts_js.py from simengine/kafka/shared/standing.py. Do not edit.

/** True if a broker may be elected, by its registration. @type {Record<string, boolean>} */
export const IS_ACTIVE = {
  "unregistered": false, "fenced": false, "active": true, "shutting down": false,
};
/** The key of a reason: what holds, in the order of its table. @param {boolean[]} holds */
export const keyOf = (...holds) => holds.map(Number).join("");
/** By: the preferred leader leads; it is in the ISR. @type {Record<string, string>} */
export const WHY_NOT_PREFERRED = {
  "00": "is not in the ISR", "01": "", "10": "leads already", "11": "leads already",
};
/** By: there is a leader; a controller; a replica on an active broker. @type {Record<string, string>} */
export const WHY_NOT_UNCLEAN = {
  "000": "no controller", "001": "no controller", "010": "nobody able", "011": "", "100": "has a leader",
  "101": "has a leader", "110": "has a leader", "111": "has a leader",
};
