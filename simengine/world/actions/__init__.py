"""The effect of each verb of a timeline on a cluster, and the reasons for which it has none."""
