import assert from "node:assert/strict";
import { test } from "node:test";
import {
  baselineOf,
  deathWindow,
  durationUs,
  seedRange,
  startingForm,
  toBody,
  rackChoices,
  toggled,
  us,
  withFault,
  withHorizon,
  withSeveral,
} from "../../static/js/whatif/form.js";
import { luckText } from "../../static/js/whatif/luck.js";
import { clearPairs } from "../../static/js/whatif/pairs.js";
import { panelsOf } from "../../static/js/whatif/panels.js";
import { groupsOf, hasMoves, hasParts, hasSites } from "../../static/js/whatif/sitefigures.js";
import { labelled, ticksAround } from "../../static/js/whatif/axes.js";
import {
  emptyTitle,
  firstLook,
  interval,
  keptWords,
  millis,
  pagerRow,
  percent,
  progress,
  records,
  restedWords,
  running,
  seconds,
  seenFromLoss,
  signed,
  span,
  timeLabel,
} from "../../static/js/whatif/words.js";

const START = {
  doc: "abc",
  from: "",
  title: "Sandbox",
  topics: ["orders", "payments"],
  racks: ["az-a", "az-b"],
  largest_rf: 3,
  horizon: "1m",
  chosen: null,
};

test("a share is never shown as 0.0 % when something happened", () => {
  assert.equal(percent(0), "0 %");
  assert.equal(percent(0.0004), "< 0.1 %");
  assert.equal(percent(0.064), "6.4 %");
  assert.equal(percent(1999 / 2000), "> 99.9 %");
  assert.equal(percent(1), "100 %");
  assert.equal(signed(-0.0004, percent), "< −0.1 %");
});

test("an interval names its unit once", () => {
  assert.equal(interval([0.868, 0.836, 0.895], percent), "83.6–89.5 %");
  assert.equal(interval([9, 8.96, 9.04], seconds), "9.0 s");
  assert.equal(interval([900, 800, 1200], millis), "800 ms–1.20 s");
  assert.equal(interval([1, null, null], seconds), "too few runs");
});

test("an experiment that waits for a worker is not said to run", () => {
  assert.deepEqual(
    ["queued", "running", "cancelling", "done"].map((state) => timeLabel({ state, runs_done: 3 })),
    ["Since its start", "Running for", "Running for", "Took on Spark"],
  );
  assert.equal(timeLabel({ state: "queued", runs_done: 0 }), "Waiting for");
  assert.equal(timeLabel({ state: "failed", runs_done: 0 }), "Ended after");
});

test("an experiment that failed before a row has its cause for a title", () => {
  const error = "Python 3.12 is there, Highwater has 3.11. Every machine needs it.";
  assert.equal(emptyTitle({ state: "failed", runs_done: 0, error }), "Python 3.12 is there, Highwater has 3.11.");
  assert.equal(emptyTitle({ state: "cancelled", runs_done: 0, error: "" }), "No run was kept.");
  assert.equal(emptyTitle({ state: "failed", runs_done: 3, error }), "");
  assert.equal(emptyTitle({ state: "running", runs_done: 0, error: "" }), "");
});

test("a difference carries its sign, and none when it rounds to nothing", () => {
  assert.equal(signed(-0.736, percent), "−73.6 %");
  assert.equal(signed(0.2, seconds), "+0.2 s");
  assert.equal(signed(0.01, seconds), "0.0 s");
  assert.equal(signed(-3, records), "−3.0");
});

test("long times are given in minutes and hours", () => {
  assert.equal(seconds(9.14), "9.1 s");
  assert.equal(seconds(132), "2 min 12 s");
  assert.equal(seconds(240000), "66 h 40 min");
});

test("labels of an axis never touch: on a narrow one some ticks go", () => {
  const ticks = [1, 3, 10, 30, 100, 300, 1000];
  assert.deepEqual(
    labelled(ticks, (v) => 200 * Math.log10(v), String),
    ticks,
  );
  assert.deepEqual(
    labelled(ticks, (v) => 40 * Math.log10(v), String),
    [1, 10, 1000],
  ); // its ends take their width inwards
});

test("the time left follows the pace since the first look", () => {
  assert.equal(progress(812, 2000, 400, 20), "812 of 2,000 runs, about 59 s left");
  assert.equal(progress(10, 2000, 0, 20), "10 of 2,000 runs");
});

test("what was finished before the newest start is no pace of what is done since", () => {
  const one = firstLook(null, { turn: 3, claims: 1, runs_done: 4, seconds: 10 });
  assert.equal(firstLook(one, { turn: 3, claims: 1, runs_done: 9, seconds: 12 }), one);
  for (const claims of [1, 2]) {
    const two = firstLook(one, { turn: 5, claims, runs_done: 20, seconds: 20 });
    const counted = firstLook(two, { turn: 5, claims, runs_done: 24, seconds: 22 });
    assert.deepEqual([counted.runs_done, counted.seconds], [24, 22]);
    const starting = firstLook(counted, { turn: 5, claims, runs_done: 24, seconds: 36 });
    assert.equal(starting.seconds, 36, "Spark starts");
    assert.equal(firstLook(starting, { turn: 5, claims, runs_done: 30, seconds: 37 }), starting);
  }
});

test("an experiment that waits says what it waits for", () => {
  const status = { state: "queued", stage: "turn", runs: 40, runs_done: 0, seconds: 3, claims: 0 };
  const first = { runs_done: 0, seconds: 0 };
  const words = (/** @type {number} */ now, /** @type {number} */ ahead) =>
    running({ ...status, running: now, ahead }, first);
  assert.equal(words(0, 0), "Waiting for its turn: it is next.");
  assert.equal(words(2, 0), "Waiting for its turn: 2 experiments run, and it is next.");
  assert.equal(words(2, 1), "Waiting for its turn: 2 experiments run and 1 waits before it.");
  assert.equal(words(0, 1), "Waiting for its turn: 1 experiment waits before it.");
  const paused = { ...status, runs_done: 24, running: 1, ahead: 0 };
  assert.equal(running(paused, first), "24 of 40 runs. Waiting for its turn: 1 experiment runs, and it is next.");
  assert.equal(
    running({ ...paused, stage: "worker" }, first),
    "24 of 40 runs. Waiting for a worker process of Highwater.",
  );
});

test("no time is foretold while nobody works on an experiment", () => {
  const [status, first] = [
    { state: "running", stage: "runs", running: 0, ahead: 0, runs: 300, runs_done: 131, seconds: 30, claims: 1 },
    { runs_done: 1, seconds: 10 },
  ];
  assert.equal(running(status, first), "131 of 300 runs, about 26 s left");
  const fewer = { ...status, note: "1 of 2 executors work." };
  assert.equal(running(fewer, first), "131 of 300 runs, about 26 s left");
  assert.equal(
    running({ ...status, stage: "worker" }, first),
    "131 of 300 runs. Waiting for a worker process of Highwater.",
  );
  assert.equal(
    running({ ...status, stage: "executors" }, first),
    "131 of 300 runs. Waiting for executors of the cluster.",
  );
  assert.equal(
    running({ ...status, claims: 2 }, { runs_done: 131, seconds: 29 }),
    "131 of 300 runs. Its worker process ended; another one goes on from there.",
  );
  assert.equal(
    running({ ...status, claims: 2, stage: "spark" }, { runs_done: 131, seconds: 29 }),
    "131 of 300 runs. Its worker process ended; another one goes on from there. Starting Spark.",
  );
  assert.equal(running({ ...status, stage: "space" }, first), "131 of 300 runs. Waiting for space on the disk.");
  assert.equal(
    running({ ...status, runs_done: 151, seconds: 40, claims: 2 }, { runs_done: 131, seconds: 30 }),
    "151 of 300 runs, about 75 s left",
  );
});

test("before the first row the page names what is done or waited for", () => {
  const status = { state: "running", stage: "", running: 0, ahead: 0, runs: 8, runs_done: 0, seconds: 3, claims: 1 };
  const words = {
    worker: "Waiting for a worker process of Highwater.",
    results: "Opening its results.",
    spark: "Starting Spark.",
    cluster: "Starting Spark and connecting to the cluster.",
    executors: "Waiting for executors of the cluster.",
    engine: "The executors fetch the engine and compute the first runs.",
    runs: "Computing the first runs.",
    space: "Waiting for space on the disk.",
    storage: "Waiting until its data can be stored.",
    figures: "Computing the figures of all runs.",
  };
  for (const [stage, told] of Object.entries(words))
    assert.equal(running({ ...status, stage }, { runs_done: 0, seconds: 0 }), told);
  const after = { ...status, stage: "figures", runs_done: 8 };
  assert.equal(running(after, { runs_done: 1, seconds: 0 }), "8 of 8 runs. Computing the figures of all runs.");
  assert.equal(
    running({ ...after, stage: "worker", claims: 2 }, { runs_done: 8, seconds: 0 }),
    "8 of 8 runs. Waiting for a worker process of Highwater.",
  );
});

test("of runs closed at rest the page says which runs tell the latencies", () => {
  const result = { rested: 400, rows: 500, variants: [{ whole_runs: 20 }, { whole_runs: 0 }] };
  assert.match(restedWords(result), /^400 of 500 runs were closed before the horizon, at rest: /);
  assert.match(
    restedWords(result),
    /Latencies are those of the first 20 seeds of each configuration, which ran to the/,
  );
});

test("a figure that no configuration has gets no axis", () => {
  const none = /** @type {any} */ ([null, null, null]);
  const one = { letter: "A", loses: [0, 0, 1], lost_median: none, down: [1, 1, 1], latency_p50: none };
  const other = { ...one, latency_p50: [3, 2, 4] };
  const shown = (/** @type {any[]} */ variants) => panelsOf({ variants }).map(({ key }) => key);
  assert.deepEqual(shown([one]), ["loses", "down"]);
  assert.deepEqual(shown([one, other]), ["loses", "down", "latency_p50"]);
});

test("the builder starts with acks=1 against acks=all while a rack dies", () => {
  const body = toBody(startingForm(START), START);
  assert.deepEqual(body.axes.acks, ["1", "all"]);
  assert.deepEqual(body.axes.fault, [{ kind: "rack", rack: "az-a", from: "5s", to: "15s", back: "" }]);
  assert.equal(body.horizon, "1m");
});

test("the default death of a rack lies inside a run of any length", () => {
  for (const horizon of ["1s", "1500ms", "8s", "15s", "1m", "30m"]) {
    const { rack_from: from, rack_to: to } = deathWindow(horizon);
    assert.ok(
      0 < durationUs(from) && durationUs(from) < durationUs(to) && durationUs(to) < durationUs(horizon),
      horizon,
    );
  }
  assert.deepEqual(deathWindow("15s"), { rack_from: "3750ms", rack_to: "7500ms" });
});

test("the window follows the horizon until somebody changes it", () => {
  const form = startingForm(START);
  assert.deepEqual(withHorizon(form, "10s"), { horizon: "10s", left_out: [], rack_from: "2500ms", rack_to: "5s" });
  assert.deepEqual(withHorizon(form, "10"), { horizon: "10", left_out: [] });
  assert.deepEqual(withHorizon({ ...form, rack_from: "6s", window_set: true }, "10s"), {
    horizon: "10s",
    left_out: [],
  });
});

test("the seeds of an experiment are a range, and it can begin behind those of an earlier one", () => {
  assert.equal(seedRange({ first_seed: "1", seeds: "200" }), "1 to 200");
  assert.equal(seedRange({ first_seed: "201", seeds: "2,000" }), "201 to 2,200");
  assert.equal(seedRange({ first_seed: "x", seeds: "200" }), "");
  const form = { ...startingForm({ ...START, latency: "1ms", first_seed: 1 }), first_seed: "201" };
  assert.deepEqual([toBody(form, START).first_seed, toBody(form, START).latency], ["201", "1ms"]);
});

test("the rack that the server names is the one that dies", () => {
  assert.equal(
    toBody(startingForm({ ...START, racks: ["az-a", "az-b"], rack: "az-b" }), START).axes.fault[0].rack,
    "az-b",
  );
});

test("a cluster without racks starts with what happens in the run", () => {
  const body = toBody(startingForm({ ...START, racks: [] }), START);
  assert.deepEqual(body.axes.fault, [{ kind: "as-is" }]);
});

test("an earlier experiment comes back as it was sent", () => {
  const fault = { kind: "rates", mttf_us: 90e6, mttr_us: 1500e3 };
  const chosen = {
    axes: { acks: ["0"], lag_ms: [10000, 30000], fault: [fault] },
    topics: ["orders"],
    seeds: 40,
    horizon: "20s",
    baseline: { acks: "0" },
    title: "Again",
  };
  const body = toBody(startingForm({ ...START, chosen }), START);
  assert.deepEqual(body.axes, {
    acks: ["0"],
    min_isr: [],
    unclean: [],
    rf: [],
    kafka: [],
    lag_ms: [10000, 30000],
    load: [],
    fault: [{ kind: "rates", mttf: "90s", mttr: "1500ms" }],
  });
  assert.deepEqual(
    [body.seeds, body.horizon, body.baseline, body.title, body.topics],
    ["40", "20s", { acks: "0" }, "Again", ["orders"]],
  );
});

test("the chosen baseline stays marked before the server has answered, and whatever its letter", () => {
  const told = {
    baseline: "A",
    variants: [
      { letter: "A", settings: [{ acks: "1", rf: 2 }] },
      {
        letter: "B",
        settings: [
          { acks: "all", rf: 2 },
          { acks: "all", rf: 3 },
        ],
      },
    ],
  };
  assert.equal(baselineOf({ baseline: null }, told), "A");
  assert.equal(baselineOf({ baseline: { rf: 3, acks: "all" } }, told), "B");
  assert.equal(baselineOf({ baseline: { acks: "0" } }, { ...told, baseline: "B" }), "B");
  assert.equal(baselineOf({ baseline: { acks: "0" } }, { baseline: "A" }), "A");
});

test("one failure is chosen unless several are to be compared", () => {
  const form = startingForm(START);
  const random = { ...form, ...withFault(form, "rates_on", true) };
  assert.deepEqual([random.rack_on, random.rates_on], [false, true]);
  const several = { ...form, ...withSeveral(form) };
  const both = { ...several, ...withFault(several, "rates_on", true) };
  assert.deepEqual(
    toBody(both, START).axes.fault.map((/** @type {any} */ fault) => fault.kind),
    ["rack", "rates"],
  );
  const again = { ...both, ...withSeveral(both) };
  assert.deepEqual([again.several, again.rack_on, again.rates_on], [false, true, false]);
});

test("a failure is sent with what happens and comes back as it was sent", () => {
  const fault = { kind: "broker", broker: "any", how: "pause", from_us: 2e6, to_us: 9e6, back_us: 3e6 };
  const chosen = { axes: { fault: [fault] }, topics: ["orders"], seeds: 40, horizon: "20s", baseline: null, title: "" };
  const form = startingForm({ ...START, chosen });
  assert.deepEqual([form.broker_on, form.rack_on, form.several], [true, false, false]);
  assert.deepEqual(toBody(form, START).axes.fault, [
    { kind: "broker", broker: "any", how: "pause", from: "2s", to: "9s", back: "3s" },
  ]);
  const power = { ...startingForm(START), rack: "az-a,az-b", rack_how: "power" };
  assert.equal(toBody(power, START).axes.fault[0].how, "power");
});

test("a rack, any rack and each two racks can be struck", () => {
  assert.deepEqual(rackChoices(["a"]), [["a", "a"]]);
  assert.deepEqual(
    rackChoices(["a", "b", "c"]).map(([value]) => value),
    ["a", "b", "c", "any", "a,b", "a,c", "b,c"],
  );
});

test("several mean times to failure make several faults", () => {
  const form = { ...startingForm(START), rack_on: false, rates_on: true, mttf: "1m, 5m" };
  assert.deepEqual(toBody(form, START).axes.fault, [
    { kind: "rates", mttf: "1m", mttr: "10s" },
    { kind: "rates", mttf: "5m", mttr: "10s" },
  ]);
});

test("chosen values keep the order of the axis", () => {
  assert.deepEqual(toggled(["all"], "0", ["0", "1", "all"]), ["0", "all"]);
  assert.deepEqual(toggled(["0", "all"], "0", ["0", "1", "all"]), ["all"]);
  assert.equal(us(250), "250us");
});

test("an estimate is a figure with its range, no finer than it can be", () => {
  assert.equal(span(32, 16.2, 57), "about 35 s (20 to 60 s)");
  assert.equal(span(150, 100, 230), "about 3 min (2 to 4 min)");
  assert.equal(span(40, 36, 44), "about 40 s (40 to 45 s)");
  assert.equal(span(120, 50, 300), "about 2 min (50 s to 5 min)");
  assert.equal(span(3900, 3700, 7300), "about 1 h 5 min (1 h 2 min to 2 h 2 min)");
  assert.equal(span(1.5, 1, 2), "about 5 s");
});

test("what a cancelled experiment keeps is told in seeds of each configuration and in runs", () => {
  assert.equal(
    keptWords(80, 200, 4),
    "In the table: 20 of 200 seeds, each under all 4 configurations, that is 80 of 800 runs.",
  );
  assert.equal(
    keptWords(2_600, 2_000, 2),
    "In the table: 1,300 of 2,000 seeds, each under both configurations, that is 2,600 of 4,000 runs.",
  );
  assert.equal(keptWords(7, 20, 1), "In the table: 7 of 20 seeds, that is 7 of 20 runs.");
  assert.equal(keptWords(0, 20, 2), "Nothing is kept: no seed was computed under both configurations yet.");
});

test("only configurations that were to meet the baseline's failures are said to have met them", () => {
  const [a, b, c, d] = ["x", "x", "y", "y"].map((fault, i) => ({ letter: "ABCD"[i] ?? "", fault }));
  assert.equal(
    luckText([a, b], "A"),
    "Seed by seed: each configuration met the same failures at the same moments as A.",
  );
  assert.equal(
    luckText([a, b, c, d], "A"),
    "Seed by seed: configurations with the failures of A met them at the same moments. C and D met other failures " +
      "than A: what differs there is the failures too.",
  );
  assert.equal(luckText([a, c], "A"), "C met other failures than A: what differs there is the failures too.");
});

const TWO = {
  ...START,
  racks: ["east/az-a"],
  latency: null,
  sites: [
    { name: "west", lost: "", back: "" },
    { name: "east", lost: "30s", back: "20s" },
  ],
  mirrors: { wan: "20ms", syncs_groups: true },
};

test("a run with MirrorMaker begins with two intervals of checkpoints, and its own loss up to 30 s earlier", () => {
  const form = startingForm(TWO);
  assert.deepEqual(
    [form.acks, form.checkpoints_s, form.as_is, form.rack_on, form.site_on],
    [[], "5, 60", true, false, false],
  );
  assert.deepEqual([form.site, form.site_from, form.site_to, form.site_back], ["east", "15s", "30s", "20s"]);
  const body = toBody({ ...form, wan: "5ms, 80ms", offset_lag: "0, many", site_on: true }, TWO);
  assert.deepEqual(body.axes.wan_us, ["5ms", "80ms"]);
  assert.deepEqual([body.axes.checkpoints_s, body.axes.offset_lag, body.latency], [[5, 60], [0, "many"], null]);
  assert.deepEqual(body.axes.fault, [
    { kind: "as-is" },
    { kind: "site", site: "east", from: "15s", to: "30s", back: "20s" },
  ]);
});

test("an earlier experiment with MirrorMaker is edited with the values that it had", () => {
  const fault = [{ kind: "site", site: "west", from_us: 5e6, to_us: 9e6, back_us: null }];
  const form = startingForm({
    ...TWO,
    chosen: {
      axes: { wan_us: [5000, 200_000], flush_ms: [1000], fault },
      topics: [],
      seeds: 3,
      horizon: "1m",
      baseline: {},
    },
  });
  assert.deepEqual([form.wan, form.flush_ms, form.checkpoints_s], ["5ms, 200ms", "1000", ""]);
  assert.deepEqual(
    [form.as_is, form.site_on, form.site, form.site_from, form.site_to, form.site_back],
    [false, true, "west", "5s", "9s", ""],
  );
});

test("a run of one cluster sends no axis of MirrorMaker", () => {
  assert.deepEqual(Object.keys(toBody(startingForm(START), START).axes), [
    "acks",
    "min_isr",
    "unclean",
    "rf",
    "kafka",
    "lag_ms",
    "load",
    "fault",
  ]);
});

test("figures of clusters stand below failover, flow, group and cluster; earlier results have none", () => {
  const part = (
    /** @type {string} */ kind,
    /** @type {string} */ of,
    /** @type {string} */ figure,
    /** @type {number} */ value,
  ) => ({ kind, of, figure, median: [value, null, null] });
  const sites = { rpo_records: [3, 1, 4], rpo: [0.1, 0, 1], rto: [9, 8, 10], failovers: 2, over: 2 };
  const a = {
    letter: "A",
    runs: 2,
    sites,
    loses: [0, 0, 1],
    parts: [part("flow", "east->west", "not_mirrored", 3), part("cluster", "east", "write_down_client_us", 2)],
  };
  const b = {
    letter: "B",
    runs: 2,
    sites: null,
    loses: [0, 0, 1],
    parts: [part("cluster", "east", "write_down_client_us", 5)],
  };
  assert.deepEqual(
    groupsOf([a, b]).map(({ head, lines }) => [head, lines.map(({ values }) => values.map((value) => value?.[0]))]),
    [
      [
        "Failover",
        [
          [3, undefined],
          [0.1, undefined],
          [9, undefined],
        ],
      ],
      ["Flow east->west", [[3, undefined]]],
      ["Cluster east", [[2, 5]]],
    ],
  );
  const result = { variants: [a, b] };
  assert.deepEqual([hasSites(result), hasMoves(result), hasParts(result)], [true, true, true]);
  assert.deepEqual(
    panelsOf(result).map(({ key }) => key),
    ["loses", "rpo_records", "rto"],
  );
  const earlier = { variants: [{ letter: "A", loses: [0, 0, 1], lost_median: [null, null, null], down: [1, 1, 1] }] };
  assert.deepEqual([hasSites(earlier), hasMoves(earlier), hasParts(earlier)], [false, false, false]);
  assert.deepEqual(
    panelsOf(earlier).map(({ key }) => key),
    ["loses", "down"],
  );
  assert.deepEqual(hasSites(null), false);
});

test("minutes around a loss have equal round ticks, 0 among them", () => {
  assert.deepEqual(ticksAround([-6, 2], 6), [-6, -4, -2, 0, 2]);
  assert.deepEqual(ticksAround([3, 5], 6), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(ticksAround([-0.4], 6), [-0.4, -0.3, -0.2, -0.1, 0]);
  assert.deepEqual(ticksAround([0], 6), [0, 0.2]);
});

test("an alert is before, at or after the loss", () => {
  assert.equal(seenFromLoss(-190 / 60), "3 min 10 s before the loss");
  assert.equal(seenFromLoss(0), "at the loss");
  assert.equal(seenFromLoss(0.5), "30.0 s after the loss");
});

test("a configuration's pager is a share with its interval, a median and the runs without an alert", () => {
  const pager = { losing: 8, in_time: 4, silent: 3, warned: [0.5, 0.2, 0.8], warning: [3, null, null] };
  assert.deepEqual(pagerRow({ letter: "A", pager }), ["A", "8", "50.0 % (20.0–80.0 %)", "3 min", "3"]);
  const late = { ...pager, in_time: 0, warned: [0, 0, 0.3] };
  assert.deepEqual(pagerRow({ letter: "B", pager: late })[3], "none");
});

test("clear differences between two others have rows", () => {
  const pair = (/** @type {string} */ letter, /** @type {string} */ other, /** @type {boolean} */ isClear) => ({
    letter,
    other,
    seeds: 12,
    down: { is_clear: isClear },
  });
  const comparisons = [pair("A", "B", true), pair("B", "C", true), pair("B", "D", false), pair("C", "D", true)];
  assert.deepEqual(clearPairs({ comparisons, baseline: "A" }), [
    { base: "C", shown: [comparisons[1]] },
    { base: "D", shown: [comparisons[3]] },
  ]);
});
