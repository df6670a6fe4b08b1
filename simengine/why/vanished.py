"""The chain of a record that was sent with acks=0 and is in no leader's log: where its bytes were when what happened.

Nobody answers such a record (PROD-4, PC-9), so no call fails and no retry follows. It was written by a leader that was
replaced without it; or a broker that no longer led, or did not know yet that it leads, refused it and closed the
connection; or it was on its way to a process that was gone or hung, or over a link that was cut.
"""

from dataclasses import dataclass
from typing import Any, Final

from simengine.kernel.errors import ERR_NONE
from simengine.kernel.facts import (
    APPENDED,
    CALLS_SETTLED,
    FLIGHT,
    FLIGHT_ENDED,
    FOLLOWER_STARTED,
    LEADER_ACTIVATED,
    MSG_PRODUCE,
    PARTITION_CHANGED,
    PROCESS_DOWN,
    PROCESS_PAUSED,
    PROCESS_RECOVERING,
    PROCESS_STARTING,
    TRUNCATED,
)
from simengine.kernel.trace import Decisive
from simengine.scenario.action_words import clauses
from simengine.why.evidence import Row
from simengine.why.past import Past
from simengine.why.sentences import Words
from simengine.world import World

CHAINS_MAX: Final = 20
OWN: Final = ("written", "vanished")  # links that are of one request, not of what happened to many
ABSENT: Final = (PROCESS_DOWN, PROCESS_STARTING, PROCESS_RECOVERING)

Json = dict[str, Any]
Call = tuple[int, int, int]  # producer, partition, number


@dataclass(slots=True)
class Sent:
    """A request with vanished records: its fact, when it was sent where, when it arrives (-1: never)."""

    seq: int
    t: int
    dst: int
    arrive: int


@dataclass(slots=True)
class Written:
    """The newest append of a vanished record."""

    seq: int
    t: int
    broker: int
    offset: int


class Vanished:
    """Watches the requests and appends of vanished calls."""

    kinds: tuple[int, ...] = (CALLS_SETTLED, APPENDED, FLIGHT, FLIGHT_ENDED)

    def __init__(self, world: World) -> None:
        ids = {str(producer.id): index for index, producer in enumerate(world.doc.producers)}
        self.calls: dict[Call, Sent | None] = {}
        self.written: dict[Call, Written] = {}
        self._newest: dict[int, Sent] = {}  # of each producer
        self._flights: dict[int, Sent] = {}
        for row in world.record_fates():
            if row["fate"] == "handed over, vanished":
                first, p = int(str(row["call"])), int(str(row["partition"]))
                client = ids[str(row["client"])]
                self.calls |= {(client, p, n): None for n in range(first, first + int(str(row["count"])))}

    def feed(self, row: Row) -> None:
        """Note what concerns a vanished call."""
        seq, t, kind = row[:3]
        if kind == FLIGHT and row[4] == MSG_PRODUCE:
            self._newest[-1 - row[5]] = self._flights[seq] = Sent(seq, t, row[6], row[7])
        elif kind == FLIGHT_ENDED and row[4] in self._flights:
            self._flights[row[4]].arrive = row[6]
        elif kind == CALLS_SETTLED:
            client, p, n, count, offset, _, error = row[4:11]
            if error == ERR_NONE and offset < 0:
                for call in range(n, n + count):
                    if (client, p, call) in self.calls:
                        self.calls[client, p, call] = self._newest.get(client)
        elif kind == APPENDED:
            broker, p, base, count, _, client, n = row[4:11]
            for i in range(count):
                if (client, p, n + i) in self.calls:
                    self.written[client, p, n + i] = Written(seq, t, broker, base + i)


def vanished_chains(found: Vanished, past: Past, words: Words) -> list[Json]:
    """Why records vanished: those of one partition and story together, the most records first."""
    stories: dict[tuple[object, ...], Json] = {}
    for (client, p, n), sent in sorted(found.calls.items()):
        if sent is None:
            continue
        links = _Story(past, words, (client, p, n), sent, found.written.get((client, p, n))).links()
        head = _link(sent.seq, sent.t, "sent", f"{words.client(client)} sent", ("PROD-4", "PC-9"))
        key = (client, p, sent.dst, *((link["text"], link["role"] in OWN or link["seq"]) for link in links))
        chain = stories.setdefault(
            key, {"topic": words.topic(words.topic_of(p)), "partition": words.partition(p), "count": 0, "links": []}
        )
        chain["count"] += 1
        if not chain["links"]:
            chain["links"] = [head, *links]
            chain["to"] = sent.dst
    for chain in stories.values():
        which = "a record" if chain["count"] == 1 else f"the first of {chain['count']:,} records"
        goes = f"{which} of {chain['partition']} to broker {chain.pop('to')} with acks=0, which ended the call"
        chain["links"][0]["text"] += f" {goes}: nobody was to answer"
        chain["links"].sort(key=lambda link: (link["t"], link["seq"]))
    return sorted(stories.values(), key=lambda chain: -chain["count"])[:CHAINS_MAX]


class _Story:
    """What became of one vanished record."""

    def __init__(self, past: Past, words: Words, call: Call, sent: Sent, written: Written | None) -> None:
        self._client, p, _ = call
        self._past = past
        self._words = words
        self._p = p
        self._name = words.partition(p)
        self._sent = sent
        self._written = written

    def links(self) -> list[Json]:
        """What happened, with its rules and moments."""
        return self._cut_off(self._written) if self._written is not None else self._never_written()

    def _cut_off(self, written: Written) -> list[Json]:
        """It was written, and a later leader does not have it."""
        later = self._next_leader(written)
        was_replaced = later is not None and later.seq < written.seq
        who = f"broker {written.broker}{', which still took itself for the leader,' if was_replaced else ''}"
        text = f"{who} wrote it to its log of {self._name}; acks=0 waits for no other copy"
        found = [_link(written.seq, written.t, "written", text, ("LIVE-5", "PROD-4") if was_replaced else ("PROD-4",))]
        if later is not None:
            found += self._cause(later)
            text = f"broker {later.values[1]} became leader of {self._name} in epoch {later.values[2]}"
            found.append(
                _link(later.seq, later.t, "election", text if was_replaced else f"{text} without it", ("ELEC-3",))
            )
        for fact in self._past.of(TRUNCATED):
            broker, p, old, new, _ = fact.values
            if fact.seq > written.seq and (broker, p) == (written.broker, self._p) and new <= written.offset < old:
                text = f"broker {broker} cut it off its log of {self._name}, which ends at {new}"
                return [*found, _link(fact.seq, fact.t, "truncated", text, ("TRUNC-2", "TRUNC-3"))]
        return found

    def _next_leader(self, written: Written) -> Decisive | None:
        """The commit that put another broker in the place of the one that wrote it: before that already, or after."""
        changes = [fact for fact in self._past.of(PARTITION_CHANGED) if fact.values[0] == self._p]
        known = self._past.registration(self._p, written.seq)
        if known is not None and known.values[1] not in (-1, written.broker):
            return next(fact for fact in changes if fact.values[2] == known.values[2])  # since this epoch
        return next((f for f in changes if f.seq > written.seq and f.values[1] not in (-1, written.broker)), None)

    def _never_written(self) -> list[Json]:
        """It was on its way, or refused: what was true of the broker and the link then."""
        sent, dst = self._sent, f"broker {self._sent.dst}"
        at = sent.arrive if sent.arrive >= 0 else sent.t
        before = next((fact.seq for fact in self._past.facts if fact.t > at), 1 << 62)
        cut = self._past.link(-1 - self._client, sent.dst, before) if sent.arrive < 0 else None
        state, process = self._past.process(sent.dst, before)
        if cut is None and state in ABSENT and process is not None:
            rules = ("FLT-3", "PROD-4")
            return [*self._cause(process), self._bytes(at, f"it came to {dst}, where no process listened", rules)]
        if cut is None and state == PROCESS_PAUSED and process is not None:
            where = f"it lay in the socket of {dst}, whose process hung: nobody wrote it there"
            return [*self._cause(process), self._bytes(at, where, ("FLT-2", "PROD-4"))]
        if cut is not None:
            where = f"it was sent to {dst} over a link that lets nothing through"
            return [*self._cause(cut), self._bytes(at, where, ("FLT-4", "PROD-4"))]
        if sent.arrive < 0:
            where = f"it was on its way to {dst} when the connection was lost"
            return [*self._what_broke(before), self._bytes(at, where, ("FLT-4", "PROD-4"))]
        return self._refused(before, at, dst)

    def _refused(self, before: int, at: int, dst: str) -> list[Json]:
        """The broker had it and would not write it."""
        told = self._past.newest(
            FOLLOWER_STARTED, before, lambda f: f.values[0] == self._sent.dst and f.values[1] == self._p
        )
        change = self._past.registration(self._p, before)
        if change is not None and change.values[1] != self._sent.dst:
            leader, epoch = change.values[1], change.values[2]
            text = f"broker {leader} became leader of {self._name} in epoch {epoch}" if leader >= 0 else ""
            links = self._cause(change)
            links.append(_link(change.seq, change.t, "election", text or f"{self._name} lost its leader", ("ELEC-3",)))
            knew = (
                f", which had learned at {int(told.t) / 1e6:.3f} s that it leads no more," if told is not None else ""
            )
            why = f"{dst}{knew} refused it (NOT_LEADER_OR_FOLLOWER) and closed the connection"
            return [*links, self._bytes(at, f"{why}: its producer still took it for the leader", ("PROD-1", "PROD-4"))]
        begun = [f for f in self._past.of(LEADER_ACTIVATED) if f.values[:2] == [self._sent.dst, self._p] and f.t > at]
        acts = begun[0] if begun else None
        if change is not None and acts is not None:
            text = f"broker {self._sent.dst} became leader of {self._name} in epoch {change.values[2]}"
            links = [*self._cause(change), _link(change.seq, change.t, "election", text, ("ELEC-3",))]
            knew = f"{dst}, which learned only at {int(acts.t) / 1e6:.3f} s that it leads,"
            why = f"{knew} refused it (NOT_LEADER_OR_FOLLOWER) and closed the connection"
            return [*links, self._bytes(at, why, ("PROD-1", "PROD-4"))]
        return [self._bytes(at, f"{dst} refused it and closed the connection without an answer", ("PROD-1", "PROD-4"))]

    def _what_broke(self, before: int) -> list[Json]:
        state, process = self._past.process(self._sent.dst, before)
        return self._cause(process) if process is not None and state != PROCESS_PAUSED else []

    def _cause(self, fact: Decisive | None) -> list[Json]:
        """What somebody did that a fact goes back to."""
        if fact is None:
            return []
        if fact.kind == PARTITION_CHANGED:
            done = self._past.action(fact)
            return [] if done is None else [_link(done.seq, done.t, "fault", clauses(done.text, self._words.node), ())]
        return [_link(fact.seq, fact.t, "fault", *self._words.clause(fact))]

    def _bytes(self, t: int, text: str, rules: tuple[str, ...]) -> Json:
        return _link(self._sent.seq, t, "vanished", text, rules)


def _link(seq: int, t: int, role: str, text: str, rules: tuple[str, ...]) -> Json:
    return {"seq": seq, "t": t, "role": role, "text": text, "rules": list(rules), "decides": False}
