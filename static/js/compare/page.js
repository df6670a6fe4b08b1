/**
 * A comparison: two to four runs side by side, one clock, one timeline, where they part. Each run is played by the same
 * code as on its own page.
 *
 * @import {RunBoot} from "../page/player.js"
 * @import {Comparison} from "./apart.js"
 */
import { signal } from "@preact/signals";
import { render } from "preact";
import { Frames } from "../app/frames.js";
import { Timeline } from "../dock/timeline.js";
import { drawClock } from "../dock/transport.js";
import { must } from "../kit/dom.js";
import { html } from "../kit/html.js";
import { copy, request, toast } from "../kit/kit.js";
import { KIND } from "../facts/facts.js";
import { kindOf } from "../facts/row.js";
import { comparedAddress } from "../run/variants.js";
import { PageState } from "../page/pagestate.js";
import { isToPlay, keepSpeed, leaveFor, leaveToPlay, sayFlash } from "../page/leaving.js";
import { embedLine } from "../page/embedline.js";
import { hashOf, levelOf } from "../page/moment.js";
import { startPointer } from "../app/pointer.js";
import { Acting } from "./acting.js";
import { Caption } from "./caption.js";
import { LETTERS, marksOf, nextDifference } from "./apart.js";
import { DifferenceList, Parting, Tabs, Transport } from "./dock.js";
import { FiguresDialog } from "./figures.js";
import { goTo } from "./going.js";
import { startKeys } from "./keys.js";
import { namesOf, titleOf } from "./names.js";
import { SideHead, SideVerdict } from "./side.js";
import { SidePlayer } from "./side_player.js";
import { SharedTravel } from "./travel.js";

/** the comparison is asked for again so long after the last time, ms */
const AGAIN_MS = 3000;
/** and reaches at least to a multiple of this, us */
const REACH_US = 30_000_000;
/** with more partitions than this they are compared only so often while time runs, ms */
const MANY_PARTITIONS = 500;
const BIG_MS = 1000;
const narrow = matchMedia("(max-width: 1100px)");

export class ComparePage {
  /** @param {{link: string, runs: RunBoot[], common: string}} boot  common: that most titles begin with */
  constructor(boot) {
    this.boot = boot;
    this.page = new PageState();
    this.page.levelChoice.value = levelOf(location.hash);
    this.acting = new Acting(this);
    /** @type {SidePlayer[]} */ this.players = boot.runs.map((run, i) => this.playerOf(run, i));
    this.travel = new SharedTravel(this.players, () => this.sayWaits());
    this.frames = new Frames(this);
    for (const player of this.players) player.frames = this.frames;
    this.timeline = new Timeline(this, /** @type {any} */ (must("timeline")));
    /** what the engine says of the runs */ this.found = signal(/** @type {Comparison | null} */ (null));
    this.problem = signal("");
    /** what differs at the drawn moment; null before every run is here */
    this.marks = signal(/** @type {import("./apart.js").Mark[] | null} */ (null));
    /** one run is shown at a time */ this.isNarrow = signal(narrow.matches);
    narrow.addEventListener("change", () => {
      this.isNarrow.value = narrow.matches;
    });
    /** the tab that a narrow window shows: a run by its letter, or the differences */ this.tab = signal("a");
  }

  /** @param {RunBoot} run @param {number} i @returns {SidePlayer} */
  playerOf(run, i) {
    const player = new SidePlayer(run, this, must(`stage-${LETTERS[i]?.toLowerCase()}`), i);
    player.onReady = () => this.onReady();
    return player;
  }

  start() {
    this.players.forEach((player, i) => {
      const letter = String(LETTERS[i]).toLowerCase();
      render(html`<${SideHead} page=${this} player=${player} side=${i} />`, must(`head-${letter}`));
      render(html`<${SideVerdict} page=${this} player=${player} side=${i} />`, must(`verdict-${letter}`));
    });
    render(html`<${Caption} players=${this.players} />`, must("caption"));
    render(html`<${Parting} page=${this} />`, must("parting"));
    render(html`<${Transport} page=${this} />`, must("transport"));
    render(html`<${Tabs} page=${this} />`, must("tabs"));
    render(html`<${DifferenceList} page=${this} />`, must("differences"));
    render(html`<${FiguresDialog} page=${this} />`, must("figures-body"));
    for (const { model } of this.players) model.pulse.subscribe(() => this.mark());
    for (const player of this.players) this.listenTo(player);
    startKeys(this);
    for (const button of document.querySelectorAll("[data-shares]"))
      button.addEventListener("click", () => this.share());
    for (const button of document.querySelectorAll("[data-embeds]"))
      button.addEventListener("click", () => this.share(true));
    for (const [id, part] of [
      ["report", "/report"],
      ["yaml", ".yaml"],
    ]) {
      const link = /** @type {HTMLAnchorElement} */ (must(String(id)));
      for (const press of ["click", "auxclick"])
        link.addEventListener(press, () => {
          link.href = `${this.boot.link}${part}?at_us=${Math.round(this.travel.t)}`;
        });
    }
    this.page.levelChoice.subscribe(() => {
      if (this.isReady) this.travel.note();
    });
    this.tab.subscribe((tab) => {
      document.body.dataset.tab = tab;
    });
    addEventListener("pagehide", () => {
      this.travel.noteNow();
      for (const { live } of this.players) live.room.leave();
    });
    addEventListener("pageshow", (event) => {
      if (event.persisted) for (const { live } of this.players) live.connect();
    });
    for (const { live } of this.players) live.connect();
    this.frames.begin();
  }

  get leader() {
    return /** @type {SidePlayer} */ (this.players[0]);
  }

  /** the side that keys act on: the one that was pointed at or had the focus last */ active = 0;

  /** @param {SidePlayer} player */
  listenTo(player) {
    startPointer(player);
    for (const name of ["pointerenter", "focusin"])
      player.stage.root.addEventListener(name, () => {
        this.active = player.side;
      });
  }

  /** The side that keys act on; in a narrow window the one that is shown. */
  get activePlayer() {
    const shown = LETTERS.toLowerCase().indexOf(this.tab.value);
    const side = this.isNarrow.value && shown >= 0 ? shown : this.active;
    return /** @type {SidePlayer} */ (this.players[side] ?? this.leader);
  }

  isReady = false;

  onReady() {
    if (this.isReady || !this.players.every(({ model }) => model.ready.value)) return;
    this.isReady = true;
    this.travel.begin().then(() => {
      if (isToPlay(this)) this.travel.togglePlay();
    });
    document.body.dataset.ready = "yes";
    sayFlash();
  }

  /** Look for partitions that differ at the drawn moment; their names on the stages are marked. */
  mark() {
    if (!this.isReady) return;
    const now = performance.now();
    const isBig = this.players.some(({ model }) => (model.view?.partitions.length ?? 0) > MANY_PARTITIONS);
    if (isBig && this.travel.isPlaying && now - this.markedAt < BIG_MS) return;
    this.markedAt = now;
    const marks = marksOf(this.players.map(({ model }) => model));
    this.marks.value = marks;
    const names = new Set(marks.map(({ name }) => name));
    for (const { model, stage } of this.players)
      for (const [p, { root }] of stage.matrix?.titles ?? [])
        root.classList.toggle("differs", names.has(model.partitionName(p)));
  }

  markedAt = -BIG_MS;

  // --- what the timeline asks for ---

  showsAlerts = true;
  /** @type {import("../page/family.js").Lane[]} */ lanes = [];
  aboutUrl = "";

  /** @param {number} i */
  laneName(i) {
    return String(LETTERS[i]);
  }

  /** @param {number} i @returns {import("../dock/marks.js").Apart[]} */
  apart(i) {
    const found = this.found?.value?.differences ?? [];
    return found.filter((one) => one.sides.includes(i)).map((one) => ({ t: one.t_us, text: one.text }));
  }

  // --- what the heartbeat asks for ---

  /** @param {number} t us */
  drawDock(t) {
    this.timeline.draw(t);
    drawClock(this.leader, t);
  }

  /** @param {number} wall ms */
  watch(wall) {
    for (const { alerts } of this.players) alerts.watch(wall);
    const key = this.wanted();
    if (this.isAsking || key === this.askedFor || wall - this.askedAt < AGAIN_MS) return;
    this.askedFor = key;
    this.askedAt = wall;
    this.ask();
  }

  isAsking = false;
  askedFor = "";
  askedAt = -AGAIN_MS;

  /** What the comparison must know: the actions of all runs, and how far they have come. */
  wanted() {
    const isDone = (/** @type {import("../facts/types.js").Row} */ row) => kindOf(row) === KIND.ACTION_DONE;
    return `${this.players.map(({ model }) => model.trace.decisive.filter(isDone).length)} ${this.query}`;
  }

  /** The moment to compare at, where the runs have come further than the engine looks by itself. */
  get query() {
    const end = Math.max(...this.players.map(({ model }) => model.trace.end));
    if (end <= this.foreseen) return "";
    return `?at_us=${Math.ceil(end / REACH_US) * REACH_US}`;
  }

  /** the moment that the engine compares at by itself, us */ foreseen = Infinity;

  async ask() {
    this.isAsking = true;
    const { query } = this;
    try {
      const found = await this.figures(query);
      if (!query) this.foreseen = found.until_us;
      this.found.value = found;
      this.problem.value = "";
    } catch (problem) {
      this.problem.value = /** @type {Error} */ (problem).message;
    }
    this.isAsking = false;
    this.frames.drawSoon();
  }

  /**
   * What the engine says of the runs; raises an Error whose message may be shown.
   * @param {string} query
   * @returns {Promise<Comparison>}
   */
  async figures(query) {
    return (await request(`${this.boot.link}/figures${query}`)).json();
  }

  // --- intents ---

  /** To the next event that not all runs have. */
  goToNext() {
    const next = nextDifference(this.found.value, this.travel.t);
    if (next) goTo(this, next);
  }

  /** The other order of the runs; in a narrow window the other run. */
  swap() {
    if (this.isNarrow.value) {
      const letters = this.players.map((_, i) => String(LETTERS[i]).toLowerCase());
      this.tab.value = letters[(letters.indexOf(this.tab.value) + 1) % letters.length] ?? "a";
      return;
    }
    const ids = this.players.map(({ boot }) => boot.scenario).reverse();
    keepSpeed(this.leader);
    location.href = `${comparedAddress(...ids)}${this.travel.hash}`;
  }

  /** The runs whose clocks only somebody else moves. */
  get others() {
    return this.players.filter(({ model, control }) => model.ready.value && !control.value);
  }

  /** Play has come to the end of what is known, and nobody plays on the runs that are not one's own. */
  sayWaits() {
    toast("Nothing more is known, and only the owner plays on.", {
      label: "Make copies and play",
      run: () => this.copyOthers(),
    });
  }

  /**
   * Copies of one's own in place of the runs whose clocks somebody else moves: all of them can be played then.
   * @param {number} [at] us, a moment to go to; without it they play on
   */
  async copyOthers(at) {
    const { waiting } = this.leader.model;
    waiting.value = "Making the copies";
    try {
      const ids = await Promise.all(this.players.map((player) => this.ownOf(player)));
      const told = "Your own copies. The other runs stay as they are.";
      if (at === undefined) leaveToPlay(this.leader, comparedAddress(...ids), told, this.travel.hash);
      else leaveFor(this.leader, `${comparedAddress(...ids)}${hashOf(at, this.page.levelChoice.value)}`, told);
    } catch (problem) {
      waiting.value = "";
      toast(`Not done: ${/** @type {Error} */ (problem).message}`);
    }
  }

  /** The id of a run, or of a copy of it that this browser may play. @param {SidePlayer} player */
  async ownOf({ boot, control, model, page }) {
    if (control.value) return boot.scenario;
    const json = { shown_us: Math.round(model.trace.end), do: "", later: "keep", speed: page.speed.value };
    return (await (await request(`/s/${boot.scenario}/fork`, { method: "POST", json })).json()).id;
  }

  /** Copy a link to copies of the runs as they are at this moment, or the HTML line that embeds these. */
  async share(asLine = false) {
    const at = Math.round(this.travel.t);
    try {
      const ids = await Promise.all(this.players.map((player) => this.frozenOf(player, at)));
      if (asLine)
        copy(
          embedLine(ids, titleOf(this.boot.runs, this.boot.common)),
          "HTML line copied. It shows copies that never change.",
        );
      else
        copy(
          `${location.origin}${comparedAddress(...ids)}${hashOf(at, this.page.levelChoice.value)}`,
          "A link that never changes is copied.",
        );
    } catch (problem) {
      toast(`${asLine ? "No HTML line" : "No link"}: ${/** @type {Error} */ (problem).message}`);
    }
  }

  /** The id of a copy of a run that never changes. @param {SidePlayer} player @param {number} at us */
  async frozenOf({ boot }, at) {
    if (boot.frozen) return boot.scenario;
    const json = { at_us: at, neutral: false };
    return (await (await request(`/s/${boot.scenario}/share`, { method: "POST", json })).json()).id;
  }

  /** Names of the runs. */
  get names() {
    return namesOf(this.boot.runs, this.boot.common, this.found.value);
  }

  link() {
    return `${location.origin}${this.boot.link}${this.travel.hash}`;
  }
}
