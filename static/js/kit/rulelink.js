/** The id of a rule as a link to the rule book. It opens a tab of its own, so that a run goes on where it was. */
import { html } from "./html.js";

/** @param {{rule: string}} props */
export const RuleLink = ({ rule }) =>
  html`<a class="rule-link" href=${`/rules#${rule}`} target="_blank" rel="noopener"
    title=${`Rule ${rule} in the rule book, in a new tab`}>${rule}</a>`;
