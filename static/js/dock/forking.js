/**
 * An action in the past, or in a run of somebody else, makes a new run. This says so beforehand, and lets people choose
 * what happens to the later actions.
 *
 * @import {App} from "../app/app.js"
 */
import { render } from "preact";
import { el } from "../kit/dom.js";
import { COPY_TEXT, copyAndPlay } from "../page/copyrun.js";
import { forks } from "../page/forks.js";
import { html, Icon } from "../kit/html.js";
import { keptText, laterActions, leftText } from "../run/later.js";

/** @param {HTMLElement} root the caption bar @param {App} app */
export function startForking(root, app) {
  const place = el("div", { class: "forking" });
  root.append(place);
  render(html`<${Forking} app=${app} />`, place);
}

/** @param {{app: App}} props */
function Forking({ app }) {
  const { model } = app;
  model.pulse.value;
  if (!model.ready.value || !forks(app)) return null;
  const later = laterActions(model.document, model.trace.decisive, model.drawn, model.moment);
  const what = model.owner.value ? "An action here makes a new run" : "An action makes a copy of your own from here";
  const why = model.owner.value
    ? "This run stays as it is"
    : app.boot.frozen
      ? "This shared copy never changes"
      : "This run belongs to another browser";
  return html`<span data-testid="forking" class="says" title=${why}><${Icon} name="fork"
    />${what}${later.length > 0 && ","}</span>
    ${later.length > 0 && html`<${Choices} app=${app} later=${later} />`}
    ${
      !app.control.value &&
      html`<button type="button" class="btn sm" data-testid="copy-and-play" onClick=${() => copyAndPlay(app)}><${Icon}
        name="play" />${COPY_TEXT}</button>`
    }`;
}

/** @param {{app: App, later: import("../run/later.js").Action[]}} props */
function Choices({ app, later }) {
  const left = leftText(later, app.model.words);
  const of = (
    /** @type {import("../run/later.js").Choice} */ value,
    /** @type {string} */ text,
    /** @type {string} */ title,
  ) => html`<button type="button" aria-pressed=${app.later.value === value}
    data-testid=${`later-${value}`} title=${title} onClick=${() => {
      app.later.value = value;
    }}>${text}</button>`;
  return html`<span class="seg" role="group" aria-label="What came after">
      ${of("keep", keptText(later), "Each later action happens again, if it still can")}
      ${of("drop", "start afresh from here", left)}</span>
    ${app.later.value === "drop" && html`<span class="muted" data-testid="later-left" role="status">${left}</span>`}`;
}
