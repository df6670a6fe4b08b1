"""The storm of hostile input knows every address, socket and command of the site."""

from tests.faults.inputs import missing


def test_every_route_socket_and_command_has_a_valid_input_to_be_made_hostile() -> None:
    assert missing() == []
