/** One pasted cluster: its text on the left, what is read of it on the right, and what was set beside it. */
import { useEffect, useRef } from "preact/hooks";
import { html, Icon } from "../kit/html.js";
import { request } from "../kit/kit.js";
import { Assumed } from "./assumed.js";
import { AzEditor } from "./az_editor.js";
import { BrokerState } from "./broker_state.js";
import { EXAMPLE } from "./example.js";
import { NO_PASTE, withText } from "./kept_paste.js";
import { Matrix } from "./matrix.js";
import { Counts, Doubts, Unread } from "./outcome.js";
import { onDrop, onPaste } from "./pasting.js";
import { isController, racksOf, withNodes } from "./places.js";

export const QUIET_MS = 250;

/**
 * @typedef {{id: number, state: string, rack: string | null, guess: string, leads: number}} BrokerRow
 * @typedef {{key: string, value: unknown, why: string, edit: string, choices: unknown[]}} Assumption
 * @typedef {{line: number, text: string, reason: string, noise: boolean}} UnreadLine
 * @typedef {{status: string, kind: string, label: string, reason: string | null, can_build: boolean,
 * summary: Record<string, number | null>, warnings: string[], notes: string[], unread: UnreadLine[], unread_more:
 * number, assumptions: Assumption[], brokers?: BrokerRow[], controllers?: {id: number, rack: string | null, from:
 * string, broker?: number | null}[], matrix?: {rows: [string, number, number[], number[]][], more: number}}} Told
 * @typedef {{told: Told | null, problem: string, refused: Record<string, string>}} Answer
 * @typedef {import("./kept_paste.js").Paste} Paste
 */

/** @type {Answer} */
export const NO_ANSWER = { told: null, problem: "", refused: {} };

/**
 * The answer after a failure: refused assumptions are told beside their fields, and the rest of the paste stays.
 * @param {Answer} known
 * @param {any} error
 * @returns {Answer}
 */
export const failed = (known, error) => ({
  told: error.body?.told ?? known.told,
  problem: error.message,
  refused: error.body?.refused ?? {},
});

/**
 * @param {{paste: Paste, change: (next: (known: Paste) => Paste) => void, answer: Answer}} props
 */
export function SitePaste({ paste, change, answer }) {
  const { text, assumed, places: byHand } = paste;
  const { told, refused } = answer;
  const area = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const places = nodePlaces(paste, told);
  const setText = (/** @type {string} */ next) => change((known) => withText(known, next));
  const edit = (/** @type {string} */ key, /** @type {any} */ value) => {
    const [name, broker] = key.split(".");
    change((known) => ({
      ...known,
      assumed: broker
        ? { ...known.assumed, states: { ...(known.assumed.states ?? {}), [broker]: value } }
        : { ...known.assumed, [name]: value },
      hasControllers: known.hasControllers && name !== "controllers", // another number of them is placed anew
    }));
  };
  const move = (/** @type {import("./places.js").Places} */ next) =>
    change((known) => ({
      ...known,
      places: next,
      hasControllers: known.hasControllers || controllersDiffer(places, next),
    }));
  const start = (/** @type {string} */ next) => {
    change(() => ({ ...NO_PASTE, text: next }));
    area.current?.focus();
  };

  return html`<div class="p-left">
      <label class="field p-paste"><span>Paste here, at best with the output of <code>kafka-topics.sh
        --describe</code></span>
        <textarea ref=${area} class="input" spellcheck=${false} autocomplete="off" wrap="off" data-testid="import-text"
          value=${text}
          placeholder=${
            "Topic: orders\tPartitionCount: 3\tReplicationFactor: 3\tConfigs: " +
            "min.insync.replicas=2\n\tTopic: orders\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2,3"
          }
          onPaste=${(/** @type {ClipboardEvent} */ event) => onPaste(event, setText)}
            onDrop=${(/** @type {DragEvent} */ event) => onDrop(event, setText)}
          onInput=${(/** @type {any} */ event) => setText(event.currentTarget.value)}></textarea></label>
      <div class="row p-under"><button class="btn sm" type="button" data-testid="import-example"
        onClick=${() => start(EXAMPLE)}>Use an example</button>
        ${
          text &&
          html`<button class="btn sm ghost" type="button" data-testid="import-clear"
          onClick=${() => start("")}>Clear</button>`
        }
        ${told && html`<span class="soft end">${told.label}</span>`}</div>
      ${told && html`<${Unread} told=${told} goTo=${(/** @type {number} */ line) => selectLine(area.current, line)} />`}
    </div>
    <div class="p-right" data-testid="import-preview" aria-live="polite">
      ${told ? html`<${Counts} told=${told} /><${Doubts} told=${told} />` : html`<${Nothing} />`}
      ${
        told?.matrix &&
        told.brokers &&
        html`<${Matrix} matrix=${told.matrix} brokers=${told.brokers}
        racks=${places ? racksOf(places).racks : {}} />`
      }
      ${
        told?.brokers &&
        places &&
        html`<div class="card flush" data-testid="import-racks"><${AzEditor} title="Which AZ is each broker in?"
          places=${places} change=${move} down=${downOf(told.brokers)} pairs=${pairsOf(told.controllers ?? [])}
        tools=${
          !byHand &&
          told.brokers.every((one) => !one.rack) &&
          html`<span
          class="tag warn">guessed from ids</span>`
        }
        below=${(/** @type {string[]} */ keys) => html`<${BrokerState} keys=${keys} brokers=${told.brokers}
          states=${assumed.states ?? {}} edit=${edit} />`}
          /></div>`
      }
      ${
        told?.brokers &&
        html`<${Assumed} assumptions=${told.assumptions} given=${assumed} refused=${refused}
        edit=${edit} />`
      }
    </div>`;
}

/**
 * Asks what is read of a paste, once it is quiet. Shows nothing: each site has one, whichever is looked at.
 * @param {{paste: Paste, heard: (next: (known: Answer) => Answer) => void}} props
 */
export function Reading({ paste, heard }) {
  useEffect(() => {
    if (!paste.text.trim()) {
      heard(() => NO_ANSWER);
      return;
    }
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const answer = await request("/import/preview", {
          method: "POST",
          json: sent(paste, paste.places),
          signal: abort.signal,
        });
        const told = await answer.json();
        if (!abort.signal.aborted) heard(() => ({ ...NO_ANSWER, told })); // else something newer is asked already
      } catch (error) {
        if (!abort.signal.aborted) heard((known) => failed(known, error));
      }
    }, QUIET_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [paste]);
  return null;
}

/** A paste as the server takes it. @param {Paste} paste @param {import("./places.js").Places | null} places */
export const sent = ({ text, assumed, hasControllers }, places) => ({
  text,
  assumed: filled(assumed),
  ...(places ? sentPlaces(places, hasControllers) : {}),
});

/** The places of nodes: as moved by hand, else as read or guessed. @param {Paste} paste @param {Told | null} told */
export const nodePlaces = ({ places, hasControllers }, told) =>
  told?.brokers
    ? withNodes(
        places,
        told.brokers.map(({ id, rack, guess }) => ({ id, rack: rack ?? guess })),
        told.controllers ?? [],
        hasControllers,
      )
    : null;

const Nothing = () => html`<section class="card p-empty"><${Icon} name="paste" />
  <h2>Nothing pasted yet</h2>
  <p class="soft">Brokers, topics, replicas, leaders, ISRs, dead brokers and configs are taken from the text, in the
    state it shows. What cannot be read is listed line by line; what has to be assumed can be edited.</p></section>`;

/** Controllers in the process of a broker. @param {{id: number, broker?: number | null}[]} controllers */
const pairsOf = (controllers) =>
  Object.fromEntries(
    controllers.filter((one) => typeof one.broker === "number").map((one) => [`c${one.id}`, `b${one.broker}`]),
  );

/** @param {BrokerRow[]} brokers */
const downOf = (brokers) => brokers.filter((one) => one.state !== "running").map((one) => one.id);

/**
 * Places as they are sent: controllers that nobody moved are placed by the server.
 * @param {import("./places.js").Places} places
 * @param {boolean} hasControllers
 */
function sentPlaces(places, hasControllers) {
  const { racks, controllers } = racksOf(places);
  return hasControllers ? { racks, controllers } : { racks };
}

/**
 * True if a controller stands elsewhere.
 * @param {import("./places.js").Places | null} before
 * @param {import("./places.js").Places} after
 */
const controllersDiffer = (before, after) =>
  Object.keys(after.at).some((key) => isController(key) && after.at[key] !== before?.at[key]);

/**
 * The assumptions that hold a value: an emptied field is one on the way to another value, and asks for the default.
 * @param {Record<string, any>} assumed
 */
const filled = (assumed) =>
  Object.fromEntries(Object.entries(assumed).filter(([, value]) => value !== "" && value !== undefined));

/**
 * Selects a line of the text and scrolls to it.
 * @param {HTMLTextAreaElement | null} area
 * @param {number} line from 1
 */
export function selectLine(area, line) {
  if (!area || line < 1) return;
  const lines = area.value.split(/\r\n|\r|\n/);
  const from = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  area.focus();
  area.setSelectionRange(from, from + (lines[line - 1] ?? "").length);
  area.scrollTop = (area.scrollHeight / Math.max(1, lines.length)) * (line - 3);
}
