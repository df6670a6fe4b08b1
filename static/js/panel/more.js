/**
 * A part of a verdict card that opens on a click, and stays open.
 *
 * @import {App} from "../app/app.js"
 */
import { html } from "../kit/html.js";

/** @param {{app: App, id: string, summary: string, onOpen?: () => void, children?: any}} props */
export function More({ app, id, summary, onOpen, children }) {
  const open = app.page.opened.value.has(id);
  const turn = () => {
    app.page.open(id, !open);
    if (!open) onOpen?.();
  };
  const onClick = (/** @type {Event} */ event) => {
    event.preventDefault(); // the toggle event comes later: a card that is drawn anew in between would stay closed
    turn();
  };
  const onToggle = (/** @type {any} */ event) => event.currentTarget.open !== open && turn(); // by a search in the page
  return html`<details class="more" data-testid=${id} open=${open}
    onToggle=${onToggle}><summary onClick=${onClick}>${summary}</summary>${open && children}</details>`;
}
