"""Routes of this feature, from the root of the site."""

from django.urls import URLPattern, URLResolver, path

from playground.imports import az_views, views

urlpatterns: list[URLPattern | URLResolver] = [
    path("import", views.page, name="import"),
    path("import/preview", views.live_preview, name="import-preview"),
    path("import/mirrors", views.mirrors_preview, name="import-mirrors"),
    path("import/build", views.build_cluster, name="import-build"),
    path("import/az/<str:scenario_id>", az_views.az_lines, name="az-lines"),
    path("import/az/<str:scenario_id>/open", az_views.az_open, name="az-open"),
    path("import/az/<str:scenario_id>/list", az_views.az_partitions, name="az-list"),
    path("import/az/<str:scenario_id>/keep", az_views.az_keep, name="az-keep"),
    path("import/az/<str:scenario_id>/sites", az_views.az_sites, name="az-sites"),
    path("import/az/<str:scenario_id>/sites/open", az_views.az_site_open, name="az-site-open"),
    path("s/<str:scenario_id>/az", az_views.az_page, name="az"),
]
