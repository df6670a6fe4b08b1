"""Charts of the what-if pages, drawn from figures at hand and laid out again when the page changes its width."""

from playwright.sync_api import Page

SHOW = """async () => {
  const { html } = await import("/static/js/kit/html.js");
  const { render } = await import("preact");
  const { Intervals } = await import("/static/js/whatif/intervals.js");
  const each = [0.5, 0.2, 0.8];
  const figures = { loses: each, lost_median: each, down: each, latency_p50: each, latency_p99: each };
  const variants = ["A", "B", "C"].map((letter) => ({ letter, runs: 9, ...figures }));
  document.querySelector("main").replaceChildren();
  const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/static/css/whatif.css" });
  await new Promise((done) => { style.onload = done; document.head.append(style); });
  render(html`<${Intervals} status=${{ result: { variants } }} />`, document.querySelector("main"));
}"""
OVERLAPS = """() => {
  const svg = document.querySelector("main svg");
  const texts = [...svg.querySelectorAll("text")].map((one) => one.getBoundingClientRect());
  const box = svg.getBoundingClientRect();
  const high = 3; // pixels by which the box of a line is higher than its letters
  const across = (a, b) => a.left < b.right && b.left < a.right;
  const down = (a, b) => a.top + high < b.bottom && b.top + high < a.bottom;
  return {
    count: texts.length,
    wide: box.right,
    over: texts.filter((a, i) => texts.slice(i + 1).some((b) => across(a, b) && down(a, b))).length,
    out: texts.filter((a) => a.bottom > box.bottom || a.right > box.right + 1).length,
  };
}"""


def test_the_intervals_are_laid_out_again_when_the_page_becomes_narrow_and_wide(page: Page) -> None:
    page.goto("/import")
    page.evaluate(SHOW)
    for width in (1440, 390, 700, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(200)
        found = page.evaluate(OVERLAPS)
        assert found["count"] > 20
        assert found["wide"] <= width
        assert (found["over"], found["out"]) == (0, 0), width
