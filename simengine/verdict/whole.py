"""The whole cluster in one sentence: what its topics come to, where they are too many to be told one by one."""

from typing import TYPE_CHECKING, Final, final

from librt.vecs import vec
from mypy_extensions import i64

from simengine.verdict.addend import KEYS, SUMMED_END, Addend
from simengine.verdict.outage import THETA_US
from simengine.verdict.sentence import (
    LONG_US,
    NOT_BY_ALL,
    NOT_LED_YET,
    NOTHING_WRONG,
    NOTHING_YET,
    ONLY_MIRRORED,
    SentenceNames,
    doubled_words,
    failed_words,
    group_stop_now,
    group_stop_words,
    handed_over_words,
    in_all,
    lost_words,
    no_loss,
    past_words,
    record_words,
    servers_part,
    unreadable_words,
    vain_words,
)
from simengine.verdict.words import with_quorum
from simengine.words.phrases import listed, plural, seconds

WRITABLE: Final = "the topics themselves stayed writable"
READABLE: Final = "the topics themselves stayed readable"
TOLD_MAX: Final = 3  # so many topics are told one by one; the sentence on more is about all of them
if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster


@final
class WholeFigures:
    """Figures of topics added up, as each topic is written; of times the longest."""

    __slots__ = (
        "_amounts",
        "deleted",
        "ended",
        "groups",
        "is_mirrored",
        "leaderless",
        "past_us",
        "read_client_us",
        "read_goes_on",
        "read_in_parts",
        "read_same_us",
        "stopped",
        "sums",
        "topics",
        "topics_lost",
        "topics_stopped",
        "unread",
        "unread_us",
        "waits_before_leader",
        "write_before_leader",
        "write_client_us",
        "write_goes_on",
        "write_in_parts",
        "write_same_us",
        "write_us",
    )

    def __init__(self) -> None:
        self._amounts: vec[i64] = vec[i64]([0] * len(KEYS))
        self.sums: dict[str, int] = {}  # these amounts by name, while the sentence is made
        self.groups: dict[str, int] = {}  # figures of the topic with the coordinators, if there is one
        self.is_mirrored: bool = False  # MirrorMaker has written to some topic
        self.topics: i64 = 0
        self.deleted: int = 0  # further topics, which are gone as asked
        self.ended: i64 = 0  # calls that were acknowledged, refused or given up
        self.topics_lost: i64 = 0
        self.stopped: i64 = 0  # partitions in which calls wait now because of the servers ...
        self.leaderless: i64 = 0  # ... and of them those without a leader
        self.unread: str = ""  # of the topic in which a reader had no position for longest ...
        self.unread_us: int = 0  # ... and for how long
        self.topics_stopped: i64 = 0  # calls wait because of the servers, or for longer than theta
        self.write_us: i64 = 0  # the longest stop of writes, by the servers
        self.write_client_us: i64 = 0  # the longest that a producer had no response ...
        self.write_same_us: i64 = 0  # ... and of that very time: the servers were out
        self.write_goes_on: bool = False  # calls wait now in the topic of that time
        self.write_in_parts: bool = False  # that time is several stops of one producer
        self.waits_before_leader: bool = False  # in some topic the call that waited longest was made before that
        self.write_before_leader: bool = False  # that time began before the partition had its first leader
        self.past_us: i64 = 0  # the longest stop of writes that is over
        self.read_client_us: i64 = 0  # the longest that a reader had no records ...
        self.read_same_us: i64 = 0
        self.read_goes_on: bool = False
        self.read_in_parts: bool = False

    def add(
        self, figures: dict[str, int], is_all: bool, is_made: bool = False, calls: SentenceNames | None = None
    ) -> None:
        """One more topic: its figures by name, none yet is an empty dictionary.

        ``is_made``: by the brokers, the document does not name it; its groups count, and it is none of the topics.
        ``calls``: what its own sentence calls by name.
        """
        self.take(Addend(figures, is_all, calls), is_made)
        if calls is not None and not is_made and calls.unread_us > self.unread_us:
            self.unread, self.unread_us = calls.unread, calls.unread_us

    def take(self, one: Addend, is_made: bool) -> None:
        """One more topic, without what its sentence calls by name."""
        if one.figures and one.figures["coordinators"]:
            self.groups = one.figures
        if is_made:
            for key in ("groups_down", "groups_lost", "groups_down_us"):
                self._amounts[KEYS.index(key)] += one.figures.get(key, 0)
            return
        self.topics += 1
        mine, sums = one.amounts, self._amounts
        count: i64 = len(mine)
        summed: i64 = SUMMED_END
        for i in range(count):
            if i < summed:
                sums[i] += mine[i]
            elif mine[i] > sums[i]:
                sums[i] = mine[i]
        self.ended += one.ended
        self.topics_lost += one.is_lost
        self.stopped += one.stopped
        self.leaderless += one.leaderless
        self.topics_stopped += one.is_stopped
        self.waits_before_leader |= one.waits_before_leader
        self.write_us = max(self.write_us, one.write_us)
        self.past_us = max(self.past_us, one.past_us)
        if one.write_client_us > self.write_client_us:
            self.write_client_us, self.write_same_us = one.write_client_us, one.write_same_us
            self.write_goes_on, self.write_in_parts = one.write_goes_on, one.write_in_parts
            self.write_before_leader = one.write_before_leader
        if one.read_client_us > self.read_client_us:
            self.read_client_us, self.read_same_us = one.read_client_us, one.read_same_us
            self.read_goes_on, self.read_in_parts = one.read_goes_on, one.read_in_parts

    def told(self, cluster: "Cluster") -> str:
        """The sentence, with the words that nobody can elect where that is so."""
        return with_quorum(self.sentence(), self.topics_lost > 0, cluster)

    def sentence(self) -> str:
        """The gravest true fact about all of them, then that topics were deleted."""
        said = self._gravest()
        if not self.deleted:
            return said
        were = plural(self.deleted, "topic was", "topics were")
        return f"{no_loss(self.sums) if said == NOTHING_WRONG else said} {were} deleted, as asked."

    def _gravest(self) -> str:
        """The gravest true fact about all of them."""
        self.sums = {key: int(amount) for key, amount in zip(KEYS, self._amounts, strict=True)}
        sums = self.sums
        gone, groups = self._gone(), group_stop_now(self.groups)
        unread = unreadable_words(sums["unreadable"]) if groups and sums["hidden"] and not gone else ""
        told = " ".join(part for part in (gone, unread, groups) if part)
        if told:
            return " ".join(part for part in (told, self._beside_words()) if part) + self._going_on()
        unreadable = unreadable_words(sums["unreadable"]) if sums["unreadable"] else ""
        if sums["unled"]:
            what = plural(sums["unled"], "partition", "partitions")
            return (
                f"Nobody may lead {what}: no replica is in the ISR or the ELR. {unreadable}".rstrip() + self._going_on()
            )
        if sums["duplicated"] or sums["by_application"]:
            return f"{doubled_words(sums['duplicated'], sums['by_application'])}{self._going_on()}"
        if self.stopped:
            told = f"{unreadable} {self._stopped_words()}.".lstrip() + self._going_on()
            beside = self._beside_words()
            unread = self.unread if self.unread != beside else ""
            return " ".join(part for part in (told, beside, failed_words(sums), unread) if part)
        if unreadable:
            return f"{unreadable}{self._going_on()}"
        handed_over = handed_over_words(sums["handed_over"], sums["vanished"], False)
        parts = (self._write_words(), self._read_words(), self.unread, self._other_words())
        waits = " ".join(part for part in parts if part)
        if waits or handed_over:
            return f"{handed_over or no_loss(sums)} {waits}".rstrip()
        if self.ended:
            return no_loss(sums) if sums["stopped_1"] else NOTHING_WRONG
        return ONLY_MIRRORED if self.is_mirrored else NOTHING_YET

    def _gone(self) -> str:
        """The words on losses: records of this run and from before it, committed offsets."""
        sums = self.sums
        parts = []
        if sums["lost"]:
            where = self._in_topics(self.topics_lost)
            parts.append(lost_words(sums["lost"], sums["recovered"], sums["lost_again"], where))
            parts.append(vain_words(sums))
        if sums["lost_before"]:
            where = "" if sums["lost"] else self._in_topics(self.topics_lost)
            are = plural(sums["lost_before"], "record from before the run is", "records from before the run are")
            parts.append(f"{are} gone{where}.")
        if sums["groups_lost"]:
            of = plural(sums["groups_lost"], "group", "groups")
            parts.append(f"The committed offsets of {of} are gone.")
        return " ".join(part for part in parts if part)

    def _beside_words(self) -> str:
        """Further stops beside what is graver, as a topic's sentence has them (``sentence.beside_words``)."""
        us, silent_us = int(self.read_client_us), self.sums["silent_us"]
        if us > LONG_US and us - THETA_US > max(int(self.write_client_us), silent_us) and not self.sums["hidden"]:
            return self._read_words() or self.unread
        if self.stopped:
            return past_words(int(self.past_us), silent_us)
        return self._write_words() if self.write_client_us > LONG_US else ""

    def _write_words(self) -> str:
        client_us, longest_us = int(self.write_client_us), self.sums["longest_wait_us"]
        all_us = self.sums["write_down_all_us"]
        writable = f"{WRITABLE} {NOT_BY_ALL} {seconds(all_us)}" if all_us else WRITABLE
        besides = NOT_LED_YET if self.write_before_leader else writable
        servers = f"{seconds(int(self.write_same_us))} by the servers" if self.write_us else besides
        if client_us:
            stood = "have stood" if self.write_goes_on else "stood"
            return f"Writes {stood} still for up to {in_all(client_us, self.write_in_parts)} ({servers})."
        if longest_us > THETA_US:
            stayed = "" if all_us or self.waits_before_leader else f" ({WRITABLE})"
            return f"A send() waited {seconds(longest_us)} for its response{stayed}."
        return ""

    def _servers_sentence(self) -> str:
        """A sentence on a servers' outage that no client felt."""
        sums = self.sums
        if self.write_client_us or self.read_client_us:
            return ""
        record = record_words(sums["write_down_1_us"], int(self.write_us), sums["read_down_us"], "up to ")
        waited = "" if sums["longest_wait_us"] > THETA_US else "No send() waited longer than 1 s. "
        return f"{waited}By the servers' record a partition {record}." if record else ""

    def _read_words(self) -> str:
        client_us, servers_us = int(self.read_client_us), self.sums["read_down_us"]
        if client_us and client_us <= self.unread_us:
            return ""
        if client_us:
            stood_us = self.sums["write_down_all_us"]
            served = f"{READABLE}, but took no acks=all writes for up to {seconds(stood_us)}" if stood_us else READABLE
            servers = servers_part(int(self.read_same_us), "" if servers_us else served)
            got = "has got" if self.read_goes_on else "got"
            return f"A reader {got} nothing for up to {in_all(client_us, self.read_in_parts)}{servers}."
        if self.sums["longest_read_us"] > THETA_US:
            return f"A record reached its reader after {seconds(self.sums['longest_read_us'])}."
        return ""

    def _other_words(self) -> str:
        parts = [self._servers_sentence(), failed_words(self.sums)]
        if self.groups:
            parts.append(group_stop_words(self.groups))
        return " ".join(part for part in parts if part)

    def _in_topics(self, count: i64) -> str:
        return f" in {plural(int(count), 'topic', 'topics')}" if count < self.topics else ""

    def _going_on(self) -> str:
        """The words on the topics that keep working, where some do not."""
        if not self.topics_stopped:
            return ""
        going = self.topics - self.topics_stopped
        if not going:
            return " No topic works as a whole."
        return f" {int(going):,} of {int(self.topics):,} topics {'keeps' if going == 1 else 'keep'} working."

    def _stopped_words(self) -> str:
        unled, short = int(self.leaderless), int(self.stopped - self.leaderless)
        parts = [f"to {plural(unled, 'partition', 'partitions')} wait for a leader"] if unled else []
        if short:
            parts.append(f"with acks=all to {plural(short, 'partition', 'partitions')} wait for members of the ISR")
        return f"Writes {listed(parts)}"
