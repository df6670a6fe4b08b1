/**
 * The matrix at the levels of logs and chips: columns of brokers, rows of partitions, a cell where a replica lives.
 * Builds its nodes once for a cluster and size; later only what a fact touched is drawn.
 *
 * @import {Model} from "../run/model.js"
 * @import {View} from "../facts/types.js"
 * @import {Dirty} from "../fold/fold.js"
 * @import {Level, Strip} from "../run/layout.js"
 */
import { el, place, setAttr, setText } from "../kit/dom.js";
import { stripFor, windowOf } from "../run/layout.js";
import { plural } from "../kit/wording.js";
import { ReplicaCell } from "./cell.js";
import { ChipCell } from "./chip.js";
import { ConsumerCell, consumersOf, readersOf, readingOf } from "./consumers.js";
import { BrokerHead } from "./heads.js";
import { holdersOf, rowsOf, shownName } from "./rows.js";
import { SiteFrames } from "./sites.js";
import { TopicPanel } from "./topics.js";

const ROW_MIN = { logs: 84, chips: 24 };
/** Rows share the height; a few partitions do not stretch beyond what a cell and its topic's panel fill. */
const ROW_MAX_PX = 296;
const CHIP_MAX_PX = 56;
/** Cells narrower than this draw as on phones: short words, marks at both ends. */
const COMPACT_WIDTH = 150;
/** Counts and words that change with every record are written this often while time runs: nobody reads faster. */
const FIGURES_MS = 100;
const SIGHT_MARGIN = "120px"; // strips this close to the scrolled part are painted too
const MANY = 24; // with more brokers than this the columns of chips are as narrow as their numbers
const NARROW_HEAD = 176; // columns narrower than this have no power button in their head,
const TIGHT_HEAD = 150; // and below this two rows: ring and buttons, then name and state

export class Matrix {
  /** @param {Model} model @param {Level} level @param {(action: string) => void} act @param {boolean} phone */
  constructor(model, level, act, phone) {
    this.model = model;
    this.level = level;
    this.phone = phone;
    this.brokers = model.brokerIds;
    this.sites = new SiteFrames(model);
    this.rows = rowsOf(model);
    this.root = el("div", {
      class: `matrix m-${level}`,
      role: "grid",
      tabindex: "0",
      "aria-label": `Cluster, ${plural(this.brokers.length, "broker")}, ${plural(this.rows.length, "partition")}`,
      "aria-rowcount": this.rows.length + 1,
    });
    /** rows as they are read out; they draw nothing themselves */
    this.headRow = rowNode(1);
    this.lines = this.rows.map((_, i) => rowNode(i + 2));
    /** @type {Map<number, BrokerHead>} */ this.heads = new Map();
    /** @type {Map<string, ReplicaCell | ChipCell>} */ this.cells = new Map();
    /** @type {Map<number, ConsumerCell>} */ this.consumers = new Map();
    /** @type {Map<number, TopicPanel>} */ this.topics = new Map();
    /** @type {Map<number, {root: HTMLElement, state: HTMLElement}>} */ this.titles = new Map();
    /** rows whose figures are out of date @type {Set<number>} */ this.owed = new Set();
    /** rows that came into sight @type {Set<number>} */ this.arrived = new Set();
    /** @type {IntersectionObserver | null} */ this.sight = null;
    this.build(act);
    this.size = { width: 0, height: 0 };
    /** @type {Strip} */ this.strip = stripFor(240, 100, this.phone, 3);
    this.digits = 0;
  }

  /** an offset has more digits than records have room for */
  outgrown = false;

  get logs() {
    return this.level === "logs";
  }

  /** Column of a broker, as CSS counts them: before each further cluster is the WAN's. @param {number} index */
  column(index) {
    return index + (this.phone && this.logs ? 1 : 2) + (this.model.siteOf(this.brokers[index] ?? 0)?.index ?? 0);
  }

  /** Column after the last broker's. */
  get end() {
    return this.column(this.brokers.length - 1) + 1;
  }

  /** Row of the brokers' heads: above it are the names of clusters. */
  get headLine() {
    return this.sites.titles.length ? 2 : 1;
  }

  /** Row of a partition. @param {number} index */
  row(index) {
    return this.headLine + (this.phone && this.logs ? index * 2 + 2 : index + 1);
  }

  /** @param {(action: string) => void} act */
  build(act) {
    const { root, rows, model } = this;
    const last = this.row(rows.length);
    this.brokers.forEach((broker, i) => {
      const head = new BrokerHead(model, broker);
      this.heads.set(broker, head);
      place(head.band, this.column(i), this.phone ? String(this.headLine) : `${this.headLine} / ${last}`);
      place(head.root, this.column(i), String(this.headLine));
      head.root.setAttribute("aria-colindex", String(i + 2));
      root.append(head.band);
      this.headRow.append(head.root);
    });
    this.sites.place(this.brokers, (i) => this.column(i), last);
    if (this.sites.titles.length) root.append(el("div", { role: "row", class: "line" }, ...this.sites.cells));
    root.append(this.headRow, ...this.lines);
    rows.forEach((p, i) => this.buildRow(p, i));
    if (!this.phone && this.logs) this.buildSides(act);
    this.setTemplate();
  }

  /** @param {number} p @param {number} i */
  buildRow(p, i) {
    const name = this.model.partitionName(p);
    const partition = this.model.view?.partitions[p];
    if (this.phone || !this.logs) this.lines[i]?.append(this.rowTitle(p, i, name));
    for (const broker of partition?.replicas ?? []) this.addCell(p, i, broker, name);
    if (this.logs && !this.phone) {
      const consumer = new ConsumerCell(this.model, p);
      this.consumers.set(p, consumer);
      place(consumer.root, this.end, String(this.row(i)));
      this.lines[i]?.append(consumer.root);
    }
  }

  /** @param {number} p @param {number} i row @param {number} broker @param {string} name */
  addCell(p, i, broker, name) {
    const column = this.brokers.indexOf(broker);
    if (column < 0) return;
    const title = `${name} on ${this.model.nodeName(broker)}`;
    const cell = this.logs ? new ReplicaCell(p, broker, name, title) : new ChipCell(p, broker, name, title);
    place(cell.root, this.column(column), String(this.row(i)));
    cell.root.setAttribute("aria-rowindex", String(i + 2));
    cell.root.setAttribute("aria-colindex", String(column + 2));
    this.cells.set(`${p}:${broker}`, cell);
    this.lines[i]?.append(cell.root);
    this.sight?.observe(cell.root);
  }

  /** @param {number} p @param {number} i @param {string} name */
  rowTitle(p, i, name) {
    const state = el("span", { class: "st" });
    const root = el(
      "div",
      { class: "pt", role: "rowheader", "data-p": p, "data-testid": `partition-${name}` },
      el("b", { text: this.shownName(p, name), title: name }),
      state,
    );
    this.titles.set(p, { root, state });
    if (this.logs) place(root, "1 / -1", String(this.row(i) - 1));
    else place(root, 1, String(this.row(i)));
    return root;
  }

  /** A partition's name beside its chips, whose columns tell its cluster. @param {number} p @param {string} name */
  shownName(p, name) {
    const isTight = this.phone && this.sites.titles.length > 0;
    return this.logs ? name : shownName(this.model, p, name, this.brokers.length > MANY, isTight);
  }

  /** Topic panels on the left and the titles of both outer columns. @param {(action: string) => void} act */
  buildSides(act) {
    const { model, rows } = this;
    const producers = el("div", { class: "colh", role: "columnheader" }, "Producers");
    const consumers = el("div", { class: "colh", role: "columnheader" }, "Consumers");
    place(producers, 1, String(this.headLine));
    place(consumers, this.end, String(this.headLine));
    this.headRow.append(producers, consumers);
    rows.forEach((p, i) => {
      const topic = model.view?.partitions[p]?.topic ?? -1;
      const span = rows.filter((other) => model.view?.partitions[other]?.topic === topic).length;
      if (this.topics.has(topic) || topic < 0) return;
      const panel = new TopicPanel(model, topic, act);
      this.topics.set(topic, panel);
      place(panel.root, 1, `${this.row(i)} / span ${span}`);
      this.lines[i]?.append(panel.root);
    });
  }

  setTemplate() {
    const { style } = this.root;
    const count = this.brokers.length;
    const names = this.headLine > 1 ? "24px " : "";
    if (!this.logs) {
      const least = count > MANY ? 12 : this.phone ? 26 : 30;
      this.root.classList.toggle("many", count > MANY);
      style.gridTemplateColumns =
        `minmax(${this.phone ? 68 : 120}px, ${count > MANY ? "120px" : "auto"}) ` +
        `${this.sites.columns(this.brokers, `minmax(${least}px, 1fr)`)}`;
      style.gridTemplateRows = `${names}auto repeat(${this.rows.length}, minmax(${ROW_MIN.chips}px, ${CHIP_MAX_PX}px))`;
    } else if (this.phone) {
      style.gridTemplateColumns = this.sites.columns(this.brokers, "minmax(0, 1fr)");
      style.gridTemplateRows = `${names}var(--head, 46px) repeat(${this.rows.length}, 24px var(--row, 72px))`;
    } else {
      style.gridTemplateColumns =
        `var(--topic-width) ${this.sites.columns(this.brokers, "minmax(0, 1fr)")} ` + `var(--consumer-width)`;
      style.gridTemplateRows =
        `${names}var(--head-height, 62px) repeat(${this.rows.length}, ` + `minmax(${ROW_MIN.logs}px, ${ROW_MAX_PX}px))`;
    }
  }

  /** Measures after the matrix stands in the page or its size changed. */
  measure() {
    const first = [...this.cells.values()].find((cell) => cell instanceof ReplicaCell);
    if (!(first instanceof ReplicaCell)) return;
    const { width } = first.root.getBoundingClientRect();
    this.root.classList.toggle("narrow-heads", !this.phone && width < NARROW_HEAD && width >= TIGHT_HEAD);
    this.root.classList.toggle("tight-heads", !this.phone && width < TIGHT_HEAD); // which leaves the cells less height
    const box = first.root.getBoundingClientRect();
    const head = this.phone ? 19 : 23;
    this.size = {
      width: Math.max(40, Math.round(box.width) - 4),
      height: Math.max(20, Math.round(box.height) - 4 - head),
    };
    const compact = this.phone || this.size.width < COMPACT_WIDTH;
    this.root.classList.toggle("compact", compact);
    if (compact && !this.phone) this.size.height = Math.max(20, this.size.height + 4);
    this.strip = stripFor(this.size.width, this.size.height, compact, this.digits || 3);
    this.watch();
  }

  /** Strips that are not in sight are not painted, and cost the browser no layer. */
  watch() {
    if (this.sight || !this.logs || !this.root.parentElement) return;
    this.sight = new IntersectionObserver((entries) => entries.forEach((entry) => this.see(entry)), {
      root: this.root.parentElement,
      rootMargin: SIGHT_MARGIN,
    });
    for (const cell of this.cells.values()) this.sight.observe(cell.root);
  }

  /** @param {IntersectionObserverEntry} entry */
  see({ target, isIntersecting }) {
    const { p, broker } = /** @type {HTMLElement} */ (target).dataset;
    const cell = this.cells.get(`${p}:${broker}`);
    if (!(cell instanceof ReplicaCell) || cell.root !== target) return;
    cell.strip.see(isIntersecting);
    if (isIntersecting) this.arrived.add(cell.p);
  }

  /** The strips, before any node of the frame is written. @param {View} view @param {Dirty} dirty */
  paint(view, dirty) {
    if (!this.logs) return;
    if (dirty.all) this.fitDigits(view);
    for (const p of dirty.all ? this.rows : this.touchedRows(dirty)) this.paintRow(view, p);
    for (const p of this.arrived) this.paintRow(view, p);
    this.arrived.clear();
    if (this.outgrown) {
      this.outgrown = false;
      this.fitDigits(view);
      for (const p of this.rows) this.paintRow(view, p);
    }
    this.animate();
  }

  /** @param {View} view @param {number} p */
  paintRow(view, p) {
    const partition = view.partitions[p];
    if (!partition || !this.rows.includes(p)) return;
    const tokens = windowOf(partition, this.strip.slots);
    const last = tokens.at(-1);
    if (typeof last === "number" && String(last).length > this.digits) this.outgrown = true;
    const moving = this.model.playing.peek();
    for (const broker of holdersOf(partition)) {
      const cell = this.cells.get(`${p}:${broker}`);
      if (cell instanceof ReplicaCell) cell.paint(view, tokens, this.strip, this.size, moving);
    }
  }

  /** Paints what is in motion: high watermarks that ease, records that leave. */
  animate() {
    const now = performance.now();
    for (const cell of this.cells.values())
      if (cell instanceof ReplicaCell && cell.strip.isMoving(now)) cell.strip.paint();
  }

  /** The nodes. @param {View} view @param {Dirty} dirty @param {number} t */
  draw(view, dirty, t) {
    this.drawHeads(view, dirty, t);
    if (dirty.links || dirty.all) this.sites.draw(view);
    const partitions = dirty.all ? this.rows : this.touchedRows(dirty);
    for (const p of partitions) this.drawRow(view, p);
    if (dirty.all) this.hurry();
    for (const p of dirty.clients.size || dirty.topics.size ? this.rows : partitions) this.owed.add(p);
    this.drawFigures(view);
  }

  /** Something happened that is no mere traffic: its figures are written at once. */
  hurry() {
    for (const p of this.rows) this.owed.add(p);
    this.figuresAt = -Infinity;
  }

  figuresAt = -Infinity;

  /** Panels of topics, and how far partitions are read. @param {View} view */
  drawFigures(view) {
    const now = performance.now();
    if (!this.owed.size || (this.model.playing.peek() && now - this.figuresAt < FIGURES_MS)) return;
    this.figuresAt = now;
    for (const panel of this.topics.values()) panel.draw(view);
    for (const p of this.owed) this.drawReading(view, p);
    this.owed.clear();
  }

  /** Draw how far a partition is read. @param {View} view @param {number} p */
  drawReading(view, p) {
    if (!view.partitions[p]) return;
    this.consumers.get(p)?.draw(view);
    const title = this.titles.get(p);
    if (title && this.phone && this.logs) setText(title.state, this.titleText(view, p));
  }

  /** Another theme: every strip once more. */
  repaint() {
    for (const cell of this.cells.values()) if (cell instanceof ReplicaCell) cell.strip.paint();
  }

  /** Longer offsets need wider records. @param {View} view */
  fitDigits(view) {
    let end = 0;
    for (const p of this.rows)
      for (const copy of Object.values(view.partitions[p]?.copies ?? {})) end = Math.max(end, copy.leo);
    const digits = Math.max(3, String(end).length);
    if (digits === this.digits) return;
    this.digits = digits;
    this.measure();
  }

  /** @param {View} view @param {Dirty} dirty @param {number} t */
  drawHeads(view, dirty, t) {
    const short = this.phone || !this.logs || this.root.classList.contains("narrow-heads");
    for (const [broker, head] of this.heads) {
      if (dirty.all || dirty.brokers.has(broker)) head.draw(view, t, short);
      else head.tick(view, t, short);
    }
  }

  /** Messages of each lane at the level of chips. @param {Map<number, number>} counts by partition */
  drawCounts(counts) {
    for (const [p, { state }] of this.titles) {
      const count = counts.get(p) ?? 0;
      setText(state, count ? count.toLocaleString("en") : "");
      setAttr(state, "title", count ? `${count} messages in the last quarter of a second` : "");
    }
  }

  /** @param {Dirty} dirty @returns {Set<number>} */
  touchedRows(dirty) {
    const touched = new Set(dirty.partitions);
    for (const key of dirty.copies) touched.add(Number(key.slice(0, key.indexOf(":"))));
    for (const [key, cell] of this.cells) {
      if (dirty.brokers.has(cell.broker)) touched.add(Number(key.slice(0, key.indexOf(":"))));
    }
    return touched;
  }

  /** @param {View} view @param {number} p */
  drawRow(view, p) {
    const partition = view.partitions[p];
    const index = this.rows.indexOf(p);
    if (!partition || index < 0) return;
    const holders = holdersOf(partition);
    for (const broker of holders) {
      if (!this.cells.has(`${p}:${broker}`)) {
        this.addCell(p, index, broker, this.model.partitionName(p));
        this.arrived.add(p);
      }
      const cell = this.cells.get(`${p}:${broker}`);
      if (cell instanceof ReplicaCell) cell.draw(view, this.strip.phone);
      else cell?.draw(view);
    }
    this.dropGone(p, holders);
  }

  /** @param {number} p @param {Set<number>} holders */
  dropGone(p, holders) {
    for (const broker of this.brokers) {
      const key = `${p}:${broker}`;
      if (holders.has(broker) || !this.cells.has(key)) continue;
      this.cells.get(key)?.root.remove();
      this.cells.delete(key);
    }
  }

  /** @param {View} view @param {number} p */
  titleText(view, p) {
    const topic = view.partitions[p]?.topic ?? -1;
    const reading = readingOf(view, p, readersOf(this.model, view, consumersOf(this.model, p)));
    return `${this.model.acksOf(topic) === null ? "" : `${this.model.acksWords(topic)} `}· ${reading.text}`;
  }
}

/** @param {number} index as it is counted aloud */
const rowNode = (index) => el("div", { role: "row", class: "line", "aria-rowindex": index });
