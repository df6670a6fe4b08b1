/**
 * The bar below an embedded run: play, steps, clock and speed; the letters of several runs; what a reader waits for.
 *
 * @import {EmbedPage} from "./page.js"
 */
import { Letter, letterOf, stateOf } from "../compare/side.js";
import { Buttons } from "../dock/transport.js";
import { html } from "../kit/html.js";

/** @param {{page: EmbedPage}} props */
export function Bar({ page }) {
  const { model, control, stage } = page.leader;
  const played = { model, page: page.page, control, stage, travel: page.travel };
  const told = page.players.map(stateOf).find(Boolean);
  return html`<${Buttons} app=${played} hasAuto=${false} />
    ${told && html`<span class="tag warn" role="status" title=${told} data-testid="state">${told}</span>`}
    ${page.players.length > 1 && html`<${Letters} page=${page} />`}`;
}

/** The run that a narrow frame shows. @param {{page: EmbedPage}} props */
const Letters = ({ page }) =>
  html`<div class="seg letters">${page.players.map(
    ({ boot }, i) => html`<button type="button" aria-pressed=${page.tab.value === letterOf(i)} title=${boot.title}
      aria-label=${`${letterOf(i).toUpperCase()}: ${boot.title}`} data-testid=${`tab-${letterOf(i)}`} onClick=${() => {
        page.tab.value = letterOf(i);
      }}><${Letter} side=${i} /></button>`,
  )}</div>`;
