/**
 * The bar below an embedded run: play, steps, clock and speed; what a reader waits for.
 *
 * @import {EmbedPage} from "./page.js"
 */
import { stateOf } from "../compare/side.js";
import { Buttons } from "../dock/transport.js";
import { html } from "../kit/html.js";

/** @param {{page: EmbedPage}} props */
export function Bar({ page }) {
  const { model, control, stage } = page.leader;
  const played = { model, page: page.page, control, stage, travel: page.travel };
  const told = page.players.map(stateOf).find(Boolean);
  return html`<${Buttons} app=${played} hasAuto=${false} />
    ${told && html`<span class="tag warn" role="status" title=${told} data-testid="state">${told}</span>`}`;
}
