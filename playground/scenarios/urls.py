"""Routes of saved documents, from the root of the site. The playground itself, /s/<id>, belongs to the rooms."""

from django.urls import URLPattern, URLResolver, path

from playground.scenarios import views

urlpatterns: list[URLPattern | URLResolver] = [
    path("runs", views.runs, name="runs"),
    path("s/<str:scenario_id>.yaml", views.download, {"form": "yaml"}, name="download-yaml"),
    path("s/<str:scenario_id>.json", views.download, {"form": "json"}, name="download-json"),
    path("s/<str:scenario_id>/about", views.about, name="about"),
    path("s/<str:scenario_id>/rename", views.rename, name="rename"),
    path("s/<str:scenario_id>/edit/<str:word>", views.edit, name="edit"),
]
