"""The verbs of the timeline, and the form of each: what an error shows of a verb that is written wrongly."""

from typing import Final

USAGE: Final[dict[str, str]] = {
    "kill": "kill <node>, or a process of mirrors:",
    "stop": "stop <node>",
    "start": "start <node> [empty | wiped] [after <duration>]",
    "pause": "pause <node>",
    "resume": "resume <node> [fast | slow]",
    "kill-rack": "kill-rack <rack>",
    "start-rack": "start-rack <rack>",
    "kill-site": "kill-site <cluster>, in a document of several clusters",
    "start-site": "start-site <cluster>, in a document of several clusters",
    "power-loss": "power-loss <node>,<rack>,…|all [<records>]",
    "cut": "cut <ends>|<ends> (both ways) or cut <ends>><ends> (one way), e.g. cut 1|2,3",
    "heal": "heal, or heal <ends>|<ends>",
    "slow-link": "slow-link <ends>|<ends> <duration>, e.g. slow-link az-a|az-b 80ms",
    "slow": "slow <broker> [serving] <records/s>|off",
    "acks": "acks <topic> 0|1|all",
    "rate": "rate <producer> <records/s> [<topic>-<partition>]",
    "send": "send <producer> <topic>-<partition> <count>",
    "resend": "resend <producer> <topic>-<partition> <call> [<count>]",
    "config": "config <topic>|broker.<id>|cluster <key> <value>",
    "elect": "elect preferred|unclean <topic>-<partition>|all",
    "reassign": "reassign <topic>-<partition> <broker>,<broker>,…|cancel",
    "create": "create <topic> <replication factor> <partitions>, or create <topic> 2,1/1,3",
    "delete": "delete <topic>",
    "partitions": "partitions <topic> <how many it is to have>",
    "open": "open <client>",
    "close": "close <client>",
    "crash": "crash <client>",
    "move": "move <client or group> <cluster> [<topic>,<topic>…]: of several clusters",
    "commit": "commit <consumer> [<topic>-<partition> <offset>]",
    "late-heartbeat": "late-heartbeat <broker>",
    "intercept": "intercept <name> <producer> <topic>-<partition> <call> "
    "hold-request|drop-response|delay-response [<duration>]",
    "release": "release <name>",
    "hold": "hold <message>, the number of its Flight fact",
    "deliver": "deliver <message>, the number of its Flight fact",
    "drop": "drop <message>, the number of its Flight fact",
}
VERBS: Final = tuple(USAGE)
# what people ask for and a run cannot do yet, and why
UNSUPPORTED: Final[dict[str, str]] = {
    "delete-topic": "the verb is delete: delete <topic>",
    "add-partitions": "the verb is partitions: partitions <topic> <how many it is to have>",
    "unregister": "brokers cannot be unregistered while a run goes on: kill the broker instead",
    "restart": "a restart is two actions: stop (or kill) and start",
}
