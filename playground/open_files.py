"""Open files of the web process: the connection of each visitor is one. The start raises the soft limit."""

import contextlib
import resource
from typing import Final

WANTED: Final = 65_536  # a hard limit may be a thousand million: nothing here needs more than this
ENOUGH: Final = 4_096
MACOS_MAX: Final = 10_240  # its hard limit is none, and its kernel gives this much


def hard_limit() -> int:
    """The most files that a process of this user may open, at most WANTED."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return WANTED if hard == resource.RLIM_INFINITY else min(hard, WANTED)


def raise_limit() -> int:
    """Raise the soft limit of this process as far as it may go; returns the limit that holds now."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for wanted in (hard_limit(), MACOS_MAX):
        if soft != resource.RLIM_INFINITY and soft < wanted <= hard_limit():
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
                soft = wanted
    return WANTED if soft == resource.RLIM_INFINITY else min(soft, WANTED)


def told_of_few() -> str:
    """The warning of a low hard limit; "" if the limit is enough."""
    if (files := hard_limit()) >= ENOUGH:
        return ""
    return (
        f"this system allows {files:,} open files a process, so about {files // 2:,} visitors at a time. "
        f"For more, raise the hard limit before the start: ulimit -Hn {ENOUGH}"
    )
