"""The cost of an incident in words: its RPO, and the RTO of each acks mode."""

from typing import Any, Final

from simengine.verdict.outage import THETA_US
from simengine.words.phrases import listed, plural, seconds

NEVER_MAX: Final = 3  # partitions that are told one by one
PARTS: Final = {
    "detect": "detect",
    "nobody": "nobody may lead",
    "elect": "elect",
    "back": "back unnoticed",
    "isr": "min ISR",
    "vain": "responses of lost records",
    "client": "client",
    "settle": "settle",
}

SHOWN_US: Final = 50_000  # what is shorter is 0.0 s

Json = dict[str, Any]


def rpo_words(rpo: Json) -> str:
    """The RPO in a sentence."""
    besides = besides_words(rpo)
    if rpo["undetermined"]:
        records = plural(rpo["undetermined"], "acknowledged record", "acknowledged records")
        return f"RPO: {records} undecided until a leader is elected{besides}"
    if rpo["deleted"]["count"]:
        records = plural(rpo["deleted"]["count"], "acknowledged record was", "acknowledged records were")
        return f"RPO: {records} undecided: {rpo['deleted']['words']} while it had no leader{besides}"
    if not rpo["all"] and not rpo["1"]:
        if rpo["elsewhere"]["count"]:
            return f"RPO observed: 0 counted here, {elsewhere_words(rpo['elsewhere'])}{besides}"
        return f"RPO observed: 0{besides}"
    records = plural(rpo["all"] + rpo["1"], "acknowledged record", "acknowledged records")
    return f"RPO observed: {records} (acks=all: {rpo['all']:,}, acks=1: {rpo['1']:,}), {age_words(rpo)}{besides}"


def besides_words(rpo: Json) -> str:
    """The words on losses beside acknowledged records: committed offsets."""
    groups = rpo["groups"]
    of = f"group{'s' if len(groups) > 1 else ''} {listed(groups)}"
    return f"; besides, the committed offsets of {of} are gone" if groups else ""


def elsewhere_words(elsewhere: Json) -> str:
    """Lost records that an incident has a part in, and at which incident they are counted."""
    count = elsewhere["count"]
    records = plural(count, "lost record", "lost records")
    moments = " and ".join(f"{us / 1e6:.3f} s" for us in elsewhere["at_us"])
    return f"{records} it has a part in {'is' if count == 1 else 'are'} counted at {moments}"


def age_words(rpo: Json) -> str:
    """The words on when the lost records were acknowledged, seen from the fault."""
    first, last = (seconds(us) for us in rpo["after_us"])
    if not rpo["before_us"]:
        return f"acknowledged {first if first == last else f'{first} to {last}'} after the fault"
    before = f"the oldest acknowledged {seconds(rpo['before_us'])} before the fault"
    return f"{before}, the newest {last} after it" if rpo["after_us"][1] else before


def rto_words(mode: str, rto: Json) -> str:
    """The RTO of one mode in a sentence."""
    never = [one for one in rto["never"] if not one["gone"]]
    gone = "; ".join(dict.fromkeys(one["gone"] for one in rto["never"] if one["gone"]))
    if not rto["partitions"]:
        parts = [f"none so far{never_words(never)}" if never else "none", gone]
        return f"RTO acks={mode}: {('; ' if never else ': ').join(filter(None, parts))}"
    worst = max(rto["partitions"], key=_time)
    called = called_words(worst)
    since = "from its creation on" if worst["is_new"] else ""
    told = ", ".join(one for one in (since, parts_words(worst), called) if one)
    which = f"{worst['partition']}: {told}" if told else worst["partition"]
    median_of = f"median {seconds(rto['median_us'])}, " if len(rto["partitions"]) > 1 else ""
    others = plural(len(never), "more partition", "more partitions")
    more = f"; {others} never so far{taken_words(never)}" if never else ""
    time = f"{median_of}{'at most' if called else 'worst'} {seconds(worst['us'])} ({which})"
    return f"RTO acks={mode}: {time}{more}{'; ' * bool(gone)}{gone}"


def parts_words(part: Json) -> str:
    """The words on the parts of a time that are long enough."""
    told = [name for name in PARTS if part[f"{name}_us"] >= SHOWN_US]
    return ", ".join(f"{PARTS[name]} {seconds(part[f'{name}_us'])}" for name in told)


def called_words(part: Json) -> str:
    """The words on a time found by a probe, or whose first call came late after the fault; "" for any other."""
    if part["by_probe"]:
        return "found by a probe each second"
    first_us = part["first_call_us"]
    after = "its creation" if part["is_new"] else "the fault"
    is_late = first_us > THETA_US or (first_us >= SHOWN_US and first_us * 2 > part["us"])
    return f"first call {seconds(first_us)} after {after}" if is_late else ""


def never_words(never: list[Json]) -> str:
    """Partitions that took no call again: those where nobody is missing, then the others, by what they need."""
    found: dict[tuple[str, bool], list[Json]] = {}
    for one in never[:NEVER_MAX]:
        found.setdefault((one["needs"], one["would_lose"] >= 0), []).append(one)
    waits = [one for (needs, _), some in found.items() for one in some if not needs]
    told = [need_words(needs, some) for (needs, _), some in found.items() if needs]
    if len(never) > NEVER_MAX:
        told.append(f"{plural(len(never) - NEVER_MAX, 'more partition waits', 'more partitions wait')} too")
    names = listed([one["partition"] for one in waits])
    return "; ".join([f" for {names}{taken_words(waits)}" if waits else "", *told])


def taken_words(never: list[Json]) -> str:
    """The words on when the servers would have accepted a write to all of these; "" if some need more, or never did."""
    opened = [-1 if one["needs"] else int(one["open_us"]) for one in never]
    return f" (the servers would have taken a call {seconds(max(opened))} after the fault)" if min(opened) >= 0 else ""


def need_words(needs: str, some: list[Json]) -> str:
    """The words on a need that some partitions share, and on the cost of doing without."""
    is_one = len(some) == 1
    who = f"{listed([one['partition'] for one in some])} {'needs' if is_one else 'need'} {needs}"
    if some[0]["would_lose"] < 0:
        return who
    would = plural(sum(one["would_lose"] for one in some), "record", "records")
    return f"{who} or {'an unclean election' if is_one else 'unclean elections'} (would lose {would})"


def _time(part: Json) -> int:
    return int(part["us"])
