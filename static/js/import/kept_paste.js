/** The paste as the browser's tab keeps it: going back to the page shows the text with all that was set. Pure. */

export const STORE = "paste";

/**
 * `places` is null until a chip was moved; `hasControllers`: one of the controllers was.
 * @typedef {{text: string, assumed: Record<string, any>, places: import("./places.js").Places | null, hasControllers: boolean}} Paste
 */

/** @type {Paste} */
export const NO_PASTE = { text: "", assumed: {}, places: null, hasControllers: false };

/**
 * The paste with another text. What was set stays where the text is edited, shortened or grown; a text that begins and
 * ends otherwise is another cluster, and so is what comes after an empty one.
 * @param {Paste} paste @param {string} text @returns {Paste}
 */
export function withText(paste, text) {
  if (!text) return NO_PASTE;
  const shorter = Math.min(paste.text.length, text.length);
  let same = 0;
  while (same < shorter && paste.text[same] === text[same]) same++;
  let ends = 0;
  while (same + ends < shorter && paste.text.at(-1 - ends) === text.at(-1 - ends)) ends++;
  return paste.text && (same + ends) * 2 < shorter ? { ...NO_PASTE, text } : { ...paste, text };
}

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
