"""Limits of what-if experiments. Each is said in words when it is met, and has a test."""

from typing import Final

SEEDS_MIN: Final = 2  # an interval needs two
SEEDS_MAX: Final = 10_000  # what a run costs, and SECONDS_MAX, bound most experiments before
HORIZON_US_MIN: Final = 1_000_000
HORIZON_US_MAX: Final = 30 * 60 * 1_000_000
SECONDS_MAX: Final = 3_600  # longest estimated computation of one experiment on this machine
ACTIVE_MAX: Final = 3  # experiments of one browser that wait or run
WAITING_AN_ADDRESS_MAX: Final = 60  # experiments of one address that wait: a class of 40 browsers has one
WAITING_MAX: Final = 200  # experiments of all browsers that wait
KEPT_MAX: Final = 100  # experiments of one browser that are kept; a new one takes the place of the oldest finished one
KEPT_AN_ADDRESS_MAX: Final = 1_000  # experiments of all browsers of one address that are kept

LEASE_SECONDS: Final = 10  # a lease that is seen not to be renewed for this long goes to another worker
BEAT_SECONDS: Final = 1.0  # how often a worker renews its lease, looks for a cancel and says how far it is
SWEEP_SECONDS: Final = 3.0  # how often a worker looks for experiments that nobody runs
CLAIMS_MAX: Final = 20  # workers that may die over one experiment before it is given up
ABSENT_SECONDS: Final = 15  # a worker not heard of for this long is absent

PLACE_SECONDS: Final = 30.0  # an experiment computes for so long before another one takes its place
NEWCOMER_SECONDS: Final = 10.0  # the same where the other one has not begun yet
PLACE_RUNS: Final = 3.0  # it computes at least so many runs on each process before an earlier one returns
