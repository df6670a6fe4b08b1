"""The budgets of the engine service. Each limit is tested, and said in words when it is reached."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Budget:
    """The resources that questions of one kind may use.

    ``seconds_max``: one question, from when a process has it. ``wait_seconds_max``: until its turn. ``places``:
    questions that are answered at once; of one address at most ``places_of_address``, of one browser one. ``waiting``:
    questions that wait; of one address at most ``waiting_of_address``, half of them without a cookie that counts.
    ``of_browser``: questions of one browser that are answered or wait.
    """

    name: str
    seconds_max: float
    wait_seconds_max: float
    places: int
    places_of_address: int
    waiting: int = 60
    waiting_of_address: int = 20  # a class has one
    of_browser: int = 4

    def of_holder(self, browser: str) -> int:
        """Questions of a browser that are answered or wait; "": of all of an address that are known by no cookie."""
        return self.of_browser if browser else self.waiting_of_address // 2


QUICK: Final = Budget("quick", 30.0, 20.0, places=3, places_of_address=2)  # read, check and build what was sent
# A paste of 4 MB takes seconds: an address reads one at a time, and never all processes that wait.
PASTE: Final = Budget("paste", 30.0, 20.0, places=2, places_of_address=1)
LONG: Final = Budget("long", 60.0, 60.0, places=2, places_of_address=1)  # repeat a run some times
TABLE: Final = Budget("table", 600.0, 600.0, places=2, places_of_address=1)  # an AZ answer: every row is some runs

START_SECONDS_MAX: Final = 60.0  # until a new process is ready for a question: its imports, on a busy machine
MEMORY_BYTES_MAX: Final = 2 * 1024 * 1024 * 1024  # address space of a process that answers questions
ANSWER_BYTES_MAX: Final = 64 * 1024 * 1024  # of one answer, all its parts
KEPT_BYTES_MAX: Final = 128 * 1024 * 1024  # answers that are kept, compressed
IDLE_PROCESSES_MAX: Final = 3  # processes that wait for the next question
IDLE_PROCESSES_MIN: Final = 2  # once the first has answered: a short question beside a long one waits for no start
LINGER_SECONDS: Final = 1.0  # a question that nobody waits for any more is finished within this time, or ended
NICENESS: Final = 5  # questions give way to live rooms and to the page

SMALL_PROCESSES_MAX: Final = 4  # processes that hold small runs of rooms
LARGE_PROCESSES_MAX: Final = 2  # processes that hold large ones, niced as questions are
OWN_PROCESSES_MAX: Final = 2  # processes of runs that ended one before: each holds one run
LIVE_MEMORY_BYTES_MAX: Final = 3 * 1024 * 1024 * 1024  # address space of a process that holds runs
LARGE_BYTES_MAX: Final = 1536 * 1024 * 1024  # estimated memory of the runs that a process for large ones takes
LARGE_BYTES_OF_ADDRESS_MAX: Final = 1024 * 1024 * 1024  # and of these, of runs of one address
BLAMED_MAX: Final = 1_000  # runs that ended a process and are remembered
BLAMED_S: Final = 600.0  # and for so long
BLAMED_WORK_S: Final = 1.0  # a process that dies after so long at one request dies of it
SUDDEN_DEATHS_MAX: Final = 2  # deaths sooner than that, until one more counts as well
ASKED_AHEAD_MAX: Final = 2  # requests that such a process has at once: the others wait for their turn
SMALL_SILENCE_MAX_S: Final = 30.0  # without an answer, in a process of small runs: none is to take a second
SILENCE_MAX_S: Final = 90.0  # and in the others: more than twice what the longest operation takes on a busy machine
SLICE_GUESS_S: Final = 0.02  # what a live request is taken to cost until it is known
