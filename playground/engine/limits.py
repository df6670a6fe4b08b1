"""The budgets of the engine service. Each limit is tested, and said in words when it is reached."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Budget:
    """What questions of one kind may use.

    ``seconds_max``: one question, from when a process has it. ``wait_seconds_max``: until its turn. ``places``:
    questions that are answered at once; of one address at most ``places_of_address``, of one browser one.
    """

    name: str
    seconds_max: float
    wait_seconds_max: float
    places: int
    places_of_address: int


QUICK: Final = Budget("quick", 30.0, 20.0, places=3, places_of_address=2)  # read, check and build what was sent
LONG: Final = Budget("long", 60.0, 60.0, places=2, places_of_address=1)  # repeat a run some times
TABLE: Final = Budget("table", 600.0, 600.0, places=2, places_of_address=1)  # an AZ answer: every row is some runs

START_SECONDS_MAX: Final = 60.0  # until a new process is ready for a question: its imports, on a busy machine
WAITING_MAX: Final = 60  # questions of one kind that wait
WAITING_OF_ADDRESS_MAX: Final = 20  # of these, of one address: a class has one
ASKS_OF_BROWSER_MAX: Final = 4  # questions of one browser and kind that are answered or wait
MEMORY_BYTES_MAX: Final = 2 * 1024 * 1024 * 1024  # address space of a process that answers questions
ANSWER_BYTES_MAX: Final = 64 * 1024 * 1024  # of one answer, all its parts
KEPT_BYTES_MAX: Final = 128 * 1024 * 1024  # answers that are kept, compressed
IDLE_PROCESSES_MAX: Final = 2  # processes that wait for the next question
LINGER_SECONDS: Final = 1.0  # a question that nobody waits for any more is finished within this time, or ended
NICENESS: Final = 5  # questions give way to live rooms and to the page

LIVE_PROCESSES_MAX: Final = 4  # processes that hold the runs of rooms
ASKED_AHEAD_MAX: Final = 2  # requests that such a process has at once: the others wait for their turn
SILENCE_MAX_S: Final = 90.0  # without an answer to what it was asked: twice what the longest run takes to open
SLICE_GUESS_S: Final = 0.02  # what a live request is taken to cost until it is known
