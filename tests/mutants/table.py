"""All mutants: those of the list of invariants (M..), and one for each further rule (R.., S.., T..)."""

from tests.mutants.brokers import BROKERS
from tests.mutants.clients import CLIENTS
from tests.mutants.controllers import CONTROLLERS
from tests.mutants.elections import ELECTIONS
from tests.mutants.fetching import FETCHING
from tests.mutants.mirrors import MIRRORS
from tests.mutants.mutant import Mutant
from tests.mutants.pairs import PAIRS
from tests.mutants.replicas import REPLICAS
from tests.mutants.verdicts import VERDICTS

MUTANTS: list[Mutant] = sorted(
    [
        *ELECTIONS,
        *CONTROLLERS,
        *REPLICAS,
        *FETCHING,
        *BROKERS,
        *CLIENTS,
        *VERDICTS,
        *MIRRORS,
        *PAIRS,
    ],
    key=lambda mutant: mutant.id,
)
