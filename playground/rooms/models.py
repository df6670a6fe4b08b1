"""The stored clock of a room: written on each change and once a second, so that the room comes back there."""

from django.db import models

from playground.scenarios.limits import SENTENCE_MAX
from playground.scenarios.models import Scenario


class ClockState(models.Model):
    """The stored clock of one room. ``speed_us`` 0 means automatic; ``digest`` "" means not known at this moment."""

    room = models.CharField(primary_key=True, max_length=40)
    scenario = models.ForeignKey(Scenario, on_delete=models.CASCADE, related_name="clocks")
    is_playing = models.BooleanField()
    speed_us = models.BigIntegerField()
    t_us = models.BigIntegerField()
    seq = models.BigIntegerField(default=0)
    engine = models.CharField(max_length=64, blank=True)
    sentence = models.CharField(max_length=SENTENCE_MAX, blank=True)  # the verdict so far; "" where it is not known
    digest = models.CharField(max_length=16, blank=True)
    stored = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.room} at {self.t_us} us"
