/**
 * A range of time asked for page by page: in one where that is possible, else in halves. Pure.
 *
 * @param {number} from us
 * @param {number} to us, included
 * @param {(from: number, to: number) => Promise<boolean>} take  takes a page; false when it holds too much for one
 *   answer
 */
export async function inPages(from, to, take) {
  const open = [[from, to]];
  for (let page = open.pop(); page; page = open.pop()) {
    const [first, last] = /** @type {[number, number]} */ (page);
    if ((await take(first, last)) || first >= last) continue;
    const middle = Math.floor((first + last) / 2);
    open.push([middle + 1, last], [first, middle]);
  }
}
