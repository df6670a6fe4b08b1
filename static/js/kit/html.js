/** Templates of the panels: htm over preact, and the icon as a component. */
import htm from "htm";
import { h } from "preact";

export const html = htm.bind(h);

/** A key of a setting that may go on in the next line behind a dot. @param {string} key */
export const breakableKey = (key) => key.split(".").map((word, i) => (i ? html`.<wbr />${word}` : word));

/** @param {{name: string, extra?: string}} props */
export const Icon = ({ name, extra = "" }) =>
  html`<svg class=${`i ${extra}`} aria-hidden="true"><use href=${`#i-${name}`} /></svg>`;
