"""The table of verbs. Where two forms fit an action, the first counts.

`actions` reads and writes by this table, `references` checks by it, `action_words` speaks by it, and so does the page
(tools/verbs_js.py).
"""

from typing import Final

from simengine.scenario.verb import FAULT, FORESEEN, KEEPS, REPAIR, SETTING, USE, Form, Verb, verb_of

KILL_RACK: Final = "kill-rack"
START_RACK: Final = "start-rack"
KILL_SITE: Final = "kill-site"
START_SITE: Final = "start-site"
POWER_LOSS: Final = "power-loss"
REASSIGN: Final = "reassign"
_CALL: Final = "<new_name> <producer> <partition> <call>"
_LINKS: Final = "the links {link} are"

VERBS: Final[dict[str, Verb]] = {
    verb.name: verb
    for verb in (
        verb_of(
            "kill",
            {"<node>": "{node} is killed"},
            ("kill", "kills"),
            usage="kill <node>, or a process of mirrors:",
            undo="start",
            labels={"<node>": "Kill (hard)"},
            traits=(FAULT, KEEPS, FORESEEN),
        ),
        verb_of(
            "stop",
            {"<node>": "{node} shuts down"},
            ("clean stop", "clean stops"),
            undo="start",
            labels={"<node>": "Shut down cleanly"},
            traits=(FAULT, KEEPS, FORESEEN),
        ),
        verb_of(
            "start",
            {
                "<node>": "{node} starts",
                "<host> empty": "{host} starts with an empty disk",
                "<host> wiped": "{host} starts with its data wiped",
                "<node> after <duration>": "{node} starts, which takes {duration}",
                "<host> empty after <duration>": "{host} starts with an empty disk, which takes {duration}",
                "<host> wiped after <duration>": "{host} starts with its data wiped, which takes {duration}",
            },
            ("start", "starts"),
            usage="start <node> [empty | wiped] [after <duration>]",
            labels={
                "<node>": "Start",
                "<host> empty": "Start with a new, empty disk",
                "<host> wiped": "Start with its data wiped",
            },
            traits=(REPAIR, KEEPS, FORESEEN),
        ),
        verb_of(
            "pause",
            {"<node>": "{node} is paused"},
            ("pause", "pauses"),
            undo="resume",
            labels={"<node>": "Pause the process"},
            traits=(FAULT, KEEPS, FORESEEN),
        ),
        verb_of(
            "resume",
            {"<node>": "{node} goes on", "<host> fast": "{host} goes on", "<host> slow": "{host} goes on"},
            ("resume", "resumes"),
            usage="resume <node> [fast | slow]",
            labels={"<node>": "Let the process go on"},
            traits=(REPAIR, KEEPS, FORESEEN),
        ),
        verb_of(
            KILL_RACK,
            {"<rack>": "{rack} is taken down"},
            ("rack taken down", "racks taken down"),
            labels={"<rack>": "Take all of {rack} down"},
            traits=(FAULT, KEEPS, FORESEEN),
        ),
        verb_of(
            START_RACK,
            {"<rack>": "{rack} is brought back"},
            ("rack brought back", "racks brought back"),
            labels={"<rack>": "Bring all of {rack} back"},
            traits=(REPAIR, KEEPS, FORESEEN),
        ),
        verb_of(
            KILL_SITE,
            {"<site>": "{site} is taken down"},
            ("cluster taken down", "clusters taken down"),
            usage="kill-site <cluster>, in a document of several clusters",
            labels={"<site>": "Take all of {site} down"},
            traits=(FAULT, KEEPS, FORESEEN),
        ),
        verb_of(
            START_SITE,
            {"<site>": "{site} is brought back"},
            ("cluster brought back", "clusters brought back"),
            usage="start-site <cluster>, in a document of several clusters",
            labels={"<site>": "Bring all of {site} back"},
            traits=(REPAIR, KEEPS, FORESEEN),
        ),
        verb_of(
            POWER_LOSS,
            {
                "<hosts:all>": "all brokers lose their power",
                "<hosts:all> <records:0>": "all brokers go dark",
                "<hosts:all> <records>": "all brokers lose their power",
                "<hosts>": "{hosts} {hosts?lose:loses} power",
                "<hosts> <records:0>": "{hosts} {hosts?go:goes} dark",
                "<hosts> <records>": "{hosts} {hosts?lose:loses} power",
            },
            ("power loss", "power losses"),
            usage="power-loss <node>,<rack>,…|all [<records>]",
            undo="start",
            labels={
                "<hosts>": "Cut the power: unwritten records are lost",
                "<hosts> <records:0>": "Go dark: no answer, and no connection closes",
            },
            traits=(FAULT, FORESEEN),
        ),
        verb_of(
            "cut",
            {"<link>": f"{_LINKS} cut"},
            ("cut", "cuts"),
            usage="cut <ends>|<ends> (both ways) or cut <ends>><ends> (one way), e.g. cut 1|2,3",
            traits=(FAULT, KEEPS, FORESEEN),
        ),
        verb_of(
            "heal",
            {"": "all links are healed", "<link>": f"{_LINKS} healed"},
            ("heal", "heals"),
            usage="heal, or heal <ends>|<ends>",
            labels={"": "Heal all links", "<link>": "Heal"},
            traits=(REPAIR, KEEPS, FORESEEN),
        ),
        verb_of(
            "slow-link",
            {"<link> <latency:0s>": f"{_LINKS} at full speed", "<link> <latency>": f"{_LINKS} slower by {{latency}}"},
            usage="slow-link <ends>|<ends> <duration>, e.g. slow-link az-a|az-b 80ms",
            traits=(SETTING, KEEPS),
        ),
        verb_of(
            "slow",
            {
                "<broker> off": "{broker} fetches at full speed",
                "<broker> <limit>": "{broker} fetches at most {limit}",
                "<broker> serving off": "{broker} serves fetches at full speed",
                "<broker> serving <limit>": "{broker} serves fetches with at most {limit}",
            },
            usage="slow <broker> [serving] <records/s>|off",
            labels={
                "<broker> off": "Full speed",
                "<broker> <limit>": "At most {limit}",
                "<broker> serving off": "Full speed",
                "<broker> serving <limit>": "At most {limit}",
            },
            traits=(SETTING, KEEPS),
        ),
        verb_of(
            "acks",
            {"<topic> <acks>": "{topic} is now written with acks={acks}"},
            ("change of acks", "changes of acks"),
            labels={"<topic> <acks>": "acks={acks}"},
            traits=(SETTING, KEEPS, FORESEEN),
        ),
        verb_of(
            "rate",
            {
                "<producer> <rate>": "{producer} sends {rate}",
                "<producer> <rate> <partition>": "{producer} sends {rate} to {partition}",
            },
            ("change of rate", "changes of rate"),
            traits=(USE, SETTING, KEEPS, FORESEEN),
        ),
        verb_of(
            "send",
            {
                "<producer> <partition> <count:1>": "{producer} sends 1 record to {partition}",
                "<producer> <partition> <count>": "{producer} sends {count} records to {partition}",
            },
            usage="send <producer> <topic>-<partition> <count>",
            traits=(USE, KEEPS, FORESEEN),
        ),
        verb_of(
            "resend",
            {
                "<producer> <partition> <call> <count:1>": "{producer} sends the record of call {call} "
                "to {partition} again",
                "<producer> <partition> <call> <count=1>": "{producer} sends the records of calls {call}–{call+count} "
                "to {partition} again",
            },
            usage="resend <producer> <topic>-<partition> <call> [<count>]",
            traits=(USE,),
        ),
        verb_of(
            "config",
            {"<subject> <key> <value>": "{subject}: {key} = {value}"},
            ("change of a setting", "changes of settings"),
            labels={"<subject> <key> <value>": "{key} = {value}"},
            traits=(SETTING, KEEPS, FORESEEN),
        ),
        verb_of(
            "elect",
            {
                "preferred <scope>": "a preferred election is requested for {scope}",
                "unclean <scope>": "an unclean election is requested for {scope}",
            },
            ("requested election", "requested elections"),
            usage="elect preferred|unclean <topic>-<partition>|all",
            labels={"preferred <scope>": "Elect the preferred leader", "unclean <scope>": "Unclean election"},
            traits=(KEEPS, FORESEEN),
        ),
        verb_of(
            REASSIGN,
            {
                "off <broker>": "all replicas are to move off {broker}",
                "<partition> cancel": "the reassignment of {partition} is cancelled",
                "<partition> <replicas>": "{partition} is to be on {replicas}",
                "<topic> replication-factor <factor>": "the replication factor of {topic} is to be {factor}",
            },
            ("reassignment", "reassignments"),
            usage="reassign <topic>-<partition> <broker>,<broker>,…|cancel, reassign off <broker>, "
            "or reassign <topic> replication-factor <n>",
            labels={
                "off <broker>": "Move all its replicas to other brokers",
                "<partition> cancel": "Cancel the reassignment",
                "<topic> replication-factor <factor>": "Replication factor = {factor}",
            },
            traits=(FORESEEN,),
        ),
        verb_of(
            "create",
            {
                "<new_topic> <factor> <partitions>": "topic {new_topic} is created",
                "<new_topic> <assignment>": "topic {new_topic} is created",
            },
            ("new topic", "new topics"),
            usage="create <topic> <replication factor> <partitions>, or create <topic> 2,1/1,3",
            traits=(USE,),
        ),
        verb_of(
            "delete",
            {"<whole_topic>": "topic {whole_topic} is deleted"},
            ("deleted topic", "deleted topics"),
            labels={"<whole_topic>": "Delete the topic with all its records"},
        ),
        verb_of(
            "partitions",
            {"<whole_topic> <size>": "topic {whole_topic} is to have {size} partitions"},
            ("change of partitions", "changes of partitions"),
            labels={"<whole_topic> <size>": "Add partitions: {size} in all"},
        ),
        verb_of(
            "open",
            {"<client>": "{client} is opened"},
            traits=(USE, KEEPS, FORESEEN),
        ),
        verb_of(
            "close",
            {"<client>": "{client} is closed"},
            traits=(KEEPS, FORESEEN),
        ),
        verb_of("crash", {"<client>": "{client} crashes"}, traits=(KEEPS,)),
        verb_of(
            "move",
            {
                "<mover> <target>": "{mover} moves to {target}",
                "<mover> <target> <topics>": "{mover} moves to {target} ({topics})",
            },
            ("move", "moves"),
            usage="move <client or group> <cluster> [<topic>,<topic>…]: of several clusters",
            traits=(KEEPS,),
        ),
        verb_of(
            "commit",
            {
                "<consumer>": "{consumer} commits what it has read",
                "<consumer> <partition> <offset>": "{consumer} commits {offset} of {partition}",
            },
            traits=(USE, KEEPS),
        ),
        verb_of("late-heartbeat", {"<broker>": "a heartbeat that {broker} had sent arrives after all"}),
        verb_of(
            "intercept",
            {
                f"{_CALL} hold-request <duration=0s>": "the request with call {call} of "
                "{producer} to {partition} will be held",
                f"{_CALL} drop-response <duration=0s>": "the answer to call {call} of "
                "{producer} to {partition} will be lost",
                f"{_CALL} delay-response <duration=0s>": "the answer to call {call} of "
                "{producer} to {partition} will be late by {duration}",
            },
            usage="intercept <name> <producer> <topic>-<partition> <call> "
            "hold-request|drop-response|delay-response [<duration>]",
        ),
        verb_of("release", {"<interception>": "a held request goes on"}, traits=(USE,)),
        *(
            verb_of(
                name,
                {"<message>": clause},
                usage=f"{name} <message>, the number of its Flight fact",
                labels={"<message>": label},
            )
            for name, clause, label in (
                ("hold", "{message} is held", "Hold"),
                ("deliver", "{message} arrives now", "Deliver now"),
                ("drop", "{message} is lost with its connection", "Drop: its connection breaks"),
            )
        ),
    )
}


def form_of(verb: str, args: tuple[str, ...]) -> Form | None:
    """The form in which an action is written; None for what is no action."""
    return next((one for one in VERBS[verb].forms if one.fits(args)), None) if verb in VERBS else None


def verbs_of(kind: str) -> tuple[str, ...]:
    """The verbs that begin with an argument of this kind."""
    return tuple(
        name for name, verb in VERBS.items() if any(one.slots[:1] and one.slots[0].kind == kind for one in verb.forms)
    )


def with_trait(trait: str) -> tuple[str, ...]:
    """The verbs of which this is true."""
    return tuple(name for name, verb in VERBS.items() if trait in verb.traits)
