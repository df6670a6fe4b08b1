"""The table of attacks: the name, what the stranger does in words, and the function that does it."""

from typing import Final, NamedTuple

from tests.faults.strangers import against_rights, by_asking, by_documents, documents, on_the_wire
from tests.faults.strangers.by_documents import opened
from tests.faults.strangers.stranger import Attack, Stranger

SECONDS: Final = 6.0
LONG_SECONDS: Final = 15.0
EXPERIMENT_SECONDS: Final = 60.0


class Row(NamedTuple):
    """An attack. `seconds`: until it is ended; `has_experiment`: the visitor makes one of 20 short runs meanwhile."""

    name: str
    words: str
    attack: Attack
    seconds: float = SECONDS
    has_experiment: bool = False


def nothing(stranger: Stranger) -> None:
    """Nobody else is there."""
    stranger.hold()


def _paste(name: str, words: str, attack: Attack) -> Row:
    return Row(f"paste-{name}", f"pastes of one line of 3.9 MB: {words}, two at once", attack)


PARTITION: Final = "Topic: orders\tPartition: 0\tLeader: 1\t"
PRODUCERS: Final = "100 brokers, 10,000 partitions, 900 producers (185 kB)"
SUBSCRIPTIONS: Final = "10,000 partitions of 20 replicas, 950 consumers of all (1.5 MB)"
HEAVY: Final = (  # heavy runs, places and turns: these rows are in `make faults` as well
    "experiments",
    "describes",
    "facts",
    "sockets",
    "producers",
    "producers-six",
    "subscriptions",
    "subscriptions-again",
)
ATTACKS: Final = (
    Row("nobody", "nothing", nothing),
    Row("nobody-runs", "nothing, while she runs an experiment", nothing, EXPERIMENT_SECONDS, has_experiment=True),
    Row("experiments", "two experiments of 1,000 long runs", by_asking.experiments, EXPERIMENT_SECONDS, True),
    Row("chunked", "POST of unknown length, 400 × 1 MiB, four at once", on_the_wire.chunked),
    Row("held-back", "50 POSTs of 400 MB, 1 MiB sent, the rest held back", on_the_wire.held_back),
    Row("held-bodies", "60 bodies of 6.2 MB, the last byte held back", on_the_wire.held_bodies),
    Row("half-open", "1,000 connections with half a header", on_the_wire.half_open, LONG_SECONDS),
    Row("slow-headers", "300 headers letter by letter", on_the_wire.slow_headers, LONG_SECONDS),
    Row("slow-bodies", "300 bodies letter by letter", on_the_wire.slow_bodies, LONG_SECONDS),
    Row("long-paths", "GET of 60,000 letters, four at once", on_the_wire.long_paths),
    Row("7-mb", "uploads of 7 MB, four at once", on_the_wire.seven_megabytes),
    Row("aliases", "999 captions that alias a text of 20,000 letters, four at once", by_documents.aliases),
    _paste("topic", "`Topic: ` repeated", by_documents.pasted("Topic: ")),
    _paste("blanks", "blanks", by_documents.pasted(" ")),
    _paste("replicas", "`Replicas: 1,1,…`", by_documents.pasted_fields(f"{PARTITION}Replicas: 1", ",1")),
    _paste("configs", "`Configs: a=b,…`", by_documents.pasted_fields("Topic: orders\tConfigs: a=b", ",a=b")),
    _paste("ansi", "ANSI colours", by_documents.pasted("\x1b[31mTopic: a\x1b[0m ")),
    _paste("keys", "`h1:9092 (id: 1 rack: a) -> (` repeated", by_documents.pasted("h1:9092 (id: 1 rack: a) -> (")),
    Row("describes", "12 describes of a heavy run without a cookie", by_asking.describes, LONG_SECONDS),
    Row("facts", "40 ranges of facts of her run without a cookie", by_asking.facts),
    Row("pages", "40 readers of the longest pages, one search of 7 kB", by_asking.pages),
    Row("sockets", "600 sockets in her room", by_asking.sockets),
    Row("rooms", "104 uploads and sockets of two browsers", by_asking.rooms, LONG_SECONDS),
    Row("uploads", "uploads of new browsers with X-Forwarded-For", by_asking.uploads),
    Row("steering", "50 commands a second in her room", against_rights.steering),
    Row("edit-link", "HEAD and GET of her edit link, then an action", against_rights.edit_link),
    Row("other-sites", "posts without a token, sockets of another origin", against_rights.other_sites),
    Row("producers", f"{PRODUCERS}, opened", opened(documents.many_producers), LONG_SECONDS),
    Row("producers-six", f"{PRODUCERS}, six at once", opened(documents.many_producers, browsers=6), LONG_SECONDS),
    Row("subscriptions", f"{SUBSCRIPTIONS}, opened", opened(documents.many_subscriptions), LONG_SECONDS),
    Row(
        "subscriptions-again",
        f"{SUBSCRIPTIONS}, opened again when it has ended",
        opened(documents.many_subscriptions, times=3),
        LONG_SECONDS,
    ),
)
