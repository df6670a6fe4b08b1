/**
 * What stands above and below the stage of one run of a comparison: its letter and name, and its verdict.
 *
 * @import {Player} from "../page/player.js"
 * @import {ComparePage} from "./page.js"
 */
import { useEffect } from "preact/hooks";
import { html, Icon } from "../kit/html.js";
import { useAccount } from "../panel/account.js";
import { byHarm } from "../words/topicrows.js";
import { figuresAt, SEVERITIES, secondsText } from "../words/verdictwords.js";
import { LETTERS, settingsOf } from "./apart.js";
import { BETWEEN } from "./names.js";

const SETTINGS_SHOWN = 2;
const ICONS = { ok: "check", warn: "clock", danger: "x", "": "ring" };
const NOTHING = "Nothing has happened yet.";

/** The letter of a run, as ids of elements have it. @param {number} side */
export const letterOf = (side) => String(LETTERS[side]).toLowerCase();

/** @param {{side: number}} props */
export const Letter = ({ side }) =>
  html`<span class="letter" data-side=${LETTERS[side]?.toLowerCase()} aria-hidden="true"><i></i><b>${
    LETTERS[side]
  }</b></span>`;

/** @param {{page: ComparePage, player: Player, side: number}} props */
export function SideHead({ page, player, side }) {
  const { model, boot } = player;
  model.pulse.value;
  const told = page.names[side]?.split(BETWEEN) ?? [];
  const settings = settingsOf(page.found.value, side).filter((one) => !told.includes(one));
  const more = settings.length - SETTINGS_SHOWN;
  const sub = [...settings.slice(0, SETTINGS_SHOWN), ...(more > 0 ? [`and ${more} more`] : [])].join(" · ");
  const state = stateOf(player);
  return html`<${Letter} side=${side} /><h2 id=${`name-${LETTERS[side]?.toLowerCase()}`}
      title=${page.names[side]}>${page.names[side]}</h2>
    <span class="muted sub" title=${settings.join("\n")}>${sub || (boot.parent ? boot.change : "")}</span>
    <span class="grow"></span>
    ${state && html`<span class="tag warn" role="status" title=${state} data-testid="side-state">${state}</span>`}
    <${SideLinks} page=${page} link=${boot.link} letter=${String(LETTERS[side])} />
    <a class="btn sm ghost" href=${`${boot.link}${page.travel.hash}`} data-testid="open-side"
      onClick=${(/** @type {any} */ event) => {
        event.currentTarget.href = `${boot.link}${page.travel.hash}`;
      }} aria-label=${`Open ${LETTERS[side]} alone`}>Open</a>`;
}

/**
 * A run's lineage, and its document up to the drawn moment.
 * @param {{page: ComparePage, link: string, letter: string}} props
 */
const SideLinks = ({ page, link, letter }) =>
  html`<a class="btn sm ghost icon" href=${`${link}/about`} data-testid="lineage-side"
      title="Lineage: where this run comes from" aria-label=${`Lineage of ${letter}`}><${Icon} name="fork" /></a>
    <a class="btn sm ghost icon" href=${`${link}.yaml`} download="" data-testid="yaml-side"
      title="Its document up to this moment, as YAML" aria-label=${`Document of ${letter}, YAML`}
      onClick=${(/** @type {any} */ event) => {
        event.currentTarget.href = `${link}.yaml?at_us=${Math.round(page.travel.t)}`;
      }}><${Icon} name="download" /></a>`;

/** Why a run does not go on as the others do; "" where it does. @param {Player} player */
export function stateOf({ model, control }) {
  if (model.ended.value) return model.ended.value.reason;
  if (model.connection.value.state === "lost") return "Connection lost. Trying again.";
  if (!model.ready.value) return "Simulating";
  return control.value ? "" : "Not your run";
}

/** @param {Player} player */
function figuresOf({ model }) {
  const topics = (model.view?.topics ?? []).flatMap((_, i) =>
    model.isImplicit(i) ? [] : [{ name: model.topicName(i), figures: figuresAt(model.view?.verdict[i], undefined, 0) }],
  );
  return topics.sort((a, b) => byHarm(a.figures, b.figures));
}

/** The figures that stand under each stage: a label, and its text. @param {Player} player */
function shownOf(player) {
  const topics = figuresOf(player).map(({ figures }) => figures);
  const sum = (/** @type {"lost" | "duplicated" | "acked"} */ key) =>
    topics.reduce((all, figures) => all + Number(figures[key] ?? 0), 0);
  const longest = Math.max(0, ...topics.map((figures) => Number(figures.clientUs ?? 0)));
  return [
    { label: "Acknowledged", text: sum("acked").toLocaleString("en") },
    { label: "Lost", text: sum("lost").toLocaleString("en"), isLoss: sum("lost") > 0 },
    { label: "Doubled", text: sum("duplicated").toLocaleString("en") },
    { label: "Writes stood still", text: secondsText(longest) },
  ];
}

/** @param {{page: {players: Player[]}, player: Player, side: number}} props */
export function SideVerdict({ page, player, side }) {
  const { model } = player;
  for (const other of page.players) other.model.pulse.value;
  const { account } = useAccount(player, Boolean(model.names.mirrors)); // no fact states which copies are wrong
  useEffect(() => {
    player.told.value = account;
  }, [account]);
  const all = page.players.map(shownOf);
  const severity = SEVERITIES[account?.["severity"] ?? ""] ?? figuresOf(player)[0]?.figures.severity ?? "";
  const differs = new Set(page.players.map(sentenceOf)).size > 1;
  return html`<span class=${`sign ${severity || "ok"}`}><${Icon} name=${ICONS[severity] ?? "ring"} /></span>
    <p data-testid="side-sentence" class=${differs ? "differs" : ""}>${model.ready.value ? sentenceOf(player) : ""}</p>
    <dl>${all[side]?.map(({ label, text, isLoss }, i) => {
      const isOther = new Set(all.map((one) => one[i]?.text)).size > 1;
      return html`<div class=${isOther ? "differs" : ""}><dt>${label}</dt><dd class=${`num ${isLoss ? "loss" : ""}`}
          >${text}</dd></div>`;
    })}</dl>`;
}

/** What the run comes to at the drawn moment, in the engine's words; else its worst topic. @param {Player} player */
function sentenceOf(player) {
  if (player.told.value) return player.told.value["sentence"];
  const { view } = player.model;
  const whole = (view?.clusters ?? [view]).map((/** @type {any} */ one) => one?.sentence ?? "");
  return whole.filter(Boolean).join(" ") || figuresOf(player)[0]?.figures.sentence || NOTHING;
}
