"""The values of an answer that decide it: each is given another value, and the headline compared.

Another placement of the brokers asks all AZs again, another value the worst one, and the others if that one changes.
How much is tried is bounded by the partitions that the runs hold, so that it is the same on every machine.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from simengine.importers import assumed
from simengine.questions.az.answer import Answer, answer
from simengine.questions.az.basis import fields
from simengine.questions.az.causes import running_racks
from simengine.questions.az.cell import ACKS
from simengine.questions.az.edits import BACK, COME_BACK, DARK, GONE, KILLED, OLDER, OLDEST, Edits, EditsError, edited
from simengine.questions.az.losses import az_loss
from simengine.questions.az.moments import WORDS, at_moment
from simengine.questions.az.row import AzRow
from simengine.questions.az.run import request_timeout_ms, run_cell
from simengine.scenario import Document

WORK_MAX: Final = 30_000  # partitions times runs
MANY_RECORDS: Final = 10_000  # in each log
TOO_LARGE: Final = "not tried: the cluster is too large"
NO_OTHER: Final = "there is no other value to try"
_SECONDS = re.compile(r"(\d+\.\d) s")
_RECORDS = re.compile(r"[\d,]+ (acknowledged )?records?\b (is|are)?")
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Try:
    """Another value. ``edits``: None where there is none; ``needs``: rows that are asked again."""

    key: str
    tried: str
    edits: Edits | None
    is_for_all: bool = False
    is_without_runs: bool = False


def decides(doc: Document, edits: Edits, rows: list[AzRow], first: Answer) -> Iterator[Json]:
    """A line for each value: whether the headline is another with another value; None: not tried."""
    if not rows:
        return
    work = 0
    size = sum(len(topic.assignment) for topic in doc.topics)
    for one in _tries(doc, edits, first.worst):
        if one.edits is None:
            yield _told(one, False, "", NO_OTHER)
            continue
        asked = 0 if one.is_without_runs else len(ACKS) * (len(rows) if one.is_for_all else 1)
        if work + asked * size > WORK_MAX:
            yield _told(one, None, "", TOO_LARGE)
            continue
        try:
            other, runs = _asked_again(doc, one, rows, first)
        except EditsError as wrong:
            yield _told(one, None, "", str(wrong))
            continue
        work += runs * size
        yield _told(one, not is_alike(first.headline, other.headline), other.headline, "")


def between_moments(now: Answer, in_sync: Answer) -> Json:
    """The line on whether the headline changes if the followers outside the ISR come back."""
    one = Try("outside", WORDS[COME_BACK], None)
    return _told(one, not is_alike(now.headline, in_sync.headline), in_sync.headline, "")


def _told(one: Try, does: bool | None, headline: str, why: str) -> Json:
    return {"key": one.key, "decides": does, "tried": one.tried, "headline": headline, "why": why}


def _asked_again(doc: Document, one: Try, rows: list[AzRow], first: Answer) -> tuple[Answer, int]:
    """The answer with another value, and how many runs it took."""
    assert one.edits is not None
    made = at_moment(edited(doc, one.edits), one.edits.outside)
    if one.is_without_runs:
        return answer(made, rows), 0
    racks = list(running_racks(made))
    asked = racks if one.is_for_all else [rack for rack in racks if rack == first.worst]
    again = {rack: _row(made, rack, one.edits) for rack in asked}
    worst = [row for row in rows if row.loss.key == first.worst]
    if again and not one.is_for_all and not is_alike(_headline(made, worst), _headline(made, list(again.values()))):
        again = {rack: again.get(rack) or _row(made, rack, one.edits) for rack in racks}
    runs = len(ACKS) * len(again)
    if one.is_for_all:
        return answer(made, list(again.values())), runs
    return answer(made, [again.get(row.loss.key, row) for row in rows]), runs


def _headline(doc: Document, rows: list[AzRow]) -> str:
    return answer(doc, rows).headline


def _row(doc: Document, rack: str, edits: Edits) -> AzRow:
    loss = az_loss(doc, (rack,), edits.dies)
    safe, fast = (run_cell(doc, loss, acks, edits.disks) for acks in ACKS)
    return AzRow(loss, safe, fast)


def is_alike(one: str, other: str) -> bool:
    """True if two headlines say the same: times may differ by less than a fifth, and counts of lost records."""
    if _bare(one) != _bare(other):
        return False
    times = zip(_SECONDS.findall(one), _SECONDS.findall(other), strict=True)
    return all(abs(float(a) - float(b)) * 5 <= max(float(a), float(b)) for a, b in times)


def _bare(text: str) -> str:
    """The headline without how it is lost, for how many seconds, and how many records."""
    text = text.replace(" going dark", "").replace("Killing any", "Any").replace("Killing ", "")
    return _RECORDS.sub("records are", _SECONDS.sub("some time", text))


def _tries(doc: Document, edits: Edits, worst: str) -> Iterator[Try]:
    """Another value of each."""
    made = edited(doc, edits)
    yield from _other_places(made, edits, worst)
    version = OLDER if made.basis is not None and made.basis.older else made.profile
    other = OLDEST if version != OLDEST else OLDER
    yield _valued("version", other, edits, other)
    dies = KILLED if edits.dies == DARK else DARK
    yield Try("dies", dies, replace(edits, dies=dies), is_for_all=True)
    disks = GONE if edits.disks == BACK else BACK
    yield Try("disks", disks, replace(edits, disks=disks))
    timeout = 5_000 if request_timeout_ms(made) > 10_000 else assumed.REQUEST_TIMEOUT_MS
    yield _valued("request_timeout_ms", timeout, edits, f"{timeout:,} ms")
    least = 1 if int(made.config.get("min.insync.replicas", 1)) > 1 else 2
    is_told = all("min.insync.replicas" in topic.config for topic in made.topics)
    yield _valued("min_insync_replicas", least, edits, str(least), is_without_runs=is_told)
    latency = 1.0 if made.network.latency_us > 10_000 else 50.0
    yield _valued("latency_ms", latency, edits, f"{latency:g} ms")
    rates = [producer.rate_milli for producer in made.producers]
    rate = min(assumed.RATE_MAX, max(rates, default=0) / 100)
    yield _valued("records_per_s", rate, edits, f"{rate:,g}/s") if rate else Try("records_per_s", "", None)
    for key, value in (("log_gb", 1_000.0), ("copy_mb_per_s", 10)):
        yield _valued(key, value, edits, f"{value:,g}", is_without_runs=True)
    yield from _others(made, edits)


def _others(made: Document, edits: Edits) -> Iterator[Try]:
    """Another value of those that not every cluster has."""
    there = {field["key"]: field["value"] for field in fields(made, edits)}
    if "elr" in there:
        other = "off" if there["elr"] == "on" else "on"
        yield _valued("elr", other == "on", edits, other)
    if "log_end" in there:
        records = 100 if (there["log_end"] or 0) >= MANY_RECORDS else MANY_RECORDS
        yield _valued("log_end", records, edits, f"{records:,} records")
    if "backlog" in there:
        behind = 0 if there["backlog"] else 1
        yield _valued("backlog", behind, edits, f"{behind} behind")
    if "rates" in there:
        busy = max(made.producers, key=lambda producer: producer.rate_milli).topic
        yield _valued("rates", {**edits.values.get("rates", {}), busy: 0.0}, edits, f"{busy} 0/s")


def _valued(key: str, value: Any, edits: Edits, tried: str, is_without_runs: bool = False) -> Try:
    other = replace(edits, values={**edits.values, key: value})
    return Try(key, tried, other, is_without_runs=is_without_runs)


def _other_places(doc: Document, edits: Edits, worst: str) -> Iterator[Try]:
    """Brokers in blocks of ids in place of in turn, or the other way round; the controllers all in the worst AZ."""
    brokers = sorted(broker.id for broker in doc.brokers)
    homes = sorted(dict.fromkeys(broker.rack for broker in doc.brokers if broker.rack is not None))
    size = -(-len(brokers) // len(homes)) if homes else 1
    blocks = {broker: homes[at // size] for at, broker in enumerate(brokers)} if homes else {}
    in_turn = {broker: homes[at % len(homes)] for at, broker in enumerate(brokers)} if homes else {}
    now = {broker.id: broker.rack for broker in doc.brokers}
    others = [
        (places, how) for places, how in ((blocks, "by id, in blocks"), (in_turn, "by id, in turn")) if places != now
    ]
    if len(homes) > 1 and others:
        yield Try("racks", others[0][1], replace(edits, racks=others[0][0]), is_for_all=True)
    else:
        yield Try("racks", "", None)
    together = {one.id: worst for one in doc.controllers}
    if all(one.rack == worst for one in doc.controllers):
        elsewhere = [rack for rack in homes if rack != worst]
        together = {one.id: elsewhere[0] for one in doc.controllers} if elsewhere else {}
    where = next(iter(together.values()), "")
    one_more = replace(edits, controllers=together, values=_without(edits.values, "controllers"))
    yield Try("controllers", f"all in {where}", one_more) if together else Try("controllers", "", None)


def _without(values: Json, key: str) -> Json:
    return {name: value for name, value in values.items() if name != key}
