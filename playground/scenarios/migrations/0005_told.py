from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scenarios", "0004_address")]

    operations = [
        migrations.AddField(model_name="scenario", name="told", field=models.JSONField(blank=True, null=True)),
    ]
