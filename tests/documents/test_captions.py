"""Captions tell the run they were written for: who changes it ends them."""

from simengine.scenario import Document, load, to_yaml
from simengine.scenario.actions import parse

TEXT = b"""
format: 1
profile: "4.2"
until: 60s
cluster: {brokers: [0, 1, 2], controllers: [100]}
topics: [{name: t, assignment: [[0, 1, 2]]}]
timeline: [{at: 10s, do: kill 0}, {at: 40s, do: start 0}]
captions:
  - {at: 5s, text: before}
  - {at: 10s, text: it dies}
  - {on: PartitionChanged, text: a new leader}
  - {at: 20s, kind: real, text: what a real cluster did}
  - {at: 60s, kind: outcome, text: nothing is lost}
"""


def told(document: Document) -> list[str]:
    return [caption.text for caption in document.captions]


def test_a_branch_keeps_the_captions_before_it_and_what_a_real_cluster_did() -> None:
    document = load(TEXT)
    assert len(told(document)) == 5
    assert told(document.cut_before(10_000_000)) == ["before", "what a real cluster did"]
    assert told(document.cut_before(15_000_000)) == ["before", "it dies", "a new leader", "what a real cluster did"]


def test_an_action_that_somebody_adds_ends_the_captions_and_the_outcome() -> None:
    changed = load(TEXT).with_action(30_000_000, parse("kill 1"))
    waiting = next(caption for caption in changed.captions if caption.on)
    assert waiting.before_us == 30_000_000, "no fact of the new action brings it"
    earlier = changed.with_action(20_000_000, parse("kill 2"))
    assert next(caption for caption in earlier.captions if caption.on).before_us == 20_000_000
    assert load(to_yaml(earlier)) == earlier
    assert told(changed) == ["before", "it dies", "a new leader", "what a real cluster did"]
