/** The paste as the browser's tab keeps it: going back to the page shows the text with all that was set. Pure. */

export const STORE = "paste";

/**
 * `places` is null until a chip was moved; `hasControllers`: one of the controllers was.
 * @typedef {{text: string, assumed: Record<string, any>, places: import("./places.js").Places | null, hasControllers: boolean}} Paste
 */

/** @type {Paste} */
export const NO_PASTE = { text: "", assumed: {}, places: null, hasControllers: false };

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
