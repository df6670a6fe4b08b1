"""An error of the laboratory: the cause and the cure."""


class LabError(Exception):
    """The laboratory cannot go on. The text names the cause and says what to do."""
