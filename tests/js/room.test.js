import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { BACKOFF_MS, RefusedError, Room } from "../../static/js/run/room.js";

/** A socket that notes what is sent; frames are given to it as objects. */
class FakeSocket extends EventTarget {
  static CONNECTING = 0;
  static OPEN = 1;
  static made = [];

  constructor(url) {
    super();
    Object.assign(this, { url, readyState: 0, sent: [] });
    FakeSocket.made.push(this);
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  open() {
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
  }

  frame(values) {
    this.dispatchEvent(Object.assign(new Event("message"), { data: new TextEncoder().encode(JSON.stringify(values)) }));
  }

  close() {
    this.closed = true;
  }

  drop() {
    this.readyState = 3;
    this.dispatchEvent(new Event("close"));
  }
}

const decode = (bytes) => JSON.parse(new TextDecoder().decode(bytes));
let calls;
let room;

beforeEach(() => {
  globalThis.WebSocket = FakeSocket;
  FakeSocket.made = [];
  calls = [];
  const handlers = new Proxy(
    {},
    {
      get:
        (_, name) =>
        (...values) =>
          calls.push([name, ...values]),
    },
  );
  room = new Room("ws://here/ws/room/abc", decode, handlers);
  room.connect();
});

const socket = () => FakeSocket.made.at(-1);

/** The page looks once a second, as it does; both ends in ms. */
function looks(from, to) {
  for (let now = from; now < to; now += 1000) room.look(now);
  room.look(to);
}
const last = (name) => calls.filter((call) => call[0] === name).at(-1);

test("a command is answered by the ack with its id", async () => {
  socket().open();
  const answer = room.send("act", { do: "kill 1", shown_us: 5 });
  const { id } = socket().sent[0];
  assert.deepEqual(socket().sent[0], { id, cmd: "act", do: "kill 1", shown_us: 5 });
  socket().frame({ k: "ack", id, at_us: 7, seq: 3 });
  assert.equal((await answer).at_us, 7);
});

test("a refusal comes with the room's reason", async () => {
  socket().open();
  const answer = room.send("act", { do: "kill 9" });
  socket().frame({ k: "refused", id: socket().sent[0].id, reason: "there is no broker 9" });
  await assert.rejects(answer, (error) => error instanceof RefusedError && error.message === "there is no broker 9");
});

test("without a connection a command is refused at once", async () => {
  await assert.rejects(room.send("play"), RefusedError);
});

test("a lost connection is tried again, later each time, and says what was drawn", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  socket().open();
  socket().frame({ k: "snap", view: { seq: 10 }, clock: {} });
  room.noteDrawn(10);
  room.noteDrawn(12);
  for (const wait of BACKOFF_MS.slice(0, 3)) {
    const made = FakeSocket.made.length;
    socket().drop();
    assert.equal(last("connection")[1], "lost");
    mock.timers.tick(wait - 1);
    assert.equal(FakeSocket.made.length, made);
    mock.timers.tick(1);
    assert.equal(FakeSocket.made.length, made + 1);
  }
  assert.equal(socket().url, "ws://here/ws/room/abc?have=12");
  mock.timers.reset();
});

test("a run that went back takes back what was drawn, or the room would be asked for what never happened", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  socket().open();
  room.noteDrawn(40);
  socket().frame({ k: "snap", view: { seq: 30 }, clock: {}, back: true });
  socket().drop();
  mock.timers.tick(BACKOFF_MS[0]);
  assert.equal(socket().url, "ws://here/ws/room/abc?have=30");
  mock.timers.reset();
});

for (const kind of ["deleted", "full", "refused"]) {
  test(`a room whose end is "${kind}" is not asked again`, () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    socket().open();
    socket().frame({ k: "end", kind, reason: "Whoever made this run has deleted it." });
    socket().drop();
    mock.timers.tick(60_000);
    assert.equal(FakeSocket.made.length, 1);
    assert.deepEqual(last("end").slice(1), [kind, "Whoever made this run has deleted it."]);
    assert.deepEqual(last("connection").slice(1), ["ended", 0]);
    mock.timers.reset();
  });
}

test("what waits for an answer is refused when the connection goes", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  socket().open();
  const answer = room.send("play");
  socket().drop();
  await assert.rejects(answer, /connection was lost/);
  mock.timers.reset();
});

test("an action that was not answered is sent again with its nonce, and its answer counts", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  socket().open();
  const acted = room.send("act", { do: "kill 1", nonce: "n1" });
  const played = room.send("play");
  const { id } = socket().sent[0];
  socket().drop();
  await assert.rejects(played, /connection was lost/);
  assert.equal(room.unknown, 1);
  mock.timers.tick(BACKOFF_MS[0]);
  socket().open();
  assert.deepEqual(socket().sent, [{ id, cmd: "act", do: "kill 1", nonce: "n1" }]);
  socket().frame({ k: "hello" });
  socket().frame({ k: "ack", id, at_us: 7, seq: 3 });
  assert.equal((await acted).at_us, 7);
  assert.equal(room.unknown, 0);
  mock.timers.reset();
});

test("an action is not sent again to a room that is gone", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  socket().open();
  const acted = room.send("act", { do: "kill 1", nonce: "n1" });
  socket().frame({ k: "end", kind: "deleted", reason: "Whoever made this run has deleted it." });
  socket().drop();
  await assert.rejects(acted, /connection was lost/);
  mock.timers.reset();
});

test("a gap between frames asks for a snapshot, once, and shows nothing of the frame", () => {
  socket().open();
  socket().frame({ k: "snap", view: { seq: 10 }, clock: {} });
  for (const from of [14, 16])
    socket().frame({ k: "facts", f: [[from + 1, 1, 67, 0]], from, seq: from + 1, t: 5, clock: {} });
  assert.deepEqual(socket().sent.filter(({ cmd }) => cmd === "resync").length, 1);
  assert.equal(last("facts"), undefined);
});

test("rows that a viewer already has are left out", () => {
  socket().open();
  socket().frame({ k: "snap", view: { seq: 10 }, clock: {} });
  socket().frame({
    k: "facts",
    f: [
      [9, 1, 67, 0],
      [10, 1, 67, 0],
      [12, 2, 67, 0],
    ],
    from: 8,
    seq: 12,
    t: 5,
    clock: {},
  });
  assert.deepEqual(last("facts")[1], [[12, 2, 67, 0]]);
});

test("numbers missing inside a frame are no gap: another stream leaves facts out", () => {
  socket().open();
  socket().frame({ k: "snap", view: { seq: 10 }, clock: {} });
  socket().frame({ k: "facts", f: [[15, 1, 67, 0]], from: 10, seq: 20, t: 5, clock: {} });
  socket().frame({ k: "facts", f: [[22, 1, 67, 0]], from: 20, seq: 25, t: 6, clock: {} });
  assert.equal(calls.filter(([name]) => name === "facts").length, 2);
});

test("a network that drops everything is noticed: without a response to a ping the connection is lost", () => {
  socket().open();
  const silent = socket();
  silent.frame({ k: "hello" });
  const quiet = performance.now() + 3100;
  room.look(quiet);
  assert.deepEqual(
    silent.sent.map(({ cmd }) => cmd),
    ["ping"],
  );
  looks(quiet, quiet + 4900);
  assert.equal(last("connection")[1], "open");
  room.look(quiet + 5100);
  assert.equal(last("connection")[1], "lost");
  assert.ok(silent.closed);
  room.connect();
  assert.notEqual(socket(), silent, "another one is tried");
  silent.frame({ k: "error", reason: "late" });
  silent.drop();
  assert.equal(last("error"), undefined, "what the old one still says is of no use");
  assert.equal(last("connection")[1], "connecting");
  const slow = socket();
  looks(performance.now(), performance.now() + 5100);
  assert.equal(last("connection")[1], "lost", "nor is an address that does not answer waited for");
  assert.ok(!slow.closed, "closed before it is open, it is an error on the console");
  slow.open();
  assert.ok(slow.closed);
  clearTimeout(room.timer);
});

test("a socket that opens and leads nowhere is no connection", () => {
  socket().open();
  assert.equal(last("connection")[1], "connecting");
  looks(performance.now() + 3100, performance.now() + 8200);
  assert.equal(last("connection")[1], "lost");
  clearTimeout(room.timer);
});

test("a quiet room that answers is there", () => {
  socket().open();
  socket().frame({ k: "hello" });
  const quiet = performance.now() + 3100;
  room.look(quiet);
  socket().frame({ k: "pong", is_in: true });
  looks(quiet, quiet + 2900);
  assert.equal(last("connection")[1], "open");
});

test("a page that stood still itself gives the room time to be heard", () => {
  socket().open();
  socket().frame({ k: "hello" });
  const quiet = performance.now() + 3100;
  looks(quiet - 1000, quiet);
  room.look(quiet + 8000);
  assert.equal(last("connection")[1], "open");
  assert.ok(!socket().closed);
  looks(quiet + 9000, quiet + 13_100);
  assert.equal(last("connection")[1], "lost", "a room that then says nothing is gone");
  clearTimeout(room.timer);
});

test("a room that is being built is waited for, however long that takes", () => {
  socket().open();
  for (const later of [3100, 6300, 30_000]) {
    room.look(performance.now() + later);
    socket().frame({ k: "pong", is_in: false });
  }
  assert.deepEqual(
    socket().sent.map(({ cmd }) => cmd),
    ["ping", "ping", "ping"],
  );
  assert.equal(last("connection")[1], "connecting");
  socket().frame({ k: "hello" });
  assert.equal(last("connection")[1], "open");
});

test("a room whose greeting was swallowed is entered anew", () => {
  socket().open();
  const deaf = socket();
  deaf.frame({ k: "pong", is_in: true });
  assert.ok(deaf.closed);
  assert.equal(last("connection")[1], "lost");
  clearTimeout(room.timer);
});

test("who may no longer act is told so, and why", () => {
  socket().open();
  socket().frame({ k: "watches", reason: "the edit link was replaced" });
  assert.deepEqual(last("watches"), ["watches", "the edit link was replaced"]);
});
