"""Saved documents: one link, one timeline; branches are whole copies."""

from typing import Any

import pytest
from django.db import OperationalError

from playground.scenarios import documents, limits, lineage, owner, store
from playground.scenarios.ids import ALPHABET, ID_LENGTH, new_id
from playground.scenarios.models import Accepted, Scenario, Source
from playground.scenarios.owner import Maker
from simengine.scenario import Document, DocumentError, load, to_json
from simengine.scenario.model import Caption
from tests.scenarios_app.forks import document_of, forked, rows, shared
from tests.scenarios_app.forks import timeline_of as _timeline

pytestmark = pytest.mark.django_db

DOCUMENT = """
format: 1
title: Two brokers
cluster: {brokers: [1, 2], controllers: [100]}
topics: [{name: orders, assignment: [[1, 2]]}]
timeline:
  - {at: 5s, do: kill 1}
  - {at: 9s, do: start 1}
"""


def _make(who: str = "me") -> Scenario:
    return store.create(DOCUMENT, by=Maker(who), origin=Source.UPLOAD)


def test_ids_are_short_and_leave_out_what_is_misread() -> None:
    assert len(new_id()) == ID_LENGTH
    assert not set("0O1lI") & set(ALPHABET)


def test_a_stored_document_comes_back_as_it_was() -> None:
    scenario = _make()
    assert scenario.title == "Two brokers"
    assert scenario.profile == "4.2"
    assert scenario.engine
    assert _timeline(scenario) == [(5_000_000, "kill 1"), (9_000_000, "start 1")]


def test_a_wrong_document_is_refused_and_nothing_is_stored() -> None:
    with pytest.raises(DocumentError):
        store.create("format: 1\nclster: {}", by=Maker("me"), origin=Source.UPLOAD)
    assert not Scenario.objects.exists()


def test_a_copy_that_cannot_be_stored_whole_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is stored, then frozen: without the second step it would be a run of its own under a link nobody was told."""
    scenario = _make()

    def full(*_: object, **__: object) -> None:
        raise OperationalError("database or disk is full")

    create = store.create

    def created_and_then_full(*arguments: Any, **named: Any) -> Scenario:
        copy = create(*arguments, **named)
        monkeypatch.setattr(Scenario, "save", full)
        return copy

    monkeypatch.setattr(store, "create", created_and_then_full)
    with pytest.raises(OperationalError):
        shared(scenario, 0, "", {})
    assert list(Scenario.objects.values_list("pk", flat=True)) == [scenario.pk]


def _with_captions(count: int) -> Document:
    caption = Caption.model_construct(at_us=1_000_000, text="x" * 20_000, kind="note")
    return load(DOCUMENT).model_copy(update={"captions": [caption] * count})


def test_what_would_be_stored_longer_than_an_upload_is_refused_in_words() -> None:
    with pytest.raises(DocumentError, match="too long once it is written out"):
        store.create(_with_captions(300), by=Maker("me"), origin=Source.UPLOAD)
    assert not Scenario.objects.exists()


def test_a_document_that_was_stored_stays_readable_however_long_it_is() -> None:
    scenario = _make()
    scenario.body = to_json(_with_captions(300))
    scenario.save()
    assert len(document_of(scenario).captions) == 300


def test_accepted_actions_are_part_of_the_document_in_the_order_of_time() -> None:
    scenario = _make()
    store.accept(scenario.id, 7_000_000, "kill 2", None)
    assert [at for at, _ in _timeline(scenario)] == [5_000_000, 7_000_000, 9_000_000]


def test_the_sender_s_words_for_accepted_actions_are_kept() -> None:
    scenario = _make()
    store.accept(scenario.id, 7_000_000, "kill 2", "n")
    store.accept(scenario.id, 8_000_000, "start 2", None)
    assert store.nonces_of(scenario) == {"n": 7_000_000}


def test_a_fork_keeps_what_came_after_it_and_says_so() -> None:
    branch = forked(_make(), 2_000_000, "kill 2", owner="you", left={})
    assert _timeline(branch) == [(2_000_000, "kill 2"), (5_000_000, "kill 1"), (9_000_000, "start 1")]
    assert branch.later is not None and not branch.later["fresh"]
    assert (branch.later["brief"], branch.later["problems"]) == ("with what came after: 1 kill, 1 start", [])
    assert lineage.of(branch, "you").root.branches[0].later == "with what came after: 1 kill, 1 start"


def test_what_can_no_longer_be_done_in_a_fork_is_left_out_and_listed_with_the_reason() -> None:
    branch = forked(_make(), 2_000_000, "kill 2", owner="me", left={1: "it runs already"})
    assert _timeline(branch) == [(2_000_000, "kill 2"), (5_000_000, "kill 1")]
    assert branch.later is not None
    assert branch.later["brief"] == "with what came after: 1 kill, 1 later action can no longer be done"
    assert branch.later["problems"] == ["at 9 s: start broker 1: it runs already"]
    [node] = lineage.of(branch, "me").root.branches
    assert node.problems == branch.later["problems"]


def test_a_later_action_that_names_what_the_fork_does_not_have_is_listed() -> None:
    made = DOCUMENT.replace("kill 1", "create extra 1 1").replace("start 1", "elect preferred extra-0")
    run = store.create(made, by=Maker("me"), origin=Source.UPLOAD)
    branch = forked(run, 2_000_000, "kill 2", owner="me", left={0: "the controller refuses it: X"})
    assert _timeline(branch) == [(2_000_000, "kill 2")]
    assert branch.later is not None
    assert [problem.split(": ", 2)[2] for problem in branch.later["problems"]] == [
        "the controller refuses it: X",
        "there is no topic 'extra'",
    ]


def test_a_fork_lasts_until_the_last_later_action_and_expects_nothing() -> None:
    late = (
        DOCUMENT.replace("{at: 9s", "{at: 90s")
        + "until: 20s\nexpect: [{partition: orders-0, leader: 1, at: 10s, rules: [ELEC-3]}]\n"
    )
    run = store.create(late, by=Maker("me"), origin=Source.UPLOAD)
    document = document_of(forked(run, 2_000_000, "kill 2", owner="me", left={}))
    assert document.until_us == 90_000_000 and document.expect == []


def test_a_fork_that_starts_afresh_keeps_what_was_before_and_says_what_it_leaves_out() -> None:
    scenario = _make()
    branch = forked(scenario, 9_000_000, "kill 2", owner="you")
    assert _timeline(branch) == [(5_000_000, "kill 1"), (9_000_000, "kill 2")]
    assert branch.parent == scenario and branch.cut_us == 9_000_000 and branch.owner == "you"
    assert branch.change == "9.000 s: Broker 2 is killed"
    brief = "starts afresh: leaves out 1 later action: start broker 1 at 9 s"
    assert branch.later is not None and branch.later["fresh"] and branch.later["brief"] == brief
    assert _timeline(scenario) == [(5_000_000, "kill 1"), (9_000_000, "start 1")]


def test_a_fork_by_a_hand_on_a_message_does_not_name_its_number() -> None:
    assert forked(_make(), 9_000_000, "hold 1234", owner="you").change == "9.000 s: A message is held"


def test_a_fork_takes_live_actions_with_it() -> None:
    scenario = _make()
    store.accept(scenario.id, 6_000_000, "kill 2", None)
    branch = forked(scenario, 7_000_000, "start 2", owner="me")
    assert [do for _, do in _timeline(branch)] == ["kill 1", "kill 2", "start 2"]
    assert not Accepted.objects.filter(scenario=branch).exists()


def test_a_fork_with_an_impossible_action_is_refused() -> None:
    with pytest.raises(DocumentError, match="did you mean kill"):
        forked(_make(), 1, "kil 2", owner="me")
    with pytest.raises(DocumentError, match="7"):
        forked(_make(), 1, "kill 7", owner="me")


def test_a_shared_copy_does_not_change_when_the_run_goes_on() -> None:
    scenario = _make()
    copy = shared(scenario, 6_000_000, "d" * 16, {"sentence": ""})
    store.accept(scenario.id, 10_000_000, "kill 2", None)
    assert len(_timeline(copy)) == 2
    assert copy.is_frozen and copy.digest == "d" * 16 and copy.moment_us == 6_000_000
    assert not owner.may_act(copy, "me")


def test_a_deleted_document_keeps_nothing_of_what_it_said_and_its_branches_stay() -> None:
    scenario = _make()
    store.accept(scenario.id, 10_000_000, "kill 2", None)
    branch = forked(scenario, 9_000_000, "kill 2", owner="you")
    store.delete(scenario)
    scenario.refresh_from_db()
    assert scenario.is_deleted and scenario.body == "" and scenario.title == ""
    assert not Accepted.objects.exists()
    branch.refresh_from_db()
    assert branch.body and branch.parent == scenario


def test_only_the_browser_that_made_it_or_holds_the_edit_link_may_act() -> None:
    scenario = _make("me")
    assert owner.may_act(scenario, "me")
    assert not owner.may_act(scenario, "you")
    assert not owner.may_act(scenario, "")
    assert not owner.is_edit_word(scenario, "wrong")
    assert owner.is_edit_word(scenario, owner.edit_word(scenario))
    assert not owner.grant(scenario, "wrong", "you") and not owner.may_act(scenario, "you")
    assert owner.grant(scenario, owner.edit_word(scenario), "you")
    assert owner.may_act(scenario, "you")


def test_edit_words_of_two_documents_differ() -> None:
    assert owner.edit_word(_make("me")) != owner.edit_word(_make("me"))


def test_a_new_edit_link_revokes_the_old_one_and_what_it_gave() -> None:
    scenario, other = _make("me"), _make("me")
    word = owner.edit_word(scenario)
    assert owner.grant(scenario, word, "you") and owner.grant(other, owner.edit_word(other), "you")
    assert owner.replace_edit_link(scenario) == 1
    assert not owner.may_act(scenario, "you") and owner.may_act(scenario, "me")
    assert not owner.grant(scenario, word, "you")  # also for who read the row before
    assert owner.may_act(other, "you")
    scenario.refresh_from_db()
    assert owner.edit_word(scenario) != word
    assert owner.grant(scenario, owner.edit_word(scenario), "you") and owner.may_act(scenario, "you")


def test_a_browser_is_known_by_a_random_word_that_is_stored_as_a_hash() -> None:
    session: dict[str, object] = {}
    key = owner.browser(session)
    assert owner.browser(session) == key == owner.known_browser(session)
    assert key not in str(session)
    assert owner.known_browser({}) == ""


def test_the_lineage_shows_ancestors_and_own_branches_but_not_what_others_made() -> None:
    root = _make("me")
    mine = forked(root, 9_000_000, "kill 2", owner="me")
    theirs = forked(root, 8_000_000, "kill 2", owner="you")
    tree = lineage.of(mine, "me")
    assert tree.root.id == root.id
    assert [node.id for node in tree.root.branches] == [mine.id]
    assert [node.id for node in lineage.of(theirs, "you").root.branches] == [theirs.id]
    assert lineage.forks_by_others(root, "me") == 1


def test_my_runs_lists_the_last_used_first_and_no_deleted_ones() -> None:
    first, second, third = _make(), _make(), _make()
    store.delete(second)
    first.save()
    assert [row.run.id for row in rows("me", 10)] == [first.id, third.id]
    assert rows("", 10) == []


def test_a_browser_keeps_a_limited_number_of_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SCENARIOS_A_BROWSER_MAX", 1)
    _make()
    with pytest.raises(store.StoreFull, match="1 runs, which is the limit"):
        _make()


def test_a_full_timeline_takes_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "TIMELINE_MAX", 1)
    scenario = _make()
    store.accept(scenario.id, 10_000_000, "kill 2", None)
    with pytest.raises(DocumentError, match="at most 1 actions"):
        store.accept(scenario.id, 11_000_000, "start 2", None)


def test_a_run_that_was_acted_on_last_is_listed_first() -> None:
    older, newer = _make(), _make()
    assert [row.run.id for row in rows("me", 9)] == [newer.id, older.id]
    store.accept(older.id, 1_000_000, "kill 2", "a")
    assert [row.run.id for row in rows("me", 9)] == [older.id, newer.id]


def test_ones_own_branch_is_drawn_however_many_others_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lineage, "LINEAGE_MAX", 4)
    scenario = _make()
    for number in range(6):
        forked(scenario, 1_000_000 + number, "kill 2", owner=f"other {number}")
    mine = forked(scenario, 9_000_000, "kill 2", owner="reader")
    assert [node.id for node in lineage.of(scenario, "reader").root.branches] == [mine.id]


def test_what_is_done_in_a_document_is_told_in_words_beside_its_notation() -> None:
    document = documents.branched(documents.read(_make().body), 9_000_000, "cut 1|2")
    assert documents.told_actions(document, document.timeline)[-1] == (
        9_000_000,
        "The links between broker 1 and broker 2 are cut.",
        "cut 1|2",
    )
