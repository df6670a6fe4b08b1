/**
 * The line below the figures: the event that decided. Of a loss it is the action without which the same run loses
 * nothing, once that was checked; until then the fact that the loss goes back to, and the words that it is unchecked.
 *
 * @import {App} from "../app.js"
 * @import {Card} from "./verdict.js"
 */
import { html, Icon } from "../html.js";
import { clauses } from "../actionwords.js";
import { logTime } from "../narrate.js";
import { CHECKED, goesBack, NO_SINGLE, UNCHECKED } from "../verdictwords.js";

/** @param {{app: App, card: Card}} props */
export function Deciding({ app, card }) {
  const { deciding, stake, figures, loss } = card;
  if (figures.lost > 0) return html`<${OfLoss} app=${app} card=${card} loss=${loss} />`;
  if (deciding) {
    const checked = app.reading.stopOf(card.name);
    return html`<${Line} app=${app} event=${deciding} lead="goes back to: " />${checked && html`<p class="dec" role="status" data-testid=${`stop-checked-${card.name}`}><${Icon} name="check" /><span>${checked}</span></p>`}`;
  }
  if (stake) return html`<p class="dec"><${Icon} name="clock" /><span>Not decided yet: ${stake}</span></p>`;
  return null;
}

/** @param {{app: App, card: Card, loss: Card["loss"]}} props */
function OfLoss({ app, card, loss }) {
  const { deciding } = card;
  if (loss?.decision) {
    const { at_us: at, text } = loss.decision;
    const seq = app.story.actionAt(at, text);
    return html`<button type="button" class="dec" data-testid="deciding-event" data-checked="yes" data-at-us=${at} data-seq=${seq} onClick=${() => app.travel.goTo(at, seq)}>
      <${Icon} name="zap" /><span><span class="num">${logTime(at)}</span> decided it: <u>${clauses(text, app.model.words)}.</u> ${CHECKED}</span></button>`;
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

/** @param {{app: App, event: import("../narrate.js").Event, lead: string}} props */
const Line = ({ app, event, lead }) => html`<button type="button" class="dec" data-testid="deciding-event" data-checked="no" data-seq=${event.seq} onClick=${() => app.travel.goTo(event.t, event.seq)}>
  <${Icon} name=${event.icon} /><span><span class="num">${logTime(event.t)}</span> ${lead}<u>${event.text}.</u></span></button>`;
