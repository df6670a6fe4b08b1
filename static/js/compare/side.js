/**
 * What stands above and below the stage of one run of a comparison: its letter and name, and its verdict.
 *
 * @import {Player} from "../page/player.js"
 * @import {Account} from "../panel/account.js"
 * @import {ComparePage} from "./page.js"
 */
import { useEffect } from "preact/hooks";
import { html, Icon } from "../kit/html.js";
import { EXACT_PARTITIONS_MAX, useAccount } from "../panel/account.js";
import { lastStated } from "../run/stated.js";
import { figuresAt, SEVERITIES, secondsText, statedAt } from "../words/verdictwords.js";
import { LETTERS, settingsOf } from "./apart.js";
import { barFigures } from "./bar.js";
import { BETWEEN } from "./names.js";
import { saidOf } from "./said.js";

const SETTINGS_SHOWN = 2;
/** @type {Record<string, string>} */ const ICONS = { ok: "check", warn: "clock", danger: "x", "": "ring" };

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

/**
 * The exact verdicts of all runs at the drawn moment; null where one of them is not known, for then none is told: the
 * runs are compared.
 * @param {Player[]} players
 */
function exactOf(players) {
  const told = players.map((player) => player.told.value);
  return told.every(Boolean) ? /** @type {Account[]} */ (told) : null;
}

/** True if the exact verdict of a run is asked for by itself where time stands. @param {Player} player */
const isSmall = ({ model }) => (model.view?.partitions.length ?? 0) <= EXACT_PARTITIONS_MAX;

/**
 * The topics of a run with their figures: exact, or as the engine has stated them last.
 * @param {Player} player
 * @param {Account | undefined} exact
 * @returns {import("./said.js").ToldTopic[]}
 */
function topicsOf({ model }, exact) {
  return (model.view?.topics ?? []).map((_, i) => {
    const name = model.topicName(i);
    const stated = model.view?.verdict[i];
    const told = exact?.topics.find((one) => one.topic === name);
    return { name, isOwn: model.isImplicit(i), counted: told ?? stated ?? {}, figures: figuresAt(stated, told, 0) };
  });
}

/** The sentence on a whole run, where the engine states one: of many topics, of clusters, without a quorum. */
const wholeOf = (/** @type {Player} */ { model: { view } }) =>
  (view?.clusters ?? [view])
    .map((/** @type {any} */ one) => one?.sentence ?? "")
    .filter(Boolean)
    .join(" ");

/** The moment of the figures that the engine has stated last, us. @param {Player} player */
const statedUs = ({ model }) => statedAt(model.t, Math.max(-1, ...lastStated(model).values()));

/** @param {{page: {players: Player[]}, player: Player, side: number}} props */
export function SideVerdict({ page, player, side }) {
  const { model } = player;
  for (const other of page.players) other.model.pulse.value;
  const isMirrored = Boolean(model.names.mirrors); // no fact states which copies are wrong
  const { account } = useAccount(player, isMirrored || page.players.every(isSmall));
  useEffect(() => {
    player.told.value = account;
  }, [account]);
  const exact = exactOf(page.players);
  const topics = page.players.map((other, i) => topicsOf(other, exact?.[i]));
  const all = topics.map((some) => barFigures(some.filter(({ isOwn }) => !isOwn).map(({ counted }) => counted)));
  const isWhole = page.players.some((other) => other.model.names.mirrors || wholeOf(other));
  const said = page.players.map((other, i) => tellOf(other, topics[i] ?? [], isWhole, exact?.[i]));
  const severity = said[side]?.severity ?? "";
  const differs = new Set(said.map(({ sentence }) => sentence)).size > 1;
  const at = exact ? -1 : statedUs(player);
  return html`<span class=${`sign ${severity || "ok"}`}><${Icon} name=${ICONS[severity] ?? "ring"} /></span>
    <p data-testid="side-sentence" class=${differs ? "differs" : ""}>${
      model.ready.value ? said[side]?.sentence : ""
    }</p>
    <dl data-testid="side-figures">${all[side]?.map(({ label, text, isLoss }, i) => {
      const isOther = new Set(all.map((one) => one[i]?.text)).size > 1;
      return html`<div class=${isOther ? "differs" : ""}><dt>${label}</dt><dd class=${`num ${isLoss ? "loss" : ""}`}
          >${text}</dd></div>`;
    })}${at >= 0 && html`<${AsOf} us=${at} />`}</dl>`;
}

/**
 * What a run comes to.
 * @param {Player} player
 * @param {import("./said.js").ToldTopic[]} topics
 * @param {boolean} isWhole  the sentence on the whole run, as on all sides
 * @param {Account} [exact]
 * @returns {{sentence: string, severity: string}}
 */
function tellOf(player, topics, isWhole, exact) {
  const said = saidOf(topics);
  if (!isWhole) return said;
  if (exact) return { sentence: exact["sentence"], severity: SEVERITIES[exact["severity"]] ?? "" };
  return { ...said, sentence: wholeOf(player) || said.sentence };
}

/** The moment of figures that are older than the picture. @param {{us: number}} props */
const AsOf = ({ us }) =>
  html`<div data-testid="side-moment"><dt>As of</dt><dd class="num">${secondsText(us)}</dd></div>`;
