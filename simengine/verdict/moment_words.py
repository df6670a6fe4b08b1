"""In words: which event a topic's gravest figure goes back to, and of a mere stop whose it was and when it began."""

from typing import Final

from simengine.verdict.outage import THETA_US
from simengine.verdict.words import Json, number

MORE_THAN_STOPS: Final = ("lost", "lost_before", "groups_lost", "unled", "duplicated", "hidden")


def harm_words(topic: Json) -> str:
    """The words before the moment of the deciding fact: whether records or offsets were lost by it, and how many.

    For other harm: that it was caused by what happened then.
    """
    lost, by_it = number(topic, "lost"), number(topic, "deciding_lost")
    if 0 < by_it < lost:
        return f"{by_it:,} of the {lost:,} were lost by what happened at"
    if number(topic, "groups_lost") and not lost:
        return "the offsets were lost by what happened at"
    return "lost by what happened at" if lost or number(topic, "lost_before") else "caused by what happened at"


def moment_words(topic: Json) -> str:
    """``lost by what happened at 9.000 s: broker 2 died``; of a mere stop: whose it was, and since when.

    "" where that is unknown.

    What a stop goes back to only a check can tell (``why.stops``): the run may stop as long without it.
    """
    fact = topic["deciding"]
    if not isinstance(fact, dict):
        return began_words(topic)
    is_mere_stop = not any(number(topic, key) for key in MORE_THAN_STOPS)
    what = stop_words(topic) if is_mere_stop else harm_words(topic)
    told = f"{what} {at_words(fact)}"
    if is_mere_stop:
        return told + further_words("; also by" if goes_on(topic) else "; kept up by", topic["kept_up"])
    return told + further_words("; the longest stop of groups was caused by", topic["groups_stopped"])


def at_words(fact: Json) -> str:
    """``9.000 s: broker 2 died``."""
    return f"{int(str(fact['t'])) / 1e6:.3f} s: {fact['text']}"


def further_words(how: str, fact: object) -> str:
    """The words on a further cause; "" without one."""
    return f"{how} what happened at {at_words(fact)}" if isinstance(fact, dict) else ""


def stop_words(topic: Json) -> str:
    """The stop that goes back to the deciding fact, and its beginning."""
    if goes_on(topic):
        return "the stop that goes on is kept up by what happened at"
    began = began_words(topic)
    cause = "caused by what happened at"
    return f"{began}, {cause}" if began else f"the longest stop of the servers' record was {cause}"


def began_words(topic: Json) -> str:
    """The longest stop of a client, and its beginning; "" without one."""
    since = number(topic, "stop_since_us")
    if since < 0:
        return ""
    return f"the longest stop, {'a reader’s' if is_readers(topic) else 'of writes'}, began at {since / 1e6:.3f} s"


def goes_on(topic: Json) -> bool:
    """True if calls wait now, or a group is out now and something had to wait."""
    return bool(number(topic, "waiting") or (number(topic, "groups_down") and number(topic, "waits_all_us")))


def is_readers(topic: Json) -> bool:
    """True if the longest stop of a client is a reader's: longer than that of writes by more than θ."""
    return number(topic, "read_down_client_us") - THETA_US > number(topic, "write_down_client_us")
