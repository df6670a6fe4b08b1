/**
 * The alerts in the verdict: how the pager stood to the loss, each rule with its alerts, incidents that no alert saw,
 * and alerts with nothing behind them.
 *
 * @import {App} from "../app/app.js"
 * @import {Account} from "./account.js"
 * @import {AlertIncident, Alerts, AlertSpan} from "../run/alerts.js"
 */
import { html } from "../kit/html.js";
import { copy, openDialog } from "../kit/kit.js";
import { plural } from "../kit/wording.js";
import { NEVER } from "../run/alerts.js";
import { clauses } from "../words/actionwords.js";
import { logTime } from "../words/narrate.js";
import { More } from "./more.js";

/** alerts of one rule that are told one by one */
const TIMES_MAX = 6;

/** @param {{app: App, account: Account | null}} props  account: the engine's verdict of the moment shown */
export function AlertList({ app, account }) {
  const alerts = /** @type {Alerts | undefined} */ (account?.["alerts"]);
  return html`${alerts && html`<p class="pager" data-testid="pager">${alerts.sentence}</p>`}
    <div class="mores"><${More} app=${app} id="alerts" summary="Alerts">
      ${alerts ? html`<${Told} app=${app} alerts=${alerts} />` : html`<p class="muted hint">Pause to see them.</p>`}
      <p class="row alert-acts"><button type="button" class="btn sm" data-testid="edit-alerts"
        onClick=${() => openDialog("alerts-dialog")}>Edit alerts</button>
        <button type="button" class="btn sm" data-testid="copy-rules"
          onClick=${() => copyRules(app)}>Copy as Prometheus rules</button></p>
    </${More}></div>`;
}

/** @param {{app: App, alerts: Alerts}} props */
function Told({ app, alerts }) {
  const { rules, spans, unseen, idle, untold } = alerts;
  const firings = (/** @type {number} */ i) => spans.filter((span) => span.rule === i && span.firing_us !== NEVER);
  return html`<p class="muted hint">Prometheus scrapes every ${alerts.scrape}.</p>
    <ul class="incidents">${rules.map(
      (rule, i) => html`<li key=${rule.name} data-testid="alert-rule" data-state=${rule.state}><b>${rule.name}</b>
        <span class=${`state ${rule.state}`}>${rule.state}</span><p>${rule.words}</p>
        <${Times} app=${app} spans=${firings(i)} /></li>`,
    )}</ul>
    ${untold > 0 && html`<p class="muted hint">${plural(untold, "more alert")}.</p>`}
    ${unseen.length > 0 && html`<${Unseen} app=${app} incidents=${unseen} untold=${alerts.untold_unseen} />`}
    ${idle.length > 0 && html`<${Idle} app=${app} alerts=${alerts} />`}`;
}

/** @param {{app: App, incidents: AlertIncident[], untold: number}} props */
function Unseen({ app, incidents, untold }) {
  const end = (/** @type {AlertIncident} */ one) =>
    one.to_us === NEVER ? " until now" : ` to ${logTime(one.to_us)} s`;
  return html`<h4>No alert saw</h4><ul class="incidents" data-testid="unseen">${incidents.map(
    (one) =>
      html`<li key=${one.from_us}><${Moment} app=${app} at=${one.from_us} />${end(one)}${
        one.text && `: ${clauses(one.text, app.model.words)}`
      }${one.lost > 0 && html`, <b class="bad">${plural(one.lost, "record")} lost</b>`}</li>`,
  )}</ul>${untold > 0 && html`<p class="muted hint">and ${untold} more</p>`}`;
}

/** @param {{app: App, alerts: Alerts}} props */
function Idle({ app, alerts: { idle, untold_idle: untold, rules } }) {
  return html`<h4>The cluster was whole when these fired</h4><ul class="incidents" data-testid="idle">${idle.map(
    (one) => html`<li key=${`${one.rule} ${one.series} ${one.firing_us}`}>${rules[one.rule]?.name} at <${Moment}
      app=${app} at=${one.firing_us} /></li>`,
  )}</ul>${untold > 0 && html`<p class="muted hint">and ${untold} more</p>`}`;
}

/** When a rule fired, for each series. @param {{app: App, spans: AlertSpan[]}} props */
function Times({ app, spans }) {
  const rest = spans.length - TIMES_MAX;
  return html`${spans.slice(0, TIMES_MAX).map(
    (span) => html`<p key=${`${span.series} ${span.firing_us}`}>${span.series || "all together"}: fires from <${Moment}
      app=${app} at=${span.firing_us} />${span.ended_us === NEVER ? "" : ` to ${logTime(span.ended_us)} s`}</p>`,
  )}${rest > 0 && html`<p>and ${rest} more</p>`}`;
}

/** A moment that leads there. @param {{app: App, at: number}} props  us */
const Moment = ({ app, at }) =>
  html`<button type="button" class="link num moment" onClick=${() => app.travel.goTo(at)}>${logTime(at)} s</button>`;

/** @param {App} app */
async function copyRules(app) {
  if (!app.alerts.answer.value) await app.alerts.ask();
  const answer = app.alerts.answer.value;
  if (answer) await copy(answer.file, "Rule file copied. Prometheus reads it with rule_files.");
}
