"""The page of settings: each that the engine obeys, with what shows it, and those without effect with the reason."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from playground.library import gallery, rule_text, scenario_files
from playground.library.gallery import GalleryCard
from playground.library.opening import open_both
from playground.library.question_list import Question, read_questions
from playground.library.rule_book import RUNS_SHOWN
from playground.library.setting_list import TITLES, Setting, SettingKind, find, kinds
from playground.library.setting_runs import documents
from playground.library.written_once import written_once
from simengine.scenario.config_keys import SIMULATED
from simengine.scenario.config_known import KNOWN
from simengine.scenario.profiles import VERSIONS

RUNS_MAX: Final = 12  # of a setting that many scenarios set
WORD: Final = re.compile(r"[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)*")
SHORT_NAMES: Final = ("acks",)  # names without a dot that prose uses for the setting and nothing else


@dataclass(frozen=True, slots=True)
class ShownSetting:
    """A setting as the page shows it. `decides` and `why_none` are HTML.

    `anchor`: the name alone, "" where an earlier kind has it.
    """

    setting: Setting
    decides: str
    why_none: str
    anchor: str
    questions: tuple[Question, ...]
    runs: tuple[GalleryCard, ...]
    more: tuple[GalleryCard, ...]


@dataclass(frozen=True, slots=True)
class ShownKind:
    """A kind as the page shows it; `intro` is HTML."""

    kind: SettingKind
    intro: str
    settings: tuple[ShownSetting, ...]


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason for which settings have no effect, and their names by the title of their kind."""

    text: str
    names: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def number(self) -> int:
        """The number of names."""
        return sum(len(names) for _, names in self.names)


@require_safe
@ensure_csrf_cookie
def page(request: HttpRequest) -> HttpResponse:
    """All settings by kind, then those without effect."""
    return render(request, "library/settings.html", {"written": _written()})


@written_once
def _written() -> str:
    total, without = sum(map(len, SIMULATED.values())), reasons()
    context = {
        "kinds": shown(),
        "total": total,
        "reasons": without,
        "entries": total + len(without),
        "first": VERSIONS[0],
        "last": VERSIONS[-1],
    }
    return render_to_string("library/settings_written.html", context)


@require_POST
def try_value(request: HttpRequest, kind: str, setting: str) -> HttpResponse:
    """Make two runs of this browser, with the default and with the value to try, and show them on one clock."""
    found = find(kind, setting)
    if found is None or not found.other:
        raise Http404(f"there is no {kind} setting {setting} with a value to try")
    return open_both(request, documents(found))


def shown() -> tuple[ShownKind, ...]:
    """The settings with their anchors, the questions that speak of them, and the runs that set them."""
    runs = _runs_by_name()
    first = {name: kind for kind in reversed(TITLES) for name in SIMULATED[kind]}
    return tuple(
        ShownKind(
            kind,
            rule_text.to_html(list(kind.intro), lambda _: False),
            tuple(
                ShownSetting(
                    one,
                    rule_text.to_html([one.decides], lambda _: False),
                    rule_text.to_html([one.why_none], lambda _: False) if one.why_none else "",
                    one.name if first[one.name] == kind.kind else "",
                    questions_of(one.name),
                    runs.get(one.name, ())[:RUNS_SHOWN],
                    runs.get(one.name, ())[RUNS_SHOWN:],
                )
                for one in kind.settings
            ),
        )
        for kind in kinds()
    )


def questions_of(name: str) -> tuple[Question, ...]:
    """The questions that name a setting, or in which it tells the two runs apart."""
    return tuple(question for question, names in _names_of_questions() if name in names)


@lru_cache(maxsize=1)
def _names_of_questions() -> tuple[tuple[Question, frozenset[str]], ...]:
    return tuple((question, _named_in(question)) for question in read_questions())


def _named_in(question: Question) -> frozenset[str]:
    sides = [side for _, side in question.sides]
    texts = [question.title, question.answer, question.seen, *(side.label for side in sides)]
    changes = [path.replace("/", " ") for side in sides for path in side.changes]
    return frozenset(_names_in(" ".join([*texts, *changes])))


def _names_in(text: str) -> Iterator[str]:
    return (word for word in WORD.findall(text) if "." in word or word in SHORT_NAMES)


@lru_cache(maxsize=1)
def _runs_by_name() -> dict[str, tuple[GalleryCard, ...]]:
    """The scenarios of the gallery that speak of each name, at most RUNS_MAX; first those that speak of little else."""
    known = {name for keys in SIMULATED.values() for name in keys if "." in name}
    found: dict[str, list[tuple[float, GalleryCard]]] = {}
    for path, card in zip(scenario_files.files(), gallery.entries(), strict=True):
        named = Counter(name for name in _names_in(path.read_text(encoding="utf-8")) if name in known)
        for name, times in named.items():
            found.setdefault(name, []).append((-times * times / named.total(), card))
    return {
        name: tuple(card for _, card in sorted(cards, key=lambda one: one[0])[:RUNS_MAX])
        for name, cards in found.items()
    }


def reasons() -> tuple[Reason, ...]:
    """Each reason for which settings have no effect."""
    texts = dict.fromkeys(text for known in KNOWN.values() for text in known.values())
    return tuple(Reason(text, tuple(_names_with(text))) for text in texts)


def _names_with(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for kind, title in TITLES.items():
        names = tuple(name for name, reason in KNOWN[kind].items() if reason == text)
        if names:
            yield title, names
