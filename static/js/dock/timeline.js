/**
 * The timeline: a lane for each run of the page with what was played, what is received and marks of events; its alerts;
 * below them the parent's lane, a recording's real steps, bars of stopped writes; and the slider that scrubs. It owns
 * one <svg>.
 *
 * @import {Player} from "../page/player.js"
 * @import {PageState} from "../page/pagestate.js"
 * @import {Lane} from "../page/family.js"
 */
import { setAttr, setText, svg } from "../kit/dom.js";
import { axis, PHONE_WIDTH } from "../run/layout.js";
import { logTime } from "../words/narrate.js";
import { ALERTS_PX, alertLanes } from "./alertlane.js";
import { apartMarks, axisEnd, downTimes, MERGE_PX, marksOf, reachOf } from "./marks.js";
import { realMarks, tooltip } from "./real.js";

const LABELS_PX = 96;
/** room for labels that say in words what a branch did */
const WORDS_PX = 142;
/** room for the letters of several runs */
const LETTERS_PX = 52;
const FIRST_LETTER = "a".charCodeAt(0);
const WHEEL_US = 50_000;
/** Lanes of other runs that are drawn; more are said to be there. */
const LANES_MAX = 3;
const LANE_PX = 14;
/** from the lane of one run to that of the next */
const TRACK_PX = 21;
/** several runs have no bars of stopped writes below their lanes */
const HEIGHT_OF_SEVERAL_PX = { phone: 42, desk: 52 };
const LABEL_LETTERS = 21;

/**
 * @typedef {object} Page  what a timeline is drawn of
 * @property {Player[]} players  a lane each
 * @property {PageState} page
 * @property {boolean} showsAlerts  a lane of alerts for each player
 * @property {Lane[]} lanes  other runs, which are not played here
 * @property {string} aboutUrl
 * @property {{seek: (t: number) => void}} travel
 * @property {{drawSoon: () => void}} frames
 * @property {(player: number) => string} [laneName]  with several players
 * @property {(player: number) => import("./marks.js").Apart[]} [apart]  events that the other runs do not have
 */

export class Timeline {
  /** @param {Page} app @param {SVGElement} root */
  constructor(app, root) {
    this.app = app;
    this.root = root;
    /** the height of a run's lane of alerts, px */ this.alertsPx = app.showsAlerts ? ALERTS_PX : 0;
    this.still = svg("g");
    this.tracks = app.players.map((_, i) => ({
      ahead: svg("path", { class: "ahead" }),
      received: svg("path", { class: "received" }),
      played: svg("path", { class: `played track-${String.fromCharCode(FIRST_LETTER + i)}` }),
      marks: svg("g"),
    }));
    this.real = svg("g");
    this.head = svg(
      "g",
      { class: "playhead" },
      svg("path", { class: "stem" }),
      svg("path", { class: "grip", d: "M-6 0h12v6l-6 6-6-6z" }),
    );
    const lines = this.tracks.flatMap(({ ahead, received, played }) => [ahead, received, played]);
    root.append(this.still, ...lines, ...this.tracks.map(({ marks }) => marks), this.real, this.head);
    this.key = "";
    this.size = { width: 0, height: 0 };
    new ResizeObserver(() => this.measure()).observe(root);
    this.listen();
  }

  /** The width of what stands left of the lanes. */
  get labelsPx() {
    if (this.tracks.length > 1) return LETTERS_PX;
    return this.lanes.some((lane) => !lane.isParent) ? WORDS_PX : LABELS_PX;
  }

  /** Lanes of other runs, as many as there is room for. */
  get lanes() {
    return this.phone ? [] : this.app.lanes.slice(0, LANES_MAX);
  }

  measure() {
    const lanes = Math.max(0, this.lanes.length - 1) * LANE_PX + (this.tracks.length - 1) * TRACK_PX;
    this.root.style.setProperty("--more", `${lanes + this.alertsPx * this.tracks.length}px`);
    if (this.tracks.length > 1)
      this.root.style.setProperty("--base", `${HEIGHT_OF_SEVERAL_PX[this.phone ? "phone" : "desk"]}px`);
    this.size = { width: this.root.clientWidth, height: this.root.clientHeight };
    this.key = "";
    this.app.frames.drawSoon();
  }

  get phone() {
    return innerWidth <= PHONE_WIDTH;
  }

  /** y of a run's lane @param {number} [player] */
  laneOf(player = 0) {
    return (this.phone ? 16 : 19) + player * (TRACK_PX + this.alertsPx);
  }

  /** y of the last run's lane: what is no run stands below it */
  get lane() {
    return this.laneOf(this.tracks.length - 1);
  }

  get leader() {
    return /** @type {Player} */ (this.app.players[0]);
  }

  /** @param {number} t us @returns {number} px */
  x(t) {
    const { left, right } = this.edges();
    return left + ((right - left) * t) / this.end;
  }

  /** px before which no mark stands: a pill must not leave a phone's window. */
  get markFrom() {
    return this.phone && this.tracks.length === 1 ? 18 : 0;
  }

  edges() {
    const phoneLeft = this.tracks.length > 1 ? 30 : 12;
    return { left: this.phone ? phoneLeft : this.labelsPx, right: this.size.width - (this.phone ? 12 : 20) };
  }

  end = 10_000_000;

  /** @param {number} t */
  draw(t) {
    if (!this.size.width) this.measure();
    const { app } = this;
    const { players, page } = app;
    this.end = axisEnd(Math.max(...players.map(({ model, script }) => Math.max(model.trace.end, t, script.horizonUs))));
    const key =
      `${this.size.width} ${this.size.height} ${this.end} ${players.map(({ model }) => model.trace.version)} ` +
      `${page.showsReal.value} ${page.span.value?.from} ${page.span.value?.to} ` +
      players.map(({ alerts }, i) => `${app.apart?.(i).length} ${alerts.answer.value?.at_us}`);
    if (key !== this.key) this.drawStill(key);
    // whole px: each other shape of an SVG node makes the browser order all layers of the page anew
    const x = Math.round(this.x(t));
    this.tracks.forEach(({ received, played }, i) => {
      const known = Math.max(/** @type {Player} */ (players[i]).model.trace.end, t);
      setAttr(received, "d", `M${this.x(0)} ${this.laneOf(i)}H${Math.round(this.x(known))}`);
      setAttr(played, "d", `M${this.x(0)} ${this.laneOf(i)}H${x}`);
    });
    setAttr(this.head, "transform", `translate(${x} 0)`);
    this.speak(t, Math.min(...players.map(({ model }) => model.trace.end)));
  }

  /** @param {number} t @param {number} end */
  speak(t, end) {
    const { model, story } = this.leader;
    const now = `${Math.round(t / 1000)} ${model.trace.version}`;
    if (now === this.spoken) return;
    this.spoken = now;
    const event = story.before(t);
    setAttr(this.root, "aria-valuemax", (end / 1e6).toFixed(3));
    setAttr(this.root, "aria-valuenow", (t / 1e6).toFixed(3));
    setAttr(this.root, "aria-valuetext", `${(t / 1e6).toFixed(3)} seconds${event ? `, after: ${event.text}` : ""}`);
  }

  spoken = "";

  /** Everything that stays while time passes. @param {string} key */
  drawStill(key) {
    this.key = key;
    const { height } = this.size;
    setAttr(this.root, "viewBox", `0 0 ${this.size.width} ${height}`);
    setAttr(/** @type {Element} */ (this.head.firstElementChild), "d", `M0 3V${height - 14}`);
    const lanes = [...this.bars(), ...this.branchLanes(), ...alertLanes(this)];
    this.still.replaceChildren(...this.span(), ...this.axis(), ...this.labels(), ...lanes);
    this.app.players.forEach((player, i) => this.drawTrack(player, i));
    this.real.replaceChildren(...this.realLane());
  }

  /** @param {Player} player @param {number} i */
  drawTrack(player, i) {
    const track = /** @type {typeof this.tracks[number]} */ (this.tracks[i]);
    const y = this.laneOf(i);
    setAttr(track.ahead, "d", `M${this.x(0)} ${y}H${this.edges().right}`);
    const marks = marksOf(player.story.events(), (t) => Math.max(this.markFrom, this.x(t)));
    track.marks.replaceChildren(...marks.map((mark) => this.mark(mark, y)), ...this.apart(i, y, marks));
  }

  /**
   * Diamonds: the events that the other runs do not have, also those ahead; small and above a mark that is in the way.
   * @param {number} i
   * @param {number} y
   * @param {import("./marks.js").Mark[]} marks
   */
  apart(i, y, marks) {
    const isTaken = (/** @type {number} */ x) => marks.some((mark) => Math.abs(mark.x - x) < 2 * MERGE_PX);
    const found = this.app.apart?.(i) ?? [];
    return apartMarks(found, (t) => this.x(t)).map(({ x, t, texts }) =>
      svg(
        "g",
        {
          class: "apart",
          transform: isTaken(x) ? `translate(${x.toFixed(1)} ${y - 9}) scale(.6)` : `translate(${x.toFixed(1)} ${y})`,
          "data-testid": "apart",
          "data-t": t,
        },
        svg("path", { d: "M-9 0l9-9 9 9-9 9z" }),
        svg("title", {
          text: `${logTime(t)} s: ${texts[0]}${texts.length > 1 ? ` and ${texts.length - 1} more` : ""}`,
        }),
      ),
    );
  }

  /** The span that somebody marked: a part of a stop. */
  span() {
    const span = this.app.page.span.value;
    if (!span) return [];
    const x = this.x(span.from);
    return [
      svg("rect", {
        class: "span",
        x: x.toFixed(1),
        y: 4,
        width: Math.max(2, this.x(span.to) - x).toFixed(1),
        height: this.size.height - 20,
        rx: 2,
        "data-testid": "marked-span",
      }),
    ];
  }

  axis() {
    const { left, right } = this.edges();
    const y = this.size.height;
    return axis(0, this.end, right - left, this.phone ? 60 : 90).ticks.flatMap((t, i) => [
      svg("path", { class: "tick", d: `M${this.x(t)} ${y - 15}v4` }),
      svg("text", { class: "ax", x: this.x(t), y: y - 2, text: `${trim(t / 1e6)}${i === 0 ? " s" : ""}` }),
    ]);
  }

  labels() {
    if (this.phone && !this.app.laneName) return [];
    const text = (/** @type {string} */ words, /** @type {number} */ y, name = "") =>
      svg("text", { class: `lane ${name}`, x: this.edges().left - (this.phone ? 12 : 20), y, text: words });
    const { app } = this;
    if (app.laneName) return app.players.map((_, i) => text(String(app.laneName?.(i)), this.laneOf(i) + 4, "main"));
    return [text("this run", this.lane + 4, "main"), text("writes down", this.size.height - 18)];
  }

  bars() {
    const y = this.size.height - 22;
    if (this.tracks.length > 1) return [];
    return downTimes(this.leader.model.trace.decisive).map(([from, to]) =>
      svg("path", {
        class: "down",
        d: `M${this.x(from).toFixed(1)} ${y}H${Math.max(this.x(to), this.x(from) + 2).toFixed(1)}`,
      }),
    );
  }

  /** The run that this one left and those that left it, each from where they part: they go on beside this one. */
  branchLanes() {
    const more = this.app.lanes.length - this.lanes.length;
    return this.lanes.map((lane, i) => {
      const x = this.x(Math.min(lane.cutUs, this.end));
      const y = this.lane + 16 + i * LANE_PX;
      const name = lane.isParent ? "parent run" : short(lane.change.replace(/^[\d.]+ s: /, "") || lane.title);
      const last = more > 0 && i === this.lanes.length - 1;
      const label = svg("text", {
        class: "lane",
        x: this.labelsPx - 20,
        y: y + 4,
        text: last ? `+${more + 1} branches` : name,
      });
      const path =
        `M${Math.max(this.x(0), x - 14)} ${this.lane}C${x} ${this.lane} ${x} ${y} ${x + 14} ` +
        `${y}H${this.edges().right}`;
      const told = last ? "The whole tree" : `${lane.isParent ? "Parent run" : "Branch"}: ${lane.change || lane.title}`;
      return svg(
        "a",
        {
          href: last ? this.app.aboutUrl : lane.url,
          class: "branch-lane",
          tabindex: "-1",
          "data-testid": `lane-${lane.id}`,
        },
        svg("path", { class: "parent", d: path }),
        svg("path", { class: "reach", d: path }),
        label,
        svg("title", { text: told }),
      );
    });
  }

  /** The steps of the real cluster, where this run is a recording's script. */
  realLane() {
    const steps = this.app.page.showsReal.value && this.tracks.length === 1 ? this.leader.script.realSteps : [];
    if (!steps.length) return [];
    const y = this.lane + (this.phone ? 13 : this.lanes.length ? 26 + LANE_PX * (this.lanes.length - 1) : 18);
    const { left, right } = this.edges();
    const marks = realMarks(steps, (t) => this.x(t)).map((mark) =>
      svg(
        "g",
        {
          class: "real",
          transform: `translate(${mark.x.toFixed(1)} ${y})`,
          "data-testid": "real-step",
          "data-t": mark.t,
        },
        svg("rect", { class: "reach", x: -7, y: -8, width: 14, height: 16 }),
        svg("path", { d: mark.texts.length > 1 ? "M-5 0l4-4 4 4-4 4zM-1-4l4 4-4 4" : "M-4 0l4-4 4 4-4 4z" }),
        svg("title", { text: tooltip(mark) }),
      ),
    );
    const label = this.phone
      ? []
      : [svg("text", { class: "lane", x: this.labelsPx - 20, y: y + 4, text: "real cluster" })];
    return [svg("path", { class: "real-line", d: `M${left} ${y}H${right}` }), ...label, ...marks];
  }

  /** @param {import("./marks.js").Mark} mark @param {number} y */
  mark(mark, y) {
    const group = svg("g", {
      class: `mark ${mark.shape}${mark.grave ? " grave" : ""}`,
      transform: `translate(${mark.x.toFixed(1)} ${y})`,
      "data-testid": `marker-${mark.seq}`,
      "data-t": mark.t,
    });
    if (mark.count > 1) group.append(...pill(mark));
    else group.append(...shapeOf(mark.shape));
    group.append(
      svg("title", {
        text: `${logTime(mark.t)} s: ${mark.text}${mark.count > 1 ? ` and ${mark.count - 1} more` : ""}`,
      }),
    );
    return group;
  }

  listen() {
    const at = (/** @type {MouseEvent} */ event) => {
      const { left, right } = this.edges();
      const share = (event.clientX - this.root.getBoundingClientRect().left - left) / (right - left);
      return Math.max(0, share) * this.end;
    };
    this.root.addEventListener("pointerdown", (event) => {
      if (event.target instanceof Element && event.target.closest("a")) return;
      const mark = event.target instanceof Element ? event.target.closest("[data-t]") : null;
      this.root.setPointerCapture(event.pointerId);
      if (mark instanceof SVGElement) this.app.travel.seek(Number(mark.dataset.t));
      else this.app.travel.seek(at(event));
    });
    this.root.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) this.app.travel.seek(at(event));
    });
    this.root.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        const step = Math.max(WHEEL_US, this.end / 400);
        this.app.travel.seek(this.leader.model.moment + Math.sign(event.deltaY || event.deltaX) * step);
      },
      { passive: false },
    );
  }
}

/** @param {string} text */
const short = (text) => (text.length > LABEL_LETTERS ? `${text.slice(0, LABEL_LETTERS - 1)}…` : text);

/** @param {number} n */
const trim = (n) => String(Math.round(n * 1000) / 1000);

/** @param {import("./marks.js").Mark} mark */
function pill(mark) {
  const text = svg("text", { x: 6, y: 4, class: "count" });
  setText(text, mark.count > 99 ? "99+" : mark.count);
  const { left, right } = reachOf(mark.count);
  const inner = svg("g", { transform: "translate(-7 0) scale(.72)" }, ...shapeOf(mark.shape));
  return [svg("rect", { class: "pill", x: -left, y: -9, width: left + right, height: 18, rx: 9 }), inner, text];
}

/** @param {string} shape */
const shapeOf = (shape) => (SHAPES[shape] ?? (() => []))();

/** @type {Record<string, () => SVGElement[]>} */
const SHAPES = {
  fault: () => [
    svg("rect", { class: "fault-box", x: -7.5, y: -7.5, width: 15, height: 15, rx: 3 }),
    svg("path", { class: "fault-cross", d: "M-3-3l6 6M3-3l-6 6" }),
  ],
  election: () => [
    svg("circle", { class: "disc", r: 8.5 }),
    svg("use", { href: "#i-crown", class: "ink", x: -5.5, y: -5.5, width: 11, height: 11 }),
  ],
  isr: () => [svg("circle", { class: "disc", r: 5 }), svg("path", { class: "half", d: "M0-5A5 5 0 0 1 0 5z" })],
  flag: () => [svg("path", { class: "flag", d: "M0 5V-8h8l-2 3 2 3H0" })],
  other: () => [svg("circle", { class: "disc", r: 3.5 })],
};
