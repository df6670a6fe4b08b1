/**
 * The people in the room, in the header of a run that more than one browser looks at, or that belongs to another one.
 *
 * @import {App} from "../app/app.js"
 */
import { render } from "preact";
import { html, Icon } from "../kit/html.js";
import { listed, plural } from "../kit/wording.js";

/** @param {HTMLElement} root @param {App} app */
export function startPeople(root, app) {
  render(html`<${People} app=${app} />`, root);
}

/** @param {{app: App}} props */
function People({ app }) {
  const { here, owner } = app.people.value;
  const mine = app.model.owner.value;
  if (!app.model.ready.value || app.boot.frozen || (mine && here < 2)) return null;
  return html`<span class="tag people" data-testid="people" role="status"
    title=${peopleText(here, owner, mine)}><${Icon} name="people" /><span class="num"
      aria-hidden="true">${here}</span><span class="wide">${peopleText(here, owner, mine)}</span></span>`;
}

/**
 * "3 here: you (owner) and 2 others".
 * @param {number} here browsers
 * @param {boolean} owner somebody here may act
 * @param {boolean} mine this browser may
 */
export function peopleText(here, owner, mine) {
  const you = mine ? ["you (owner)"] : owner ? ["the owner", "you"] : ["you"];
  const others = here - you.length;
  const names = others > 0 ? [...you, plural(others, "other")] : you;
  return `${here} here: ${listed(names)}${owner || mine ? "" : "; the owner is away"}`;
}
