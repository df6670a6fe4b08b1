"""Scenario documents: the one format, with its grammar, Kafka profiles, settings and precise errors."""

from simengine.scenario.actions import Action, parse
from simengine.scenario.dumping import to_json, to_plain, to_yaml
from simengine.scenario.loading import load
from simengine.scenario.model import Document
from simengine.scenario.problems import DocumentError, Problem
from simengine.scenario.settings import Settings, resolve
from simengine.scenario.several import load_all, to_yaml_all

__all__ = [
    "Action",
    "Document",
    "DocumentError",
    "Problem",
    "Settings",
    "load",
    "load_all",
    "parse",
    "resolve",
    "to_json",
    "to_plain",
    "to_yaml",
    "to_yaml_all",
]
