/**
 * Moves of clients between clusters in the verdict: how long the applications stood still, in parts, and what was left
 * behind.
 *
 * @import {App} from "../app/app.js"
 * @import {Account} from "./account.js"
 */
import { html, Icon } from "../kit/html.js";
import { lagText, minutes, rpoText } from "../plans/rows.js";

/** Parts of the stop: the key, and its words. */
const PARTS = /** @type {const} */ ([
  ["detect_and_decide_us", "Detect and decide"],
  ["switch_us", "Switch"],
  ["catch_up_us", "Catch up"],
]);

/** @param {{app: App, account: Account | null}} props  account: the engine's verdict of the moment shown */
export function Failovers({ app, account }) {
  /** @type {import("../plans/rows.js").Failover[]} */ const failovers = account?.["failovers"] ?? [];
  if (!failovers.length) return null;
  return html`<section class="tp-rows mirrors" aria-label="Failovers" data-testid="failovers"><div class="h"
    aria-hidden="true"><span></span><span>Failover</span><span>RTO</span><span>RPO</span></div>
    ${failovers.map(
      (one) => html`<${Failover} key=${`${one.from}-${one.to}`} app=${app} failover=${one}
      />`,
    )}</section>`;
}

/** @param {{app: App, failover: import("../plans/rows.js").Failover}} props */
function Failover({ app, failover }) {
  const id = `failover-${failover.from}-${failover.to}`;
  const line = (/** @type {string} */ name, /** @type {string} */ value) =>
    html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`;
  return html`<details data-testid=${id} open=${app.page.opened.value.has(id)}
    onToggle=${(/** @type {any} */ event) => app.page.open(id, event.currentTarget.open)}>
    <summary><${Icon} name="right" /><span><b>${failover.from} → ${failover.to}</b><small>clients have
      moved</small></span>
      <span class="f" title="From the last write in ${failover.from} until the groups have caught up in ${failover.to}">
        ${failover.rto_us < 0 ? "…" : minutes(failover.rto_us)}</span>
      <span class=${`f ${failover.rpo_records > 0 ? "stop" : ""}`}
        title="Records of ${failover.from} that were not in ${failover.to} when clients moved">
        ${failover.rpo_records < 0 ? "all" : failover.rpo_records.toLocaleString("en")}</span></summary>
    <div class="ex"><p>${failover.sentence}</p><dl
      class="vm">${PARTS.map(([key, name]) => line(name, failover[key] < 0 ? "not over" : minutes(failover[key])))}
      ${line("Not mirrored", rpoText(failover))}
      ${lagText(failover) && line("Behind: p50, p99, worst", lagText(failover))}</dl></div></details>`;
}
