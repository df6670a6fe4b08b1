"""The findings of axe (roles, names, contrast, targets) on a page: light on a desk, dark on a phone.

`make test LONG=1` checks the other two views also, for the rules of colours alone: a whole check of a long page takes
seconds, and no other rule depends on the theme.
"""

from pathlib import Path
from typing import Final, Literal

from playwright.sync_api import Page, ViewportSize

from tests.browser.pages import DESK, PHONE
from tests.long_form import runs
from tools import node

Theme = Literal["light", "dark"]

AXE: Final = Path(node.ROOT) / "node_modules" / "axe-core" / "axe.min.js"
COLOURS: Final = ("color-contrast", "link-in-text-block")
VIEWS: Final[tuple[tuple[ViewportSize, Theme, tuple[str, ...] | None], ...]] = (  # and the only rules that are checked
    (DESK, "light", None),
    (PHONE, "dark", None),
    (DESK, "dark", COLOURS),
    (PHONE, "light", COLOURS),
)
CHECKED: Final = VIEWS[: runs("views of a page that axe checks")]
FOUND: Final = """async only => {
  const rules = { 'label-content-name-mismatch': { enabled: true }, 'target-size': { enabled: true } };
  const how = only ? { runOnly: { type: 'rule', values: only } } : { rules };
  const { violations } = await window.axe.run(document, { resultTypes: ['violations'], ...how });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`));
}"""
IS_OF_THEME: Final = """theme => [undefined, theme].includes(document.documentElement.dataset.theme)
  && matchMedia(`(prefers-color-scheme: ${theme})`).matches"""
UNLIKE: Final = """every => {
  const seen = new Set();
  for (const one of every) {
    const parts = [one, ...one.querySelectorAll('*')].map(part => `${part.tagName} ${part.className}`);
    const kind = [...new Set(parts)].sort().join();
    if (seen.has(kind)) one.remove();
    seen.add(kind);
  }
}"""


def install() -> None:
    """Install axe as the type checker is."""
    assert node.install() == 0


def found(page: Page) -> list[str]:
    """The complaints of axe about a page in its views; the page stays as it is. Needs ``install``."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    complaints: list[str] = []
    for size, theme, only in CHECKED:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.wait_for_function(IS_OF_THEME, arg=theme)
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        complaints += [f"{theme}, {size['width']}: {one}" for one in page.evaluate(FOUND, only)]
    return complaints


def keep_one_of_each_kind(page: Page, selector: str) -> None:
    """Remove from a list whatever is made of the same tags and classes as an earlier entry."""
    page.locator(selector).evaluate_all(UNLIKE)
