/**
 * The settings of clients and of MirrorMaker's flows, in the Settings tab: a part to open for each.
 *
 * @import {App} from "../app/app.js"
 * @import {Client, Key} from "../run/clientsettings.js"
 */
import { startWith } from "../page/actions.js";
import { clientsOf, defaultOf, flowsOf, RACK, racksOf, withSetting } from "../run/clientsettings.js";
import { breakableKey, html } from "../kit/html.js";
import { SettingsLink } from "../kit/rulelink.js";
import { plural } from "../kit/wording.js";

/** Clients with fields here; a document with more of them is edited as a file. */
const CLIENTS_MAX = 40;

const NOUN = /** @type {const} */ ({ producers: "Producer", consumers: "Consumer", mirrors: "Flow" });

/** @typedef {import("../fold/sites.js").Site | null} Site */

/** @param {{app: App, site: Site}} props */
export function ClientSettings({ app, site }) {
  const part = app.model.documentOf(site);
  const title = `Clients${site ? ` of ${site.name}` : ""}`;
  return html`<${Owners} app=${app} site=${site} title=${title} owners=${clientsOf(part)} racks=${racksOf(part)}>
    With a <code>client.rack</code>, brokers have the <code>RackAwareReplicaSelector</code>.</${Owners}>`;
}

/** @param {{app: App}} props */
export function FlowSettings({ app }) {
  return html`<${Owners} app=${app} site=${null} title="MirrorMaker" owners=${flowsOf(app.model.document)}
    racks=${[]} />`;
}

/** @param {{app: App, site: Site, title: string, owners: Client[], racks: string[], children?: unknown}} props */
function Owners({ app, site, title, owners, racks, children }) {
  if (!owners.length) return null;
  return html`<fieldset class="topic-settings"><legend>${title}</legend>
    ${owners.slice(0, CLIENTS_MAX).map(
      (client) => html`<details key=${client.kind + client.id} data-testid=${`client-${client.id}`}><summary>${
        NOUN[client.kind]
      } ${client.id}${setOf(client)}</summary>
      ${keysOf(app, client, racks).map(
        (key) => html`<${Setting} key=${key.name} app=${app} site=${site} client=${client} setting=${key} />`,
      )}</details>`,
    )}
    ${
      owners.length > CLIENTS_MAX &&
      html`<p class="muted hint">${owners.length - CLIENTS_MAX} more are in the document.</p>`
    }
    <p class="muted hint">A process reads its settings at its start. So a change makes a new run from 0, with the
      actions of this one. An empty field takes Kafka’s default. ${children}
      <${SettingsLink} kind=${owners.some(({ kind }) => kind === "mirrors") ? "mirror" : "producer"}>What each
      decides</${SettingsLink}></p>
  </fieldset>`;
}

/** @param {Client} client */
function setOf({ config, rack }) {
  const number = Object.keys(config).length + (rack ? 1 : 0);
  return number ? html` <span class="muted">${plural(number, "setting")} of its own</span>` : "";
}

/** @param {App} app @param {Client} client @param {string[]} racks @returns {Key[]} */
const keysOf = (app, client, racks) => [
  ...(client.kind === "consumers" && racks.length ? [{ name: RACK, default: "none", unit: "", choices: racks }] : []),
  ...app.boot.client_keys[client.kind],
];

/** @param {{app: App, site: Site, client: Client, setting: Key}} props */
function Setting({ app, site, client, setting }) {
  const { name } = setting;
  const own = name === RACK ? client.rack : String(client.config[name] ?? "");
  const usual = String(defaultOf(setting, client, app.boot.client_keys.defaults));
  const choose = (/** @type {string} */ value) =>
    startWith(
      app,
      (document) => withSetting(document, site?.name, client, name, value),
      `A new run, in which ${name} of ${client.id} is ${value || `${usual}, the default`}.`,
    );
  const told = {
    class: own ? "input" : "input usual",
    "data-testid": `${client.id}-${name}`,
    onChange: (/** @type {any} */ event) => choose(event.currentTarget.value.trim()),
  };
  const choices = new Set([...setting.choices.filter((one) => one !== usual), ...(own ? [own] : [])]);
  const field = setting.choices.length
    ? html`<select ...${told} value=${own}><option value="">${usual}</option>${[...choices].map(
        (one) => html`<option key=${one} value=${one}>${one}</option>`,
      )}</select>`
    : html`<input ...${told} defaultValue=${own} placeholder=${usual} autocomplete="off" spellcheck=${false} />`;
  return html`<label class="k"><span><code>${breakableKey(name)}</code>${unitOf(setting)}</span>${field}</label>`;
}

/** What a value counts, where the name does not say it. @param {Key} setting */
const unitOf = ({ name, unit }) => (unit && !/\.(ms|seconds)$/.test(name) ? ` ${unit}` : "");
