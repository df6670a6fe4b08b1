/**
 * Links that are not as they should be, as arcs above the heads: slow, cut one way, cut both ways. Healthy links are
 * not drawn.
 *
 * @import {View} from "../facts/types.js"
 */
import { svg } from "../kit/dom.js";

/**
 * @typedef {{a: number, b: number, cut: "none" | "ab" | "ba" | "both", slowUs: number}} LinkState
 * @param {View["links"]} links
 * @returns {LinkState[]} one per pair of nodes, a < b
 */
export function linkStates(links) {
  /** @type {Map<string, LinkState>} */ const pairs = new Map();
  for (const [key, link] of Object.entries(links)) {
    const [src, dst] = /** @type {[number, number]} */ (key.split(">").map(Number));
    const [a, b] = src < dst ? [src, dst] : [dst, src];
    const state = pairs.get(`${a} ${b}`) ?? { a, b, cut: "none", slowUs: 0 };
    if (link.cut) state.cut = state.cut === "none" ? (src === a ? "ab" : "ba") : "both";
    state.slowUs = Math.max(state.slowUs, link.slow_us);
    pairs.set(`${a} ${b}`, state);
  }
  return [...pairs.values()];
}

export class LinkLayer {
  /**
   * @param {(node: number) => {x: number, y: number} | null} place middle of a node's head
   * @param {(node: number) => string} name
   * @param {(view: View) => (state: LinkState) => boolean} toldByWan
   */
  constructor(place, name, toldByWan) {
    this.place = place;
    this.toldByWan = toldByWan;
    this.name = name;
    this.root = svg("svg", { class: "links", "aria-hidden": "true", "data-testid": "links" });
  }

  /** @param {View} view */
  draw(view) {
    const isTold = this.toldByWan(view);
    this.root.replaceChildren(
      ...linkStates(view.links)
        .filter((state) => !isTold(state))
        .flatMap((state) => this.arc(state)),
    );
  }

  /** @param {LinkState} state @returns {SVGElement[]} */
  arc(state) {
    const a = this.place(state.a);
    const b = this.place(state.b);
    if (!a || !b) return [];
    const lift = Math.min(34, 14 + Math.abs(b.x - a.x) * 0.03);
    const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 - lift };
    const kind = state.cut !== "none" ? "cut" : "slow";
    const group = svg("g", { class: kind, "data-link": `${state.a} ${state.b}`, "data-cut": state.cut });
    const top = { x: (a.x + 2 * middle.x + b.x) / 4, y: (a.y + 2 * middle.y + b.y) / 4 };
    group.append(svg("path", { class: "line", d: `M${a.x} ${a.y}Q${middle.x} ${middle.y} ${b.x} ${b.y}` }));
    if (state.cut === "both")
      group.append(
        svg("path", { class: "gap", d: `M${top.x - 7} ${top.y}h14` }),
        svg("path", { class: "bars", d: `M${top.x - 5} ${top.y - 7}v14M${top.x + 5} ${top.y - 7}v14` }),
      );
    else if (state.cut !== "none") group.append(...oneWay(a, b, top, state.cut === "ab"));
    else group.append(svg("text", { x: top.x, y: top.y - 5, text: `+${Math.round(state.slowUs / 1000)} ms` }));
    group.append(svg("title", { text: this.sentence(state) }));
    return [group];
  }

  /** @param {LinkState} state */
  sentence(state) {
    const names = [this.name(state.a), this.name(state.b)];
    if (state.cut === "both") return `Link between ${names.join(" and ")} is cut`;
    if (state.cut === "ab") return `${names[0]} cannot reach ${names[1]}`;
    if (state.cut === "ba") return `${names[1]} cannot reach ${names[0]}`;
    return `Link between ${names.join(" and ")} is slower by ${Math.round(state.slowUs / 1000)} ms`;
  }
}

/**
 * @typedef {{x: number, y: number}} Point
 * @param {Point} a
 * @param {Point} b
 * @param {Point} top
 * @param {boolean} forward
 * @returns {SVGElement[]}
 */
function oneWay(a, b, top, forward) {
  const end = forward ? b : a;
  const from = forward ? a : b;
  const angle = (Math.atan2(end.y - from.y, end.x - from.x) * 180) / Math.PI;
  return [
    svg("path", { class: "arrow", d: "M-5-4.5 4 0-5 4.5", transform: `translate(${top.x} ${top.y}) rotate(${angle})` }),
    svg("path", { class: "bars", d: `M${end.x - 4} ${end.y - 10}l8 8m0-8l-8 8` }),
  ];
}
