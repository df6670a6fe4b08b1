"""Why a run lost what it lost: the chain from the decisive event to each loss, and the action that decided it."""
