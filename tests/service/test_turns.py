"""The order of requests: addresses share the engine's time, and in each address its browsers."""

from collections import Counter

from playground.engine.turns import Holder, Turns

HONEST = Holder("b", "honest")


def served(turns: Turns[str], number: int, again: bool = True) -> list[Holder]:
    """The holders that are served, one after another; each asks again at once."""
    found = []
    for _ in range(number):
        taken = turns.take()
        assert taken is not None
        holder, request = taken
        turns.correct(holder, 1.0)
        if again:
            turns.put(holder, request)
        found.append(holder)
    return found


def test_one_browser_with_sixty_rooms_has_the_time_of_one() -> None:
    turns: Turns[str] = Turns(1.0)
    for room in range(60):
        turns.put(Holder("a", "greedy"), f"room {room}")
    turns.put(Holder("a", "honest"), "room")
    assert Counter(served(turns, 40)) == {Holder("a", "greedy"): 20, Holder("a", "honest"): 20}


def test_throw_away_cookies_of_one_address_have_the_time_of_one_address() -> None:
    turns: Turns[str] = Turns(1.0)
    for cookie in range(60):
        turns.put(Holder("a", f"cookie {cookie}"), "room")
    turns.put(HONEST, "room")
    found = Counter(served(turns, 120))
    assert found[HONEST] == 60
    assert all(found[Holder("a", f"cookie {cookie}")] == 1 for cookie in range(60)), "they share what is left"


def test_costly_requests_come_less_often() -> None:
    turns: Turns[str] = Turns(1.0)
    cost = {Holder("a", "slow"): 9.0, HONEST: 1.0}
    for holder in cost:
        turns.put(holder, "room")
    seconds: Counter[Holder] = Counter()
    for _ in range(100):
        taken = turns.take()
        assert taken is not None
        turns.correct(taken[0], cost[taken[0]])
        seconds[taken[0]] += int(cost[taken[0]])
        turns.put(*taken)
    assert abs(seconds[HONEST] - seconds[Holder("a", "slow")]) <= 9


def test_who_comes_after_a_rest_begins_where_the_others_are() -> None:
    turns: Turns[str] = Turns(1.0)
    turns.put(Holder("a", "old"), "room")
    served(turns, 1_000)
    turns.put(HONEST, "room")
    assert served(turns, 20).count(HONEST) <= 11, "nobody makes up for a rest"


def test_requests_of_one_browser_keep_their_order() -> None:
    turns: Turns[str] = Turns(1.0)
    for name in "abc":
        turns.put(HONEST, name)
    assert [taken[1] for _ in "abc" if (taken := turns.take())] == ["a", "b", "c"]
    assert turns.take() is None and len(turns) == 0


def test_holders_that_have_gone_are_forgotten() -> None:
    turns: Turns[str] = Turns(1.0)
    for number in range(2_000):
        turns.put(Holder(f"address {number}", "x"), "room")
        served(turns, 1, again=False)
    assert len(turns._browsers) < 300 and len(turns._addresses._used) < 300
