/**
 * The moment to draw. The room sends frames; each one reaches to a simulated time. The page draws a little behind the
 * newest frame, so that motion is even whatever the network does, and never past what has been received.
 * Pure: callers pass the wall time, in ms, as performance.now() counts it.
 */

export const DELAY_MAX_MS = 250;
export const DELAY_START_MS = 100;
export const DELAY_MIN_MS = 34;
export const AUTO_TITLE =
  "Automatic: 100 ms/s; waits are skipped up to the next event, and after the last one to the end";
/** A frame that comes later than this after the last one starts a new stretch: time stood still in between. */
const STANDSTILL_MS = 250;
const FRAME_MS = 33;
const GAPS_KEPT = 90;
const SAMPLES_KEPT = 64;

/** Follows the room's clock. */
export class FollowClock {
  constructor() {
    /** @type {{wall: number, t: number}[]} */ this.samples = [];
    /** @type {number[]} */ this.gaps = [];
    this.floor = -Infinity;
    this.delayMs = DELAY_START_MS;
  }

  /**
   * A frame came that reaches to `t` us.
   * @param {number} wall
   * @param {number} t
   */
  receive(wall, t) {
    const last = this.samples[this.samples.length - 1];
    if (!last) this.samples.push({ wall, t });
    else if (t < last.t) this.restart(wall, t);
    else this.extend(last, wall, t);
    if (this.samples.length > SAMPLES_KEPT) this.samples.shift();
  }

  /** @param {{wall: number, t: number}} last @param {number} wall @param {number} t */
  extend(last, wall, t) {
    const gap = wall - last.wall;
    if (gap > STANDSTILL_MS) this.samples.push({ wall: wall - FRAME_MS, t: last.t });
    else if (t > last.t) this.noteGap(gap);
    if (gap < 1) last.t = t;
    else this.samples.push({ wall, t });
  }

  /** @param {number} gap ms between two frames of one stretch */
  noteGap(gap) {
    this.gaps.push(gap);
    if (this.gaps.length > GAPS_KEPT) this.gaps.shift();
    if (this.gaps.length < 10) return;
    const sorted = [...this.gaps].sort((a, b) => a - b);
    const late = sorted[Math.floor(sorted.length * 0.95)] ?? DELAY_START_MS;
    this.delayMs = Math.min(DELAY_MAX_MS, Math.max(DELAY_MIN_MS, late + FRAME_MS / 2));
  }

  /** The room's time was set, not run: forget the past. @param {number} wall @param {number} t */
  restart(wall, t) {
    this.samples = [{ wall, t }];
    this.floor = -Infinity;
  }

  /** Facts up to `t` are the answer to the viewer's own action: draw them without delay. @param {number} t */
  showAtOnce(t) {
    this.floor = Math.max(this.floor, Math.min(t, this.newest()));
  }

  /** @returns {number} the time up to which facts are here */
  newest() {
    return this.samples[this.samples.length - 1]?.t ?? 0;
  }

  /**
   * The simulated time to draw at a wall time.
   * @param {number} wall
   * @returns {number} us
   */
  at(wall) {
    return Math.max(this.floor, this.interpolate(wall - this.delayMs));
  }

  /** @param {number} wall @returns {number} */
  interpolate(wall) {
    const samples = this.samples;
    for (let i = samples.length - 1; i >= 0; i--) {
      const sample = /** @type {{wall: number, t: number}} */ (samples[i]);
      if (sample.wall > wall) continue;
      const next = samples[i + 1];
      if (!next) return sample.t;
      return sample.t + ((next.t - sample.t) * (wall - sample.wall)) / (next.wall - sample.wall);
    }
    return samples[0]?.t ?? 0;
  }
}

/** Slowing down at an event: this speed, for two seconds of the viewer's. */
const EASE_SPEED = 100_000;
const EASE_US = 200_000;

/** Plays what is stored, for a viewer who left the room's clock. */
export class LooseClock {
  /** @param {number} t @param {number} speed us per second of the viewer's */
  constructor(t, speed) {
    this.t = t;
    this.speed = speed;
    this.playing = false;
    this.wall = 0;
  }

  /**
   * @param {number} wall
   * @param {number} end the last moment that can be drawn
   * @param {{last: number, next: number} | null} [events] the nearest ones before and after, where time slows down at
   *   them
   * @returns {number} us
   */
  at(wall, end, events = null) {
    const passed = this.wall ? Math.min(100, Math.max(0, wall - this.wall)) : 0;
    this.wall = wall;
    const speed = events && this.t < events.last + EASE_US ? Math.min(this.speed, EASE_SPEED) : this.speed;
    const to = this.t + (passed * speed) / 1000;
    if (this.playing) this.t = events && to > events.next ? events.next : to;
    if (this.t >= end) {
      this.t = end;
      this.playing = false;
    }
    return this.t;
  }
}

/** Stops of the speed slider, in us of simulated time per second of the viewer's. */
export const SPEEDS = [1, 2, 5, 10, 20, 50, 100, 200, 500]
  .map((ms) => ms * 1000)
  .concat([1, 2, 5, 10, 30, 60, 120, 300, 600].map((s) => s * 1_000_000));

/** us of simulated time per second of the viewer's, where nothing else is chosen. */
export const SPEED_NORMAL = 100_000;

/** The stop of the speed slider nearest to a speed. @param {number} speed */
export function stopOf(speed) {
  const distance = SPEEDS.map((stop) => Math.abs(Math.log(stop / speed)));
  return distance.indexOf(Math.min(...distance));
}

/** @param {number} speed @returns {string} as it stands beside the slider */
export function speedText(speed) {
  if (speed < 1_000_000) return `${trim(speed / 1000)} ms/s`;
  return speed < 60_000_000 ? `${trim(speed / 1_000_000)} s/s` : `${trim(speed / 60_000_000)} min/s`;
}

/** @param {number} speed @returns {string} in words, for aria-valuetext */
export function speedWords(speed) {
  const [figure, unit] = speedText(speed).split(" ");
  const word = unit === "ms/s" ? "millisecond" : unit === "s/s" ? "second" : "minute";
  return `${figure} ${word}${figure === "1" ? "" : "s"} per second`;
}

/** @param {number} n */
const trim = (n) => String(Math.round(n * 10) / 10);

/**
 * The clock's text, in seconds as the axis and the verdict have them: three decimals below 1 s/s, one above.
 * @param {number} t us
 * @param {number} speed us per second
 */
export function clockText(t, speed) {
  return (t / 1e6).toFixed(speed < 1_000_000 ? 3 : 1);
}
