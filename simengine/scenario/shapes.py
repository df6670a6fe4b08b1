"""The keys that a place of the document has; for the near miss of an unknown key."""

from typing import Any, get_args, get_origin

from pydantic import BaseModel

from simengine.scenario.model import Document


def names_at(loc: tuple[int | str, ...]) -> tuple[str, ...]:
    """The keys allowed at `loc` (a pydantic location), or () where the place holds no map of ours."""
    model: type[BaseModel] = Document
    is_name = False  # the next part is a key of a map, not of a model
    for part in loc:
        if is_name or isinstance(part, int) or part.isdecimal():
            is_name = False
            continue
        annotation = _annotation(model, part)
        inner = _model_of(annotation)
        if inner is None:
            return ()
        is_name = get_origin(annotation) is dict and part == "clusters"
        model = inner
    return tuple(field.alias or name for name, field in model.model_fields.items())


def _annotation(model: type[BaseModel], key: str) -> Any:
    for name, field in model.model_fields.items():
        if key in (field.alias, name):
            return field.annotation
    return None


def _model_of(annotation: Any) -> type[BaseModel] | None:
    """The model somewhere inside `annotation` (a list of it, a map to it, or it or None)."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for argument in get_args(annotation):
        found = _model_of(argument)
        if found is not None:
            return found
    return None
