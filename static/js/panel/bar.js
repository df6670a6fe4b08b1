/**
 * The longest stop as one bar, and its parts as buttons that select their span on the timeline. Without a stop the bar
 * stays, empty, with the limit that it was measured by.
 *
 * @import {App} from "../app/app.js"
 * @import {Shown, Longest} from "../words/stopbar.js"
 */
import { html } from "../kit/html.js";
import { logTime } from "../words/narrate.js";
import { longestSpan, shownParts, stopTitle, tenthsOf, tenthsText } from "../words/stopbar.js";
import { secondsText, THETA_US } from "../words/verdictwords.js";

/** a part of the bar has its time in it from this share on */
const LABELLED = 0.13;
/** and is never thinner than this share */
const LEAST = 0.016;

/**
 * @param {{app: App, silent: {name: string, us: number}}} props  silent: the topic that gave no response for longest
 */
export function StopBar({ app, silent }) {
  const { answer, state } = app.reading;
  const at = Math.round(app.model.t);
  const isAnswered = answer?.at_us === at;
  const longest = isAnswered ? answer.longest : null;
  if (longest) return html`<${Cut} app=${app} stop=${longest} whole=${silent.us - THETA_US} />`;
  if (!silent.us) return html`<${Empty} until=${at} />`;
  const hint = isAnswered ? NO_PARTS : "Pause to see its parts.";
  const waits = state.value.problem || (state.value.busy ? "The run is repeated to cut it into parts…" : hint);
  return html`<div class="bx" data-testid="stop-bar" data-us=${silent.us}><div class="bt"><b>${silent.name}</b><span
    class="num">${secondsText(silent.us)}</span></div>
    <div class="br" aria-hidden="true"><span class="p0"
      style=${{ flex: "1 1 0" }}>${secondsText(silent.us)}</span></div>
    <p class="muted hint" role="status">${waits}</p></div>`;
}

/** Of a stop that is of groups alone, or of single calls. */
const NO_PARTS = "Not cut into parts. A stop has parts where a producer gets no response or a consumer gets no record.";

/** @param {{until: number}} props */
const Empty = ({
  until,
}) => html`<div class="bx" data-testid="stop-bar" data-us="0"><div class="bt"><b>Writes and reads</b><span
  class="num">0.0 s</span></div>
  <div class="br"><span class="z">No call waited longer than ${THETA_US / 1e6} s</span></div><div
    class="ax"><span>0.000</span><span>${logTime(until)}</span></div></div>`;

/** @param {{app: App, stop: Longest, whole: number}} props  whole: all stops of the worst topic together, us */
function Cut({ app, stop, whole }) {
  const parts = shownParts(stop);
  return html`<div class="bx" data-testid="stop-bar" data-us=${stop.us}><div
    class="bt"><b>${stopTitle(stop)}${stop.us < whole && ", the longest stop"}</b><span
      class="num">${tenthsText(tenthsOf(stop.us))}</span></div>
    <div class="br" aria-hidden="true">${parts.map(
      (part) => html`<span key=${part.name} class=${part.shade}
      style=${{ flex: `${Math.max(part.us, stop.us * LEAST)} 1 0` }}
        title=${`${part.title}, ${tenthsText(part.tenths)}`}>${
          part.us > stop.us * LABELLED ? tenthsText(part.tenths) : ""
        }</span>`,
    )}</div>
    <div class="ax"><span>${logTime(stop.from_us)}</span><span>${logTime(stop.until_us)}${
      stop.is_open && ", goes on"
    }</span></div>
    <div class="parts" role="group"
      aria-label="Parts of the stop">${parts.map(
        (part) => html`<${PartLine} key=${part.name} app=${app} part=${part}
        />`,
      )}</div></div>`;
}

/** @param {{app: App, part: Shown}} props */
function PartLine({ app, part }) {
  const [from, to] = longestSpan(part);
  const now = app.page.span.value;
  const on = now?.from === from && now.to === to;
  return html`<button type="button" data-testid=${`stop-part-${part.name}`} aria-pressed=${on}
    title="Select this span on the timeline" onClick=${() => app.markSpan(on ? null : { from, to })}>
    <i class=${part.shade}></i><span><b>${part.title}</b>, ${part.detail}</span><span
      class="num">${tenthsText(part.tenths)}</span></button>`;
}
