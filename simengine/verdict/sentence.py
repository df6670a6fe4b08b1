"""The verdict on one topic in words: one or two plain sentences for the gravest true fact (``ui.md`` 14.3).

What is gone comes first, from before the run too; then groups, what stands twice, what cannot be read, what stops. A
stop is what the application got: no response, or no records. In brackets stands how long the servers were out in that
very stop. What the servers' state says besides has a sentence of its own. "Nothing stopped" needs that no call and no
reader waited longer than theta, which `severity` decides.
"""

from typing import Final, NamedTuple

from simengine.facts.kinds import SEVERITY_OK
from simengine.verdict.outage import THETA_US
from simengine.verdict.severity import severity_of

Figures = dict[str, int]

NOTHING_YET: Final = "Nothing has been acknowledged."  # which is no praise
ONLY_MIRRORED: Final = "Only MirrorMaker has written here."
NO_LOSS: Final = "Nothing acknowledged was lost."
NOTHING_WRONG: Final = "Nothing was lost and nothing stopped."
WRITABLE: Final = "the topic itself stayed writable"
NOT_BY_ALL: Final = "with acks=1, but took no acks=all writes for"
IN_VAIN: Final = "a partition acknowledged only records that were lost already"
READABLE: Final = "the topic itself stayed readable"
SHORT_US: Final = 500_000  # how much longer than its leader is away a call may wait and be said to wait for one
NAMED_MAX: Final = 3  # so many groups or partitions are named, of more the number is told


class Named(NamedTuple):
    """What a topic's sentence calls by name."""

    groups: tuple[str, ...] = ()  # whose committed offsets are gone
    unled: tuple[str, ...] = ()  # partitions that nobody may lead
    unread: str = ""  # the sentence on who has, or had, no position to read from ...
    unread_us: int = 0  # ... for how long at most
    is_deleted: bool = False  # the topic, by an action
    deleted: int = 0  # acknowledged records that went with it
    skipped: str = ""  # the sentence on who missed records
    stops: "tuple[ModeStop, ...]" = ()  # of each mode of acks, where calls were made in more than one
    is_mirrored: bool = False  # MirrorMaker has written to the topic


class ModeStop(NamedTuple):
    """How long calls of one mode of acks had no response, by the producer and partition that had none for longest."""

    mode: str
    us: int
    same_us: int  # of it: the servers were out
    is_waiting: bool  # some wait now because of the servers


class Waiting(NamedTuple):
    """Writes of a topic that wait at this moment because of the servers."""

    stopped: int  # partitions
    partitions: int
    us: int  # for how long the one that has waited longest has; 0: too short to be told
    for_leader_us: int  # of it without a leader, if all that wait do so for one; -1: some wait for members of their ISR
    all_us: int  # the stops before included
    what: str = "Writes"  # what waits: "Writes with acks=all" where calls of other modes do not


def sentence(figures: Figures, partitions: int, is_all: bool, named: Named | None = None) -> str:
    """What every page and command says of a topic.

    ``figures`` are those of ``VerdictChanged``; ``is_all``: the topic is written with acks=all.
    """
    named = named or Named()
    said = figures_words(figures, partitions, is_all, named)
    if named.is_deleted:
        said = deleted_words(figures, said, named.deleted)
    return f"{said} {named.skipped}".rstrip()


def deleted_words(figures: Figures, said: str, records: int) -> str:
    """A topic that was deleted; what was wrong with it before then is told as well."""
    went = plural(records, "acknowledged record", "acknowledged records")
    with_it = f"{went} went with it" if records else "nothing acknowledged stood in it"
    is_grave = figures["lost"] or figures["lost_before"] or figures["duplicated"]
    return f"The topic was deleted, as asked: {with_it}. {said if is_grave else failed_words(figures)}".rstrip()


def figures_words(figures: Figures, partitions: int, is_all: bool, named: Named) -> str:
    """What the figures of a topic come to."""
    if figures["coordinators"]:
        said = group_words(figures, named.groups)
        if said:
            return said
    elif figures["lost"] or figures["lost_before"]:
        return f"{gone_words(figures, figures['emptied'] == partitions)} {vain_words(figures)}".rstrip()
    if named.unled:
        return unled_words(figures, named.unled)
    doubled = doubled_words(figures["duplicated"], figures["by_application"])
    handed_over = handed_over_words(figures["handed_over"], figures["vanished"], figures["stopped_1"] > 0)
    told = unreadable_words(figures["unreadable"]) if figures["hidden"] else handed_over
    told = f"{doubled} {told}".strip()
    if figures["waiting"]:
        now = still_stopped(waiting(figures, partitions, named), told)
        return " ".join(part for part in (now, failed_words(figures), named.unread) if part)
    if figures["hidden"]:
        return told
    waits = f"{stopped_words(figures, is_all, named)} {named.unread}".strip()
    if waits or told:
        return f"{told or NO_LOSS} {waits}".rstrip()
    if not is_written(figures):
        return ONLY_MIRRORED if named.is_mirrored else NOTHING_YET
    return NOTHING_WRONG if severity_of(figures, is_all) == SEVERITY_OK else NO_LOSS


def is_written(figures: Figures) -> bool:
    """Whether the application has made any call."""
    ended = figures["acked"] or figures["refused"] or figures["unknown"] or figures["handed_over"]
    return bool(ended or figures["longest_wait_us"])


def stopped_words(figures: Figures, is_all: bool, named: Named) -> str:
    """What stopped, for how long: the application's time, and the servers' in brackets; "" where nothing did.

    A reader that had no position is told by a sentence of its own.
    """
    servers_us = figures["write_down_all_us" if is_all else "write_down_1_us"]
    if not is_written(figures):
        return unused_words(servers_us, figures, named)
    parts = [
        write_words(figures, named.stops),
        read_words(figures, named.unread_us),
        servers_sentence(figures, servers_us),
        failed_words(figures),
    ]
    return " ".join(part for part in parts if part)


def vain_words(figures: Figures) -> str:
    """For how long at most a producer was responded to in vain; "" where it was not."""
    return f"For {seconds(figures['vain_us'])} {IN_VAIN}." if figures["vain_us"] and figures["lost"] else ""


def servers_sentence(figures: Figures, servers_us: int) -> str:
    """What the servers were out for where no client felt it; "" where a client did, or they were not."""
    if figures["write_down_client_us"] or figures["read_down_client_us"]:
        return ""
    record = record_words(figures["write_down_1_us"], servers_us, figures["read_down_us"])
    waited = "" if figures["longest_wait_us"] > THETA_US else "No send() waited longer than 1 s. "
    return f"{waited}By the servers' record the topic {record}." if record else ""


def record_words(unled_us: int, down_us: int, read_us: int, up_to: str = "") -> str:
    """What the servers' record says of a topic; "" where nothing was out. ``down_us``: as it is written."""
    parts = [f"had no working leader for {up_to}{seconds(unled_us)}"] if unled_us else []
    if down_us > unled_us + THETA_US:
        parts.append(f"took no acks=all writes for {up_to}{seconds(down_us)}")
    if read_us > unled_us + THETA_US:
        parts.append(f"could not be read for {up_to}{seconds(read_us)}")
    return listed(parts) if parts else ""


def failed_words(figures: Figures) -> str:
    """How many calls ended without a success; "" where none did."""
    failed = figures["refused"] + figures["unknown"]
    return f"{plural(failed, 'send() call', 'send() calls')} failed." if failed else ""


def unused_words(servers_us: int, figures: Figures, named: Named) -> str:
    """Of a topic that no application wrote to."""
    reads = read_words(figures, named.unread_us)
    who = "Only MirrorMaker" if named.is_mirrored else "Nobody"
    now_us = figures["waits_all_us"]
    if now_us:
        return f"{who} writes to it; by the servers it cannot be written, for {seconds(now_us)} now. {reads}".rstrip()
    if not servers_us:
        return reads
    could = f"by the servers it could not have been written for {seconds(servers_us)}"
    return f"{who} wrote to it; {could}. {reads}".rstrip()


def write_words(figures: Figures, stops: tuple[ModeStop, ...]) -> str:
    """How long writes stood still, of each mode of acks that did."""
    client_us = figures["write_down_client_us"]
    if client_us:
        stood = "have stood" if figures["client_waits_us"] else "stood"
        if not stops:
            return f"Writes {stood} still for {stop_words(figures, client_us, figures['write_same_us'])}."
        felt = sorted((stop for stop in stops if stop.us), key=lambda stop: -stop.us)
        times = [
            f"with acks={stop.mode} " + (f"{stood} still " if not i else "") + f"for "
            f"{stop_words(figures, stop.us, stop.same_us, stop.mode)}"
            for i, stop in enumerate(felt)
        ]
        return f"Writes {listed(times)}."
    if figures["longest_wait_us"] > THETA_US:
        waits = "has waited" if figures["client_waits_us"] >= figures["longest_wait_us"] else "waited"
        stayed = "" if figures["write_down_all_us"] else f" ({WRITABLE})"
        return f"A send() {waits} {seconds(figures['longest_wait_us'])} for its response{stayed}."
    return ""


def stop_words(figures: Figures, us: int, same_us: int, mode: str = "") -> str:
    """How long a stop of writes was, and in brackets how long the servers were out in it."""
    all_us, is_out = figures["write_down_all_us"], figures["write_down_1_us"] > 0
    if same_us or is_out or (mode == "all" and all_us):
        return f"{seconds(us)} ({seconds(same_us)} by the servers)"
    writable = f"{WRITABLE} {NOT_BY_ALL} {seconds(all_us)}" if all_us else WRITABLE
    return f"{seconds(us)} ({writable})"


def read_words(figures: Figures, unread_us: int) -> str:
    """How long reads stood still; "" where the longest was that of a reader without a position."""
    client_us = figures["read_down_client_us"]
    if client_us and client_us <= unread_us:
        return ""
    now_us = figures["read_waits_us"]
    if 0 < now_us < client_us:
        return f"A reader has got nothing for {seconds(now_us)} ({seconds(client_us)} in all)."
    if client_us:
        got = "has got" if now_us else "got"
        stood_us = figures["write_down_all_us"]  # the leader served, and committed nothing new
        served = f"{READABLE}, but took no acks=all writes for {seconds(stood_us)}" if stood_us else READABLE
        is_out = figures["read_down_us"] > 0
        servers = f"{seconds(figures['read_same_us'])} by the servers" if is_out else served
        return f"A reader {got} nothing for {seconds(client_us)} ({servers})."
    if figures["longest_read_us"] > THETA_US:
        return f"A record reached its reader after {seconds(figures['longest_read_us'])}."
    return ""


def gone_words(figures: Figures, is_everything: bool) -> str:
    """Records that are gone: of this run, and from before it."""
    lost, before = figures["lost"], figures["lost_before"]
    if not before:
        return lost_words(lost, figures["recovered"], figures["lost_again"])
    gone = lost - figures["recovered"] - figures["lost_again"]
    if is_everything:
        from_before = f"{before:,}" if gone else plural(before, "record", "records")
        of_run = f"{plural(gone, 'record', 'records')} of this run and " if gone else ""
        return f"Everything that was in it is gone: {of_run}{from_before} from before."
    all_ = "all " if before == figures["before"] > 1 else ""
    from_before = f"{all_}{plural(before, 'record', 'records')} from before the run"
    if not gone:
        return f"{from_before[0].upper()}{from_before[1:]} {'is' if before == 1 else 'are'} gone."
    return f"{plural(gone, 'acknowledged record', 'acknowledged records')} and {from_before} are gone."


def group_words(figures: Figures, groups: tuple[str, ...]) -> str:
    """What became of the consumer groups whose coordinators are this topic's leaders; "" where nothing did."""
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
    """How long groups could neither join nor commit, or that they cannot."""
    down, of, leaderless = figures["groups_down"], figures["coordinators"], figures["stopped_1"]
    if down and figures["waits_all_us"]:
        few = "has" if down == 1 else "have"
        why = f"{few} no leader" if leaderless == down else "cannot be written"
        if down == of:
            return f"No group can join or commit ({down} of {of} coordinator partitions {why})."
        few = f"{down} of the {of} coordinator partitions"
        return f"No group of {few} can join or commit: {'it' if down == 1 else 'they'} {why}."
    if not figures["groups_down_us"]:
        return ""
    who = "No group" if of == 1 else "Some groups"
    how = "could join or commit" if of == 1 else "could neither join nor commit"
    return f"{who} {how} for {'' if of == 1 else 'up to '}{seconds(figures['groups_down_us'])}."


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
    """What became of acknowledged records that were lost: which are gone, and which the application brought back.

    A record is lost once, also where several calls of it were acknowledged and lost. ``where``: in which topics.
    """
    gone = lost - lost_again - recovered
    if not gone:
        were = plural(recovered, "acknowledged record was", "acknowledged records were")
        return f"{were} lost{where} and came back: the application sent {them(recovered)} again."
    are = f"{plural(gone, 'acknowledged record is', 'acknowledged records are')} gone{where}"
    if not recovered:
        return f"{are}."
    return f"{are}. {recovered:,} more came back: the application sent {them(recovered)} again."


def doubled_words(by_retry: int, by_application: int) -> str:
    """Records that stand twice: a retry was appended again (PC-10), or the application sent them again (IDEM-7).

    "" where none does.
    """
    if not by_retry and not by_application:
        return ""
    twice = f"{plural(by_retry + by_application, 'record exists', 'records exist')} twice"
    if not by_application:
        return f"{twice}."
    again = f"the application sent {them(by_application)} again"
    return f"{twice}, {by_application:,} of them because {again}." if by_retry else f"{twice}: {again}."


def handed_over_words(count: int, vanished: int, is_leaderless: bool) -> str:
    """What became of records that nobody was to acknowledge (PROD-4); "" where there are none."""
    if not count:
        return ""
    were = plural(count, "record was", "records were")
    if is_leaderless and not vanished:
        return f"{were} handed over with acks=0."
    return f"{were} handed over with acks=0: {f'{vanished:,}' if vanished else 'none'} vanished."


def waiting(figures: Figures, partitions: int, named: Named) -> Waiting:
    """What waits now."""
    stopped = figures["waiting"]
    for_leader_us = figures["waits_1_us"] if figures["waiting_1"] >= stopped else -1
    waits = [stop.mode for stop in named.stops if stop.is_waiting]
    what = f"Writes with acks={waits[0]}" if len(waits) == 1 else "Writes"
    all_us = max(figures["write_down_client_us"], figures["silent_us"])
    return Waiting(stopped, partitions, figures["silent_us"], for_leader_us, all_us, what)


def still_stopped(waits: Waiting, told: str) -> str:
    """Writes that wait at this moment: the outcome is open. ``told``: what is graver, or is said of acks=0."""
    is_leaderless = waits.for_leader_us >= 0
    yet = told or "Nothing lost yet."
    in_all = f"{seconds(waits.all_us)} in all"
    waits_for = " for a leader" if is_leaderless else ""
    if waits.all_us > THETA_US:
        waits_for += f" (stopped for {in_all})"
    if waits.stopped * 2 == waits.partitions:
        return f"{yet} Half of the {waits.what.lower()} are waiting{waits_for}."
    if waits.stopped < waits.partitions:
        are = "is" if waits.stopped == 1 else "are"
        return f"{yet} {waits.stopped} of {waits.partitions} partitions {are} waiting{waits_for}."
    if not waits.us:
        return f"{yet} {waits.what} wait{waits_for}."
    lasted = seconds(waits.us)
    is_longer = waits.all_us - waits.us > THETA_US  # another stop was longer than theta
    if is_leaderless and waits.for_leader_us > waits.us - SHORT_US:
        before = f" (stopped for {in_all})" if is_longer else ""
        return f"{yet} {waits.what} have waited {lasted} for a leader{before}."
    before = f" ({in_all})" if is_longer else ""
    if is_leaderless:
        return f"{yet} {waits.what} have been stopped for {lasted}{before} and wait for a leader."
    return f"{told or 'Nothing lost.'} {waits.what} have been stopped for {lasted}{before}."


def them(n: int) -> str:
    """What stands for so many records."""
    return "it" if n == 1 else "them"


def seconds(us: int) -> str:
    """A time in seconds with one decimal."""
    return f"{us / 1e6:.1f} s"


def plural(n: int, one: str, many: str) -> str:
    """``1 record``, ``2 records``."""
    return f"{n:,} {one if n == 1 else many}"


def listed(names: tuple[str, ...] | list[str], joint: str = "and") -> str:
    """``P``, ``P and Q``, ``P, Q and R``; nobody for an empty list."""
    if len(names) < 2:
        return names[0] if names else "nobody"
    return f"{', '.join(names[:-1])} {joint} {names[-1]}"
