/**
 * The caption of runs on one clock: the last one that has come in any of them, with the letter of its run.
 *
 * @import {Player} from "../page/player.js"
 */
import { html } from "../kit/html.js";
import { newestCaption, partsOf } from "../run/captions.js";
import { Letter } from "./side.js";

/** @param {{players: Player[]}} props */
export function Caption({ players }) {
  for (const { model } of players) model.pulse.value;
  const told = newestCaption(players.map(({ script, model }) => script.captionAt(model.t)));
  if (!told) return null;
  const { lead, rest } = partsOf(told.text);
  return html`<div class="cap" data-testid="caption">${players.length > 1 && html`<${Letter} side=${told.side} />`}
    <p aria-live="polite">${lead && html`<b>${lead}</b> `}${rest}</p></div>`;
}
