"""Limits of saved documents, by name. Each is tested, and said in words when it is reached."""

from typing import Final

TITLE_MAX: Final = 200
CHANGE_MAX: Final = 300  # characters that say what a branch changed
SENTENCE_MAX: Final = 300  # characters of a verdict in brief
LINEAGE_MAX: Final = 200  # documents drawn in one lineage
LANES_MAX: Final = 20  # branches that a run's page knows of
RUNS_LISTED_MAX: Final = 200
ACTIONS_TOLD_MAX: Final = 1_000  # of a run, on the page about it
SCENARIOS_A_BROWSER_MAX: Final = 2_000  # documents one browser may keep
BYTES_A_BROWSER_MAX: Final = 256 * 1024 * 1024  # of the documents of one browser
BYTES_AN_ADDRESS_MAX: Final = 1024 * 1024 * 1024  # of all browsers of one address (a class has one)
BYTES_MAX: Final = 8 * 1024 * 1024 * 1024  # of all documents of a server
SANDBOX_KEPT_DAYS: Final = 2  # on a full server, older sandboxes in which nobody acted make space
SWEPT_AT_ONCE: Final = 500  # and so many of them at once
CREATES_A_MINUTE: Final = 60  # documents one browser may make a minute
CREATES_AN_ADDRESS_A_MINUTE: Final = 300  # the same for all browsers of one address (a class has one)
SANDBOXES_A_MINUTE: Final = 120  # sandboxes made for visitors without a cookie, from one address (a class has one)

# What a run may cost, as estimated before it is begun (``cost``). 100 brokers with
# 10,000 partitions of 3 replicas and 900 producers take 3 s and 360 MiB.
OPEN_SECONDS_MAX: Final = 10.0  # of one core, for one operation: opening it, or its longest single event
OPEN_BYTES_MAX: Final = 512 * 1024 * 1024
SMALL_SECONDS_MAX: Final = 0.2  # a run that costs more shares no process with small ones
SMALL_BYTES_MAX: Final = 24 * 1024 * 1024
REPLAY_SECONDS_MAX: Final = 1.0  # to its moment; a run beside the rooms that takes longer counts as large
