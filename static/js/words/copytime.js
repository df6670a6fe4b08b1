/**
 * The time that copies of replicas take in reality: logs in a run are small. Pure.
 */

/** @typedef {{log_mb?: number, copy_mb_per_s?: number}} Sizes  of each replica, and at which a broker copies */

/**
 * @param {Sizes} sizes as the document tells them
 * @param {number} count of replicas
 * @param {number} takers brokers that copy them
 */
export function copyTime({ log_mb: each, copy_mb_per_s: rate }, count, takers = 1) {
  if (!each || !rate) return "Logs are small here: real ones take size ÷ network rate.";
  const mb = count * each;
  return `Logs are small here: in reality ${sizeOf(mb)} take at least ${spanOf(mb / (rate * takers))} at ${rate} MB/s.`;
}

/** @param {number} mb */
const sizeOf = (mb) =>
  mb >= 1e6 ? `${(mb / 1e6).toFixed(1)} TB` : mb >= 1e3 ? `${(mb / 1e3).toFixed(1)} GB` : `${mb} MB`;

/** @param {number} seconds */
const spanOf = (seconds) =>
  seconds < 120
    ? `${Math.ceil(seconds)} s`
    : seconds < 7_200
      ? `${Math.round(seconds / 60)} min`
      : `${(seconds / 3_600).toFixed(1)} h`;
