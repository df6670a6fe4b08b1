"""Routes of this feature, from the root of the site."""

from django.urls import URLPattern, URLResolver, path

from playground.imports import views

urlpatterns: list[URLPattern | URLResolver] = [
    path("import", views.page, name="import"),
    path("import/preview", views.live_preview, name="import-preview"),
    path("import/build", views.build_cluster, name="import-build"),
    path("import/az/<str:scenario_id>", views.az_lines, name="az-lines"),
    path("import/az/<str:scenario_id>/open", views.az_open, name="az-open"),
    path("s/<str:scenario_id>/az", views.az_page, name="az"),
]
