"""The state that a recount keeps of a run: the log of each copy record by record, and each call."""

from simengine.facts.errors import ERR_NONE

Record = tuple[int, int, int]  # leader epoch, producer, call


class Log:
    """One copy of a partition: record ``start + i`` is ``records[i]``."""

    def __init__(self) -> None:
        self.start = 0
        self.records: list[Record] = []
        self.hw = 0
        self.below: dict[int, Record] = {}  # by offset: what stood before the start moved past it

    def at(self, offset: int) -> Record | None:
        """The record at an offset."""
        index = offset - self.start
        return self.records[index] if 0 <= index < len(self.records) else None


class Call:
    """One ``send`` of an application."""

    def __init__(self, acks: int, made_us: int) -> None:
        self.acks = acks
        self.made_us = made_us
        self.settled_us = -1
        self.error = ERR_NONE
        self.offset = -1
        self.epoch = -1
        self.was_sent = False  # something was sent to a leader of the partition after it
        self.was_appended = False
        self.is_abandoned = False

    def is_acked(self) -> bool:
        """True if its producer was told an offset."""
        return self.settled_us >= 0 and self.error == ERR_NONE and not self.is_abandoned and self.offset >= 0

    def is_handed_over(self) -> bool:
        """True if it ended when it was sent: nobody was to answer."""
        return self.settled_us >= 0 and self.error == ERR_NONE and not self.is_abandoned and self.offset < 0
