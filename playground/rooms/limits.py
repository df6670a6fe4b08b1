"""Every limit of the live rooms, by name. Each is tested, and said in words when it is reached."""

from typing import Final

from playground.engine.limits import Budget
from playground.scenarios.limits import REPLAY_SECONDS_MAX

# --- time ---
FRAMES_PER_SECOND: Final = 30
SPEED_MIN_US: Final = 1_000  # simulated microseconds a second of the viewer: 1 ms/s
SPEED_MAX_US: Final = 600_000_000  # 10 min/s
SPEED_NORMAL_US: Final = 100_000  # 100 ms/s
SPEED_BIG_US: Final = 2_000_000  # 2 s/s: at first, for a cluster that is drawn as a map, where no message is seen
BIG_BROKERS: Final = 24  # more brokers or partitions than this are drawn as a map
BIG_PARTITIONS: Final = 60
BACK_FROM_SPEED_US: Final = 1_000_000  # at this speed and above, an action goes back to the time that was shown
CLOCK_STORE_S: Final = 1.0  # the clock of a playing room is stored this often
STORAGE_RETRY_S: Final = 0.5  # a room that needs the database asks again after this time
STALL_MAX_S: Final = 0.25  # a tick later than this slows the clock instead of making one huge frame
STEP_LOOK_US: Final = 60_000_000  # a step looks this far ahead for the next event, or up to the next scheduled action
STEP_WALL_S: Final = 5.0  # and no longer than this

# --- one run ---
# Replay of a whole run takes at most 30 s: measured 0.9 M events/s compiled and 30,000 interpreted, on one of
# two busy cores.
RUN_EVENTS_MAX: Final = {"compiled": 15_000_000, "interpreted": 500_000}
# At high speed a click is done at the time that was shown, by replay; not in a run with more events (about 0.25 s).
BACK_EVENTS_MAX: Final = {"compiled": 200_000, "interpreted": 8_000}
MEET_WALL_S: Final = 2.0  # rooms of one comparison come to one moment within this time, or nobody acts in them
SLICE_EVENTS: Final = 64  # events between two looks at the wall clock, at most
SLICE_WALL_S: Final = 0.010  # and so long; where events take longer, there are fewer of them
FRAME_BUDGET_S: Final = 0.020  # a frame's share of the engine's process; what does not fit slows the clock
LOADING_EVERY_S: Final = 0.25  # how often viewers hear how far a replay has come
REPLAY_BUDGET_S: Final = 0.050  # one slice of a replay, so that other rooms of the process go on
FACTS_A_FRAME_MAX: Final = 4_000  # more than this and the frame carries each field's last value, no flights
KEYFRAME_EVERY_US: Final = 5_000_000
KEYFRAME_WALL_S: Final = 1.0  # and not more often than this: the view of a big cluster takes a while to make
# What a room keeps for scrubbing, packed; what is older comes back by replay. A run of at most BACK_EVENTS_MAX is
# replayed within 0.25 s and keeps little: the last minute of a small cluster.
HISTORY_BYTES_MAX: Final = 8 * 1024 * 1024
SHORT_HISTORY_BYTES_MAX: Final = 128 * 1024
OPEN_SEGMENT_BYTES_MAX: Final = 8 * 1024 * 1024  # facts since the newest keyframe, not packed yet
FOLD_BYTES_MAX: Final = 300_000  # packed facts that are folded into one view; above it a replay aside is fairer
RANGE_MAX_US: Final = 60_000_000  # simulated time of one range request for all facts
FACTS_ANSWER_MAX: Final = 200_000  # rows in one answer to a range request

# To look at the past of a room: one at a time of those who watch it, and one of those who steer it. After so many
# seconds, somebody else who waits goes first. A lecture asks at the same moment.
PAST: Final = Budget("past", 15.0, 30.0, 1, 1, waiting=1_000, waiting_of_address=800, of_browser=16)

# --- rooms and viewers ---
ROOMS_MAX: Final = 100  # rooms in the memory of one process
ROOMS_A_BROWSER_MAX: Final = 20  # of these, rooms of one browser
ROOMS_AN_ADDRESS_MAX: Final = 60  # and rooms of one address: a class of 40 browsers has one
ROOM_VIEWERS_MAX: Final = 600
ROOM_VIEWERS_AN_ADDRESS_MAX: Final = 400  # of these, of one address: a lecture hall of 300 and some second pages
OWNER_PAGES_KEPT: Final = 4  # pages of a browser that may act in a run: they get in, however full it is
SOCKETS_A_BROWSER_MAX: Final = 100  # pages of runs that one browser has open
SOCKETS_AN_ADDRESS_MAX: Final = 600  # and one address: a lecture may have one
PEOPLE_TOLD_S: Final = 0.2  # who comes or goes is told to everybody within this time
UNATTENDED_DROP_S: Final = 60.0
ENGINE_RESTARTS_MAX: Final = 3  # a room whose engine dies this often in a row has ended

# Runs that are computed beside all rooms, for sharing and describing. A quick one has so many seconds of an engine's
# time; one that takes longer waits for a long place, and then has ASIDE_WALL_S to come to the moment that is asked for.
ASIDE_WALL_S: Final = 45.0
ASIDE_QUICK: Final = Budget(
    "quick run", REPLAY_SECONDS_MAX, 20.0, places=4, places_of_address=2, waiting=300, waiting_of_address=100
)
ASIDE_LONG: Final = Budget(
    "long run", ASIDE_WALL_S, 60.0, places=2, places_of_address=1, waiting=24, waiting_of_address=8
)
ASKS_A_SECOND: Final = 20  # requests about the past of runs, of one browser
ASKS_BURST: Final = 60
ASKS_AN_ADDRESS_A_SECOND: Final = 400  # of all browsers of one address: a page that opens asks some times
ASKS_AN_ADDRESS_BURST: Final = 2_000

# --- the wire ---
COMMAND_BYTES_MAX: Final = 4_096
REQUEST_BYTES_MAX: Final = 16 * 1024  # of a request for a branch, an undo or a copy: a moment, an action, some words
COMMAND_DO_MAX: Final = 500  # characters of one action
COMMANDS_A_SECOND: Final = 40  # of one socket, and of all sockets of one browser together
COMMANDS_BURST: Final = 80
COMMANDS_AN_ADDRESS_A_SECOND: Final = 400  # of all sockets of one address: a class of 40 browsers has one
COMMANDS_AN_ADDRESS_BURST: Final = 800
COMMANDS_WAITING_MAX: Final = 32  # commands of one socket that wait for the one before
BAD_FRAMES_MAX: Final = 50  # a connection that sends more frames than this that cannot be read is closed
VIEWER_FRAMES_MAX: Final = 30  # frames that wait for a slow viewer before it gets a snapshot instead
VIEWER_BYTES_MAX: Final = 4 * 1024 * 1024
SNAPSHOT_BYTES_MAX: Final = 64 * 1024 * 1024
SNAPSHOT_EVERY_S: Final = 0.25  # a room makes at most this many snapshots for its slow viewers
CATCH_UP_US: Final = 1_000_000  # on top of two seconds at the stored speed: how far a viewer's word moves a room
CATCH_UP_WINDOW_S: Final = 10.0  # how long after a room's return the words of its viewers count
DRAWN_TOLD_MAX = 500  # failures of the fault model that a viewer is told of before the run
EVENTS_TOLD_MAX = 60  # decisive events that a still lists in words
TOPICS_TOLD_MAX = 60  # topics of a verdict that a still, or the page of a copy, lists
STEPS_TOLD_MAX = 12  # actions ahead that it names
