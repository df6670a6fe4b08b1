"""Plans for the loss of a cluster: failing over and going back as documents that run, and what each costs."""
