import assert from "node:assert/strict";
import { test } from "node:test";
import { HAND, KIND, MSG, PROCESS, REG } from "../../static/js/facts/facts.js";
import { captionOf, newestOf, stoodAt } from "../../static/js/words/instant.js";
import { messageWords } from "../../static/js/words/clientwords.js";
import { Narrator } from "../../static/js/words/narrate.js";
import { emptyView, Teller, WORDS } from "./generator.js";
import { moves, PARTITIONS, text, told } from "./instants.js";

test("losses that a former leader adds one by one are one event, and the caption counts them all", () => {
  const narrator = new Narrator(WORDS);
  narrator.seed(emptyView());
  const teller = new Teller();
  const lost = (t, base, count = 1) => teller.say(t, KIND.RECORDS_LOST, { p: 0, base, count, epoch: 0, acks: 1 });
  lost(5e6, 10);
  lost(5.02e6, 11);
  lost(5.02e6, 12, 3);
  lost(9e6, 15);
  narrator.take(teller.rows);
  assert.deepEqual(
    narrator.events.map(({ minor, marker }) => [minor, marker]),
    [
      [false, "flag"],
      [true, ""],
      [true, ""],
      [false, "flag"],
    ],
  );
  const at = (index) => text(captionOf(newestOf(narrator.events, index), WORDS, -1));
  assert.equal(
    at(0),
    "1 acknowledged record of orders-0 is gone. The leader's log does not have offset 10 of epoch 0.",
  );
  assert.match(at(2), /^5 acknowledged records are gone\./);
  assert.equal(
    at(3),
    "1 acknowledged record of orders-0 is gone. The leader's log does not have offset 15 of epoch 0.",
  );
});

test("records that come back end the count of a loss: the caption says how many are back, and counts anew", () => {
  const narrator = new Narrator(WORDS);
  narrator.seed(emptyView());
  const teller = new Teller();
  const say = (t, kind, base, count) => teller.say(t, kind, { p: 0, base, count, epoch: 0, acks: 1 });
  say(5e6, KIND.RECORDS_LOST, 10, 500);
  say(5.1e6, KIND.RECORDS_BACK, 10, 500);
  say(5.2e6, KIND.RECORDS_LOST, 510, 1);
  narrator.take(teller.rows);
  const at = (index) => text(captionOf(newestOf(narrator.events, index), WORDS, -1));
  assert.match(at(0), /^500 acknowledged records of orders-0 are gone\./);
  assert.match(at(1), /^500 acknowledged records of orders-0 are back\. .* 10–509, counted lost before\.$/);
  assert.match(at(2), /^1 acknowledged record of orders-0 is gone\./);
});

test("records whose last copy was deleted or cut are gone from every log, not only from a leader's", () => {
  const narrator = new Narrator(WORDS);
  narrator.seed(emptyView());
  const teller = new Teller();
  const gone = teller.say(5e6, KIND.REPLICA_GONE, { broker: 1, p: 0 });
  teller.say(5e6, KIND.RECORDS_LOST, { p: 0, base: 10, count: 3, epoch: 1, acks: -1 }, gone);
  narrator.take(teller.rows);
  const told = text(captionOf(newestOf(narrator.events, narrator.events.length - 1), WORDS, -1));
  assert.equal(
    told,
    "3 acknowledged records of orders-0 are gone. No broker has offsets 10–12 of epoch 1 in its log or on its disk " +
      "any more.",
  );
});

test("what comes back, goes on or is set has a caption of its own", () => {
  const start = { controllers: Object.fromEntries([100, 101, 102].map((id) => [id, { process: "running" }])) };
  const said = (tell, active = 101) => text(told(tell, -1, { ...start, active }));
  const state = (node, to) => (say) => say(KIND.PROCESS_CHANGED, { node, state: to });
  assert.equal(
    said((say) => say(KIND.CONTROLLER_CHANGED, { controller: 102, epoch: 2 }), -1),
    "Controller 102 is active. Metadata changes again; every broker's session begins anew.",
  );
  assert.equal(
    said(state(1, PROCESS.STARTING)),
    "Broker 1 starts. It reads its logs, then registers with the controller.",
  );
  assert.equal(
    said(state(1, PROCESS.STARTING), -1),
    "Broker 1 starts. No controller is active: it waits for one to register with.",
  );
  assert.equal(
    said((say) => [1, 2, 101].forEach((node) => state(node, PROCESS.STARTING)(say))),
    "Brokers 1 and 2 and controller 101 start. Brokers read their logs, then register with the controller.",
  );
  assert.equal(
    said((say) => [1, 101].forEach((node) => state(node, PROCESS.STARTING)(say)), -1),
    "Broker 1 and controller 101 start. No controller is active: brokers wait for one to register with.",
  );
  assert.equal(
    said((say) => say(KIND.CONFIG_CHANGED, { topic: 0, text: "min.insync.replicas=1" })),
    "orders: min.insync.replicas is 1. So many have to be in sync for acks=all to be accepted.",
  );
  assert.equal(
    said((say) => say(KIND.CONFIG_CHANGED, { topic: 0, text: "unclean.leader.election.enable=false" })),
    "orders: unclean.leader.election.enable is false. Without anybody in sync a partition waits.",
  );
});

test("who shuts down as the last in sync hands nothing over (SHUT-1, ELEC-7)", () => {
  const left = (to) => {
    const narrator = new Narrator(WORDS);
    narrator.seed(emptyView());
    const teller = new Teller();
    const leader = narrator.known.get(0).leader;
    teller.say(5e6, KIND.PROCESS_CHANGED, { node: leader, state: PROCESS.STOPPING });
    moves((kind, values) => teller.say(5.1e6, kind, values), 0, to, to < 0 ? [] : [to]);
    teller.say(6e6, KIND.BROKER_REGISTRATION, { broker: leader, be: 1, state: REG.FENCED });
    narrator.take(teller.rows);
    return narrator.events.at(-1)?.caption?.rest;
  };
  assert.equal(left(2), "It has handed its leaderships over and leaves.");
  assert.equal(left(-1), "Nobody in sync was left to lead 1 partition after it.");
});

test("a broker that goes on after it was fenced is said not to know it (FLT-2, LIVE-5)", () => {
  const goesOn = (fenced) => {
    const narrator = new Narrator(WORDS);
    narrator.seed(emptyView());
    const teller = new Teller();
    teller.say(5e6, KIND.PROCESS_CHANGED, { node: 1, state: PROCESS.PAUSED });
    if (fenced) teller.say(6e6, KIND.BROKER_REGISTRATION, { broker: 1, be: 1, state: REG.FENCED });
    teller.say(7e6, KIND.PROCESS_CHANGED, { node: 1, state: PROCESS.RUNNING });
    narrator.take(teller.rows);
    return text(captionOf(newestOf(narrator.events, narrator.events.length - 1), WORDS, -1));
  };
  assert.equal(
    goesOn(true),
    "Broker 1 goes on. It was fenced meanwhile and does not know it: to itself it leads what it led before.",
  );
  assert.equal(goesOn(false), "Broker 1 goes on. It knows nothing of its pause.");
});

test("a fencing says what it brings about, by counts", () => {
  const fenced = (...rest) =>
    told((say) => {
      say(KIND.BROKER_REGISTRATION, { broker: 1, be: 1, state: REG.FENCED });
      for (const one of rest) one(say);
    });
  const all = Array.from({ length: PARTITIONS }, (_, p) => (say) => moves(say, p, p < 7 ? 2 : 3));
  assert.equal(
    text(fenced(...all)),
    "Broker 1 is fenced. 12 partitions get new leaders: broker 2 (7) and broker 3 (5).",
  );
  assert.equal(
    text(
      fenced(
        (say) => moves(say, 0, 2),
        (say) => moves(say, 1, -1, []),
      ),
    ),
    "Broker 1 is fenced. orders-0 gets a new leader: broker 2; orders-1 has no leader.",
  );
  assert.equal(text(fenced((say) => moves(say, 3, -1, []))), "Broker 1 is fenced. orders-3 has no leader.");
  assert.match(text(fenced()), /^Broker 1 is fenced\. The controller|^Broker 1 is fenced\. It may/);
});

test("a fencing tells of the ISRs and leaders before the commits of its own instant", () => {
  const fenced = (...commits) => {
    const narrator = new Narrator(WORDS);
    narrator.seed(emptyView());
    const teller = new Teller();
    const isr = (t, leader, members) =>
      teller.say(t, KIND.PARTITION_CHANGED, {
        p: 0,
        leader,
        epoch: 0,
        pe: 1,
        reason: 1,
        election: 0,
        replicas: [1, 2, 3],
        isr: members,
      });
    isr(1e6, 2, [1, 2, 3]);
    teller.say(4e6, KIND.PROCESS_CHANGED, { node: 1, state: PROCESS.DOWN, left: 0 });
    for (const members of commits) isr(13e6, 2, members);
    teller.say(13e6, KIND.BROKER_REGISTRATION, { broker: 1, be: 1, state: REG.FENCED });
    narrator.take(teller.rows);
    return narrator.events.at(-1)?.caption?.rest;
  };
  assert.equal(fenced([2, 3]), "It led nothing; the ISRs that it was in go on without it.");
  assert.equal(fenced([2, 3], [2]), "It led nothing; the ISRs that it was in go on without it.");
});

test("many elections, lost leaders, ISR changes and losses are counted, their partitions named up to three", () => {
  const each = (leader, isr) =>
    told((say) => {
      for (let p = 0; p < 5; p++) moves(say, p, leader, isr);
    });
  assert.equal(text(each(2)), "5 partitions get new leaders. Broker 2 leads: orders-0, orders-1 and 3 more.");
  assert.equal(
    text(each(-1, [])),
    "5 partitions have no leader. orders-0, orders-1 and 3 more: neither written nor read.",
  );
  const lost = told((say) => {
    for (let p = 0; p < 4; p++) say(KIND.RECORDS_LOST, { p, base: 5, count: 10 + p, epoch: 0, acks: 1, client: 0 });
  });
  assert.equal(
    text(lost),
    "46 acknowledged records are gone. The logs of the leaders of orders-0, orders-1 and 2 more do not have them.",
  );
  assert.deepEqual(lost.changes, [{ name: "lost", from: "", to: "46 records" }]);
});

test("the partition that somebody looks at keeps its own caption", () => {
  const caption = told((say) => {
    for (let p = 0; p < 5; p++) moves(say, p, 2);
  }, 3);
  assert.equal(caption.lead, "Broker 2 is elected for orders-3.");
});

test("links that are cut together are counted once for both directions, and their common end is named", () => {
  const cut = (...ends) =>
    text(told((say) => ends.forEach(([src, dst]) => say(KIND.LINK_CHANGED, { src, dst, cut: 1 }))));
  assert.equal(
    cut([1, 2], [2, 1]),
    "1 link is cut. Between broker 1 and broker 2. Nothing tells either side; what was on the way is gone.",
  );
  assert.equal(
    cut([1, 2], [2, 1], [1, 3], [3, 1]),
    "2 links are cut. All of them are broker 1’s. Nothing tells either side; what was on the way is gone.",
  );
  assert.equal(cut([1, 2]), "Broker 1 cannot reach broker 2. Nothing tells either side; what was on the way is gone.");
});

test("a message taken in hand is called by its kind, ends and partition, never by a number", () => {
  const message = { msg: MSG.FETCH, src: 3, dst: 1, p: 0 };
  assert.equal(messageWords(message, WORDS), "the fetch of orders-0 from broker 3 to broker 1");
  assert.equal(
    messageWords({ msg: MSG.ALTER_PARTITION, src: 3, dst: 100, p: -1 }, WORDS),
    "the AlterPartition from broker 3 to controller 100",
  );
  const held = told((say) => {
    say(KIND.ACTION_DONE, { index: 0, text: "hold 221908" });
    say(KIND.MESSAGE_HANDLED, { flight: 221908, how: HAND.HOLDS, ...message });
  });
  assert.equal(text(held), "The fetch is held. orders-0, from broker 3 to broker 1. What is sent behind it waits too.");
});

test("Kafka's own topics are spoken of only where nothing else happens", () => {
  const words = { ...WORDS, partition: (p) => (p < 2 ? `orders-${p}` : `__consumer_offsets-${p}`) };
  const events = (...partitions) => {
    const narrator = new Narrator(words);
    narrator.seed({ ...emptyView(), partitions: Array.from({ length: 4 }, () => emptyView().partitions[0]) });
    const teller = new Teller();
    for (const p of partitions) moves((kind, values) => teller.say(5e6, kind, values), p, 2);
    narrator.take(teller.rows);
    return captionOf(narrator.events.filter((event) => event.caption).reverse(), words, -1)?.lead;
  };
  assert.equal(events(0, 2), "Broker 2 is elected for orders-0.");
  assert.equal(events(2), "Broker 2 is elected for __consumer_offsets-2.");
});

test("writes refused one after the other are one caption with their count", () => {
  const view = emptyView();
  view.partitions = Array.from({ length: 6 }, () => view.partitions[0]);
  const narrator = new Narrator(WORDS);
  narrator.seed(view);
  const teller = new Teller();
  for (let p = 0; p < 6; p++) teller.say(5e6 + p * 300_000, KIND.WRITE_FAILED, { client: 0, p, error: 19, ended: 0 });
  narrator.take(teller.rows);
  const at = (index) => text(captionOf(newestOf(narrator.events, index), WORDS, -1));
  assert.equal(
    at(0),
    "A write to orders-0 is refused. Fewer replicas are in sync than min.insync.replicas asks for; the producer " +
      "keeps trying.",
  );
  assert.equal(
    at(5),
    "4 partitions refuse writes. orders-2, orders-3 and 2 more: fewer replicas are in sync than min.insync.replicas " +
      "asks for.",
  );
});

test(
  "a request that waits at a broker is a caption: for half a minute nothing else would tell why nothing happens " +
    "(QUO-7)",
  () => {
    const waits = (broker, why) => {
      const narrator = new Narrator(WORDS);
      narrator.seed(emptyView());
      const teller = new Teller();
      teller.say(5e6, KIND.REQUEST_WAITS, { p: -1, broker, why, text: "min.insync.replicas=1" });
      narrator.take(teller.rows);
      return text(captionOf(narrator.events, WORDS, -1));
    };
    assert.equal(
      waits(2, 1),
      "min.insync.replicas=1 waits at broker 2: that broker is paused. It is carried out when that ends; after 30 s " +
        "the administrator's client asks another broker.",
    );
    assert.equal(
      waits(-1, 0),
      "min.insync.replicas=1 waits: no broker takes connections. The administrator's client tries again, for " +
        "a minute " +
        "at most.",
    );
  },
);

test("a setting that waits at a broker says whose it is", () => {
  const narrator = new Narrator(WORDS);
  narrator.seed(emptyView());
  const teller = new Teller();
  teller.say(5e6, KIND.ACTION_DONE, { index: 0, text: "config orders min.insync.replicas 1" });
  const cause = teller.rows[0][0];
  teller.say(5e6, KIND.REQUEST_WAITS, { p: -1, broker: 2, why: 1, text: "config min.insync.replicas=1" }, cause);
  narrator.take(teller.rows);
  assert.match(
    text(
      captionOf(
        narrator.events.filter((event) => event.caption),
        WORDS,
        -1,
      ),
    ),
    /^orders: min\.insync\.replicas = 1 waits at broker 2: that broker is paused\./,
  );
});

test("an event without a caption is told where time stands at it, and where nothing of its instant has one", () => {
  const event = (t, text, more = {}) => ({ t, text, minor: false, grave: false, caption: null, ...more });
  const events = [
    event(1, "Broker 1 is killed"),
    event(1, "Broker 1 dies", { caption: { lead: "Broker 1 dies.", rest: "" } }),
    event(2, "orders is now written with acks=0"),
    event(2, "orders-producer: acks=0"),
    event(2, "follows", { minor: true }),
    event(3, "only follows", { minor: true }),
  ];
  assert.equal(stoodAt(events, 4, 2)?.text, "orders is now written with acks=0");
  assert.equal(stoodAt(events, 4, 2.5), null, "time has gone on");
  assert.equal(stoodAt(events, 1, 1), null, "it has a caption");
  assert.equal(stoodAt(events, 5, 3), null);
  assert.equal(stoodAt([event(2, "a"), event(2, "b", { grave: true })], 1, 2)?.text, "b");
});

test("what a power loss takes from a log differs from nobody's history: the disk had not got it (LOG-8)", () => {
  const narrator = new Narrator(WORDS);
  narrator.seed(emptyView());
  const teller = new Teller();
  const seq = teller.say(15e6, KIND.ACTION_DONE, { index: 0, text: "power-loss 2" });
  teller.say(15e6, KIND.TRUNCATED, { broker: 2, p: 0, old: 40, new: 25, hw: 25 }, seq);
  narrator.take(teller.rows);
  const event = narrator.events.at(-1);
  assert.equal(event?.text, "orders-0: broker 2 loses 25–39, not flushed");
  assert.equal(event?.caption?.rest, "Offsets 25–39 of orders-0 were not flushed.");
});
