import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simengine.scenario import DocumentError, load, to_yaml
from simengine.scenario.builtin import NAMES, builtin, builtin_text
from simengine.scenario.limits import NESTING_MAX, SCALARS_MAX, UPLOAD_BYTES_MAX
from simengine.scenario.loading import read_plain
from tests.documents.helpers import document, plain, problems


def test_yaml_and_json_of_one_document_are_equal() -> None:
    data = plain(timeline=[{"at": "12s", "do": "kill 2"}])
    assert load(json.dumps(data)) == load(data)
    assert load(json.dumps(data).encode()) == load(data)


def test_a_plain_id_is_a_broker() -> None:
    assert [broker.id for broker in document().brokers] == [1, 2, 3]
    assert document().brokers[2].rack is None


def test_without_controllers_there_are_three_that_no_broker_is_called_like() -> None:
    assert [controller.id for controller in document().controllers] == [100, 101, 102]
    high = document(cluster={"brokers": [1, 2, 3, 101]})
    assert [controller.id for controller in high.controllers] == [102, 103, 104]


def test_an_unquoted_version_is_read_as_it_is_meant() -> None:
    assert load("format: 1\nprofile: 4.0\ncluster: {brokers: [1]}").profile == "4.0"


@pytest.mark.parametrize("name", NAMES)
def test_the_built_in_documents_load(name: str) -> None:
    assert builtin(name).title
    assert load(builtin_text(name)) == builtin(name)


def test_an_unknown_built_in_document_is_named_with_those_there_are() -> None:
    with pytest.raises(KeyError, match="sandbox"):
        builtin("sandbx")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "map"),
        ("just words", "map"),
        ("- 1\n- 2", "map"),
        ("format: 1\nformat: 1", "twice"),
        ('{"format": 1, "format": 1}', "twice"),
        ("cluster:\n  brokers: [1\n", "not YAML"),
        ('{"format": 1, "cluster": [}', "not JSON"),
        ("a: !!python/object:os.system x", "not YAML"),
        ("a: \t\x00", "not YAML"),
        ('{"seed": ' + "9" * 5000 + "}", "not JSON"),
        ("seed: " + "9" * 5000, "not YAML"),
    ],
)
def test_a_text_that_is_no_document_is_refused_in_words(text: str, word: str) -> None:
    assert word in str(problems(text)[0])


def test_yaml_is_read_as_yaml_1_2() -> None:
    assert read_plain("{on: off, a: yes, b: 010, c: 1:30, d: 2026-01-01, e: 1.5, f: true, g: ~, h: 1e3}") == {
        "on": "off",
        "a": "yes",
        "b": 10,
        "c": "1:30",
        "d": "2026-01-01",
        "e": 1.5,
        "f": True,
        "g": None,
        "h": 1000.0,
    }


def test_a_duplicate_key_is_named_with_its_line() -> None:
    found = problems("format: 1\ncluster:\n  brokers: [1]\n  brokers: [2]\n")
    assert found[0].path == "line 4"
    assert "'brokers'" in found[0].message


@pytest.mark.parametrize("title", [r"\ud800", r"\u0000", r"\udc00\ud800"])
def test_a_text_that_cannot_be_stored_is_refused(title: str) -> None:
    found = problems(json.dumps(plain(title="x")).replace('"x"', f'"{title}"'))
    assert found[0].path == "title"


def test_a_pair_of_surrogates_is_one_character() -> None:
    assert load(json.dumps(plain(title="\U0001f30a"))).title == "\U0001f30a"


def test_a_document_of_the_largest_size_is_read_in_seconds() -> None:
    topics = [{"name": f"t{i}", "assignment": [[1, 2, 3]] * 100} for i in range(100)]
    text = to_yaml(document(topics=topics, producers=[], consumers=[]))
    started = time.process_time()
    load(text)
    assert time.process_time() - started < 10


def test_a_second_yaml_document_is_refused() -> None:
    assert "second document" in str(problems("format: 1\n---\nformat: 1\n")[0])


@pytest.mark.parametrize("text", ["a: *b", "? [1, 2]\n: 3", "a: !custom x", "a: !!binary aGk="])
def test_yaml_beyond_plain_data_is_refused_with_its_line(text: str) -> None:
    assert problems(text)[0].path.startswith("line 1")


def test_bytes_that_are_not_utf_8_are_refused() -> None:
    told = str(problems(b"title: \xff\xfe")[0])
    assert "not UTF-8 text: the byte at position 7 (from 0) is 0xff. Allowed: " in told and "saved as UTF-8" in told


def test_a_byte_order_mark_is_no_problem() -> None:
    assert load(b"\xef\xbb\xbf" + json.dumps(plain()).encode()) == document()


def test_more_than_4_mib_are_refused() -> None:
    assert "4 MiB" in str(problems(" " * (UPLOAD_BYTES_MAX + 1))[0])


def test_deep_nesting_is_refused() -> None:
    for text in (
        "a: " + "[" * (NESTING_MAX + 1) + "]" * (NESTING_MAX + 1),
        '{"a": ' + "[" * 100_000 + "]" * 100_000 + "}",
    ):
        assert "deeper" in str(problems(text)[0])


def test_aliases_that_blow_up_are_refused() -> None:
    lines = ["a0: &a0 [1,1,1,1,1,1,1,1,1,1]"]
    lines += [f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 12)]
    assert f"more than {SCALARS_MAX:,} values" in str(problems("\n".join(lines))[0])


def test_an_alias_to_itself_is_refused() -> None:
    assert problems("a: &a [*a]")


@given(st.text(max_size=200))
@settings(deadline=None)
def test_any_text_gives_a_document_or_problems(text: str) -> None:
    try:
        load(text)
    except DocumentError as error:
        assert error.problems


@given(st.binary(max_size=200))
@settings(deadline=None)
def test_any_bytes_give_a_document_or_problems(data: bytes) -> None:
    try:
        load(data)
    except DocumentError as error:
        assert error.problems


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(sorted(plain())), _json)
@settings(deadline=None)
def test_any_value_at_any_key_gives_a_document_or_problems(key: str, value: object) -> None:
    try:
        load({**plain(), key: value})
    except DocumentError as error:
        assert error.problems
        assert str(error)
