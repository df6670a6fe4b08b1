"""Which unquoted YAML scalars are something other than a text: YAML 1.2's rules, for reading and for writing.

PyYAML follows YAML 1.1, where `on` is true, 1:30 is ninety and 2026-01-01 a date; nobody means that here.
"""

import re
from typing import Final

_TAG: Final = "tag:yaml.org,2002:"
INT_TAG: Final = _TAG + "int"

# (tag, pattern of the whole scalar, its possible first characters)
SCALARS: Final = (
    (_TAG + "null", re.compile(r"^(?:~|null|Null|NULL|)$"), ("~", "n", "N", "")),
    (_TAG + "bool", re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), tuple("tTfF")),
    (INT_TAG, re.compile(r"^[-+]?[0-9]+$"), tuple("-+0123456789")),
    (
        _TAG + "float",
        re.compile(r"^[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?$"),
        tuple("-+.0123456789"),
    ),
    (_TAG + "merge", re.compile(r"^<<$"), ("<",)),
)
