"""The verdict of mirrors in words."""

from typing import Any, Final

from simengine.kernel.titles import split_title
from simengine.words.phrases import listed, plural, seconds

NONE: Final = -1
PLACES_MAX: Final = 3
TOPICS_MAX: Final = 3
STANDS_US: Final = 10_000_000  # records that wait for their copy over a longer time are told in the first sentence

Json = dict[str, Any]


def topic_words(topic: Json) -> str:
    """One topic of a flow."""
    if not any(topic[key] for key in ("mirrored", "not_mirrored", "skipped", "disagree", "doubled")):
        is_gone = split_title(str(topic["topic"]))[1] != ""
        return "Its source topic is deleted." if is_gone else "Nothing was written yet."
    parts = [f"{plural(topic['mirrored'], 'record is', 'records are')} mirrored"]
    if topic["again"]:
        are = "is" if topic["again"] == 1 else "are"
        parts.append(f"of which {topic['again']:,} {are} still to be copied again")
    if topic["not_mirrored"]:
        are = "is" if topic["not_mirrored"] == 1 else "are"
        parts.append(f"{topic['not_mirrored']:,} {are} not ({seconds(topic['not_mirrored_us'])} of records)")
    return f"{', '.join(parts)}.{wrong_words(topic)}"


def wrong_words(topic: Json) -> str:
    """The words on errors in the copies of a topic; "" if there are none."""
    words = ""
    if topic["skipped"]:
        words += f" {plural(topic['skipped'], 'record has', 'records have')} no copy and will get none."
    if topic["doubled"]:
        words += f" {plural(topic['doubled'], 'extra copy stands', 'extra copies stand')} in {topic['remote']}."
    if topic["disagree"]:
        records = plural(topic["disagree"], "record", "records")
        words += (
            f" {topic['remote']} has {records} that the source no longer has: {places_words(topic['disagree_at'])}."
        )
    return words


def places_words(places: list[Json]) -> str:
    """Offsets of partitions, at most ``PLACES_MAX`` ranges: "east.orders-0 at 900 to 999 and 1,200"."""
    told: list[str] = []
    ranges = [(place["partition"], low, high) for place in places for low, high in place["offsets"]]
    for partition, low, high in ranges[:PLACES_MAX]:
        at = f"{low:,}" if high - low == 1 else f"{low:,} to {high - 1:,}"
        told.append(f"{partition} at {at}")
    rest = len(ranges) - PLACES_MAX
    return listed([*told, f"{rest:,} more"] if rest > 0 else told)


def group_words(group: Json) -> str:
    """The words on the position from which one group starts with one partition on the target."""
    translated = ""
    if group["checkpoint"] not in (NONE, group["starts"]):
        translated = f" A client that translates offsets itself would start at {group['checkpoint']:,}."
    return f"{group['group']} on {group['partition']} {_start_words(group)}.{translated}"


def _start_words(group: Json) -> str:
    start, true = group["starts"], f"true position {group['true']:,}"
    if group["continues"] == NONE:
        reset = f"has no committed offset there: auto.offset.reset={group['reset']}"
        if start == NONE:
            return f"{reset} gives it no position ({true})"
        return f"{reset} starts it at {start:,} ({true}){_costs(group)}"
    if group["is_own"] and start > group["true"]:
        return f"continues at {start:,}, its own position there (by its position at the source: {group['true']:,})"
    return f"continues at {start:,} ({true}){_costs(group)}"


def _costs(group: Json) -> str:
    costs = [
        *([f"skips {plural(group['skips'], 'record', 'records')}"] if group["skips"] else []),
        *([f"passes over {_uncommitted(group)}"] if group["uncommitted"] else []),
        *([f"reads {plural(group['rereads'], 'record', 'records')} again"] if group["rereads"] else []),
    ]
    return f": it {listed(costs)}" if costs else ""


def _uncommitted(group: Json) -> str:
    count = group["uncommitted"]
    return f"{plural(count, 'record', 'records')} that it had read and not committed"


def tasks_words(state: str, until_us: int) -> str:
    """The reason why a worker that runs copies nothing (MM-1); "" if it has its tasks."""
    if state == "given up":
        return "Its worker does not find the coordinator of its group on the target, and has given up its tasks."
    if state == "delayed":
        until = f"it gets them back at {seconds(until_us)} (scheduled.rebalance.max.delay.ms)"
        return f"Its worker was cut off from its group on the target and has lost its tasks: {until}."
    if state == "waiting":
        return "Its tasks wait for the topic of its stored offsets, which the target does not have."
    return "Its worker waits to join its group on the target." if state == "joining" else ""


def started_over_words(at_us: int, partitions: int) -> str:
    """The start that copied again what was copied before (MM-11); "" if there was none."""
    if at_us < 0:
        return ""
    of = plural(partitions, "partition", "partitions")
    return f"At {seconds(at_us)} it found no stored offset of {of} and began again at the earliest record."


def flow_words(flow: str, process: str, state: str, tasks: str, topics: list[Json], anew: str = "") -> str:
    """One flow: its process if that does not run, else why its worker has no tasks (``tasks``), then each topic.

    ``anew``: the words on a start without stored offsets.

    Of more than ``TOPICS_MAX`` topics it tells the sums, and those whose copies are wrong.
    """
    words = [] if state == "running" else [f"{process} is {state}."]
    words += [tasks] if tasks and state == "running" else []
    words += [anew] if anew else []
    if len(topics) > TOPICS_MAX:
        wrong = [topic for topic in topics if wrong_words(topic)]
        words += [sum_words(topics), *(f"{topic['topic']}:{wrong_words(topic)}" for topic in wrong[:TOPICS_MAX])]
        words += [f"So have {len(wrong) - TOPICS_MAX:,} more topics."] if len(wrong) > TOPICS_MAX else []
    else:
        words += [f"{topic['topic']}: {topic['sentence']}" for topic in topics]
    return f"{flow}: {' '.join(words) or 'It copies no topic.'}"


def sum_words(topics: list[Json]) -> str:
    """Many topics of a flow."""
    mirrored, waiting = (sum(topic[key] for topic in topics) for key in ("mirrored", "not_mirrored"))
    return f"{mirrored:,} records of {len(topics):,} topics are mirrored, {waiting:,} are not."


def matters(topic: Json, runs: bool) -> bool:
    """True if a topic belongs in the first sentence: something is wrong with its copies, or copying stands still."""
    waits = topic["not_mirrored"] > 0 and (not runs or topic["not_mirrored_us"] > STANDS_US)
    return bool(topic["doubled"] or topic["skipped"] or topic["disagree"]) or waits
