/** Links to the rule book and to the settings. They open a tab of their own, so that a run goes on where it was. */
import { html } from "./html.js";

/** @param {{rule: string}} props */
export const RuleLink = ({ rule }) =>
  html`<a class="rule-link" href=${`/rules#${rule}`} target="_blank" rel="noopener"
    title=${`Rule ${rule} in the rule book, in a new tab`}>${rule}</a>`;

/** The place of the settings page that explains a kind of setting. @param {{kind: string, children?: unknown}} props */
export const SettingsLink = ({ kind, children }) =>
  html`<a href=${`/settings#${kind}`} target="_blank" rel="noopener" data-testid=${`explain-${kind}`}>${children}</a>`;
