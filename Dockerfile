# The last stage is the image of the web process and the worker, `spark` that of a Spark cluster; docker-compose.yml says which part a container runs.
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
RUN .venv/bin/python tools/build_engine.py
COPY playground ./playground
RUN make engine

# What a machine of a Spark cluster needs, and nothing of ours: `--profile spark` of docker-compose.yml runs it. The
# engine comes to it with each experiment, so its Python has to be of the minor version of the other stages.
FROM python:3.12-slim-bookworm AS spark
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends openjdk-17-jre-headless procps \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 spark
WORKDIR /home/spark
COPY requirements-runtime.lock ./
RUN awk '/^(numpy|py4j|pyarrow|pyspark)==/ { on = 1 } on { print } on && !/\\$/ { on = 0 }' requirements-runtime.lock > spark.lock \
    && pip install --no-cache-dir --require-hashes --requirement spark.lock \
    && chown spark .
ENV SPARK_HOME=/usr/local/lib/python3.12/site-packages/pyspark
USER 1000

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
# the gallery shows what the engine is tested with
COPY tests/scenarios ./tests/scenarios
# the rule book
COPY docs/rules ./docs/rules
COPY static ./static
COPY templates ./templates
USER 1000
ENV HIGHWATER_DATA=/data PYTHONDONTWRITEBYTECODE=1
VOLUME /data
EXPOSE 8000
ENTRYPOINT ["/app/.venv/bin/python", "manage.py", "play"]
CMD ["--host", "0.0.0.0"]
