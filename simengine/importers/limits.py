"""The limits of an import. Beyond a limit the paste is rejected with a sentence; nothing is cut off silently."""

from typing import Final

BYTES_MAX: Final = 4 * 1024 * 1024
LINES_MAX: Final = 25_000  # the largest cluster fits with a header for each of its partitions, or twice with few topics
LABELS_MAX: Final = LINES_MAX  # of one kind, in rows that lost their line ends: a row has each once
KEYLESS_CHARS_MAX: Final = 256 * 1024  # of a line without a colon or a brace: all long lines of Kafka's tools have them
CONFIGS_CHARS_MAX: Final = 64 * 1024  # of the configs in one header; Kafka's own keys with their values take 2,000
NAMED_CHARS_MAX: Final = 256 * 1024  # of a text that is none of the outputs that are read, to find its name
BROKERS_MAX: Final = 100
PARTITIONS_MAX: Final = 10_000
BROKER_ID_MAX: Final = 2**31 - 100  # Kafka's ids are 32-bit; the rest is room for the ids of assumed controllers
WARNINGS_MAX: Final = 500  # sentences in the report; the number of further ones is told
UNREAD_MAX: Final = 500  # lines listed in the report; the number of further ones is told
LINE_SHOWN_MAX: Final = 200  # characters of an unread line that the report repeats
MIRRORED_MAX: Final = 20  # clusters of a configuration of MirrorMaker, and mirrors of a resource
SETTINGS_MAX: Final = 2_000  # of a configuration of MirrorMaker


def is_too_big(brokers: int, partitions: int) -> bool:
    """True if a cluster is refused for its size."""
    return brokers > BROKERS_MAX or partitions > PARTITIONS_MAX
