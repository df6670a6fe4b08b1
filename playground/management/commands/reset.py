"""`manage.py reset`: empty the data folder, unless an instance runs on it."""

import shutil
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from playground import environment
from playground.supervisor.instance import CannotStart, Claim

KEPT = ("web.lock", "worker.lock")


class Command(BaseCommand):
    """Removes documents, runs, experiments and the key of the cookies; the next start makes all of it anew."""

    help = "Empty the data folder (documents, runs, experiments). A Postgres database is left alone."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Claim the data as an instance would, then remove everything in the folder."""
        data = Path(settings.DATA_DIR)
        try:
            claims = [Claim(data, name.removesuffix(".lock"), "") for name in KEPT]
        except CannotStart as problem:
            raise CommandError(str(problem)) from None
        for entry in sorted(data.iterdir()):
            if entry.name not in KEPT:
                _remove(entry)
        for claim in claims:
            claim.release()
        self.stdout.write(f"{data} is empty; `make run` starts afresh")
        if environment.postgres() is not None:
            self.stdout.write(f"the database that {environment.DATABASE_URL} names was left alone")


def _remove(entry: Path) -> None:
    if entry.is_dir() and not entry.is_symlink():
        shutil.rmtree(entry)
    else:
        entry.unlink()
