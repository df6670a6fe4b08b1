/** The line of HTML that shows a copy on another page: a frame without a script. */
import { comparedIds } from "../run/variants.js";

const HEIGHT = 420;
/** of one run, and of several beside each other, px */
const [ALONE, BESIDE] = [640, 960];

/**
 * @param {string[]} ids  of copies that never change
 * @param {string} title
 * @returns {string}
 */
export function embedLine(ids, title) {
  const width = ids.length > 1 ? BESIDE : ALONE;
  const name = title.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return (
    `<iframe src="${location.origin}/e/${comparedIds(...ids)}" width="${width}" height="${HEIGHT}" ` +
    `style="border:0;max-width:100%" loading="lazy" title="${name}"></iframe>`
  );
}
