"""Django's settings. What may differ between machines comes from the environment (`playground/environment.py`)."""

import hashlib
from typing import Any

from playground import database_file, environment
from playground.static_digest import digest

BASE_DIR = environment.ROOT
DATA_DIR = environment.data_folder()
REDIS_URL = environment.redis_url()

SECRET_KEY = environment.secret_key(DATA_DIR)
DEBUG = environment.is_debug()
ALLOWED_HOSTS = [*environment.LOCAL_HOSTS, *environment.words(environment.HOSTS)]
CSRF_TRUSTED_ORIGINS = environment.words(environment.ORIGINS)
IS_HTTPS = any(origin.startswith("https://") for origin in CSRF_TRUSTED_ORIGINS)

INSTALLED_APPS = [
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "channels",
    "playground",
    "playground.scenarios",
    "playground.rooms",
    "playground.whatif",
    "playground.imports",
    "playground.library",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "playground.security.content_security_policy",
    "playground.strict_transport.StrictTransport",
    "playground.bad_request.BadRequestInWords",
    "playground.static_files.StaticFiles",
    "playground.wrong_method.WrongMethodInWords",
    "playground.storage_refusal.StorageRefusalInWords",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "playground.scenarios.cookie_v1.EarlierCookie",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "playground.urls"
ASGI_APPLICATION = "playground.asgi.application"
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": ["django.template.context_processors.request", "playground.compiling.compiling"]
        },
    }
]

# SQLite: a reader never waits (WAL); a writer takes its lock at the start of the transaction, so two of them queue
# (up to 20 s) where a late upgrade would fail at once. NORMAL survives any kill of a process.
_SQLITE: dict[str, Any] = {
    "ENGINE": "django.db.backends.sqlite3",
    "NAME": database_file.name(DATA_DIR),
    "OPTIONS": {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL",
    },
    # a file, since threads share no in-memory database without `table is locked`
    "TEST": {"NAME": DATA_DIR / "test.sqlite3"},
}
# No CONN_MAX_AGE: under ASGI every request has a thread, and so a connection, of its own; opening one takes 0.6 ms of a
# page's 2.5. The rooms keep theirs open (`playground.rooms.storage`).
DATABASES: dict[str, Any] = {"default": environment.postgres() or _SQLITE}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# The session says which documents this browser made. It is kept in a signed cookie: no row is written for a visitor.
SESSION_ENGINE = "django.contrib.sessions.backends.signed_cookies"
SESSION_SERIALIZER = "django.contrib.sessions.serializers.JSONSerializer"
# Browsers keep cookies by host and not by port: each instance of a host has a name of its own.
SESSION_COOKIE_NAME = f"highwater-{hashlib.sha256(f'session {SECRET_KEY}'.encode()).hexdigest()[:8]}"
SESSION_COOKIE_AGE = 365 * 24 * 3600
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = IS_HTTPS  # over plain http a browser then keeps no cookie of ours, and can only look
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = IS_HTTPS
CSRF_FAILURE_VIEW = "playground.csrf_refusal.refused"

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_HSTS_SECONDS = 0  # playground.strict_transport: behind a proxy, Django sees plain http
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

# The largest document or paste is 4 MiB (simengine.scenario limits it by words), and JSON escapes make a text longer. A
# body above this is refused at its header (playground.body_limit); one within it stays in memory: none becomes a file.
DATA_UPLOAD_MAX_MEMORY_SIZE = 8 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = DATA_UPLOAD_MAX_MEMORY_SIZE

WHITENOISE_STATIC_PREFIX = "/static/"
STATIC_URL = WHITENOISE_STATIC_PREFIX if DEBUG else f"/static/{digest(BASE_DIR / 'static')}/"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = True  # straight from static/: there is no build step
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_MAX_AGE = 0  # below WHITENOISE_STATIC_PREFIX: a browser asks each time whether a file changed (304)

CHANNEL_LAYERS = {
    "default": {
        # not RedisChannelLayer: its pool dies between 80 and 150 sockets under redis-py 8
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL]},
    }
}

CELERY_BROKER_URL = REDIS_URL
CELERY_TASK_DEFAULT_QUEUE = "spark"
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True  # the database row is the truth; a message carries an id only
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# Without it a server that hangs holds who sends for ever. The worker's own waits last for 1 s each.
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_timeout": 5, "socket_connect_timeout": 5}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False

SPARK_MASTER = environment.spark_master()
RESULTS_URL = environment.results_url(DATA_DIR)
environment.spark_properties()  # read where Spark starts; a file that is wrong is refused here

LANGUAGE_CODE = "en"
USE_I18N = False
USE_TZ = True
TIME_ZONE = "UTC"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "playground.log_line.CutLine",
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
}
