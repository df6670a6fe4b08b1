/** The failures that each configuration met, in words: a comparison by seed rests on them. Pure. */
import { listed } from "./words.js";

/**
 * The configurations that met the failures of the baseline: those that were to meet the same ones.
 * @param {{letter: string, fault: string}[]} variants @param {string} baseline
 */
export function luckText(variants, baseline) {
  const own = variants.find((v) => v.letter === baseline)?.fault;
  const other = variants.filter((v) => v.fault !== own).map((v) => v.letter);
  if (!other.length)
    return `Seed by seed: each configuration met the same failures at the same moments as ${baseline}.`;
  const alike = variants.length - other.length > 1;
  const met = alike
    ? `Seed by seed: configurations with the failures of ${baseline} met them at the same moments. `
    : "";
  return `${met}${listed(other)} met other failures than ${baseline}: what differs there is the failures too.`;
}
