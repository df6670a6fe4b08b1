"""Works of the engine processes for rooms: the runs of live rooms, and the questions beside them.

All of them are given a run as it is stored.
"""

from typing import Any

from playground.engine.limits import LONG, QUICK
from playground.engine.works import builds_runs, work
from playground.rooms.run import RoomRun
from playground.scenarios import documents
from simengine.compare.comparison import compare, end_us
from simengine.explain.examine import examine
from simengine.questions.metric_history import metric_history
from simengine.report.page import report
from simengine.scenario import to_yaml_all
from simengine.scenario.sites import only_cluster


@builds_runs
def run_of(stored: documents.StoredScenario) -> RoomRun:
    """The run of a stored document with its accepted actions. Raises DocumentError."""
    return RoomRun(documents.of_stored(stored))


@work(LONG, is_kept=True)
def examined(stored: documents.StoredScenario, until_us: int) -> dict[str, Any]:
    """Verdict, checked decisions and chains of a run at a moment. Raises DocumentError."""
    return examine(only_cluster(documents.of_stored(stored)), until_us)


@work(LONG, is_kept=True)
def compared(stored: list[documents.StoredScenario], at_us: int | None) -> dict[str, Any]:
    """Runs side by side (``comparison.compare``) at a moment in us; None: at ``comparison.end_us``.

    Raises DocumentError.
    """
    whole = [documents.of_stored(run) for run in stored]
    return compare(whole, end_us(whole) if at_us is None else at_us)


@work(QUICK, is_kept=True)
def written_together(stored: list[documents.StoredScenario], shown_us: int) -> bytes:
    """The documents of runs side by side as one text of YAML; each lasts at least until a moment."""
    whole = [documents.lasting(documents.of_stored(run), shown_us) for run in stored]
    return to_yaml_all(whole).encode()


@work(LONG, is_kept=True)
def reported(stored: list[documents.StoredScenario], at_us: int | None, link: str) -> str:
    """The report (``page.report``) of a run, or of several side by side, at a moment as for ``compared``; as HTML.

    ``link``: the address of their page. Raises DocumentError.
    """
    whole = [documents.of_stored(run) for run in stored]
    return report(whole, end_us(whole) if at_us is None else at_us, link)


@work(LONG, is_kept=True)
def metric(stored: documents.StoredScenario, name: str, of: str, until_us: int) -> dict[str, Any]:
    """A metric over a run up to a moment in us (``metric_history``). Raises DocumentError."""
    return metric_history(documents.of_stored(stored), name, of, until_us)
