/**
 * RPO and RTO of each fault, as the engine observed them when it ran the document again.
 *
 * @import {App} from "../app/app.js"
 */
import { html } from "../kit/html.js";
import { clauses } from "../words/actionwords.js";
import { logTime } from "../words/narrate.js";
import { untoldText } from "../words/verdictwords.js";
import { More } from "./more.js";

const PARTS =
  "Detect: until a commit found out who was gone; back unnoticed: it was there again before. Settle: acks=all waits " +
  "for the high watermark. Client: metadata, back-off, timeouts.";

/** @param {{app: App}} props */
export function Recovery({ app }) {
  const { state, answer } = app.reading;
  const { busy, problem } = state.value;
  const incidents = (answer?.incidents ?? []).filter((incident) => incident.at_us <= app.model.t);
  const waits =
    problem ||
    (busy
      ? "Running it again to see what each fault cost…"
      : answer
        ? "No fault so far."
        : "Pause and open this again: the run is repeated for it.");
  return html`<${More} app=${app} id="recovery" summary="RPO and RTO of each fault" onOpen=${() => app.reading.ask()}>
    ${
      incidents.length
        ? html`<p class="muted hint">As seen up to ${logTime(answer?.at_us ?? 0)} s. ${PARTS}</p><ul
          class="incidents">${incidents.map(
            (incident) => html`<li key=${incident.at_us}>
      <button type="button" class="link" data-testid=${`incident-${incident.at_us}`}
        onClick=${() => app.travel.goTo(incident.at_us)}><span
          class="num">${logTime(incident.at_us)}</span> ${clauses(incident.text, app.model.words)}</button>
      ${incident.words.map((line) => html`<p key=${line}>${line}.</p>`)}</li>`,
          )}</ul>${
            answer?.untold_incidents
              ? html`<p
            class="muted hint">${untoldText(answer.untold_incidents, "fault")}.</p>`
              : null
          }`
        : html`<p class="muted hint" role="status">${waits}</p>`
    }</${More}>`;
}
