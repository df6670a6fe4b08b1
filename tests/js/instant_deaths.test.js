import assert from "node:assert/strict";
import { test } from "node:test";
import { ELECTION, KIND, PROCESS, REASON, REG } from "../../static/js/facts/facts.js";
import { captionOf } from "../../static/js/words/instant.js";
import { Narrator } from "../../static/js/words/narrate.js";
import { emptyView, Teller, WORDS } from "./generator.js";
import { LISTS, dies, moves, text, told } from "./instants.js";

test("a rack that is taken down names who dies with it, many by their number", () => {
  const controllers = { 100: { process: "running" }, 101: { process: "running" }, 102: { process: "running" } };
  const dark = (...nodes) =>
    text(
      told(
        (say) => {
          say(KIND.ACTION_DONE, { index: 0, text: "kill-rack az-a" });
          dies(say, ...nodes);
        },
        -1,
        { controllers },
      ),
    );
  assert.equal(
    dark(1, 4, 100),
    "az-a is down. Brokers 1 and 4 and controller 100 die at once; nobody has noticed yet.",
  );
  assert.equal(dark(1, 2, 3, 4, 5, 6), "az-a is down. 6 brokers die at once; nobody has noticed yet.");
  assert.equal(dark(1), "az-a is down. Broker 1 dies; nobody has noticed yet.");
});

test("a power that fails is told before the deaths that it means", () => {
  const cut = (what, ...nodes) =>
    text(
      told((say) => {
        say(KIND.ACTION_DONE, { index: 0, text: `power-loss ${what}` });
        dies(say, ...nodes);
      }),
    );
  assert.match(cut("all", 1, 2), /^The power of all brokers fails\./);
  assert.match(cut("2", 2), /^The power of broker 2 fails\. Records not yet on its disks are gone/);
  assert.match(cut("2 0", 2), /^Broker 2 goes dark\. No connection is closed: what is under way waits/);
  assert.equal(
    cut("az-a 0", 1, 4),
    "az-a goes dark. No connection is closed: what is under way waits for request.timeout.ms; disks keep what was " +
      "written.",
  );
  assert.match(cut("all 0", 1, 2), /^All brokers go dark\./);
  assert.equal(
    cut("az-a", 1, 4),
    "The power of az-a fails. Brokers 1 and 4 lose what their disks had not got yet; no connection is reset.",
  );
});

test("a rack that goes dark closes no connection, and its disks keep what was written", () => {
  const caption = text(
    told((say) => {
      say(KIND.ACTION_DONE, { index: 0, text: "power-loss az-a 0" });
      dies(say, 1, 4);
    }),
  );
  assert.match(caption, /^az-a goes dark\. /);
  assert.doesNotMatch(caption, /\blose\b/);
});

test("a commit that elected nobody is told as no election, whatever of the time before it is known", () => {
  const isr =
    (...of) =>
    (say) =>
      say(KIND.PARTITION_CHANGED, {
        p: 0,
        leader: 2,
        epoch: 3,
        pe: 9,
        reason: REASON.ALTER_PARTITION,
        election: ELECTION.NONE,
        ...LISTS,
        isr: of,
      });
  const narrator = new Narrator(WORDS);
  narrator.seed({ ...emptyView() }); // at the start broker 1 led; how broker 2 came to lead has not been loaded yet
  const teller = new Teller();
  isr(1, 2, 3)((kind, values) => teller.say(5e6, kind, values));
  narrator.take(teller.rows);
  const [event] = narrator.events;
  assert.deepEqual([event?.text, event?.marker, event?.caption], ["orders-0: ISR is 1,2,3", "", null]);
});

test("several deaths at once are one caption, one death keeps its own", () => {
  assert.equal(told((say) => dies(say, 1, 2)).lead, "Brokers 1 and 2 die.");
  assert.equal(told((say) => dies(say, 1)).lead, "Broker 1 dies.");
});

test("who dies while no controller is active is missed by nobody (QUO-6)", () => {
  const controllers = Object.fromEntries([100, 101, 102].map((id) => [id, { process: "running" }]));
  const after = (active, tell) => text(told(tell, -1, { active, controllers }));
  assert.equal(
    after(101, (say) => dies(say, 1)),
    "Broker 1 dies. Nobody has noticed yet: its controller session still runs.",
  );
  assert.equal(
    after(-1, (say) => dies(say, 1)),
    "Broker 1 dies. No controller is active: nobody notices, and nobody is elected.",
  );
  assert.equal(
    after(-1, (say) => dies(say, 1, 2)),
    "Brokers 1 and 2 die. No controller is active: nobody notices, and nobody is elected.",
  );
  assert.equal(
    after(101, (say) => dies(say, 102)),
    "Controller 102 dies. The quorum goes on as long as most controllers live.",
  );
  assert.equal(
    after(101, (say) => dies(say, 101)),
    "Controller 101 dies. It was the active one; the others elect another.",
  );
  const second = (say) => {
    dies(say, 101);
    say(KIND.CONTROLLER_CHANGED, { controller: -1, epoch: 1 });
  };
  assert.equal(
    text(told(second, -1, { active: 101, controllers: { ...controllers, 102: { process: "down" } } })),
    "Controller 101 dies. Most controllers are down: metadata cannot change until they are back.",
  );
  const dark = (say) => {
    say(KIND.ACTION_DONE, { index: 0, text: "kill-rack az-a" });
    dies(say, 1, 101, 102);
  };
  assert.equal(
    after(100, dark),
    "az-a is down. Broker 1 and controllers 101 and 102 die at once. Most controllers are down: metadata cannot " +
      "change until they are back.",
  );
});

test("brokers that die with their controllers are missed by nobody, in whatever order they die", () => {
  const controllers = Object.fromEntries([100, 101, 102].map((id) => [id, { process: "running" }]));
  const after = (...nodes) => text(told((say) => dies(say, ...nodes), -1, { active: 101, controllers }));
  const all = "All controllers are down too: nobody notices, and nobody is elected.";
  assert.equal(after(1, 2, 3, 100, 101, 102), `Brokers 1, 2 and 3 and controllers 100, 101 and 102 die. ${all}`);
  assert.equal(after(100, 101, 102, 1), `Broker 1 and controllers 100, 101 and 102 die. ${all}`);
  assert.equal(
    after(1, 2, 100, 101),
    "Brokers 1 and 2 and controllers 100 and 101 die. Most controllers are down too: nobody notices, and nobody is " +
      "elected.",
  );
  assert.match(after(1, 2, 100), /Nobody has noticed yet: their controller sessions still run\.$/);
  assert.match(after(100, 101, 102), /All controllers are down: metadata cannot change until most of them are back\.$/);
});

test("a broker that dies when it was fenced already is missed by nobody", () => {
  const fenced = (say, ...ids) =>
    ids.forEach((broker) => say(KIND.BROKER_REGISTRATION, { broker, be: 1, state: REG.FENCED }));
  const last = (tell) => {
    const narrator = new Narrator(WORDS);
    narrator.seed(emptyView());
    const teller = new Teller();
    tell((kind, values) => teller.say(5e6, kind, values));
    narrator.take(teller.rows);
    return text(captionOf(narrator.events.filter((event) => event.part === "death").reverse(), WORDS, -1));
  };
  assert.equal(
    last((say) => {
      fenced(say, 1);
      dies(say, 1);
    }),
    "Broker 1 dies. It was fenced already: nobody leads or waits for it any more.",
  );
  assert.equal(
    last((say) => {
      fenced(say, 1, 2);
      dies(say, 1, 2);
    }),
    "Brokers 1 and 2 die. They were fenced already: nobody leads or waits for them any more.",
  );
  assert.equal(
    last((say) => {
      fenced(say, 1);
      dies(say, 1, 2);
    }),
    "Brokers 1 and 2 die. Nobody has noticed yet: their controller sessions still run.",
  );
});

test(
  "while a restarted process asks to be registered, the end of its old session is a fencing, its new broker " +
    "epoch a registration",
  () => {
    const narrator = new Narrator(WORDS);
    narrator.seed(emptyView());
    const teller = new Teller();
    teller.say(4e6, KIND.PROCESS_CHANGED, { node: 1, state: PROCESS.REGISTERING });
    const be = emptyView().brokers[1].be;
    teller.say(5e6, KIND.BROKER_REGISTRATION, { broker: 1, be, state: REG.FENCED });
    teller.say(6e6, KIND.BROKER_REGISTRATION, { broker: 1, be: be + 7, state: REG.FENCED });
    narrator.take(teller.rows);
    assert.deepEqual(
      narrator.events.slice(-2).map((event) => event.text),
      ["Controller fences broker 1", "Controller registers broker 1, fenced until it has caught up"],
    );
  },
);

test(
  "what follows is told by what there is: a fenced broker that led nothing, a link of a client, a stop without a " +
    "controller",
  () => {
    const fences = (say) => say(KIND.BROKER_REGISTRATION, { broker: 3, be: 1, state: REG.FENCED });
    const dead = (partition) => {
      const start = emptyView();
      start.brokers[3].process = "down";
      start.partitions[0] = { ...start.partitions[0], ...partition };
      const narrator = new Narrator(WORDS);
      narrator.seed(start);
      const teller = new Teller();
      teller.say(5e6, KIND.PROCESS_CHANGED, { node: 3, state: PROCESS.DOWN });
      fences((kind, values) => teller.say(14e6, kind, values));
      narrator.take(teller.rows);
      return narrator.events.at(-1)?.caption?.rest;
    };
    assert.equal(dead({ leader: 3 }), "The controller picks new leaders from the replicas still in sync.");
    assert.equal(dead({ leader: 1 }), "It led nothing; the ISRs that it was in go on without it.");
    assert.equal(dead({ leader: 1, isr: [1, 2] }), "It led nothing and was in no ISR: nothing else changes.");
    const heals = (...pairs) =>
      text(told((say) => pairs.forEach(([src, dst]) => say(KIND.LINK_CHANGED, { src, dst, cut: 0, slow_us: 0 }))));
    assert.match(heals([-1, 1]), /Requests between them go on\.$/);
    assert.match(heals([-1, 1], [1, -1], [-1, 2], [2, -1]), /Requests go on\.$/);
    assert.match(heals([1, 2], [2, 1]), /Fetches and heartbeats/);
    const stops = (active) =>
      text(told((say) => say(KIND.PROCESS_CHANGED, { node: 1, state: PROCESS.STOPPING }), -1, { active }));
    assert.equal(stops(100), "Broker 1 shuts down. It first hands its leaderships over, then leaves.");
    assert.equal(
      stops(-1),
      "Broker 1 shuts down. No controller is active: it waits for one that moves its leaderships.",
    );
  },
);

test("an election that the next fencing of the same instant undoes is not told", () => {
  const both = text(
    told((say) => {
      say(KIND.BROKER_REGISTRATION, { broker: 2, be: 1, state: REG.FENCED });
      moves(say, 0, 3);
      moves(say, 1, 3);
      say(KIND.BROKER_REGISTRATION, { broker: 3, be: 1, state: REG.FENCED });
      moves(say, 0, -1, []);
      moves(say, 1, -1, []);
    }),
  );
  assert.equal(both, "Brokers 2 and 3 are fenced. 2 partitions have no leader.");
});

test("a new disk is no truncation", () => {
  const narrator = new Narrator(WORDS);
  narrator.seed(emptyView());
  const teller = new Teller();
  const cause = teller.say(5e6, KIND.ACTION_DONE, { index: 0, text: "start 1 empty" });
  teller.say(5e6, KIND.TRUNCATED, { broker: 1, p: 0, old: 7, new: 0, hw: 0 }, cause);
  narrator.take(teller.rows);
  assert.equal(narrator.events.at(-1)?.text, "orders-0: broker 1's new disk has none of 0–6");
});

test("a new disk of the last replica in sync is fetched from nobody", () => {
  const emptied = (start) => {
    const narrator = new Narrator(WORDS);
    const view = emptyView();
    Object.assign(view.partitions[0], start);
    narrator.seed(view);
    const teller = new Teller();
    const cause = teller.say(5e6, KIND.ACTION_DONE, { index: 0, text: "start 1 empty" });
    teller.say(5e6, KIND.TRUNCATED, { broker: 1, p: 0, old: 7, new: 0, hw: 0 }, cause);
    narrator.take(teller.rows);
    return narrator.events.at(-1)?.caption?.rest;
  };
  const fetched = "Its copy of orders-0 is gone with the old one; it fetches what the leader has.";
  assert.equal(emptied({ leader: 2, isr: [2, 3] }), fetched);
  assert.equal(emptied({ leader: 1, isr: [1, 3] }), fetched);
  const gone = "Its copy of orders-0 is gone with the old one; nobody in sync is left to fetch it from.";
  assert.equal(emptied({ leader: 1, isr: [1] }), gone);
  assert.equal(emptied({ leader: -1, isr: [] }), gone);
});
