/**
 * Play, step, clock, speed; and where this run came from.
 *
 * @import {App} from "../app/app.js"
 * @import {Player} from "../page/player.js"
 */
import { signal } from "@preact/signals";
import { render } from "preact";
import { AUTO_TITLE, clockText, SPEEDS, speedText, speedWords, stopOf } from "../run/clock.js";
import { setAttr, setText } from "../kit/dom.js";
import { html, Icon } from "../kit/html.js";
import { openBranches } from "../menus/branches.js";
import { plural } from "../kit/wording.js";

const hint = signal("");
/** us per second at which the drawn time passes */
const running = signal(0);
/** a moment so close to the newest one is not in the past */
const AT_END_US = 1000;

/**
 * @typedef {Pick<Player, "model" | "page" | "control" | "stage"> & {travel: import("../page/travel.js").Moves}} Played
 *   what the buttons move: a run, or the first of several that move together
 */

/** @param {HTMLElement} root @param {App} app */
export function startTransport(root, app) {
  render(html`<${Transport} app=${app} />`, root);
}

/** The clock moves each frame; it is text in one node, not a component. @param {Played} app @param {number} t us */
export function drawClock(app, t) {
  const node = document.getElementById("clock-figure");
  if (!node) return;
  setText(node, clockText(t, app.page.speedOf(app.model)));
  setAttr(/** @type {Element} */ (node.parentElement), "data-ms", Math.floor(t / 1000));
  running.value = app.page.speedOf(app.model);
  const fast = app.stage.particles.tooFast && app.model.playing.value && app.page.level.value === "logs";
  const text = fast ? `Messages are too fast to show at ${speedText(app.page.speedOf(app.model))}` : "";
  if (hint.value !== text) hint.value = text;
}

/** @param {{app: App}} props */
function Transport({ app }) {
  const { model } = app;
  return html`<${Buttons} app=${app} hasAuto=${true} />
    <span class="hint wide">${hint.value}</span>
    <span class="grow"></span>
    <${RealSteps} app=${app} />
    ${
      !model.following.value &&
      model.pulse.value >= 0 &&
      model.moment < model.trace.end - AT_END_US &&
      html`<button type="button"
      class="btn sm acc" data-testid="go-live" aria-label="Newest moment" onClick=${() => app.travel.goLive()}
        title="Back to the newest moment (End)"><${Icon} name="next" /><span class="wide">Newest</span></button>`
    }
    <${Branch} app=${app} />
    <span class="keys-hint wide"><span class="more"><kbd>Space</kbd> play <kbd>.</kbd> next
      event </span><kbd>K</kbd> kill <kbd>Ctrl Z</kbd> undo <kbd>?</kbd> all keys</span>`;
}

/**
 * Steps, Play, the clock and the speed. Several runs have no automatic speed: each would skip its own waits.
 * @param {{app: Played, hasAuto: boolean}} props
 */
export function Buttons({ app, hasAuto }) {
  const { model } = app;
  const playing = model.playing.value;
  const steer = app.control.value || !model.following.value;
  const why = steer ? "" : "Only the one who made this run moves its clock";
  return html`<button type="button" class="btn ghost icon" data-testid="step-back" aria-label="Previous event"
      title="Previous event (,)" onClick=${() => app.travel.step(-1)}><${Icon} name="prev" /></button>
    <button type="button" class="btn pri playb" data-testid="play" data-state=${playing ? "playing" : "paused"}
      aria-label=${playing ? "Pause" : "Play"} title=${why || (playing ? "Pause (Space)" : "Play (Space)")}
      onClick=${() => app.travel.togglePlay()}><${Icon} name=${playing ? "pause" : "play"} /></button>
    <button type="button" class="btn ghost icon" data-testid="step-next" aria-label="Next event"
      title="Next event (.); with Shift the next single message or other fact"
        onClick=${(/** @type {any} */ event) => (event.shiftKey ? app.travel.stepFact() : app.travel.step(1))}><${Icon}
          name="next" /></button>
    <span class="clock" data-testid="clock"><span id="clock-figure">0.000</span><small> s</small></span>
    <span class="waiting" role="status">${model.waiting.value}</span>
    <${Speed} app=${app} hasAuto=${hasAuto} />`;
}

/** @param {{app: Played, hasAuto: boolean}} props */
function Speed({ app, hasAuto }) {
  const speed = app.page.speed.value;
  const auto = speed === "auto";
  const shown = auto && running.value ? running.value : app.page.speedOf(app.model);
  const set = (/** @type {any} */ event) => app.travel.setSpeed(SPEEDS[Number(event.currentTarget.value)] ?? 100_000);
  return html`<span class="speed"><span class="wide" aria-hidden="true">Speed</span>
    <input id="speed-slider" type="range" aria-label="Speed" min="0" max=${SPEEDS.length - 1} step="1"
      value=${stopOf(shown)} onInput=${set} data-testid="speed" data-value=${speed}
      aria-valuetext=${auto ? `automatic, ${speedWords(shown)}` : speedWords(shown)} />
    <span class="num">${speedText(shown)}</span>
    ${
      hasAuto &&
      html`<button type="button" class="btn sm auto" aria-pressed=${auto} data-testid="speed-auto" title=${AUTO_TITLE}
      onClick=${() => app.travel.toggleAuto?.()}>auto</button>`
    }
    <${TrueSpeed} app=${app} /></span>`;
}

/** Said only when the server cannot keep up. @param {{app: Played}} props */
function TrueSpeed({ app }) {
  app.model.pulse.value;
  const { playing, speed, true_speed: real } = app.model.roomClock;
  if (!playing || speed === "auto" || !real || !app.model.following.value || real > speed * 0.8) return null;
  return html`<span class="tag warn"
    title="The simulation cannot keep up with the speed chosen">really ${speedText(real)}</span>`;
}

/** Only where the run is a recording's script. @param {{app: App}} props */
function RealSteps({ app }) {
  app.model.ready.value;
  app.model.pulse.value;
  const count = app.script.realSteps.length;
  if (!count) return null;
  const shown = app.page.showsReal.value;
  return html`<button type="button" class="btn sm auto" aria-pressed=${shown} data-testid="real-toggle"
    onClick=${() => app.toggleReal()}
    title=${
      `${shown ? "Hide" : "Show"} on the timeline what the real cluster did (${count} ` +
      `${count === 1 ? "step" : "steps"})`
    }>real
      cluster</button>`;
}

/** @param {{app: App}} props */
function Branch({ app }) {
  const { parent } = app;
  return html`<span class="branch wide" data-testid="branch-select"><${Icon} name="fork" />${
    parent
      ? html`from <a class="btn sm" href=${`${parent.url}#t=${(parent.cutUs / 1e6).toFixed(3)}`}
        data-testid="branch-parent"
          title=${`${parent.title}, left at ${(parent.cutUs / 1e6).toFixed(3)} s by: ${parent.change}`}>
          <span>${parent.change || parent.title}</span></a>`
      : "Original run"
  }${
    app.boot.branches.length > 0 &&
    html`<button type="button" class="btn sm ghost" data-testid="branches"
    aria-haspopup="menu" onClick=${(/** @type {any} */ event) =>
      openBranches(
        app,
        event.currentTarget.getBoundingClientRect(),
      )}>${plural(app.boot.branches.length, "branch", "branches")}</button>`
  }<a
    class="btn sm ghost" href=${app.aboutUrl} data-testid="lineage">Lineage</a></span>`;
}
