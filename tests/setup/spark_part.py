"""A supervisor over one part that holds a Spark session with Python workers: the deepest tree an instance grows.

python tests/setup/spark_part.py         the supervisor; says "up" when the part is
python tests/setup/spark_part.py part    the part
"""

import sys
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from playground import environment
from playground.java import java_home
from playground.supervisor.answering import answer_from_now_on
from playground.supervisor.service_processes import answering_part
from playground.supervisor.supervisor import Supervisor

DATA = environment.data_folder()
READY = DATA / "part.ready"


def hold_spark() -> None:
    """Start Spark, keep its Python workers busy, and stay."""
    from playground.whatif.pipeline import session

    def burn(rows: Iterable[int]) -> Iterator[int]:
        READY.touch()
        for row in rows:
            time.sleep(600)
            yield row

    READY.unlink(missing_ok=True)
    threading.Thread(target=_answer_when_ready, daemon=True).start()
    spark = session.start("local[2]", java_home(DATA / "java"), DATA / "spark")
    spark.sparkContext.parallelize([1, 2], 2).mapPartitions(burn).count()


def _answer_when_ready() -> None:
    while not READY.exists():
        time.sleep(0.05)
    answer_from_now_on()


def supervise() -> None:
    """Keep the part up until told to stop."""
    command = [sys.executable, str(Path(__file__).resolve()), "part"]
    part = answering_part("part", command, {})
    supervisor = Supervisor([part], None, lambda name, text: print(name, text, flush=True))
    try:
        supervisor.start()
        supervisor.run()
    finally:
        supervisor.stop()


if __name__ == "__main__":
    if sys.argv[1:] == ["part"]:
        hold_spark()
    else:
        supervise()
