"""Starts the parts of one instance (Valkey, the Celery worker, the web process), keeps them up and ends them together.

`manage.py play` is its command line. Nothing here imports Django, so the supervisor outlives what goes wrong in there.
"""
