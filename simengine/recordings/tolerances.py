"""The limits for the distance of a recording from the runs that explain it, as told by the page "How true is this?"."""

from typing import Final

# rule 1
MATCHING_PART: Final = 0.01  # of the runs must have the history
MATCHING_MIN: Final = 3
GROWTH_GAP_S: Final = 3.0  # steps of ISR growth less than this apart are one step
# rules 1, 2, 5, 6
HEAL_SPAN_S: Final = 35.0  # a step this soon after a heal may have waited for a TCP connection
HEAL_LATE_S: Final = 31.0  # a real TCP connection may need 30 s to notice (TCP-1)
START_SPAN_S: Final = 25.0  # a step this soon after a start may have waited for a busy machine
START_LATE_S: Final = 3.0
STEP_WIDER_S: Final = 1.5  # rule 2, on both sides
WAIT_WIDER_S: Final = 3.0  # rules 5 and 6, on both sides
# rules 4 and 6, and 8 to 11
COUNT_WIDER: Final = 2  # records
COUNT_WIDER_PART: Final = 0.25  # of the real number
SYNC_WIDER_S: Final = 1.5
STILL_WIDER_S: Final = 3.0
