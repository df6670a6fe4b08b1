"""The verdict on one topic in words: one or two plain sentences for the gravest true fact (``ui.md`` 14.3).

What is gone comes first, from before the run too; then groups, doubled records, what cannot be read, what stops. A
stop is what the application got: no response, or no records; several stops of one client are told as a time "in all".
In brackets stands how long the servers were out in that very time. What the servers' state says besides has a sentence
of its own. "Nothing stopped" needs that no call and no reader waited longer than theta, which `severity` decides.
"""

from typing import Final, NamedTuple

from simengine.facts.kinds import SEVERITY_OK
from simengine.verdict.outage import THETA_US
from simengine.verdict.severity import severity_of
from simengine.words.phrases import listed, plural, seconds

Figures = dict[str, int]

NOTHING_YET: Final = "Nothing has been acknowledged."  # which is no praise
ONLY_MIRRORED: Final = "Only MirrorMaker has written here."
NO_LOSS: Final = "Nothing acknowledged was lost."
NONE_YET: Final = "Nothing lost yet."  # a partition has no leader: what of its log counts is not decided
NO_GROUP_WAITED: Final = "No committed offset was lost and no group waited."
NOTHING_WRONG: Final = "Nothing was lost and nothing stopped."
WRITABLE: Final = "the topic itself stayed writable"
NOT_LED_YET: Final = "the partition had no leader yet"
SENT_BEFORE: Final = "it was sent before the partition had a leader"
NOT_BY_ALL: Final = "with acks=1, but took no acks=all writes for"
ALL_LOST: Final = "every record that a partition acknowledged to a producer was already lost"
READABLE: Final = "the topic itself stayed readable"
LONG_US: Final = 15_000_000  # a stop longer than a usual failover is told beside records that are gone or hidden
SHORT_US: Final = 500_000  # how much longer than its leader is away a call may wait and be said to wait for one
NAMED_MAX: Final = 3  # so many groups or partitions are named, of more the number is told


class SentenceNames(NamedTuple):
    """The names and numbers that a topic's sentence needs beside the figures."""

    groups: tuple[str, ...] = ()  # whose committed offsets are gone
    unled: tuple[str, ...] = ()  # partitions that nobody may lead
    unread: str = ""  # the sentence on who has, or had, no position to read from ...
    unread_us: int = 0  # ... for how long at most
    is_deleted: bool = False  # the topic, by an action
    deleted: int = 0  # acknowledged records of this run that went with it
    deleted_before: int = 0  # and records from before the run
    skipped: str = ""  # the sentences on who missed records or read them again
    stops: "tuple[ModeStop, ...]" = ()  # of each mode of acks, where calls were made in more than one
    is_mirrored: bool = False  # MirrorMaker has written to the topic
    stood: int = 0  # partitions in which a producer had no response for longer than theta
    writes_in_parts: bool = False  # the longest time without a response is several stops of one producer
    writes_before_leader: bool = False  # that time began before the partition had its first leader
    waits_before_leader: bool = False  # the call that waited longest was made before that
    reads_in_parts: bool = False  # likewise, of one reader
    past_us: int = 0  # the longest stop in one go of a producer that has a response again, or makes no calls


class ModeStop(NamedTuple):
    """The longest time of calls in one mode of acks without a response: of one producer at one partition."""

    mode: str
    us: int
    same_us: int  # of it: the servers were out
    waiting: int  # partitions in which some wait now because of the servers
    in_parts: bool = False  # it is several stops


class WaitingWrites(NamedTuple):
    """Writes of a topic that wait at this moment because of the servers."""

    stopped: int  # partitions
    partitions: int
    us: int  # for how long the one that has waited longest has; 0: too short to be told
    for_leader_us: int  # of it without a leader, if all that wait do so for one; -1: some wait for members of their ISR
    what: str = "Writes"  # what waits: "Writes with acks=all" where calls of other modes do not


def sentence(figures: Figures, partitions: int, is_all: bool, named: SentenceNames | None = None) -> str:
    """The sentence on a topic, the same on every page and in every command.

    ``figures`` are those of ``VerdictChanged``; ``is_all``: the topic is written with acks=all.
    """
    named = named or SentenceNames()
    said = figures_words(figures, partitions, is_all, named)
    if named.is_deleted:
        said = deleted_words(figures, said, named)
    return f"{said} {named.skipped}".rstrip()


def deleted_words(figures: Figures, said: str, named: SentenceNames) -> str:
    """A topic that was deleted; what was wrong with it before then is told as well."""
    went = went_words(named.deleted, named.deleted_before)
    with_it = f"{went} went with it" if went else "nothing acknowledged stood in it"
    is_grave = figures["lost"] or figures["lost_before"] or figures["duplicated"]
    rest = said if is_grave else f"{slow_words(figures, '')} {failed_words(figures)}".strip()
    return f"The topic was deleted, as asked: {with_it}. {rest}".rstrip()


def went_words(records: int, before: int) -> str:
    """The records that went with a topic: acknowledged ones of this run, and those from before it; "" for none."""
    if not before:
        return plural(records, "acknowledged record", "acknowledged records") if records else ""
    if not records:
        return plural(before, "record from before the run", "records from before the run")
    return f"{plural(records, 'record', 'records')} of this run and {before:,} from before"


def figures_words(figures: Figures, partitions: int, is_all: bool, named: SentenceNames) -> str:
    """The sentence on a topic's figures, without deleted topics and skipped records."""
    if figures["coordinators"]:
        return group_words(figures, named.groups) or NO_GROUP_WAITED
    if figures["lost"] or figures["lost_before"]:
        gone = f"{gone_words(figures, figures['emptied'] == partitions)} {vain_words(figures)}".rstrip()
        now = still_stopped(waiting(figures, partitions, named), gone) if figures["waiting"] else gone
        return f"{now} {beside_words(figures, partitions, named)}".rstrip()
    if named.unled:
        return unled_words(figures, named.unled)
    doubled = doubled_words(figures["duplicated"], figures["by_application"])
    handed_over = handed_over_words(figures["handed_over"], figures["vanished"], figures["stopped_1"] > 0)
    told = unreadable_words(figures["unreadable"]) if figures["unreadable"] else handed_over
    told = f"{doubled} {told}".strip()
    if figures["waiting"]:
        now = still_stopped(waiting(figures, partitions, named), told or (NONE_YET if figures["stopped_1"] else ""))
        elsewhere = figures["client_waits_us"] > figures["silent_us"] + THETA_US  # the servers would take that call
        longer = slow_words(figures, "") if elsewhere else ""
        beside = beside_words(figures, partitions, named)
        unread = named.unread if named.unread != beside else ""
        return " ".join(part for part in (now, beside, longer, failed_words(figures), unread) if part)
    if figures["hidden"]:
        waits = slow_words(figures, "") if figures["client_waits_us"] > THETA_US else ""
        waits = beside_words(figures, partitions, named) or waits
        return " ".join(part for part in (told, waits, failed_words(figures), named.unread) if part)
    waits = f"{stopped_words(figures, partitions, is_all, named)} {named.unread}".strip()
    if waits or told:
        return f"{told or no_loss(figures)} {waits}".rstrip()
    if not is_written(figures):
        return ONLY_MIRRORED if named.is_mirrored else NOTHING_YET
    is_well = severity_of(figures, is_all) == SEVERITY_OK and not figures["stopped_1"]
    return NOTHING_WRONG if is_well else no_loss(figures)


def beside_words(figures: Figures, partitions: int, named: SentenceNames) -> str:
    """Further stops beside what is graver: a longer one before that which goes on, else the longest if it was long.

    What readers do not get while records are hidden is told by these records.
    """
    write_us, read_us = figures["write_down_client_us"], figures["read_down_client_us"]
    if read_us > LONG_US and read_us - THETA_US > max(write_us, figures["silent_us"]) and not figures["hidden"]:
        return read_words(figures, named) or named.unread
    if figures["waiting"]:
        return past_words(named.past_us, figures["silent_us"])
    return write_words(figures, partitions, named) if write_us > LONG_US else ""


def past_words(past_us: int, now_us: int) -> str:
    """The longest stop of writes that is over, beside a shorter one that goes on; "" where none was longer."""
    return f"An earlier stop of writes lasted {seconds(past_us)}." if past_us > now_us + THETA_US else ""


def no_loss(figures: Figures) -> str:
    """The words that nothing is lost: of records whose partition has no leader nobody knows that."""
    return NONE_YET if figures["stopped_1"] else NO_LOSS


def is_written(figures: Figures) -> bool:
    """True if the application has made any call."""
    ended = figures["acked"] or figures["refused"] or figures["unknown"] or figures["handed_over"]
    return bool(ended or figures["longest_wait_us"])


def stopped_words(figures: Figures, partitions: int, is_all: bool, named: SentenceNames) -> str:
    """The words on stops: the application's time, and the servers' in brackets; "" where nothing stopped.

    A reader that had no position is told by a sentence of its own.
    """
    servers_us = figures["write_down_all_us" if is_all else "write_down_1_us"]
    if not is_written(figures):
        return unused_words(servers_us, figures, named)
    parts = [
        write_words(figures, partitions, named),
        read_words(figures, named),
        servers_sentence(figures, servers_us),
        failed_words(figures),
    ]
    return " ".join(part for part in parts if part)


def vain_words(figures: Figures) -> str:
    """The longest time in which every acknowledgement of a producer was of a lost record; "" without such a time."""
    return f"For {seconds(figures['vain_us'])} {ALL_LOST}." if figures["vain_us"] and figures["lost"] else ""


def servers_sentence(figures: Figures, servers_us: int) -> str:
    """A sentence on a servers' outage that no client felt; "" if a client did, or there was none."""
    if figures["write_down_client_us"] or figures["read_down_client_us"]:
        return ""
    record = record_words(figures["write_down_1_us"], servers_us, figures["read_down_us"])
    waited = "" if figures["longest_wait_us"] > THETA_US else "No send() waited longer than 1 s. "
    return f"{waited}By the servers' record a partition {record}." if record else ""


def record_words(unled_us: int, down_us: int, read_us: int, up_to: str = "") -> str:
    """A clause on the servers' record of a topic; "" without an outage. ``down_us``: for the topic's mode of acks."""
    parts = [f"had no working leader for {up_to}{seconds(unled_us)}"] if unled_us else []
    if down_us > unled_us + THETA_US:
        parts.append(f"took no acks=all writes for {up_to}{seconds(down_us)}")
    if read_us > unled_us + THETA_US:
        parts.append(f"could not be read for {up_to}{seconds(read_us)}")
    return listed([*parts[:1], *(f"one {part}" for part in parts[1:])]) if parts else ""


def failed_words(figures: Figures) -> str:
    """The words on calls that ended without a success; "" if there are none."""
    failed = figures["refused"] + figures["unknown"]
    return f"{plural(failed, 'send() call', 'send() calls')} failed." if failed else ""


def unused_words(servers_us: int, figures: Figures, named: SentenceNames) -> str:
    """Of a topic that no application wrote to."""
    reads = read_words(figures, named)
    who = "Only MirrorMaker" if named.is_mirrored else "Nobody"
    now_us = figures["waits_all_us"]
    if now_us:
        takes = "cannot be written" if figures["waits_1_us"] else "takes no acks=all writes"
        return f"{who} writes to it; by the servers it {takes}, for {seconds(now_us)} now. {reads}".rstrip()
    if not servers_us:
        return reads
    could = "could not have been written" if figures["write_down_1_us"] else "would have taken no acks=all writes"
    return f"{who} wrote to it; by the servers it {could} for {seconds(servers_us)}. {reads}".rstrip()


def write_words(figures: Figures, partitions: int, named: SentenceNames) -> str:
    """A sentence on the stop of writes, in each mode of acks that stopped."""
    client_us = figures["write_down_client_us"]
    if not client_us:
        besides = SENT_BEFORE if named.waits_before_leader else "" if figures["write_down_all_us"] else WRITABLE
        return slow_words(figures, f" ({besides})" if besides else "")
    writes = f"Writes to {named.stood} of {partitions} partitions" if 0 < named.stood < partitions else "Writes"
    stood = "have stood" if figures["client_waits_us"] else "stood"
    up_to = "up to " if 1 < named.stood < partitions else ""
    if not named.stops:
        whole = ModeStop("", client_us, figures["write_same_us"], 0, named.writes_in_parts)
        return f"{writes} {stood} still for {up_to}{stop_words(figures, whole, named)}."
    felt = sorted((stop for stop in named.stops if stop.us), key=lambda stop: -stop.us)
    times = [
        f"with acks={stop.mode} "
        + (f"{stood} still " if not i else "")
        + f"for {up_to}{stop_words(figures, stop, named)}"
        for i, stop in enumerate(felt)
    ]
    return f"{writes} {listed(times)}."


def slow_words(figures: Figures, besides: str) -> str:
    """A sentence on the slowest call, with what is told besides; "" if no call took longer than theta."""
    if figures["longest_wait_us"] <= THETA_US:
        return ""
    waits = "has waited" if figures["client_waits_us"] >= figures["longest_wait_us"] else "waited"
    return f"A send() {waits} {seconds(figures['longest_wait_us'])} for its response{besides}."


def stop_words(figures: Figures, stop: ModeStop, named: SentenceNames) -> str:
    """The time of a stop of writes, and in brackets the servers' part of it."""
    all_us, is_out = figures["write_down_all_us"], figures["write_down_1_us"] > 0
    told = in_all(stop.us, stop.in_parts)
    if stop.same_us or is_out or (stop.mode == "all" and all_us):
        return f"{told} ({seconds(stop.same_us)} by the servers)"
    if named.writes_before_leader:
        return f"{told} ({NOT_LED_YET})"
    writable = f"{WRITABLE} {NOT_BY_ALL} {seconds(all_us)}" if all_us else WRITABLE
    return f"{told} ({writable})"


def in_all(us: int, in_parts: bool) -> str:
    """A time; of several stops their sum: nobody must take it for one stop."""
    return f"{seconds(us)} in all" if in_parts else seconds(us)


def read_words(figures: Figures, named: SentenceNames) -> str:
    """The words on reads that stood still; "" where the longest was that of a reader without a position."""
    client_us, unread_us = figures["read_down_client_us"], named.unread_us
    if client_us and client_us <= unread_us:
        return ""
    now_us = figures["read_waits_us"]
    if max(unread_us, 1) <= now_us < client_us:
        return f"A reader has got nothing for {seconds(now_us)}; one got nothing for {seconds(client_us)} in all."
    if client_us:
        got = "has got" if now_us == client_us else "got"
        stood_us = figures["write_down_all_us"]  # the leader served, and committed nothing new
        served = f"{READABLE}, but took no acks=all writes for {seconds(stood_us)}" if stood_us else READABLE
        servers = servers_part(figures["read_same_us"], "" if figures["read_down_us"] else served)
        return f"A reader {got} nothing for {in_all(client_us, named.reads_in_parts)}{servers}."
    if figures["longest_read_us"] > THETA_US:
        return f"A record reached its reader after {seconds(figures['longest_read_us'])}."
    return ""


def servers_part(same_us: int, served: str) -> str:
    """The bracket behind a reader's stop: how long the servers were out in it, or else what they did."""
    told = f"{seconds(same_us)} by the servers" if same_us else served
    return f" ({told})" if told else ""


def gone_words(figures: Figures, is_everything: bool) -> str:
    """Records that are gone: of this run, and from before it; and those that the application brought back."""
    lost, before, recovered = figures["lost"], figures["lost_before"], figures["recovered"]
    if not before:
        return lost_words(lost, recovered, figures["lost_again"])
    gone = lost - recovered - figures["lost_again"]
    if recovered:
        return f"{gone_with_before(gone, figures)} {back_words(recovered)}"
    if is_everything:
        from_before = f"{before:,}" if gone else plural(before, "record", "records")
        of_run = f"{plural(gone, 'record', 'records')} of this run and " if gone else ""
        return f"Everything that was in it is gone: {of_run}{from_before} from before."
    return gone_with_before(gone, figures)


def gone_with_before(gone: int, figures: Figures) -> str:
    """Records of this run that are gone, and with them some from before it."""
    before = figures["lost_before"]
    all_ = "all " if before == figures["before"] > 1 else ""
    from_before = f"{all_}{plural(before, 'record', 'records')} from before the run"
    if not gone:
        return f"{from_before[0].upper()}{from_before[1:]} {'is' if before == 1 else 'are'} gone."
    return f"{plural(gone, 'acknowledged record', 'acknowledged records')} and {from_before} are gone."


def group_words(figures: Figures, groups: tuple[str, ...]) -> str:
    """The words on the consumer groups whose coordinators are this topic's leaders; "" where nothing happened."""
    parts: list[str] = []
    if groups:
        of = (
            f"group{'s' if len(groups) > 1 else ''} {listed(groups)}"
            if len(groups) <= NAMED_MAX
            else f"{len(groups)} groups"
        )
        parts.append(f"The committed offsets of {of} are gone.")
    elif figures["lost_before"]:
        are = plural(figures["lost_before"], "record from before the run is", "records from before the run are")
        parts.append(f"Committed offsets are gone: {are} no longer there.")
    parts.append(group_stop_words(figures))
    return " ".join(part for part in parts if part)


def group_stop_words(figures: Figures) -> str:
    """The words on the time for which groups could neither join nor commit, or that they cannot now."""
    down, of, leaderless = figures["groups_down"], figures["coordinators"], figures["stopped_1"]
    if down and figures["waits_all_us"]:
        few = "has" if down == 1 else "have"
        why = f"{few} no working leader" if leaderless == down else "cannot be written"
        if down == of:
            return f"No group can join or commit ({down} of {of} coordinator partitions {why})."
        few = f"{down} of the {of} coordinator partitions"
        return f"No group of {few} can join or commit: {'it' if down == 1 else 'they'} {why}."
    if not figures["groups_down_us"]:
        return ""
    who = "No group" if of == 1 else "Some groups"
    how = "could join or commit" if of == 1 else "could neither join nor commit"
    up_to = "" if of == 1 else "up to "
    return f"{who} {how} for {up_to}{seconds(figures['groups_down_us'])} by the servers."


def group_stop_now(groups: Figures) -> str:
    """That groups can neither join nor commit now; "" where they can."""
    return group_stop_words(groups) if groups and groups["groups_down"] and groups["waits_all_us"] else ""


def unled_words(figures: Figures, unled: tuple[str, ...]) -> str:
    """Partitions that have neither a leader nor anybody who may become one."""
    what = listed(unled, "or") if len(unled) <= NAMED_MAX else f"{len(unled):,} partitions"
    unreadable = f" {unreadable_words(figures['unreadable'])}" if figures["unreadable"] else ""
    return f"Nobody may lead {what}: no replica is in the ISR or the ELR.{unreadable}"


def unreadable_words(count: int) -> str:
    """Acknowledged records that no consumer gets now."""
    return f"{plural(count, 'acknowledged record cannot', 'acknowledged records cannot')} be read."


def lost_words(lost: int, recovered: int, lost_again: int, where: str = "") -> str:
    """The words on lost acknowledged records: those that are gone, and those that the application brought back.

    A record is lost once, also where several calls of it were acknowledged and lost. ``where``: in which topics.
    """
    gone = lost - lost_again - recovered
    if not gone:
        were = plural(recovered, "acknowledged record was", "acknowledged records were")
        return f"{were} lost{where} and came back: the application sent {them(recovered)} again."
    are = f"{plural(gone, 'acknowledged record is', 'acknowledged records are')} gone{where}"
    if not recovered:
        return f"{are}."
    return f"{are}. {back_words(recovered)}"


def back_words(recovered: int) -> str:
    """Further records that were lost, and that the application brought back."""
    return f"{recovered:,} more came back: the application sent {them(recovered)} again."


def doubled_words(by_retry: int, by_application: int) -> str:
    """Records that stand twice or more: a retry was appended again (PC-10), or the application sent them (IDEM-7).

    "" where none does.
    """
    if not by_retry and not by_application:
        return ""
    told = f"{plural(by_retry + by_application, 'record exists', 'records exist')} more than once"
    if not by_application:
        return f"{told}."
    again = f"the application sent {them(by_application)} again"
    return f"{told}, {by_application:,} of them because {again}." if by_retry else f"{told}: {again}."


def handed_over_words(count: int, vanished: int, is_leaderless: bool) -> str:
    """The words on records sent with acks=0, which nobody acknowledges (PROD-4); "" if there are none."""
    if not count:
        return ""
    were = plural(count, "record was", "records were")
    if is_leaderless and not vanished:
        return f"{were} handed over with acks=0."
    return f"{were} handed over with acks=0: {f'{vanished:,}' if vanished else 'none'} vanished."


def waiting(figures: Figures, partitions: int, named: SentenceNames) -> WaitingWrites:
    """The writes that wait now."""
    stopped = figures["waiting"]
    for_leader_us = figures["waits_1_us"] if figures["waiting_1"] >= stopped else -1
    return WaitingWrites(stopped, partitions, figures["silent_us"], for_leader_us, waiting_modes(stopped, named.stops))


def waiting_modes(stopped: int, stops: tuple[ModeStop, ...]) -> str:
    """``Writes``, with the modes of acks that wait where another goes on in one of the ``stopped`` partitions."""
    if all(stop.waiting == stopped for stop in stops) or not any(stop.waiting for stop in stops):
        return "Writes"
    whole = [f"acks={stop.mode}" for stop in stops if stop.waiting == stopped]
    some = [
        f"to {stop.waiting} of {stopped} partitions with acks={stop.mode}"
        for stop in stops
        if 0 < stop.waiting < stopped
    ]
    return f"Writes {listed([f'with {listed(whole)}'] * bool(whole) + some)}"


def still_stopped(waits: WaitingWrites, told: str) -> str:
    """Writes that wait at this moment: the outcome is open. ``told``: what is graver, or is said of acks=0."""
    is_leaderless = waits.for_leader_us >= 0
    yet = told or NONE_YET
    waits_for = " for a leader" if is_leaderless else ""
    lasted = seconds(waits.us)
    is_whole = waits.for_leader_us > waits.us - SHORT_US  # they have waited for a leader all the time
    if waits.stopped < waits.partitions:
        are = "is" if waits.stopped == 1 else "are"
        up_to = "up to " if waits.stopped > 1 else ""
        since = f", for {up_to}{lasted} now" if waits.us else ""
        waits_for = waits_for if is_whole else ""
        return f"{yet} {waits.stopped} of {waits.partitions} partitions {are} waiting{waits_for}{since}."
    if not waits.us:
        return f"{yet} {waits.what} wait{waits_for}."
    up_to = "up to " if waits.partitions > 1 else ""
    if is_leaderless and is_whole:
        return f"{yet} {waits.what} have waited {up_to}{lasted} for a leader."
    if is_leaderless:
        return f"{yet} {waits.what} have been stopped for {lasted} and wait for a leader."
    return f"{told or 'Nothing lost.'} {waits.what} have been stopped for {lasted}."


def them(n: int) -> str:
    """The pronoun for so many records."""
    return "it" if n == 1 else "them"
