"""Routes of this feature, from the root of the site."""

from django.urls import URLPattern, URLResolver, path

from playground.library import gallery, questions, rule_book, settings_page, truth

urlpatterns: list[URLPattern | URLResolver] = [
    path("", questions.page, name="home"),
    path("questions", questions.to_the_list, name="questions"),
    path("questions/<str:key>", questions.one, name="question"),
    path("questions/<str:key>/both", questions.open_both, name="question-both"),
    path("questions/<str:key>/often", questions.ask_often, name="question-often"),
    path("questions/<str:key>/mine", questions.mine, name="question-mine"),
    path("questions/<str:key>/mine/<str:scenario_id>", questions.ask_mine, name="question-mine-ask"),
    path("questions/<str:key>/<str:letter>/open", questions.open_side, name="question-open"),
    path("gallery", gallery.page, name="gallery"),
    path("gallery/pictures/<str:section>", gallery.pictures, name="gallery-pictures"),
    path("gallery/<str:name>.yaml", gallery.source, name="gallery-source"),
    path("gallery/<str:name>/open", gallery.open_entry, name="gallery-open"),
    path("gallery/<str:name>/both", gallery.open_contrast, name="gallery-both"),
    path("rules", rule_book.page, name="rules"),
    path("settings", settings_page.page, name="settings"),
    path("settings/<str:kind>/<str:setting>/try", settings_page.try_value, name="setting-try"),
    path("truth", truth.page, name="truth"),
    path("truth/<str:file>/open", truth.open_script, name="truth-open"),
]
