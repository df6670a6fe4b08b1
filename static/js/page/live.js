/**
 * Between the room and the model: frames into the trace, commands out, and moments that must be asked for.
 *
 * @import {Player} from "./player.js"
 * @import {Row, RoomClock, View} from "../facts/types.js"
 */
import { decode } from "@msgpack/msgpack";
import { seqOf } from "../facts/row.js";
import { effect } from "@preact/signals-core";
import { offerCopy } from "./copyrun.js";
import { toast } from "../kit/kit.js";
import { inPages } from "../run/pages.js";
import { Cursor } from "../fold/trace.js";
import { sentBefore, spansBefore } from "../run/underway.js";
import { Room } from "../run/room.js";

/** A moment asked for comes with this much of what follows it, us. */
const AHEAD_US = 3_000_000;
const FETCH_PAUSE_MS = 60;
/** From this speed on, messages cannot be seen: take the stream without them. */
const STATE_SPEED = 5_000_000;
const SUMMARY_PARTITIONS = 1000;
/** Messages are counted at the level of chips up to here. */
const COUNTED_PARTITIONS = 100;
/** HTTP: one answer cannot carry what was asked for. */
const TOO_LARGE = 413;
const TOO_MANY = Symbol("too many");
const LOOK_MS = 1000;
const PLAYS_THERE = ", and plays from there";
/** Commands by which a person moves the clock: what was asked for before them is not wanted any more. */
const MOVES = ["play", "pause", "step"];
/** The time (ms) for which a chosen speed is shown while no clock of the room has it: it may have been refused. */
const CHOSEN_MS = 5_000;

export class LiveRun {
  /** @param {Player} app */
  constructor(app) {
    this.app = app;
    const { socket, guest } = app.boot;
    const base = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${socket}`;
    this.room = new Room(guest ? `${base}?${new URLSearchParams({ guest })}` : base, decode, {
      hello: (hello) => this.onHello(hello),
      snap: (view, clock, isBack) => this.onSnap(view, clock, isBack),
      loading: (t, until) => {
        const told = loadingText(t, until, app.model.ready.value);
        app.model.waiting.value = this.playsThere ? told + PLAYS_THERE : told;
      },
      facts: (rows, t, clock) => this.onFacts(rows, t, clock),
      clock: (clock) => this.onClock(clock),
      watches: (reason) => {
        app.model.owner.value = false;
        app.control.value = false;
        toast(reason);
      },
      people: (people) => {
        app.people.value = people;
      },
      end: (kind, reason) => {
        app.model.ended.value = { kind, reason };
      },
      error: (reason) => toast(reason),
      connection: (state, retryAt) => this.onConnection(state, retryAt),
    });
    this.showUntil = -1;
    this.wanted = -1;
    this.fetching = false;
    /** Resolves when the page knows what happened before its snapshot. @type {Promise<void>} */ this.past =
      Promise.resolve();
    effect(() => this.chooseStream());
  }

  connect() {
    this.watch ??= setInterval(() => this.room.look(performance.now()), LOOK_MS);
    this.room.connect();
  }

  /** @param {import("../run/room.js").Hello} hello */
  onHello(hello) {
    const { model } = this.app;
    model.names = hello.names;
    model.document = hello.document;
    model.drawn = hello.drawn;
    model.notSimulated = hello.not_simulated;
    model.docId = hello.doc_id;
    model.version = hello.version;
    model.owner.value = hello.owner;
    this.app.control.value = hello.control;
    this.app.notice.value = hello.notice;
    model.ended.value = null;
  }

  /** @param {View} view @param {RoomClock} clock @param {boolean} isBack */
  onSnap(view, clock, isBack) {
    const { model } = this.app;
    const before = model.trace.end;
    model.trace.startLive(view, isBack);
    if (isBack) model.follow.restart(performance.now(), view.t);
    else model.follow.receive(performance.now(), view.t);
    const isVoid = isBack && model.t >= view.t; // what is drawn, or comes next, did not happen
    if (!model.cursor || model.following.value || isVoid) {
      const cursor = new Cursor(/** @type {any} */ (model.trace.live), view.t);
      model.adopt(cursor);
      cursor.onRow = (row) => this.app.stage.note(row);
      model.t = view.t;
      model.follow.showAtOnce(view.t);
    }
    this.onClock(clock);
    this.past = this.loadDecisive(isBack ? 0 : Math.min(before, view.t), view.t);
    this.past.then(() => this.loadUnderWay(model.trace.live, view));
    if (!this.app.story.narrator.start) this.loadStart();
    if (!model.ready.value) this.app.onFirstView(view.t);
    model.ready.value = true;
    model.waiting.value = "";
    this.app.onReady();
  }

  /** The view at 0: what the first facts changed, and where scrubbing ends. */
  async loadStart() {
    const view = /** @type {View | null} */ (await this.get("snapshot", { at_us: 0 }));
    if (!view) return;
    this.app.story.narrator.seed(view);
    this.app.model.trace.version++;
  }

  /** Facts that came before this page did. @param {number} from @param {number} to */
  async loadDecisive(from, to) {
    await inPages(from, to, async (first, last) => {
      const rows = await this.get("facts", { from_us: first, to_us: last });
      if (rows === TOO_MANY) return false;
      if (rows) this.app.model.trace.addDecisive(/** @type {Row[]} */ (rows));
      this.app.frames.pulseSoon();
      return true;
    });
  }

  /**
   * Load the messages that were sent before a snapshot and have not arrived.
   * @param {import("../fold/trace.js").Stretch | null} stretch
   * @param {View} view its snapshot
   */
  async loadUnderWay(stretch, view) {
    const { model, page } = this.app;
    if (!stretch || page.level.value === "map") return;
    /** @type {Row[]} */ const found = [];
    for (const { from, to } of spansBefore(model.trace.decisive, view.t))
      found.push(...((await this.getFlights(from, to)) ?? []));
    stretch.before = sentBefore(found, view.seq);
    if (stretch.before.length && model.cursor?.stretch === stretch) model.cursor.rebuildFlights();
  }

  /** @param {Row[]} rows @param {number} t @param {RoomClock} clock */
  onFacts(rows, t, clock) {
    const { model } = this.app;
    model.trace.append(rows, t);
    model.follow.receive(performance.now(), t);
    if (this.showUntil >= 0 && t >= this.showUntil) this.showNow();
    if (this.awaited >= 0 && t >= this.awaited) this.open(this.awaited);
    if (clock) this.onClock(clock);
  }

  showNow() {
    this.app.model.follow.showAtOnce(this.showUntil);
    this.showUntil = -1;
  }

  /** @param {RoomClock} clock */
  onClock(clock) {
    const { model, page } = this.app;
    model.roomClock = clock;
    if (!model.following.value) return;
    model.playing.value = clock.playing;
    if (clock.speed === this.chosenSpeed) this.chosenSpeed = null;
    if (this.chosenSpeed === null) page.speed.value = clock.speed;
  }

  /** @param {import("../run/room.js").Connection} state @param {number} retryAt */
  onConnection(state, retryAt) {
    this.app.model.connection.value = { state, retryAt };
  }

  /** The stream that this level of detail and speed can show. */
  chooseStream() {
    const { model, page } = this.app;
    const level = page.level.value;
    const fast = page.speed.value !== "auto" && page.speed.value >= STATE_SPEED;
    if (!model.ready.value) return;
    const huge = (model.view?.partitions.length ?? 0) > SUMMARY_PARTITIONS;
    const counted = level === "chips" && (model.view?.partitions.length ?? 0) <= COUNTED_PARTITIONS;
    this.room.take((level === "logs" || counted) && !fast ? "flights" : huge && fast ? "summary" : "state");
  }

  /** @type {ReturnType<typeof setInterval> | undefined} */ watch;

  /** The newest fact drawn, for the case that the room must come back. */
  noteDrawn() {
    this.room.noteDrawn(this.app.model.view?.seq ?? 0);
  }

  /**
   * A command that moves the room's clock; who may not move it is offered a run of their own.
   * @param {string} cmd
   * @param {Record<string, unknown>} [values]
   */
  async steer(cmd, values) {
    return this.app.control.value ? this.command(cmd, values) : offerCopy(this.app);
  }

  /**
   * A command whose refusal is shown.
   * @param {string} cmd
   * @param {Record<string, unknown>} [values]
   */
  async command(cmd, values) {
    if (MOVES.includes(cmd)) this.moves++;
    try {
      const ack = await this.room.send(cmd, values);
      if (cmd === "step") this.showWhenHere(ack.at_us);
      if (ack.said) toast(ack.said);
      return ack;
    } catch (refusal) {
      toast(`Not done: ${/** @type {Error} */ (refusal).message}`);
      return null;
    }
  }

  /** how often a person has moved in time */ moves = 0;
  /** moments that the room is on its way to */ reaching = 0;
  /** the move that asked for the newest of them */ wayOf = 0;

  /**
   * Look at a moment, simulated or not: the room goes there first where this viewer moves its clock; elsewhere the page
   * waits for it. Whoever steps, acts or looks elsewhere meanwhile is not taken there any more; Play waits for the
   * arrival.
   * @param {number} t us
   */
  async open(t) {
    const { model } = this.app;
    this.awaited = -1;
    const mine = ++this.moves;
    this.playsAfter = 0;
    if (t <= model.trace.end) return this.app.travel.seek(t);
    if (!this.app.control.value) {
      this.app.travel.seek(t);
      this.awaited = t;
      return undefined;
    }
    model.waiting.value = `Simulating from ${(model.trace.end / 1e6).toFixed(1)} s`;
    this.reaching++;
    this.wayOf = mine;
    const ack = await this.command("reach", { t });
    this.reaching--;
    if (ack && mine === this.moves && this.playsThere) await this.command("play");
    else if (ack && mine === this.moves) this.app.travel.seek(Math.min(t, ack.at_us));
    else if (!this.reaching) model.waiting.value = "";
    return undefined;
  }

  /** the move after whose arrival the room plays, or 0 */
  playsAfter = 0;

  /** True if the room is on its way for this page, and then plays. */
  get playsThere() {
    return this.playsAfter > 0 && this.playsAfter === this.moves;
  }

  /** Play from the moment that the room is on its way to, or not after all. True if it is on its way for this page. */
  togglePlayThere() {
    if (!this.reaching || this.wayOf !== this.moves) return false;
    this.playsAfter = this.playsThere ? 0 : this.moves;
    return true;
  }

  /** a moment that this viewer waits for, us, or -1 */
  awaited = -1;

  /** Draw up to a moment without the delay, as soon as its facts are here. @param {number} t */
  showWhenHere(t) {
    this.showUntil = t;
    if (this.app.model.trace.end >= t) this.showNow();
  }

  /**
   * Choose the room's speed; until the room has it, clocks that were sent before do not take the choice back.
   * @param {"auto" | number} speed
   */
  setSpeed(speed) {
    const { control, model } = this.app;
    if (!control.value || !model.following.value) return;
    this.chosenSpeed = speed;
    clearTimeout(this.speedTimer);
    this.speedTimer = setTimeout(() => {
      this.command("speed", { value: speed });
      this.speedTimer = setTimeout(() => {
        this.chosenSpeed = null;
        this.onClock(model.roomClock);
      }, CHOSEN_MS);
    }, 80);
  }

  /** @type {ReturnType<typeof setTimeout> | undefined} */ speedTimer;
  /** chosen here, and not yet seen in a clock of the room @type {"auto" | number | null} */ chosenSpeed = null;

  /** Ask for a moment that is not here; the newest wish counts. @param {number} t */
  fetchMoment(t) {
    this.wanted = t;
    if (this.fetching) return;
    this.fetching = true;
    this.app.model.waiting.value = `Fetching ${(t / 1e6).toFixed(1)} s`;
    this.fetchWanted().finally(() => {
      this.fetching = false;
      this.app.model.waiting.value = "";
    });
  }

  async fetchWanted() {
    const { model } = this.app;
    const t = Math.round(this.wanted);
    const view = /** @type {View | null} */ (await this.get("snapshot", { at_us: t }));
    if (!view) {
      await new Promise((done) => setTimeout(done, 1000));
      return;
    }
    const to = Math.min(model.trace.end, t + AHEAD_US);
    const rows = to > t ? await this.getFlights(t, to) : null;
    const stretch = model.trace.addStretch(
      { ...view, t },
      (rows ?? []).filter((row) => seqOf(row) > view.seq),
      rows ? to : t,
    );
    this.loadUnderWay(stretch, view);
    if (model.loose.playing && !rows) model.loose.t = Math.min(model.trace.end, t + 1);
    await new Promise((done) => setTimeout(done, FETCH_PAUSE_MS));
  }

  /**
   * @param {number} from
   * @param {number} to
   * @returns {Promise<Row[] | null>} null where the traffic of that time is gone or too much
   */
  async getFlights(from, to) {
    const rows = await this.get("facts", { from_us: from, to_us: to, stream: "flights" }, true);
    return rows === TOO_MANY ? null : /** @type {Row[] | null} */ (rows);
  }

  /**
   * @param {"facts" | "snapshot"} what
   * @param {Record<string, number | string>} query
   * @param {boolean} [quiet] a refusal is expected: the traffic of that time may be gone
   * @returns {Promise<unknown>} null when it cannot be had, TOO_MANY when less must be asked for
   */
  async get(what, query, quiet = false) {
    const { room, guest } = this.app.boot;
    const words = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]));
    if (guest) words.set("guest", guest);
    try {
      const answer = await fetch(`/rooms/${encodeURIComponent(room)}/${what}?${words}`, {
        credentials: "same-origin",
      });
      if (answer.ok) return decode(new Uint8Array(await answer.arrayBuffer()));
      if (answer.status === TOO_LARGE) return TOO_MANY;
      if (!quiet) toast((await answer.json().catch(() => ({}))).error ?? `The server answered ${answer.status}.`);
    } catch {
      if (!quiet && this.app.model.connection.value.state === "open") toast("The server did not answer. Trying again.");
    }
    return null;
  }
}

/**
 * The progress of the room on its way, in words.
 * @param {number} t us
 * @param {number} until us
 * @param {boolean} isAhead the page shows the run already
 */
function loadingText(t, until, isAhead) {
  const seconds = (until / 1e6).toFixed(isAhead ? 1 : 0);
  const share = `${Math.round((t / Math.max(1, until)) * 100)} %`;
  return isAhead ? `Simulating up to ${seconds} s: ${share}` : `Simulating the first ${seconds} seconds: ${share}`;
}
