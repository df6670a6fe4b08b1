/**
 * The socket of a live room: frames in, commands out, and a connection that mends itself.
 * Frames from the room are msgpack maps {"k": kind, ...}; commands to it are small JSON texts, each answered by an
 * ack or a refusal that carries its id. A command with a nonce that was not answered is sent again after the connection
 * came back: the room does it once.
 *
 * @import {Names, RoomClock, Row, View} from "../facts/types.js"
 */
import { seqOf } from "../facts/row.js";

/** Waits between attempts to connect, in ms; the last one repeats. */
export const BACKOFF_MS = [250, 500, 1000, 2000, 4000, 8000];
/** The time between two reports to the room of what has been drawn, in ms. */
const HAVE_EVERY_MS = 1000;
/** A room that says nothing for this long is asked whether it is there, in ms: a network can go without a word. */
const QUIET_MS = 3000;
/** So long it may take to answer, or to be reached. */
const ANSWER_MS = 5000;
/** A page that has not looked for this long stood still itself, in ms: answers may wait for it to be read. */
const STOOD_STILL_MS = 2500;
const COMMAND_MAX_BYTES = 4096;
/** Ends after which to connect again would change nothing. */
const FINAL = ["deleted", "full", "refused"];
/** Commands whose loss a person would notice. */
const WISHES = new Set(["act", "play", "pause", "speed", "step", "reach"]);

/**
 * @typedef {{command: Record<string, unknown>, resolve: (ack: Ack) => void, reject: (error: Error) => void}} Waiting
 * @typedef {{at_us: number, seq: number} & Record<string, any>} Ack
 * @typedef {"connecting" | "open" | "lost" | "ended"} Connection
 * @typedef {{steps: [number, string][], whole: boolean}} Drawn  when (us) and what, up to the document's end; whole:
 *   nothing was cut off
 *
 * @typedef {object} Hello
 * @property {string} room
 * @property {string} doc_id
 * @property {string} title
 * @property {boolean} frozen
 * @property {Names} names
 * @property {any} document
 * @property {Drawn} drawn  what the fault model will do
 * @property {string[]} not_simulated  keys of the document that have no effect here, in words
 * @property {Record<string, number>} limits
 * @property {string} version
 * @property {{computed_by: string, today: string} | null} notice
 * @property {boolean} owner  may add actions
 * @property {boolean} control  may play, pause, step and set the speed
 *
 * @typedef {object} Handlers
 * @property {(hello: Hello) => void} hello
 * @property {(view: View, clock: RoomClock, isBack: boolean) => void} snap
 * @property {(t: number, until: number) => void} loading
 * @property {(rows: Row[], t: number, clock: RoomClock) => void} facts
 * @property {(clock: RoomClock) => void} clock
 * @property {(reason: string) => void} watches  it may no longer act nor steer
 * @property {(people: {here: number, owner: boolean}) => void} people
 * @property {(kind: string, reason: string) => void} end
 * @property {(reason: string) => void} error
 * @property {(state: Connection, retryAt: number) => void} connection
 */

/** Close a socket, once it is open: closed before, it is an error on the console. @param {WebSocket} socket */
function end(socket) {
  if (socket.readyState === WebSocket.CONNECTING) socket.addEventListener("open", () => socket.close());
  else socket.close();
}

/** A refusal: its message is the room's reason, fit to be shown. */
export class RefusedError extends Error {}

export class Room {
  /**
   * @param {string} url
   * @param {(bytes: Uint8Array) => any} decode
   * @param {Handlers} handlers
   */
  constructor(url, decode, handlers) {
    this.url = url;
    this.decode = decode;
    this.handlers = handlers;
    this.drawn = 0;
    this.received = 0;
    this.attempt = 0;
    this.nextId = 1;
    this.over = false;
    /** @type {WebSocket | null} */ this.socket = null;
    /** @type {Map<number, Waiting>} */ this.waiting = new Map();
    /** commands whose fate is not known since the connection was lost */ this.unknown = 0;
    this.stream = "flights";
    this.timer = 0;
    /** when something came last, ms */ this.heard = 0;
    /** since when an answer is due, ms; 0: none is */ this.asked = 0;
    /** when the page last looked whether the room is there, ms */ this.looked = 0;
    /** whether the room has shown itself to this socket: one that is still being built has not */ this.isIn = false;
  }

  connect() {
    clearTimeout(this.timer);
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) return;
    this.handlers.connection("connecting", 0);
    const address = new URL(this.url);
    if (this.drawn) address.searchParams.set("have", String(this.drawn));
    const socket = new WebSocket(address.href);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.asked = performance.now();
    this.isIn = false;
    socket.addEventListener("open", () => {
      if (socket === this.socket) this.onOpen();
    });
    socket.addEventListener("message", (event) => {
      if (socket === this.socket) this.onMessage(event.data);
    });
    socket.addEventListener("close", () => this.onClose(socket));
  }

  onOpen() {
    this.hear();
    for (const { command } of this.waiting.values()) this.write(command);
    if (this.stream !== "flights") this.send("stream", { value: this.stream }).catch(() => {});
  }

  /** The room shows itself: a socket alone is no connection, it may lead nowhere. */
  enter() {
    if (this.isIn) return;
    this.isIn = true;
    this.attempt = 0;
    this.handlers.connection("open", 0);
    this.unknown = 0;
  }

  /** @param {WebSocket} socket */
  onClose(socket) {
    if (socket !== this.socket) return;
    for (const [id, { command, reject }] of this.waiting) {
      if (command.nonce && !this.over) continue;
      this.waiting.delete(id);
      if (WISHES.has(String(command.cmd))) this.unknown++;
      reject(new RefusedError("the connection was lost before the server answered. Look whether it happened."));
    }
    if (this.over) return this.handlers.connection("ended", 0);
    const wait = BACKOFF_MS[Math.min(this.attempt++, BACKOFF_MS.length - 1)] ?? 8000;
    this.handlers.connection("lost", performance.now() + wait);
    this.timer = setTimeout(() => this.connect(), wait);
  }

  /** The page is left: a page that the browser keeps for Back would keep the room running. */
  leave() {
    const { socket } = this;
    this.socket = null;
    if (socket) end(socket);
    clearTimeout(this.timer);
  }

  hear() {
    this.heard = performance.now();
    this.asked = 0;
  }

  /**
   * Look, about once a second, whether the room is still there: what swallows frames closes no socket.
   * @param {number} now ms
   */
  look(now) {
    const { socket } = this;
    const stoodStill = now - this.looked > STOOD_STILL_MS;
    this.looked = now;
    if (!socket || socket.readyState > WebSocket.OPEN) return;
    if (stoodStill && this.asked) {
      this.asked = now;
      return;
    }
    if (this.asked && now - this.asked > ANSWER_MS) {
      this.giveUp(socket);
    } else if (!this.asked && now - this.heard > QUIET_MS) {
      this.asked = now;
      this.write({ cmd: "ping" });
    }
  }

  /** @param {WebSocket} socket */
  giveUp(socket) {
    this.onClose(socket);
    this.socket = null;
    end(socket);
  }

  /** @param {ArrayBuffer} data */
  onMessage(data) {
    this.hear();
    const frame = this.decode(new Uint8Array(data));
    switch (frame.k) {
      case "hello":
        this.enter();
        return this.handlers.hello(frame);
      case "pong": // what the room said first was swallowed, and does not come again
        return void (frame.is_in && !this.isIn && this.socket && this.giveUp(this.socket));
      case "snap":
        this.enter();
        this.received = frame.view.seq;
        if (frame.back) this.forgetDrawn(this.received);
        if (frame.back) this.drawn = frame.view.seq;
        return this.handlers.snap(frame.view, frame.clock, Boolean(frame.back));
      case "facts":
        return this.onFacts(frame);
      case "loading":
        return this.handlers.loading(frame.t, frame.until);
      case "clock":
        return this.handlers.clock(frame);
      case "watches":
        return this.handlers.watches(String(frame.reason));
      case "people":
        return this.handlers.people({ here: frame.here, owner: Boolean(frame.owner) });
      case "ack":
      case "refused":
        return this.settle(frame);
      case "end":
        this.over = FINAL.includes(frame.kind);
        return this.handlers.end(String(frame.kind), String(frame.reason));
      case "error":
        return this.handlers.error(String(frame.reason));
    }
  }

  /** @param {{f: Row[], t: number, from: number, seq: number, clock: RoomClock}} frame */
  onFacts(frame) {
    if (frame.from > this.received) {
      if (!this.resyncing)
        this.send("resync", { seq: this.received })
          .catch(() => {})
          .finally(() => {
            this.resyncing = false;
          });
      this.resyncing = true;
      return;
    }
    const fresh = frame.from < this.received ? frame.f.filter((row) => seqOf(row) > this.received) : frame.f;
    this.received = Math.max(this.received, frame.seq);
    this.handlers.facts(fresh, frame.t, frame.clock);
  }

  resyncing = false;

  /** @param {{k: string, id: number, reason?: string} & Ack} frame */
  settle(frame) {
    const waiter = this.waiting.get(frame.id);
    this.waiting.delete(frame.id);
    if (!waiter) return;
    if (frame.k === "ack") waiter.resolve(frame);
    else waiter.reject(new RefusedError(frame.reason ?? "the room gave no reason."));
  }

  /**
   * Sends a command and waits for its answer.
   * @param {string} cmd
   * @param {Record<string, unknown>} [values]
   * @returns {Promise<Ack>}
   */
  send(cmd, values = {}) {
    if (!this.socket || this.socket.readyState !== WebSocket.OPEN) {
      return Promise.reject(new RefusedError("the connection is lost."));
    }
    const id = this.nextId++;
    const command = { id, cmd, ...values };
    if (JSON.stringify(command).length > COMMAND_MAX_BYTES) {
      return Promise.reject(new RefusedError(`a command has at most ${COMMAND_MAX_BYTES} bytes.`));
    }
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { command, resolve, reject });
      this.write(command);
    });
  }

  /** @param {Record<string, unknown>} command */
  write(command) {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.socket.send(JSON.stringify({ id: this.nextId++, ...command }));
  }

  /** @param {"flights" | "state" | "summary"} stream */
  take(stream) {
    if (stream === this.stream) return;
    this.stream = stream;
    this.send("stream", { value: stream }).catch(() => {});
  }

  /** The page has drawn everything up to this fact. @param {number} seq */
  noteDrawn(seq) {
    if (seq <= this.drawn) return;
    this.drawn = seq;
    const now = performance.now();
    if (now - this.haveSent < HAVE_EVERY_MS) return;
    this.haveSent = now;
    this.write({ cmd: "have", seq });
  }

  haveSent = 0;

  /** The run went back: what was drawn after this fact has not happened. @param {number} seq */
  forgetDrawn(seq) {
    this.drawn = Math.min(this.drawn, seq);
  }
}
