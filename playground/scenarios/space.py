"""Limits of storage: of one browser, of one address, and of a server. A full server sweeps old sandboxes first."""

from datetime import timedelta

from django.db.models import QuerySet, Sum
from django.utils import timezone

from playground.scenarios import limits
from playground.scenarios.models import Scenario, Source
from playground.scenarios.owner import Maker

MIB = 1024 * 1024


class StoreFull(Exception):
    """A browser or an address keeps as much as it may, or the server is full; the message says what to do."""


def hold_limits(by: Maker, size: int) -> None:
    """Look whether one more document of ``size`` bytes may be stored. Raises StoreFull.

    Runs of experiments do not count for a browser: anybody may open one, and it is the owner's. They count for the
    address that opened them.
    """
    _hold_browser(by.browser, size)
    of_address = Scenario.objects.filter(address=by.address, deleted__isnull=True)
    if by.address and _bytes_of(of_address) + size > limits.BYTES_AN_ADDRESS_MAX:
        most = limits.BYTES_AN_ADDRESS_MAX // MIB
        raise StoreFull(
            f"the runs made from your address would have more than {most} MiB, the limit; delete some on My runs"
        )
    if _is_too_much(size):
        sweep()
        if _is_too_much(size):
            most = limits.BYTES_MAX // MIB
            raise StoreFull(
                f"this server is full: its runs have {most} MiB, the limit; delete some of yours on My runs"
            )


def _hold_browser(owner: str, size: int) -> None:
    mine = Scenario.objects.filter(owner=owner, deleted__isnull=True).exclude(source=Source.WHAT_IF)
    if mine.count() >= limits.SCENARIOS_A_BROWSER_MAX:
        raise StoreFull(
            f"this browser keeps {limits.SCENARIOS_A_BROWSER_MAX} runs, which is the limit; delete some on My runs"
        )
    if _bytes_of(mine) + size > limits.BYTES_A_BROWSER_MAX:
        most = limits.BYTES_A_BROWSER_MAX // MIB
        raise StoreFull(f"the runs of this browser would have more than {most} MiB, the limit; delete some on My runs")


def sweep() -> int:
    """Remove the oldest sandboxes in which nobody acted and from which nothing was branched; how many."""
    before = timezone.now() - timedelta(days=limits.SANDBOX_KEPT_DAYS)
    idle = Scenario.objects.filter(source=Source.SANDBOX, touched__lt=before, accepted=None, branches=None, grants=None)
    chosen = list(idle.order_by("touched").values_list("pk", flat=True)[: limits.SWEPT_AT_ONCE])
    Scenario.objects.filter(pk__in=chosen).delete()
    return len(chosen)


def _is_too_much(size: int) -> bool:
    return _bytes_of(Scenario.objects.filter(deleted__isnull=True)) + size > limits.BYTES_MAX


def _bytes_of(documents: QuerySet[Scenario]) -> int:
    return int(documents.order_by().aggregate(sum=Sum("bytes"))["sum"] or 0)
