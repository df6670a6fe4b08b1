/**
 * "Why were these lost?": the chain of facts from the decisive event to each loss, every link clickable to its moment.
 *
 * @import {App} from "../app/app.js"
 * @import {Card} from "./verdict.js"
 * @import {ChainLink} from "../run/reading.js"
 */
import { html, Icon } from "../kit/html.js";
import { logTime } from "../words/narrate.js";
import { RuleLink } from "../kit/rulelink.js";
import { chainHead, untoldText } from "../words/verdictwords.js";
import { More } from "./more.js";

const ICONS = /** @type {Record<string, string>} */ ({
  acked: "check",
  missing: "link",
  setting: "gear",
  isr: "isr",
  fault: "zap",
  election: "crown",
  lost: "x",
  truncated: "cut",
});

/** @param {{app: App, card: Card, of: string}} props  of: the topic, where several have a story */
export function Why({ app, card, of }) {
  const { loss, figures, name } = card;
  if (!figures.lost) return null;
  const { answer } = app.reading;
  return html`<${More} app=${app} id=${`why-${name}`}
    summary=${`Why ${figures.lost === 1 ? "was it" : "were these"} lost?${of && ` ${of}`}`}
      onOpen=${() => app.reading.ask()}>
    ${
      loss
        ? loss.chains.map(
            (chain) => html`<${Story} key=${`${chain.partition} ${chain.epoch} ${chain.acks}`}
      app=${app} head=${chainHead(chain)} links=${chain.links} />`,
          )
        : html`<${Waits} app=${app} />`
    }
    ${loss && answer?.untold ? html`<p class="muted hint">${untoldText(answer.untold, "loss")}</p>` : null}</${More}>`;
}

/** The reason why there is no story yet. @param {{app: App}} props */
function Waits({ app }) {
  const { problem, busy } = app.reading.state.value;
  return html`<p class="muted hint"
    role="status">${
      problem ||
      (busy ? "Running it again to see who had which records…" : "Pause to see it: the run " + "is repeated for this.")
    }</p>`;
}

/** @param {{app: App, head: string, links: ChainLink[]}} props */
function Story({ app, head, links }) {
  return html`<h4 class="chain-head">${head}</h4>
    <ol class="chain">${links
      .filter((link) => link.t <= app.model.t)
      .map(
        (link) => html`<li
      key=${`${link.seq} ${link.text}`}><${Step} app=${app} link=${link} /></li>`,
      )}</ol>`;
}

/** @param {{app: App, link: ChainLink}} props */
const Step = ({ app, link }) => html`<div class=${`evl under${link.decides ? " decides" : ""}`}><button type="button"
  class=${`ev${link.role === "lost" ? " loss" : ""}`} data-testid=${`chain-${link.seq}`} data-role=${link.role}
    onClick=${() => app.travel.goTo(link.t, link.seq)}><span class="num">${logTime(link.t)}</span><${Icon}
      name=${ICONS[link.role] ?? "ring"} />
  <span>${
    link.decides &&
    html`<b>Decided
    it: </b>`
  }${link.text}</span></button>${
    link.rules.length > 0 &&
    html`<span class="rule-links">${link.rules.map((rule) => html`<${RuleLink} key=${rule} rule=${rule} />`)}</span>`
  }</div>`;
