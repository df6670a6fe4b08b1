"""What an incident cost in words: its RPO, and the RTO of each mode of acks."""

from typing import Any, Final

from simengine.verdict.outage import THETA_US
from simengine.verdict.sentence import listed, plural, seconds

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
    handed_over = plural(rpo["handed_over"], "record", "records")
    vanished = f"; besides, {handed_over} handed over with acks=0 vanished" if rpo["handed_over"] else ""
    if rpo["undetermined"]:
        waits = plural(rpo["undetermined"], "acknowledged record waits", "acknowledged records wait")
        return f"RPO: not decided, {waits} for a leader{vanished}"
    if not rpo["all"] and not rpo["1"]:
        if rpo["elsewhere"]["count"]:
            return f"RPO observed: 0 counted here, {elsewhere_words(rpo['elsewhere'])}{vanished}"
        copies = f"{plural(rpo['single'], 'record', 'records')} had one copy" if rpo["single"] else ""
        if rpo["by"] == "luck":
            return f"RPO observed: 0 by luck ({copies or rpo['reason']}){vanished}"
        return f"RPO observed: 0 by rule ({rpo['reason']}){'; ' * bool(copies)}{copies}{vanished}"
    records = plural(rpo["all"] + rpo["1"], "acknowledged record", "acknowledged records")
    return f"RPO observed: {records} (acks=all: {rpo['all']:,}, acks=1: {rpo['1']:,}), {age_words(rpo)}{vanished}"


def elsewhere_words(elsewhere: Json) -> str:
    """Lost records that an incident has a part in, and at which incident they are counted."""
    count = elsewhere["count"]
    records = plural(count, "lost record", "lost records")
    moments = " and ".join(f"{us / 1e6:.3f} s" for us in elsewhere["at_us"])
    return f"{records} it has a part in {'is' if count == 1 else 'are'} counted at {moments}"


def age_words(rpo: Json) -> str:
    """When the lost records were acknowledged, seen from the fault."""
    first, last = (seconds(us) for us in rpo["after_us"])
    if not rpo["before_us"]:
        return f"acknowledged {first if first == last else f'{first} to {last}'} after the fault"
    before = f"the oldest acknowledged {seconds(rpo['before_us'])} before the fault"
    return f"{before}, the newest {last} after it" if rpo["after_us"][1] else before


def rto_words(mode: str, rto: Json) -> str:
    """The RTO of one mode in a sentence."""
    never = rto["never"]
    if not rto["partitions"]:
        return f"RTO acks={mode}: none so far{never_words(never)}"
    worst = max(rto["partitions"], key=_time)
    called = called_words(worst)
    told = ", ".join(one for one in (parts_words(worst), called) if one)
    which = f"{worst['partition']}: {told}" if told else worst["partition"]
    median_of = f"median {seconds(rto['median_us'])}, " if len(rto["partitions"]) > 1 else ""
    more = f"; {plural(len(never), 'more partition', 'more partitions')} never so far" if never else ""
    time = f"{median_of}{'at most' if called else 'worst'} {seconds(worst['us'])} ({which})"
    return f"RTO acks={mode}: {time}{more}"


def parts_words(part: Json) -> str:
    """What a time went into, as far as it shows; the client's is no more than the wait for the next probe with one."""
    names = [name for name in PARTS if name != "client" or not part["by_probe"]]
    told = [name for name in names if part[f"{name}_us"] >= SHOWN_US]
    return ", ".join(f"{PARTS[name]} {seconds(part[f'{name}_us'])}" for name in told)


def called_words(part: Json) -> str:
    """How a time was found where the next call was not made at once; "" where it was."""
    if part["by_probe"]:
        return "found by a probe each second"
    late = part["first_call_us"] > THETA_US
    return f"first call {seconds(part['first_call_us'])} after the fault" if late else ""


def never_words(never: list[Json]) -> str:
    """Partitions that took no call again: those where nobody is missing, then the others, by what they need."""
    found: dict[tuple[str, bool], list[Json]] = {}
    for one in never[:NEVER_MAX]:
        found.setdefault((one["needs"], one["would_lose"] >= 0), []).append(one)
    waits = [one["partition"] for (needs, _), some in found.items() for one in some if not needs]
    told = [need_words(needs, some) for (needs, _), some in found.items() if needs]
    if len(never) > NEVER_MAX:
        told.append(f"{plural(len(never) - NEVER_MAX, 'more partition waits', 'more partitions wait')} too")
    return "; ".join([f" for {listed(waits)}" if waits else "", *told])


def need_words(needs: str, some: list[Json]) -> str:
    """What some partitions need alike, and what it would cost to do without."""
    is_one = len(some) == 1
    who = f"{listed([one['partition'] for one in some])} {'needs' if is_one else 'need'} {needs}"
    if some[0]["would_lose"] < 0:
        return who
    would = plural(sum(one["would_lose"] for one in some), "record", "records")
    return f"{who} or {'an unclean election' if is_one else 'unclean elections'} (would lose {would})"


def _time(part: Json) -> int:
    return int(part["us"])
