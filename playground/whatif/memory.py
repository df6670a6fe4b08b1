"""Gives the memory of an ended experiment back to the system.

The C library keeps what is freed below memory that is still used, and Arrow's pool keeps buffers for later: without
this a worker's memory grows with each experiment although nothing holds it.
"""

import ctypes
import ctypes.util
import gc
from collections.abc import Callable
from functools import cache

import pyarrow as pa


def give_back() -> None:
    """Return what nothing holds; takes some milliseconds."""
    gc.collect()
    pa.default_memory_pool().release_unused()
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> Callable[[int], int] | None:
    """``malloc_trim`` of the C library, None where it has none (it is glibc's)."""
    trim: Callable[[int], int] | None = getattr(ctypes.CDLL(ctypes.util.find_library("c")), "malloc_trim", None)
    return trim
