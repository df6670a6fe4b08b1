/**
 * The buttons over the map's canvas: a bar for each broker, a name for each AZ, both with the usual menus. Arrow keys
 * walk them; the AZs are in the tab order, sixty brokers are not.
 *
 * @import {Model} from "../run/model.js"
 * @import {MapData} from "../run/mapdata.js"
 * @import {MapLayout} from "./mapgeometry.js"
 */
import { el, setAttr } from "../kit/dom.js";
import { capital } from "../kit/wording.js";
import { headOf } from "./heads.js";

export class MapButtons {
  /** @param {Model} model @param {(column: number) => void} mark @param {(column: number) => void} enter */
  constructor(model, mark, enter) {
    this.model = model;
    this.mark = mark;
    this.enter = enter;
    this.root = el("div", { class: "map-buttons" });
    /** @type {HTMLElement[]} */ this.bars = [];
    /** @type {HTMLElement[]} */ this.racks = [];
    this.root.addEventListener("keydown", (event) => this.onKey(event));
    this.root.addEventListener("pointerover", (event) =>
      this.mark(this.bars.indexOf(/** @type {HTMLElement} */ (event.target))),
    );
    this.root.addEventListener("pointerleave", () => this.mark(-1));
    this.root.addEventListener("focusin", (event) =>
      this.mark(this.bars.indexOf(/** @type {HTMLElement} */ (event.target))),
    );
  }

  /** @param {MapLayout} at @param {MapData} data */
  place(at, data) {
    const { model } = this;
    const ids = model.brokerIds;
    if (this.bars.length !== ids.length || this.racks.length !== at.racks.length)
      this.build(
        ids,
        at.racks.map((rack) => rack.name),
      );
    this.bars.forEach((bar, i) => {
      const broker = ids[i] ?? 0;
      const view = /** @type {import("../facts/types.js").View} */ (model.view);
      const { state, text } = headOf(view, broker, model.t, model.sessionTimeoutUs(broker));
      box(bar, (at.xs[i] ?? 0) - 0.5, at.bars.top - 2, at.cell + 0.5, at.top - at.bars.top);
      setAttr(bar, "data-state", state);
      setAttr(
        bar,
        "aria-label",
        `${capital(model.nodeName(broker))}${model.rackOf(broker) ? `, ${model.rackOf(broker)}` : ""}, ` +
          `${text.replace(/,? [\d.]+ s left$/, "").toLowerCase()}: actions`,
      );
      setAttr(bar, "title", `${capital(model.nodeName(broker))}: leads ${data.load[i]}`);
    });
    let first = 0;
    at.racks.forEach((rack, r) => {
      const x = at.xs[first] ?? at.left;
      box(/** @type {HTMLElement} */ (this.racks[r]), x - 2, 1, at.cell * rack.columns + 4, at.bars.top - 4);
      first += rack.columns;
    });
  }

  /** @param {number[]} ids @param {string[]} racks */
  build(ids, racks) {
    this.bars = ids.map((id) =>
      el("button", {
        type: "button",
        class: "colb",
        tabindex: "-1",
        "data-more": id,
        "data-broker": id,
        "data-testid": `broker-${id}`,
        "aria-haspopup": "menu",
      }),
    );
    this.racks = racks.map((rack) =>
      el("button", {
        type: "button",
        class: "azb",
        [this.isSite(rack) ? "data-site" : "data-az"]: rack,
        "data-testid": `az-${rack}`,
        "aria-haspopup": "menu",
        "aria-label": `${rack || "no rack"}: actions`,
        disabled: !rack,
      }),
    );
    this.root.replaceChildren(...this.racks, ...this.bars);
  }

  /** A frame without racks is a whole cluster. @param {string} frame */
  isSite(frame) {
    return this.model.sites.some(({ name }) => name === frame);
  }

  /** @param {number} column */
  focus(column) {
    this.bars[column]?.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const [bar, rack] = [this.bars.indexOf(target), this.racks.indexOf(target)];
    const side = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (side) (bar >= 0 ? this.bars[bar + side] : this.racks[rack + side])?.focus({ preventScroll: true });
    else if (event.key === "ArrowUp" && bar >= 0)
      this.racks
        .find((one) => (one.dataset.az ?? one.dataset.site) === this.model.frameOf(this.model.brokerIds[bar] ?? 0))
        ?.focus({ preventScroll: true });
    else if (event.key === "ArrowDown" && rack >= 0)
      this.focus(
        this.model.brokerIds.findIndex((id) => this.model.frameOf(id) === (target.dataset.az ?? target.dataset.site)),
      );
    else if (event.key === "ArrowDown") this.enter(bar);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** @param {HTMLElement} node @param {number} x @param {number} y @param {number} width @param {number} height px */
function box(node, x, y, width, height) {
  Object.assign(node.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
}
