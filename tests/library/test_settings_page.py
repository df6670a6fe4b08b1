"""The page of settings: all that the engine reads, its sentences, its links, and the two runs of each value to try."""

import json
import re
from functools import cache
from unittest.mock import patch

import pytest
from django.test import Client

from playground.library import setting_list, settings_page
from playground.library.rule_book import all_rules
from playground.library.setting_list import Setting, kinds
from playground.library.setting_runs import documents, situations
from simengine.scenario import load
from simengine.scenario.config_keys import CONSUMER, MIRROR, SCOPES, SIMULATED, Value
from simengine.scenario.config_known import KNOWN
from simengine.scenario.mirror_settings import mirror_settings
from simengine.scenario.mirrors import Mirror
from simengine.scenario.profiles import PROFILES, VERSIONS
from simengine.scenario.settings import Layers, resolve
from simengine.world.world import build

TRIED = [one for kind in kinds() for one in kind.settings if one.other]
NOT_READ = {(CONSUMER, "isolation.level"), ("broker", "num.replica.fetchers")}  # their cards say it
OF_METADATA = {("broker", f"{side}.replication.throttled.rate") for side in ("leader", "follower")}


@pytest.fixture(scope="module")
def told() -> str:
    return Client().get("/settings").content.decode()


def named(setting: Setting) -> str:
    return f"{setting.kind}.{setting.name}"


def test_the_page_has_each_setting_of_the_engine_once() -> None:
    listed = {kind.kind: [one.name for one in kind.settings] for kind in kinds()}
    assert {scope: sorted(listed[scope]) for scope in SCOPES} == {scope: sorted(SIMULATED[scope]) for scope in SCOPES}


def test_a_setting_that_the_engine_gets_and_the_file_lacks_is_missed() -> None:
    key = SIMULATED["topic"]["segment.ms"]
    with patch.dict(SIMULATED["topic"], {"new.key.ms": key}), pytest.raises(AssertionError):
        test_the_page_has_each_setting_of_the_engine_once()


def test_the_engine_reads_what_the_page_says_that_it_obeys() -> None:
    """Of brokers, producers, consumers and flows; topics' settings and throttles are read where metadata is made."""
    read: set[tuple[str, str]] = set()
    scopes = {id(keys): scope for scope, keys in SIMULATED.items()}
    plain = Layers.value
    had = Layers.has

    def value(layers: Layers, name: str) -> Value:
        read.add((scopes[id(layers._keys)], name))
        return plain(layers, name)

    def has(layers: Layers, name: str) -> bool:
        read.add((scopes[id(layers._keys)], name))
        return had(layers, name)

    finest = {"log.retention.ms": 1, "log.retention.minutes": 1}
    document = {
        "format": 1,
        "cluster": {"brokers": [1], "config": finest},
        "topics": [{"name": "t", "assignment": [[1]]}],
        "producers": [{"id": "P", "topic": "t"}],
        "consumers": [{"id": "C", "topics": ["t"]}],
    }
    with patch.object(Layers, "value", value), patch.object(Layers, "has", has):
        resolve(load(json.dumps(document)))
        mirror_settings(Mirror(source="a", target="b", config={"sync.group.offsets.enabled": True}), PROFILES["4.2"])
    obeyed = {(kind.kind, one.name) for kind in kinds() for one in kind.settings if kind.kind != "topic"}
    assert obeyed - read - OF_METADATA - {("producer", "acks"), ("producer", "enable.idempotence")} == NOT_READ
    assert read <= obeyed


def test_every_setting_has_a_sentence_and_rules_that_exist() -> None:
    rules = {rule.id for rule in all_rules()}
    for kind in kinds():
        for one in kind.settings:
            assert one.decides.endswith("."), named(one)
            assert not one.decides.startswith("If "), named(one)
            assert set(one.rules) <= rules, named(one)


def test_it_names_the_versions_that_it_shows_and_its_sentences_are_html(told: str) -> None:
    assert f"the defaults of Kafka {VERSIONS[0]} to {VERSIONS[-1]} and" in told
    assert "<p>How many minutes records are kept. It overrides <code>log.retention.hours</code>.</p>" in told
    assert "`" not in told


def test_a_version_with_another_default_is_marked(told: str) -> None:
    card = told.partition('id="producer.linger.ms"')[2].partition("</article>")[0]
    assert '<dt>Default</dt><dd class="num">5 ms</dd>' in card
    assert '<div class="differs"><dt>In 3.7</dt><dd class="num">0 ms</dd>' in card
    card = told.partition('id="broker.log.retention.ms"')[2].partition("</article>")[0]
    assert '<dd class="num">not set: log.retention.minutes counts</dd>' in card


def test_a_name_is_the_anchor_of_one_card(told: str) -> None:
    ids = re.findall(r'\bid="([^"]+)"', told)
    assert len(ids) == len(set(ids))
    assert {name for keys in SIMULATED.values() for name in keys} <= set(ids)
    assert set(re.findall(r'href="#([^"]+)"', told)) <= set(ids)


def test_a_setting_names_the_questions_and_runs_that_show_it(told: str) -> None:
    card = told.partition('id="topic.min.insync.replicas"')[2].partition("</article>")[0]
    assert 'href="/questions/does-acks-all-wait-for-the-minimum"' in card
    assert 'href="/gallery#s34c-a-lower-minimum-moves-nothing"' in card
    assert 'href="/questions/acks-1-and-the-leader-dies"' in told.partition('id="producer.acks"')[2]


def test_every_key_without_effect_stands_there_with_its_reason(told: str) -> None:
    lost = told.partition('id="without-effect"')[2]
    assert {name for known in KNOWN.values() for name in known} <= set(re.findall(r"<code>([^<]+)</code>", lost))
    card = lost.partition("<code>buffer.memory</code>")[0].rpartition("<article")[2]
    assert "A producer&#x27;s buffer has no end" in card


def test_a_setting_has_a_value_to_try_or_says_why_it_has_none(told: str) -> None:
    every = [one for kind in kinds() for one in kind.settings]
    for one in every:
        assert bool(one.other) != bool(one.why_none), named(one)
        assert not one.why_none or one.why_none.endswith("."), named(one)
    assert told.count('data-testid="why-none"') == len(every) - len(TRIED)
    assert told.count(" side by side</button>") == len(TRIED)
    assert len(TRIED) > len(every) * 0.9


def test_each_situation_shows_some_setting() -> None:
    used = {one.situation for one in TRIED}
    assert set(situations()) - used == {"faults", "failover"}


@pytest.mark.parametrize("setting", TRIED, ids=named)
def test_the_two_documents_of_a_value_differ_in_it_alone(setting: Setting) -> None:
    usual, other = (load(json.dumps(document)) for document in documents(setting))
    assert usual.title != other.title
    assert usual.model_dump_json(exclude={"title"}) != other.model_dump_json(exclude={"title"})
    assert setting.key.read(setting.other) != setting.key.default


@cache
def digest(document: str) -> str:
    world = build(load(document))
    world.run(world.doc.until_us)
    return world.digest()


@pytest.mark.parametrize("setting", TRIED, ids=named)
def test_a_value_to_try_makes_another_run(setting: Setting) -> None:
    usual, other = ({**document, "title": ""} for document in documents(setting))
    assert digest(json.dumps(usual)) != digest(json.dumps(other))


@pytest.mark.django_db
def test_a_value_is_tried_by_two_runs_on_one_clock() -> None:
    client = Client()
    client.get("/settings")
    answer = client.post("/settings/topic/min.insync.replicas/try")
    assert answer.status_code == 302
    assert re.fullmatch(r"/compare/[A-Za-z0-9]+\.\.[A-Za-z0-9]+#t=\d+\.\d{3}", answer["Location"])
    for path in ("broker/log.roll.hours", "topic/none", "none/acks"):
        assert client.post(f"/settings/{path}/try").status_code == 404


def test_a_row_without_a_key_is_refused() -> None:
    with patch.dict(SIMULATED[MIRROR], clear=True), pytest.raises(KeyError):
        setting_list.kinds.__wrapped__()


def test_names_of_several_kinds_link_to_the_first() -> None:
    anchors = {named(one.setting): one.anchor for kind in settings_page.shown() for one in kind.settings}
    assert anchors["topic.min.insync.replicas"] == "min.insync.replicas"
    assert anchors["broker.min.insync.replicas"] == ""
    assert anchors["producer.request.timeout.ms"] == ""
