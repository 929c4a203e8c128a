"""Adapter for the Python package `jogo-damas-brasileiras` (written for 0.1.0): a game in a window, played by clicks."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import distribution
from typing import Any
from unittest.mock import MagicMock

from _loop import serve  # type: ignore[import-not-found]
from _squares import Hop, cell, hop_answers, read_position, square, write  # type: ignore[import-not-found]

sys.modules["pygame"] = MagicMock()
sys.path.append(str(distribution("jogo-damas-brasileiras").locate_file("jogo_damas")))  # as its program starts
from classes.controlador import Controlador  # type: ignore[import-not-found]  # noqa: E402
from classes.peca import Peca  # type: ignore[import-not-found]  # noqa: E402
from utils.config import BRANCO, ROSA  # type: ignore[import-not-found]  # noqa: E402

COLOURS = {"W": BRANCO, "B": ROSA}
LETTERS = {BRANCO: "wW", ROSA: "bB"}
NAMES = {BRANCO: "white", ROSA: "black", "EMPATE": "draw", None: "ongoing"}


def game(position: str) -> Any:
    side, on = read_position(position)
    found = Controlador(None)
    board = found.tabuleiro
    board.tabuleiro = [[0] * 8 for _ in range(8)]
    for n, piece in on.items():
        row, column = cell(n)
        of = Peca(row, column, COLOURS[piece.upper()])
        of.eh_dama = piece.isupper()
        board.tabuleiro[row][column] = of
    board.pecas_brancas, board.damas_brancas, board.pecas_rosas, board.damas_rosas = (
        sum(piece == letter for piece in on.values()) for letter in "wWbB"
    )
    board.atualiza_contagem_total()
    found.turno = COLOURS[side]
    found._verificar_capturas()
    return found


def fen(found: Any) -> str:
    at = {n: found.tabuleiro.obtem_peca(*cell(n)) for n in range(1, 33)}
    on = {n: LETTERS[piece.cor][piece.eh_dama] for n, piece in at.items() if piece}
    return str(write("W" if found.turno == BRANCO else "B", on))


def clicked(position: str, clicks: list[int]) -> Any:
    found = game(position)
    for n in clicks:
        found.gerencia_clique(*cell(n))
    return found


def begun(position: str) -> tuple[str, list[int], Any]:
    return position, [], game(position)


def hops(state: tuple[str, list[int], Any]) -> Iterator[Hop]:
    position, clicks, before = state
    for first in clicks[-1:] or [n for n, piece in read_position(position)[1].items() if piece.upper() == position[0]]:
        chosen = before if clicks else clicked(position, [first])
        for place in chosen.movimentos_validos:
            way = [*(clicks or [first]), square(*place)]
            after = clicked(position, way)
            yield first, way[-1], (position, way, after), after.turno == before.turno


if __name__ == "__main__":
    serve(
        "jogo-damas-brasileiras",
        ["brazilian"],
        {
            "start": lambda ruleset: fen(Controlador(None)),
            **hop_answers(begun, hops, lambda state: fen(state[2])),
            "outcome": lambda ruleset, position: NAMES[game(position).verifica_fim()],
        },
    )
