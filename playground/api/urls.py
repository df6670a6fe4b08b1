"""Routes of the API, from the root of the site. Most views are those that the pages ask."""

from django.urls import URLPattern, URLResolver, path

from playground.api import views
from playground.api.programs import for_programs
from playground.imports import views as import_views
from playground.rooms import compare_views
from playground.rooms import views as room_views
from playground.scenarios import views as scenario_views
from playground.whatif import builder
from playground.whatif import views as whatif_views

_DOCUMENT = "api/documents/<str:scenario_id>"
_EXPERIMENT = "api/experiments/<str:experiment_id>"

urlpatterns: list[URLPattern | URLResolver] = [
    path("api", views.page, name="api"),
    path("api/openapi.json", views.openapi, name="api-description"),
    path("api/documents", for_programs(scenario_views.create), name="create-document"),
    path(_DOCUMENT, for_programs(scenario_views.download), {"form": "json"}, name="api-document"),
    path(f"{_DOCUMENT}/fork", for_programs(views.fork), name="api-fork"),
    path(f"{_DOCUMENT}/delete", for_programs(room_views.delete), name="api-delete"),
    path(f"{_DOCUMENT}/verdict", for_programs(views.verdict), name="api-verdict"),
    path(f"{_DOCUMENT}/facts", for_programs(views.facts), name="api-facts"),
    path(f"{_DOCUMENT}/figures", for_programs(views.figures), name="api-figures"),
    path("api/compare/<str:ids>", for_programs(compare_views.figures), name="api-compare"),
    path("api/import", for_programs(import_views.build_cluster), name="api-import"),
    path("api/experiments", for_programs(builder.run), name="api-experiments"),
    path(_EXPERIMENT, for_programs(views.experiment), name="api-experiment"),
    path(f"{_EXPERIMENT}/result", for_programs(views.result), name="api-result"),
    path(f"{_EXPERIMENT}/cancel", for_programs(whatif_views.cancel), name="api-cancel"),
]
