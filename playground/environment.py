"""Reads every HIGHWATER_* variable of the environment, with its default and its meaning.

Imports no Django, so that the supervisor, the tests and the what-if pipeline read the same words the same way.
"""

import contextlib
import os
import re
import secrets
import stat
from pathlib import Path
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent

DATA = "HIGHWATER_DATA"  # folder of everything that is kept: database, experiments, Valkey; default ./var
REDIS_URL = "HIGHWATER_REDIS_URL"  # a Redis or Valkey that already runs; default: the supervisor starts its own
DATABASE_URL = "HIGHWATER_DATABASE_URL"  # postgres://user:password@host:5432/name; default: a SQLite file in the data
SECRET_KEY = "HIGHWATER_SECRET_KEY"  # signs cookies; default: made once and kept in the data folder
HOSTS = "HIGHWATER_HOSTS"  # comma list of host names the pages may be asked under, besides localhost
ORIGINS = "HIGHWATER_ORIGINS"  # comma list of trusted origins behind a proxy, as https://host
SPARK_MASTER = "HIGHWATER_SPARK_MASTER"  # any Spark master; default local[*], the cores of this machine
SPARK_SECRET = "HIGHWATER_SPARK_SECRET"  # that the Spark master, its workers and this instance share
SPARK_PYTHON = "HIGHWATER_SPARK_PYTHON"  # the interpreter on the machines of a Spark master that is not local
SPARK_PROPERTIES = "HIGHWATER_SPARK_PROPERTIES"  # a file of further Spark properties, as spark-defaults.conf has them
RESULTS = "HIGHWATER_RESULTS"  # URL below which the rows of experiments are kept; default: whatif in the data folder
DEBUG = "HIGHWATER_DEBUG"  # 1: Django's debug pages, static files read anew at each request

SET_ELSEWHERE = {  # properties that other variables set, or that Highwater needs as they are
    "spark.master": f"{SPARK_MASTER} names the master",
    "spark.authenticate.secret": f"{SPARK_SECRET} holds the secret",
    "spark.archives": "the engine goes to the executors by it",
    "spark.executorEnv.PYTHONPATH": "the engine is found by it on the executors",
    "spark.pyspark.python": f"{SPARK_PYTHON} names the Python of the executors",
    "spark.pyspark.driver.python": "the driver runs Highwater's own Python",
}
KEY_FILE = "secret-key"
OWNER_FOLDER = 0o700
OWNER_FILE = 0o600

PROXIES = "HIGHWATER_PROXIES"  # comma list of addresses of proxies whose X-Forwarded-For and -Proto are believed
LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
LOCAL_REDIS_URL = "redis://127.0.0.1:6379/0"


class EnvironmentProblem(Exception):
    """A variable of the environment that cannot be used; the message names it, its value and what is allowed."""


def data_folder() -> Path:
    """The folder of everything that is kept, made if missing. Raises EnvironmentProblem where it cannot be."""
    folder = Path(os.environ.get(DATA) or ROOT / "var").resolve()
    try:
        folder.mkdir(OWNER_FOLDER, parents=True, exist_ok=True)
        _close_to_others(folder)
    except OSError as problem:
        said = f"{DATA} is {folder}: {problem.strerror}. Name a folder that can be made and written"
        raise EnvironmentProblem(said) from None
    return folder


def _close_to_others(folder: Path) -> None:
    """Take other users' rights from a folder that an earlier version made. One that is not ours stays as it is."""
    found = folder.stat()
    is_ours = found.st_uid == os.geteuid() and (folder / KEY_FILE).exists()
    is_shared = bool(found.st_mode & stat.S_ISVTX)  # such as /tmp
    if is_ours and not is_shared and stat.S_IMODE(found.st_mode) & ~OWNER_FOLDER:
        folder.chmod(OWNER_FOLDER)


def redis_url() -> str:
    """Address of the Redis-protocol server that carries tasks and control messages. Raises EnvironmentProblem."""
    url = os.environ.get(REDIS_URL) or LOCAL_REDIS_URL
    parts = urlsplit(url)
    if parts.scheme not in ("redis", "rediss") or not parts.hostname or not _has_port(parts):
        raise EnvironmentProblem(f"{REDIS_URL} is {parts.scheme}://…: allowed is redis://:password@host:6379/0")
    return url


def _has_port(parts: SplitResult) -> bool:
    """True if an address names a possible port, or none."""
    try:
        return parts.port is None or parts.port > 0
    except ValueError:
        return False


def spark_master() -> str:
    """The Spark master that runs what-if experiments."""
    return os.environ.get(SPARK_MASTER) or "local[*]"


def spark_python() -> str:
    """The Python of the executors, where the Spark master is not local."""
    return os.environ.get(SPARK_PYTHON) or "python3"


def spark_properties() -> dict[str, str]:
    """Further Spark properties, from the file that HIGHWATER_SPARK_PROPERTIES names.

    Raises EnvironmentProblem for a file that cannot be read, a line that is no property, and one that is set elsewhere.
    """
    name = os.environ.get(SPARK_PROPERTIES)
    if not name:
        return {}
    try:
        lines = Path(name).read_text().splitlines()
    except (OSError, UnicodeError) as problem:
        why = getattr(problem, "strerror", None) or "not UTF-8 text"
        raise EnvironmentProblem(f"{SPARK_PROPERTIES} is {name}: {why}. Name a file of Spark properties") from None
    found = {}
    for number, line in enumerate(lines, 1):
        if not (text := line.strip()) or text.startswith("#"):
            continue
        key, value = [*re.split(r"\s*[\s=:]\s*", text, maxsplit=1), ""][:2]
        if not key.startswith("spark.") or not value:
            allowed = "allowed is spark.<name>, then a blank or =, then a value"
            raise EnvironmentProblem(f"{SPARK_PROPERTIES}: line {number} of {name} is {key!r}…: {allowed}")
        if key in SET_ELSEWHERE:
            raise EnvironmentProblem(f"{SPARK_PROPERTIES}: line {number} of {name} sets {key}: {SET_ELSEWHERE[key]}")
        found[key] = value
    return found


def results_url(data: Path) -> str:
    """The address of the folder that keeps the rows of experiments. Raises EnvironmentProblem if it cannot be used."""
    url = os.environ.get(RESULTS)
    if not url:
        return (data / "whatif").as_uri()
    parts = urlsplit(url)
    is_file = parts.scheme == "file" and not parts.netloc and parts.path.startswith("/")
    if not is_file and not (parts.scheme in ("s3", "s3a", "hdfs") and parts.netloc):
        # an address may hold keys: of another scheme nothing but it is told
        allowed = "file:///folder, s3a://bucket/folder, hdfs://host:port/folder"
        raise EnvironmentProblem(f"{RESULTS} is {parts.scheme or url[:20]}…: allowed are {allowed}")
    return url


def words(variable: str) -> list[str]:
    """The comma-separated words of a variable, blanks dropped."""
    return [word.strip() for word in os.environ.get(variable, "").split(",") if word.strip()]


def is_debug() -> bool:
    """True if Django's debug pages are on."""
    return os.environ.get(DEBUG, "") == "1"


def secret_key(data: Path) -> str:
    """The key that signs cookies: from the environment, else made once and kept, readable by its owner only."""
    if key := os.environ.get(SECRET_KEY):
        return key
    kept = data / KEY_FILE
    try:
        if not kept.exists():
            _make_key(kept)
        return _read_key(kept)
    except OSError as problem:
        said = f"{kept}, the key that signs cookies, cannot be read or made: {problem.strerror}"
        raise EnvironmentProblem(f"{said}. Make {data} writable and free some space on its disk") from None


def _make_key(kept: Path) -> None:
    """Write a key aside and give it its name when it is on the disk: no key is ever half there."""
    aside = kept.with_name(f"{kept.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWNER_FILE), "w") as file:
            file.write(secrets.token_urlsafe(48))
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):  # another process made one meanwhile: that one counts
            kept.hardlink_to(aside)
    finally:
        aside.unlink(missing_ok=True)


def _read_key(kept: Path) -> str:
    key = kept.read_text().strip()
    if not key:
        raise EnvironmentProblem(f"{kept} is empty: delete it, and the next start makes a new key")
    return key


def postgres() -> dict[str, object] | None:
    """Django's settings of the Postgres that HIGHWATER_DATABASE_URL names, or None when it names none.

    Raises EnvironmentProblem, which does not repeat the password.
    """
    url = os.environ.get(DATABASE_URL)
    if not url:
        return None
    parts = urlsplit(url)
    whole = parts.hostname and parts.path.strip("/") and _has_port(parts)
    if parts.scheme not in ("postgres", "postgresql") or not whole:
        allowed = "postgres://user:password@host:5432/name?sslmode=require"
        raise EnvironmentProblem(f"{DATABASE_URL} is {parts.scheme}://…: allowed is {allowed}")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parts.path.strip("/"),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname,
        "PORT": str(parts.port or 5432),
        "OPTIONS": dict(parse_qsl(parts.query)),  # such as sslmode; what the driver does not know it refuses by name
    }
