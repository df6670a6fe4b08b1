/**
 * A run that was opened and not played yet: it stands still, so the page must say what is coming and how to start it.
 *
 * @import {Player} from "./player.js"
 */
import { effect, signal } from "@preact/signals-core";
import { comingOf } from "../run/coming.js";

/** the picture may stand this far from where the run was opened */
const NEAR_US = 1000;

export class Opening {
  /** @param {Player} app */
  constructor(app) {
    this.app = app;
    this.isOver = signal(false);
    /** where the run was opened, us */ this.at = -1;
    effect(() => {
      if (app.model.playing.value) this.leave();
    });
    effect(() => {
      document.body.toggleAttribute("data-unplayed", !this.isOver.value && app.model.ready.value);
    });
  }

  /** Somebody has played, stepped or acted. */
  leave() {
    this.isOver.value = true;
  }

  /** @returns {import("../run/coming.js").Coming | null} what is coming, while the run stands where it was opened */
  get coming() {
    const { app } = this;
    const { model, story } = app;
    if (this.isOver.value || !model.ready.value) return null;
    if (this.at < 0) this.at = app.travel.wantedStart ?? model.moment;
    if (Math.abs(model.moment - this.at) > NEAR_US) return null;
    const isSettled = !story.isCalm(model.moment) && story.isSettled(model.moment);
    const found = comingOf(model.document, model.moment, model.words, model.drawn, isSettled);
    return found.isOver ? null : found;
  }
}
