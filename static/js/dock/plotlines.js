/** The lines of a plot: their data, colours and words. Pure. */

/**
 * @typedef {{t_us: number[], series: {name: string, values: (number | null)[]}[], left_out: number, is_rate: boolean,
 *   rules: {name: string, words: string, figure: number}[]}} History  the answer of `/s/<id>/metric`
 */

/** the colours of a theme that are told apart on its background */
const COLOURS = ["--e1d", "--e0d", "--e2d", "--e4d", "--e3d"];
export const DASH = [5, 4];

/** The colour of a line, and whether it is dashed: the second time round. @param {number} i */
export const lineOf = (i) => ({
  colour: String(COLOURS[i % COLOURS.length]),
  isDashed: i >= COLOURS.length,
});

/** The times in seconds, then the values of each series, then the figure of each rule. @param {History} found */
export function rowsOf({ t_us: times, series, rules }) {
  return [
    times.map((us) => us / 1e6),
    ...series.map(({ values }) => values),
    ...rules.map(({ figure }) => times.map(() => figure)),
  ];
}

/** The top of the plot: above every value and figure. @param {History} found */
export function highest({ series, rules }) {
  const values = [...series.flatMap(({ values: own }) => own), ...rules.map(({ figure }) => figure)];
  return Math.max(0, ...values.map((value) => (value ?? 0) * 1.15)) || 1;
}

/** The plot in words: the least and the greatest value of each line. @param {History} found */
export function inWords({ series }) {
  if (!series.length) return "No process reports it.";
  return series.map(({ name, values }) => `${name}: ${spanOf(values)}`).join("; ");
}

/** The least and the greatest value. @param {(number | null)[]} values */
export function spanOf(values) {
  const known = values.filter((value) => value !== null);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  return least === most ? `${least} throughout` : `${least} to ${most}`;
}
