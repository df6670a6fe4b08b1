"""The pace that estimates expect: of experiments that began alike, with Spark running or not."""

from datetime import timedelta

import pytest
from django.utils import timezone

from playground.whatif.models import Experiment, State, WorkerBeat
from playground.whatif.pace import learned

pytestmark = pytest.mark.django_db
MASTER = "local[2]"


def done(seconds: float, *, started_spark: bool, engine: str = "e") -> None:
    Experiment.objects.create(
        owner="me",
        title="Test",
        plan_text="",
        baseline="A",
        seeds_each=1,
        state=State.DONE,
        claims=1,
        engine=engine,
        master=MASTER,
        finished=timezone.now(),
        ideal_seconds=1.0,
        computed_seconds=seconds,
        started_spark=started_spark,
    )


def middle() -> float:
    return learned(MASTER, "e").seconds(1.0).middle


def test_a_start_of_spark_is_expected_where_no_worker_has_a_session() -> None:
    done(12.4, started_spark=True)
    for seconds in (3.4, 3.6, 3.2):
        done(seconds, started_spark=False)
    assert middle() == pytest.approx(12.4)
    WorkerBeat.objects.create(name="w", seen=timezone.now(), has_session=True)
    assert middle() == pytest.approx(3.4)


def test_where_none_began_alike_all_tell() -> None:
    done(12.4, started_spark=True)
    WorkerBeat.objects.create(name="w", seen=timezone.now(), has_session=True)
    assert middle() == pytest.approx(12.4)


def test_the_session_of_a_worker_that_is_gone_does_not_count() -> None:
    done(12.4, started_spark=True)
    done(3.4, started_spark=False)
    WorkerBeat.objects.create(name="w", seen=timezone.now() - timedelta(minutes=1), has_session=True)
    assert middle() == pytest.approx(12.4)
