/** Small words that every sentence of the page is made with. Pure. */

/** @param {number} base @param {number} count @returns {string} 41–43, or 41 */
export const range = (base, count) => (count > 1 ? `${base}–${base + count - 1}` : String(base));
/** @param {number} count @param {string} one @param {string} [many] */
export const plural = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
/** "1,000 records/s", "1 record/s". @param {number} rate */
export const perSecond = (rate) => `${rate.toLocaleString("en")} ${rate === 1 ? "record/s" : "records/s"}`;
/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
/** "1", "1 and 2", "1, 2 and 3". @param {(string | number)[]} names */
export const listed = (names) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
/**
 * Names of one kind as one: "brokers 1 and 2", "az-a".
 * @param {string[]} names "broker 1", "broker 2", "az-a"
 * @returns {string[]}
 */
export function together(names) {
  /** @type {Map<string, string[]>} */ const groups = new Map();
  for (const name of names) {
    const [kind = name, ...own] = name.split(" ");
    groups.set(kind, [...(groups.get(kind) ?? []), ...own]);
  }
  return [...groups].map(([kind, own]) => `${kind}${own.length > 1 ? "s" : ""} ${listed(own)}`.trim());
}

/**
 * A long name cut in its middle: partitions differ at the end.
 * @param {string} name
 * @param {number} [most] characters
 */
export const shortened = (name, most = 36) =>
  name.length <= most ? name : `${name.slice(0, most - 13)}…${name.slice(-12)}`;

/**
 * The parts of a name: a line may end behind a stop, a slash, a dash or an underscore, not inside a word.
 * @param {string} name
 */
export const pieces = (name) => name.split(/(?<=[./_-])/);

/** Names in the order that people expect: az-2 before az-10. @param {string} a @param {string} b */
export const natural = (a, b) => a.localeCompare(b, "en", { numeric: true });

/** A text in which no line ends between a number and its unit. @param {string} text */
export const unbroken = (text) => text.replace(/(\d) (?=(?:s|ms|min|h|GB)\b)/g, "$1\u00a0");

const HEAD_MAX = 170; // characters of a headline

/**
 * A long text as a headline of whole sentences, at least one, and the rest.
 * @param {string} text
 */
export function headed(text) {
  const [first = "", ...others] = text.split(/(?<=\.) (?=\S)/);
  let lead = first;
  while (others[0] && lead.length + others[0].length < HEAD_MAX) lead += ` ${others.shift()}`;
  return { lead, rest: others.join(" ") };
}
