"""Routes of this feature, from the root of the site."""

from django.urls import URLPattern, URLResolver, path

from playground.plans import views

urlpatterns: list[URLPattern | URLResolver] = [
    path("s/<str:scenario_id>/plans", views.page, name="plans"),
    path("s/<str:scenario_id>/plans/lines", views.lines, name="plans-lines"),
]
