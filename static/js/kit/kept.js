/** The values that this tab keeps of a page until it is closed: coming back to the page shows them again. */
import { useLayoutEffect } from "preact/hooks";
import { keep } from "./kit.js";

/**
 * Keeps a value as JSON. It is written before the browser paints: a reload right after a click has what the click did.
 * @param {string} key @param {unknown} value
 */
export function useKept(key, value) {
  useLayoutEffect(() => keep("sessionStorage", key, JSON.stringify(value)), [key, value]);
}
