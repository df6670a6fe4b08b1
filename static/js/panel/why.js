/**
 * "Why were these lost?": the chain of facts from the decisive event to each loss, every link clickable to its moment.
 *
 * @import {App} from "../app.js"
 * @import {Card} from "./verdict.js"
 * @import {Chain, ChainLink} from "../reading.js"
 */
import { html, Icon } from "../html.js";
import { logTime } from "../narrate.js";
import { chainHead, untoldText } from "../verdictwords.js";
import { More } from "./more.js";

const ICONS = /** @type {Record<string, string>} */ ({ acked: "check", missing: "link", setting: "gear", isr: "isr", fault: "zap", election: "crown", lost: "x", truncated: "cut" });

/** @param {{app: App, card: Card}} props */
export function Why({ app, card }) {
  const { loss, figures, name } = card;
  if (!figures.lost) return null;
  const { answer, state } = app.reading;
  return html`<${More} app=${app} id=${`why-${name}`} summary=${`Why ${figures.lost === 1 ? "was it" : "were these"} lost?`} onOpen=${() => app.reading.ask()}>
    ${loss ? loss.chains.map((chain) => html`<${Story} key=${`${chain.partition} ${chain.epoch} ${chain.acks}`} app=${app} chain=${chain} />`)
      : html`<p class="muted hint" role="status">${state.value.problem || (state.value.busy ? "Running it again to see who had which records…" : "Pause to see it: the run is repeated for this.")}</p>`}
    ${loss && answer?.untold ? html`<p class="muted hint">${untoldText(answer.untold, "loss")}</p>` : null}</${More}>`;
}

/** @param {{app: App, chain: Chain}} props */
function Story({ app, chain }) {
  const links = chain.links.filter((link) => link.t <= app.model.t);
  return html`<h4 class="chain-head">${chainHead(chain)}</h4>
    <ol class="chain">${links.map((link) => html`<li key=${`${link.seq} ${link.text}`}><${Step} app=${app} link=${link} /></li>`)}</ol>`;
}

/** @param {{app: App, link: ChainLink}} props */
const Step = ({ app, link }) => html`<button type="button" class=${`ev${link.role === "lost" ? " loss" : ""}${link.decides ? " decides" : ""}`} data-testid=${`chain-${link.seq}`} data-role=${link.role}
    onClick=${() => app.travel.goTo(link.t, link.seq)}><span class="num">${logTime(link.t)}</span><${Icon} name=${ICONS[link.role] ?? "ring"} />
  <span>${link.decides && html`<b>Decided it: </b>`}${link.text} ${link.rules.map((rule) => html`<span class="r" key=${rule} title="Rule ${rule} of the Kafka semantics">${rule} </span>`)}</span></button>`;
