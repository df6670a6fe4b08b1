"""`manage.py play`: everything that Highwater needs, started, kept up and ended together."""

import os
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection, connections
from django.db.migrations.loader import MigrationLoader
from django.db.utils import DatabaseError

from playground import database_file, environment, open_files, valkey
from playground.storage_trouble import trouble_of
from playground.supervisor.instance import CannotStart, Claim, listen
from playground.supervisor.service_processes import (
    ServiceProcess,
    address,
    compiler_part,
    valkey_part,
    web_part,
    worker_part,
)
from playground.supervisor.supervisor import Supervisor
from playground.whatif.pipeline.master import must_answer
from simengine.form import CHOICE, engine_form, form_of_next

PARTS: Final = ("valkey", "worker", "web")
PORT: Final = 8000
OWNER_ONLY: Final = 0o077  # the umask of all parts: what they keep is for the user who runs them


def port(text: str) -> int:
    """A TCP port. Raises CannotStart: argparse would print a usage that who runs make never wrote."""
    if not (text.isascii() and text.isdigit()):
        raise CannotStart(f"{text!r} is no port. Choose a number from 0 to 65535, such as: make run PORT={PORT}")
    return int(text)


class Command(BaseCommand):
    """Prints one line a step, then the address to open; Ctrl-C ends all parts."""

    help = "Start the embedded Valkey, the Celery worker and the web process; Ctrl-C ends all of them."
    requires_system_checks: list[str] = []  # Django's own form; the start says what is wrong in words

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options: the address to listen on, and the one part to run alone."""
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1)")
        parser.add_argument("--port", default=str(PORT), help=f"port to listen on (default {PORT}; 0: any free one)")
        parser.add_argument(
            "--part",
            choices=("worker", "web"),
            help=f"run one part alone, as containers do; {environment.REDIS_URL} then names the Redis-protocol server",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Start, keep up, stop; a start that cannot be is one sentence and status 1."""
        part: str | None = options["part"]
        wanted = (part,) if part else PARTS
        self._is_compiling = wanted == PARTS and form_of_next() == "interpreted" and not os.environ.get(CHOICE)
        os.umask(OWNER_ONLY)
        try:
            supervisor = self._prepare(wanted, str(options["host"]), port(str(options["port"])))
            self._supervise(supervisor)
        except (CannotStart, environment.EnvironmentProblem) as problem:
            raise CommandError(str(problem)) from None
        except OSError as problem:
            if (sentence := trouble_of(problem)) is None:
                raise
            raise CommandError(f"Highwater cannot write its data in {settings.DATA_DIR}. {sentence}") from None

    def say(self, step: str, text: str) -> None:
        """One line of progress, at once."""
        self.stdout.write(f"  {step:<9} {text}")
        self.stdout.flush()

    def _prepare(self, wanted: tuple[str, ...], host: str, port: int) -> Supervisor:
        """Claim data and port, migrate, and lay out the parts. Raises CannotStart."""
        data = Path(settings.DATA_DIR)
        listener = listen(host, port) if "web" in wanted else None
        self._address = address(listener) if listener is not None else ""
        self._claims = [Claim(data, name, self._address) for name in wanted if name != "valkey"]
        own = f"{environment.DATA}={data} " if os.environ.get(environment.DATA) else ""
        self.say("data", f"{data} (`{own}make reset` empties it)")
        self.say("engine", _engine(self._is_compiling))
        if "web" in wanted:
            self.say("database", _database(data))
            if few := open_files.told_of_few():
                self.say("files", few)
        parts: list[ServiceProcess] = []
        redis_url = _given_redis()
        if redis_url is None and "valkey" in wanted:
            server = valkey.choose()
            redis_url = server.url
            parts.append(valkey_part(server, data))
        redis_url = redis_url or environment.LOCAL_REDIS_URL
        if "worker" in wanted:
            parts.append(worker_part(redis_url))
            for step, text in told_of_spark(settings.SPARK_MASTER, settings.RESULTS_URL):
                self.say(step, text)
        if listener is not None:
            parts.append(web_part(listener, redis_url))
        return Supervisor(parts, _logs(data) if wanted == PARTS else None, self.say)

    def _supervise(self, supervisor: Supervisor) -> None:
        try:
            if self._is_compiling:
                supervisor.begin_job(compiler_part(), lambda status, line: self._compiled(supervisor, line))
            supervisor.start()
            if not supervisor.stop_asked and self._address:
                self.stdout.write(f"\nHighwater is at {self._address}   (Ctrl-C ends it)\n")
                self.stdout.flush()
            supervisor.run()
        finally:
            supervisor.stop()
            for claim in self._claims:
                claim.release()
        self.say("stopped", "every part has ended; the data stays")

    def _compiled(self, supervisor: Supervisor, line: str) -> None:
        """The compiler has ended: new rooms find what it made; the worker starts anew to find it too."""
        made = form_of_next() == "compiled"
        self.say("engine", line.removeprefix("engine: ") + ("; new rooms and experiments use it" if made else ""))
        if made:
            supervisor.restart("worker")


def _engine(is_compiling: bool) -> str:
    if engine_form() == "compiled":
        return "compiled"
    if is_compiling:
        return "interpreted, about thirty times slower, until it is compiled beside the rest"
    asked = " (HIGHWATER_ENGINE says so)" if os.environ.get(CHOICE) == "interpreted" else ""
    return f"interpreted{asked or ': about thirty times slower; `make engine` compiles it, or says what is missing'}"


def told_of_spark(master: str, results: str) -> Iterator[tuple[str, str]]:
    """Report on a Spark cluster and a store of results that are not this machine's own: usable, or the problem.

    A problem may be mended before the first experiment, so the start goes on.
    """
    if not master.startswith("local"):
        try:
            must_answer(master)
            yield "spark", master
        except OSError as problem:
            yield "spark", f"{problem}: experiments fail until {environment.SPARK_MASTER} names a master that does"
    if os.environ.get(environment.RESULTS):
        from playground.whatif.pipeline.results import Results, ResultsProblem  # Arrow takes half a second

        try:
            probe = Results(results, "start")
            probe.prepare()
            probe.remove()
            yield "results", f"{environment.RESULTS} can be written"
        except (ResultsProblem, OSError) as problem:
            yield "results", f"{problem} Experiments fail until it can be written."


def _given_redis() -> str | None:
    """The server that the environment names, if any. Raises CannotStart where nobody answers."""
    if not os.environ.get(environment.REDIS_URL):
        return None
    url = environment.redis_url()
    if not valkey.wait_until_it_answers(url):
        parts = urlsplit(url)
        raise CannotStart(
            f"Nobody answers at {parts.hostname}:{parts.port or valkey.PORT}, which {environment.REDIS_URL} names, or "
            "what answers there is no Redis-protocol server that takes its password. "
            "Start that server, or leave the variable out: then Highwater starts its own."
        )
    return url


def _database(data: Path) -> str:
    """Bring the database to today's tables; says how it went. Raises CannotStart."""
    is_file = environment.postgres() is None
    if is_file:
        database_file.must_be_usable(data)
    is_new = is_file and database_file.make(data)
    try:
        _must_not_be_newer()
        call_command("migrate", interactive=False, verbosity=0)
    except (DatabaseError, OSError) as problem:
        if is_new:
            connections.close_all()
            database_file.unmake(data)
        where = str(data / database_file.NAME) if is_file else f"that {environment.DATABASE_URL} names"
        said = str(problem).strip()
        raise CannotStart(
            f"The database {where} cannot be used ({said}). {trouble_of(problem) or ''}".strip()
        ) from None
    finally:
        connections.close_all()
    return str(settings.DATABASES["default"]["ENGINE"]).rpartition(".")[2] + ", up to date"


def _must_not_be_newer() -> None:
    """Raises CannotStart for a database that a newer Highwater has changed. Such a one is left as it is."""
    loader = MigrationLoader(connection)
    unknown = sorted(
        f"{app}.{name}"
        for app, name in loader.applied_migrations
        if app in loader.migrated_apps and (app, name) not in loader.disk_migrations
    )
    if unknown:
        raise CannotStart(
            f"The database was made by a newer Highwater (this one does not know {', '.join(unknown)}). Nothing was "
            f"changed in it. Start the newer version, or give this one its own data: {environment.DATA}=/another/folder"
        )


def _logs(data: Path) -> Path:
    folder = data / "logs"
    folder.mkdir(exist_ok=True)
    return folder
