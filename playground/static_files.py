"""Static files straight from `static/`, by WhiteNoise, each answered in one piece.

WhiteNoise streams a file through a synchronous iterator, which Django warns of under ASGI, and rightly: it would be
read whole there all the same.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # WhiteNoise publishes no types
    """WhiteNoise's middleware with answers that hold their bytes."""

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
