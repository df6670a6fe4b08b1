# One image for the web process and the worker; docker-compose.yml says which part a container runs.
# Everything Python comes from requirements-runtime.lock, each package held to its hashes and no test tool among them;
# Java comes as a package in it.
FROM python:3.12-slim-bookworm AS build
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
# the C compiler for the engine; it stays in this stage. Versions follow the base image's release of Debian.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev make \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /app
ENV LOCK=requirements-runtime.lock
COPY Makefile requirements.lock requirements-runtime.lock ./
RUN make setup
COPY pyproject.toml ./
COPY tools ./tools
COPY simengine ./simengine
RUN make engine

FROM python:3.12-slim-bookworm
# Spark's start scripts call ps
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends procps \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 highwater \
    && install --directory --owner=highwater /data
WORKDIR /app
COPY --from=build /app /app
COPY manage.py ./
COPY playground ./playground
# the gallery shows what the engine is tested with
COPY tests/scenarios ./tests/scenarios
COPY static ./static
COPY templates ./templates
USER 1000
ENV HIGHWATER_DATA=/data PYTHONDONTWRITEBYTECODE=1
VOLUME /data
EXPOSE 8000
ENTRYPOINT ["/app/.venv/bin/python", "manage.py", "play"]
CMD ["--host", "0.0.0.0"]
