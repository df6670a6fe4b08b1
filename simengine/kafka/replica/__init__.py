"""A replica: its log, its role as leader or follower, high watermark, ISR, fetchers, what waits for them."""
