"""Shoot docs/playground.png, the picture in the README, from a running Highwater.

``python tools/picture.py [http://127.0.0.1:8000]`` kills a leader of the sandbox, waits for the election and the
checked verdict, and shoots.
"""

import sys
from pathlib import Path
from typing import Final

from playwright.sync_api import ViewportSize, sync_playwright

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests import chromium  # noqa: E402

SIZE: Final[ViewportSize] = {"width": 1366, "height": 800}
RUN_MS: Final = 12_000  # so that records, an election and a verdict are on screen
SETTLE_MS: Final = 4_000


def main(argv: list[str]) -> int:
    """Open the page as a visitor, let it run, press a broker's kill button, wait, shoot."""
    address = argv[0] if argv else "http://127.0.0.1:8000"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**chromium.launch_arguments())
        page = browser.new_context(viewport=SIZE, color_scheme="light").new_page()
        page.goto(f"{address}/play")
        page.wait_for_timeout(RUN_MS)
        page.get_by_role("button", name="Kill broker 1").click()
        page.wait_for_timeout(RUN_MS)
        page.get_by_test_id("play").click()  # paused, the page checks which action decided the loss
        page.get_by_test_id("deciding-event").first.wait_for()
        page.wait_for_timeout(SETTLE_MS)
        page.screenshot(path=ROOT / "docs" / "playground.png")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
