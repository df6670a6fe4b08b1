/**
 * The stage: picks the level of detail, holds the matrix or the map, the arcs of broken links and the canvas of
 * messages, and knows where each of them stands.
 *
 * @import {Level} from "../run/layout.js"
 * @import {Model} from "../run/model.js"
 * @import {PageState} from "../page/pagestate.js"
 */
import { effect } from "@preact/signals-core";
import { el } from "../kit/dom.js";
import { FIRST_TRAFFIC, MSG } from "../facts/facts.js";
import { kindOf } from "../facts/row.js";
import { levelFor, PHONE_WIDTH } from "../run/layout.js";
import { toldByWan } from "../fold/sites.js";
import { plural } from "../kit/wording.js";
import { ControlStrip } from "./control.js";
import { LinkLayer } from "./links.js";
import { COMMON, LaneCounts } from "./lanecounts.js";
import { ClusterMap } from "./map.js";
import { Matrix } from "./matrix.js";
import { rowsOf } from "./rows.js";
import { ParticleLayer } from "./particles.js";

const LEVELS = /** @type {Level[]} */ (["logs", "chips", "map"]);
const CELLS_MAX = { logs: 400, chips: 6000 };

export class Stage {
  /**
   * @param {Model} model
   * @param {PageState} page
   * @param {HTMLElement} root
   * @param {(action: string) => void} act
   * @param {boolean} [isSide] it stands beside others: it is drawn as on a phone, without the columns of clients
   */
  constructor(model, page, root, act, isSide = false) {
    this.model = model;
    this.isSide = isSide;
    this.page = page;
    this.root = root;
    this.act = act;
    this.scroller = el("div", { class: "scroller" });
    this.canvas = /** @type {HTMLCanvasElement} */ (
      el("canvas", { "aria-hidden": "true", "data-testid": "particles" })
    );
    /** @type {Matrix | null} */ this.matrix = null;
    /** @type {ClusterMap | null} */ this.map = null;
    /** @type {ControlStrip | null} */ this.control = null;
    this.counts = new LaneCounts();
    this.particles = new ParticleLayer(
      model,
      page,
      this.canvas,
      (node, p, end, msg) => this.anchor(node, p, end, msg),
      () => this.phone,
    );
    this.links = new LinkLayer(
      (node) => this.headPlace(node),
      (node) => model.nodeName(node),
      (view) => toldByWan(model.names, view),
    );
    /** @type {Map<string, {x: number, y: number} | null>} */ this.places = new Map();
    this.structure = "";
    addEventListener("highwater-theme", () => this.matrix?.repaint());
    new ResizeObserver(() => this.relayout()).observe(root);
    this.scroller.addEventListener("scroll", () => this.places.clear(), { passive: true });
    effect(() => {
      page.levelChoice.value;
      if (this.control) this.relayout();
    });
  }

  /** True if it is drawn as on a phone. */
  get phone() {
    return this.isSide || innerWidth <= PHONE_WIDTH;
  }

  /** Builds all nodes anew: a new cluster, a new level, a new form of page. */
  rebuild() {
    const { model } = this;
    if (!model.view) return;
    const level = this.chooseLevel();
    this.control = new ControlStrip(model, this.page);
    this.matrix = level === "map" ? null : new Matrix(model, level, this.act, this.phone);
    this.map = level === "map" ? (this.map ?? new ClusterMap(model, this.page)) : null;
    const hadFocus = this.root.contains(document.activeElement); // what had it is not drawn any more
    this.scroller.replaceChildren(this.matrix?.root ?? /** @type {ClusterMap} */ (this.map).root);
    this.root.replaceChildren(this.control.root, this.scroller, this.links.root, this.canvas);
    if (hadFocus) this.takeFocus();
    this.root.dataset.level = level;
    this.root.setAttribute(
      "aria-label",
      `${model.sites.length ? plural(model.sites.length, "cluster") : "Cluster"}, ` +
        `${plural(model.names.brokers.length, "broker")} in ${plural(model.frames.length, "availability zone")}`,
    );
    this.control.drawDetail(level, this.possible());
    this.structure = this.structureKey(level);
    this.map?.resize();
    this.matrix?.measure();
    this.places.clear();
    /** @type {any} */ (model.cursor).dirty.all = true;
  }

  /** Scroll to the row of a partition: its cells, and its name above them. @param {number} p */
  showRow(p) {
    const cells = [...(this.matrix?.cells.values() ?? [])].filter((cell) => cell.p === p);
    for (const root of [cells[0]?.root, this.matrix?.titles.get(p)?.root])
      root?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** Keys mean what is drawn here, not the button that was pressed last. */
  takeFocus() {
    (this.matrix?.root ?? this.map?.canvas)?.focus({ preventScroll: true });
  }

  /** What the nodes are built of: partitions that exist, and clients, some of which join later. @param {Level} level */
  structureKey(level) {
    const { model } = this;
    const known = model.view?.partitions.filter((partition) => (partition?.topic ?? -1) >= 0).length;
    return (
      `${level} ${this.phone} ${model.names.brokers.length} ${model.view?.partitions.length} ${known} ` +
      `${model.view?.clients.length} ${model.docId}`
    );
  }

  chooseLevel() {
    const choice = this.page.levelChoice.value;
    const level = choice && this.possible().has(choice) ? choice : this.naturalLevel();
    this.page.level.value = level;
    return level;
  }

  naturalLevel() {
    const { phone } = this;
    const { width, height } = this.root.getBoundingClientRect();
    if (!width) return this.page.level.peek(); // a tab that is not shown
    const rows = this.model.view?.partitions.length ?? 0;
    const fit = levelFor(
      { width, height, brokers: this.model.names.brokers.length, rows, phone },
      this.page.level.peek(),
    );
    return LEVELS.find((level) => LEVELS.indexOf(level) >= LEVELS.indexOf(fit) && this.possible().has(level)) ?? "map";
  }

  /** Levels whose nodes the page can carry. @returns {Set<Level>} */
  possible() {
    const cells = (this.model.view?.partitions ?? []).reduce(
      (all, partition) => all + (partition?.replicas.length ?? 0),
      0,
    );
    /** @type {Set<Level>} */ const possible = new Set(["map"]);
    if (cells <= CELLS_MAX.chips) possible.add("chips");
    if (cells <= CELLS_MAX.logs && this.model.names.brokers.length <= 12) possible.add("logs");
    return possible;
  }

  relayout() {
    if (!this.model.view) return;
    const level = this.chooseLevel();
    if (this.structureKey(level) !== this.structure) return this.rebuild();
    this.matrix?.measure();
    this.map?.resize();
    this.places.clear();
    if (this.model.cursor) this.model.cursor.dirty.all = true;
  }

  /** @param {number} t @param {number} passed ms */
  draw(t, passed) {
    const { cursor, view } = this.model;
    if (!cursor || !view) return;
    if (!this.control || (cursor.dirty.all && this.structureKey(this.page.level.peek()) !== this.structure))
      this.rebuild();
    const { dirty } = cursor;
    const level = this.page.level.peek();
    // Canvases first: they ask for fonts and places, which costs nothing while no node of this frame is written yet.
    this.particles.draw(t, passed, level === "logs");
    this.matrix?.paint(view, dirty);
    if (dirty.control || dirty.all) this.control?.draw(view);
    this.matrix?.draw(view, dirty, t);
    this.map?.draw(view, dirty);
    if (dirty.links || dirty.all) this.links.draw(view);
    this.drawCounts(level === "chips");
    dirty.clear();
  }

  /** @param {boolean} shown */
  drawCounts(shown) {
    const counts = this.counts.due(performance.now());
    if (!counts) return;
    if (shown) this.matrix?.drawCounts(counts);
    this.control?.drawCount(shown ? (counts.get(COMMON) ?? 0) : null);
  }

  /** A fact that the picture passes. @param {import("../facts/types.js").Row} row */
  note(row) {
    this.particles.note(row);
    this.counts.note(row);
    if (kindOf(row) < FIRST_TRAFFIC) this.matrix?.hurry();
  }

  /**
   * The place where a message starts or ends, in px of the stage.
   * @param {number} node
   * @param {number} p
   * @param {"src" | "dst"} end
   * @param {number} msg
   */
  anchor(node, p, end, msg) {
    const lane = p >= 0 && isData(msg) ? p : -1;
    const key = `${node} ${lane} ${end}`;
    const known = this.places.get(key);
    if (known !== undefined) return known;
    const place = this.findAnchor(node, lane);
    this.places.set(key, place);
    return place;
  }

  /** @param {number} node @param {number} p */
  findAnchor(node, p) {
    if (node < 0) return this.clientPlace(node, p);
    if (p >= 0) {
      const cell = this.matrix?.cells.get(`${p}:${node}`);
      if (cell) return this.top(cell.root, 0.5, -1);
    }
    return this.headPlace(node);
  }

  /** @param {number} node @returns {{x: number, y: number} | null} */
  headPlace(node) {
    const head = this.matrix?.heads.get(node);
    if (head) return this.top(/** @type {any} */ (head.ring), 0.5, 2);
    const pill = this.control?.pills.get(node);
    return pill ? this.top(pill, 0.5, pill.offsetHeight) : null;
  }

  /**
   * Producers stand at the left, consumers at the right of their partition's lane.
   * @param {number} node
   * @param {number} p
   */
  clientPlace(node, p) {
    const kind = this.model.clientCalled(-1 - node)?.kind;
    const box = this.root.getBoundingClientRect();
    const row = this.matrix?.rows.includes(p) ? p : (this.matrix?.rows[0] ?? -1);
    const first = this.matrix?.brokers.map((broker) => this.matrix?.cells.get(`${row}:${broker}`)).find((cell) => cell);
    if (!first) return null;
    const y = first.root.getBoundingClientRect().top - box.top - 1;
    if (this.matrix?.phone || !this.matrix?.logs) return { x: kind === "consumer" ? box.width - 4 : 4, y };
    const side = kind === "consumer" ? this.matrix.consumers.get(row)?.root : [...this.matrix.topics.values()][0]?.root;
    if (!side) return { x: kind === "consumer" ? box.width - 4 : 4, y };
    const edge = side.getBoundingClientRect();
    return { x: (kind === "consumer" ? edge.left + 2 : edge.right - 2) - box.left, y };
  }

  /** @param {Element} node @param {number} across @param {number} down @returns {{x: number, y: number}} */
  top(node, across, down) {
    const stage = this.root.getBoundingClientRect();
    const box = node.getBoundingClientRect();
    return { x: box.left + box.width * across - stage.left, y: box.top + down - stage.top };
  }

  /** Partitions in the order of the rows. */
  get rows() {
    return this.matrix?.rows ?? rowsOf(this.model);
  }
}

const CONTROL = new Set([
  MSG.HEARTBEAT,
  MSG.HEARTBEAT_ANSWER,
  MSG.ALTER_PARTITION,
  MSG.ALTER_PARTITION_ANSWER,
  MSG.METADATA_FETCH,
  MSG.METADATA_UPDATE,
  MSG.REGISTER,
  MSG.REGISTER_ANSWER,
]);
/** Data travels in the lane of its partition, control between heads and controllers. @param {number} msg */
const isData = (msg) => !CONTROL.has(/** @type {any} */ (msg));
