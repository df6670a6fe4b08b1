from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scenarios", "0003_bytes"),
    ]

    operations = [
        migrations.AddField(
            model_name="scenario",
            name="address",
            field=models.CharField(blank=True, default="", max_length=64),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="scenario",
            name="edit_round",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddIndex(
            model_name="scenario",
            index=models.Index(fields=["address", "deleted", "bytes"], name="scenario_address_bytes"),
        ),
    ]
