/**
 * The page of an embedded run, or of two to four on one clock. It plays; whoever wants to act opens Highwater.
 *
 * @import {RunBoot} from "../page/player.js"
 */
import { effect } from "@preact/signals";
import { render } from "preact";
import { Frames } from "../app/frames.js";
import { LETTERS } from "../compare/apart.js";
import { Caption } from "../compare/caption.js";
import { areApart, namesOf } from "../compare/names.js";
import { letterOf, SideVerdict } from "../compare/side.js";
import { SidePlayer } from "../compare/side_player.js";
import { SharedTravel } from "../compare/travel.js";
import { Timeline } from "../dock/timeline.js";
import { drawClock } from "../dock/transport.js";
import { must } from "../kit/dom.js";
import { html } from "../kit/html.js";
import { request, toast } from "../kit/kit.js";
import { PageState } from "../page/pagestate.js";
import { listenForKeys, TIME_KEYS } from "../page/timekeys.js";
import { SPEED_NORMAL } from "../run/clock.js";
import { Bar } from "./bar.js";

export class EmbedPage {
  /**
   * @param {{runs: RunBoot[], at_us: number, link: string, common: string}} boot  link: to Highwater; common: that most
   *   titles begin with
   */
  constructor(boot) {
    this.boot = boot;
    this.page = new PageState();
    this.page.speed.value = SPEED_NORMAL;
    this.players = boot.runs.map((run, i) => {
      const stage = must(`stage-${letterOf(i)}`);
      stage.replaceChildren();
      const player = new SidePlayer(run, this, stage, i);
      player.onReady = () => this.onReady();
      return player;
    });
    this.travel = new SharedTravel(this.players);
    this.frames = new Frames(this);
    for (const player of this.players) player.frames = this.frames;
    const line = must("timeline");
    line.removeAttribute("hidden");
    this.timeline = new Timeline(this, /** @type {any} */ (line));
  }

  /** Nobody acts in an embedded run. */
  acting = {
    act: () => toast("To act in this run, open it in Highwater."),
    where: () => "",
  };

  start() {
    this.players.forEach((player, i) => {
      const root = must(`verdict-${letterOf(i)}`);
      root.replaceChildren();
      render(html`<${SideVerdict} page=${this} player=${player} side=${i} />`, root);
    });
    const bar = must("transport");
    bar.replaceChildren();
    render(html`<${Bar} page=${this} />`, bar);
    render(html`<${Caption} players=${this.players} />`, must("caption"));
    this.nameRuns();
    const timed = { model: this.leader.model, page: this.page, travel: this.travel };
    listenForKeys(this.page, (name) => (TIME_KEYS[name] ? () => TIME_KEYS[name]?.(timed) : undefined));
    this.keepMoment();
    effect(() => {
      const ended = this.players.map(({ model }) => model.ended.value);
      if (ended.some(Boolean)) this.endStart();
    });
    for (const { live } of this.players) live.connect();
    this.frames.begin();
  }

  /** Runs of one title are named by what differs in their settings: the engine knows it. */
  async nameRuns() {
    const { runs, common, link } = this.boot;
    if (areApart(namesOf(runs, common, null))) return;
    try {
      const found = await (await request(`${link}/figures`)).json();
      namesOf(runs, common, found).forEach((name, i) => {
        for (const node of document.querySelectorAll(`[data-name="${letterOf(i)}"]`)) node.textContent = name;
      });
    } catch {} // it cannot be told now: they keep their title
  }

  /** The link to Highwater opens at the drawn moment. */
  keepMoment() {
    const link = /** @type {HTMLAnchorElement} */ (must("open"));
    const address = link.href;
    for (const press of ["click", "auxclick"])
      link.addEventListener(press, () => {
        link.href = `${address}${this.travel.hash}`;
      });
    addEventListener("pagehide", () => {
      for (const { live } of this.players) live.room.leave();
    });
    addEventListener("pageshow", (event) => {
      if (event.persisted) for (const { live } of this.players) live.connect();
    });
  }

  get leader() {
    return /** @type {SidePlayer} */ (this.players[0]);
  }

  isReady = false;

  /** Every run has its first view: it plays on from the moment of the picture. */
  onReady() {
    if (this.isReady || !this.players.every(({ model }) => model.ready.value)) return;
    this.isReady = true;
    this.endStart();
    this.travel.begin();
    document.body.dataset.ready = "yes";
    setTimeout(() => this.playFromPicture(), 0);
  }

  /** The button that covers the stage goes; who has pressed it by key goes on with Pause. */
  endStart() {
    const button = document.getElementById("start");
    const hasFocus = button !== null && document.activeElement === button;
    button?.remove();
    if (hasFocus) /** @type {HTMLElement | null} */ (document.querySelector("[data-testid=play]"))?.focus();
  }

  /** Go to the moment of the picture and play, unless somebody moves meanwhile. */
  async playFromPicture() {
    const come = this.travel.seek(this.boot.at_us);
    const { moves } = this.travel;
    await come;
    if (this.travel.moves === moves) this.travel.togglePlay();
  }

  // --- what the timeline asks for ---

  showsAlerts = false;
  /** @type {import("../page/family.js").Lane[]} */ lanes = [];
  aboutUrl = "";

  /** @param {number} i */
  laneName(i) {
    return this.players.length > 1 ? String(LETTERS[i]) : "";
  }

  // --- what the heartbeat asks for ---

  /** @param {number} t us */
  drawDock(t) {
    this.timeline.draw(t);
    drawClock(this.leader, t);
  }

  /** Nothing is asked for beside the runs. */
  watch() {}
}
