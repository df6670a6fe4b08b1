/**
 * A topic's figures by partition and by client: every fate, and the time out by the state of the servers for both acks.
 * The engine counts them at the drawn moment.
 *
 * @import {App} from "../app/app.js"
 * @import {Card} from "./verdict.js"
 * @import {Plain} from "../run/reading.js"
 */
import { html } from "../kit/html.js";
import { logTime } from "../words/narrate.js";
import { count, FATES, secondsText, thetaText } from "../words/verdictwords.js";
import { useAccount } from "./account.js";
import { More } from "./more.js";

const ROWS_MAX = 60;

/** @param {{app: App, card: Card}} props */
export const Details = ({ app, card }) =>
  html`<${More} app=${app} id=${`details-${card.name}`} summary="By partition and client"><${Tables} app=${app}
    name=${card.name} /></${More}>`;

/** @param {{app: App, name: string}} props */
function Tables({ app, name }) {
  const { account, problem, still, at } = useAccount(app, true);
  const topic = account?.topics.find((one) => one.topic === name);
  if (!account)
    return html`<p class="muted hint"
      role="status">${problem || (still ? `Counting up to ${logTime(at)} s` : "Pause to see them.")}</p>`;
  if (!topic) return html`<p class="muted hint">Nothing was written yet.</p>`;
  return html`<p class="muted hint">At ${logTime(account.at_us)} s. ${thetaText(account.theta_us)}</p>
    <${Partitions} app=${app} topic=${topic} />
    <p class="hint" data-testid=${`seen-${name}`}>As clients saw it: writes stood still for up
      to ${secondsText(topic.write_down_client_us)}, reads for up to ${secondsText(topic.read_down_client_us)}.
      Exposed for ${secondsText(topic.exposed_us)}: acknowledged records on fewer live copies than min
        ISR.${topic.sent_again && ` ${topic.sent_again}.`}</p>
    <${Fates} topic=${topic} />`;
}

/** @param {{app: App, topic: Plain}} props */
function Partitions({ app, topic }) {
  const rows = [...topic.partitions].sort((a, b) => worst(b) - worst(a) || a.partition - b.partition);
  return html`<div class="scroll-x"><table class="wt"><caption>By the servers: seconds not writable and not
    readable</caption>
    <thead><tr><th scope="col">Partition</th><th scope="col">acks=all</th><th scope="col">acks=1</th><th
      scope="col">reads</th><th scope="col">lost</th><th scope="col">hidden</th></tr></thead>
    <tbody>${rows.slice(0, ROWS_MAX).map(
      (row) => html`<tr key=${row.partition}
        data-testid=${`partition-figures-${row.partition}`}><td>${app.model.partitionName(row.partition)}</td>
      <td>${secondsText(row.write_down_all_us)}</td>
      <td>${secondsText(row.write_down_1_us)}</td><td>${secondsText(row.read_down_us)}</td>
      <td class=${row.lost ? "b" : ""}>${count(row.lost)}</td><td>${count(row.hidden)}</td></tr>`,
    )}
      ${
        rows.length > ROWS_MAX &&
        html`<tr class="rest"><td colspan="6">and ${count(rows.length - ROWS_MAX)} partitions
        that did no worse</td></tr>`
      }</tbody></table></div>`;
}

/** @param {Plain} row */
const worst = (row) => row.lost * 1e12 + row.write_down_all_us + row.write_down_1_us + row.read_down_us;

/** The fates of records: the topic's, then each client's. @param {{topic: Plain}} props */
function Fates({ topic }) {
  /** @type {Plain[]} */ const clients = topic.clients ?? [];
  return html`<div class="scroll-x"><table class="wt"><caption>What became of the records</caption>
    <thead><tr><th scope="col">Fate</th><th
      scope="col">${topic.topic}</th>${clients.map(
        (client) => html`<th scope="col"
        key=${client.client}>${client.client}</th>`,
      )}</tr></thead>
    <tbody>${FATES.filter(([key]) => topic[key] || key === "acked" || key === "lost").map(
      ([key, words]) => html`<tr key=${key} data-testid=${`fate-${topic.topic}-${key}`}><td>${words}</td>
      <td class=${key === "lost" && topic[key] ? "b" : ""}>${count(topic[key])}</td>${clients.map(
        (client) => html`<td
        key=${client.client}>${key in client ? count(client[key]) : ""}</td>`,
      )}</tr>`,
    )}</tbody></table></div>`;
}
