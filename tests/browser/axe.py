"""What axe, the checker of roles, names, contrast and targets, says of a page in both themes, on a desk and a phone."""

from itertools import product
from pathlib import Path
from typing import Final, Literal

from playwright.sync_api import Page

from tests.browser.pages import DESK, PHONE
from tools import node

AXE: Final = Path(node.ROOT) / "node_modules" / "axe-core" / "axe.min.js"
THEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
FOUND: Final = """async () => {
  const rules = { 'label-content-name-mismatch': { enabled: true }, 'target-size': { enabled: true } };
  const { violations } = await window.axe.run(document, { resultTypes: ['violations'], rules });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`));
}"""


def install() -> None:
    """Install axe as the type checker is."""
    assert node.install() == 0


def found(page: Page) -> list[str]:
    """What axe says of a page in each theme and at each size; the page stays as it is. Needs ``install``."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    complaints: list[str] = []
    for size, theme in product((DESK, PHONE), THEMES):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.wait_for_function("theme => document.documentElement.dataset.theme === theme", arg=theme)
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        complaints += [f"{theme}, {size['width']}: {one}" for one in page.evaluate(FOUND)]
    return complaints
