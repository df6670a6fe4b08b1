/** The words on a configuration that others come to as well: in the form and in the table. */
import { html } from "../kit/html.js";

/** @typedef {{letter: string, also?: string[], as_in_run?: boolean}} Named */

/** @param {{variant: Named | undefined}} props */
export const AsInRun = ({ variant }) =>
  variant?.as_in_run
    ? html` <span class="tag" title="But for the failures this is the run itself"
      data-testid=${`as-in-run-${variant.letter}`}>settings of the run</span>`
    : null;

/** @param {{variant: Named | undefined}} props */
export const Also = ({ variant }) =>
  variant?.also?.length
    ? html`<p class="help" data-testid=${`also-${variant.letter}`}>The same run with ${variant.also.join(" or ")}, so it
      is run once.</p>`
    : null;
