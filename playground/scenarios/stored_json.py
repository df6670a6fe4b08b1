"""Columns of JSON whose text a disk, an older version or another hand may have damaged.

What is no JSON, or does not have the shape that pages rely on, is not believed. What can be found out again reads as
None, as if it had never been noted (``outside.tell``). The rest reads as words that say it is damaged.
"""

import json
from typing import Annotated, Any, Final

from django.db import models
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr, ValidationError

from playground.scenarios.size import Size
from simengine.scenario import Problem

OPEN: Final = ConfigDict(extra="ignore")
MICROSECONDS_MAX: Final = 2**63 - 1
OVER_ALL: Final = 2  # a row tells the first and the last of its actions


def _can_be_written(text: str) -> str:
    """The text. Raises ValueError where it holds half of a surrogate pair."""
    text.encode()
    return text


Text = Annotated[StrictStr, AfterValidator(_can_be_written)]
Moment = Annotated[StrictInt, Field(ge=0, le=MICROSECONDS_MAX)]


class DocumentRow(BaseModel):
    """The row of a document in lists (``documents.told_of``)."""

    model_config = OPEN
    actions: Annotated[StrictInt, Field(ge=0)]
    ends: list[tuple[Moment, Text]]
    outcome: Text
    brokers: list[StrictInt | Text]
    size: Size | None = None  # an earlier version did not tell it

    def model_post_init(self, _: Any) -> None:
        """Raises ValueError where it does not tell the first and the last of its actions."""
        if len(self.ends) != min(self.actions, OVER_ALL):
            raise ValueError("the first and the last of its actions are told")


class StoredRefusal(BaseModel):
    """That a version refuses a stored text, and its first problem (``outside.refusal_note``)."""

    model_config = OPEN
    refused_by: Text
    problem: Annotated[list[Text], Field(min_length=len(Problem._fields), max_length=len(Problem._fields))]


class StoredLaterActions(BaseModel):
    """The later actions of the parent, as a branch kept or left them out (``later.LaterActions.plain``)."""

    model_config = OPEN
    fresh: StrictBool
    brief: Text
    problems: list[Text]
    other: Text


class _Topic(BaseModel):
    model_config = OPEN
    topic: Text
    sentence: Text
    in_user_units: Text | None = None


class Verdict(BaseModel):
    """A verdict, as the page of a copy says it."""

    model_config = OPEN
    sentence: Text
    topics: list[_Topic] = []


DAMAGED_LATER: Final[dict[str, Any]] = {
    "fresh": False,
    "brief": "with later actions that cannot be read (their stored row is damaged)",
    "problems": [],
    "other": "",
}
DAMAGED_VERDICT: Final[dict[str, Any]] = {
    "sentence": "This verdict cannot be read: its stored row is damaged.",
    "topics": [],
}


class StoredJson(models.JSONField):
    """Plain data; ``damaged`` where the stored text is no JSON or does not have the shape."""

    def __init__(
        self, *args: Any, shape: type[BaseModel] | None = None, damaged: dict[str, Any] | None = None, **named: Any
    ) -> None:
        self.shape = shape
        self.damaged = damaged
        super().__init__(*args, **named)

    def deconstruct(self) -> Any:
        """As migrations know it: the column is one of JSON, whatever its shape."""
        name, _, args, named = super().deconstruct()
        return name, "django.db.models.JSONField", args, named

    def from_db_value(self, value: Any, *_: Any) -> Any:
        """The plain data of a column's text."""
        try:
            plain = json.loads(value) if isinstance(value, str) else value
            if plain is not None and self.shape is not None:
                self.shape.model_validate(plain)
        except (ValueError, RecursionError, ValidationError):
            return self.damaged
        return plain
