/**
 * The Alerts dialog: the rules of the document, to change, add and remove, or to set back to the default ones. A change
 * makes a new run.
 *
 * @import {App} from "../app/app.js"
 * @import {AlertsAnswer} from "../run/alerts.js"
 */
import { signal } from "@preact/signals";
import { render } from "preact";
import { must } from "../kit/dom.js";
import { html, Icon } from "../kit/html.js";
import { withAlerts, writtenAlerts } from "../run/alerts.js";
import { startWith } from "./actions.js";
import { hashTime } from "./moment.js";

const COMPARISONS = [">", ">=", "<", "<=", "==", "!="];
const NEW_RULE = { metric: "UnderReplicatedPartitions", of: "", comparison: ">", figure: "0", for: "" };

/** @typedef {{name: string, metric: string, of: string, comparison: string, figure: string, for: string}} TypedRule */
const rules = signal(/** @type {TypedRule[]} */ ([]));
const scrape = signal("");
const metrics = signal(/** @type {string[]} */ ([]));
const problem = signal("");
const isMaking = signal(false);

/** @param {App} app */
export function startAlerting(app) {
  const dialog = must("alerts-dialog");
  render(html`<${AlertsDialog} app=${app} />`, must("alerts-body"));
  new MutationObserver(() => /** @type {HTMLDialogElement} */ (dialog).open && load(app)).observe(dialog, {
    attributeFilter: ["open"],
  });
}

/** The rules as they are when the dialog opens. @param {App} app */
async function load(app) {
  problem.value = "";
  await app.alerts.ask();
  const { answer } = app.alerts;
  if (answer.value) fill(answer.value);
  else problem.value = "The rules could not be read. Close this and try again.";
}

/** @param {AlertsAnswer} answer */
function fill({ alerts, metrics: names }) {
  scrape.value = alerts.scrape;
  metrics.value = names;
  rules.value = alerts.rules.map(({ name, metric, of, comparison, figure, for: hold }) => ({
    name,
    metric,
    of: of ?? "",
    comparison,
    figure: String(figure),
    for: hold,
  }));
}

/** @param {{app: App}} props */
function AlertsDialog({ app }) {
  return html`<h2 id="alerts-title">Alerts</h2>
    <p class="soft">Rules as in Prometheus. They change nothing in the run; a change of the rules makes a new one.</p>
    <form onSubmit=${(/** @type {Event} */ event) => {
      event.preventDefault();
      save(app, writtenAlerts(scrape.value.trim(), rules.value), "The same run with other alert rules.");
    }}>
      <label class="field alerts-scrape">Scrape interval<input class="input num" name="scrape" required
        value=${scrape.value} onInput=${(/** @type {any} */ event) => {
          scrape.value = event.currentTarget.value;
        }} /></label>
      <ul class="alert-rules">${rules.value.map((rule, i) => html`<${Rule} key=${i} rule=${rule} index=${i} />`)}</ul>
      <button type="button" class="btn sm" data-testid="add-alert" onClick=${add}><${Icon} name="plus" />Add a
        rule</button>
      ${problem.value && html`<p class="error" role="alert">${problem.value}</p>`}
      <div class="dialog-foot"><button type="submit" class="btn pri" data-testid="save-alerts"
        disabled=${isMaking.value}>Run with these rules</button>
        <button type="button" class="btn" data-closes>Close</button><span class="grow"></span>
        <button type="button" class="btn ghost" data-testid="reset-alerts" disabled=${isMaking.value}
          onClick=${() => save(app, null, "The same run with the default alert rules.")}>Reset to the default
          rules</button></div>
    </form>`;
}

/** @param {{rule: TypedRule, index: number}} props */
function Rule({ rule, index }) {
  const field = (/** @type {keyof TypedRule} */ key, /** @type {string} */ label, more = {}) =>
    html`<label class="field"><span>${label}</span><input class="input" name=${key} value=${rule[key]} ...${more}
      onInput=${(/** @type {any} */ event) => set(index, key, event.currentTarget.value)} /></label>`;
  const choice = (
    /** @type {keyof TypedRule} */ key,
    /** @type {string} */ label,
    /** @type {string[]} */ options,
  ) => html`<label class="field"><span>${label}</span><select class="input" name=${key} value=${rule[key]}
      onChange=${(/** @type {any} */ event) => set(index, key, event.currentTarget.value)}>${options.map(
        (one) => html`<option key=${one} value=${one}>${one}</option>`,
      )}</select></label>`;
  return html`<li data-testid="edit-rule"><fieldset><legend class="vh">Rule ${index + 1}</legend>
    ${field("name", "Name", { required: true })}${choice("metric", "Metric", metrics.value)}
    ${field("of", "Of", { placeholder: "all" })}${choice("comparison", "Is", COMPARISONS)}
    ${field("figure", "Figure", { required: true, inputmode: "decimal", type: "number", min: 0, step: "any" })}
    ${field("for", "For", { placeholder: "at once" })}
    <button type="button" class="btn ghost icon" aria-label=${`Remove the rule ${rule.name}`} title="Remove"
      onClick=${() => remove(index)}><${Icon} name="trash" /></button></fieldset></li>`;
}

/** @param {number} index @param {keyof TypedRule} key @param {string} value */
function set(index, key, value) {
  rules.value = rules.value.map((rule, i) => (i === index ? { ...rule, [key]: value } : rule));
}

function add() {
  rules.value = [...rules.value, { ...NEW_RULE, name: `Rule ${rules.value.length + 1}` }];
}

/** @param {number} index */
function remove(index) {
  rules.value = rules.value.filter((_, i) => i !== index);
}

/** @param {App} app @param {any} alerts @param {string} flash */
async function save(app, alerts, flash) {
  problem.value = "";
  isMaking.value = true;
  await startWith(app, (document) => withAlerts(document, alerts), flash, {
    pageOf: (url) => `${url}#t=${hashTime(app.model.moment)}`,
    told: (text) => {
      problem.value = text;
    },
  });
  isMaking.value = false;
}
