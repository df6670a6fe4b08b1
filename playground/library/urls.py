"""Routes of this feature, from the root of the site."""

from django.urls import URLPattern, URLResolver, path

from playground.library import truth

urlpatterns: list[URLPattern | URLResolver] = [
    path("truth", truth.page, name="truth"),
    path("truth/<str:file>/open", truth.open_script, name="truth-open"),
]
