"""Routes of what-if experiments, from the root of the site."""

from django.urls import URLPattern, URLResolver, path

from playground.whatif import builder, views

urlpatterns: list[URLPattern | URLResolver] = [
    path("what-if", views.listing, name="what-if"),
    path("what-if/new", builder.new, name="what-if-new"),
    path("what-if/preview", builder.preview, name="what-if-preview"),
    path("what-if/run", builder.run, name="what-if-run"),
    path("what-if/<str:experiment_id>", views.show, name="what-if-show"),
    path("what-if/<str:experiment_id>/status", views.status, name="what-if-status"),
    path("what-if/<str:experiment_id>/cancel", views.cancel, name="what-if-cancel"),
    path("what-if/<str:experiment_id>/delete", views.delete, name="what-if-delete"),
    path("what-if/<str:experiment_id>/table.csv", views.comparison_csv, name="what-if-table"),
    path("what-if/<str:experiment_id>/runs.csv", views.rows, {"what": views.RUNS_CSV}, "what-if-runs"),
    path("what-if/<str:experiment_id>/topics.csv", views.rows, {"what": views.TOPICS_CSV}, "what-if-topics"),
    path("what-if/<str:experiment_id>/runs.parquet", views.rows, {"what": views.RUNS_PARQUET}, "what-if-parquet"),
    path("what-if/<str:experiment_id>/replay", views.replay, name="what-if-replay"),
    path("what-if/<str:experiment_id>/both", views.replay_both, name="what-if-both"),
]
