/** The short words of the page on MirrorMaker's configuration. Pure. */
import { plural } from "../kit/wording.js";
import { NAME } from "./sites.js";

/**
 * The configuration's names for the clusters, where they are others and as many; null elsewhere.
 * @param {Pick<import("./mirrors_paste.js").Told, "clusters">} told
 * @param {string[]} names
 */
export const renaming = ({ clusters }, names) =>
  clusters.length === names.length &&
  clusters.some((one) => !names.includes(one)) &&
  clusters.every((one) => NAME.test(one))
    ? clusters
    : null;

/** @param {string} text @param {import("./mirrors_paste.js").Told | null} told */
export const stateOf = (text, told) =>
  !text.trim()
    ? "none: nothing is copied"
    : told
      ? [
          plural(told.flows.length, "flow"),
          told.left.length && `${told.left.length} left out`,
          told.unread.length && `${plural(told.unread.length + told.unread_more, "line")} not taken over`,
        ]
          .filter(Boolean)
          .join(" · ")
      : "";
