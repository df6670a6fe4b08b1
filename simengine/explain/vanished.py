"""Records that were sent with acks=0 and are in no leader's log: where they were lost, and by what was done.

Nobody answers such a record (PROD-4, PC-9), so no call fails and no retry follows; nobody was promised it.
"""

from dataclasses import dataclass
from typing import Final

from simengine.explain.chain import STEPS_MAX, ChainLinks
from simengine.explain.commits import election
from simengine.explain.evidence import RecordEvent, Records
from simengine.explain.fact_index import SILENT, FactIndex
from simengine.explain.link import ELECTION, FAULT, SENT, VANISHED, WRITTEN, ChainLink, LinkKind
from simengine.explain.link_words import text_of
from simengine.explain.sentences import Words
from simengine.explain.settings import TopicSettingsHistory
from simengine.facts.decisive import (
    ClientChanged,
    LeaderActivated,
    MessageHandled,
    PartitionChanged,
    ProcessChanged,
    ReplicaGone,
    Truncated,
)
from simengine.facts.errors import ERR_NONE
from simengine.facts.kinds import ELECTION_NONE, FLIGHT_DROPPED, HAND_DELIVERS, MSG_PRODUCE, PROCESS_STARTING
from simengine.facts.trace import Decisive
from simengine.facts.traffic import Appended, CallsSettled, Flight, FlightEnded
from simengine.scenario.action_words import inside
from simengine.words.phrases import listed, plural
from simengine.world.world import World

NO_INCIDENT: Final = -1
OWN: Final = (WRITTEN, VANISHED)  # links that are of one request, not of what happened to many
ENDS: Final = ("close", "crash", "acks")  # what ends a producer's connections

Call = tuple[int, int, int]  # producer, partition, number


@dataclass(slots=True)
class Request:
    """A produce request: its fact, when it was sent, to which broker, when it arrived or met what held it."""

    seq: int
    t: int
    dst: int
    end: int


class VanishedWatch:
    """Watches the requests and appends of vanished calls."""

    kinds: tuple[int, ...] = (CallsSettled.KIND, Appended.KIND, Flight.KIND, FlightEnded.KIND)

    def __init__(self, world: World) -> None:
        ids = {str(producer.id): index for index, producer in enumerate(world.doc.producers)}
        self.calls: dict[Call, Request | None] = {}
        self.copies: dict[
            Call, list[RecordEvent]
        ] = {}  # oldest first: the leader that the client sent it to, then followers
        self._newest: dict[int, Request] = {}  # of each producer
        self._flights: dict[int, Request] = {}
        for row in world.record_fates():
            if row["fate"] == "handed over, vanished":
                first, p = int(str(row["call"])), int(str(row["partition"]))
                client = ids[str(row["client"])]
                self.calls |= {(client, p, n): None for n in range(first, first + int(str(row["count"])))}

    def sent_us(self, client: int, p: int) -> list[int]:
        """The moments at which a producer sent the vanished records of a partition, in order."""
        mine = (sent for (who, where, _), sent in self.calls.items() if (who, where) == (client, p))
        return sorted(sent.t for sent in mine if sent is not None)

    def feed(self, fact: object) -> None:
        """Note what concerns a vanished call."""
        if isinstance(fact, Flight) and fact.msg == MSG_PRODUCE:
            request = Request(fact.seq, fact.t, fact.dst, max(fact.arrive, fact.t))
            self._newest[-1 - fact.src] = self._flights[fact.seq] = request
        elif isinstance(fact, FlightEnded) and fact.how != FLIGHT_DROPPED and fact.flight in self._flights:
            self._flights[fact.flight].end = max(fact.arrive, fact.t)
        elif isinstance(fact, CallsSettled) and fact.error == ERR_NONE and fact.offset < 0:
            for n in range(fact.n, fact.n + fact.count):
                if (fact.client, fact.p, n) in self.calls:
                    self.calls[fact.client, fact.p, n] = self._newest.get(fact.client)
        elif isinstance(fact, Appended):
            for i in range(fact.count):
                call = (fact.client, fact.p, fact.n + i)
                if call in self.calls:
                    records = Records(fact.p, fact.base + i, fact.base + i + 1, fact.epoch)
                    self.copies.setdefault(call, []).append(RecordEvent(fact.seq, fact.t, fact.broker, records))


@dataclass(slots=True)
class VanishedRecords:
    """Records of one producer, partition and story; ``done_us``: when was done what it names."""

    p: int
    links: list[ChainLink]
    done_us: set[int]
    count: int = 0


def told_of(
    found: VanishedWatch, past: FactIndex, words: Words, settings: TopicSettingsHistory
) -> list[VanishedRecords]:
    """The stories of vanished records, the most records first."""
    stories: dict[tuple[object, ...], VanishedRecords] = {}
    heads: dict[tuple[object, ...], Request] = {}
    for (client, p, n), sent in sorted(found.calls.items()):
        if sent is None:
            continue
        links = VanishedStory(
            ChainLinks(p, past, words), settings, client, sent, found.copies.get((client, p, n), [])
        ).links()
        key = (client, p, sent.dst, *((*link.key, link.role in OWN or link.fact.seq) for link in links))
        if key not in stories:
            stories[key] = VanishedRecords(p, links, {int(link.done.t) for link in links if link.done is not None})
            heads[key] = sent
        stories[key].count += 1
    for key, told in stories.items():
        client, sent = int(str(key[0])), heads[key]
        fields = {"clients": [client], "count": told.count, "partition": told.p, "broker": sent.dst}
        told.links.insert(
            0, ChainLink(LinkKind.SENT, seen(sent, sent.t, client, told.p), SENT, ("PROD-4", "PC-9"), fields)
        )
        told.links.sort(key=lambda link: (link.fact.t, link.fact.seq))
    return sorted(stories.values(), key=lambda told: -told.count)


def by_incident(stories: list[VanishedRecords], incidents: list[int]) -> dict[int, int]:
    """The number of records that vanished by each incident, by its moment; those of no incident are left out."""
    found: dict[int, int] = {}
    for told in stories:
        at_us = incident_of(told, incidents)
        if at_us != NO_INCIDENT:
            found[at_us] = found.get(at_us, 0) + told.count
    return found


def incident_of(told: VanishedRecords, incidents: list[int]) -> int:
    """The newest incident that a story names.

    NO_INCIDENT where it names no fault: an election that somebody asked for, or that chance brought about.
    """
    return max(told.done_us.intersection(incidents), default=NO_INCIDENT)


def beside_words(stories: list[VanishedRecords], incidents: list[int], unexplained: int, words: Words) -> str:
    """The sentence on the records of no incident, by what their stories name; "" without any.

    ``unexplained``: vanished records without a story.
    """
    causes: dict[str, int] = {"": unexplained} if unexplained else {}
    for told in stories:
        if incident_of(told, incidents) == NO_INCIDENT:
            cause = cause_words(told, words)
            causes[cause] = causes.get(cause, 0) + told.count
    if not causes:
        return ""
    ranked = sorted(causes.items(), key=lambda one: -one[1])
    parts = [f"{count:,} {cause or 'for an unknown reason'}" for cause, count in ranked]
    records = plural(sum(causes.values()), "record", "records")
    return f"Besides, {records} sent with acks=0 vanished by none of these faults: {listed(parts)}."


def cause_words(told: VanishedRecords, words: Words) -> str:
    """The last action that a story names, else its last election: ``at 9.000 s (broker 1 is stopped)``; "" for none."""
    for link in reversed(told.links):
        if link.done is not None:
            return f"at {int(link.done.t) / 1e6:.3f} s ({inside(link.done.text, words.node)})"
    for link in reversed(told.links):
        if link.role in (FAULT, ELECTION):
            return f"at {int(link.fact.t) / 1e6:.3f} s ({text_of(link, words)})"
    return ""


def seen(request: Request, t: int, client: int, p: int) -> RecordEvent:
    """An event of a request at a moment, as evidence."""
    return RecordEvent(request.seq, t, client, Records(p, 0, 0, 0))


class VanishedStory:
    """Tells one record: a leader wrote it and a later one has it not, or no broker wrote it."""

    def __init__(
        self, told: ChainLinks, settings: TopicSettingsHistory, client: int, sent: Request, copies: list[RecordEvent]
    ) -> None:
        self._told = told
        self._p = told.p
        self._past = told.past
        self._settings = settings
        self._client = client
        self._sent = sent
        self._copies = copies

    def links(self) -> list[ChainLink]:
        """The links of the story, with their rules and moments."""
        if self._copies:
            self._written(self._copies[0])
        else:
            self._not_written()
        return self._told.ordered()

    # -- it was written

    def _written(self, first: RecordEvent) -> None:
        """A leader wrote it: who led without it, and which logs lost it."""
        fields = {"broker": first.who, "partition": self._p}
        self._told.add(first, WRITTEN, LinkKind.WRITTEN, ("PROD-4",), **fields)
        for fact in self._elections(first):
            self._elected(fact)
        for cut in self._past.of(Truncated):
            if self._is_cut(cut) and self._has(cut.broker, cut.seq):
                self._told.lost_end(cut, self._settings)

    def _elections(self, first: RecordEvent) -> list[PartitionChanged]:
        """The elections from the epoch that wrote it up to the first one since which all leaders lack it.

        A former leader writes it after that election.
        """
        epoch = first.records.epoch
        lacking = self._past.election(self._p, first.seq)  # elected, and not known to lead when it was written
        if lacking is not None and lacking.epoch <= epoch:
            lacking = None
        has = True
        for acts in self._past.of(LeaderActivated):
            if acts.p == self._p and acts.epoch > epoch:
                had, has = has, self._has(acts.broker, acts.seq)
                if had and not has:
                    lacking = self._past.election(self._p, acts.seq)
        if lacking is None:
            return []
        changes = self._past.leader_changes(self._p, epoch, lacking)
        return [fact for fact in changes if fact.election != ELECTION_NONE][-STEPS_MAX:]

    def _has(self, broker: int, before: int) -> bool:
        """True if a broker's log had the record."""
        own = [copy.seq for copy in self._copies if copy.who == broker and copy.seq < before]
        if not own:
            return False
        gone = self._past.newest(ReplicaGone, before, lambda f: f.broker == broker and f.p == self._p)
        cut = self._past.newest(Truncated, before, lambda f: f.broker == broker and self._is_cut(f))
        return all(fact is None or fact.seq < own[-1] for fact in (gone, cut))

    def _is_cut(self, fact: Truncated) -> bool:
        return fact.p == self._p and fact.new <= self._copies[0].records.base < fact.old

    # -- it was not written

    def _not_written(self) -> None:
        """Tell the obstacle that the request met when it arrived, or on its way."""
        at = seen(self._sent, self._sent.end, self._client, self._p)
        before = self._past.after(self._sent.end)
        fact = self._obstacle(before)
        if isinstance(fact, PartitionChanged):
            self._elected(fact)
        elif fact is not None:
            self._told.happened(fact, FAULT)
        if isinstance(fact, PartitionChanged) and fact.seq < before and fact.leader == self._sent.dst:
            fields = {"broker": fact.leader, "partition": self._p}
            self._told.add(at, VANISHED, LinkKind.NOT_YET_LEADER, ("QUO-5", "PROD-1", "PROD-4"), **fields)
        else:
            self._told.add(at, VANISHED, LinkKind.NOT_WRITTEN, ("PROD-4",), partition=self._p)

    def _obstacle(self, before: int) -> Decisive | None:
        """A hand, a cut link, a process that was down or hung, an election; else what ended the connection later."""
        broker, client = self._sent.dst, -1 - self._client
        hand = self._past.next_of(MessageHandled, 0, lambda f: f.flight == self._sent.seq and f.how != HAND_DELIVERS)
        cut = self._past.link(client, broker, before)
        if hand is not None or (cut is not None and cut.cut):
            return self._past.action(hand) or cut
        for moment in (self._past.after(self._sent.t), before):
            if self._past.process(broker, moment)[0] in (*SILENT, PROCESS_STARTING):
                return self._past.fell_silent(broker, moment)
        known = self._past.election(self._p, before)
        return known if known is not None and not self._leads(known, before) else self._ended(before)

    def _leads(self, known: PartitionChanged, before: int) -> bool:
        """True if the broker leads by an election, and knows it."""
        acts = self._past.activation(self._p, known.epoch, before)
        return acts is not None and acts.broker == self._sent.dst

    def _ended(self, before: int) -> Decisive | None:
        """The first that happened after a leader got it and before it wrote it."""
        broker = self._sent.dst
        closed = self._past.next_of(ClientChanged, self._sent.seq, lambda f: f.client == self._client)
        done = self._past.action(closed)
        later: list[Decisive | None] = [
            closed if done is not None and done.seq > self._sent.seq and done.verb in ENDS else None,
            self._past.next_of(ProcessChanged, before, lambda f: f.node == broker and f.state in SILENT),
            self._past.next_of(PartitionChanged, before, lambda f: f.p == self._p and f.election != ELECTION_NONE),
        ]
        return min((fact for fact in later if fact is not None), key=lambda fact: fact.seq, default=None)

    def _elected(self, fact: PartitionChanged) -> None:
        self._told.cause_of(fact)
        self._told.put(election(fact, self._past))
