"""The questions that people ask: the list, a page for each, and the two runs that answer it."""

import logging
from dataclasses import dataclass
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from playground.library import opening, work
from playground.library.ends import ends, picture
from playground.library.gallery import entries, sections
from playground.library.question_list import Question, Side, document_of, read_questions
from playground.library.question_runs import copies, figures, told_document
from playground.library.written_once import written_once
from playground.scenarios import outside, replies
from playground.scenarios.compare_address import SEPARATOR
from playground.scenarios.documents import CheckedDocument
from playground.scenarios.models import Scenario, Source
from simengine.scenario import DocumentError, load
from simengine.scenario.action_words import node_names, sentence
from simengine.scenario.model import TopicEntry
from simengine.scenario.parts import parts_of
from simengine.words.phrases import plural, seconds

log = logging.getLogger(__name__)

GROUPS: Final = (
    ("missing", "Something is missing"),
    ("writes", "Writes stop or crawl"),
    ("planned", "Planned work"),
    ("consumers", "Consumers stop, jump or wait"),
    ("sites", "Two sites"),
)
LETTERS: Final = ("a", "b")
ACTIONS_MAX: Final = 8
"""Actions of run A that are told before the guess."""
SEARCHES: Final = (
    "NOT_ENOUGH_REPLICAS",
    "offset reset",
    "split brain",
    "slow disk",
    "two datacenters",
    "TimeoutException",
)


@dataclass(frozen=True, slots=True)
class ShownSide:
    """A run of a question on its page: its letter and label, what its verdict says, how it ends, and its changes."""

    letter: str
    label: str
    said: str
    picture: str
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownQuestion:
    """A question as the pages show it. `number` counts from 1; `right`: the choice of the guess that is true."""

    question: Question
    number: int
    answer: str
    more: str
    sides: tuple[ShownSide, ...]
    right: str


@require_safe
@ensure_csrf_cookie
def page(request: HttpRequest) -> HttpResponse:
    """All questions by what people noticed, and the gallery's themes behind them."""
    return render(request, "library/questions.html", {"written": _written()})


@require_safe
def to_the_list(request: HttpRequest) -> HttpResponse:
    """Lead from the address above all questions to their list, which is the home page."""
    return redirect("home")


@written_once
def _written() -> str:
    shown = shown_questions()
    groups = [(title, [one for one in shown if one.question.group == key]) for key, title in GROUPS]
    context = {"groups": groups, "shown": shown, "sections": sections(), "total": len(entries()), "searches": SEARCHES}
    return render_to_string("library/questions_written.html", context)


@require_safe
@ensure_csrf_cookie
def one(request: HttpRequest, key: str) -> HttpResponse:
    """One question: a guess, the answer, its two runs as they play, and what to read on."""
    shown = shown_questions()
    at = next((i for i, found in enumerate(shown) if found.question.key == key), None)
    if at is None:
        raise Http404(f"there is no question {key}")
    context = {
        "shown": shown[at],
        "cluster": _cluster(shown[at].question.sides[0][1]),
        "happens": _happens(shown[at].question.sides[0][1]),
        "runs": _shown_runs(shown[at].question),
        "total": len(shown),
        "before": shown[at - 1] if at else None,
        "after": shown[at + 1] if at + 1 < len(shown) else None,
    }
    return render(request, "library/question.html", context)


def _shown_runs(question: Question) -> str:
    """The copies of both runs as an address names them; "" where nothing can be read or stored now."""
    try:
        return SEPARATOR.join(copies(question))
    except DatabaseError as error:
        log.warning("the runs of the question %s: %s", question.key, error)
        return ""


def _cluster(side: Side) -> list[str]:
    """The brokers and topics of a run, a line for each cluster: what one must know before the actions."""
    return [
        f"{name + ': ' if name else ''}{plural(len(part.brokers), 'broker', 'brokers')}; "
        + "; ".join(_placed(topic) for topic in part.topics if not topic.name.endswith(".internal"))
        for name, part in parts_of(load(document_of(side))).items()
    ]


def _placed(topic: TopicEntry) -> str:
    """``t-0 on brokers 0 (leader), 1, 2``, or the number of partitions and of replicas."""
    least = topic.config.get("min.insync.replicas", 1)
    replicas = topic.assignment[0]
    if len(topic.assignment) == 1:
        where = f"{topic.name}-0 on brokers {', '.join([f'{replicas[0]} (leader)', *map(str, replicas[1:])])}"
    else:
        where = f"{topic.name}: {len(topic.assignment)} partitions of {plural(len(replicas), 'replica', 'replicas')}"
    return f"{where}, min.insync.replicas {least}"


def _happens(side: Side) -> list[tuple[str, str]]:
    """The first actions of a run, each with its time: what one must know to guess how it ends."""
    document = load(document_of(side))
    name = node_names(document)
    done = document.timeline[:ACTIONS_MAX]
    return [(seconds(entry.at_us), sentence(str(entry.action), name)) for entry in done]


@written_once
def shown_questions() -> tuple[ShownQuestion, ...]:
    """All questions, with the figures of their runs in their answers."""
    return tuple(_shown(question, number) for number, question in enumerate(read_questions(), 1))


def _shown(question: Question, number: int) -> ShownQuestion:
    end = ends()["questions"][question.key]
    words = figures(question)
    side, _, name = question.guess.figure.partition(".")
    return ShownQuestion(
        question,
        number,
        question.answer.format(**words),
        question.more.format(**words),
        tuple(_side(letter, side, end[letter]) for letter, side in question.sides),
        getattr(words[side], name),
    )


def _side(letter: str, side: Side, end: dict[str, Any]) -> ShownSide:
    changes = tuple(f"{path.replace('/', ' ')}: {_plain(value)}" for path, value in side.changes.items())
    drawn = picture(end["picture"], f"Run {letter.upper()} at its gravest moment. {end['said']}")
    return ShownSide(letter, side.label, end["said"], drawn, changes)


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return ", ".join(f"{entry['at']} {entry['do']}" for entry in value)
    return str(value)


@require_POST
def open_side(request: HttpRequest, key: str, letter: str) -> HttpResponse:
    """Open a run of a question in the playground, as a run of this browser."""
    return opening.open_as_run(request, told_document(_found(key, letter), letter))


@require_POST
def open_both(request: HttpRequest, key: str) -> HttpResponse:
    """Make both runs runs of this browser, and show them on one clock."""
    return opening.open_both(request, [told_document(_found(key), letter) for letter in LETTERS])


@require_POST
def ask_often(request: HttpRequest, key: str) -> HttpResponse:
    """Make run A a run of this browser, and go to an experiment on it: the question over many seeds."""
    made = opening.opened(request, told_document(_found(key), "a"))
    if isinstance(made, HttpResponse):
        return made
    return redirect(f"/what-if/new?doc={made.id}")


@require_safe
def mine(request: HttpRequest, key: str) -> HttpResponse:
    """{title, why_not} of a question that is to be asked of a cluster that is still to be pasted."""
    question = _found(key)
    return JsonResponse({"title": question.title, "why_not": question.why_not_mine})


@require_POST
@replies.of_run
async def ask_mine(request: HttpRequest, scenario: Scenario, key: str) -> HttpResponse:
    """Make the two runs of a question on a cluster -> {url}: both on one clock; 409 {error} where it is not asked."""
    question = work.asked.question(await outside.stored(scenario), _found(key).key)
    try:
        found = await outside.answer(question, replies.asker(request))
    except DocumentError as error:
        return replies.problems(error)
    if "error" in found:
        return replies.refusal(found["error"], 409)
    runs = [CheckedDocument(**one) for one in found["checked"]]
    made: str | HttpResponse = await sync_to_async(opening.opened_both)(request, runs, Source.IMPORT)
    return JsonResponse({"url": made}, status=201) if isinstance(made, str) else made


def _found(key: str, letter: str = "a") -> Question:
    """The question; Http404 where there is none, or none with such a run."""
    question = next((question for question in read_questions() if question.key == key), None)
    if question is None or letter not in dict(question.sides):
        raise Http404(f"there is no question {key} with a run {letter}")
    return question
