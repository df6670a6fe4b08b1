"""Words that several parts of the AZ answer share: counts, lists of names, sizes, times."""

from simengine.words.phrases import plural, seconds

GB_MB = 1_000
TB_MB = 1_000_000
MINUTE_S = 60
HOUR_S = 3_600
DAY_S = 86_400
UNFLUSHED = "with all that was written, flushed or not"  # how disks come back after a loss of power (LOG-8)
OFTEN_HOURS_S = 5_400  # from here on hours say more than minutes


def standing(brokers: int, controllers: int) -> str:
    """The nodes in an AZ, in words: ``2 brokers, 1 controller``."""
    there = plural(controllers, "controller", "controllers") if controllers else "no controller"
    return f"{plural(brokers, 'broker', 'brokers')}, {there}"


def milliseconds(us: int) -> str:
    """A short time: ``2.4 ms``."""
    return f"{us / 1000:.1f}".removesuffix(".0") + " ms"


def gigabytes(megabytes: int) -> str:
    """A size."""
    if megabytes >= TB_MB:
        return f"{megabytes / TB_MB:,.1f} TB"
    if megabytes >= GB_MB:
        return f"{megabytes / GB_MB:,.1f}".removesuffix(".0") + " GB"
    return f"{megabytes:,} MB"


def roughly(whole_seconds: int) -> str:
    """A long time, as one would say it: ``about 3 h``."""
    if whole_seconds < MINUTE_S:
        return f"about {max(1, whole_seconds)} s"
    if whole_seconds < OFTEN_HOURS_S:
        return f"about {round(whole_seconds / MINUTE_S)} min"
    if whole_seconds < 2 * DAY_S:
        return f"about {round(whole_seconds / HOUR_S)} h"
    return f"about {round(whole_seconds / DAY_S)} days"


def lasted(us: int, is_open: bool) -> str:
    """A time; of a stop that had not ended with the run: ``at least 45.0 s``."""
    return f"at least {seconds(us)}" if is_open else seconds(us)


def up_to(us: int, is_open: bool) -> str:
    """The longest of several times: ``up to 30.0 s``, or ``at least 45.0 s``."""
    return lasted(us, is_open) if is_open else f"up to {seconds(us)}"


def two_times(us: int, servers_us: int, is_open: bool = False) -> str:
    """The application's time, and the servers' in brackets."""
    return f"{lasted(us, is_open)} for the application ({seconds(servers_us)} by the servers)"
