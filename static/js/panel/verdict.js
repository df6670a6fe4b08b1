/**
 * The verdict panel: a card per topic, the worst first; beyond three topics one card for the cluster and a table.
 *
 * @import {App} from "../app.js"
 * @import {Figures, Say} from "../verdictwords.js"
 * @import {Account} from "./account.js"
 * @import {Event} from "../narrate.js"
 */
import { useState } from "preact/hooks";
import { hasHappened, openAz } from "../actions.js";
import { clauses } from "../actionwords.js";
import { KIND } from "../facts.js";
import { html, Icon } from "../html.js";
import { copy } from "../kit.js";
import { logTime } from "../narrate.js";
import { atStake, figuresAt, foundInstead, gravity, QUIET_US, sayTopic, stakeText, statedAt, THETA_US, thetaText, unitsText, unreadOf, verdictText } from "../verdictwords.js";
import { useAccount } from "./account.js";
import { ComingCard } from "./coming.js";
import { ClusterCard } from "./cluster.js";
import { Deciding } from "./decided.js";
import { Details } from "./details.js";
import { AllFigures } from "./figures.js";
import { FigureList } from "./counts.js";
import { Recovery } from "./recovery.js";
import { Why, WhyVanished } from "./why.js";

const CARDS_MAX = 3;
/** partitions up to which the exact figures are asked for by themselves when time stands */
const EXACT_PARTITIONS_MAX = 64;

/**
 * @typedef {{topic: number, name: string, settings: string, figures: Figures, say: Say, deciding: Event | null, stake: string,
 *   stop: import("../reading.js").Stop | null, loss: ReturnType<import("../reading.js").Reading["lossOf"]>, vanished: ReturnType<import("../reading.js").Reading["vanishedOf"]>}} Card
 * @param {App} app
 * @param {Account | null} [account] the exact verdict of the moment shown
 * @returns {Card[]} worst first
 */
export function cardsOf(app, account = null) {
  const { model } = app;
  const view = model.view;
  if (!view) return [];
  const isCalm = app.story.isCalm(model.t);
  const topics = view.topics.map((topic, i) => ({ topic, i })).filter(({ i }) => !model.isImplicit(i));
  const cards = topics.map(({ topic, i }) => {
    const partitions = model.partitionsOf(i);
    const figures = figuresAt(view.verdict[i], account?.topics.find((one) => one.topic === topic.name), statedAt(model.t, lastStated(app, i)));
    if (figures.handedOver) figures.unread = unreadOf(view, partitions, model.minIsr(i));
    const say = sayTopic(figures, isCalm && !isOut(figures, model.t));
    const deciding = app.story.decidingOf(figures.deciding);
    const stake = figures.lost || deciding ? null : atStake(view, partitions);
    return { topic: i, name: topic.name, settings: `${model.acksWords(i)} · min ISR ${model.minIsr(i)}`, figures, say,
      deciding: deciding && deciding.t <= model.t ? deciding : null, stake: stake ? stakeText(stake) : "",
      stop: figures.lost ? null : app.reading.stopOf(topic.name), loss: figures.lost ? app.reading.lossOf(topic.name, figures.lost) : null,
      vanished: figures.vanished ? app.reading.vanishedOf(topic.name, figures.vanished) : null };
  });
  return cards.sort((a, b) => gravity(b.figures) - gravity(a.figures) || a.topic - b.topic);
}

/** Whether a topic is out from the start, as a pasted cluster may be; its first moment, in which followers begin to fetch, does not count. @param {Figures} f @param {number} t */
const isOut = (f, t) => f.writeDownUs + f.readDownUs + f.hidden > 0 || (f.stopped > 0 && t > THETA_US);

/** When a topic last stated its figures, us; -1 if it has not. @param {App} app @param {number} topic */
function lastStated(app, topic) {
  const { trace, t } = app.model;
  const row = trace.decisive.findLast((one) => one[1] <= t && one[2] === KIND.VERDICT_CHANGED && one[4] === topic);
  return row ? row[1] : -1;
}

/** @param {{app: App}} props */
export function VerdictPanel({ app }) {
  app.model.pulse.value;
  app.reading.state.value;
  const [isOpen, setOpen] = useState(false);
  const told = useAccount(app, isOpen || (app.model.view?.partitions.length ?? 0) <= EXACT_PARTITIONS_MAX);
  if (!app.model.view) return null;
  const cards = cardsOf(app, told.account);
  const soFar = app.model.trace.end - app.story.lastTime() < QUIET_US;
  return html`<div class="verds"><${ComingCard} app=${app} />
    ${cards.length > CARDS_MAX ? html`<${ClusterCard} app=${app} cards=${cards} sentence=${told.account?.sentence ?? app.model.view.sentence} soFar=${soFar} />`
    : cards.map((card) => html`<${TopicCard} key=${card.topic} app=${app} card=${card} soFar=${soFar} />`)}
    <p class="verdict-foot"><button class="link" type="button" data-testid="copy-verdict" onClick=${() => copyVerdict(app, cards)}>Copy as text</button>
      ${app.model.racks.length > 1 && html`<a href=${`/s/${app.boot.scenario}/az`} data-testid="open-az" onClick=${(/** @type {MouseEvent} */ event) => { if (hasHappened(app)) { event.preventDefault(); openAz(app); } }}>What each AZ’s loss does</a>`}
      <span class="muted" data-testid="theta">${cards.length ? thetaText(THETA_US) : ""}</span></p>
    <${Assumed} app=${app} />
    <${Recovery} app=${app} />
    <${AllFigures} app=${app} told=${told} setOpen=${setOpen} />
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
    <p class="units" data-testid=${`units-${card.name}`}>${unitsText(f)}</p>
    <${FigureList} app=${app} figures=${f} />
    <${Deciding} app=${app} card=${card} />
    <div class="mores"><${Why} app=${app} card=${card} /><${WhyVanished} app=${app} card=${card} /><${Details} app=${app} card=${card} /></div>
  </article>`;
}

/** What the paste could not know, repeated where it decides. @param {{app: App}} props */
function Assumed({ app }) {
  /** @type {string[]} */ const assumed = app.script.assumed;
  if (!assumed.length) return null;
  return html`<section class="assumed" data-testid="verdict-assumed"><h4>Assumed, since the paste did not say</h4>
    <ul>${assumed.map((line) => html`<li key=${line}>${line}</li>`)}</ul></section>`;
}

/** What a card's figures go back to, with the check of it. @param {App} app @param {Card} card */
function decidingText(app, { deciding, stop }) {
  const found = foundInstead(stop);
  if (found) return `${logTime(found.at_us)} s ${clauses(found.text, app.model.words)}. ${found.words}`;
  return deciding ? `${logTime(deciding.t)} s ${deciding.text} ${deciding.rule}`.trim() : "";
}

/** @param {App} app @param {Card[]} cards */
function copyVerdict(app, cards) {
  const topics = cards.map((card) => ({ ...card, deciding: decidingText(app, card) }));
  const incidents = (app.reading.answer?.incidents ?? []).map((incident) => ({ ...incident, text: clauses(incident.text, app.model.words) }));
  for (const topic of topics) if (topic.loss?.decision) topic.loss = { ...topic.loss, decision: { ...topic.loss.decision, text: clauses(topic.loss.decision.text, app.model.words) } };
  copy(verdictText({ title: app.title, t: app.model.t, link: app.link(), topics, assumed: app.script.assumed, incidents }), "Verdict copied as text.");
}
