"""A second cluster, a flow of MirrorMaker and a flow back, made on the page of a run."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.pages import another_run, opened, pause, run_until, set_speed


def document(page: Page) -> Any:
    """The document of the run that the page shows."""
    return page.request.get(f"/s/{page.evaluate('window.highwater.boot.scenario')}.json").json()


def test_a_run_gets_a_second_cluster_and_mirrormaker_both_ways_without_yaml(page: Page) -> None:
    """Each makes a new run from 0, with the actions of the run it was made from under their new names."""
    opened(page)
    run_until(page, 0.6)
    page.get_by_test_id("acks-orders").get_by_role("button", name="all").click()
    expect(page.get_by_test_id("acks-orders")).to_have_attribute("data-value", "all")
    page.get_by_test_id("tab-settings").click()
    with another_run(page):
        page.get_by_test_id("add-cluster-button").click()
    pair = document(page)
    assert list(pair["clusters"]) == ["east", "west"]
    assert [entry["do"] for entry in pair["timeline"]] == ["acks east/orders all"]
    assert pair["network"]["latency"] == "30ms"
    for flow in ("east->west", "west->east"):
        page.get_by_test_id("tab-settings").click()
        with another_run(page):
            page.get_by_test_id(f"add-flow-{flow}").click()
    page.get_by_test_id("tab-settings").click()
    page.get_by_test_id("client-east->west").locator("summary").click()
    with another_run(page):
        page.get_by_test_id("east->west-sync.group.offsets.enabled").select_option("true")
    made = document(page)
    assert [one.get("process") for one in made["mirrors"]] == [None, "mirror-back"]
    assert made["mirrors"][0]["config"]["sync.group.offsets.enabled"] is True
    set_speed(page, 20_000_000)
    page.get_by_test_id("play").click()
    run_until(page, 20)
    pause(page)
    expect(page.get_by_test_id("process-mirror-back")).to_have_attribute("data-state", "running")
    expect(page.get_by_test_id("mirror-east->west")).to_contain_text("running")
    copied = "() => Object.values(window.highwater.model.view.mirrors.flows[0].partitions).some(one => one.count)"
    assert page.evaluate(copied)


def test_a_wrong_name_of_a_cluster_says_what_is_allowed(page: Page) -> None:
    opened(page)
    page.get_by_test_id("tab-settings").click()
    form = page.get_by_test_id("add-cluster")
    form.get_by_label("Name of the new one").fill("east")
    page.get_by_test_id("add-cluster-button").click()
    expect(page.get_by_test_id("toast")).to_contain_text("there is a cluster east already")
