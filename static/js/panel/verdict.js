/**
 * The verdict panel: a card per topic, the worst first; beyond three topics one card for the cluster and a table.
 *
 * @import {App} from "../app.js"
 * @import {Figures, Say} from "../verdictwords.js"
 * @import {Event} from "../narrate.js"
 */
import { html, Icon } from "../html.js";
import { copy } from "../kit.js";
import { TERMS } from "../terms.js";
import { Decided } from "./decided.js";
import { AllFigures } from "./figures.js";
import { healthOf } from "../layout.js";
import { logTime, plural } from "../narrate.js";
import { atStake, figuresOf, gravity, QUIET_US, sayTopic, secondsText, stakeText, stoppedNow, sumOf, verdictText } from "../verdictwords.js";

const CARDS_MAX = 3;

/**
 * @typedef {{topic: number, name: string, settings: string, figures: Figures, say: Say, deciding: Event | null, stake: string}} Card
 * @param {App} app
 * @returns {Card[]} worst first
 */
export function cardsOf(app) {
  const { model } = app;
  const view = model.view;
  if (!view) return [];
  const topics = view.topics.map((topic, i) => ({ topic, i })).filter(({ i }) => !model.isImplicit(i));
  const cards = topics.map(({ topic, i }) => {
    const acks = model.acksOf(i);
    const partitions = model.partitionsOf(i);
    const figures = figuresOf(view.verdict[i], acks);
    const say = sayTopic(figures, stoppedNow(view, partitions, acks, model.minIsr(i)));
    const deciding = app.eventOf(figures.deciding);
    const stake = figures.lost || deciding ? null : atStake(view, partitions);
    return { topic: i, name: topic.name, settings: `${acks === null ? "no producer" : `acks=${acks}`} · min ISR ${model.minIsr(i)}`, figures, say,
      deciding: deciding && deciding.t <= model.t ? deciding : null, stake: stake ? stakeText(stake) : "" };
  });
  return cards.sort((a, b) => gravity(b.figures) - gravity(a.figures) || a.topic - b.topic);
}

/** @param {{app: App}} props */
export function VerdictPanel({ app }) {
  app.model.pulse.value;
  if (!app.model.view) return null;
  const cards = cardsOf(app);
  const soFar = app.model.trace.end - app.lastEventTime() < QUIET_US;
  return html`<div class="verds">
    ${cards.length > CARDS_MAX ? html`<${ClusterCard} app=${app} cards=${cards} soFar=${soFar} />`
    : cards.map((card) => html`<${TopicCard} key=${card.topic} app=${app} card=${card} soFar=${soFar} />`)}
    <p class="verdict-foot"><button class="link" type="button" data-testid="copy-verdict" onClick=${() => copyVerdict(app, cards)}>Copy as text</button>
      ${app.model.racks.length > 1 && html`<a href=${`/s/${app.boot.scenario}/az`} data-testid="open-az">What each AZ’s loss does</a>`}
      <span class="muted">${cards.length ? "Down: counted from 1 s on, by the state of the servers." : ""}</span></p>
    <${Assumed} app=${app} />
    <${AllFigures} app=${app} />
  </div>`;
}

/** @param {{app: App, card: Card, soFar: boolean}} props */
function TopicCard({ app, card, soFar }) {
  const { figures: f, say } = card;
  return html`<article class=${`verd ${say.tone}`} data-testid=${`verdict-${card.name}`} data-lost=${f.lost} data-duplicated=${f.duplicated} data-hidden=${f.hidden}
      data-write-down-ms=${Math.round(f.writeDownUs / 1000)} data-read-down-ms=${Math.round(f.readDownUs / 1000)} data-acked=${f.acked}
      data-refused=${f.refused} data-unknown=${f.unknown}>
    <div class="vh1"><b>${card.name}</b><span class="settings">${card.settings}</span><span class="grow"></span>${soFar && "so far"}</div>
    <p class="say"><span class=${`gl ${say.tone}`}><${Icon} name=${say.icon} /></span><span aria-live="polite">${say.sentence}</span></p>
    <${FigureList} figures=${f} />
    <${Deciding} app=${app} card=${card} />
    ${f.lost > 0 && html`<${Decided} app=${app} />`}
  </article>`;
}

/** @param {{figures: Figures}} props */
function FigureList({ figures: f }) {
  const row = (/** @type {string} */ name, /** @type {string} */ text, /** @type {boolean} */ zero, /** @type {string} */ kind, hot = false, title = "") =>
    html`<div class=${`${kind} ${hot ? "hot" : zero ? "z" : ""}`} title=${title}><dt>${name}</dt><dd>${text}</dd></div>`;
  return html`<dl class="vm">
    ${row("Acked but lost", f.lost.toLocaleString("en"), !f.lost, "count", f.lost > 0)}
    ${row("Writes down", secondsText(f.writeDownUs), !f.writeDownUs, "time", false, TERMS["writes down"])}
    ${row("Duplicated", f.duplicated.toLocaleString("en"), !f.duplicated, "count", f.duplicated > 0)}
    ${row("Reads down", secondsText(f.readDownUs), !f.readDownUs, "time", false, TERMS["reads down"])}
    ${row("Hidden", f.hidden.toLocaleString("en"), !f.hidden, "count", false, TERMS.hidden)}
    ${row("Refused / unknown", `${f.refused.toLocaleString("en")} / ${f.unknown.toLocaleString("en")}`, !f.refused && !f.unknown, "count", false, TERMS.unknown)}
  </dl>`;
}

/** @param {{app: App, card: Card}} props */
function Deciding({ app, card }) {
  const { deciding, stake } = card;
  if (deciding) {
    return html`<button type="button" class="dec" data-testid="deciding-event" data-seq=${deciding.seq} onClick=${() => app.goTo(deciding.t, deciding.seq)}>
      <${Icon} name=${deciding.icon} /><span><span class="num">${logTime(deciding.t)}</span> decided it: <u>${deciding.text}.</u></span></button>`;
  }
  if (stake) return html`<p class="dec"><${Icon} name="clock" /><span>Not decided yet: ${stake}</span></p>`;
  return null;
}

/** @param {{app: App, cards: Card[], soFar: boolean}} props */
function ClusterCard({ app, cards, soFar }) {
  const sum = sumOf(cards.map((card) => card.figures));
  const bad = cards.filter((card) => gravity(card.figures) > 0 || card.say.tone === "wait");
  const worst = cards[0];
  const say = clusterSentence(sum, cards, bad.length, broken(app));
  const rest = cards.length - Math.min(bad.length, 12);
  return html`<article class=${`verd ${say.tone}`} data-testid="verdict-cluster" data-lost=${sum.lost} data-duplicated=${sum.duplicated} data-hidden=${sum.hidden}
      data-write-down-ms=${Math.round(sum.writeDownUs / 1000)} data-read-down-ms=${Math.round(sum.readDownUs / 1000)}>
    <div class="vh1"><b>Whole cluster</b><span class="settings">${cards.length} topics</span><span class="grow"></span>${soFar && "so far"}</div>
    <p class="say"><span class=${`gl ${say.tone}`}><${Icon} name=${say.icon} /></span><span aria-live="polite">${say.sentence}</span></p>
    ${bad.length > 0 && html`<table class="wt"><thead><tr><th scope="col">Topic</th><th scope="col">lost</th><th scope="col">writes down</th><th scope="col">reads down</th></tr></thead><tbody>
      ${bad.slice(0, 12).map((card) => html`<tr key=${card.topic} data-testid=${`verdict-${card.name}`} data-lost=${card.figures.lost}>
        <td><button type="button" class="link plain" onClick=${() => { app.model.selection.value = { kind: "topic", id: card.topic }; app.showTab("inspect"); }}>${card.name}</button></td>
        <td class=${card.figures.lost ? "b" : ""}>${card.figures.lost.toLocaleString("en")}</td><td>${secondsText(card.figures.writeDownUs)}</td><td>${secondsText(card.figures.readDownUs)}</td></tr>`)}
      ${rest > 0 && html`<tr class="rest"><td>${rest} other topics</td><td>0</td><td>0.0 s</td><td>0.0 s</td></tr>`}</tbody></table>`}
    ${worst && html`<${Deciding} app=${app} card=${worst} />`}
    ${sum.lost > 0 && html`<${Decided} app=${app} />`}
  </article>`;
}

/** Partitions that cannot be written now. @param {App} app */
function broken(app) {
  const { model } = app;
  const counts = { offline: 0, underMin: 0 };
  /** @type {Set<number>} */ const topics = new Set();
  for (const partition of model.view?.partitions ?? []) {
    if (!partition || model.isImplicit(partition.topic)) continue;
    const health = healthOf(partition, model.minIsr(partition.topic));
    if (health === "offline") counts.offline++;
    else if (health === "under-min") counts.underMin++;
    else continue;
    topics.add(partition.topic);
  }
  return { ...counts, topics: topics.size };
}

/** @param {Figures} sum @param {Card[]} cards @param {number} touched @param {{offline: number, underMin: number, topics: number}} now @returns {Say} */
function clusterSentence(sum, cards, touched, now) {
  const fine = cards.length - Math.max(now.topics, 0);
  const kept = now.topics ? ` ${fine} of ${cards.length} topics kept working.` : "";
  if (sum.lost) return { tone: "bad", icon: "x", sentence: `${sum.lost.toLocaleString("en")} acknowledged records are gone.${kept}` };
  if (now.offline || now.underMin) {
    const parts = [now.offline ? `${plural(now.offline, "partition")} ${now.offline === 1 ? "is" : "are"} offline` : "",
      now.underMin ? `${now.offline ? now.underMin.toLocaleString("en") : plural(now.underMin, "partition")} ${now.underMin === 1 ? "refuses" : "refuse"} acks=all writes` : ""];
    return { tone: now.offline ? "bad" : "wait", icon: now.offline ? "x" : "clock", sentence: `${parts.filter(Boolean).join(" and ")}.${kept}` };
  }
  if (touched) return { tone: "wait", icon: "clock", sentence: `Nothing acknowledged was lost in this run. Writes stopped for up to ${secondsText(sum.writeDownUs)}.${kept}` };
  return { tone: "ok", icon: "check", sentence: "Nothing was lost and nothing stopped." };
}

/** What the paste could not know, repeated where it decides. @param {{app: App}} props */
function Assumed({ app }) {
  /** @type {string[]} */ const assumed = app.assumed;
  if (!assumed.length) return null;
  return html`<details class="assumed"><summary>Assumed: ${assumed.length} ${assumed.length === 1 ? "thing" : "things"} the paste did not say</summary>
    <ul>${assumed.map((line) => html`<li key=${line}>${line}</li>`)}</ul></details>`;
}

/** @param {App} app @param {Card[]} cards */
function copyVerdict(app, cards) {
  const topics = cards.map((card) => ({ ...card, deciding: card.deciding ? `${logTime(card.deciding.t)} s ${card.deciding.text} ${card.deciding.rule}`.trim() : "" }));
  copy(verdictText({ title: app.title, t: app.model.t, link: app.link(), topics }), "Verdict copied as text.");
}
