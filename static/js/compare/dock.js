/**
 * The dock of a comparison: where the runs part, what differs now, and the buttons that move them all.
 *
 * @import {Comparison} from "./apart.js"
 * @import {ComparePage} from "./page.js"
 */
import { html, Icon } from "../kit/html.js";
import { openDialog } from "../kit/kit.js";
import { Buttons } from "../dock/transport.js";
import { listed, plural } from "../kit/wording.js";
import { logTime } from "../words/narrate.js";
import { goTo } from "./going.js";
import { LETTERS, markText, nextDifference, SAME } from "./apart.js";

const MARKS_SHOWN = 3;

/** @param {{page: ComparePage}} props */
export function Parting({ page }) {
  const found = page.found.value;
  for (const { model } of page.players) model.pulse.value;
  const next = nextDifference(found, page.travel.t);
  const parted = found?.first_difference?.t_us ?? -1;
  const words = page.problem.value || (found?.parting ?? "Comparing the runs…");
  const title = next ? `${(next.t_us / 1e6).toFixed(3)} s: ${next.text} (D)` : "No further difference is known";
  const lead = page.problem.value ? "" : (found?.first_difference?.lead ?? "");
  return html`<div class="part"><p data-testid="parting" role="status"><b>${lead}</b>${words.slice(lead.length)}</p>
      <span class="grow"></span>
      ${
        parted >= 0 &&
        html`<button type="button" class="btn sm" data-testid="go-to-parting"
        onClick=${() => goTo(page, partingOf(found, parted))}>Go there</button>`
      }
      <button type="button" class="btn sm" data-testid="next-difference" disabled=${!next} title=${title}
        onClick=${() => page.goToNext()}><${Icon} name="next" />Next difference</button>
      <button type="button" class="btn sm" data-testid="open-figures" title="All figures side by side (F)"
        onClick=${() => openDialog("figures")}><${Icon} name="list" />All figures</button>
      ${page.isNarrow.value && html`<${ApplyToo} page=${page} />`}</div>
    <${Marks} page=${page} />`;
}

/** The event at which they part. @param {Comparison | null} found @param {number} t_us when they part */
const partingOf = (found, t_us) => found?.differences.find((one) => one.t_us === t_us) ?? { t_us, sides: [], text: "" };

/** What differs at the drawn moment, by partition. @param {{page: ComparePage}} props */
function Marks({ page }) {
  const marks = page.marks.value;
  if (!marks) return null;
  const more = marks.length - MARKS_SHOWN;
  const rest = marks.slice(MARKS_SHOWN).map(markText).join("\n");
  return html`<ul class="marks" data-testid="partition-marks" aria-label="What differs now">
    ${marks.length === 0 && html`<li class="muted">${SAME}</li>`}
    ${marks.slice(0, MARKS_SHOWN).map((mark) => {
      const text = markText(mark);
      return html`<li key=${mark.name} title=${text}>${text}</li>`;
    })}
    ${more > 0 && html`<li class="muted" title=${rest}>and ${plural(more, "more partition")}</li>`}</ul>`;
}

/** @param {{page: ComparePage}} props */
export function Transport({ page }) {
  const { model, control, stage } = page.leader;
  const played = { model, page: page.page, control, stage, travel: page.travel };
  const { others } = page;
  return html`<${Buttons} app=${played} hasAuto=${false} />
    <span class="grow"></span>
    ${
      others.length > 0 &&
      html`<p class="guest" data-testid="guest"><b role="status">${unknownText(page)}</b>${guestText(page)}</p>
      <button type="button" class="btn sm copy-others" data-testid="copy-others"
        onClick=${() => page.copyOthers()}><${Icon} name="play" />Make copies and play</button>`
    }
    ${!page.isNarrow.value && html`<${ApplyToo} page=${page} /><${ActOn} page=${page} />`}
    <span class="keys-hint wide"><kbd>X</kbd> swap sides <kbd>D</kbd> next difference <kbd>F</kbd> figures</span>`;
}

/** That the moment asked for is not known; "" where it is. @param {ComparePage} page */
function unknownText({ travel }) {
  const t = travel.wanted.value;
  return t === null ? "" : `${(t / 1e6).toFixed(1)} s is not known yet. `;
}

/** What somebody who does not own all runs sees and may do. @param {ComparePage} page */
function guestText({ others, players }) {
  for (const { model } of others) model.pulse.value;
  const isAll = others.length === players.length;
  const names = listed(others.map(({ side }) => String(LETTERS[side])));
  const whose = isAll ? "Not your runs" : `${names} ${others.length > 1 ? "are not your runs" : "is not your run"}`;
  const known = (Math.min(...others.map(({ model }) => model.trace.end)) / 1e6).toFixed(1);
  const isHere = others.every(({ people }) => people.value.owner);
  const owner = isHere ? "the owner is here and can play on" : "the owner is away";
  const branches = others.length > 1 ? "branches of your own" : "a branch of your own";
  return `${whose}: known up to ${known} s; ${owner}. An action${isAll ? "" : ` on ${names}`} makes ${branches}.`;
}

/** Whether an action goes to its own side or to all of them. @param {{page: ComparePage}} props */
function ActOn({ page }) {
  const isOn = page.acting.isToAll.value;
  const choices = [
    ["to-one", "One side", false],
    ["to-all", page.players.length > 2 ? "All" : "Both", true],
  ];
  return html`<span class="act-on" role="group" aria-label="Act on"><span class="muted wide" aria-hidden="true"
      >Act on</span><span class="seg big">${choices.map(
        ([test, text, isAll]) => html`<button type="button" aria-pressed=${isOn === isAll} data-testid=${test}
          title=${`${isAll ? "An action goes to every side" : "An action goes to the side where it is chosen"} (A)`}
          onClick=${() => page.acting.choose(Boolean(isAll))}>${text}</button>`,
      )}</span></span>`;
}

/** The newest action, for the sides that lack it. @param {{page: ComparePage}} props */
function ApplyToo({ page }) {
  const { acting } = page;
  const offer = acting.offer.value;
  if (!offer) return null;
  return html`<button type="button" class="btn sm" data-testid="apply-too"
    title=${`${logTime(offer.at)} s: ${acting.sentence(offer.sides, offer.action)}`}
    onClick=${() => acting.applyToOthers()}>${acting.offerText} <kbd class="wide">⇧A</kbd></button>`;
}

/** The tabs of a narrow window: a run each, and the differences. @param {{page: ComparePage}} props */
export function Tabs({ page }) {
  const tabs = [
    ...page.players.map((_, i) => [String(LETTERS[i]).toLowerCase(), String(LETTERS[i])]),
    ["diff", "Differences"],
  ];
  return html`<div class="seg big">${tabs.map(
    ([key, text]) => html`<button type="button" aria-pressed=${page.tab.value === key} data-testid=${`tab-${key}`}
      onClick=${() => {
        page.tab.value = String(key);
      }}>${text}</button>`,
  )}</div>${page.isNarrow.value && html`<${ActOn} page=${page} />`}`;
}

/** The differences as a list: what a narrow window shows instead of a stage. @param {{page: ComparePage}} props */
export function DifferenceList({ page }) {
  const found = page.found.value;
  for (const { model } of page.players) model.pulse.value;
  return html`<h2>Events that not all runs have</h2>
    ${found && !found.differences.length && html`<p class="muted">${found.parting}</p>`}
    <ol>${found?.differences.map((one) => {
      const letters = one.sides.map((side) => LETTERS[side]).join(" ");
      return html`<li data-testid="difference"><button type="button" class="link" onClick=${() => goTo(page, one)}><time
          >${(one.t_us / 1e6).toFixed(3)} s</time>${" "}<b>${letters}</b>${" "}<span>${one.text}</span></button></li>`;
    })}</ol>`;
}
