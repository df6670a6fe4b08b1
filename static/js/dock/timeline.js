/**
 * The timeline: what was played, what is received, marks of events, the parent's lane, a recording's real steps, bars
 * of stopped writes; and the slider that scrubs. It owns one <svg>.
 *
 * @import {App} from "../app/app.js"
 */
import { setAttr, setText, svg } from "../kit/dom.js";
import { axis, PHONE_WIDTH } from "../run/layout.js";
import { logTime } from "../words/narrate.js";
import { axisEnd, downTimes, marksOf, reachOf } from "./marks.js";
import { realMarks, tooltip } from "./real.js";

const LABELS_PX = 96;
/** room for labels that say in words what a branch did */
const WORDS_PX = 142;
const WHEEL_US = 50_000;
/** Lanes of other runs that are drawn; more are said to be there. */
const LANES_MAX = 3;
const LANE_PX = 14;
const HEIGHT_PX = 74;
const LABEL_LETTERS = 21;

export class Timeline {
  /** @param {App} app @param {SVGElement} root */
  constructor(app, root) {
    this.app = app;
    this.root = root;
    this.still = svg("g");
    this.played = svg("path", { class: "played" });
    this.received = svg("path", { class: "received" });
    this.ahead = svg("path", { class: "ahead" });
    this.marks = svg("g");
    this.head = svg(
      "g",
      { class: "playhead" },
      svg("path", { class: "stem" }),
      svg("path", { class: "grip", d: "M-6 0h12v6l-6 6-6-6z" }),
    );
    root.append(this.still, this.ahead, this.received, this.played, this.marks, this.head);
    this.key = "";
    this.size = { width: 0, height: 0 };
    new ResizeObserver(() => this.measure()).observe(root);
    this.listen();
  }

  /** The width of what stands left of the lanes. */
  get labelsPx() {
    return this.lanes.some((lane) => !lane.isParent) ? WORDS_PX : LABELS_PX;
  }

  /** Lanes of other runs, as many as there is room for. */
  get lanes() {
    return this.phone ? [] : this.app.lanes.slice(0, LANES_MAX);
  }

  measure() {
    this.root.style.height = this.lanes.length > 1 ? `${HEIGHT_PX + LANE_PX * (this.lanes.length - 1)}px` : "";
    this.size = { width: this.root.clientWidth, height: this.root.clientHeight };
    this.key = "";
    this.app.frames.drawSoon();
  }

  get phone() {
    return innerWidth <= PHONE_WIDTH;
  }

  /** y of the run's lane */
  get lane() {
    return this.phone ? 16 : 19;
  }

  /** @param {number} t us @returns {number} px */
  x(t) {
    const { left, right } = this.edges();
    return left + ((right - left) * t) / this.end;
  }

  /** px before which no mark stands: a pill must not leave a phone's window. */
  get markFrom() {
    return this.phone ? 18 : 0;
  }

  edges() {
    return { left: this.phone ? 12 : this.labelsPx, right: this.size.width - (this.phone ? 12 : 20) };
  }

  end = 10_000_000;

  /** @param {number} t */
  draw(t) {
    if (!this.size.width) this.measure();
    const { trace } = this.app.model;
    const known = Math.max(trace.end, t);
    this.end = axisEnd(Math.max(known, this.app.script.horizonUs));
    const key =
      `${this.size.width} ${this.size.height} ${this.end} ${trace.version} ${this.app.page.showsReal.value} ` +
      `${this.app.page.span.value?.from} ${this.app.page.span.value?.to}`;
    if (key !== this.key) this.drawStill(key);
    // whole px: each other shape of an SVG node makes the browser order all layers of the page anew
    const x = Math.round(this.x(t));
    setAttr(this.received, "d", `M${this.x(0)} ${this.lane}H${Math.round(this.x(known))}`);
    setAttr(this.played, "d", `M${this.x(0)} ${this.lane}H${x}`);
    setAttr(this.head, "transform", `translate(${x} 0)`);
    this.speak(t, trace.end);
  }

  /** @param {number} t @param {number} end */
  speak(t, end) {
    const now = `${Math.round(t / 1000)} ${this.app.model.trace.version}`;
    if (now === this.spoken) return;
    this.spoken = now;
    const event = this.app.story.before(t);
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
    setAttr(this.ahead, "d", `M${this.x(0)} ${this.lane}H${this.edges().right}`);
    this.still.replaceChildren(...this.span(), ...this.axis(), ...this.labels(), ...this.bars(), ...this.branchLanes());
    this.marks.replaceChildren(
      ...marksOf(this.app.story.events(), (t) => Math.max(this.markFrom, this.x(t))).map((mark) => this.mark(mark)),
      ...this.realLane(),
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
    if (this.phone) return [];
    const text = (/** @type {string} */ words, /** @type {number} */ y, name = "") =>
      svg("text", { class: `lane ${name}`, x: this.labelsPx - 20, y, text: words });
    return [text("this run", this.lane + 4, "main"), text("writes down", this.size.height - 18)];
  }

  bars() {
    const y = this.size.height - 22;
    const { model } = this.app;
    return downTimes(model.trace.decisive).map(([from, to]) =>
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
    const steps = this.app.page.showsReal.value ? this.app.script.realSteps : [];
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

  /** @param {import("./marks.js").Mark} mark */
  mark(mark) {
    const group = svg("g", {
      class: `mark ${mark.shape}${mark.grave ? " grave" : ""}`,
      transform: `translate(${mark.x.toFixed(1)} ${this.lane})`,
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
        this.app.travel.seek(this.app.model.moment + Math.sign(event.deltaY || event.deltaX) * step);
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
