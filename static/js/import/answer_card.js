/** The card of the AZ answer: headline, facts, the other moment's headline, what it rests on, where the nodes stand. */
import { useState } from "preact/hooks";
import { html, Icon } from "../kit/html.js";
import { unbroken } from "../kit/wording.js";
import { listOf, NOTHING } from "./answer_lines.js";
import { AzEditor } from "./az_editor.js";
import { Basis, basisLine } from "./basis.js";
import { isHeadlineComing, momentOf, momentsIn, progressOfAll } from "./moments.js";
import { controllerCount } from "./places.js";
import { showList } from "./shown_list.js";

const LONG_CHARS = 130; // a headline of more is set smaller

/**
 * @param {{all: import("./moments.js").Moments, choose: (moment: string) => void, edits: import("./edits.js").Edits,
 *   refused: Record<string, string>,
 * places: import("./places.js").Places | null, edit: (key: string, value: string | undefined, isTyped: boolean) =>
 * void,
 *   move: (places: import("./places.js").Places) => void, isStopped: boolean, setStopped: (is: boolean) => void}} props
 */
export function AnswerCard({ all, choose, edits, refused, places, edit, move, isStopped, setStopped }) {
  const [isOpen, setOpen] = useState(false); // of what it rests on, on a phone
  const worst = momentOf(all, all.worst);
  const shown = all.tables[worst] ?? NOTHING;
  const { answer, outline } = shown;
  const headline = saidOf(shown) || "What happens when an AZ goes dark";
  const down = outline ? outline.azs.flatMap((az) => az.down) : [];
  const pairs = Object.fromEntries(
    Object.entries(outline?.combined ?? {}).map(([controller, broker]) => [`c${controller}`, `b${broker}`]),
  );
  return html`<section class=${`card flush az-card ${isOpen ? "open" : ""}`} aria-labelledby="az-h">
    <div class="az-says"><div class="az-top"><h1 id="az-h" class=${headline.length > LONG_CHARS ? "long" : ""}
      aria-live="polite" data-testid="az-headline">${unbroken(headline)}</h1>
      <${Progress} all=${all} isStopped=${isStopped} setStopped=${setStopped} /></div>
      ${outline?.standing && html`<p class="az-standing" data-testid="az-standing">${unbroken(outline.standing)}</p>`}
      <${Guessed} basis=${outline?.basis ?? []} />
      ${momentsIn(all)
        .filter((moment) => moment !== worst && all.worst)
        .map(
          (moment) =>
            html`<p class="az-standing soft" data-testid="az-other">${unbroken(
              saidOf(all.tables[moment] ?? NOTHING),
            )}</p>`,
        )}
      ${
        answer &&
        html`<h2 class="az-facts-head">${momentText(shown)} <span>Colours as in the table below</span></h2>
        <dl class="az-facts"
        data-testid="az-facts">${answer.facts.map(
          (fact) => html`<${Fact} key=${fact.key} fact=${fact}
          show=${(/** @type {import("./shown_list.js").List} */ list) => {
            choose(worst);
            showList(answer.worst, list);
          }} />`,
        )}</dl>`
      }</div>
    ${
      outline &&
      html`<button type="button" class="az-fold" aria-expanded=${isOpen} aria-controls="az-basis" data-testid="az-fold"
        onClick=${() => setOpen(!isOpen)}><span><b>What this answer rests
          on</b>${" "}<span>${basisLine(outline.basis)}</span></span><${Icon} name="down" /></button>
    <${Basis} shown=${shown} edits=${edits} refused=${refused} places=${places} edit=${edit} />`
    }
    ${
      places &&
      outline &&
      html`<${AzEditor} places=${places} change=${move} down=${down} pairs=${pairs}
      tools=${html`<${ControllerCount} places=${places} typed=${edits.fields.controllers} refused=${refused.controllers}
        edit=${edit} />`}
        />`
    }</section>`;
}

/**
 * The number of controllers: another number is spread over the AZs anew.
 * @param {{places: import("./places.js").Places, typed: string | undefined, refused: string | undefined, edit: (key:
 *   string, value: string | undefined, isTyped: boolean) => void}} props
 */
const ControllerCount = ({
  places,
  typed,
  refused,
  edit,
}) => html`<label class=${`az-ed az-count ${refused ? "wrong" : ""}`}><span class="unit">Controllers</span><input
  type="number" min="1" max="9" step="1" data-testid="controller-count"
    value=${typed ?? String(controllerCount(places))} aria-invalid=${Boolean(refused)} title=${refused ?? ""}
  onInput=${(/** @type {any} */ event) => edit("controllers", event.currentTarget.value, true)}
    onBlur=${(/** @type {any} */ event) => event.currentTarget.value === "" && edit("controllers", undefined, false)}
      /></label>`;

/** Where AZs are a guess, the guess and its cure. @param {{basis: import("./answer_lines.js").Field[]}} props */
const Guessed = ({ basis }) =>
  basis.some(({ key, from }) => key === "racks" && from === "guessed") &&
  html`<p class="note az-guess" data-testid="az-guessed"><${Icon} name="info" /><span>The AZs are guessed, by broker id
    in turn: the paste names no rack. Put each broker into its AZ below, or paste what names their racks too: the output
    of kafka-broker-api-versions.sh, or each server.properties with broker.rack.</span></p>`;

/** What the facts are about: "az-b goes dark". @param {import("./answer_lines.js").Shown} shown */
function momentText({ answer, outline }) {
  const row = outline?.rows.find(({ key }) => key === answer?.worst);
  return `When ${row?.label ?? "it"} ${outline?.dies === "killed" ? "is killed" : "goes dark"}`;
}

/** The headline of one moment, behind its name. @param {import("./answer_lines.js").Shown} shown */
const saidOf = ({ answer, outline }) =>
  (answer && outline?.label ? `${outline.label}: ` : "") + (answer?.headline ?? "");

/**
 * @param {{fact: import("./answer_lines.js").Fact, show: (list: import("./shown_list.js").List) => void}} props
 */
function Fact({ fact, show }) {
  const list = listOf(fact);
  return html`<div data-testid=${`az-fact-${fact.key}`} data-step=${fact.step}><dt><i
    class=${`l${fact.step}`}></i>${fact.title}<span class="vh"> (${fact.word})</span></dt>
    <dd><span>${unbroken(fact.text)}${fact.small && html` <small>(${unbroken(fact.small)})</small>`}</span>${
      list &&
      html`<button
      type="button" class="link" aria-label=${`Partitions: ${fact.title}`}
        onClick=${() => show(list)}>partitions</button>`
    }</dd></div>`;
}

/** @param {{all: import("./moments.js").Moments, isStopped: boolean, setStopped: (is: boolean) => void}} props */
function Progress({ all, isStopped, setStopped }) {
  const { count, total } = progressOfAll(all);
  const shown = all.tables[momentOf(all, "")] ?? NOTHING;
  if (shown.isDone || shown.error) return html`<p class="vh" role="status"></p>`;
  const runs = total ? `${count} of ${total} runs` : "";
  const words = isStopped
    ? `Stopped after ${runs || "no run"}`
    : shown.isWaiting
      ? "Another answer is being computed; this one is next"
      : isHeadlineComing(all)
        ? "Computing"
        : "Computing the other rows";
  return html`<p class="az-progress" data-testid="az-progress" data-runs=${count}><span role="status"><i
    class=${isStopped ? "" : "az-busy"}></i>${words}</span>${
      !isStopped &&
      runs &&
      html`<span
      class="soft">${runs}</span>`
    }
    <button type="button" class="link" data-testid=${isStopped ? "az-again" : "az-stop"}
      onClick=${() => setStopped(!isStopped)}>${isStopped ? "Compute it again" : "Stop"}</button></p>`;
}
