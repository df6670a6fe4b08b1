/**
 * Messages under way, on one canvas over the stage. Each particle is the Flight fact of its number: it is where the
 * simulated time says, arrives when the fact says, and ends where its FlightEnded says. Nothing is slowed to look nice:
 * a flight too short to be seen lights its path, a shorter one counts into the dashes of its lane.
 *
 * @import {Model} from "../run/model.js"
 * @import {PageState} from "../page/pagestate.js"
 * @import {Flight} from "../fold/trace.js"
 * @import {Row} from "../facts/types.js"
 */
import { KIND, MSG } from "../facts/facts.js";
import { kindOf } from "../facts/row.js";
import { readFlight } from "../facts/traffic.js";
import { drawGlyph, drawShatter, isDashed, paletteOf } from "./glyphs.js";

export const PARTICLE_MS = 120;
export const LIGHT_MS = 30;
export const PARTICLES_MAX = 300;
const SHATTER_MS = 400;
const BUDGET_MS = 8;
const OVER_BUDGET_MS = 2000;
/** a lane's dashes fade over this much wall time */
const LANE_MEMORY_MS = 500;
/** messages are not called too fast to show for so long after one was drawn */
const SEEN_MS = 1500;

/**
 * @typedef {{x: number, y: number}} Point
 * @typedef {(node: number, p: number, end: "src" | "dst", msg: number) => Point | null} Anchor
 */

/**
 * The form of a flight at a speed.
 * @param {Flight} flight
 * @param {number} speed us per second
 * @returns {"particle" | "light" | "lane"}
 */
export function classOf(flight, speed) {
  if (flight.arrive < 0 || flight.held >= 0) return "particle";
  const ms = ((flight.arrive - flight.sent) / speed) * 1000;
  return ms >= PARTICLE_MS ? "particle" : ms >= LIGHT_MS ? "light" : "lane";
}

/** Messages between clients and brokers that carry no data: they have no lane of their own. @param {number} msg */
const isAside = (msg) =>
  msg === MSG.CLIENT_METADATA ||
  msg === MSG.CLIENT_METADATA_ANSWER ||
  msg === MSG.OFFSETS ||
  msg === MSG.OFFSETS_ANSWER;

/**
 * The share of its way that a flight has made at t, 0..1; at the cut while nobody can tell, or where it is held.
 * @param {Flight} flight
 * @param {number} t
 */
export function progress(flight, t) {
  const until = Math.min(t, flight.ended >= 0 ? flight.ended : t, flight.held >= 0 ? flight.held : t);
  if (flight.arrive < 0) return 0.5;
  return Math.min(1, Math.max(0, (until - flight.sent) / Math.max(1, flight.arrive - flight.sent)));
}

export class ParticleLayer {
  /**
   * @param {Model} model
   * @param {PageState} page
   * @param {HTMLCanvasElement} canvas
   * @param {Anchor} anchor
   * @param {() => boolean} isPhone
   */
  constructor(model, page, canvas, anchor, isPhone) {
    this.model = model;
    this.isPhone = isPhone;
    this.page = page;
    this.canvas = canvas;
    this.anchor = anchor;
    this.reduced = matchMedia("(prefers-reduced-motion: reduce)");
    /** @type {import("./glyphs.js").Palette} */ this.palette = {};
    /** @type {Map<string, {src: number, dst: number, p: number, msg: number, rate: number}>} */ this.lanes = new Map();
    this.overSince = 0;
    this.simple = false;
    this.tooFast = false;
    this.particleAt = -Infinity; // wall time of the last message that was seen to travel
    this.empty = true;
    /** number of the flight that M has picked */ this.picked = 0;
    addEventListener("highwater-theme", () => {
      this.palette = {};
      this.empty = false;
    });
  }

  /** Counts a flight that passes too fast to be drawn. @param {Row} row */
  note(row) {
    if (kindOf(row) !== KIND.FLIGHT) return;
    const { t, msg, src, dst, arrive, p } = readFlight(row);
    if (arrive < 0 || (p < 0 && isAside(msg)) || ((arrive - t) / this.page.speedOf(this.model)) * 1000 >= LIGHT_MS)
      return;
    const key = `${src} ${dst} ${p} ${isDashed(msg)}`;
    const lane = this.lanes.get(key);
    if (lane) lane.rate += 1;
    else if (this.lanes.size < PARTICLES_MAX) this.lanes.set(key, { src, dst, p, msg, rate: 1 });
  }

  /** @param {number} t us @param {number} passed ms of wall time since the last frame @param {boolean} shown */
  draw(t, passed, shown) {
    const flights = this.model.cursor?.flights.all;
    const nothing = !shown || !flights || (!flights.size && !this.lanes.size);
    this.tooFast = this.lanes.size > 0 && performance.now() - this.particleAt > SEEN_MS;
    const key = `${t} ${flights?.size} ${this.picked} ${this.canvas.clientWidth} ${this.canvas.clientHeight}`;
    if ((nothing && this.empty) || (key === this.drawnKey && !this.lanes.size && this.palette.ink)) return;
    this.drawnKey = key;
    const begin = performance.now();
    if (!this.palette.ink) this.palette = paletteOf(this.canvas);
    const g = this.fit();
    if (!nothing) {
      this.drawLanes(g, passed);
      this.drawFlights(g, [...flights.values()].slice(-PARTICLES_MAX), t);
    }
    this.empty = nothing;
    this.watchBudget(performance.now() - begin);
  }

  drawnKey = "";

  get phone() {
    return this.isPhone();
  }

  fit() {
    const ratio = devicePixelRatio || 1;
    const { canvas } = this;
    const width = Math.round(canvas.clientWidth * ratio);
    const height = Math.round(canvas.clientHeight * ratio);
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    const g = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
    return g;
  }

  /** Two seconds over the budget: paths light up, nothing travels. @param {number} spent ms */
  watchBudget(spent) {
    const now = performance.now();
    if (spent <= BUDGET_MS) this.overSince = 0;
    else if (!this.overSince) this.overSince = now;
    else if (now - this.overSince > OVER_BUDGET_MS) this.simple = true;
    if (this.simple && spent < BUDGET_MS / 4) this.simple = false;
  }

  /** @param {CanvasRenderingContext2D} g @param {number} passed */
  drawLanes(g, passed) {
    for (const [key, lane] of this.lanes) {
      lane.rate *= Math.exp(-passed / LANE_MEMORY_MS);
      if (lane.rate < 0.2) {
        this.lanes.delete(key);
        continue;
      }
      const path = this.pathOf(lane);
      if (!path) continue;
      const gap = Math.max(2, 22 - 4 * Math.log2(1 + lane.rate));
      this.strokePath(g, path, [isDashed(lane.msg) ? 2 : 5, gap], Math.min(0.75, 0.25 + lane.rate / 12));
    }
  }

  /** @param {CanvasRenderingContext2D} g @param {Flight[]} flights @param {number} t */
  drawFlights(g, flights, t) {
    const speed = this.page.speedOf(this.model);
    for (const flight of flights) {
      const path = this.pathOf(flight);
      if (!path) continue;
      if (flight.ended >= 0) this.drawEnded(g, flight, path, t, speed);
      else this.drawFlight(g, flight, path, t, classOf(flight, speed));
    }
  }

  /**
   * @param {CanvasRenderingContext2D} g
   * @param {Flight} flight
   * @param {Path} path
   * @param {number} t
   * @param {"particle" | "light" | "lane"} how
   */
  drawFlight(g, flight, path, t, how) {
    if (how === "lane" && this.model.playing.value) return;
    const still = this.reduced.matches || this.simple;
    const light = how === "light" || (how === "lane" && !this.model.playing.value);
    this.strokePath(g, path, isDashed(flight.msg) ? [3, 4] : [], light ? 0.95 : 0.55);
    if (light && this.model.playing.value) return;
    if (flight.arrive >= 0 && flight.held < 0) this.particleAt = performance.now();
    const u = still ? 0.5 : progress(flight, t);
    const here = pointOn(path, u);
    const ahead = pointOn(path, Math.min(1, u + 0.02));
    const back = pointOn(path, Math.max(0, u - 0.02));
    g.save();
    g.translate(here.x, here.y);
    const scale = innerWidth >= 1700 ? 1.5 : this.phone ? 0.9 : 1.2;
    g.scale(scale, scale);
    if (flight.seq === this.picked) this.drawPick(g);
    drawGlyph(g, flight, Math.atan2(ahead.y - back.y, ahead.x - back.x), this.palette);
    g.restore();
  }

  /** @param {CanvasRenderingContext2D} g */
  drawPick(g) {
    g.beginPath();
    g.arc(0, 0, 12, 0, 7);
    g.strokeStyle = this.palette.accent ?? "";
    g.lineWidth = 2;
    g.setLineDash([]);
    g.stroke();
  }

  /**
   * @param {CanvasRenderingContext2D} g
   * @param {Flight} flight
   * @param {Path} path
   * @param {number} t
   * @param {number} speed
   */
  drawEnded(g, flight, path, t, speed) {
    const age = (((t - flight.ended) / speed) * 1000) / SHATTER_MS;
    if (age > 1) return;
    const here = pointOn(path, progress(flight, t));
    g.save();
    g.translate(here.x, here.y);
    drawShatter(g, this.palette, Math.max(0, age));
    g.restore();
  }

  /**
   * @typedef {{from: Point, to: Point, bend: Point}} Path
   * @param {{src: number, dst: number, p: number, msg: number}} flight
   * @returns {Path | null}
   */
  pathOf(flight) {
    const from = this.anchor(flight.src, flight.p, "src", flight.msg);
    const to = this.anchor(flight.dst, flight.p, "dst", flight.msg);
    if (!from || !to) return null;
    const level = flight.p >= 0 && Math.abs(from.y - to.y) < 40;
    // on phones the names of partitions stand right above
    const lift = this.phone ? 0 : isDashed(flight.msg) ? -11 : -4;
    const [head, client] = flight.dst < 0 ? [from, to] : [to, from];
    // along the lane, then up: not through the heads between
    const aside = flight.p < 0 && (flight.src < 0 || flight.dst < 0);
    const bend = aside
      ? { x: head.x, y: client.y }
      : { x: (from.x + to.x) / 2, y: level ? Math.min(from.y, to.y) + lift : (from.y + to.y) / 2 };
    return { from, to, bend };
  }

  /** @param {CanvasRenderingContext2D} g @param {Path} path @param {number[]} dash @param {number} alpha */
  strokePath(g, path, dash, alpha) {
    g.strokeStyle = this.palette["ink-3"] ?? "";
    g.globalAlpha = alpha;
    g.lineWidth = 1.3;
    g.setLineDash(dash);
    g.beginPath();
    g.moveTo(path.from.x, path.from.y);
    g.quadraticCurveTo(path.bend.x, path.bend.y, path.to.x, path.to.y);
    g.stroke();
    g.globalAlpha = 1;
  }

  /**
   * The flight drawn nearest to a point of the stage.
   * @param {number} x
   * @param {number} y
   * @param {number} reach px
   * @returns {Flight | null}
   */
  hit(x, y, reach) {
    const flights = this.model.cursor?.flights.all.values() ?? [];
    let best = null;
    let distance = reach;
    for (const flight of flights) {
      const path = this.pathOf(flight);
      if (!path || flight.ended >= 0) continue;
      const here = pointOn(path, progress(flight, this.model.t));
      const away = Math.hypot(here.x - x, here.y - y);
      if (away < distance) {
        best = flight;
        distance = away;
      }
    }
    return best;
  }
}

/** @param {Path} path @param {number} u @returns {Point} on the quadratic arc */
function pointOn({ from, to, bend }, u) {
  const v = 1 - u;
  return {
    x: v * v * from.x + 2 * u * v * bend.x + u * u * to.x,
    y: v * v * from.y + 2 * u * v * bend.y + u * u * to.y,
  };
}
