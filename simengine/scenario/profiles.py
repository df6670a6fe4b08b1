"""Kafka versions as data: which defaults differ, and which rules are switched.

Everything that depends on the version stands here; the engine asks a profile and never compares version names.
Sources: docs/rules/settings.md for the defaults, and the rules named at each switch.
"""

from dataclasses import dataclass, field, replace
from typing import Final

DEFAULT_PROFILE: Final = "4.2"  # of a document that names none: the newest one when documents began to be stored


@dataclass(frozen=True, slots=True)
class Profile:
    """One Kafka version.

    What is not said of a version is as in 4.2. `checked`: its runs were held against recordings of a real cluster of
    that version. `defaults`: Kafka keys whose default differs from the 4.2 value in `config_keys`.
    """

    name: str
    checked: bool = True
    # the feature eligible.leader.replicas.version exists, and its level in a newly formatted cluster (ELR-*)
    elr_possible: bool = True
    elr_default: bool = True
    # parked metadata polls are answered when the commit point moves (KIP-1166), not with the next poll (QUO-5)
    metadata_on_commit: bool = True
    # only an active last-known leader is elected (KAFKA-19522, ELR-6)
    last_known_must_be_active: bool = True
    # a follower drops batches above the epoch it fetched with (KAFKA-18723, LOG-9)
    fetch_epoch_filter: bool = True
    # an AlterPartition stores the ISR in ascending order; before, a joiner was appended (ISR-9)
    isr_sorted: bool = True
    # topics for which unclean elections were allowed later are looked for every five minutes (UNC-2)
    periodic_unclean: bool = True
    # silent brokers are looked for every session/8; before, one was fenced as its session ended (LIVE-3)
    fencing_by_ticks: bool = True
    # a failed heartbeat or registration is repeated after the heartbeat interval; else 100 ms doubling to
    # session/2, and one without answer is given up after session/2 (LIVE-1, REG-2)
    heartbeat_fixed_retry: bool = True
    # a voter asks before it raises the epoch (KIP-996); before 4.0 a controller that comes back deposes the active one
    pre_vote: bool = True
    # a reassignment waits for all of its targets in the ISR (KAFKA-15665); before 3.8 for those that it adds (REA-3)
    all_targets_in_sync: bool = True
    # a reassignment that removes no more replicas than it adds waits for the added ones only (KAFKA-19975, REA-3)
    kept_may_be_out: bool = False
    # to the leader of a group a broker that is down still has its rack (CON-12)
    offline_has_rack: bool = False
    # truncation by high watermark and no leader epochs: a teaching mode (LEG-*), all else is 4.2
    legacy: bool = False
    defaults: dict[str, int | bool | str] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The profile's name for people, with the caution where it is due."""
        if self.legacy:
            return f"{self.name} (teaching only: truncation by high watermark, as before Kafka 0.11)"
        return self.name if self.checked else f"{self.name} (not checked against a cluster)"


_4_0: Final = Profile(
    "4.0",
    elr_default=False,
    metadata_on_commit=False,
    last_known_must_be_active=False,
    fetch_epoch_filter=False,
    isr_sorted=False,
    heartbeat_fixed_retry=False,
)
PROFILES: Final[dict[str, Profile]] = {
    "3.7": replace(
        _4_0,
        name="3.7",
        checked=False,
        elr_possible=False,
        periodic_unclean=False,
        fencing_by_ticks=False,
        pre_vote=False,
        all_targets_in_sync=False,
        defaults={"linger.ms": 0, "topics.exclude": r".*[\-\.]internal, .*\.replica, __.*"},
    ),
    "4.0": _4_0,
    "4.1": Profile("4.1", isr_sorted=False),
    "4.2": Profile("4.2"),
    "4.3": Profile("4.3", kept_may_be_out=True),
    "4.4": Profile("4.4", kept_may_be_out=True, offline_has_rack=True),
    "legacy": Profile("legacy", checked=False, elr_possible=False, elr_default=False, legacy=True),
}


VERSIONS: Final = tuple(name for name, profile in PROFILES.items() if not profile.legacy)  # what a cluster may run
NEWEST_PROFILE: Final = VERSIONS[-1]  # of a new run, and of a paste that tells no version


def profile_of(name: str) -> Profile:
    """The profile called `name`; raises KeyError (documents are checked before)."""
    return PROFILES[name]
