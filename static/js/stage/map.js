/**
 * The map: the whole cluster on one canvas. Rows are topics, columns brokers by AZ; tint is replicas in sync. At the
 * right one mark per partition, at the top leaders per broker. Bars and names of AZs are buttons with the usual menus;
 * a cell and each figure open the list of their partitions. `Show as table` gives the same in words, with the same
 * buttons.
 *
 * @import {Model} from "../run/model.js"
 * @import {PageState} from "../page/pagestate.js"
 * @import {View} from "../facts/types.js"
 * @import {Dirty} from "../fold/fold.js"
 * @import {MapData, MapRow} from "../run/mapdata.js"
 * @import {Health} from "../run/layout.js"
 */
import { el, setAttr, setText, svg } from "../kit/dom.js";
import { PHONE_WIDTH } from "../run/layout.js";
import { HEALTH_WORDS, HEALTHS, mapData } from "../run/mapdata.js";
import { capital, plural } from "../kit/wording.js";
import { MapButtons } from "./mapbuttons.js";
import { layoutMap } from "./mapgeometry.js";
import { paintMap } from "./mappaint.js";

const REDRAW_MS = 100;
const SIGNS = {
  offline: ["path", { class: "offline", d: "M3 3l10 10M13 3 3 13" }],
  "under-min": ["rect", { class: "under-min", x: 1.5, y: 1.5, width: 13, height: 13 }],
  "under-replicated": ["rect", { class: "under-replicated", x: 2.5, y: 2.5, width: 11, height: 11 }],
  healthy: ["rect", { class: "healthy", x: 5.5, y: 5.5, width: 5, height: 5 }],
};

export class ClusterMap {
  /** @param {Model} model @param {PageState} page */
  constructor(model, page) {
    this.model = model;
    this.page = page;
    this.canvas = /** @type {HTMLCanvasElement} */ (el("canvas", { tabindex: "0", role: "img", "data-testid": "map" }));
    this.buttons = new MapButtons(
      model,
      (column) => this.mark(column),
      (column) => this.enter(column),
    );
    this.tip = el("div", { class: "tooltip", hidden: true });
    /** @type {Map<Health, HTMLElement>} */ this.figures = new Map();
    this.table = el("div", { class: "map-table scroll", hidden: true });
    this.tableButton = el(
      "button",
      { class: "btn sm", type: "button", "aria-pressed": "false", "data-testid": "map-table" },
      "Show as table",
    );
    this.root = el(
      "div",
      { class: "map" },
      this.summary(),
      el("div", { class: "mx" }, this.canvas, this.buttons.root, this.tip),
      this.table,
    );
    /** @type {Health | null} */ this.only = null;
    this.drawnAt = 0;
    /** @type {MapData | null} */ this.data = null;
    this.row = -1;
    this.column = 0;
    this.listen();
  }

  summary() {
    const buttons = HEALTHS.map((state) => {
      const figure = el("b", { class: "num" }, "0");
      this.figures.set(state, figure);
      const [tag, attributes] = /** @type {[string, any]} */ (SIGNS[/** @type {keyof typeof SIGNS} */ (state)]);
      return el(
        "button",
        {
          type: "button",
          "aria-pressed": "false",
          "data-state": state,
          "data-testid": `state-${HEALTHS.length - 1 - HEALTHS.indexOf(state)}`,
          title:
            `Partitions that the controllers know as ${HEALTH_WORDS[state]}. They learn of a dead broker only ` +
            `when its session ends; the verdict counts from the first failed call.`,
          onclick: () => this.filter(state),
        },
        svg("svg", { viewBox: "0 0 16 16", class: "sign", "aria-hidden": "true" }, svg(tag, attributes)),
        figure,
        el("span", { text: HEALTH_WORDS[state] }),
      );
    });
    return el(
      "div",
      { class: "sum", role: "group", "aria-label": "Partitions by state, as the controllers know them" },
      ...buttons,
      el(
        "div",
        { class: "lod wide" },
        el("span", { class: "key" }, el("i"), el("i"), el("i"), "more replicas in sync"),
        this.tableButton,
      ),
    );
  }

  listen() {
    this.canvas.addEventListener("pointermove", (event) => this.point(event.offsetX, event.offsetY));
    this.canvas.addEventListener("pointerleave", () => this.leave());
    this.canvas.addEventListener("click", (event) => {
      if (this.point(event.offsetX, event.offsetY)) this.open();
    });
    this.canvas.addEventListener("blur", () => {
      this.tip.hidden = true;
    });
    this.canvas.addEventListener("keydown", (event) => this.onKey(event));
    this.tableButton.addEventListener("click", () => this.toggleTable());
    addEventListener("highwater-theme", () => this.paint());
  }

  /** @param {Health} state */
  filter(state) {
    this.only = this.only === state ? null : state;
    for (const button of this.root.querySelectorAll("[data-state]")) {
      setAttr(button, "aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.state === this.only));
    }
    const list = (this.data?.rows ?? []).flatMap((row) => row.partitions.filter((_, i) => row.states[i] === this.only));
    this.page.listed.value = this.only ? { title: capital(HEALTH_WORDS[state]), file: state, partitions: list } : null;
    this.paint();
  }

  resize() {
    this.paint();
  }

  /** @param {View} view @param {Dirty} dirty */
  draw(view, dirty) {
    if (!dirty.all && !dirty.partitions.size && !dirty.brokers.size && !this.late) return;
    const now = performance.now();
    this.late = now - this.drawnAt < REDRAW_MS && !dirty.all;
    if (this.late) return;
    this.drawnAt = now;
    this.data = mapData(
      view,
      this.model.brokerIds,
      (topic) => this.model.minIsr(topic),
      (topic) => this.model.topicName(topic),
    );
    for (const [state, figure] of this.figures) setText(figure, this.data.counts[state].toLocaleString("en"));
    this.paint();
    if (!this.table.hidden) this.fillTable();
  }

  late = false;

  paint() {
    const { data, model } = this;
    if (!data || !model.view || !this.canvas.isConnected) return;
    const ratio = devicePixelRatio || 1;
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    const g = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.layout = layoutMap({
      width,
      height,
      phone: innerWidth <= PHONE_WIDTH,
      rows: data.rows.length,
      racks: this.rackColumns(),
      mostPartitions: Math.max(1, ...data.rows.map((row) => row.partitions.length)),
    });
    const dead = model.brokerIds.map((id) => model.view?.brokers[id]?.process === "down");
    paintMap(g, this.layout, data, {
      probe: this.tip,
      dead,
      ids: model.brokerIds.map((id) => model.idOf(id)),
      row: this.row,
      column: this.markedColumn(),
      only: this.only,
    });
    this.buttons.place(this.layout, data);
    setAttr(
      this.canvas,
      "aria-label",
      `Map of ${plural(data.rows.length, "topic")} by ${plural(model.names.brokers.length, "broker")}: ` +
        `${this.sentence()}`,
    );
  }

  /** @returns {{name: string, columns: number}[]} */
  rackColumns() {
    const { model } = this;
    return model.frames.map((name) => ({
      name,
      columns: model.brokerIds.filter((id) => model.frameOf(id) === name).length,
    }));
  }

  sentence() {
    const { data } = this;
    return data
      ? HEALTHS.map((state) => `${data.counts[state].toLocaleString("en")} ${HEALTH_WORDS[state]}`).join(", ")
      : "";
  }

  /** The column under the pointer, else the selected broker's; -1 for none. */
  markedColumn() {
    const { selection, pointed } = this.page;
    const { brokerIds } = this.model;
    const chosen = selection.value?.kind === "broker" ? selection.value.id : -1;
    return brokerIds.indexOf(pointed >= 0 ? pointed : chosen);
  }

  /** The pointer or the focus is on a column. @param {number} column -1: on none */
  mark(column) {
    this.page.pointed = this.model.brokerIds[column] ?? -1;
    this.row = -1;
    this.tip.hidden = true;
    this.paint();
  }

  /** From the bars down into the rows. @param {number} column */
  enter(column) {
    this.canvas.focus({ preventScroll: true });
    this.go(0, column);
  }

  leave() {
    this.tip.hidden = true;
    this.mark(-1);
  }

  /** @param {number} x @param {number} y px in the canvas @returns {boolean} whether a cell is there */
  point(x, y) {
    const at = this.layout?.cellAt(x, y);
    const was = `${this.row} ${this.page.pointed}`;
    this.row = at?.row ?? -1;
    this.page.pointed = this.model.brokerIds[at?.column ?? -1] ?? -1;
    if (at && this.data) this.showTip(at.column, x, y);
    else this.tip.hidden = true;
    if (was !== `${this.row} ${this.page.pointed}`) this.paint();
    return Boolean(at && this.data);
  }

  /** @param {number} column @param {number} x @param {number} y */
  showTip(column, x, y) {
    const row = this.data?.rows[this.row];
    const broker = this.model.brokerIds[column];
    if (!row || broker === undefined) return;
    this.column = column;
    const down = this.model.view?.brokers[broker]?.process === "down";
    this.tip.replaceChildren(
      el("b", { text: row.name }),
      ` · ${this.model.nodeName(broker)}${this.model.rackOf(broker) ? `, ${this.model.rackOf(broker)}` : ""}`,
      el("div", { class: "soft", text: this.cellSentence(row) }),
      el("div", {
        class: "muted",
        text: `Enter or click: its partitions · K: ${down ? "start" : "kill"} ${this.model.nodeName(broker)}`,
      }),
    );
    this.tip.hidden = false;
    this.tip.style.left = `${Math.min(x + 12, this.canvas.clientWidth - 270)}px`;
    this.tip.style.top = `${Math.min(y + 14, this.canvas.clientHeight - 90)}px`;
  }

  /** @param {MapRow} row */
  cellSentence(row) {
    const replicas = row.replicas[this.column] ?? 0;
    if (!replicas) return "No replicas here.";
    const worst = row.worst[this.column];
    const trouble = worst && worst !== "healthy" ? ` Worst partition: ${HEALTH_WORDS[worst]}.` : "";
    return (
      `${replicas} ${replicas === 1 ? "replica" : "replicas"}, ${row.inSync[this.column]} in sync, leads ` +
      `${row.leaders[this.column]}.${trouble}`
    );
  }

  /** The partitions of the cell, in a list beside the map; of a cell without replicas those of its whole row. */
  open() {
    const row = this.data?.rows[this.row];
    const broker = this.model.brokerIds[this.column];
    if (!row || broker === undefined) return;
    const here = row.partitions.filter((p) => this.model.view?.partitions[p]?.replicas.includes(broker));
    this.page.selection.value = { kind: "broker", id: broker };
    this.page.listed.value = here.length
      ? {
          title: `${row.name} on ${this.model.nodeName(broker)}`,
          file: `${row.name}-broker-${this.model.ref(broker)}`.replaceAll("/", "-"),
          partitions: here,
        }
      : { title: row.name, file: row.name.replaceAll("/", "-"), partitions: row.partitions };
    this.paint();
  }

  /**
   * The cell of a row and a column is the focused one; its broker is selected, so that K means it.
   * @param {number} row
   * @param {number} column
   */
  go(row, column) {
    const { brokerIds } = this.model;
    this.row = Math.max(0, Math.min((this.data?.rows.length ?? 1) - 1, row));
    this.column = Math.max(0, Math.min(brokerIds.length - 1, column));
    this.page.pointed = -1;
    this.page.selection.value = { kind: "broker", id: brokerIds[this.column] ?? 0 };
    const place = this.layout?.placeOf(this.row, this.column);
    if (place) this.showTip(this.column, place.x, place.y);
    this.paint();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (event.key === "Enter") this.open();
    else if (!step || !this.data) return;
    else if (this.row === 0 && event.key === "ArrowUp") this.buttons.focus(this.column);
    else this.go(this.row + (step[0] ?? 0), this.column + (step[1] ?? 0));
    event.preventDefault();
    event.stopPropagation();
  }

  toggleTable() {
    this.table.hidden = !this.table.hidden;
    /** @type {HTMLElement} */ (this.canvas.parentElement).hidden = !this.table.hidden;
    setAttr(this.tableButton, "aria-pressed", String(!this.table.hidden));
    setText(this.tableButton, this.table.hidden ? "Show as table" : "Show as map");
    if (this.table.hidden) this.paint();
    else this.fillTable();
  }

  /** The rows stay where a person reads them: only texts that changed are touched. */
  fillTable() {
    const rows = (this.data?.rows ?? []).map((row) =>
      [row.name, row.partitions.length, ...HEALTHS.map((state) => row.counts[state])].map(String),
    );
    if (this.cells.length !== rows.length) this.buildTable(rows.length);
    rows.forEach((texts, at) =>
      texts.forEach((text, column) => this.fillCell(/** @type {HTMLElement} */ (this.cells[at]?.[column]), text)),
    );
  }

  /** A figure of nothing opens nothing. @param {HTMLElement} button @param {string} text */
  fillCell(button, text) {
    setText(button, text);
    button.toggleAttribute("disabled", text === "0");
  }

  /**
   * The partitions behind a figure of the table, in the list beside it: all of the row, or those in one state.
   * @param {number} at
   * @param {number} column
   */
  openFigure(at, column) {
    const row = this.data?.rows[at];
    const state = HEALTHS[column - 2];
    if (!row) return;
    const partitions = state ? row.partitions.filter((_, i) => row.states[i] === state) : row.partitions;
    this.page.listed.value = {
      title: state ? `${row.name}: ${HEALTH_WORDS[state]}` : row.name,
      file: (state ? `${row.name}-${state}` : row.name).replaceAll("/", "-"),
      partitions,
    };
  }

  /** @type {HTMLElement[][]} */ cells = [];

  /** @param {number} rows */
  buildTable(rows) {
    const head = ["Topic", "Partitions", ...HEALTHS.map((state) => HEALTH_WORDS[state])];
    this.cells = Array.from({ length: rows }, (_, at) =>
      head.map((_, i) => el("button", { type: "button", class: "link plain", onclick: () => this.openFigure(at, i) })),
    );
    this.table.replaceChildren(
      el(
        "table",
        { class: "table" },
        el(
          "thead",
          null,
          el("tr", null, ...head.map((text, i) => el("th", { class: i ? "num" : null, scope: "col", text }))),
        ),
        el(
          "tbody",
          null,
          ...this.cells.map((cells) =>
            el(
              "tr",
              null,
              ...cells.map((button, i) => el(i ? "td" : "th", i ? { class: "num" } : { scope: "row" }, button)),
            ),
          ),
        ),
      ),
    );
  }
}
