/** The import page: the pasted text on the left, what is read of it on the right, and the cluster built from both. */
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { html, Icon } from "../html.js";
import { read, request } from "../kit.js";
import { Assumed } from "./assumed.js";
import { AzEditor } from "./az_editor.js";
import { BrokerState } from "./broker_state.js";
import { Matrix } from "./matrix.js";
import { Counts, Doubts, Unread } from "./outcome.js";
import { onDrop, onPaste } from "./pasting.js";
import { isController, racksOf, withNodes } from "./places.js";
import { EXAMPLE } from "./example.js";
import { NO_PASTE, pasteFrom, pasteText, STORE, withText } from "./kept_paste.js";

const QUIET_MS = 250;

/**
 * @typedef {{id: number, state: string, rack: string | null, guess: string, leads: number}} BrokerRow
 * @typedef {{key: string, value: unknown, why: string, edit: string, choices: unknown[]}} Assumption
 * @typedef {{line: number, text: string, reason: string, noise: boolean}} UnreadLine
 * @typedef {{status: string, kind: string, label: string, reason: string | null, can_build: boolean,
 *   summary: Record<string, number | null>, warnings: string[], notes: string[], unread: UnreadLine[], unread_more: number,
 *   assumptions: Assumption[], brokers?: BrokerRow[], controllers?: {id: number, rack: string | null, from: string, broker?: number | null}[], matrix?: {rows: [string, number, number[], number[]][], more: number}}} Told
 */

function Page() {
  const [paste, setPaste] = useState(() => pasteFrom(read(sessionStorage, STORE)));
  const { text, assumed, places: byHand, hasControllers } = paste;
  const [told, setTold] = useState(/** @type {Told | null} */ (null));
  const [problem, setProblem] = useState("");
  const [refused, setRefused] = useState(/** @type {Record<string, string>} */ ({}));
  const [busy, setBusy] = useState(false);
  const area = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const places = told?.brokers ? withNodes(byHand, told.brokers.map(({ id, rack, guess }) => ({ id, rack: rack ?? guess })), told.controllers ?? [], hasControllers) : null;
  const placed = byHand ? sentPlaces(byHand, hasControllers) : { racks: {} };
  const setText = (/** @type {string} */ next) => setPaste((known) => withText(known, next));

  /** Says what went wrong; of refused assumptions each is told beside its field, and the rest of the paste stays. */
  const fail = (/** @type {any} */ error) => {
    setProblem(error.message);
    setRefused(error.body?.refused ?? {});
    if (error.body?.told) setTold(error.body.told);
  };

  useEffect(() => {
    try { sessionStorage.setItem(STORE, pasteText(paste)); } catch { /* storage is forbidden or full: going back starts anew */ }
    if (!text.trim()) { setTold(null); setProblem(""); setRefused({}); return; }
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const answer = await request("/import/preview", { method: "POST", json: { text, assumed: filled(assumed), ...placed }, signal: abort.signal });
        const next = await answer.json();
        if (abort.signal.aborted) return; // something newer is asked already
        setTold(next);
        setProblem("");
        setRefused({});
      } catch (error) {
        if (!abort.signal.aborted) fail(error);
      }
    }, QUIET_MS);
    return () => { clearTimeout(timer); abort.abort(); };
  }, [paste]);

  const edit = (/** @type {string} */ key, /** @type {any} */ value) => {
    const [name, broker] = key.split(".");
    setPaste((known) => ({
      ...known,
      assumed: broker ? { ...known.assumed, states: { ...(known.assumed.states ?? {}), [broker]: value } } : { ...known.assumed, [name]: value },
      hasControllers: known.hasControllers && name !== "controllers", // another number of them is placed anew
    }));
  };
  const move = (/** @type {import("./places.js").Places} */ next) => setPaste((known) => ({ ...known, places: next, hasControllers: known.hasControllers || controllersDiffer(places, next) }));
  const build = async () => {
    setBusy(true);
    try {
      const answer = await request("/import/build", { method: "POST", json: { text, assumed: filled(assumed), ...(places ? sentPlaces(places, hasControllers) : {}) } });
      location.href = (await answer.json()).url;
    } catch (error) {
      fail(error);
      setBusy(false);
    }
  };
  const start = (/** @type {string} */ next) => { setPaste({ ...NO_PASTE, text: next }); area.current?.focus(); };
  const goTo = (/** @type {number} */ line) => selectLine(area.current, line);

  return html`<div class="p-layout">
    <div class="p-left">
      <label class="field p-paste"><span>Paste here, at best with the output of <code>kafka-topics.sh --describe</code></span>
        <textarea ref=${area} class="input" spellcheck=${false} autocomplete="off" wrap="off" data-testid="import-text" value=${text}
          placeholder=${"Topic: orders\tPartitionCount: 3\tReplicationFactor: 3\tConfigs: min.insync.replicas=2\n\tTopic: orders\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2,3"}
          onPaste=${(/** @type {ClipboardEvent} */ event) => onPaste(event, setText)} onDrop=${(/** @type {DragEvent} */ event) => onDrop(event, setText)}
          onInput=${(/** @type {any} */ event) => setText(event.currentTarget.value)}></textarea></label>
      <div class="row p-under"><button class="btn sm" type="button" data-testid="import-example" onClick=${() => start(EXAMPLE)}>Use an example</button>
        ${text && html`<button class="btn sm ghost" type="button" data-testid="import-clear" onClick=${() => start("")}>Clear</button>`}
        ${told && html`<span class="soft end">${told.label}</span>`}</div>
      ${told && html`<${Unread} told=${told} goTo=${goTo} />`}
    </div>
    <div class="p-right" data-testid="import-preview" aria-live="polite">
      ${told ? html`<${Counts} told=${told} /><${Doubts} told=${told} />` : html`<${Nothing} />`}
      ${told?.matrix && told.brokers && html`<${Matrix} matrix=${told.matrix} brokers=${told.brokers} racks=${places ? racksOf(places).racks : {}} />`}
      ${told?.brokers && places && html`<div class="card flush" data-testid="import-racks"><${AzEditor} title="Which AZ is each broker in?" places=${places} change=${move} down=${downOf(told.brokers)} pairs=${pairsOf(told.controllers ?? [])}
        tools=${!byHand && told.brokers.every((one) => !one.rack) && html`<span class="tag warn">guessed from ids</span>`}
        below=${(/** @type {string[]} */ keys) => html`<${BrokerState} keys=${keys} brokers=${told.brokers} states=${assumed.states ?? {}} edit=${edit} />`} /></div>`}
      ${told?.brokers && html`<${Assumed} assumptions=${told.assumptions} given=${assumed} refused=${refused} edit=${edit} />`}
    </div>
    <footer class="p-foot">
      <p class="soft">The text itself is not kept there: this tab remembers it until you close it. The cluster made of it stays on this server until you delete it, and so does each run you open from it. No connection to your cluster is made.</p>
      <label class="check"><input type="checkbox" data-testid="neutral-names" checked=${Boolean(assumed.neutral_names)}
        onChange=${(/** @type {any} */ event) => edit("neutral_names", event.currentTarget.checked)} />Neutral topic names, for sharing</label>
      ${problem && html`<p class="error" role="alert" data-testid="import-error">${problem}</p>`}
      <button class="btn pri" type="button" data-testid="import-build" disabled=${busy || !told?.can_build || Object.keys(refused).length > 0} onClick=${build}>${told?.kind === "document" ? "Open this document" : busy ? "Building" : "Build this cluster"}</button>
    </footer></div>`;
}

const Nothing = () => html`<section class="card p-empty"><${Icon} name="paste" />
  <h2>Nothing pasted yet</h2>
  <p class="soft">Brokers, topics, replicas, leaders, ISRs, dead brokers and configs are taken from the text, in the state it shows. What cannot be read is listed line by line; what has to be assumed can be edited.</p></section>`;

/** Controllers in the process of a broker. @param {{id: number, broker?: number | null}[]} controllers */
const pairsOf = (controllers) => Object.fromEntries(controllers.filter((one) => typeof one.broker === "number").map((one) => [`c${one.id}`, `b${one.broker}`]));

/** @param {BrokerRow[]} brokers */
const downOf = (brokers) => brokers.filter((one) => one.state !== "running").map((one) => one.id);

/** Places as they are sent: controllers that nobody moved are placed by the server. @param {import("./places.js").Places} places @param {boolean} hasControllers */
function sentPlaces(places, hasControllers) {
  const { racks, controllers } = racksOf(places);
  return hasControllers ? { racks, controllers } : { racks };
}

/** Whether a controller stands elsewhere. @param {import("./places.js").Places | null} before @param {import("./places.js").Places} after */
const controllersDiffer = (before, after) => Object.keys(after.at).some((key) => isController(key) && after.at[key] !== before?.at[key]);

/**
 * The assumptions that hold a value: an emptied field is one on the way to another value, and asks for the default.
 * @param {Record<string, any>} assumed
 */
const filled = (assumed) => Object.fromEntries(Object.entries(assumed).filter(([, value]) => value !== "" && value !== undefined));

/**
 * Selects a line of the text and scrolls to it.
 * @param {HTMLTextAreaElement | null} area
 * @param {number} line from 1
 */
function selectLine(area, line) {
  if (!area || line < 1) return;
  const lines = area.value.split(/\r\n|\r|\n/);
  const from = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  area.focus();
  area.setSelectionRange(from, from + (lines[line - 1] ?? "").length);
  area.scrollTop = (area.scrollHeight / Math.max(1, lines.length)) * (line - 3);
}

const host = document.getElementById("import");
if (host) { host.replaceChildren(); render(html`<${Page} />`, host); }
