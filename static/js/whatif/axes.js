/** Axes that begin and end at round numbers, 1, 2 or 5 times a power of ten, and hold all of the data. Pure. */

const ROUND = [1, 2, 5, 10];
const LABEL_PX = 6.5; // of a letter of a label of 11 px
const GAP_PX = 8;
/** Ten times a power of ten may come out a hair below a whole number. */
const SLACK = 1e-9;

/** The smallest round number that is at least `value`. @param {number} value above 0 */
export function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value) + SLACK);
  return tidy(power * /** @type {number} */ (ROUND.find((part) => part * power >= value * (1 - SLACK)) ?? 10));
}

/** The largest round number that is at most `value`. @param {number} value above 0 */
export function roundDown(value) {
  const power = 10 ** Math.floor(Math.log10(value) + SLACK);
  return tidy(power * /** @type {number} */ (ROUND.findLast((part) => part * power <= value * (1 + SLACK)) ?? 1));
}

/**
 * Ticks from 0 in equal round steps, at most `parts` of them behind the 0; the last one is at or above `most`.
 * @param {number} most
 * @param {number} parts
 */
export function linearTicks(most, parts) {
  const step = roundUp((most || 1) / parts);
  const steps = Math.max(1, Math.ceil((most || 1) / step - SLACK));
  return Array.from({ length: steps + 1 }, (_, i) => tidy(i * step));
}

/**
 * Ticks in equal round steps, 0 among them, that hold all of the values.
 * @param {number[]} values
 * @param {number} parts
 */
export function ticksAround(values, parts) {
  const least = Math.min(0, ...values),
    most = Math.max(0, ...values);
  const step = roundUp((most - least || 1) / parts);
  const first = Math.floor(least / step + SLACK),
    last = Math.max(Math.ceil(most / step - SLACK), first + 1);
  return Array.from({ length: last - first + 1 }, (_, i) => tidy((first + i) * step));
}

/**
 * Every round number of a log axis that holds `least` to `most`, both above 0; at least two.
 * @param {number} least
 * @param {number} most
 */
export function logTicks(least, most) {
  const first = roundDown(least);
  const ticks = [first];
  while (ticks.length < 2 || /** @type {number} */ (ticks.at(-1)) < most * (1 - SLACK))
    ticks.push(roundUp(/** @type {number} */ (ticks.at(-1)) * 1.5));
  return ticks;
}

/**
 * The ticks that get a label: the first and the last always, of those between as many as do not touch. The ends may be
 * anchored at their tick's own side, so they take a whole width inwards.
 * @param {number[]} ticks ascending
 * @param {(tick: number) => number} x
 * @param {(tick: number) => string} label
 */
export function labelled(ticks, x, label) {
  const width = (/** @type {number} */ tick) => label(tick).length * LABEL_PX + GAP_PX;
  const [first, last] = [/** @type {number} */ (ticks[0]), /** @type {number} */ (ticks.at(-1))];
  let end = x(first) + width(first);
  const between = ticks.slice(1, -1).filter((tick) => {
    const half = width(tick) / 2;
    if (x(tick) - half < end || x(tick) + half > x(last) - width(last)) return false;
    end = x(tick) + half;
    return true;
  });
  return [first, ...between, last];
}

/**
 * The ticks of an axis of equal steps that get a label: as many as do not touch and stand equally far apart.
 * @param {number[]} ticks ascending
 * @param {(tick: number) => number} x
 * @param {(tick: number) => string} label
 */
export function evenly(ticks, x, label) {
  const steps = ticks.length - 1;
  for (let stride = 1; stride < steps; stride++) {
    if (steps % stride) continue;
    const some = ticks.filter((_, i) => i % stride === 0);
    if (labelled(some, x, label).length === some.length) return some;
  }
  return [/** @type {number} */ (ticks[0]), /** @type {number} */ (ticks[steps])];
}

/** Without what binary fractions add. @param {number} value */
const tidy = (value) => Number(value.toPrecision(12));
