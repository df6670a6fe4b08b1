"""Every sentence of a verdict held against the facts: each figure is recounted as calls, records and readers.

``KINDS`` has the form of each kind of sentence and what must be so. A sentence that no form takes is an error: a new
kind of sentence needs a recount. In a form, ``<n>`` is a number, ``<s>`` a time in seconds, ``<names>`` some names.
"""

import re
from collections.abc import Callable
from typing import Final

from simengine.verdict.outage import THETA_US
from tests.recount.told_figures import Told

Found = re.Match[str]
Check = Callable[[Told, Found], bool]

PLACES: Final = {
    "<n>": r"(\d[\d,]*)",
    "<s>": r"(\d+\.\d) s",
    "<at>": r"(\d+\.\d+) s",
    "<names>": r"(?:[^ ,]+|[^ ,]+(?:, [^ ,]+)* (?:and|or) [^ ,]+|\d+ partitions|\d+ consumers)",
    "<in topics>": r"(?: in \d+ topics?)?",
    "<mode>": r"acks=(all|1|0)",
    "<servers>": r"\((?:<s> by the servers|the topics? (?:itself|themselves) stayed (?:writ|read)able<not all>)\)",
    "<not all>": "(?: with acks=1, but took no acks=all writes for <t>|, but took no <all>writes for <up to><t>)?",
    "<all>": "(?:acks=all )?",
    "<to some>": r"(?: to (\d+) of \d+ partitions)?",
    "<up to>": "(?:up to )?",
    "<modes>": r"(?: with acks=\w+)?(?:(?: and|,)? (?:and )?(?:acks=\w+|to \d+ of \d+ partitions with acks=\w+))*",
    "<in all>": "( in all)?",
    "<so long>": r"(?:, for <up to><s> now)?",
    "<sent again>": "the application sent (?:it|them) again",
    "<and one>": "(?: and one could not be read for <up to><t>)?",
    "<t>": r"\d+\.\d s",
}


def number(text: str | None) -> int:
    """A number with commas; 0 for none."""
    return int((text or "0").replace(",", ""))


def same(us: int, text: str) -> bool:
    """True if a time is told as this text."""
    return f"{us / 1e6:.1f}" == text


def is_gone(told: Told, m: Found) -> bool:
    """So many records of this run and from before it are gone."""
    return (told.gone(), told.lost_before()) == (number(m[1]), number(m[2]))


def are_back(told: Told, m: Found) -> bool:
    """All that was lost came back."""
    return told.gone() == 0 and told.recovered() == number(m[1])


def is_twice(told: Told, m: Found) -> bool:
    """So many records stand twice, so many of them by the application."""
    return told.twice() == number(m[1]) and (m[2] is None or told.by_application() == number(m[2]))


def is_handed_over(told: Told, m: Found) -> bool:
    """So many records were handed over, and so many vanished."""
    return told.handed_over() == number(m[1]) and told.vanished() == number(m[2])


def some_wait(told: Told, m: Found) -> bool:
    """Calls wait in so many partitions."""
    return told.waiting() >= max(1, number(m[1])) and (m[2] is None or told.waits_for(m[2]))


def for_leader(told: Told, m: Found) -> bool:
    """Calls have waited so long, and a partition has no leader."""
    return told.unled() > 0 and told.waits_for(m[1])


def are_stopped(told: Told, m: Found) -> bool:
    """Calls have waited so long."""
    return told.waits_for(m[1]) and (not m[2] or told.unled() > 0)


def writes_stood(told: Told, m: Found) -> bool:
    """Some producer had no response for so long, and the servers were out for so much of it."""
    is_so_long = same(told.no_response_us(), m[2]) and told.is_sum(m[2], bool(m[3]))
    return is_so_long and told.served_not(m[2], m[4]) and stood_in(told, m[1])


def stood_in(told: Told, partitions: str | None) -> bool:
    """Some producer had no response in just so many partitions, where the number is told."""
    return partitions is None or told.stood_partitions() == number(partitions)


def first_mode_stood(told: Told, m: Found) -> bool:
    """The same of one mode of acks."""
    is_so_long = same(told.no_response_us(m[2]), m[3]) and told.is_sum(m[3], bool(m[4]))
    return is_so_long and told.served_not(m[3], m[5]) and stood_in(told, m[1])


def mode_stood(told: Told, m: Found) -> bool:
    """Some producer had no response in a further mode of acks."""
    is_so_long = same(told.no_response_us(m[1]), m[2]) and told.is_sum(m[2], bool(m[3]))
    return is_so_long and told.served_not(m[2], m[4])


def reader_stood(told: Told, m: Found) -> bool:
    """Some reader had nothing for so long."""
    return told.reader_got_nothing(m[1]) and told.reads_not_served(m[1], m[3])


def is_going_on(told: Told, m: Found) -> bool:
    """Something waits."""
    return told.waiting() > 0 or told.longest_wait_us() > THETA_US


def has_none_gone(told: Told, m: Found) -> bool:
    """No record is gone."""
    return not told.lost() and not told.lost_before()


KINDS: Final[dict[str, Check]] = {
    r"Nothing has been acknowledged\.": lambda told, m: not told.written(),
    r"Only MirrorMaker has written here\.": lambda told, m: not told.written(),
    r"Nothing was lost and nothing stopped\.": lambda told, m: told.is_well() and not told.undecided(),
    r"Nothing (?:acknowledged was lost|lost)\.": lambda told, m: has_none_gone(told, m) and not told.undecided(),
    r"Nothing lost yet\.": has_none_gone,
    # records
    r"<n> acknowledged records? (?:is|are) gone<in topics>\.": lambda told, m: told.gone() == number(m[1]),
    r"<n> more came back: <sent again>\.": lambda told, m: told.recovered() == number(m[1]),
    r"<n> acknowledged records? (?:was|were) lost<in topics> and came back: <sent again>\.": are_back,
    r"Everything that was in it is gone: (?:<n> records? of this run and )?<n>(?: records?)? from before\.": is_gone,
    r"(?:<n> acknowledged records? and )?(?:[Aa]ll )?<n> records? from before the run (?:is|are) gone<in topics>\.": (
        is_gone
    ),
    r"For <s> every record that a partition acknowledged to a producer was already lost\.": lambda told, m: same(
        told.vain_us(), m[1]
    ),
    r"<n> records? exists? more than once(?:, <n> of them because <sent again>|: <sent again>)?\.": is_twice,
    r"<n> records? (?:was|were) handed over with acks=0(?:: (?:none|<n>) vanished)?\.": is_handed_over,
    r"<n> acknowledged records? cannot be read\.": lambda told, m: told.is_unreadable(number(m[1])),
    r"Nobody may lead <names>: no replica is in the ISR or the ELR\.": lambda told, m: told.unled() > 0,
    # writes that wait now
    r"<n> of \d+ partitions (?:is|are) waiting(?: for a leader)?<so long>\.": some_wait,
    r"Writes<modes> wait(?: for a leader)?\.": lambda told, m: told.waiting() > 0,
    r"Writes<modes> have waited <up to><s> for a leader\.": for_leader,
    r"Writes<modes> have been stopped for <s>( and wait for a leader)?\.": are_stopped,
    r"Writes to <n> partitions? wait for a leader"
    r"(?: and with acks=all to <n> partitions? wait for members of the ISR)?\.": (
        lambda told, m: told.waiting() >= number(m[1]) + number(m[2])
    ),
    r"Writes with acks=all to <n> partitions? wait for members of the ISR\.": (
        lambda told, m: told.waiting() >= number(m[1])
    ),
    # stops of producers and readers
    r"Writes<to some> (?:have )?stood still for <up to><s><in all> <servers>\.": writes_stood,
    r"Writes<to some> with <mode> (?:have )?stood still for <up to><s><in all> <servers>": first_mode_stood,
    r",? ?(?:and )?with <mode> for <up to><s><in all> <servers>": mode_stood,
    r"An earlier stop of writes lasted <s>\.": lambda told, m: told.a_stop_lasted(m[1]),
    r"\.": lambda told, m: True,  # behind the last mode of several
    r"A send\(\) (?:has )?waited <s> for its response(?: <servers>)?\.": lambda told, m: same(
        told.longest_wait_us(), m[1]
    ),
    r"A reader (?:has )?got nothing for <up to><s><in all>(?: <servers>)?\.": reader_stood,
    r"A reader has got nothing for <s>; one got nothing for <s> in all\.": (
        lambda told, m: told.reader_got_nothing(m[2])
    ),
    r"A record reached its reader after <s>\.": lambda told, m: same(told.longest_read_us(), m[1]),
    r"<n> send\(\) calls? failed\.": lambda told, m: told.failed() == number(m[1]),
    # the servers alone
    r"No send\(\) waited longer than 1 s\.": lambda told, m: told.longest_wait_us() <= THETA_US,
    r"By the servers' record a partition had no working leader for <up to><s>[^.]*(?:\.\d s[^.]*)*\.": (
        lambda told, m: told.nobody_waited() and told.was_out(m[0])
    ),
    r"By the servers' record a partition (?:took no acks=all writes|could not be read) for <up to><s><and one>\.": (
        lambda told, m: told.nobody_waited()
    ),
    r"(?:Nobody|Only MirrorMaker) writes to it; "
    r"by the servers it (?:cannot be written|takes no acks=all writes), for <s> now\.": lambda told, m: (
        not told.written()
    ),
    r"(?:Nobody|Only MirrorMaker) wrote to it; "
    r"by the servers it (?:could not have been written|would have taken no acks=all writes) for <s>\.": (
        lambda told, m: not told.written()
    ),
    # readers without a position, or past records
    r"(?:Group|Consumer) ([^ ]+) has read nothing of <names> since <at>(?:: [^.]*)?\.": (
        lambda told, m: told.has_no_position(m[1], round(float(m[2]) * 1e6))
    ),
    r"Consumer ([^ ]+) waited <s> for its position in <names>\.": lambda told, m: told.had_no_position(m[1], m[2]),
    r"Group ([^ ]+) read nothing of <names> for <s>\.": lambda told, m: told.had_no_position(m[1], m[2]),
    r"<names> missed <n> records? of <names>(?:: retention had removed (?:it|them|[\d,]+ of them))?(?:[:;] [^:;]* "
    r"jumped over (?:it|them|[\d,]+ of them))*\.": (
        lambda told, m: told.missed() >= number(m[1]) > 0 and told.resets_are_told(m[0])
    ),
    # groups
    r"The committed offsets of (?:groups? (<names>)|\d+ groups?) are gone\.": lambda told, m: told.has_committed(m[1]),
    r"Committed offsets are gone: <n> records? from before the run (?:is|are) no longer there\.": (
        lambda told, m: told.lost_before() == number(m[1])
    ),
    r"No group can join or commit "
    r"\(<n> of \d+ coordinator partitions (?:ha(?:s|ve) no working leader|cannot be written)\)\.": (
        lambda told, m: told.blocked() == number(m[1])
    ),
    r"No group of <n> of the <n> coordinator partitions can join or commit: [^.]*\.": (
        lambda told, m: told.blocked() >= number(m[1]) < number(m[2])
    ),
    r"(?:No group could join or commit|Some groups could neither join nor commit) for <up to><s> by the servers\.": (
        lambda told, m: told.commits_paused(m[1])
    ),
    # all topics, and the controllers
    r"No committed offset was lost and no group waited\.": lambda told, m: not told.lost_before(),
    r"<n> topics? (?:was|were) deleted, as asked\.": lambda told, m: True,
    r"<n> of <n> topics keeps? working\.": lambda told, m: number(m[1]) < number(m[2]),
    r"No topic works as a whole\.": is_going_on,
    r"The topic was deleted, as asked: (?:(?:[\d,]+ acknowledged records?|[\d,]+ records? from before the run|"
    r"[\d,]+ records? of this run and [\d,]+ from before) went with|nothing acknowledged stood in) it\.": (
        lambda told, m: told.is_deleted()
    ),
    r"(?:\d+ of \d+ controllers (?:is|are) gone|Every controller is gone|No controller reaches a majority of them): "
    r"nobody can elect a leader\.": lambda told, m: told.has_no_controller(),
}


def filled(form: str) -> re.Pattern[str]:
    """The pattern of a form, its places filled in, also those within places."""
    while places := re.findall(r"<[a-z ]+>", form):
        for place in places:
            form = form.replace(place, PLACES[place])
    return re.compile(form)


FORMS: Final = [(filled(form), check) for form, check in KINDS.items()]


def parts_of(sentence: str) -> list[tuple[Found, Check]]:
    """The sentences in a text, each with its recount. Raises ValueError for one that has none."""
    found: list[tuple[Found, Check]] = []
    rest = sentence.strip()
    while rest:
        taken = [(match, check) for form, check in FORMS if (match := form.match(rest))]
        if not taken:
            raise ValueError(f"no recount for: {rest}")
        match, check = max(taken, key=lambda one: one[0].end())
        found.append((match, check))
        rest = rest[match.end() :].strip()
    return found


def untrue(sentence: str, told: Told) -> list[str]:
    """The parts of a sentence that the facts deny."""
    return [f"{match[0]} ({told.why()})" for match, check in parts_of(sentence) if not check(told, match)]
