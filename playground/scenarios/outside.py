"""Questions to the engine service about documents: no document that somebody sent is read in the web process.

Each raises NotAnswered where the service is busy or the budget is used up, and DocumentError where today's rules
refuse the document. A caller that is cancelled, as when its client leaves, ends its question.
"""

import json
from typing import Any

from asgiref.sync import sync_to_async
from pydantic import ValidationError

from playground.engine.need import Need
from playground.engine.problems import without_problems
from playground.engine.questions import questions
from playground.engine.refusals import OverBudget
from playground.engine.turns import Holder
from playground.engine.works import R, ServiceQuestion
from playground.scenarios import store, work
from playground.scenarios.branches import Branch, Left, StoredBranch
from playground.scenarios.cost import need_of
from playground.scenarios.documents import UNREAD, CheckedDocument, Plain, StoredScenario, seconds
from playground.scenarios.engine_version import engine_version
from playground.scenarios.models import Scenario
from playground.scenarios.stored_json import StoredRefusal
from simengine.form import form_of_next
from simengine.scenario import DocumentError, Problem


async def answer(question: ServiceQuestion[R], asker: Holder) -> R:
    """The answer to a question."""
    found: R = without_problems(json.loads(await questions.answer(question, asker)))
    return found


async def checked(body: bytes, asker: Holder) -> CheckedDocument:
    """The text of a document that somebody sent."""
    return CheckedDocument(**await answer(work.checked.question(body), asker))


async def about(scenario: Scenario, asker: Holder) -> Plain:
    """The facts about a run's document for the page about the run (``work.about``)."""
    return await answer(work.about.question(await stored(scenario)), asker)


async def written(scenario: Scenario, form: str, shown_us: int, name: str, asker: Holder) -> bytes:
    """The whole document, as JSON or YAML, for ``replies.from_service``; ``name``: as `work.written` takes it."""
    question = work.written.question(await stored(scenario), form, shown_us, name)
    return await questions.answer(question, asker)


async def copy(scenario: Scenario, is_neutral: bool, asker: Holder) -> CheckedDocument:
    """The whole document of a run, under neutral names if that is asked for."""
    return CheckedDocument(**await answer(work.copied.question(await stored(scenario), is_neutral), asker))


async def branch_of(scenario: Scenario, at_us: int, do: str, reached_us: int, asker: Holder) -> Branch:
    """The branch of a run at ``at_us``, where ``do`` happens; "" for none.

    A branch begins in what has been simulated, which is up to ``reached_us``. Raises ValueError for a later moment.
    """
    branch = Branch.from_plain(await answer(work.branched.question(await stored(scenario), at_us, do), asker))
    if at_us > reached_us:
        has = f"{seconds(at_us)} has not been simulated yet; the run is at {seconds(reached_us)}"
        raise ValueError(f"{has}, and a branch begins in what has happened")
    return branch


async def grown(branch: Branch, left: Left | None, asker: Holder) -> StoredBranch:
    """A branch with its later actions but ``left`` of them; None: it starts afresh."""
    found = await answer(work.branch_grown.question(branch, left), asker)
    return StoredBranch(CheckedDocument(**found["checked"]), found["change"], found["later"])


async def undone(scenario: Scenario, until_us: int, parent: Scenario | None, asker: Holder) -> Plain:
    """The undo of the newest action of a run up to a moment (``work.undone``); it may lead back to ``parent``."""
    back = await stored(parent) if parent is not None else None
    question = work.undone.question(await stored(scenario), until_us, scenario.cut_us, back)
    return await answer(question, asker)


async def stored(scenario: Scenario) -> StoredScenario:
    """A run as the engine service is given it."""
    found: StoredScenario = await sync_to_async(store.stored)(scenario)
    return found


async def sized(stored: StoredScenario, asker: Holder) -> StoredScenario:
    """A run whose size is known: the row of one from an earlier version does not tell it."""
    if stored.size is not None:
        return stored
    size = await answer(work.size.question(stored.text), asker)
    return stored._replace(size=size)


async def need(stored: StoredScenario, asker: Holder, until_us: int = 0) -> Need:
    """The needs of a run that is brought to a moment in a process of today. Raises RunTooLarge."""
    return need_of(await sized(stored, asker), form_of_next(), until_us)


async def affordable(scenario: Scenario, asker: Holder) -> StoredScenario:
    """A run that may be run: its cost is within the limits. Raises RunTooLarge."""
    run = await stored(scenario)
    await need(run, asker)
    return run


async def tell(scenario: Scenario, asker: Holder) -> None:
    """Note in the row of a run from an earlier version what lists say of it, or that its document is refused.

    One whose reading takes too long is noted as refused. Raises NotAnswered where the service has no time.
    """
    body = await sync_to_async(lambda: scenario.body)()
    try:
        scenario.told = await answer(work.told.question(body), asker)
    except DocumentError as refused:
        scenario.told = UNREAD | refusal_note(refused)
    except OverBudget as refused:
        scenario.told = UNREAD | refusal_note(DocumentError([Problem("document", "", str(refused))]))
    await sync_to_async(store.keep_told)(scenario)


def refusal_note(refused: DocumentError) -> Plain:
    """The note in a row for a text that this version refuses: it is not asked about again."""
    return {"refused_by": engine_version(), "problem": list(refused.problems[0])}


def noted_refusal(note: Any) -> list[Problem] | None:
    """The problem that a row notes; None where it notes none, or another version refused."""
    if not is_refusal(note) or note["refused_by"] != engine_version():
        return None
    return [Problem(*note["problem"])]


def is_refusal(note: Any) -> bool:
    """True if a row's note is a ``refusal_note``, of whatever version; a damaged one is none."""
    try:
        StoredRefusal.model_validate(note)
    except ValidationError:
        return False
    return True
