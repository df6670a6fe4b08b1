"""The findings of axe (roles, names, contrast, targets) on a page, in both themes, on a desk and a phone.

In the second theme only the rules of colours are checked: no other rule depends on it, and a whole check of a long page
takes seconds.
"""

from itertools import product
from pathlib import Path
from typing import Final, Literal

from playwright.sync_api import Page

from tests.browser.pages import DESK, PHONE
from tools import node

AXE: Final = Path(node.ROOT) / "node_modules" / "axe-core" / "axe.min.js"
THEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
COLOURS: Final = ("color-contrast", "link-in-text-block")
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
    """The complaints of axe about a page in each theme and at each size; the page stays as it is. Needs ``install``."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    complaints: list[str] = []
    for size, theme in product((DESK, PHONE), THEMES):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.wait_for_function(IS_OF_THEME, arg=theme)
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        only = None if theme == THEMES[0] else COLOURS
        complaints += [f"{theme}, {size['width']}: {one}" for one in page.evaluate(FOUND, only)]
    return complaints


def keep_one_of_each_kind(page: Page, selector: str) -> None:
    """Remove from a list whatever is made of the same tags and classes as an earlier entry."""
    page.locator(selector).evaluate_all(UNLIKE)
