"""The routes: each feature brings its own, from the root of the site."""

from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.views.decorators.http import require_safe

from playground.compiling import engine_words


@require_safe
def alive(request: HttpRequest) -> HttpResponse:
    """Tells the supervisor and a container that the web process responds, and pages the state of the engine."""
    return HttpResponse(f"highwater, engine {engine_words()}\n", content_type="text/plain")


handler400 = "playground.bad_request.refused"
handler404 = "playground.bad_request.not_found"

urlpatterns = [
    path("alive", alive, name="alive"),
    path("", include("playground.library.urls")),
    path("", include("playground.scenarios.urls")),
    path("", include("playground.rooms.urls")),
    path("", include("playground.imports.urls")),
    path("", include("playground.plans.urls")),
    path("", include("playground.whatif.urls")),
    path("", include("playground.api.urls")),
]
