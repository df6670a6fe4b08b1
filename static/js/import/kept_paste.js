/** The paste as the browser's tab keeps it: going back to the page shows the text with all that was set. Pure. */

export const STORE = "paste";
export const BETWEEN_MS = "30"; // no paste tells it
export const NAMES = ["east", "west", "north", "south"]; // of sites that nobody has named

/**
 * `places` is null until a chip was moved; `hasControllers`: one of the controllers was; `before`: the text before it
 * was emptied.
 * @typedef {{text: string, before: string, assumed: Record<string, any>, places: import("./places.js").Places | null,
 *   hasControllers: boolean}} Paste
 */

/** @type {Paste} */
export const NO_PASTE = { text: "", before: "", assumed: {}, places: null, hasControllers: false };

/**
 * The paste with another text. What was set stays for the same cluster (the text edited, pasted again, or grown by
 * another output) and goes with another one; neutral names are a wish of the user and stay.
 * @param {Paste} paste @param {string} text @returns {Paste}
 */
export function withText(paste, text) {
  const before = paste.text.trim() ? paste.text : paste.before;
  if (!text.trim()) return { ...paste, text, before };
  if (!before || isEdited(before, text) || isSameCluster(before, text)) return { ...paste, text, before: "" };
  const { neutral_names } = paste.assumed;
  return { ...NO_PASTE, text, assumed: neutral_names === undefined ? {} : { neutral_names } };
}

/** True if both begin and end alike, for half of the shorter one. @param {string} before @param {string} text */
function isEdited(before, text) {
  const shorter = Math.min(before.length, text.length);
  let same = 0;
  while (same < shorter && before[same] === text[same]) same++;
  let ends = 0;
  while (same + ends < shorter && before.at(-1 - ends) === text.at(-1 - ends)) ends++;
  return (same + ends) * 2 >= shorter;
}

/**
 * True if half of the shorter text's lines stand in both, leaders and ISRs aside: they change within a cluster.
 * @param {string} before
 * @param {string} text
 */
function isSameCluster(before, text) {
  const [one, other] = [placements(before), placements(text)];
  const shared = [...one].filter((line) => other.has(line)).length;
  return shared > 0 && shared * 2 >= Math.min(one.size, other.size);
}

/** @param {string} text @returns {Set<string>} its lines without leader, ISR and what follows it */
const placements = (text) =>
  new Set(
    text
      .split(/\r\n|\r|\n/)
      .map((line) =>
        line
          .replace(/\bisrs?:.*/i, "")
          .replace(/\bleader:?\s+\S+/i, "")
          .replace(/\s+/g, " ")
          .trim(),
      )
      .filter(Boolean),
  );

/**
 * One cluster of the page. `name` counts once there are several; `id` stays when the name is edited.
 * @typedef {{id: string, name: string, paste: Paste}} Site
 * `at`: the site that is looked at; `between`: the latency between two sites, one way, in ms, as it was typed;
 * `mirrors`: the text of MirrorMaker's configuration.
 * @typedef {{sites: Site[], at: number, between: string, mirrors: string}} Kept
 */

/** @param {string | null} kept @returns {Kept} */
export function sitesFrom(kept) {
  try {
    const { sites, at, between, mirrors } = JSON.parse(kept ?? "");
    const whole = sites.map((/** @type {Site} */ one) => ({ ...one, paste: { ...NO_PASTE, ...one.paste } }));
    if (
      whole.length &&
      whole.every((/** @type {Site} */ one) => typeof one.name === "string" && typeof one.paste.text === "string")
    )
      return {
        sites: whole,
        at: whole[at] ? at : 0,
        between: String(between ?? BETWEEN_MS),
        mirrors: String(mirrors ?? ""),
      };
  } catch {
    /* nothing is kept, or it is of another version of the page */
  }
  return { sites: [{ id: "0", name: NAMES[0] ?? "", paste: NO_PASTE }], at: 0, between: BETWEEN_MS, mirrors: "" };
}
