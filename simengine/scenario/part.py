"""The base of every part of a scenario document."""

from pydantic import BaseModel, ConfigDict


class Part(BaseModel):
    """A part of the document: immutable, and without room for unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")
