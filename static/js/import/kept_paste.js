/** The paste as the browser's tab keeps it: going back to the page shows the text with all that was set. Pure. */

export const STORE = "paste";

/**
 * `places` is null until a chip was moved; `hasControllers`: one of the controllers was; `before`: the text before it was emptied.
 * @typedef {{text: string, before: string, assumed: Record<string, any>, places: import("./places.js").Places | null, hasControllers: boolean}} Paste
 */

/** @type {Paste} */
export const NO_PASTE = { text: "", before: "", assumed: {}, places: null, hasControllers: false };

/**
 * The paste with another text. What was set stays for the same cluster (the text edited, pasted again, or grown by another
 * output) and goes with another one; neutral names are a wish of the user and stay.
 * @param {Paste} paste @param {string} text @returns {Paste}
 */
export function withText(paste, text) {
  const before = paste.text.trim() ? paste.text : paste.before;
  if (!text.trim()) return { ...paste, text, before };
  if (!before || isEdited(before, text) || isSameCluster(before, text)) return { ...paste, text, before: "" };
  const { neutral_names } = paste.assumed;
  return { ...NO_PASTE, text, assumed: neutral_names === undefined ? {} : { neutral_names } };
}

/** Whether both begin and end alike, for half of the shorter one. @param {string} before @param {string} text */
function isEdited(before, text) {
  const shorter = Math.min(before.length, text.length);
  let same = 0;
  while (same < shorter && before[same] === text[same]) same++;
  let ends = 0;
  while (same + ends < shorter && before.at(-1 - ends) === text.at(-1 - ends)) ends++;
  return (same + ends) * 2 >= shorter;
}

/** Whether half of the shorter text's lines stand in both, leaders and ISRs aside: they change within a cluster. @param {string} before @param {string} text */
function isSameCluster(before, text) {
  const [one, other] = [placements(before), placements(text)];
  const shared = [...one].filter((line) => other.has(line)).length;
  return shared > 0 && shared * 2 >= Math.min(one.size, other.size);
}

/** @param {string} text @returns {Set<string>} its lines without leader, ISR and what follows it */
const placements = (text) => new Set(text.split(/\r\n|\r|\n/).map((line) => line.replace(/\bisrs?:.*/i, "").replace(/\bleader:?\s+\S+/i, "").replace(/\s+/g, " ").trim()).filter(Boolean));

/** @param {Paste} paste */
export const pasteText = (paste) => JSON.stringify(paste);

/** @param {string | null} kept @returns {Paste} */
export function pasteFrom(kept) {
  try {
    const paste = JSON.parse(kept ?? "");
    return typeof paste?.text === "string" ? { ...NO_PASTE, ...paste } : NO_PASTE;
  } catch {
    return NO_PASTE;
  }
}
