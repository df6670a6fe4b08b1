/** The line of HTML that shows a copy on another page: a frame without a script. */

const HEIGHT = 420;
/** with several runs beside each other, px */
const WIDTHS = [640, 960];

/**
 * @param {string} ids  of copies that never change, as in an address
 * @param {string} title
 * @returns {string}
 */
export function embedLine(ids, title) {
  const width = WIDTHS[ids.includes("..") ? 1 : 0];
  const name = title.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return (
    `<iframe src="${location.origin}/e/${ids}" width="${width}" height="${HEIGHT}" ` +
    `style="border:0;max-width:100%" loading="lazy" title="${name}"></iframe>`
  );
}
