/**
 * MirrorMaker's configuration beside several clusters: its text, the flows that it gives, and what is left out with the
 * reasons.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "../kit/html.js";
import { request } from "../kit/kit.js";
import { renaming, stateOf } from "./mirror_words.js";
import { Doubts, Unread } from "./outcome.js";
import { onDrop, onPaste } from "./pasting.js";
import { QUIET_MS, selectLine } from "./site_paste.js";

/**
 * @typedef {{label: string, reason: string | null, clusters: string[], flows: string[], left: {flow: string, reasons:
 *   string[]}[], warnings: string[], history: string[],
 *   unread: {line: number, text: string, reason: string}[], unread_more: number}} Told
 * `asked`: the request's JSON once every cluster can be built, null before. `rename` gives the clusters these names, in
 * order.
 * @param {{text: string, names: string[], asked: object | null, set: (text: string) => void, rename: (names: string[])
 *   => void}} props
 */
export function MirrorsPaste({ text, names, asked, set, rename }) {
  const [told, setTold] = useState(/** @type {Told | null} */ (null));
  const [problem, setProblem] = useState("");
  const [isOpen] = useState(Boolean(text)); // afterwards the user opens and closes it
  const area = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const body = asked && text.trim() ? JSON.stringify(asked) : "";
  useEffect(() => {
    setProblem("");
    if (!body) {
      setTold(null);
      return;
    }
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const answer = await request("/import/mirrors", {
          method: "POST",
          json: JSON.parse(body),
          signal: abort.signal,
        });
        const next = await answer.json();
        if (!abort.signal.aborted) setTold(next);
      } catch (error) {
        if (!abort.signal.aborted) {
          setTold(null);
          setProblem(/** @type {Error} */ (error).message);
        }
      }
    }, QUIET_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [body]);
  return html`<details class="card p-mirrors" data-testid="mirrors" open=${isOpen}>
    <summary><h2>MirrorMaker between them</h2><span class="soft"
      data-testid="mirrors-state">${stateOf(text, told)}</span></summary>
    <div class="p-layout">
      <label class="field p-paste"><span>Paste <code>mm2.properties</code>,
        Strimzi’s <code>KafkaMirrorMaker2</code>, or the JSON of the connectors</span>
        <textarea ref=${area} class="input" spellcheck=${false} autocomplete="off" wrap="off" data-testid="mirrors-text"
          value=${text}
          placeholder=${
            `clusters = ${names.slice(0, 2).join(", ")}\n${names[0]}->${names[1]}.enabled = ` +
            `true\n${names[0]}->${names[1]}.topics = .*`
          }
          onPaste=${(/** @type {ClipboardEvent} */ event) => onPaste(event, set)}
            onDrop=${(/** @type {DragEvent} */ event) => onDrop(event, set)}
          onInput=${(/** @type {any} */ event) => set(event.currentTarget.value)}></textarea></label>
      <div class="p-right" data-testid="mirrors-told" aria-live="polite">
        ${problem && html`<p class="error" role="alert">${problem}</p>`}
        ${text.trim() && !asked && html`<p class="soft">It is read once every cluster can be built.</p>`}
        ${
          told &&
          html`<${Flows} told=${told} names=${names} rename=${rename} /><${Doubts}
          told=${{ ...told, notes: told.history }} /><${Unread} told=${told} verb="not taken over"
            goTo=${(/** @type {number} */ line) => selectLine(area.current, line)} />`
        }
      </div></div></details>`;
}

/**
 * The flows of the document, and those that are left out.
 * @param {{told: Told, names: string[], rename: (names: string[]) => void}} props
 */
function Flows({ told, names, rename }) {
  const aliases = renaming(told, names);
  return html`<section class="card p-flows" data-testid="mirrors-flows">
    ${
      told.reason
        ? html`<p class="p-reason">${told.reason}</p>`
        : html`<ul>
      ${told.flows.map((flow) => html`<li><span class="tag ok">${flow}</span></li>`)}
      ${told.left.map(
        ({ flow, reasons }) => html`<li><span class="tag danger">${flow} is left
        out</span> ${reasons.map((reason) => html`<span>${reason} </span>`)}</li>`,
      )}</ul>`
    }
    ${
      aliases &&
      html`<button class="btn sm" type="button" data-testid="mirrors-rename"
      onClick=${() => rename(aliases)}>Call the clusters ${aliases.join(" and ")}</button>`
    }</section>`;
}
