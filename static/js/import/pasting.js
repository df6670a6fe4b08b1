/**
 * Long texts put into the text area by hand: Chromium takes 11 s to insert 2,000 lines itself, and 0.1 s when the value
 * is set. Short pastes stay the browser's own, with its undo.
 */

const LONG_CHARS = 20_000;

/**
 * @param {ClipboardEvent} event
 * @param {(text: string) => void} take gets the whole text of the area
 */
export function onPaste(event, take) {
  const text = event.clipboardData?.getData("text/plain") ?? "";
  if (text.length < LONG_CHARS) return;
  event.preventDefault();
  insert(/** @type {HTMLTextAreaElement} */ (event.currentTarget), text, take);
}

/** A dropped file or text. @param {DragEvent} event @param {(text: string) => void} take */
export async function onDrop(event, take) {
  const area = /** @type {HTMLTextAreaElement} */ (event.currentTarget);
  const file = event.dataTransfer?.files[0];
  const text = event.dataTransfer?.getData("text/plain") ?? "";
  if (!file && text.length < LONG_CHARS) return;
  event.preventDefault();
  insert(area, file ? await file.text() : text, take);
}

/** @param {HTMLTextAreaElement} area @param {string} text @param {(text: string) => void} take */
function insert(area, text, take) {
  area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
  take(area.value);
}
