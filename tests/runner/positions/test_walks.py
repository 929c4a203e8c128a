"""Random games: the chance that compiled code can draw on."""

from __future__ import annotations

from damspec_runner.positions.random_games import SplitMix64


def test_luck_is_drawn_as_a_generator_of_random_numbers_is_asked() -> None:
    """The first three numbers of splitmix64 from 1234567, as published with it, and what is made of them."""
    luck = SplitMix64(1234567)
    assert [luck.getrandbits(64) for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]
    again = SplitMix64(1234567)
    assert again.random() == (6457827717110365317 >> 11) / 2**53
    assert again.getrandbits(8) == 3203168211198807973 >> 56
    assert 0 <= SplitMix64(5).choice(range(10)) < 10
    assert SplitMix64(7).getrandbits(100).bit_length() > 64
