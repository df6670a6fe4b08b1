"""Labels of a listing in any letters."""

from itertools import islice, product

from simengine.importers.labels import SPELLINGS_MAX, is_exact, name_of


def test_a_label_in_thousands_of_spellings_fills_no_memory() -> None:
    letters = [(letter.lower(), letter.upper()) for letter in "offlinereplicas"]
    for spelling in islice(product(*letters), 2 * SPELLINGS_MAX):
        assert name_of("".join(spelling)) == "offline"
        is_exact("".join(spelling))
    assert name_of.cache_info().currsize <= SPELLINGS_MAX
    assert is_exact.cache_info().currsize <= SPELLINGS_MAX
