"""The table of facts: each kind's number, its meaning, and the name, unit and meaning of each of its fields.

A fact row, on the wire and in files, is ``[seq, t_us, kind, cause, field, field, ...]``: integers first, then lists of
integers, then at most one text, which is left out where it is empty. Kinds below ``FIRST_TRAFFIC`` are *decisive*: kept
for the whole run, and their ``cause`` is the number of a decisive fact (0 = none). The others are *traffic*.

``tools/facts_py.py`` writes the classes and functions of ``decisive.py`` and ``traffic.py`` from this table, and
``tools/facts_js.py`` the accessors of the page. A field called ``node``, ``src`` or ``dst`` is a node: a broker or
controller by its number (the Kafka id, but see ``kernel.site``), a client by ``-1 - index``. ``client`` is the index
itself. ``p`` is the index of a partition in the run; -1 means none.
"""

from typing import Final

from simengine.facts.decisive_table import DECISIVE, FIGURES_OF_VERDICT
from simengine.facts.fact import Fact
from simengine.facts.traffic_table import TRAFFIC

FACTS: Final[tuple[Fact, ...]] = (*DECISIVE, *TRAFFIC)
BY_NUMBER: Final = {fact.number: fact for fact in FACTS}
BY_NAME: Final = {fact.name: fact for fact in FACTS}
FIGURES: Final = tuple(FIGURES_OF_VERDICT)  # of VerdictChanged, in their order, behind the topic
