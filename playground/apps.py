"""The app that holds the supervisor and ties Celery to Django."""

from django.apps import AppConfig


class PlaygroundConfig(AppConfig):
    """Root app: management commands, and the Celery app every `@shared_task` binds to."""

    name = "playground"

    def ready(self) -> None:
        """Make the Celery app the current one, in the web process as in the worker."""
        import playground.celery  # noqa: F401
