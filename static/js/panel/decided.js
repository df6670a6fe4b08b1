/**
 * The line below the figures: the event that decided. Of a loss it is the action without which the same run loses
 * nothing, once that was checked; until then the fact that the loss goes back to, and the words that it is unchecked.
 * Of a stop it is the fact that it goes back to, until the check has refuted that and found an action instead.
 *
 * @import {App} from "../app.js"
 * @import {Card} from "./verdict.js"
 */
import { html, Icon } from "../html.js";
import { clauses } from "../actionwords.js";
import { logTime } from "../narrate.js";
import { CHECKED, foundInstead, goesBack, NO_SINGLE, UNCHECKED } from "../verdictwords.js";

/** @param {{app: App, card: Card}} props */
export function Deciding({ app, card }) {
  const { deciding, stake, figures, loss, stop } = card;
  if (figures.lost > 0) return html`<${OfLoss} app=${app} card=${card} loss=${loss} />`;
  const found = foundInstead(stop);
  if (deciding || found) {
    return html`${found ? html`<${Action} app=${app} at=${found.at_us} text=${found.text} lead="goes back to: " />` : html`<${Line} app=${app} event=${deciding} lead="goes back to: " />`}
      ${stop && html`<p class="dec" role="status" data-testid=${`stop-checked-${card.name}`}><${Icon} name="check" /><span>${stop.words}</span></p>`}`;
  }
  if (stake) return html`<p class="dec"><${Icon} name="clock" /><span>Not decided yet: ${stake}</span></p>`;
  return null;
}

/** @param {{app: App, card: Card, loss: Card["loss"]}} props */
function OfLoss({ app, card, loss }) {
  const { deciding } = card;
  if (loss?.decision) {
    return html`<${Action} app=${app} at=${loss.decision.at_us} text=${loss.decision.text} lead="decided it: " tail=${CHECKED} />`;
  }
  return html`${deciding && html`<${Line} app=${app} event=${deciding} lead=${goesBack(card.figures) || "the loss goes back to: "} />`}
    <p class="dec" role="status" data-testid="unchecked"><${Icon} name=${loss ? "check" : "clock"} /><span>${loss ? NO_SINGLE : progress(app)}</span></p>`;
}

/** @param {App} app */
function progress(app) {
  const { busy, problem } = app.reading.state.value;
  if (problem) return `Not checked: ${problem}`;
  return busy ? "Checking which action decided it: running it without one after the other…" : UNCHECKED;
}

/** An action that a run without it has shown to be what decided. @param {{app: App, at: number, text: string, lead: string, tail?: string}} props */
function Action({ app, at, text, lead, tail = "" }) {
  const seq = app.story.actionAt(at, text);
  return html`<button type="button" class="dec" data-testid="deciding-event" data-checked="yes" data-at-us=${at} data-seq=${seq} onClick=${() => app.travel.goTo(at, seq)}>
    <${Icon} name="zap" /><span><span class="num">${logTime(at)}</span> ${lead}<u>${clauses(text, app.model.words)}.</u> ${tail}</span></button>`;
}

/** @param {{app: App, event: import("../narrate.js").Event, lead: string}} props */
const Line = ({ app, event, lead }) => html`<button type="button" class="dec" data-testid="deciding-event" data-checked="no" data-seq=${event.seq} onClick=${() => app.travel.goTo(event.t, event.seq)}>
  <${Icon} name=${event.icon} /><span><span class="num">${logTime(event.t)}</span> ${lead}<u>${event.text}.</u></span></button>`;
