/**
 * The parts of a document beside its run: its captions, the steps of a real cluster, the assumptions, the horizon.
 *
 * @import {Step, Told} from "./captions.js"
 * @import {Model} from "./model.js"
 */
import { captionAt, realSteps, seconds, toldCaptions } from "./captions.js";

const HORIZON_US_MAX = 600_000_000;

export class Script {
  /** @param {Model} model */
  constructor(model) {
    this.model = model;
    /** captions of the document whose moment is known */ this.known = {
      document: /** @type {any} */ (null),
      version: -1,
      told: /** @type {Told[]} */ ([]),
    };
    /** captions before this moment are over, us: the run was left there long ago */ this.fromUs = 0;
    this.recorded = { document: /** @type {any} */ (null), steps: /** @type {Step[]} */ ([]) };
  }

  /** The moment that the timeline should reach at least, us. */
  get horizonUs() {
    const last = (this.model.document?.timeline ?? []).reduce(
      (/** @type {number} */ end, /** @type {any} */ entry) => Math.max(end, seconds(entry.at)),
      0,
    );
    return Math.min(last * 1.1, HORIZON_US_MAX);
  }

  /** The document's own caption at a moment. @param {number} t */
  captionAt(t) {
    const { document, trace } = this.model;
    const { known } = this;
    if (known.document !== document || known.version !== trace.version)
      this.known = { document, version: trace.version, told: toldCaptions(document?.captions ?? [], trace.decisive) };
    return captionAt(
      this.known.told.filter((told) => told.t >= this.fromUs && told.t < this.model.changedUs),
      t,
    ); // they tell the run they were written for
  }

  /** The steps of the real cluster, if this run is the script of a recording. */
  get realSteps() {
    const { document } = this.model;
    if (this.recorded.document !== document) this.recorded = { document, steps: realSteps(document) };
    return this.recorded.steps;
  }

  /**
   * The assumptions of an import; it writes these lines at the end of the document's description.
   * @returns {string[]}
   */
  get assumed() {
    const [, lines = ""] = String(this.model.document?.about ?? "").split("Assumed:\n");
    return lines.split("\n").filter(Boolean);
  }
}
