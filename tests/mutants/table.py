"""All rule mutants of the list of invariants, and further ones (R.., S.., T..) of rules that it has none for."""

from tests.mutants.account_rules import ACCOUNTS
from tests.mutants.broker_rules import ROOMS_OF_A_BROKER
from tests.mutants.cause_rules import CAUSES
from tests.mutants.controller_rules import BROKERS, ELECTIONS, PROPOSALS
from tests.mutants.copy_rules import COPIES
from tests.mutants.detail_rules import DETAILS
from tests.mutants.ends_rules import BEGINNINGS
from tests.mutants.further_rules import FURTHER
from tests.mutants.incident_rules import INCIDENTS
from tests.mutants.liveness_rules import LIVENESS
from tests.mutants.mirror_rules import MIRRORS
from tests.mutants.mutant import Mutant
from tests.mutants.pairs import PAIRS
from tests.mutants.process_rules import PROCESSES
from tests.mutants.replica_rules import HIGH_WATERMARK, ISR, TRUNCATION
from tests.mutants.room_rules import ROOMS
from tests.mutants.serving_rules import CONSUMING, PRODUCING
from tests.mutants.verdict_rules import VERDICTS
from tests.mutants.why_rules import STORIES

MUTANTS: list[Mutant] = sorted(
    [
        *ELECTIONS,
        *HIGH_WATERMARK,
        *ISR,
        *PROPOSALS,
        *BROKERS,
        *TRUNCATION,
        *PRODUCING,
        *CONSUMING,
        *FURTHER,
        *DETAILS,
        *LIVENESS,
        *ROOMS,
        *ACCOUNTS,
        *COPIES,
        *VERDICTS,
        *PROCESSES,
        *INCIDENTS,
        *ROOMS_OF_A_BROKER,
        *BEGINNINGS,
        *CAUSES,
        *STORIES,
        *PAIRS,
        *MIRRORS,
    ],
    key=lambda m: m.id,
)
