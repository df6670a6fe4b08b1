"""The import page checks the names and the number of sites by the same limits as the server."""

import re
from pathlib import Path

from simengine.importers.sites import BETWEEN_MS_MAX
from simengine.scenario.fields import CLUSTER_NAME
from simengine.scenario.limits import CLUSTERS_MAX

PAGE = (Path(__file__).resolve().parents[2] / "static/js/import/sites.js").read_text()


def _one(pattern: str) -> str:
    [found] = re.findall(pattern, PAGE)
    return str(found)


def test_the_page_and_the_server_have_the_same_limits_of_sites() -> None:
    assert int(_one(r"const SITES_MAX = (\d+);")) == CLUSTERS_MAX
    assert float(_one(r'type="number" min="0" max="(\d+)"')) == BETWEEN_MS_MAX


def test_the_page_and_the_server_take_the_same_names_of_sites() -> None:
    name = re.compile(_one(r"const NAME = /\^(.*)\$/;"))
    for tried in ("a", "A-1_b", "", "1a", "-a", "a b", "a/b", "é", "aé", "x" * 32, "x" * 33, "a\n"):
        assert bool(name.fullmatch(tried)) == bool(CLUSTER_NAME.fullmatch(tried)), tried
