"""A line of the log: what a stranger sends, such as a path, cannot make it long."""

import logging
from typing import Final

LINE_MAX: Final = 1_000
CUT: Final = " ... (cut)"


class CutLine(logging.Formatter):
    """Cuts a message at LINE_MAX characters; a traceback below it stays whole."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # the name is logging's
        line = super().formatMessage(record)
        return line if len(line) <= LINE_MAX else line[: LINE_MAX - len(CUT)] + CUT
