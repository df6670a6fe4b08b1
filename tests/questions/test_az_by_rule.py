"""What the AZ table says by rule of random sick clusters holds in other runs of the same state."""

from simengine.scenario import load
from tests.questions.sick_clusters import draw


def test_every_sick_cluster_is_a_document() -> None:
    for seed in range(300):
        load(draw(seed).plain)
