/**
 * One clock for several runs. The page draws all of them at the same moment, out of what it has received; the rooms are
 * asked to go on before the playhead comes to the end of what is known of them.
 *
 * @import {Player} from "../page/player.js"
 */
import { signal } from "@preact/signals-core";
import { timeOf } from "../facts/row.js";
import { leftSpeed } from "../page/leaving.js";
import { hashOf, momentOf } from "../page/moment.js";

/** a room plays while the playhead is nearer to its newest moment than this, s of the viewer's time */
const NEAR_S = 0.8;
/** and rests where it is further ahead */
const FAR_S = 2.5;
const FRAME_MS_MAX = 100;
/** a moment so close to the newest one that was drawn is not in the past, us */
const NEWEST_US = 1000;
/** Play stops where a run of somebody else has stood still for so long: its owner's page lets it rest at times, ms */
const HELD_MS = 3000;
/** a room is not asked again for so long, ms */
const ASK_MS = 1000;
const NOTE_MS = 250;
const SPEED_MS = 80;
/** Outcomes are compared: seconds pass as seconds until another speed is chosen, us per second. */
const SPEED = 1_000_000;

export class SharedTravel {
  /**
   * @param {Player[]} players the first of them stands for all in what the page shows of time
   * @param {() => void} [onWait] Play stops where only somebody else can play on
   */
  constructor(players, onWait = () => {}) {
    this.players = players;
    this.onWait = onWait;
    /** the moment of all pictures, us */ this.t = 0;
    /** the newest moment that was drawn here, or known when the page came, us */ this.newest = 0;
    this.isPlaying = false;
    /**
     * a moment asked for that a run of somebody else has not come to, us: it is drawn as soon as it is known
     */
    this.wanted = signal(/** @type {number | null} */ (null));
    /** since when Play waits for others, ms */ this.heldSince = 0;
    this.wall = 0;
    /** how often a person has moved in time */ this.moves = 0;
    /** when each room was last asked to play or rest, ms @type {Map<Player, number>} */ this.asked = new Map();
    /** rooms that play because this page let them: no other is stopped @type {Set<Player>} */ this.driven = new Set();
  }

  get leader() {
    return /** @type {Player} */ (this.players[0]);
  }

  /** The moment up to which something is known of every run, us. */
  get end() {
    return Math.min(...this.players.map(({ model }) => model.trace.end));
  }

  /** Every run has its first view: begin at the moment of the address, else at the earliest newest moment. */
  async begin() {
    this.t = this.end;
    this.newest = Math.max(...this.players.map(({ model }) => model.trace.end));
    for (const player of this.players) {
      player.model.following.value = false; // from here on the rooms' own speeds do not count
      if (player.control.value && player.model.roomClock.playing) player.live.command("pause");
    }
    this.pace(leftSpeed() ?? SPEED);
    const wanted = momentOf(location.hash);
    addEventListener("hashchange", () => {
      const t = momentOf(location.hash);
      if (t !== null && Math.abs(t - this.target) > 1000) this.seek(t);
    });
    if (wanted !== null) await this.seek(wanted);
  }

  /** Put all pictures at the moment that belongs to a moment of the wall. @param {number} wall ms */
  advance(wall) {
    const passed = this.wall ? Math.min(FRAME_MS_MAX, wall - this.wall) : 0;
    this.wall = wall;
    this.goBack();
    this.look();
    if (this.wanted.value !== null && this.end >= this.wanted.value) this.seek(this.wanted.value);
    if (this.isPlaying && !this.players.some(({ live }) => live.fetching)) {
      const most = Math.min(...this.players.map(({ model }) => Math.min(model.trace.end, model.follow.at(wall))));
      this.t = Math.max(this.t, Math.min(this.t + (passed * this.speed) / 1000, most));
      if (!this.waitsForOthers) this.heldSince = wall;
      else if (wall - this.heldSince > HELD_MS) {
        this.togglePlay();
        this.onWait();
      }
    }
    this.newest = Math.max(this.newest, this.t);
    for (const player of this.players) this.place(player);
    for (const player of this.players) this.drive(player, wall);
  }

  /** A room went back, for an action at a moment that it had passed: so does the playhead. */
  goBack() {
    const returns = this.players.reduce((sum, { model }) => sum + model.trace.returns, 0);
    if (returns !== this.returns) {
      this.t = Math.min(this.t, this.end);
      this.newest = Math.min(this.newest, this.end);
    }
    this.returns = returns;
  }

  returns = 0;

  /** True at the end of what is known of a run that only somebody else moves, and that stands still. */
  get waitsForOthers() {
    return this.players.some(
      ({ model, control }) =>
        !control.value && !model.roomClock.playing && !model.ended.value && this.t >= model.trace.end,
    );
  }

  /** @param {Player} player */
  place({ model, live }) {
    model.loose.t = this.t;
    model.loose.speed = this.speed;
    model.playing.value = this.isPlaying;
    if (!model.showAt(this.t)) live.fetchMoment(this.t);
  }

  /** True if nothing later than the drawn moment has been seen here: an action goes on with these runs. */
  get isNewest() {
    return this.t >= this.newest - NEWEST_US;
  }

  /** us per second of the viewer's time */
  get speed() {
    return this.leader.page.speedLoose;
  }

  /**
   * Let a room play on where the playhead comes near its newest moment; else it rests.
   * @param {Player} player
   * @param {number} wall ms
   */
  drive(player, wall) {
    const { model, control, live } = player;
    if (!control.value || wall - (this.asked.get(player) ?? -ASK_MS) < ASK_MS) return;
    const ahead = (model.trace.end - this.t) / this.speed;
    const { playing, speed } = model.roomClock;
    if (playing && this.driven.has(player) && (!this.isPlaying || ahead > FAR_S)) {
      this.asked.set(player, wall);
      this.driven.delete(player);
      live.command("pause");
    } else if (!playing && this.isPlaying && ahead < NEAR_S && !model.ended.value) {
      this.asked.set(player, wall);
      this.driven.add(player);
      if (speed !== this.speed) live.command("speed", { value: this.speed });
      live.command("play");
    }
  }

  togglePlay() {
    this.moves++;
    this.wanted.value = null;
    this.isPlaying = !this.isPlaying;
    this.heldSince = this.wall;
    if (!this.isPlaying) this.t = Math.round(this.t);
    this.asked.clear();
    this.note();
  }

  /**
   * Rooms that are not there yet go to the moment first; a run whose clock is somebody else's ends where it is.
   * @param {number} t us
   */
  async seek(t) {
    const to = Math.max(0, Math.round(t));
    const mine = ++this.moves;
    this.isPlaying = false;
    this.wanted.value = null;
    const behind = this.players.filter(({ model, control }) => model.trace.end < to && control.value);
    const { waiting } = this.leader.model;
    if (behind.length) waiting.value = `Simulating up to ${(to / 1e6).toFixed(1)} s`;
    const known = this.players.map(async ({ model, live }, i) => {
      if (!behind.includes(/** @type {Player} */ (this.players[i]))) return model.trace.end;
      return (await live.command("reach", { t: to }))?.at_us ?? model.trace.end;
    });
    const most = Math.min(to, ...(await Promise.all(known)));
    if (mine !== this.moves) return;
    await this.come(most);
    if (mine !== this.moves) return;
    const isOthers = this.players.some(({ model, control }) => !control.value && model.trace.end < to);
    waiting.value = most < to && !isOthers ? `Known up to ${(most / 1e6).toFixed(1)} s` : "";
    this.wanted.value = isOthers ? to : null;
    this.t = most;
    for (const { frames } of this.players) frames.pulseSoon();
    this.note();
  }

  /**
   * An action happened at this moment: draw it as soon as it is known of every run. Time that runs goes on.
   * @param {number} t us
   */
  async arrive(t) {
    const mine = ++this.moves;
    for (const { model, control, live } of this.players)
      if (model.trace.end < t && control.value && !model.roomClock.playing) live.command("reach", { t });
    await this.come(t, () => {
      this.t = Math.max(this.t, t);
      for (const { frames } of this.players) frames.pulseSoon();
    });
    if (mine === this.moves) this.note();
  }

  /**
   * Resolves when the facts of every run have come up to a moment, or a person moves.
   * @param {number} t us
   * @param {() => void} [onCome] called as soon as they have come: the same frame draws them
   */
  come(t, onCome = () => {}) {
    this.awaited?.resolve(); // who waited for an earlier moment sees that a person has moved since
    return new Promise((resolve) => {
      this.awaited = { t, onCome, resolve: () => resolve(undefined), moves: this.moves };
      this.look();
    });
  }

  /** @type {{t: number, onCome: () => void, resolve: () => void, moves: number} | null} */ awaited = null;

  /** Facts have come, or a person has moved. */
  look() {
    const { awaited } = this;
    if (!awaited || (this.end < awaited.t && awaited.moves === this.moves)) return;
    this.awaited = null;
    if (awaited.moves === this.moves) awaited.onCome();
    awaited.resolve();
  }

  /** To the next or previous event of any run. @param {1 | -1} way */
  async step(way) {
    if (way < 0) return this.seek(Math.max(0, ...this.players.map(({ story }) => story.nextStop(this.t, -1)?.t ?? 0)));
    const mine = ++this.moves;
    this.isPlaying = false;
    const stops = await Promise.all(this.players.map((player) => this.stopAfter(player)));
    if (mine !== this.moves) return undefined;
    const next = Math.min(...stops.filter((t) => t > this.t));
    return Number.isFinite(next) ? this.seek(next) : undefined;
  }

  /** The next event of a run, us: its room looks for it where it is not known. @param {Player} player */
  async stopAfter({ story, model, control, live }) {
    const known = story.nextStop(this.t, 1)?.t;
    if (known !== undefined && known <= model.trace.end) return known;
    if (!control.value) return Infinity;
    return (await live.command("step"))?.at_us ?? Infinity;
  }

  /** To the next fact of any run, a single message included. */
  async stepFact() {
    const mine = ++this.moves;
    this.isPlaying = false;
    const stops = await Promise.all(
      this.players.map(async ({ model, control, live }) => {
        const row = model.cursor?.stretch.rows.find((one) => timeOf(one) > this.t);
        if (row) return timeOf(row);
        return control.value ? ((await live.command("step", { to: "fact" }))?.at_us ?? Infinity) : Infinity;
      }),
    );
    const next = Math.min(...stops.filter((t) => t > this.t));
    if (mine === this.moves && Number.isFinite(next)) this.seek(next);
  }

  goLive() {
    this.seek(this.end);
  }

  /** @param {"auto" | number} speed */
  pace(speed) {
    const { page } = this.leader;
    for (const { model } of this.players) model.loose.speed = speed === "auto" ? page.speedLoose : speed;
    page.speed.value = speed; // set last: its watchers read loose.speed
  }

  /** @param {"auto" | number} speed */
  setSpeed(speed) {
    const { page } = this.leader;
    this.pace(speed);
    clearTimeout(this.speedTimer);
    this.speedTimer = setTimeout(() => {
      for (const { model, control, live } of this.players)
        if (control.value && model.roomClock.playing) live.command("speed", { value: page.speedLoose });
    }, SPEED_MS);
  }

  /** @type {ReturnType<typeof setTimeout> | undefined} */ speedTimer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ noteTimer;

  /** The address holds the moment that was asked for, so that Reload, Back and a link come to it. */
  note() {
    clearTimeout(this.noteTimer);
    this.noteTimer = setTimeout(() => this.noteNow(), NOTE_MS);
  }

  noteNow() {
    clearTimeout(this.noteTimer);
    history.replaceState(history.state, "", `${location.pathname}${location.search}${this.hash}`);
  }

  /** The moment that was asked for: the drawn one, unless it is not known yet. */
  get target() {
    return this.wanted.value ?? this.t;
  }

  get hash() {
    return hashOf(this.target, this.leader.page.levelChoice.value);
  }
}
