/**
 * Clusters with names, in the matrix: a title over the columns of each, the WAN between two neighbours, which tells
 * whether it is cut or slow, and in it the processes of MirrorMaker. All are buttons with a menu.
 *
 * @import {Model} from "../run/model.js"
 * @import {View} from "../facts/types.js"
 */
import { el, icon, setAttr, setText } from "../kit/dom.js";
import { processesBetween, stateWord } from "../run/mirrors.js";
import { siteLink } from "../fold/sites.js";

export class SiteFrames {
  /** @param {Model} model */
  constructor(model) {
    this.model = model;
    const names = model.sites.map(({ name }) => name);
    this.titles = names.map((name) =>
      el(
        "button",
        {
          class: "site",
          type: "button",
          tabindex: "-1",
          "data-site": name,
          "data-testid": `site-${name}`,
          "aria-haspopup": "menu",
          title: `Actions for cluster ${name}`,
        },
        el("b", { text: name }),
      ),
    );
    this.wans = names.slice(1).map((name, i) => {
      const pair = `${names[i]}|${name}`;
      const state = el("span", { class: "wan-state" });
      const button = el(
        "button",
        {
          class: "wan",
          type: "button",
          tabindex: "-1",
          "data-wan": pair,
          "data-testid": `wan-${pair}`,
          "aria-haspopup": "menu",
        },
        icon("link"),
        state,
      );
      return { pair, button, state };
    });
    this.processes = this.wans.map(({ pair }, i) =>
      processesBetween(model.names, names[i] ?? "", names[i + 1] ?? "").map((name) => {
        const state = el("span", { class: "mm-state" });
        return {
          name,
          state,
          button: el(
            "button",
            {
              class: "mm",
              type: "button",
              "data-process": name,
              "data-testid": `process-${name}`,
              "aria-haspopup": "menu",
            },
            icon("copy"),
            state,
          ),
        };
      }),
    );
    this.processBoxes = this.processes.map((inside) =>
      el("div", { class: "mms" }, ...inside.map(({ button }) => button)),
    );
  }

  /** Everything that stands in the matrix, each as a cell of its row. @returns {HTMLElement[]} */
  get cells() {
    return [...this.titles, ...this.wans.map(({ button }) => button), ...this.processBoxes].map((node) =>
      el("div", { role: "columnheader", class: "line" }, node),
    );
  }

  /**
   * Names above the columns of each cluster, the WAN between.
   * @param {number[]} brokers
   * @param {(index: number) => number} column
   * @param {number} last row
   */
  place(brokers, column, last) {
    this.titles.forEach((title, site) => {
      const columns = brokers.flatMap((broker, i) => (this.model.siteOf(broker)?.index === site ? [column(i)] : []));
      const end = Math.max(...columns) + 1;
      Object.assign(title.style, { gridColumn: `${Math.min(...columns)} / ${end}`, gridRow: "1" });
      for (const node of [this.wans[site]?.button, this.processBoxes[site]])
        Object.assign(node?.style ?? {}, { gridColumn: String(end), gridRow: `1 / ${last}` });
    });
  }

  /**
   * Widths of the brokers' columns with the WAN's between clusters.
   * @param {number[]} brokers
   * @param {string} width of a broker's
   */
  columns(brokers, width) {
    const nameOf = (/** @type {number | undefined} */ broker) => this.model.siteOf(broker ?? 0)?.name;
    return brokers
      .map((broker, i) => (i && nameOf(broker) !== nameOf(brokers[i - 1]) ? `var(--wan-width) ${width}` : width))
      .join(" ");
  }

  /** @param {View} view */
  draw(view) {
    for (const { pair, button, state } of this.wans) {
      const [a = "", b = ""] = pair.split("|");
      const { cut, slowUs } = siteLink(this.model.names, view, a, b);
      const words =
        cut === "both" ? "cut" : cut === "some" ? "partly cut" : slowUs ? `+${Math.round(slowUs / 1000)} ms` : "";
      setAttr(button, "data-cut", cut);
      setText(state, words);
      const said = `WAN between ${a} and ${b}: ${words || "healthy"}`;
      setAttr(button, "aria-label", said);
      setAttr(button, "title", said);
    }
    for (const { name, button, state } of this.processes.flat()) {
      const word = stateWord(this.model.names, view, name);
      setAttr(button, "data-state", word);
      setText(state, `${name} ${word}`);
      setAttr(button, "title", `${name}, a process of MirrorMaker: ${word}`);
    }
  }
}
