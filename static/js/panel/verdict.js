/**
 * The verdict of a run, in the same order in every state: sign and sentence, the servers' time beside the
 * application's, one bar and its parts, one cause, a row a topic, links.
 *
 * @import {App} from "../app/app.js"
 * @import {Figures, Say} from "../words/verdictwords.js"
 * @import {Account} from "./account.js"
 * @import {Event} from "../words/narrate.js"
 */
import { useState } from "preact/hooks";
import { openAz } from "../page/actions.js";
import { clauses } from "../words/actionwords.js";
import { lostSites } from "../fold/sites.js";
import { KIND } from "../facts/facts.js";
import { readMirrorStartedOver } from "../facts/decisive.js";
import { kindOf, timeOf } from "../facts/row.js";
import { html, Icon } from "../kit/html.js";
import { copy } from "../kit/kit.js";
import { logTime } from "../words/narrate.js";
import {
  byHarm,
  goneOf,
  isHarmed,
  restText,
  ROWS_MAX,
  severityOf,
  silentUs,
  subLine,
  toldSeverity,
} from "../words/topicrows.js";
import { atStake, quorumText, stakeText, unreadOf } from "../run/atstake.js";
import { lastStated } from "../run/stated.js";
import { verdictText } from "../words/verdicttext.js";
import { CALM, figuresAt, SEVERITIES, sayTopic, statedAt, THETA_US, thetaText } from "../words/verdictwords.js";
import { headed, plural, unbroken } from "../kit/wording.js";
import { AlertList } from "./alerts.js";
import { EXACT_PARTITIONS_MAX, useAccount } from "./account.js";
import { StopBar } from "./bar.js";
import { ComingCard } from "./coming.js";
import { ByLuck, causeOf, Deciding } from "./decided.js";
import { AllFigures } from "./figures.js";
import { Failovers } from "./failovers.js";
import { Mirrors } from "./mirrors.js";
import { Recovery } from "./recovery.js";
import { TopicRow } from "./topicrow.js";
import { Why } from "./why.js";

/** before the engine has said anything of what was done */
const UNDECIDED = "Nothing is decided yet.";
/** topics that lost records whose story stands in the panel */
const TOLD_MAX = 3;
/** the part of a long sentence that opens ... */
const REST = "verdict-rest";
/** ... if it is longer than this */
const SHORT_REST = 75;
const ICONS = { ok: "check", warn: "clock", danger: "x", none: "ring" };

/**
 * @typedef {{topic: number, name: string, settings: string, figures: Figures, say: Say, deciding: Event | null, stake:
 *   string, isUsed: boolean,
 * stop: import("../run/reading.js").Stop | null, loss: ReturnType<import("../run/reading.js").Reading["lossOf"]>}} Card
 * @param {App} app
 * @param {Account | null} [account] the exact verdict of the moment shown
 * @param {Account | null} [recent] one of a moment before, since which nothing was stated
 * @returns {Card[]} worst first
 */
export function cardsOf(app, account = null, recent = null) {
  const { model } = app;
  const view = model.view;
  if (!view) return [];
  const isCalm = app.story.isCalm(model.t);
  const stated = lastStated(model);
  const cards = view.topics
    .map((topic, i) => {
      const told = account ?? recent;
      const figures = figuresAt(
        view.verdict[i],
        told?.topics.find((one) => one.topic === model.topicName(i)),
        statedAt(model.t, stated.get(i) ?? -1),
      );
      if (told && !account) figures.ackedAtUs = told.at_us;
      return { topic, i, figures };
    })
    .filter(({ i, figures }) => !model.isImplicit(i) || isHarmed(figures))
    .map(({ topic, i, figures }) => card(app, i, model.topicName(i), figures, isCalm));
  return cards.sort((a, b) => byHarm(a.figures, b.figures) || a.topic - b.topic);
}

/**
 * @param {App} app
 * @param {number} i
 * @param {string} name
 * @param {Figures} figures
 * @param {boolean} isCalm
 * @returns {Card}
 */
function card(app, i, name, figures, isCalm) {
  const { model } = app;
  const view = /** @type {import("../facts/types.js").View} */ (model.view);
  const partitions = model.partitionsOf(i);
  if (figures.handedOver) figures.unread = unreadOf(view, partitions, model.minIsr(i));
  const say = sayTopic(figures, isCalm && !isOut(figures, model.t));
  const deciding = app.story.decidingOf(figures.deciding);
  const stake = figures.lost || deciding ? null : atStake(view, partitions);
  return {
    topic: i,
    name,
    settings: settingsOf(app, i, partitions),
    figures,
    say,
    isUsed: model.acksOf(i) !== null || model.isRead(i),
    deciding: deciding && deciding.t <= model.t ? deciding : null,
    stake: stake ? stakeText(stake, model.words.node) : "",
    stop: figures.lost ? null : app.reading.stopOf(name),
    loss: figures.lost ? app.reading.lossOf(name, figures.lost) : null,
  };
}

/**
 * "acks=1 · min ISR 2"; of a topic of Kafka's own, which no producer of the document writes, "RF 3 · 50 partitions".
 * @param {App} app
 * @param {number} i
 * @param {number[]} partitions
 */
function settingsOf({ model }, i, partitions) {
  if (!model.isImplicit(i)) return `${model.acksWords(i)} · min ISR ${model.minIsr(i)}`;
  const replicas = model.view?.partitions[partitions[0] ?? -1]?.replicas.length ?? 0;
  return `RF ${replicas} · ${partitions.length} ${partitions.length === 1 ? "partition" : "partitions"}`;
}

/**
 * True if a topic is out from the start, as a pasted cluster may be; its first moment, in which followers begin to
 * fetch, does not count.
 * @param {Figures} f
 * @param {number} t
 */
const isOut = (f, t) => f.writeDownUs + f.readDownUs + f.hidden > 0 || (f.stopped > 0 && t > THETA_US);

const OF_VERDICT = /** @type {number[]} */ ([
  KIND.VERDICT_CHANGED,
  KIND.CLUSTER_VERDICT_CHANGED,
  KIND.SITE_VERDICT_CHANGED,
]);

/**
 * The moment (us) when the engine last stated figures of any topic, or its sentence on all of them; -1 without one.
 * @param {App} app
 */
function lastStatement(app) {
  const { trace, t } = app.model;
  const row = trace.decisive.findLast((one) => timeOf(one) <= t && OF_VERDICT.includes(kindOf(one)));
  return row ? timeOf(row) : -1;
}

/** @param {{app: App}} props */
export function VerdictPanel({ app }) {
  app.model.pulse.value;
  app.reading.state.value;
  const [isOpen, setOpen] = useState(false);
  const told = useAccount(app, isOpen || (app.model.view?.partitions.length ?? 0) <= EXACT_PARTITIONS_MAX);
  if (!app.model.view) return null;
  const recent = told.recent && told.recent.at_us >= lastStatement(app) ? told.recent : null;
  const cards = cardsOf(app, told.account, recent);
  const lost = cards.filter(({ figures }) => figures.lost > 0);
  const isLost = lostSites(app.model.names, app.model.view).length > 0;
  const rows = html`<${Rows} key="rows" app=${app} cards=${cards} account=${told.account} />`;
  return html`<div class="verds"><${ComingCard} app=${app} />
    <${Headline} app=${app} cards=${cards} account=${told.account ?? recent} />
    ${!isLost && rows}<${Failovers} app=${app} account=${told.account ?? recent} />
    <${Mirrors} app=${app} account=${told.account ?? recent} />${isLost && rows}
    <p class="verdict-foot"><button class="link" type="button" data-testid="copy-verdict"
      onClick=${() => copyVerdict(app, cards, told.account ?? recent)}>Copy as text</button>
      ${
        app.model.frames.length > 1 &&
        !app.model.sites.length &&
        html`<a href=${`/s/${app.boot.scenario}/az`} data-testid="open-az" onClick=${(
          /** @type {MouseEvent} */ event,
        ) => {
          event.preventDefault();
          openAz(app);
        }}>Each AZ’s loss</a>`
      }
      ${
        app.model.sites.length > 1 &&
        html`<a href=${`/s/${app.boot.scenario}/plans`} data-testid="open-plans">Fail over and back</a>
        <a href=${`/s/${app.boot.scenario}/az`} data-testid="open-az">Each cluster’s loss</a>`
      }</p>
    <div class="mores">${lost.slice(0, TOLD_MAX).map(
      (one) => html`<${Why} key=${one.name} app=${app} card=${one}
      of=${lost.length > 1 ? one.name : ""} />`,
    )}
      <${Recovery} app=${app} /></div>
    <${AlertList} app=${app} account=${told.account ?? recent} />
    <${Assumed} app=${app} />
    <${NotSimulated} app=${app} />
    <${AllFigures} app=${app} told=${told} setOpen=${setOpen} />
  </div>`;
}

/** @param {{app: App, cards: Card[], account: Account | null}} props */
function Headline({ app, cards, account }) {
  const figures = cards.map((one) => one.figures);
  const isCalm = app.story.isCalm(app.model.t) && !figures.some((f) => isOut(f, app.model.t));
  const isSettled = app.story.isSettled(app.model.t);
  const severity = isCalm ? "none" : toldSeverity(severityIn(account, figures), isSettled);
  const sentence = isCalm ? CALM.sentence : account?.sentence || sentencesOf(app.model) || statedSentence(app, cards);
  const sub = subLine(figures, sentence);
  const worst = longestStop(cards.filter((one) => one.isUsed)) ?? longestStop(cards);
  const gravest =
    cards.find((one) => isHarmed(one.figures) && causeOf(app, one)) ??
    cards.find((one) => one.loss?.decision || one.stop?.text) ??
    cards.find((one) => one.deciding) ??
    cards.find((one) => one.stake);
  return html`<section class="v" data-testid="verdict" data-severity=${severity}>
    <div class="hd"><span class=${`gl ${severity}`}><${Icon} name=${ICONS[severity]} /></span><div><${Sentence}
      app=${app} text=${sentence} />
      <p class="sub" data-testid="verdict-sub">${sub.lead}${sub.strong && html`<b>${sub.strong}</b>`}${sub.rest} ${
        !isSettled &&
        !isCalm &&
        sentence !== UNDECIDED &&
        html`<span
        class="muted" title="It may still change: until 30 s have passed in which nothing happens.">So
          far.</span>`
      }</p></div></div>
    <${StopBar} app=${app} silent=${{ name: worst?.name ?? "", us: worst ? silentUs(worst.figures) : 0 }} />
    ${gravest && html`<${Deciding} app=${app} card=${gravest} />`}<${ByLuck} app=${app} /></section>`;
}

/** The topic whose clients stood still for longest; null without one. @param {Card[]} cards */
const longestStop = (cards) =>
  cards.reduce(
    (/** @type {Card | null} */ best, one) =>
      silentUs(one.figures) > (best ? silentUs(best.figures) : 0) ? one : best,
    null,
  );

/** The verdict's sentence; what a long one goes on with is small, and opens. @param {{app: App, text: string}} props */
function Sentence({ app, text }) {
  const { lead, rest } = headed(text);
  const isOpen = app.page.opened.value.has(REST);
  return html`<div aria-live="polite" data-testid="verdict-sentence"><h3>${unbroken(lead)}</h3>${
    rest &&
    html` <p class="sub tail" data-open=${isOpen}>${unbroken(rest)}</p>${
      rest.length > SHORT_REST &&
      html`<button type="button" class="link" data-testid="verdict-more" aria-expanded=${isOpen}
        onClick=${() => app.page.open(REST, !isOpen)}>${isOpen ? "Less" : "More"}</button>`
    }`
  }</div>`;
}

/**
 * The engine's own severity of the whole run; while it has said nothing, the worst of the topics'. A run without a
 * response yet gets no praise.
 * @param {Account | null} account
 * @param {Figures[]} figures
 */
function severityIn(account, figures) {
  const worst = severityOf(figures);
  const told = SEVERITIES[account?.["severity"] ?? ""];
  return told && !(told === "ok" && worst === "none") ? told : worst;
}

/**
 * The sentences on whole clusters, each with the name that its cluster has; "" where the topics speak for themselves.
 * @param {import("../run/model.js").Model} model
 */
function sentencesOf({ names, view }) {
  if (!view?.clusters) return view?.sentence ?? "";
  const said = view.clusters.filter(({ sentence }) => sentence).map(({ name, sentence }) => `${name}: ${sentence}`);
  return said.length ? [...lostWords(names, view), ...said].join(" ") : "";
}

/** The newest start of a flow that copied again what it had copied; "" without one (MM-11). @param {App} app */
function startedOverWords({ model }) {
  const row = model.trace.decisive.findLast(
    (one) => timeOf(one) <= model.t && kindOf(one) === KIND.MIRROR_STARTED_OVER,
  );
  if (!row) return "";
  const flow = model.words.flow(readMirrorStartedOver(row).flow);
  return `${flow} found no stored offsets and began again at the earliest record.`;
}

/** @param {import("../facts/types.js").Names} names @param {import("../facts/types.js").View} view */
const lostWords = (names, view) => lostSites(names, view).map((name) => `${name} is down.`);

/**
 * The last sentence of the worst topic, with its name where there are others. The sentence on a lost quorum is before
 * it, or behind it where records are gone. Of a cluster that is down the topics of applications are told.
 * @param {App} app
 * @param {Card[]} cards
 */
function statedSentence(app, cards) {
  const { model } = app;
  const lost = model.view ? lostWords(model.names, model.view) : [];
  const [worst] = cards.filter((one) => one.figures.sentence && (one.isUsed || !lost.length));
  if (!worst) return UNDECIDED;
  const said =
    cards.length > 1 && isHarmed(worst.figures) ? `${worst.name}: ${worst.figures.sentence}` : worst.figures.sentence;
  const quorum = model.view && !model.view.clusters ? quorumText(model.view) : "";
  const told = goneOf(worst.figures) ? [said, quorum] : [quorum, said];
  return [...lost, startedOverWords(app), ...told].filter(Boolean).join(" ");
}

/** The worst topics in rows, the others in a line. @param {{app: App, cards: Card[], account: Account | null}} props */
function Rows({ app, cards, account }) {
  const all = app.page.opened.value.has("topics");
  const shown = all ? cards : cards.slice(0, ROWS_MAX);
  const rest = cards.slice(shown.length).map((one) => one.figures);
  return html`<section class="tp-rows" aria-label="Topics"><div class="h"
    aria-hidden="true"><span></span><span>Topic</span><span>lost</span><span>waited</span></div>
    ${shown.map((one) => html`<${TopicRow} key=${one.topic} app=${app} card=${one} account=${account} />`)}
    ${
      rest.length > 0 &&
      html`<button type="button" class="rest" data-testid="other-topics"
      onClick=${() => app.page.open("topics", true)}>${restText(rest)}</button>`
    }
    ${
      all &&
      cards.length > ROWS_MAX &&
      html`<button type="button" class="rest"
      onClick=${() => app.page.open("topics", false)}>Only the worst ${ROWS_MAX}</button>`
    }
    <p class="muted theta" data-testid="theta">${cards.length ? thetaText(THETA_US) : ""}</p></section>`;
}

/** The assumptions that the paste needed, repeated where they decide. @param {{app: App}} props */
function Assumed({ app }) {
  /** @type {string[]} */ const assumed = app.script.assumed;
  if (!assumed.length) return null;
  return html`<details class="assumed" data-testid="verdict-assumed"><summary>Assumed, since the paste did not
    say: ${plural(assumed.length, "value")}</summary>
    <ul>${assumed.map((line) => html`<li key=${line}>${line}</li>`)}</ul></details>`;
}

/** Keys of the document that a real cluster would follow and this one does not. @param {{app: App}} props */
function NotSimulated({ app }) {
  const lines = app.model.notSimulated;
  if (!lines.length) return null;
  return html`<details class="assumed" data-testid="not-simulated"><summary>Not simulated:
    ${plural(lines.length, "effect")} of settings</summary>
    <ul>${lines.map((line) => html`<li key=${line}>${line}</li>`)}</ul></details>`;
}

/** The cause of a card's figures, with its check. @param {App} app @param {Card} one */
function decidingText(app, one) {
  const cause = causeOf(app, one);
  return cause?.text ? `${logTime(cause.at)} s ${cause.text} ${cause.isChecked ? cause.note : ""}`.trim() : "";
}

/** @param {App} app @param {Card[]} cards @param {Account | null} account */
function copyVerdict(app, cards, account) {
  const topics = cards.map((one) => ({ ...one, deciding: decidingText(app, one) }));
  const incidents = (app.reading.answer?.incidents ?? []).map((incident) => ({
    ...incident,
    text: clauses(incident.text, app.model.words),
  }));
  for (const topic of topics)
    if (topic.loss?.decision)
      topic.loss = {
        ...topic.loss,
        decision: { ...topic.loss.decision, text: clauses(topic.loss.decision.text, app.model.words) },
      };
  copy(
    verdictText({
      title: app.title,
      t: app.model.t,
      link: app.link(),
      topics,
      assumed: app.script.assumed,
      notSimulated: app.model.notSimulated,
      incidents,
      pager: account?.["alerts"]?.sentence ?? "",
    }),
    "Verdict copied as text.",
  );
}
