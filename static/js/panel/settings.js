/**
 * The Settings tab: topics (their only place on phones), then what the document says of the cluster, each with its
 * Kafka key, and what this page does.
 *
 * @import {App} from "../app/app.js"
 */
import { AUTO_TITLE, speedText } from "../run/clock.js";
import { html } from "../kit/html.js";
import { setTheme, themeChoice } from "../kit/kit.js";
import { beyondReplicas } from "../run/minisr.js";
import { plural } from "../kit/wording.js";
import { SettingsLink } from "../kit/rulelink.js";
import { rateActions, rateOf, rateText } from "../run/rates.js";
import { ClientSettings, FlowSettings } from "./clients.js";
import { AddCluster, AddFlows } from "./clusters.js";
import { writerOf } from "../run/writers.js";
import { ThrottledReplicas, ThrottleRates } from "./throttle.js";

/** Topics with controls here; a cluster of more is reached by the map. */
const TOPICS_MAX = 40;
/** Server properties worth showing, with Kafka's defaults. */
const SERVER = /** @type {const} */ ([
  ["replica.lag.time.max.ms", "30000", "ms"],
  ["broker.session.timeout.ms", "9000", "ms"],
  ["broker.heartbeat.interval.ms", "2000", "ms"],
  ["replica.fetch.wait.max.ms", "500", "ms"],
  ["auto.leader.rebalance.enable", "true", ""],
  ["leader.imbalance.check.interval.seconds", "300", "s"],
  ["controlled.shutdown.enable", "true", ""],
  ["offsets.retention.minutes", "10080", "min"],
]);

/** @param {{app: App}} props */
export function SettingsPanel({ app }) {
  app.model.pulse.value;
  const { model } = app;
  return html`<div class="pane" data-testid="settings">
    ${(model.view?.topics ?? []).slice(0, TOPICS_MAX).map(
      (topic, i) =>
        !model.isImplicit(i) &&
        html`<${TopicSettings}
      key=${i} app=${app} topic=${i} />`,
    )}
    ${(model.sites.length ? model.sites : [null]).map(
      (site) => html`<${ClientSettings} key=${`${site?.name} clients`}
      app=${app} site=${site} /><${ClusterSettings} key=${site?.name} app=${app} site=${site} />`,
    )}
    <${FlowSettings} app=${app} /><${AddFlows} app=${app} /><${AddCluster} app=${app} />
    <${PageSettings} app=${app} />
  </div>`;
}

/** @param {{app: App, site: import("../fold/sites.js").Site | null}} props */
function ClusterSettings({ app, site }) {
  const { model } = app;
  const document = model.documentOf(site);
  const config = document.cluster?.config ?? {};
  return html`<h3>${site ? `Cluster ${site.name}` : "Cluster"}</h3>
    <dl class="fields">
      <div><dt>Kafka profile</dt><dd class="num">${document.profile ?? ""}</dd></div>
      <div><dt>ELR</dt><dd class="num">${
        document.elr === undefined || document.elr === null ? "as the profile" : document.elr ? "on" : "off"
      }</dd></div>
      <div><dt>seed</dt><dd class="num">${model.document?.seed ?? 0}</dd></div>
      <div><dt>network, one way</dt><dd
        class="num">${
          document.network?.latency ?? "1ms"
        }${document.network?.jitter ? ` ± ${document.network.jitter}` : ""}</dd></div>
      ${SERVER.map(
        ([key, fallback, unit]) => html`<div key=${key}><dt><code>${key}</code></dt><dd
        class="num">${String(
          config[key] ?? fallback,
        )}${unit && ` ${unit}`}${config[key] === undefined ? "" : " (set)"}</dd></div>`,
      )}
    </dl>
    <${ThrottleRates} app=${app} site=${site} />
    <p class="muted hint"><${SettingsLink} kind="broker">All settings, and what each decides</${SettingsLink}></p>`;
}

/** @param {{app: App, topic: number}} props */
function TopicSettings({ app, topic }) {
  const { model } = app;
  const name = model.topicName(topic);
  const writer = writerOf(model, topic);
  const minIsr = model.minIsrAsked(topic);
  const beyond = beyondReplicas(model, topic, minIsr);
  const unclean = model.isUncleanAsked(topic);
  const button = (/** @type {string} */ value, /** @type {boolean} */ on, /** @type {string} */ action) =>
    html`<button type="button" aria-pressed=${on} onClick=${() => app.act(action)}>${value}</button>`;
  return html`<fieldset class="topic-settings"><legend>${name} <span
    class="muted">${plural(model.partitionsOf(topic).length, "partition")}</span></legend>
    ${
      writer
        ? html`<div class="k" data-testid=${`settings-writer-${name}`}><span>written by</span>
            <span>${writer}</span></div>`
        : html`<${ApplicationWrites} app=${app} topic=${topic} />`
    }
    <div class="k"><code>min.insync.replicas</code><span class="step" role="group"
      aria-label="min.insync.replicas of ${name}">
      <button type="button" aria-label="Lower" disabled=${minIsr <= 1}
        onClick=${() => app.act(`config ${name} min.insync.replicas ${minIsr - 1}`)}>−</button><span
          class="num">${minIsr}</span>
      <button type="button" aria-label="Raise"
        onClick=${() => app.act(`config ${name} min.insync.replicas ${minIsr + 1}`)}>+</button></span></div>
    ${beyond && html`<p class="muted hint" data-testid=${`settings-min-isr-${name}`}>${beyond}</p>`}
    <div class="k"><code>unclean.leader.election.enable</code><span class="seg" role="group"
      aria-label="unclean election for ${name}">
      ${button("off", !unclean, `config ${name} unclean.leader.election.enable false`)}
      ${button("on", unclean, `config ${name} unclean.leader.election.enable true`)}</span></div>
    <${ThrottledReplicas} app=${app} topic=${topic} />
  </fieldset>`;
}

/** What the applications that write a topic do. @param {{app: App, topic: number}} props */
function ApplicationWrites({ app, topic }) {
  const { model } = app;
  const [name, acks] = [model.topicName(topic), model.acksOf(topic)];
  const stepRate = (/** @type {string} */ word, /** @type {number} */ by) => {
    const actions = rateActions(model, topic, by);
    return html`<button type="button" aria-label=${`${word} records per second to ${name}`} disabled=${!actions.length}
      onClick=${() => actions.forEach((action) => app.act(action))}>${by < 0 ? "−" : "+"}</button>`;
  };
  return html`<div class="k"><code>acks</code><span class="seg" role="group"
      aria-label="acks for ${name}">${["0", "1", "all"].map(
        (value) =>
          html`<button type="button" key=${value} aria-pressed=${value === acks} disabled=${acks === null}
          onClick=${() => app.act(`acks ${name} ${value}`)}>${value}</button>`,
      )}</span></div>
    <div class="k"><span>records/s</span><span class="step" role="group" aria-label="records per second to ${name}"
      data-testid=${`settings-rate-${name}`}>
      ${stepRate("Lower", -1)}<span
        class="num">${rateText(rateOf(model, topic))}</span>${stepRate("Raise", 1)}</span></div>`;
}

/** @param {{app: App}} props */
function PageSettings({ app }) {
  app.model.pulse.value;
  const theme = themeChoice();
  const speed = app.page.speed.value;
  const now = speedText(app.page.speedOf(app.model));
  return html`<h3>This page</h3>
    <div class="k"><span>Speed</span><span class="row"><span class="num">${now}</span>
      <button type="button" class="btn sm auto" aria-pressed=${speed === "auto"} data-testid="settings-speed-auto"
        title=${AUTO_TITLE} onClick=${() => app.travel.toggleAuto()}>auto</button></span></div>
    <div class="k"><span>Theme</span><span class="seg" role="group" aria-label="Theme">${
      /** @type {const} */ (["auto", "light", "dark"]).map(
        (choice) =>
          html`<button type="button" key=${choice} aria-pressed=${choice === theme} onClick=${() => {
            setTheme(choice);
            app.model.pulse.value++;
          }}>${choice}</button>`,
      )
    }</span></div>
    <label class="check"><input type="checkbox" data-testid="slow-at-events" checked=${app.travel.eases.value}
      onChange=${(/** @type {any} */ event) => app.travel.setEases(event.currentTarget.checked)}
        />Slow down at events</label>
    <label class="check"><input type="checkbox" checked=${app.page.singleKeys.value}
      onChange=${(/** @type {any} */ event) => app.page.setSingleKeys(event.currentTarget.checked)}
        />Single-letter keys</label>`;
}
