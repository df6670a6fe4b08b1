"""Many runs of the swarm, in processes of their own. One that ends its process is told with its seed, as a crash is."""

import gc
import multiprocessing
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Final

from tests.swarm.run import CRASH, Outcome, run_seed

AHEAD: Final = 2  # runs handed out for each process: as many are looked at singly when one of them ends it


def run_many(first: int, count: int, jobs: int, seconds: float = 0) -> Iterator[Outcome]:
    """Runs of ``count`` seeds, in order of completion, for at most ``seconds`` (0: no limit)."""
    end = time.monotonic() + seconds if seconds else None
    for outcome in on_processes(iter(range(first, first + count)), jobs):
        yield outcome
        if end is not None and time.monotonic() > end:
            return


def on_processes(seeds: Iterator[int], jobs: int) -> Iterator[Outcome]:
    """Run seeds on so many processes; a process that ends takes all of them with it, and new ones go on."""
    is_done = False
    while not is_done:
        running: dict[Future[Outcome], int] = {}
        with processes(jobs) as pool:
            try:
                yield from in_pool(pool, seeds, jobs, running)
                is_done = True
            except BrokenProcessPool:
                pass
            finally:
                pool.shutdown(cancel_futures=True)
        for seed in running.values():
            yield run_alone(seed)


def in_pool(
    pool: ProcessPoolExecutor, seeds: Iterator[int], jobs: int, running: dict[Future[Outcome], int]
) -> Iterator[Outcome]:
    """Run seeds in a pool; ``running``: those handed out and not done. Raises BrokenProcessPool."""
    while True:
        while len(running) < AHEAD * jobs and (seed := next(seeds, None)) is not None:
            try:
                running[pool.submit(_run, seed)] = seed
            except BrokenProcessPool:
                running[Future()] = seed
                raise
        if not running:
            return
        for future in sorted(wait(running, return_when=FIRST_COMPLETED).done, key=running.__getitem__):
            outcome = future.result()
            del running[future]
            yield outcome


def run_alone(seed: int) -> Outcome:
    """One run in a process of its own, which it may end."""
    with processes(1) as pool:
        try:
            return pool.submit(_run, seed).result()
        except BrokenProcessPool:
            story = "its process ended: a fault in compiled code, no memory, or a signal"
            return Outcome(seed, CRASH, "the process", [story])


def processes(count: int) -> ProcessPoolExecutor:
    """Processes that begin as this one is."""
    return ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("fork"), initializer=_begin)


def _begin() -> None:
    """A process's own modules are no garbage, and a run leaves none on its way: to look for some took a tenth of it."""
    gc.freeze()
    gc.disable()


def _run(seed: int) -> Outcome:
    """One run, whose world is garbage when it is over."""
    outcome = run_seed(seed)
    gc.collect()
    return outcome
