"""The gallery: the scenarios that the engine is tested with, each a run that anybody may open, break and fork.

The files are the same in the tests, here and in the manual (`tests/scenarios`): a title, what to notice, what is
expected and the rules it rests on. Nothing is kept of them; opening one makes a run of this browser.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from playground.library import scenario_files, search_words
from playground.library.contrasts import contrasts
from playground.library.ends import Replicas, ends, picture, replicas_of
from playground.library.opening import open_as_run, open_both
from playground.library.question_cards import question_cards
from playground.library.scenario_files import files
from playground.library.written_once import written_once
from simengine.scenario import Document, load
from simengine.scenario.expect import Expectation, read_all
from simengine.scenario.expect.language import flat
from simengine.scenario.parts import parts_of

SECTIONS: Final[tuple[tuple[str, str, int, int], ...]] = (
    ("writes", "Writes, acknowledgements, the high watermark", 1, 7),
    ("failures", "Brokers that fail", 8, 12),
    ("unclean", "Unclean elections", 13, 15),
    ("epochs", "Leader epochs and truncation", 16, 18),
    ("isr", "The in-sync set over time", 19, 23),
    ("partitions", "Cut links, paused leaders, zombies", 24, 28),
    ("racks", "Leadership, racks, sites, reassignment", 29, 36),
    ("topics", "Topics over time, retention, expiry", 53, 60),
    ("asked", "What people ask most", 61, 69),
    ("alerts", "When the pager rings", 70, 79),
    ("restarts", "Controllers, restarts, clients", 37, 99),
)
MIRRORS: Final = (scenario_files.MIRRORS, "Two sites with MirrorMaker")
VECTORS: Final = ("vectors", "Truncation, case by case")
STOP_WORDS: Final = {
    "writers": "no response for {}",
    "readers": "a reader got nothing for {}",
    "groups": "no group could join or commit for {}",
    "servers": "not writable for {} by the servers, no application wrote",
}
KINDS: Final = {  # of runs, by which the page filters
    "lost": "records lost",
    "hidden": "records unreadable",
    "twice": "records twice or missing",
    "stops": "writes or reads stop",
    "well": "nothing lost, nothing stops",
    "sites": "two clusters",
    "contrast": "two runs to compare",
}
NUMBER: Final = re.compile(r"([sv])([0-9]+)")


@dataclass(frozen=True, slots=True)
class GalleryCard:
    """One scenario as a card.

    ``lost``, ``hidden``: acknowledged records that it expects to be gone or unreadable, -1 where it does not say;
    ``groups``: groups whose committed offsets it expects to be gone, -1 where it does not say;
    ``duplicated``: records that it expects to stand twice in the log; ``rereads``: a group reads records twice;
    ``doubled``, ``skipped``: records that MirrorMaker copies twice or leaves out;
    ``asks``: whether any producer asks for an acknowledgement;
    ``stops``: what stopped, and for how long, in the application's time;
    ``contrast``: names of the two runs to show side by side; "" without a contrast;
    ``clusters``: how many there are.
    """

    name: str
    number: str
    section: str
    title: str
    about: str
    profile: str
    length: str
    lost: int
    hidden: int
    groups: int
    doubled: int
    duplicated: int
    skipped: int
    rereads: int
    asks: bool
    stops: tuple[str, ...]
    rules: tuple[str, ...]
    contrast: str
    clusters: int

    @property
    def kinds(self) -> list[str]:
        """The keys of KINDS that say something true of it."""
        is_twice = max(self.doubled, self.duplicated, self.skipped, self.rereads) > 0
        is_well = self.lost == 0 and self.asks and not (self.stops or is_twice or self.hidden > 0 or self.groups > 0)
        said = {
            "lost": max(self.lost, self.groups) > 0,
            "hidden": self.hidden > 0,
            "twice": is_twice,
            "stops": bool(self.stops),
            "well": is_well,
            "sites": self.clusters > 1,
            "contrast": bool(self.contrast),
        }
        return [key for key in KINDS if said[key]]

    def searched(self) -> dict[str, object]:
        """The fields of a scenario that the search looks through."""
        words = [self.number, *search_words.words_of(self.name)]
        return {"name": self.name, "title": self.title, "about": self.about, "rules": self.rules, "words": words}


@require_safe
@ensure_csrf_cookie
def page(request: HttpRequest) -> HttpResponse:
    """All scenarios by section."""
    return render(request, "library/gallery.html", {"total": len(entries()), **_written()})


@written_once
def _written() -> dict[str, object]:
    """The sections and the written cards, with the index of the search. They are the same for everybody."""
    context = {"sections": sections(), "questions": question_cards(), "index": search_index()}
    kinds = [
        {"key": key, "text": text, "count": sum(key in card.kinds for card in entries())} for key, text in KINDS.items()
    ]
    return {
        "sections": context["sections"],
        "kinds": kinds,
        "cards": render_to_string("library/gallery_cards.html", context),
    }


def search_index() -> dict[str, object]:
    """The entries of the page's search and its words. A question stands before a run that is found as well."""
    words = search_words.data()
    searched = [card.searched() for card in question_cards()] + [card.searched() for card in entries()]
    return {"entries": searched, **{key: words[key] for key in ("same", "small", "written")}}


def sections() -> list[dict[str, Any]]:
    """The themes of the gallery: ``key``, ``title``, ``entries``, and ``picture`` of the run that shows most."""
    names = [(key, title) for key, title, _, _ in SECTIONS] + [MIRRORS, VECTORS]
    members = {key: [card for card in entries() if card.section == key] for key, _ in names}
    return [
        {"key": key, "title": title, "entries": members[key], "picture": _most_telling(members[key])}
        for key, title in names
    ]


def _most_telling(cards: list[GalleryCard]) -> str:
    """The picture with the most lost records, then the most records."""
    return picture(max((replicas_of(card.name) for card in cards), key=_shows), "")


def _shows(replicas: Replicas) -> tuple[int, int]:
    fates = [fate for replica in replicas for _, _, fate in replica["marks"]]
    return fates.count("lost"), len(fates)


@require_safe
def pictures(request: HttpRequest, section: str) -> JsonResponse:
    """The pictures of a theme's cards by their names, as SVG. The page asks for them when it shows the theme."""
    found = [card for card in entries() if card.section == section]
    if not found:
        raise Http404(f"the gallery has no theme {section}")
    return JsonResponse(
        {card.name: picture(replicas_of(card.name), f"The gravest moment of: {card.title}") for card in found}
    )


@require_POST
def open_entry(request: HttpRequest, name: str) -> HttpResponse:
    """Open a scenario in the playground, as a run of this browser."""
    return open_as_run(request, _path(name).read_bytes())


@require_POST
def open_contrast(request: HttpRequest, name: str) -> HttpResponse:
    """Open the two runs of a scenario that is a contrast on one clock, as runs of this browser."""
    contrast = contrasts().get(name)
    if contrast is None:
        raise Http404(f"the scenario {name} is no contrast of two runs")
    return open_both(request, contrast.documents)


@require_safe
def source(request: HttpRequest, name: str) -> HttpResponse:
    """The document itself."""
    return HttpResponse(_path(name).read_text(encoding="utf-8"), content_type="text/plain; charset=utf-8")


def _path(name: str) -> Path:
    found = next((path for path in files() if path.stem == name), None)
    if found is None:
        raise Http404(f"there is no scenario {name}")
    return found


@written_once
def entries() -> tuple[GalleryCard, ...]:
    """Every scenario of the folder, in the order of their numbers."""
    return tuple(entry_of(path) for path in files())


def entry_of(path: Path) -> GalleryCard:
    """The card of one file."""
    document = load(path.read_bytes())
    parts = list(parts_of(document).values())
    outer = read_all(document.expect)[0]
    expectations = [inner for expectation in outer for inner in flat(expectation)]
    label, number = _number(path.stem)
    return GalleryCard(
        name=path.stem,
        number=label,
        section=_section(path, number),
        title=document.title,
        about=" ".join(document.about.split()),
        profile=_profile(parts),
        length=_length(document.until_us),
        lost=_most(expectations, "lost"),
        hidden=_most(expectations, "hidden"),
        groups=_most(expectations, "groups_lost"),
        doubled=_most(expectations, "doubled", "mirror"),
        duplicated=_most(expectations, "duplicated"),
        skipped=_most(expectations, "skipped", "mirror"),
        rereads=_most(expectations, "rereads", "mirror"),
        asks=any(producer.acks != "0" for part in parts for producer in part.producers),
        stops=stop_words(ends()["scenarios"].get(path.stem, {}).get("stops", {})),
        rules=tuple(dict.fromkeys(rule for expectation in (*outer, *expectations) for rule in expectation.rules)),
        contrast=contrasts()[path.stem].words if path.stem in contrasts() else "",
        clusters=len(parts),
    )


def stop_words(found: dict[str, int]) -> tuple[str, ...]:
    """The stops of writers and readers; without any, that of groups; where nobody wrote, that by the servers."""
    told = [who for who in ("writers", "readers") if found.get(who)]
    told = told or [who for who in ("groups", "servers") if found.get(who)][:1]
    return tuple(STOP_WORDS[who].format(f"{found[who] / 1e6:,.1f} s") for who in told)


def _number(stem: str) -> tuple[str, int]:
    found = NUMBER.match(stem)
    return (stem.partition("-")[0].capitalize(), int(found[2])) if found else ("", 0)


def _section(path: Path, number: int) -> str:
    if path.parent.name == MIRRORS[0]:
        return MIRRORS[0]
    if path.stem.startswith("v"):
        return VECTORS[0]
    return next((key for key, _, first, last in SECTIONS if first <= number <= last), SECTIONS[-1][0])


def _profile(parts: list[Document]) -> str:
    return " and ".join(dict.fromkeys(_version(part) for part in parts))


def _version(document: Document) -> str:
    elr = ", ELR on" if document.elr else ", ELR off" if document.version.elr_default else ""
    return f"Kafka {document.version.label}{elr}" if not document.version.legacy else document.version.label


def _most(expectations: list[Expectation], fate: str, kind: str = "verdict") -> int:
    """The most records or groups that any topic is expected to have in a fate; -1: it is not spoken of."""
    amounts = [e.wanted[fate] for e in expectations if e.kind == kind and fate in e.wanted]
    return max(
        (max(part or 0 for part in amount) if isinstance(amount, list) else amount for amount in amounts), default=-1
    )


def _length(until_us: int) -> str:
    """The length of a run, as people write it."""
    seconds = until_us / 1e6
    return f"{seconds:g} s" if seconds < 120 or seconds % 60 else f"{seconds / 60:g} min"
