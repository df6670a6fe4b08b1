/**
 * Above the verdict of a run that was opened and not played yet: what it is about, what its script does next, what it
 * comes to where that is known, and the way to start it.
 *
 * @import {App} from "../app/app.js"
 */
import { COPY_TEXT, copyAndPlay } from "../page/copyrun.js";
import { html, Icon } from "../kit/html.js";
import { logTime } from "../words/narrate.js";

const NOT_MINE = "Only the one who made this run moves its clock, which stands still now.";

/** @param {{app: App}} props */
export function ComingCard({ app }) {
  app.model.pulse.value;
  const coming = app.opening.coming;
  if (!coming) return null;
  const { about, steps, rest, outcome, by } = coming;
  const isMine = app.control.value;
  if (!steps.length && !outcome && !app.story.isCalm(app.model.t)) return null; // its story is over
  return html`<section class="coming" data-testid="coming"><h3>What is coming</h3>
    ${about && html`<p data-testid="coming-about">${about}</p>`}
    ${
      steps.length > 0 &&
      html`<ol>${steps.map(
        (step) => html`<li key=${`${step.t} ${step.text}`}><span
        class="num">${logTime(step.t)} s</span> ${step.text}${
          step.drawn &&
          html` <span
          class="tag">drawn</span>`
        }</li>`,
      )}
      ${rest && html`<li class="muted">${rest}</li>`}</ol>`
    }
    ${steps.some((step) => step.drawn) && html`<p class="muted">Drawn: by the fault model, from the seed.</p>`}
    ${
      outcome &&
      html`<p data-testid="coming-outcome"><b>${by ? `By ${by} it comes to:` : "It comes to:"}</b> ${outcome}</p>`
    }
    ${!isMine && html`<p class="muted" data-testid="coming-whose">${NOT_MINE}</p>`}
    <button type="button" class="btn pri sm" data-testid="coming-play"
      onClick=${() => (isMine ? app.travel.togglePlay() : copyAndPlay(app))}><${Icon}
      name="play" />${isMine ? "Play" : COPY_TEXT}</button></section>`;
}
