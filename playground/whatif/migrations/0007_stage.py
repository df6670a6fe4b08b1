from django.db import migrations, models

STAGES = ("results", "spark", "cluster", "executors", "engine", "runs", "space", "storage", "figures")


class Migration(migrations.Migration):
    """Adds the stage: what a running experiment does or waits for."""

    dependencies = [("whatif", "0006_where_it_ran")]

    operations = [
        migrations.AddField(
            "experiment",
            "stage",
            models.CharField(
                max_length=10, choices=[(stage, stage.capitalize()) for stage in STAGES], blank=True, default=""
            ),
        ),
    ]
