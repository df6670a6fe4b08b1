"""Files that a run gives away, in a real browser: its report, and the picture of a moment as SVG and PNG."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.pages import DESK, PHONE, opened

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_a_report_is_styled_and_runs_nothing(page: Page, size: ViewportSize) -> None:
    page.set_viewport_size(size)
    opened(page)
    run = page.evaluate("window.highwater.boot.scenario")
    page.goto(f"/s/{run}/report?at_us=3000000")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sandbox")
    expect(page.get_by_role("heading", name="Verdict at 3.000 s")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('main')).maxWidth") == "860px"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_picture_of_a_moment_is_saved_as_svg_and_png(page: Page, tmp_path: Path) -> None:
    opened(page)
    page.get_by_test_id("share").first.click()
    for button, start in (("picture-svg", b"<svg"), ("picture-png", PNG)):
        with page.expect_download() as waited:
            page.get_by_test_id(button).click()
        file = tmp_path / waited.value.suggested_filename
        waited.value.save_as(file)
        assert file.read_bytes().startswith(start)
        assert file.stat().st_size > 5_000
