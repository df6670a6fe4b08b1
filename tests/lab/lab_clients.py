"""The process in which all Java clients of a script run: producers, consumers and an admin client."""

import json
import subprocess
import threading
import uuid
from pathlib import Path
from typing import Any, Final

from tests.lab.distribution import Distribution
from tests.lab.errors import LabError
from tests.lab.network import CLIENT, LabNetwork

ADMIN_LIMIT_S: Final = 75.0  # an admin call gives up by itself after 60 s
CLOSE_LIMIT_S: Final = 5.0
MEMORY_MB: Final = 384


class LabClients:
    """Commands go in as JSON lines; each outcome comes back as one, and is kept with its time (`at`, ms)."""

    def __init__(self, network: LabNetwork, distribution: Distribution, work: Path) -> None:
        self.events: list[dict[str, Any]] = []
        self._responses: dict[str, dict[str, Any]] = {}
        self._arrived = threading.Condition()
        self._writing = threading.Lock()  # steps in the background tell too
        self._console = work / "clients.log"
        java = distribution.java(work / "clients-kafka.log", MEMORY_MB, "LabClients")
        with self._console.open("ab") as console:
            self._process = subprocess.Popen(
                [*network.inside(CLIENT), *java],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=console,
                text=True,
                start_new_session=True,
            )
        threading.Thread(target=self._read, daemon=True).start()

    def tell(self, **command: object) -> None:
        """Send a command, without waiting for its outcome. Raises LabError if the process is gone."""
        assert self._process.stdin is not None
        try:
            with self._writing:
                self._process.stdin.write(json.dumps(command) + "\n")
                self._process.stdin.flush()
        except OSError:
            raise LabError(f"the process of the clients is gone; its output is in {self._console}") from None

    def admin(self, bootstrap: str, call: str, details: dict[str, Any]) -> dict[str, Any]:
        """The response to an admin call: `ok`, then `result` or `error` (an exception's class) and `message`."""
        tag = uuid.uuid4().hex
        self.tell(**details, op="admin", bootstrap=bootstrap, call=call, tag=tag)
        with self._arrived:
            if self._arrived.wait_for(lambda: tag in self._responses, ADMIN_LIMIT_S):
                return self._responses.pop(tag)
        return {"ok": False, "error": "NoResponse", "message": f"no response within {ADMIN_LIMIT_S:g} s"}

    def end(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.close()
            self._process.wait(CLOSE_LIMIT_S)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if not line.endswith("\n"):  # the last one is cut short when the process is killed
                return
            event = json.loads(line)
            if event.get("event") == "bad-command":
                print(f"lab: the clients did not understand {event['line']}: {event['error']}", flush=True)
            with self._arrived:
                if "tag" in event:
                    self._responses[event["tag"]] = event
                    self._arrived.notify_all()
                else:
                    self.events.append(event)
