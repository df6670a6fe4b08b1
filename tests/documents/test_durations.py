import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simengine.scenario.durations import format_duration, parse_duration
from simengine.scenario.problems import FieldError


@pytest.mark.parametrize(
    ("text", "us"),
    [
        ("300us", 300),
        ("250ms", 250_000),
        ("12s", 12_000_000),
        ("1.5s", 1_500_000),
        ("5m", 300_000_000),
        ("2h", 7_200_000_000),
        ("0", 0),
        (0, 0),
        ("0.000001s", 1),
    ],
)
def test_a_duration_is_read_as_microseconds(text: object, us: int) -> None:
    assert parse_duration(text) == us


@given(st.integers(min_value=0, max_value=10**13))
@settings(deadline=None)
def test_a_formatted_duration_reads_back_as_itself(us: int) -> None:
    assert parse_duration(format_duration(us)) == us


def test_durations_are_written_short() -> None:
    texts = [format_duration(us) for us in (0, 1, 1_500, 250_000, 1_500_000, 60_000_000, 90_000_000, 3_600_000_000)]
    assert texts == ["0s", "1us", "1.5ms", "250ms", "1.5s", "1m", "90s", "1h"]


def test_a_number_without_a_unit_is_refused_with_the_likely_unit() -> None:
    with pytest.raises(FieldError) as caught:
        parse_duration(12)
    assert caught.value.near == "12s"


@pytest.mark.parametrize("text", ["", "s", "-1s", "1 day", "1e3s", "0.1us", True, None, [], "1,5s"])
def test_what_is_no_duration_is_refused(text: object) -> None:
    with pytest.raises(FieldError):
        parse_duration(text)
