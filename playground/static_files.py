"""Static files straight from `static/`, by WhiteNoise, each answered in one piece.

WhiteNoise streams a file through a synchronous iterator, which Django warns of under ASGI, and rightly: it would be
read whole there all the same.

The pages name them below an address that holds a digest of all static files (`STATIC_URL`). What is there never
changes, so a browser asks for it once, and a module is there in one piece with all that it imports. The same files are
below `/static/`, each as it is, where a browser asks each time.
"""

from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware

from playground.bundle import Bundle

FOR_EVER: Final = "max-age=31536000, public, immutable"
MODULES: Final = "js/"  # the folder of modules
SHARED: Final = frozenset({"kit/kit.js"})  # a script of its own on every page: no bundle holds it


@cache
def bundled(name: str) -> bytes:
    """A module below `static/js` with all that it imports."""
    root = (Path(settings.STATICFILES_DIRS[0]) / MODULES).resolve()
    return Bundle(root, root / name, SHARED).text().encode()


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # WhiteNoise publishes no types
    """WhiteNoise's middleware with answers that hold their bytes."""

    def __call__(self, request: HttpRequest) -> Any:
        """A file, or the answer of what comes after this middleware."""
        kept = settings.STATIC_URL
        if kept == self.static_prefix or not request.path_info.startswith(kept):
            return super().__call__(request)
        path = self.static_prefix + request.path_info.removeprefix(kept)
        file = self.find_file(path) if self.autorefresh else self.files.get(path)
        if file is None:
            return self.get_response(request)
        response = self.serve(file, request)
        name = request.path_info.removeprefix(f"{kept}{MODULES}")
        if (
            response.status_code == HTTPStatus.OK
            and response.content
            and name.endswith(".js")
            and name != request.path_info
        ):
            response.content = bundled(name)
            response["Content-Length"] = str(len(response.content))
        response["Cache-Control"] = FOR_EVER
        return response

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponse:
        """The file, or 304 when the browser has it already."""
        answer = static_file.get_response(request.method, request.META)
        body = b""
        if answer.file is not None:
            with answer.file as file:
                body = file.read()
        response = HttpResponse(body, status=int(answer.status))
        del response["Content-Type"]
        for name, value in answer.headers:
            response[name] = value
        if body:
            response["Content-Length"] = str(len(body))  # a file that grew since the start is sent whole
        return response
