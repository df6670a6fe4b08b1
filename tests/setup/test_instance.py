"""A second instance on the same data and a port in use are refused in a sentence that holds the cure."""

import socket
from pathlib import Path

import pytest

from playground.supervisor import instance
from playground.supervisor.instance import CannotStart, Claim, listen


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instance, "CLAIM_SECONDS_MAX", 0.1)


def test_data_that_is_in_use_is_refused_with_who_has_it_and_what_to_do(tmp_path: Path) -> None:
    held = Claim(tmp_path, "web", "http://127.0.0.1:8000")
    with pytest.raises(
        CannotStart, match=r"already runs on this data .* at http://127.0.0.1:8000, as process \d+"
    ) as no:
        Claim(tmp_path, "web", "http://127.0.0.1:9000")
    assert "HIGHWATER_DATA=" in str(no.value)
    held.release()
    Claim(tmp_path, "web", "http://127.0.0.1:9000").release()


def test_worker_and_web_of_one_instance_claim_the_data_side_by_side(tmp_path: Path) -> None:
    for claim in [Claim(tmp_path, "web", ""), Claim(tmp_path, "worker", "")]:
        claim.release()


def test_a_port_in_use_is_refused_with_the_way_to_another() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(CannotStart, match=rf"Port {port} on 127.0.0.1 is in use .* PORT=8001"):
            listen("127.0.0.1", port)


def test_a_port_that_may_not_be_opened_is_refused_with_the_reason() -> None:
    with pytest.raises(CannotStart, match="cannot be opened"):
        listen("192.0.2.1", 0)  # an address of no machine (RFC 5737)
