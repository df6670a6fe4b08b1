/**
 * The questions that this browser has seen, kept in its storage. Without storage none is.
 */
const KEY = "highwater.questions";

/** @returns {Set<string>} keys of questions */
export function seen() {
  try {
    return new Set(JSON.parse(localStorage.getItem(KEY) ?? "[]"));
  } catch {
    return new Set();
  }
}

/** @param {string} key of a question */
export function see(key) {
  try {
    localStorage.setItem(KEY, JSON.stringify([...seen().add(key)]));
  } catch {
    // a browser that keeps nothing shows no progress
  }
}
