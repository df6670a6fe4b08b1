"""The page on which a run of several clusters loses one: fail over, go back, and what each plan costs."""
