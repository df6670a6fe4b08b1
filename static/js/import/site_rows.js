/** The effect of the loss of each of several clusters: by rule, and in a run of the engine. */
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { html, Icon } from "../kit/html.js";
import { request } from "../kit/kit.js";
import { unbroken } from "../kit/wording.js";
import { ndjson } from "./ndjson.js";

/**
 * @typedef {{not_mirrored: number | null, unmirrored: number | null, not_mirrored_us: number | null, skips: number |
 *   null, rereads: number | null}} Figures  unmirrored: those of not_mirrored in topics that no flow copies
 * @typedef {{[key in keyof Figures]: [number, number] | null}} Ranges  the least and the most in the minute before
 * @typedef {{site: string, title: string, by_rule: string[], in_run: string[], figures: Figures, range: Ranges}} Row
 */

/**
 * @param {{names: string[], id: string, lines: string, action: string}} props where rows come from, and where their
 *   runs are opened
 */
function Sites({ names, id, lines, action }) {
  const [rows, setRows] = useState(/** @type {Row[]} */ ([]));
  const [problem, setProblem] = useState("");
  useEffect(() => {
    const read = async () => {
      try {
        for await (const line of ndjson(await request(lines))) {
          if (line.error) setProblem(line.error);
          else if (line.site) setRows((known) => [...known, line]);
        }
      } catch (error) {
        setProblem(/** @type {Error} */ (error).message);
      }
    };
    void read();
  }, []);
  return html`<div class="site-rows" data-testid="site-rows" data-done=${rows.length === names.length}>
    <h1>What each cluster’s loss does</h1>
    <p class="lead">
      ${unbroken("Each cluster is lost after 150 s and stays away for 30 s. Then the figures are read.")}</p>
    ${problem && html`<p class="note danger" role="alert"><${Icon} name="warning" />${problem}</p>`}
    ${names.map(
      (name) => html`<${Card} key=${name} name=${name} row=${rows.find(({ site }) => site === name)}
      waits=${!problem} action=${action} />`,
    )}
    <div class="row"><a class="btn" href=${`/s/${id}/plans`}>Fail over and back</a><a class="btn"
      href=${`/what-if/new?doc=${id}`}>What-if: many seeds</a><a class="btn ghost"
        href=${`/s/${id}`}>Open the run</a></div></div>`;
}

/** @param {{name: string, row: Row | undefined, waits: boolean, action: string}} props */
function Card({ name, row, waits, action }) {
  if (!row)
    return html`<section class="card"><h2>${name} goes dark</h2><p class="soft"
      role="status">${waits ? "Its run is computed." : "Not computed."}</p></section>`;
  return html`<section class="card" data-testid=${`site-${name}`} aria-label=${row.title}><h2>${row.title}</h2>
    ${
      row.figures.not_mirrored !== null &&
      html`<dl class="site-figures">
      <${Figure} row=${row} of="not_mirrored" name="Not mirrored" note=${writtenIn(row.figures)} />
      <${Figure} row=${row} of="skips" name="Groups skip" note="records" />
      <${Figure} row=${row} of="rereads" name="Groups read again" note="records" /></dl>`
    }
    <div class="split"><div><h3>By
      rule</h3><ul>${row.by_rule.map((text) => html`<li>${unbroken(text)}</li>`)}</ul></div>
      <div><h3>In a run</h3><ul>${row.in_run.map((text) => html`<li>${unbroken(text)}</li>`)}</ul></div></div>
    <form class="az-runs" method="post" action=${action}><input type="hidden" name="csrfmiddlewaretoken"
      value=${csrfToken()} /><input type="hidden" name="site" value=${name}
        /><p>Open this loss as a run, paused just before it:</p>
      <button type="submit" class="btn sm" data-testid=${`site-run-${name}`}><${Icon} name="play"
        />${row.title}</button></form></section>`;
}

const csrfToken = () =>
  /** @type {HTMLMetaElement | null} */ (document.querySelector("meta[name=csrf-token]"))?.content ?? "";

/** @param {Figures} figures */
const writtenIn = ({ not_mirrored: records, unmirrored, not_mirrored_us: us }) => {
  if (!records) return "records";
  const share = unmirrored === records ? "all" : unmirrored?.toLocaleString("en");
  const alone = unmirrored ? `, ${share} of them in topics that are not copied` : "";
  return `records${alone}, written in ${((us ?? 0) / 1e6).toFixed(1)} s`;
};

/** @param {{row: Row, of: keyof Figures, name: string, note: string}} props */
function Figure({ row, of, name, note }) {
  const value = row.figures[of] ?? 0;
  const [least, most] = row.range[of] ?? [value, value];
  return html`<div data-testid=${`figure-${of}`}><dt>${name}</dt><dd
    data-value=${value}>${value.toLocaleString("en")} <small>${note}</small></dd>
    <dd><small>${
      least === most ? "The same" : `${least.toLocaleString("en")} to ${most.toLocaleString("en")}`
    } in the minute before</small></dd></div>`;
}

const root = /** @type {HTMLElement} */ (document.getElementById("sites"));
const names = JSON.parse(/** @type {HTMLElement} */ (document.getElementById("names")).textContent ?? "[]");
render(
  html`<${Sites} names=${names} id=${root.dataset.id ?? ""} lines=${root.dataset.lines ?? ""}
    action=${root.dataset.open ?? ""} />`,
  root,
);
