/** Files that the browser saves. */

/** after this long the browser has taken the file, ms */
const TAKEN_MS = 60_000;

/** Lets the browser save a file as a download. @param {Blob} blob @param {string} name of the file */
export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), TAKEN_MS);
}
