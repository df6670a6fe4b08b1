"""An error in a recording: the place, the value and what belongs there."""

from typing import Final

SHOWN_MAX: Final = 80  # characters of a wrong value that an error repeats


class RecordingError(ValueError):
    """A recording cannot be used. ``path`` is as in ``actions[3][2]``; the text says what is allowed there."""

    def __init__(self, path: str, message: str, value: object = None, allowed: str = "") -> None:
        self.path = path
        self.allowed = allowed
        text = f"{path}: {message}"
        if value is not None:
            text += f" (got {shown(value)})"
        if allowed:
            text += f"; allowed: {allowed}"
        super().__init__(text)

    def within(self, file: str) -> "RecordingError":
        """The same error, naming the file."""
        if self.path.startswith(f"{file}: "):
            return self
        return RecordingError(f"{file}: {self.path}", str(self).removeprefix(f"{self.path}: "))

    def under(self, path: str) -> "RecordingError":
        """The same error of a part that stands at `path` in a whole."""
        return RecordingError(f"{path}.{self.path}", str(self).removeprefix(f"{self.path}: "))


def shown(value: object) -> str:
    """A value on one line, cut to SHOWN_MAX characters."""
    text = repr(value)
    return text if len(text) <= SHOWN_MAX else text[: SHOWN_MAX - 1] + "…"


def names_of(clients: list[str]) -> str:
    """The clients there are, for who named another: one without a name is shown as such."""
    return ", ".join(client or repr(client) for client in clients)
