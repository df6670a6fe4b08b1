"""While the engine is compiled beside a running instance, each page says so."""

from django.http import HttpRequest

from simengine.form import form_of_next, is_being_built


def is_compiling() -> bool:
    """True if the compiled engine is still to come."""
    return form_of_next() == "interpreted" and is_being_built()


def engine_words() -> str:
    """The form of the engine in a run that is opened now; ``static/js/kit/compiling.js`` reads whether another
    comes.
    """
    return f"{form_of_next()}, being compiled" if is_compiling() else form_of_next()


def compiling(request: HttpRequest) -> dict[str, bool]:
    """For all templates: ``is_compiling``."""
    return {"is_compiling": is_compiling()}
