"""The address of several runs on one clock: `/compare/<id>..<id>`."""

from collections.abc import Iterable
from typing import Final

from django.urls import reverse

SEPARATOR: Final = ".."


def compare_address(ids: Iterable[str]) -> str:
    """The address of the comparison of these runs."""
    return reverse("compare", args=[SEPARATOR.join(ids)])
