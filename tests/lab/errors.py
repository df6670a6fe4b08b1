"""An error of the laboratory: the cause and the cure."""


class LabError(Exception):
    """The laboratory cannot go on. The text names the cause and says what to do."""


def told(output: str, lines: int = 8) -> str:
    """The last lines of a program's output, without the frames of a Java stack trace."""
    return "\n".join([line for line in output.strip().splitlines() if not line.startswith("\tat ")][-lines:])
