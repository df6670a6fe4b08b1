from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("whatif", "0004_leases_by_beats")]

    operations = [
        migrations.AddField(model_name="experiment", name="outline", field=models.JSONField(blank=True, null=True)),
    ]
