"""Data as a JSON file has it."""

from typing import Any

Plain = dict[str, Any]
