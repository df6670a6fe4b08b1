"""Limits of a scenario document; every one is refused in words when it is hit, and has a test."""

from typing import Final

FORMAT: Final = 1
CLUSTERS_MAX: Final = 8  # of one document; the other limits hold for all of them together
MIRRORS_MAX: Final = 56  # flows: one for each ordered pair of clusters
BROKERS_MAX: Final = 100
CONTROLLERS_MAX: Final = 9
TOPICS_MAX: Final = 10_000
PARTITIONS_MAX: Final = 10_000
PARTITION_NUMBER_MAX: Final = 2**31 - 1  # an int32 on the wire; a listing of some partitions keeps their numbers
REPLICAS_MAX: Final = 20  # replicas of one partition
CLIENTS_MAX: Final = 1_000  # producers and consumers together
TIMELINE_MAX: Final = 10_000
EXPECT_MAX: Final = 1_000
CAPTIONS_MAX: Final = 1_000
LINKS_MAX: Final = 10_000
CONFIG_KEYS_MAX: Final = 500  # entries of one config map
ALERTS_MAX: Final = 50  # rules
ALERT_NAME_MAX: Final = 100  # characters
ALERT_FIGURE_MAX: Final = 1_000_000_000_000
ALERT_SPANS_MAX: Final = 1_000  # times at which an alert of a run was pending or firing; more are counted
BASIS_MAX: Final = 50  # values whose source is told
LOG_MB_MAX: Final = 1_000_000_000  # of one copy: a petabyte
COPY_MB_PER_S_MAX: Final = 1_000_000
UPLOAD_BYTES_MAX: Final = 4 * 1024 * 1024
NESTING_MAX: Final = 32  # levels of lists and maps in a document
SCALARS_MAX: Final = 2_000_000  # values of a document, aliases counted each time they stand for something
PROBLEMS_MAX: Final = 200  # problems reported for one document; the rest is counted

TITLE_MAX: Final = 200  # characters
TEXT_MAX: Final = 20_000  # characters of `about` and of a caption
ID_MAX: Final = 249  # characters of a client id, a rack, a topic (Kafka's own limit for topics)
ACTION_TEXT_MAX: Final = 2_000  # characters of one `do:`

NODE_ID_MAX: Final = 2**31 - 1  # Kafka's node ids are 32-bit
SEED_MAX: Final = 2**53 - 1  # exact in JSON readers that know only doubles
TIME_US_MAX: Final = 24 * 3600 * 1_000_000  # no moment of a run lies later than a day
UNTIL_US_DEFAULT: Final = 60 * 1_000_000
LATENCY_US_MAX: Final = 60 * 1_000_000
RATE_MAX: Final = 1_000_000  # records/s of one producer
SEND_MAX: Final = 1_000_000  # records of one `send`
LOG_RECORDS_MAX: Final = 10_000  # records of one copy whose log is written out in `initial`
OFFSET_MAX: Final = 2**53 - 1
EPOCH_MAX: Final = 2**31 - 1
RESEND_MAX: Final = 100  # times that an application sends a record again
RECORD_BYTES_MAX: Final = 1024 * 1024
RECORD_BYTES_DEFAULT: Final = 100
