"""Random games: the numbers that a game is drawn by."""

from __future__ import annotations

from damspec_runner.positions.random_games import SplitMix64


def test_random_numbers_are_those_of_splitmix64() -> None:
    """The first three numbers from 1234567, as published with it: what a seed plays must not change."""
    rng = SplitMix64(1234567)
    assert [rng.getrandbits(64) for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert SplitMix64(1234567).random() == (6457827717110365317 >> 11) / 2**53
    assert 0 <= SplitMix64(5).choice(range(10)) < 10
