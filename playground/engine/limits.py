"""The budget of one question to the engine service. Each limit is tested, and said in words when it is reached."""

from typing import Final

WORKERS: Final = 2  # processes that answer questions
SECONDS_MAX: Final = 30  # for one question: the largest document takes some seconds
WAIT_SECONDS_MAX: Final = 20  # until a process is free, before the question is refused
MEMORY_BYTES_MAX: Final = 2 * 1024 * 1024 * 1024  # address space of a process
ANSWER_BYTES_MAX: Final = 64 * 1024 * 1024
ASKS_OF_AN_OWNER_MAX: Final = 4  # questions of one owner that are answered or wait; one of them is answered at a time
