"""Run a document: its verdict, its facts, its metrics, the fate of each record, or its end as a describe listing."""

import argparse
import json
from collections.abc import Callable
from typing import Any, Final

from simengine.commands.shared.command_document import parser_for, read
from simengine.commands.shared.fact_text import CHOICES, DECISIVE, fact_lines
from simengine.explain.fact_index import FactIndex
from simengine.explain.reader_waits import reader_words
from simengine.explain.refusals import refusal_line, refusals
from simengine.kernel.titles import partition_title
from simengine.questions.listing import listing
from simengine.scenario.not_simulated import not_simulated
from simengine.verdict.moment_words import moment_words
from simengine.verdict.outage import THETA_US
from simengine.words.phrases import plural, seconds
from simengine.world.cluster_parts import OFFSETS_TOPIC
from simengine.world.world import World, build

FATES: Final = {
    "acked": "acknowledged",
    "lost": "of them lost",
    "duplicated": "duplicated",
    "hidden": "hidden",
    "refused": "refused",
    "unknown": "unknown",
    "unknown_written": "of them written",
    "phantoms": "read, then lost",
}
RARE_FATES: Final = {
    "undetermined": "acknowledged and undecided until a leader is elected",
    "stranded": "of them only on brokers that are dead or cut off",
    "handed_over": "handed over (acks=0)",
    "vanished": "of them vanished",
    "unread": "of them not readable yet",
    "open": "not answered yet",
    "skipped": "skipped by readers",
}
ALSO_MAX: Final = 3  # other causes of a loss that are told one by one
OFFSETS_NOTE: Final = (
    f"{OFFSETS_TOPIC} has one partition here, where Kafka makes 50: "
    "gauges that count partitions are lower by the others."
)


def main(argv: list[str]) -> int:
    """Runs one file ("-": standard input). Returns 0, or 1 when the document cannot be used."""
    options = _parser().parse_args(argv)
    given = read(options, takes_several=True)
    if given is None:
        return 1
    document, until_us = given
    world = build(document)
    if options.facts:
        for line in fact_lines(world, until_us, options.facts, as_json=options.json):
            print(line)
        return 0
    world.run(until_us)
    if options.metrics is not None:
        rows = [row for row in world.metrics() if options.metrics.lower() in str(row["name"]).lower()]
        print(json.dumps(rows) if options.json else "\n".join(metric_lines(rows, world.called)))
        if not options.json and has_one_offsets_partition(world):
            print(OFFSETS_NOTE)
        return 0
    if options.describe:
        print(listing(world, document), end="")
        return 0
    if options.records:
        for row in world.record_fates():
            print(json.dumps(row) if options.json else record_line(world, row))
        return 0
    print(json.dumps(outcome(world), ensure_ascii=False) if options.json else "\n".join(verdict_lines(world)))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = parser_for("run", __doc__, "how long to run")
    parser.add_argument(
        "--facts",
        nargs="?",
        const=DECISIVE,
        choices=CHOICES,
        help="print facts: what decides (without the verdict's figures), those figures, or all with the traffic",
    )
    parser.add_argument(
        "--metrics",
        nargs="?",
        const="",
        metavar="WORD",
        help="print what JMX would say at the end (of names with WORD)",
    )
    parser.add_argument("--records", action="store_true", help="print the fate of every record")
    parser.add_argument("--describe", action="store_true", help="print the end as kafka-topics.sh --describe does")
    parser.add_argument("--json", action="store_true", help="one JSON object (with --facts, --records: one a line)")
    return parser


def has_one_offsets_partition(world: World) -> bool:
    """True if the run has made the internal topic itself, without any in the document."""
    return any(
        OFFSETS_TOPIC in run.parts.topic_index and all(topic.name != OFFSETS_TOPIC for topic in run.doc.topics)
        for run in world.cluster_runs
    )


def metric_lines(rows: list[dict[str, object]], called: Callable[[int], str] = str) -> list[str]:
    """Readings as text: node or process of MirrorMaker, value, name and attribute, rule."""
    lines = [
        (
            str(row.get("process") or called(int(str(row["node"])))),
            f"{row['value']:>8}  {row['name']} {row['attribute']}  {row['rule']}",
        )
        for row in rows
    ]
    return [f"{node:>5} {told}".rstrip() for node, told in lines]


def outcome(world: World) -> dict[str, Any]:
    """The outcome of a run: its verdict, digest, events, simulated microseconds, and the calls that were refused."""
    return {
        "t": world.now_us,
        "events": world.events,
        "digest": world.digest(),
        "verdict": world.verdict(),
        "refused": refusals(world.trace.decisive, world.names()),
    }


def verdict_lines(world: World) -> list[str]:
    """The verdict in words, a line each."""
    verdict = world.verdict()
    lines = [str(verdict["sentence"])]
    past = FactIndex(world.trace.decisive)
    for topic in _topics(verdict):
        lines.append(f"{topic['topic']}: {topic['sentence']}")
        is_told = len(world.cluster_runs) == 1 and topic["reader_p"] >= 0
        lines += topic_lines(topic, reader_words(world, past, topic["reader_p"]) if is_told else "")
    lines += mirror_lines(verdict)
    lines.append(f"alerts: {verdict['alerts']['sentence']}")  # type: ignore[index]
    if any(topic["lost"] for topic in _topics(verdict)):
        lines.append("what decided it, checked, and why each record was lost: python -m simengine why FILE")
    lines += [refusal_line(one) for one in refusals(world.trace.decisive, world.names())]
    lines += not_simulated(world.doc)
    lines.append(
        f"no response: from a send() to the next success; all such times longer than θ = {seconds(THETA_US)} together"
    )
    lines.append(f"{world.events:,} events, {world.now_us / 1e6:.3f} s simulated, digest {world.digest()}")
    return lines


def mirror_lines(verdict: dict[str, Any]) -> list[str]:
    """The lines on MirrorMaker's flows: the copies of each, and the place where each group goes on."""
    lines: list[str] = []
    for flow in verdict.get("mirrors", []):
        lines.append(str(flow["sentence"]))
        lines += [f"  {group['sentence']}" for group in flow["groups"]]
    return lines


def record_line(world: World, row: dict[str, Any]) -> str:
    """The fate of some calls: who sent them where, what became of them, and their offsets as acknowledged."""
    index, number = world.catalog.partition_names[row["partition"]]
    topic = world.catalog.topics[index]
    first, last = row["call"], row["call"] + row["count"] - 1
    calls = f"call {first}" if first == last else f"calls {first}–{last}"
    offset = row["offset"]
    at = "" if offset < 0 else f" at {offset}–{offset + row['count'] - 1} of epoch {row['epoch']}"
    where = topic.site.prefix + partition_title(topic.title, number)
    return f"{where} {row['client']} {calls} (acks={row['acks']}): {row['fate']}{at}"


def topic_lines(topic: dict[str, Any], reader: str = "") -> list[str]:
    """The lines below a topic's sentence: its figures, in users' units too, and the fact that they go back to.

    ``reader``: what the reader that got nothing for longest waited for.
    """
    fates = ", ".join(f"{topic[key]:,} {word}" for key, word in FATES.items())
    fates += "".join(f", {topic[key]:,} {word}" for key, word in RARE_FATES.items() if topic[key])
    lines = [f"  {fates}", *time_lines(topic, reader)]
    if topic["in_user_units"]:
        lines.append(f"  {topic['in_user_units']}")
    if topic["sent_again"]:
        lines.append(f"  {topic['sent_again']}")
    since = moment_words(topic)
    lines += [f"  {since}"] if since else []
    also = topic["also_lost_by"]
    lines += [f"  {one['lost']:,} by what happened at {one['t'] / 1e6:.3f} s: {one['text']}" for one in also[:ALSO_MAX]]
    more = sum(one["lost"] for one in also[ALSO_MAX:])
    return [*lines, f"  {more:,} by {plural(len(also) - ALSO_MAX, 'other event', 'other events')}"] if more else lines


def time_lines(topic: dict[str, Any], reader: str) -> list[str]:
    """The lines on a topic's stops: as the application had them, by mode of acks, then by the state of the servers."""
    modes = ", ".join(f"{seconds(us)} with acks={mode}" for mode, us in topic["no_response"].items())
    without_us, now_us = topic["read_down_client_us"], topic["read_waits_us"]
    in_all = " in all" if 0 < now_us < without_us else ""  # what goes on is not all of it
    reads = f"a reader without records for {seconds(without_us)}{in_all}{f' ({reader})' if reader else ''}"
    longest = f"the longest send() {seconds(topic['longest_wait_us'])}"
    down = [seconds(topic[key]) for key in ("write_down_all_us", "write_down_1_us", "read_down_us")]
    servers = f"  by the servers: not writable {down[0]} (acks=all), {down[1]} (acks=1); not readable {down[2]}"
    who = "only MirrorMaker wrote to it" if topic["mirrored"] else "nobody wrote to it"
    vain_us = topic["vain_us"]
    vain = f"; for {seconds(vain_us)} every record acknowledged to one producer was already lost" if vain_us else ""
    return [f"  no response for {modes}{vain}; {longest}; {reads}" if modes else f"  {who}; {reads}", servers]


def _topics(verdict: dict[str, object]) -> list[dict[str, Any]]:
    topics = verdict["topics"]
    assert isinstance(topics, list)
    return topics
