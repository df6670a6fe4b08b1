/**
 * Below a loss: which action decided it, checked by running the same document without it. Asked for with a click, since
 * it repeats the run several times.
 *
 * @import {App} from "../app.js"
 */
import { useState } from "preact/hooks";
import { html } from "../html.js";
import { request } from "../kit.js";
import { logTime } from "../narrate.js";

/** @typedef {{at_us: number, text: string, lost_with: number, tried: number}} Decision */

/** @param {{app: App}} props */
export function Decided({ app }) {
  const [told, setTold] = useState("");
  const [busy, setBusy] = useState(false);
  const ask = async () => {
    setBusy(true);
    setTold("");
    try {
      const answer = await request(`/s/${encodeURIComponent(app.boot.scenario)}/decided?at_us=${Math.round(app.model.t)}`);
      setTold(words((await answer.json()).decided));
    } catch (problem) {
      setTold(problem instanceof Error ? problem.message : String(problem));
    }
    setBusy(false);
  };
  return html`<p class="dec"><span></span><span>
    <button class="link" type="button" data-testid="which-action" disabled=${busy} onClick=${ask}>${busy ? "Running it without one action after the other" : "Which action decided it?"}</button>
    <span data-testid="decided" role="status">${told && ` ${told}`}</span></span></p>`;
}

/** @param {Decision | null} decision */
function words(decision) {
  if (!decision) return "No single action: left out alone, none of them prevents the loss.";
  return `${decision.text} at ${logTime(decision.at_us)} s: without it the same run loses nothing (checked by running it without).`;
}
