/**
 * The verb of an action and its arguments, as its text has them.
 * @param {string} text such as "kill 2"
 * @returns {{verb: string, args: string[]}}
 */
export function partsOf(text) {
  const [verb = "", ...args] = text.split(" ").filter(Boolean);
  return { verb, args };
}
