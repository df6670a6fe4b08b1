/**
 * The replication throttle (FET-19) in the Settings tab: the rates of a cluster, and the replicas that a topic lists.
 * Only where the document tells sizes: elsewhere logs are small, and a throttle slows nothing.
 *
 * @import {App} from "../app/app.js"
 */
import { breakableKey, html } from "../kit/html.js";
import { RuleLink } from "../kit/rulelink.js";
import { isListedAsked, listKey, rateAction, rateAsked, rateKey } from "../run/throttle.js";

const SIDES = /** @type {const} */ (["follower", "leader"]);
const RATES = [Infinity, 10e6, 50e6, 100e6];

/** @param {{app: App, site: import("../fold/sites.js").Site | null}} props */
export function ThrottleRates({ app, site }) {
  if (!app.model.documentOf(site).basis?.log_mb) return null;
  return html`${SIDES.map((side) => {
    const now = rateAsked(app.model, site, side);
    return html`<div class="k" key=${side}><code>${breakableKey(rateKey(side))}</code><span class="seg" role="group"
      aria-label=${rateKey(side)} data-testid=${`throttle-${side}`}>${[...new Set([...RATES, now])].map(
        (rate) => html`<button type="button" key=${rate} aria-pressed=${rate === now}
        onClick=${() => app.act(rateAction(site, side, rate))}>${said(rate)}</button>`,
      )}</span></div>`;
  })}
  <p class="muted hint">MB/s. Slows only replicas out of the ISR, of topics that list them as throttled.${" "}
    <${RuleLink} rule="FET-19" /></p>`;
}

/** @param {{app: App, topic: number}} props */
export function ThrottledReplicas({ app, topic }) {
  const { model } = app;
  if (!model.documentOf(model.siteOfTopic(topic)).basis?.log_mb) return null;
  const name = model.topicName(topic);
  return html`${SIDES.map((side) => {
    const isAll = isListedAsked(model, topic, side);
    const button = (/** @type {string} */ text, /** @type {boolean} */ on, /** @type {string} */ value) =>
      html`<button type="button" aria-pressed=${on}
      onClick=${() => app.act(`config ${name} ${listKey(side)} ${value}`)}>${text}</button>`;
    return html`<div class="k" key=${side}><code>${breakableKey(listKey(side))}</code><span class="seg" role="group"
      aria-label="${listKey(side)} of ${name}" data-testid=${`throttled-${side}-${name}`}>
      ${button("none", !isAll, "none")}${button("all", isAll, "*")}</span></div>`;
  })}`;
}

/** @param {number} rate */
const said = (rate) => (rate === Infinity ? "none" : (rate / 1e6).toLocaleString("en"));
