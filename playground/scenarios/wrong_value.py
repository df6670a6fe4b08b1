"""The error for a value of a request that cannot be used."""

import json


class WrongValue(ValueError):
    """A value of a request that cannot be used: its place, the value as JSON, and what is allowed."""

    def __init__(self, place: str, value: object, allowed: str) -> None:
        shown = json.dumps(value, default=str)[:80]
        super().__init__(f"{place} is {shown}; allowed: {allowed}")
        self.place = place
        self.value = shown
        self.allowed = allowed


class MissingValue(WrongValue):
    """A value that a request lacks and needs."""

    def __init__(self, place: str, allowed: str) -> None:
        super().__init__(place, None, allowed)
        self.args = (f"{place} is missing; allowed: {allowed}",)
        self.value = ""
