/**
 * The strip of controllers: which one is active, how far the metadata log is, and the switch of the level of detail.
 *
 * @import {Level} from "../run/layout.js"
 * @import {Model} from "../run/model.js"
 * @import {PageState} from "../page/pagestate.js"
 * @import {Site} from "../fold/sites.js"
 * @import {View} from "../facts/types.js"
 */
import { el, icon, setAttr, setClass, setText } from "../kit/dom.js";
import { clusterAt, partOf } from "../fold/sites.js";
import { capital } from "../kit/wording.js";

const LEVELS = /** @type {const} */ ([
  ["logs", "Logs"],
  ["chips", "Chips"],
  ["map", "Map"],
]);

export class ControlStrip {
  /** @param {Model} model @param {PageState} page */
  constructor(model, page) {
    this.model = model;
    this.page = page;
    /** @type {Map<number, HTMLElement>} */ this.pills = new Map();
    this.quorums = (model.sites.length ? model.sites : [null]).map((site) => this.quorum(site));
    this.count = el("span", { class: "wide soft num", hidden: true, "data-testid": "lane-common" });
    this.detail = el(
      "span",
      { class: "seg detail", role: "group", "aria-label": "Level of detail" },
      ...LEVELS.map(([level, label]) =>
        el("button", { type: "button", "data-testid": `detail-${level}`, "data-level": level }, label),
      ),
    );
    this.detail.addEventListener("click", (event) => this.choose(event));
    this.root = el(
      "div",
      { class: "ctl", "data-testid": "controller" },
      el("b", { class: "wide" }, "Controllers"),
      ...this.quorums.flatMap(({ nodes }) => nodes),
      this.count,
      this.detail,
    );
  }

  /**
   * The controllers of one cluster, its warning and its metadata offset. Of several clusters Inspect has the offsets:
   * here they would not fit beside the level of detail.
   * @param {Site | null} site
   */
  quorum(site) {
    const { model } = this;
    const quorum = el("span", { class: "q" }, site ? el("span", { class: "soft site" }, site.name) : "");
    for (const { id } of model.names.controllers.filter((entry) => model.siteOf(entry.id)?.index === site?.index)) {
      const pill = el(
        "button",
        {
          class: "c",
          type: "button",
          "data-controller": id,
          "data-testid": `controller-${id}`,
          tabindex: "-1",
          "aria-haspopup": "menu",
        },
        icon("crown"),
        el("span", { text: model.idOf(id) }),
        el("span", { class: "narrow word" }, " controller"),
      );
      this.pills.set(id, pill);
      quorum.append(pill);
    }
    const none = el("span", { class: "tag danger", hidden: true }, "no active controller");
    const offset = el("span", { class: "num" });
    return {
      index: site?.index ?? 0,
      none,
      offset,
      nodes: [quorum, none, ...(site ? [] : [el("span", { class: "wide soft" }, "metadata offset ", offset)])],
    };
  }

  /** @param {Event} event */
  choose(event) {
    const button = /** @type {Element} */ (event.target).closest("[data-level]");
    if (!(button instanceof HTMLElement)) return;
    const level = /** @type {Level} */ (button.dataset.level);
    this.page.levelChoice.value = level === this.page.levelChoice.value ? null : level;
  }

  /** @param {View} view */
  draw(view) {
    for (const [id, pill] of this.pills) {
      const process = view.controllers[id]?.process ?? "running";
      const active = partOf(view, id).active === id;
      setClass(pill, `c${active ? " act" : ""}${process === "running" ? "" : " down"}`);
      const state = active ? "active" : process === "running" ? "standby" : process;
      const site = this.model.siteOf(id)?.name;
      setAttr(pill, "aria-label", `${this.model.idOf(id)} controller${site ? ` of ${site}` : ""}, ${state}`);
      setAttr(pill, "title", `${capital(this.model.nodeName(id))}: ${state}`);
      setAttr(pill, "data-state", active ? "active" : process);
    }
    for (const { index, none, offset } of this.quorums) {
      const { active, metadata_offset } = clusterAt(view, index);
      none.hidden = active >= 0;
      setText(offset, metadata_offset.toLocaleString("en"));
    }
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
