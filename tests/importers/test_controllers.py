"""The places of a pasted cluster's controllers: named, placed by hand, or spread; never in an AZ without a broker."""

from typing import Any

from simengine.importers.assumed import AssumedValues, defaults
from simengine.importers.document import build
from simengine.importers.evidence import PastedValue
from simengine.importers.model import ControllerRead, PastedBroker, PastedCluster, PastedPartition, PastedTopic
from simengine.scenario import load

TWO_SITES = {1: "dc1", 2: "dc1", 3: "dc2", 4: "dc2"}


def pasted(*voters: ControllerRead, count: int | None = None, chosen: dict[int, str] | None = None) -> Any:
    """The document of four brokers in two data centres with the voters that the paste names."""
    cluster = PastedCluster({"t": PastedTopic("t", rows={0: PastedPartition("t", 0, 1, (1, 3, 2, 4), (1, 3, 2, 4))})})
    cluster.brokers = {broker: PastedBroker(broker) for broker in TWO_SITES}
    cluster.controllers = {voter.id: voter for voter in voters}
    assumed = AssumedValues(controllers=len(voters) or 3 if count is None else count)
    built = build(cluster, assumed, TWO_SITES, chosen)
    assert built is not None
    return built.document


def places(document: Any) -> dict[int, str | None]:
    return {entry["id"]: entry.get("rack") for entry in document["cluster"]["controllers"]}


def test_controllers_that_nobody_names_stand_only_where_brokers_are() -> None:
    document = pasted()
    assert places(document) == {100: "dc1", 101: "dc2", 102: "dc1"}
    assert list(places(pasted(count=6)).values()).count("dc1") == 3
    assert document["basis"]["from"]["controllers"] == "assumed"
    assert document["basis"]["from"]["racks"] == "yours"


def test_voters_that_the_paste_names_stand_where_it_says() -> None:
    document = pasted(ControllerRead(11, "dc2"), ControllerRead(12, "dc2"), ControllerRead(13, "dc3"))
    assert places(document) == {11: "dc2", 12: "dc2", 13: "dc3"}
    assert document["basis"]["from"]["controllers"] == "read"


def test_voters_without_an_az_are_spread_and_called_assumed() -> None:
    document = pasted(ControllerRead(11), ControllerRead(12), ControllerRead(13))
    assert places(document) == {11: "dc1", 12: "dc2", 13: "dc1"}
    assert document["basis"]["from"]["controllers"] == "assumed"


def test_a_voter_that_is_a_broker_stands_where_the_broker_does_under_an_id_of_its_own() -> None:
    document = pasted(*(ControllerRead(broker) for broker in (1, 3, 4)))
    assert places(document) == {100: "dc1", 101: "dc2", 102: "dc2"}
    homes = {entry["id"]: entry["broker"] for entry in document["cluster"]["controllers"]}
    assert homes == {100: 1, 101: 3, 102: 4}
    assert "100 stands for node 1" in document["about"]


def test_a_controller_in_the_process_of_a_broker_that_is_down_is_down() -> None:
    """Broker 4 is in no ISR: it is taken for dead, with the voter in its process; a run begins with one that runs."""
    cluster = PastedCluster({"t": PastedTopic("t", rows={0: PastedPartition("t", 0, 1, (1, 3, 2, 4), (1, 3, 2))})})
    cluster.brokers = {broker: PastedBroker(broker) for broker in TWO_SITES}
    for voters, states in (((1, 3, 4), [None, None, "down"]), ((4,), [None])):
        cluster.controllers = {voter: ControllerRead(voter) for voter in voters}
        built = build(cluster, AssumedValues(controllers=len(voters)), TWO_SITES)
        assert built is not None
        controllers = load(built.document).controllers
        assert [entry.get("state") for entry in built.document["cluster"]["controllers"]] == states
        assert [one.broker for one in controllers] == ([1, 3, 4] if len(voters) == 3 else [None])


def test_who_places_controllers_by_hand_is_followed_but_for_those_of_a_brokers_process() -> None:
    moved = pasted(chosen={100: "dc1", 101: "dc2", 102: "quorum-site"})
    assert places(moved) == {100: "dc1", 101: "dc2", 102: "quorum-site"}
    assert moved["basis"]["from"]["controllers"] == "yours"
    combined = pasted(ControllerRead(1), chosen={100: "dc2"})
    assert places(combined) == {100: "dc1"}


def test_a_version_older_than_those_that_are_simulated_is_kept_as_older() -> None:
    """HW-2 is of 3.7: before, consumers read what stands below min.insync.replicas."""
    cluster = PastedCluster(
        {"t": PastedTopic("t", rows={0: PastedPartition("t", 0, 1, (1, 2), (1, 2))})},
        {1: PastedBroker(1), 2: PastedBroker(2)},
    )
    for named, is_older in (("3.4", True), ("3.7", False), ("4.1", False)):
        cluster.evidence.versions = [PastedValue(named, 1, "api-versions")]
        built = build(cluster, defaults(cluster))
        assert built is not None
        assert built.document["basis"].get("older", False) is is_older
    cluster.evidence.versions = [PastedValue("3.4", 1, "api-versions")]
    edited = build(cluster, defaults(cluster).edited({"profile": "4.1"}))
    assert edited is not None
    assert "older" not in edited.document["basis"]


def test_another_number_of_controllers_than_the_paste_names_is_spread_anew() -> None:
    assert places(pasted(ControllerRead(11, "dc2"), count=3)) == {100: "dc1", 101: "dc2", 102: "dc1"}
