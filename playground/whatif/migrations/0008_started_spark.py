from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds which experiments had to start Spark, and which workers have a session."""

    dependencies = [("whatif", "0007_stage")]

    operations = [
        migrations.AddField("experiment", "started_spark", models.BooleanField(default=False)),
        migrations.AddField("workerbeat", "has_session", models.BooleanField(default=False)),
    ]
