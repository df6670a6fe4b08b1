/**
 * The same document with one setting changed, as plain data. Actions of its timeline on that setting go: they would set
 * it back. Pure.
 */

const ACKS = ["0", "1", "all"];

/** Runs side by side, as addresses have them. @param {string[]} ids */
export const comparedIds = (...ids) => ids.join("..");

/** The address of runs side by side. @param {string[]} ids */
export const comparedAddress = (...ids) => `/compare/${comparedIds(...ids)}`;

/** The modes that a topic is not written in, the safest first; none without a producer. @param {string | null} now */
export const otherAcks = (now) => (now === null ? [] : ACKS.filter((acks) => acks !== now).reverse());

/**
 * A topic of a document, and the part of the document that its cluster is.
 * @param {any} document
 * @param {string} title as the page calls it: ``orders``, or ``east/orders`` where clusters have names
 * @returns {{part: any, name: string}}
 */
function placeOf(document, title) {
  const [site, name] = title.includes("/") ? title.split("/") : ["", title];
  return { part: partOf(document, String(site)), name: String(name) };
}

/** All producers of a topic with these acks. @param {any} document @param {string} title @param {string} acks */
export function withAcks(document, title, acks) {
  const changed = without(document, (action) => action.startsWith(`acks ${title} `));
  const { part, name } = placeOf(changed, title);
  part.producers = (part.producers ?? []).map((/** @type {any} */ one) =>
    one.topic === name ? { ...one, acks } : one,
  );
  return changed;
}

/**
 * A topic with this value of a setting.
 * @param {any} document
 * @param {string} title
 * @param {string} key
 * @param {string | number | boolean} value
 */
export function withTopicSetting(document, title, key, value) {
  const changed = without(document, (action) => action.startsWith(`config ${title} ${key} `));
  const { part, name } = placeOf(changed, title);
  part.topics = (part.topics ?? []).map((/** @type {any} */ one) =>
    one.name === name ? { ...one, config: { ...one.config, [key]: value } } : one,
  );
  return changed;
}

/**
 * A setting as people write it; null if it is none.
 * @param {string} text
 * @returns {{key: string, value: string | number | boolean} | null}
 */
export function readSetting(text) {
  const [, key, written] = /^\s*([^\s=]+)\s*=\s*(.*?)\s*$/.exec(text) ?? [];
  if (!key || !written) return null;
  if (/^(true|false)$/i.test(written)) return { key, value: written.toLowerCase() === "true" };
  return { key, value: /^-?\d+$/.test(written) && Number.isSafeInteger(Number(written)) ? Number(written) : written };
}

/**
 * The part of a document that a cluster is.
 * @param {any} document
 * @param {string} site  its name; "" where a document has one cluster
 */
export const partOf = (document, site) => (site ? document?.clusters[site] : document);

/**
 * The same cluster with another version of Kafka.
 * @param {any} document
 * @param {string} site
 * @param {string} version
 * @param {boolean} hasElr  the version may have eligible leader replicas
 */
export function withVersion(document, site, version, hasElr) {
  const changed = structuredClone(document);
  const part = partOf(changed, site);
  part.profile = version;
  if (!hasElr) delete part.elr;
  return changed;
}

/**
 * The same cluster with eligible leader replicas on or off.
 * @param {any} document
 * @param {string} site
 * @param {boolean} elr
 */
export function withElr(document, site, elr) {
  const changed = structuredClone(document);
  partOf(changed, site).elr = elr;
  return changed;
}

/** The same under another chance. @param {any} document @param {number} seed */
export const withSeed = (document, seed) => ({ ...structuredClone(document), seed });

/**
 * A copy without some actions, and without what the document expects of its own run.
 * @param {any} document
 * @param {(action: string) => boolean} isLeft
 */
function without(document, isLeft) {
  const { expect: _, ...changed } = structuredClone(document);
  if (changed.timeline) changed.timeline = changed.timeline.filter((/** @type {any} */ entry) => !isLeft(entry.do));
  return changed;
}
