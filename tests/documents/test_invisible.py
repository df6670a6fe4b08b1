"""Characters that cannot be seen, or that reorder others: refused in names, shown in titles and captions."""

import sys
import unicodedata
from typing import Any

import pytest

from simengine.scenario import DocumentError, load, parse, to_json, to_yaml
from simengine.scenario.invisible import invisible_in, made_visible
from simengine.scenario.problems import FieldError

UNSEEN = [
    "\u202e",
    "\u2066",
    "\u200f",
    "\u061c",
    "\u200b",
    "\u200d",
    "\ufeff",
    "\u00ad",
    "\u3164",
    "\ufe0f",
    "\U000e0041",
]
TOPICS = [{"name": "orders", "assignment": [[1, 2]]}]


def document(**parts: Any) -> dict[str, Any]:
    return {"format": 1, "cluster": {"brokers": [1, 2]}, "topics": TOPICS, **parts}


def problems(**parts: Any) -> list[str]:
    with pytest.raises(DocumentError) as error:
        load(document(**parts))
    return str(error.value).splitlines()


def test_every_format_and_control_character_of_unicode_is_known() -> None:
    every = map(chr, range(sys.maxunicode + 1))
    missed = [
        hex(ord(c)) for c in every if unicodedata.category(c) in ("Cf", "Cc", "Cs", "Zl", "Zp") and not invisible_in(c)
    ]
    assert missed == []


def test_letters_and_emoji_are_seen() -> None:
    assert invisible_in("az-1 Zürich 東京 \u0627\u0644 🔥") == ""


@pytest.mark.parametrize("unseen", UNSEEN, ids=ascii)
def test_no_name_holds_what_cannot_be_seen(unseen: str) -> None:
    name = f"a{unseen}b"
    producer = {"id": "p", "topic": "orders"}
    consumer = {"id": "c", "topics": ["orders"]}
    assert "rack" in problems(cluster={"brokers": [{"id": 1, "rack": name}, 2]})[0]
    assert "rack" in problems(cluster={"brokers": [1, 2], "controllers": [{"id": 100, "rack": name}]})[0]
    assert "name" in problems(topics=[{**TOPICS[0], "name": name}])[0]
    assert "id" in problems(producers=[{**producer, "id": name}])[0]
    assert "rack" in problems(producers=[{**producer, "rack": name}])[0]
    assert "group" in problems(consumers=[{**consumer, "group": name}])[0]
    assert "between" in problems(network={"links": [{"between": [name, 1]}]})[0]
    with pytest.raises(FieldError, match="cannot be seen"):
        parse(f"kill-rack {name}")
    with pytest.raises(FieldError, match="cannot be seen"):
        parse(f"intercept {name} writer orders-0 3 drop-response")


def test_an_error_spells_out_what_cannot_be_seen_and_never_repeats_it() -> None:
    (told,) = problems(cluster={"brokers": [{"id": 1, "rack": "az\u202e1"}, 2]})
    assert "U+202E cannot be seen (got az<U+202E>1)" in told
    for parts in (
        {"cluster": {"brokers": [1, 2], "config": {"log.\u202edirs": "x"}}},
        {"captions": [{"on": "Part\u202eition", "text": "x"}]},
        {"timeline": [{"at": 0, "do": "kil\u202el 1"}]},
        {"\u202etitle": "x"},
        {"seed": "\u202e1"},
    ):
        assert all("\u202e" not in line and "U+202E" in line for line in problems(**parts)), parts


def test_values_of_configurations_hold_none_either() -> None:
    (told,) = problems(cluster={"brokers": [1, 2], "config": {"replica.selector.class": "a\u202eb"}})
    assert told.startswith("cluster: holds U+202E, which cannot be seen")


@pytest.mark.parametrize(
    "unseen", ["\u202e", "\u2066", "\u200b", "\u200d", "\ufeff", "\x08", "\x1b", "\u3164"], ids=ascii
)
def test_a_title_and_a_caption_show_it_and_stay_as_long(unseen: str) -> None:
    text = f"Broker{unseen} 1"
    read = load(document(title=text, about=text, captions=[{"at": 0, "text": text}]))
    assert read.title == read.about == read.captions[0].text == "Broker\ufffd 1"
    assert load(to_json(read)) == read and load(to_yaml(read)) == read
    assert load(document(title=unseen * 200)).title == "\ufffd" * 200


@pytest.mark.parametrize(
    "text", ["line\n\tline", "❤️‍🔥 👨‍👩‍👧 1️⃣", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"], ids=ascii
)
def test_what_writing_needs_stays(text: str) -> None:
    assert made_visible(text) == text
