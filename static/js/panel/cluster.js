/**
 * One card for a cluster of many topics: what the engine says of them all, the sums, a table of the topics that did
 * worst, one line for the rest.
 *
 * @import {App} from "../app.js"
 * @import {Card} from "./verdict.js"
 */
import { html, Icon } from "../html.js";
import { plural } from "../wording.js";
import { count, gravity, sayTopic, secondsText, sumOf, unitsText } from "../verdictwords.js";
import { FigureList } from "./counts.js";
import { Deciding } from "./decided.js";
import { Details } from "./details.js";
import { Why, WhyVanished } from "./why.js";

const TOPICS_MAX = 12;
/** topics that lost records whose decision and story stand on the card */
const TOLD_MAX = 3;

/** @param {{app: App, cards: Card[], sentence: string, soFar: boolean}} props */
export function ClusterCard({ app, cards, sentence, soFar }) {
  const sum = { ...sumOf(cards.map((card) => card.figures)), sentence };
  const bad = cards.filter((card) => gravity(card.figures) > 0 || card.say.tone === "wait");
  const losing = cards.filter((card) => card.figures.lost + card.figures.vanished > 0).slice(0, TOLD_MAX);
  const told = losing.length ? losing : cards.slice(0, 1);
  const say = sayTopic(sum, cards.every((card) => card.say.tone === "none"));
  return html`<article class=${`verd ${say.tone}`} data-testid="verdict-cluster" data-lost=${sum.lost} data-duplicated=${sum.duplicated} data-hidden=${sum.hidden}
      data-refused=${sum.refused} data-unknown=${sum.unknown} data-acked=${sum.acked} data-write-down-ms=${Math.round(sum.writeDownUs / 1000)} data-read-down-ms=${Math.round(sum.readDownUs / 1000)}>
    <div class="vh1"><b>Whole cluster</b><span class="settings">${cards.length} topics</span><span class="grow"></span>${soFar && "so far"}</div>
    <p class="say"><span class=${`gl ${say.tone}`}><${Icon} name=${say.icon} /></span><span aria-live="polite">${say.sentence}</span></p>
    <p class="units" data-testid="units-cluster">${unitsText(sum)}</p>
    <${FigureList} app=${app} figures=${sum} />
    ${bad.length > 0 && html`<${Topics} app=${app} cards=${bad} rest=${cards.length - Math.min(bad.length, TOPICS_MAX)} />`}
    ${told.map((card) => html`<div key=${card.topic}>${told.length > 1 && html`<h4 class="chain-head">${card.name}</h4>`}<${Deciding} app=${app} card=${card} /><${Why} app=${app} card=${card} /><${WhyVanished} app=${app} card=${card} />
      <${Details} app=${app} card=${card} /></div>`)}
  </article>`;
}

/** @param {{app: App, cards: Card[], rest: number}} props */
function Topics({ app, cards, rest }) {
  const inspect = (/** @type {number} */ topic) => {
    app.model.selection.value = { kind: "topic", id: topic };
    app.showTab("inspect");
  };
  return html`<div class="scroll-x"><table class="wt tight"><thead><tr><th scope="col">Topic</th><th scope="col">lost</th><th scope="col">twice</th><th scope="col">hidden</th>
      <th scope="col">refused</th><th scope="col">unknown</th><th scope="col">writes down</th><th scope="col">reads down</th></tr></thead>
    <tbody>${cards.slice(0, TOPICS_MAX).map(({ topic, name, figures: f }) => html`<tr key=${topic} data-testid=${`verdict-${name}`} data-lost=${f.lost} data-duplicated=${f.duplicated} data-hidden=${f.hidden}
        data-refused=${f.refused} data-unknown=${f.unknown} data-acked=${f.acked}>
        <td><button type="button" class="link plain" onClick=${() => inspect(topic)}>${name}</button></td>
        <td class=${f.lost ? "b" : ""}>${count(f.lost)}</td><td class=${f.duplicated ? "b" : ""}>${count(f.duplicated)}</td><td>${count(f.hidden)}</td><td>${count(f.refused)}</td><td>${count(f.unknown)}</td>
        <td>${secondsText(f.writeDownUs)}</td><td>${secondsText(f.readDownUs)}</td></tr>`)}
      ${rest > 0 && html`<tr class="rest"><td colspan="8">${plural(rest, "other topic")}: nothing lost, nothing stopped</td></tr>`}</tbody></table></div>`;
}
