/**
 * One run of a comparison, as keys, pointer and menus act on it: an action goes through the page, which takes it to the
 * other runs too.
 *
 * @import {RunBoot} from "../page/player.js"
 *
 * @typedef {object} Sides  the page of several runs: what a person chose on it, and where an action goes
 * @property {PageState} page
 * @property {{act: (side: number, action: string) => unknown, where: (side: number) => string}} acting
 */
import { toast } from "../kit/kit.js";
import { PageState } from "../page/pagestate.js";
import { Player } from "../page/player.js";

export class SidePlayer extends Player {
  /**
   * Its level of detail is its own, the rest of what a person chose is shared.
   * @param {RunBoot} boot
   * @param {Sides} compare
   * @param {HTMLElement} stage
   * @param {number} side
   */
  constructor(boot, compare, stage, side) {
    const page = new PageState();
    page.speed = compare.page.speed;
    page.selection = compare.page.selection;
    page.levelChoice = compare.page.levelChoice;
    super(boot, page, stage, (action) => this.act(action), true);
    this.compare = compare;
    this.side = side;
  }

  /** @param {string} action */
  act(action) {
    return this.compare.acting.act(this.side, action);
  }

  /** @param {import("../page/pagestate.js").Selection | null} selection */
  select(selection) {
    this.page.selection.value = selection;
  }

  /** Tabs are on the run's own page. */
  showTab() {}

  /** @param {string} text */
  say(text) {
    toast(text);
  }

  /** The runs that an action of this side's menus goes to. */
  get where() {
    return this.compare.acting.where(this.side);
  }
}
