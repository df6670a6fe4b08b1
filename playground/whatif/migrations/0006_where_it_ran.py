import json
import logging
from pathlib import Path

from django.conf import settings
from django.db import migrations, models

log = logging.getLogger(__name__)


def bring_rows_into_blocks(apps, schema_editor):
    for folder in sorted((Path(settings.DATA_DIR) / "whatif").glob("*")):
        experiment = apps.get_model("whatif", "Experiment").objects.filter(pk=folder.name).first()
        if experiment is None or not any(folder.glob("shard-*")):
            continue
        from playground.whatif.pipeline.results import Results
        from playground.whatif.rows_v1 import convert

        try:
            plan = json.loads(experiment.plan_text)
            letters = [variant["letter"] for variant in plan["variants"]]
            convert(Results(folder.parent.as_uri(), folder.name), plan["first_seed"], letters)
        except Exception:  # its figures stay; no other experiment suffers
            log.exception("the rows of experiment %s are not taken over", folder.name)


class Migration(migrations.Migration):
    """Adds the place of an experiment and the time of one run, by which tasks are cut; puts its rows in blocks."""

    dependencies = [("whatif", "0005_outline")]

    operations = [
        migrations.AddField("experiment", "seconds_per_run", models.FloatField(default=0)),
        migrations.AddField("experiment", "master", models.CharField(max_length=200, blank=True, default="")),
        migrations.AddField("experiment", "processes", models.PositiveIntegerField(default=0)),
        migrations.RunPython(bring_rows_into_blocks, migrations.RunPython.noop),
    ]
