"""Saved documents: make one, branch it, share it, add what was accepted, delete it.

A link means one timeline for ever. A shared copy never changes; a run of its owner grows at its end only.
"""

from typing import Any

from django.db import transaction
from django.utils import timezone

from playground.scenarios import documents, space
from playground.scenarios.branches import Branch, StoredBranch
from playground.scenarios.engine_version import engine_version
from playground.scenarios.ids import id_of
from playground.scenarios.limits import CHANGE_MAX, TITLE_MAX
from playground.scenarios.models import Accepted, Scenario, Source
from playground.scenarios.owner import Maker
from simengine.scenario import DocumentError, Problem
from simengine.scenario.invisible import made_visible
from simengine.scenario.limits import TIMELINE_MAX

StoreFull = space.StoreFull


def create(
    source: documents.Source | documents.CheckedDocument,
    *,
    by: Maker,
    origin: Source,
    parent: Scenario | None = None,
    cut_us: int | None = None,
    change: str = "",
    moment_us: int = 0,
    later: dict[str, Any] | None = None,
) -> Scenario:
    """Store a document as a new run. Raises DocumentError or StoreFull."""
    checked = (
        source
        if isinstance(source, documents.CheckedDocument)
        else documents.CheckedDocument.of(documents.read(source))
    )
    fields = _fields_of(checked)
    space.hold_limits(by, fields["bytes"])
    return Scenario.objects.create(
        **fields,
        owner=by.browser,
        address=by.address,
        source=origin,
        parent=parent,
        cut_us=cut_us,
        change=change[:CHANGE_MAX],
        moment_us=moment_us,
        later=later,
    )


def library_copy(document: documents.CheckedDocument, moment_us: int) -> str:
    """The id of an immutable copy of a document of the library, opened at ``moment_us``; stored when first asked for.

    Nobody owns it, so nobody deletes it, and it counts for no limit: the library has a few dozen.
    """
    known = id_of(document.text)
    if not Scenario.objects.filter(id=known).exists():
        fields = _fields_of(document) | {"source": Source.LIBRARY, "is_frozen": True, "moment_us": moment_us}
        Scenario.objects.get_or_create(id=known, defaults=fields)
    return known


def _fields_of(document: documents.CheckedDocument) -> dict[str, Any]:
    """The columns of a row that its document tells."""
    return {
        "title": document.title[:TITLE_MAX],
        "body": document.text,
        "bytes": len(document.text.encode()),
        "told": document.told,
        "profile": document.profile,
        "engine": engine_version(),
    }


def stored(scenario: Scenario) -> documents.StoredScenario:
    """A run as the engine service is given it."""
    size = (scenario.told or {}).get("size")
    return documents.StoredScenario(scenario.body, list(scenario.accepted.values_list("at_us", "do")), size)


def fork(scenario: Scenario, branch: Branch, grown: StoredBranch, *, by: Maker) -> Scenario:
    """Store a branch of a run. Raises StoreFull."""
    return _branch(scenario, branch, grown, grown.change, by=by)


def undone(scenario: Scenario, branch: Branch, grown: StoredBranch, *, by: Maker) -> Scenario:
    """Store a branch that goes on without the actions of its moment. Raises StoreFull."""
    return _branch(scenario, branch, grown, f"undone at {documents.seconds(branch.at_us)}", by=by)


def _branch(scenario: Scenario, branch: Branch, grown: StoredBranch, change: str, *, by: Maker) -> Scenario:
    return create(
        grown.checked,
        by=by,
        origin=Source.FORK,
        parent=scenario,
        cut_us=branch.at_us,
        change=change,
        moment_us=branch.at_us,
        later=grown.later,
    )


@transaction.atomic
def share(
    scenario: Scenario | None,
    document: documents.CheckedDocument,
    at_us: int,
    digest: str,
    verdict: dict[str, Any],
    *,
    by: Maker,
) -> Scenario:
    """An immutable copy of ``document``, opened at ``at_us``, that says it comes from ``scenario``.

    None: it says nothing, since the document bears neutral names and its origin has the real ones. ``digest`` and
    ``verdict`` are the engine's, of the run up to ``at_us``.
    """
    copy = create(
        document,
        by=by,
        origin=Source.SHARE,
        parent=scenario,
        change=f"shared at {documents.seconds(at_us)}",
        moment_us=at_us,
    )
    copy.is_frozen = True
    copy.digest = digest
    copy.verdict = verdict
    copy.save(update_fields=["is_frozen", "digest", "verdict"])
    return copy


def accept(scenario_id: str, at_us: int, do: str, nonce: str | None) -> int:
    """Store an accepted action, inside a transaction; its number. Raises DocumentError when the timeline is full."""
    number = Accepted.objects.filter(scenario_id=scenario_id).count()
    if number >= TIMELINE_MAX:
        raise DocumentError([Problem("timeline", str(number), f"a timeline has at most {TIMELINE_MAX} actions")])
    Accepted.objects.create(scenario_id=scenario_id, number=number, at_us=at_us, do=do, nonce=nonce)
    Scenario.objects.filter(id=scenario_id).update(touched=timezone.now())
    return number


def keep_told(scenario: Scenario) -> None:
    """Keep what lists say of a run in its row."""
    Scenario.objects.filter(id=scenario.id).update(told=scenario.told)


def rename(scenario: Scenario, title: str) -> None:
    """Give a run another name; its document keeps its own. Characters that cannot be seen become �.

    Raises ValueError for a name that is empty or too long.
    """
    title = made_visible(" ".join(title.split()))
    if not 0 < len(title) <= TITLE_MAX:
        raise ValueError(f"the name has {len(title)} characters; allowed are 1 to {TITLE_MAX}")
    Scenario.objects.filter(id=scenario.id).update(title=title)


def nonces_of(scenario: Scenario) -> dict[str | None, int]:
    """The senders' words for accepted actions, and when each happened: a resent action is known by its word."""
    return dict(scenario.accepted.exclude(nonce=None).values_list("nonce", "at_us"))


@transaction.atomic
def delete(scenario: Scenario) -> None:
    """The link answers 410 from now on; branches are whole copies and stay."""
    scenario.accepted.all().delete()
    scenario.body = ""
    scenario.bytes = 0
    scenario.told = None
    scenario.title = ""
    scenario.change = ""
    scenario.later = None
    scenario.digest = ""
    scenario.verdict = None
    scenario.deleted = timezone.now()
    scenario.save()


def sandbox_of(owner: str) -> Scenario | None:
    """The sandbox that a browser used last."""
    kept = Scenario.objects.filter(owner=owner, source=Source.SANDBOX, deleted__isnull=True)
    return kept.order_by("-created").first() if owner else None
