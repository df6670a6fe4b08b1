"""The web process with its rate limits lifted: a storm of hostile input would meet little else than 429."""

import sys

from playground import serve
from playground.scenarios import rates


def _always(self: rates.TokenBucket) -> bool:
    return True


if __name__ == "__main__":
    rates.TokenBucket.take = _always  # type: ignore[method-assign]  # before anything is asked
    sys.exit(serve.main(sys.argv[1:]))
