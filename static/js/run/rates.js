/**
 * The number of records a second that are produced to a topic, and the steps by which a person changes it.
 *
 * @import {Model} from "./model.js"
 */

const RATES = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/** Records a second over all producers of a topic. @param {Model} model @param {number} topic */
export const rateOf = (model, topic) =>
  model.producersOf(topic).reduce((all, i) => all + (model.view?.clients[i]?.rate_milli ?? 0), 0) / 1000;

/** @param {number} rate */
export const rateText = (rate) => (Number.isInteger(rate) ? rate.toLocaleString("en") : rate.toFixed(1));

/**
 * The actions of one step up or down in RATES, for each producer of a topic alike.
 * @param {Model} model
 * @param {number} topic
 * @param {number} by
 * @returns {string[]}
 */
export function rateActions(model, topic, by) {
  return model.producersOf(topic).flatMap((i) => {
    const client = model.view?.clients[i];
    const now = (client?.rate_milli ?? 0) / 1000;
    const next = by > 0 ? RATES.find((rate) => rate > now) : RATES.findLast((rate) => rate < now);
    return client && next !== undefined ? [`rate ${client.id} ${next}`] : [];
  });
}
