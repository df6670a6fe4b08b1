/**
 * The strip of controllers: which one is active, how far the metadata log is, and the switch of the level of detail.
 *
 * @import {Model, Level} from "../model.js"
 * @import {View} from "../types.js"
 */
import { el, icon, setAttr, setClass, setText } from "../dom.js";

const LEVELS = /** @type {const} */ ([["logs", "Logs"], ["chips", "Chips"], ["map", "Map"]]);

export class ControlStrip {
  /** @param {Model} model */
  constructor(model) {
    this.model = model;
    /** @type {Map<number, HTMLElement>} */ this.pills = new Map();
    const quorum = el("span", { class: "q" });
    for (const { id } of model.names.controllers) {
      const pill = el("button", { class: "c", type: "button", "data-controller": id, "data-testid": `controller-${id}`,
        tabindex: "-1", "aria-haspopup": "menu" }, icon("crown"), el("span", { text: String(id) }), el("span", { class: "narrow word" }, " controller"));
      this.pills.set(id, pill);
      quorum.append(pill);
    }
    this.offset = el("span", { class: "num" });
    this.none = el("span", { class: "tag danger", hidden: true }, "no active controller");
    this.count = el("span", { class: "wide soft num", hidden: true, "data-testid": "lane-common" });
    this.detail = el("span", { class: "seg detail", role: "group", "aria-label": "Level of detail" },
      ...LEVELS.map(([level, label]) => el("button", { type: "button", "data-testid": `detail-${level}`, "data-level": level }, label)));
    this.detail.addEventListener("click", (event) => this.choose(event));
    this.root = el("div", { class: "ctl", "data-testid": "controller" }, el("b", { class: "wide" }, "Controllers"), quorum, this.none,
      el("span", { class: "wide soft" }, "metadata offset ", this.offset), this.count, this.detail);
  }

  /** @param {Event} event */
  choose(event) {
    const button = /** @type {Element} */ (event.target).closest("[data-level]");
    if (!(button instanceof HTMLElement)) return;
    const level = /** @type {Level} */ (button.dataset.level);
    this.model.levelChoice.value = level === this.model.levelChoice.value ? null : level;
  }

  /** @param {View} view */
  draw(view) {
    for (const [id, pill] of this.pills) {
      const process = view.controllers[id]?.process ?? "running";
      const active = view.active === id;
      setClass(pill, `c${active ? " act" : ""}${process === "running" ? "" : " down"}`);
      const state = active ? "active controller" : process === "running" ? "standby" : process;
      setAttr(pill, "aria-label", `Controller ${id}, ${state}`);
      setAttr(pill, "title", `Controller ${id}: ${state}`);
      setAttr(pill, "data-state", active ? "active" : process);
    }
    this.none.hidden = view.active >= 0;
    setText(this.offset, view.metadata_offset.toLocaleString("en"));
  }

  /** Messages of no single partition, at the level of chips; null where they are drawn. @param {number | null} count */
  drawCount(count) {
    this.count.hidden = !count;
    setText(this.count, `${(count ?? 0).toLocaleString("en")} messages in 250 ms`);
  }

  /** @param {Level} shown @param {Set<Level>} possible */
  drawDetail(shown, possible) {
    for (const button of this.detail.querySelectorAll("button")) {
      const level = /** @type {Level} */ (button.dataset.level);
      setAttr(button, "aria-pressed", String(level === shown));
      button.disabled = !possible.has(level);
      button.title = button.disabled ? "There is not room enough for this level" : "";
    }
  }
}
