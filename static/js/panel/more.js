/**
 * A part of a verdict card that opens on a click, and stays open.
 *
 * @import {App} from "../app/app.js"
 */
import { html } from "../kit/html.js";

/** @param {{app: App, id: string, summary: string, onOpen?: () => void, children?: any}} props */
export function More({ app, id, summary, onOpen, children }) {
  const open = app.page.opened.value.has(id);
  const toggle = (/** @type {any} */ event) => {
    if (event.currentTarget.open === open) return;
    app.page.open(id, !open);
    if (!open) onOpen?.();
  };
  return html`<details class="more" data-testid=${id} open=${open}
    onToggle=${toggle}><summary>${summary}</summary>${open && children}</details>`;
}
