"""Runs rows of plans with the engine of one folder, as it is asked: `python row_times.py FOLDER`.

The first line of standard input is a JSON list of plans. Each further line, "<plan> <run>", is answered with the core
seconds of that row. It uses only what the trees of both commits have, and is not imported by the bench.
"""

import json
import sys
import time


def main(folder: str) -> None:
    """Answer line by line. Raises RuntimeError with the words of a run that failed."""
    sys.path.insert(0, folder)
    from playground.whatif.pipeline import plan as plan_module
    from playground.whatif.pipeline.run_one import plan_row
    from simengine import engine_form

    names = vars(plan_module)
    plan_type = names.get("ExperimentPlan") or names["Plan"]  # as the older tree calls it
    plans = [plan_type.from_json(text) for text in json.loads(sys.stdin.readline())]
    print(engine_form(), flush=True)
    for line in sys.stdin:
        plan, run = map(int, line.split())
        began = time.process_time()
        row = plan_row(plans[plan], run)
        took = time.process_time() - began
        if row["error"]:
            raise RuntimeError(row["error"])
        print(took, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
