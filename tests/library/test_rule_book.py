"""The page of the rule book: every rule with its anchor, its sources and the runs that cite it."""

import re

import pytest
from django.test import Client

from playground.library import rule_book, rule_text
from playground.library.gallery import entries

CHAPTER = """# ISR

Some words.

<a id="ISR-1"></a>

### ISR-1 A check every 15 s

Every broker checks `a < b`, as
**HW-1..2** and KIP-966 say.

- **Setting:** `replica.lag.time.max.ms` = 30000,
  less before
- **Recorded:** s19,
  s22

## A table

| acks | ISR |
|---|---|
| all | 2 |
"""


@pytest.fixture(scope="module")
def told() -> str:
    return Client().get("/rules").content.decode()


def test_every_rule_has_an_anchor_a_title_and_a_text(told: str) -> None:
    rules = list(rule_book.all_rules())
    assert len(rules) == len({rule.id for rule in rules}) > 200
    for rule in rules:
        assert f'id="{rule.id}" data-testid="rule-{rule.id}"' in told
        assert rule.title
        assert len(" ".join(rule.lines)) > 40, rule.id


def test_the_page_counts_the_rules_and_those_with_runs(told: str) -> None:
    rules = list(rule_book.all_rules())
    seen = [rule for rule in rules if rule.id in rule_book.runs_by_rule()]
    assert f"{len(rules)} rules that the engine follows" in told
    assert f"{len(seen)} of them are shown by a run" in told
    assert len(seen) > 100


def test_a_rule_links_to_the_cards_of_the_runs_that_cite_it(told: str) -> None:
    card = told.partition('id="REG-2"')[2].partition("</article>")[0]
    assert 'href="/gallery#s39-too-fast-restart-after-a-stop"' in card
    names = {entry.name for entry in entries()}
    assert set(re.findall(r'href="/gallery#([^"]+)"', told)) <= names


def test_a_rule_links_to_the_rows_of_its_recordings(told: str) -> None:
    card = told.partition('id="FLT-8"')[2].partition("</article>")[0]
    assert '<a href="/truth#f091">f091</a>' in card
    rows = re.findall(r'<tr id="([^"]+)"', Client().get("/truth").content.decode())
    assert set(re.findall(r'href="/truth#([^"]+)"', told)) <= set(rows)


def test_every_link_inside_the_page_leads_to_something(told: str) -> None:
    assert set(re.findall(r'href="#([^"]+)"', told)) <= set(re.findall(r'id="([^"]+)"', told))


def test_a_card_of_the_gallery_links_to_its_rules() -> None:
    card = Client().get("/gallery").content.decode().partition('id="s10-unreplicated-data"')[2].partition("</li>")[0]
    assert '<a href="/rules#PROD-4">PROD-4</a>' in card


def test_a_chapter_is_read_into_its_rules_and_what_stands_around_them() -> None:
    chapter = rule_book.read("isr", CHAPTER)
    [rule] = chapter.rules
    assert (chapter.title, rule.id, rule.title) == ("ISR", "ISR-1", "A check every 15 s")
    assert rule.recordings == ("s19", "s22")
    assert rule_text.to_html(list(chapter.intro), bool) == "<p>Some words.</p>"
    assert "<h3>A table</h3>" in rule_text.to_html(list(chapter.rest), bool)


def test_a_rule_below_another_anchor_is_refused() -> None:
    with pytest.raises(ValueError, match=r"isr\.md"):
        rule_book.read("isr", CHAPTER.replace('id="ISR-1"', 'id="ISR-2"'))


def test_text_is_escaped_and_known_ids_become_links() -> None:
    [rule] = rule_book.read("isr", CHAPTER).rules
    html = rule_text.to_html(list(rule.lines), {"HW-1"}.__contains__)
    assert "<code>a &lt; b</code>" in html
    assert '<strong><a href="#HW-1">HW-1..2</a></strong> and KIP-966' in html
    assert "<li><strong>Setting:</strong> <code>replica.lag.time.max.ms</code> = 30000, less before</li>" in html


def test_a_table_has_heads_for_columns_and_rows() -> None:
    html = rule_text.to_html(["| acks | ISR |", "|---|---|", "| all | 2 |"], bool)
    assert '<th scope="col">acks</th>' in html
    assert '<tr><th scope="row">all</th><td>2</td></tr>' in html


def test_lists_have_dots_or_numbers_and_wrapped_lines_belong_to_their_item() -> None:
    html = rule_text.to_html(["1. first", "   goes on", "2. second", "", "- third"], bool)
    assert html == "<ol><li>first goes on</li><li>second</li></ol>\n<ul><li>third</li></ul>"


def test_a_range_of_ids_cites_each_of_them() -> None:
    assert list(rule_text.ids_in("FET-1..3, HW-2")) == ["FET-1", "FET-2", "FET-3", "HW-2"]
