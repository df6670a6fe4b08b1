"""Routes of live rooms, from the root of the site. The playground is a room with a page around it."""

from django.urls import URLPattern, URLResolver, path

from playground.rooms import compare_acts, compare_views, embed_views, report_views, still_page, views

urlpatterns: list[URLPattern | URLResolver] = [
    path("play", views.sandbox, name="sandbox"),
    path("s/<str:scenario_id>", views.playground, name="playground"),
    path("s/<str:scenario_id>/still", still_page.still, name="still"),
    path("s/<str:scenario_id>/still.svg", still_page.picture, name="still-picture"),
    path("s/<str:scenario_id>/fork", views.fork, name="fork"),
    path("s/<str:scenario_id>/undo", views.undo, name="undo"),
    path("s/<str:scenario_id>/share", views.share, name="share"),
    path("s/<str:scenario_id>/carry-on", views.carry_on, name="carry-on"),
    path("s/<str:scenario_id>/describe", views.describe, name="describe"),
    path("s/<str:scenario_id>/why", views.why, name="why"),
    path("s/<str:scenario_id>/metric", views.metric, name="metric"),
    path("s/<str:scenario_id>/report", report_views.of_run, name="report"),
    path("s/<str:scenario_id>/new-edit-link", views.new_edit_link, name="new-edit-link"),
    path("s/<str:scenario_id>/delete", views.delete, name="delete"),
    path("e/<str:ids>", embed_views.embed, name="embed"),
    path("compare/<str:ids>.yaml", compare_views.download, name="compare-yaml"),
    path("compare/<str:ids>", compare_views.compare, name="compare"),
    path("compare/<str:ids>/figures", compare_views.figures, name="compare-figures"),
    path("compare/<str:ids>/act", compare_acts.act, name="compare-act"),
    path("compare/<str:ids>/fork", compare_acts.fork, name="compare-fork"),
    path("compare/<str:ids>/undo", compare_acts.undo, name="compare-undo"),
    path("compare/<str:ids>/report", report_views.of_runs, name="compare-report"),
    path("rooms/<str:room>/snapshot", views.snapshot, name="room-snapshot"),
    path("rooms/<str:room>/facts", views.facts, name="room-facts"),
    path("rooms/<str:room>/verdict", views.verdict, name="room-verdict"),
    path("rooms/<str:room>/metrics", views.metrics, name="room-metrics"),
    path("rooms/<str:room>/alerts", views.alerts, name="room-alerts"),
]
