"""What names of python-chess, py-draughts and pydraughts are called here, so that an AttributeError says what to type.

A class with the metaclass `OtherNames` has its table's names as attributes that raise; they are in no `dir` or `help`.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Iterable, Mapping
from inspect import getattr_static
from typing import NoReturn


def _same(names: str, here: str) -> dict[str, str]:
    return dict.fromkeys(names.split(), here)


#: What to type instead of a name of another library, for an action of any kind.
_OF_ACTIONS: Mapping[str, str] = {
    **_same("from_uci from_san parse", "game.legal_moves.find(text)"),
    **_same("uci san lan xboard pdn_move pdn_position_move hub_position_move", "str(move)"),
    **_same("steps_move li_api_move board_move", "move.path"),
    **_same("hub_move", "(move.start, move.end, *move.captured)"),
    **_same("from_square source origin", "move.start"),
    **_same("to_square destination target", "move.end"),
    **_same("square_list squares steps", "move.path"),
    **_same("captured_list captures captured_squares", "move.captured"),
    **_same("captured_entities", "[(square, position[square]) for square in move.captured]"),
    **_same("has_captures", "move.is_capture"),
    **_same("promotion is_promotion", "move.promotes"),
    **_same("notation", "move.text"),
}

#: What to type instead of a name of another library, by class or module.
OTHER_NAMES: Mapping[str, Mapping[str, str]] = {
    "damspec": {
        **_same("WHITE Color Turn", '"white"'),
        **_same("BLACK", '"black"'),
        **_same("MAN PAWN PieceType Figure", '"man"'),
        **_same("KING", '"king"'),
        **_same("STARTING_FEN STARTING_BOARD_FEN", "ruleset.position().fen()"),
        **_same("COLORS COLOR_NAMES", '("white", "black")'),
        **_same("PIECE_TYPES PIECE_NAMES", '("man", "king")'),
        **_same("SQUARES Square", "ruleset.rules.board"),
        **_same("SquareSet scan_forward scan_reversed", 'position.board.numbers(position.men("white"))'),
        **_same("square_mirror", "position.mirrored()"),
        **_same("parse_square square", 'ruleset.rules.board.square("c3")'),
        **_same("square_name", "ruleset.rules.board.name(square)"),
        **_same("BaseBoard StandardBoard", 'damspec.Game("international")'),
        **_same("AmericanBoard", 'damspec.Game("english")'),
        **_same("RussianBoard", 'damspec.Game("russian")'),
        **_same("BrazilianBoard", 'damspec.Game("brazilian")'),
        **_same("FrisianBoard", 'damspec.Game("frisian")'),
        **_same("FryskBoard", 'damspec.Game("frysk")'),
        **_same("BreakthroughBoard", 'damspec.Game("international+breakthrough")'),
        **_same("AntidraughtsBoard", 'damspec.Game("international+losing")'),
        **_same("variants rulesets", "damspec.ruleset_ids()"),
        **_same("load load_rules get_ruleset", 'damspec.load_ruleset("english")'),
        **_same("pgn PDN", "damspec.pdn"),
        **_same("polyglot", "damspec.book"),
        **_same("PDNReader read_games", "damspec.read_pdn(text)"),
        **_same("PDNWriter", "game.pdn()"),
        **_same("read_game GameNode", "damspec.pdn.read_game(handle)"),
        **_same("GameRecord", "damspec.pdn.GameRecord"),
        **_same("from_pdn", "damspec.Game.from_pdn(text)"),
        **_same("from_fen", 'damspec.Game("international", fen)'),
        **_same("create_svg", "damspec.svg(position)"),
        **_same("polyglot explore", "damspec.book.Book"),
        **_same("zobrist_hash", "position.key()"),
        **_same("Termination", "game.outcome().reason"),
        **_same("LegalMoveGenerator generate_legal_moves", "damspec.legal_moves(ruleset, position)"),
        **_same(
            "engine engines SimpleEngine HubEngine DXPEngine Engine",
            "damspec_runner.engines.simple.SimpleEngine.hub(command)",
        ),
        **_same("Agent AgentEngine BaseAgent TurboEngine", "damspec.search(game, depth=depth)"),
        **_same("Limit", "damspec_runner.engines.simple.Limit(time=1)"),
    },
    "Game": {
        **_same("is_game_over game_over is_variant_end is_terminal", "game.is_over"),
        **_same("winner get_winner has_player_won", "game.outcome().winner"),
        **_same("is_draw is_variant_draw can_claim_draw", 'game.outcome().result == "draw"'),
        **_same("is_checkmate is_stalemate termination is_variant_win is_variant_loss", "game.outcome().reason"),
        **_same("is_fifty_moves can_claim_fifty_moves is_seventyfive_moves", "game.outcome().reason"),
        **_same("is_insufficient_material has_insufficient_material", "game.outcome().reason"),
        **_same("is_5_moves_rule is_15_moves_rule is_16_moves_rule is_25_moves_rule", "game.outcome().reason"),
        **_same("is_3_kings_vs_1_rule", "game.outcome().reason"),
        **_same("is_threefold_repetition is_threefold can_claim_threefold_repetition", "game.is_repetition(3)"),
        **_same("is_fivefold_repetition", "game.is_repetition(5)"),
        **_same("move_stack moves_played played", "game.history"),
        **_same("fullmove_number move_number", "game.ply // 2 + 1"),
        **_same("moves_since_last_capture reversible_moves", "game.halfmove_clock"),
        **_same("moves get_moves generate_legal_moves get_possible_moves get_legal_moves", "game.legal_moves"),
        **_same("pseudo_legal_moves generate_pseudo_legal_moves possible_moves", "game.legal_moves"),
        **_same(
            "generate_legal_captures generate_pseudo_legal_captures",
            "[move for move in game.legal_moves if game.is_capture(move)]",
        ),
        **_same(
            "is_check was_into_check attackers checkers", "any(game.is_capture(move) for move in game.legal_moves)"
        ),
        **_same("is_legal is_pseudo_legal", "move in game.legal_moves"),
        **_same("captures_compulsory", 'game.ruleset.values["capture.duty"]'),
        **_same("is_valid status", "game.ruleset.position(fen)"),
        **_same("push_san push_uci push_str_move push_xboard san_and_push", "game.push(text)"),
        **_same("move play make_move do_move apply", "game.push(move)"),
        **_same("undo undo_move unmake_move take_back", "game.pop()"),
        **_same("last_move", "game.peek()"),
        **_same("parse_san parse_uci parse_xboard find_move parse_move parse", "game.legal_moves.find(text)"),
        **_same("san uci lan xboard", "str(move)"),
        **_same("variation_san", '" ".join(map(str, game.history))'),
        **_same("from_fen set_fen set_board_fen set_epd load_fen from_epd reset", "damspec.Game(game.ruleset, fen)"),
        **_same("clear clear_board clear_stack reset_board empty", "damspec.Game(game.ruleset, fen)"),
        **_same("root", "damspec.Game(game.ruleset)"),
        **_same("starting_fen initial_fen startpos_to_fen STARTING_POSITION", "game.ruleset.position().fen()"),
        **_same("board_fen epd get_fen get_li_fen get_dxp_fen to_fen", "game.fen()"),
        **_same("copy_fast", "game.copy()"),
        **_same("STARTING_COLOR", "game.ruleset.rules.start.first"),
        **_same("GAME_TYPE", "game.ruleset.gametype"),
        **_same("SQUARES_COUNT", "len(game.position.board)"),
        **_same("shape", "(game.position.board.rows, game.position.board.columns)"),
        **_same("parse_square", 'game.position.board.square("c3")'),
        **_same("whose_turn turn_color side_to_move player", "game.turn"),
        **_same("variant VARIANT_NAME uci_variant rules", "game.ruleset.id"),
        **_same("piece_map", "dict(game.position.pieces())"),
        **_same("set_piece_at set_piece_map", "game.position.with_piece_at(square, piece)"),
        **_same("remove_piece_at", "game.position.without_piece_at(square)"),
        **_same("color_at", "game.position[square].side"),
        **_same("piece_type_at", "game.position[square].kind"),
        **_same("mirror transform apply_transform apply_mirror", "game.position.mirrored()"),
        **_same("zobrist_hash key hash transposition_key", "game.position.key()"),
        **_same("unicode ascii", "print(game)"),
        **_same("svg", "damspec.svg(game.position)"),
        **_same("board", "game.position"),
        **_same("men pawns", "game.position.men(game.turn)"),
        **_same("kings king", "game.position.kings(game.turn)"),
        **_same("occupied occupied_co pieces_mask", "game.position.occupied(game.turn)"),
        **{name: f"game.position.{name}" for name in ("white_men", "white_kings", "black_men", "black_kings")},
        **_same("pieces", "game.position.pieces()"),
        **_same("perft", "damspec.perft(game.ruleset, game.position, depth)"),
        **_same("divide", "damspec.divide(game.ruleset, game.position, depth)"),
        **_same("resign", 'game.pdn({"Result": "0-1"})'),
        **_same("from_board", "damspec.pdn.GameRecord.from_pdn(game.pdn())"),
        **_same("headers tags", 'game.pdn({"White": "Ann"})'),
        **_same("to_pdn save", "game.pdn()"),
        **_same("start first_position", "game.positions[0]"),
        **_same("png", "damspec.png(game.position)"),
        **_same("gif", "damspec.gif(game)"),
        **_same("search best_move get_best_move analyse evaluate", "damspec.search(game, depth=depth)"),
        **_same("to_tensor to_array friendly_form features", "game.position.to_array()"),
        **_same("move_to_index move_index", "game.legal_moves.move_index(move)"),
        **_same("index_to_move", "game.legal_moves.with_move_index(index)"),
        **_same("legal_moves_mask", "[game.legal_moves.move_index(move) for move in game.legal_moves]"),
    },
    "Position": {
        **_same("piece_map", "dict(position.pieces())"),
        **_same("set_piece_at", "position.with_piece_at(square, piece)"),
        **_same("remove_piece_at", "position.without_piece_at(square)"),
        **_same("color_at", "position[square].side"),
        **_same("piece_type_at", "position[square].kind"),
        **_same("mirror transform", "position.mirrored()"),
        **_same("copy", "position"),
        **_same("zobrist_hash transposition_key hash", "position.key()"),
        **_same("white", 'position.occupied("white")'),
        **_same("black", 'position.occupied("black")'),
        **_same("occupied_co", "position.occupied(position.turn)"),
        **_same("whose_turn side_to_move player_turn side", "position.turn"),
        **_same("board_fen epd get_fen to_fen", "position.fen()"),
        **_same("set_fen set_board_fen parse_fen", "ruleset.position(fen)"),
        **_same("svg", "damspec.svg(position)"),
        **_same("unicode", "print(position)"),
        **_same("legal_moves moves get_moves generate_legal_moves", "damspec.legal_moves(ruleset, position)"),
        **_same("push play after push_san push_uci move", "damspec.play(ruleset, position, move)"),
        **_same("pop peek history move_stack", "damspec.Game(ruleset, position)"),
        **_same("is_game_over game_over is_over", "damspec.outcome(ruleset, position).is_over"),
        **_same("outcome result winner", "damspec.outcome(ruleset, position)"),
        **_same("perft", "damspec.perft(ruleset, position, depth)"),
        **_same("to_tensor friendly_form features", "position.to_array()"),
    },
    "Piece": {
        **_same("piece_type", "piece.kind"),
        **_same("color", "piece.side"),
        **_same("symbol unicode_symbol", "(piece.side, piece.kind)"),
        **_same("from_symbol", 'damspec.Piece("white", "king")'),
    },
    "Ruleset": {
        **_same("load", 'damspec.load_ruleset("english")'),
        **_same("start starting_position initial_position", "ruleset.position()"),
        **_same("from_fen parse_fen set_fen", "ruleset.position(fen)"),
        **_same("starting_fen STARTING_POSITION", "ruleset.position().fen()"),
        **_same("board", "ruleset.rules.board"),
        **_same("variant", "ruleset.id"),
        **_same("game new_game", "damspec.Game(ruleset)"),
        **_same("legal_moves get_moves", "damspec.legal_moves(ruleset, position)"),
        **_same("play push", "damspec.play(ruleset, position, move)"),
        **_same("outcome is_over is_game_over", "damspec.outcome(ruleset, position)"),
        **_same("perft", "damspec.perft(ruleset, position, depth)"),
        **_same("divide", "damspec.divide(ruleset, position, depth)"),
        **_same("whole", "ruleset.inline_values"),
        **_same("under", 'ruleset.with_reading("origin=occupied")'),
        **_same("with_values with_rule set", 'ruleset.with_value("king.move.reach", 1)'),
    },
    "LegalMoves": {
        **_same("parse_san parse_uci parse from_uci", "game.legal_moves.find(text)"),
        **_same("captures", "[move for move in game.legal_moves if game.is_capture(move)]"),
        **_same("push play", "game.push(move)"),
        **_same("tolist to_list", "list(game.legal_moves)"),
    },
    **dict.fromkeys(("Move", "Spin", "SliderPush", "Huff", "Retract", "Pass"), _OF_ACTIONS),
    "Board": {
        **_same("from_fen set_fen", 'damspec.Game("international", fen)'),
        **_same("from_pdn", "damspec.Game.from_pdn(text)"),
        **_same("fen", "game.fen()"),
        **_same("legal_moves", "game.legal_moves"),
        **_same("push push_san push_uci", "game.push(text)"),
        **_same("pop", "game.pop()"),
        **_same("turn", "game.turn"),
        **_same("move_stack", "game.history"),
        **_same("is_game_over game_over is_over", "game.is_over"),
        **_same("result", "game.result()"),
        **_same("piece_at", "position[square]"),
    },
    "Outcome": {
        **_same("termination", "game.outcome().reason"),
    },
    "damspec.pdn": {
        **_same("PDNReader load loads parse read_games", "damspec.pdn.read_pdn(text)"),
        **_same("PDNWriter StringExporter FileExporter dump dumps write", "str(pdn_game)"),
        **_same("Game", "damspec.pdn.GameRecord"),
        **_same("Headers read_headers", "damspec.pdn.read_game(handle).headers"),
        **_same("skip_game GameBuilder BaseVisitor", "damspec.pdn.read_game(handle)"),
        **_same("Mainline", "pdn_game.mainline()"),
        "NAG_GOOD_MOVE": "1",
        "NAG_MISTAKE": "2",
        "NAG_BRILLIANT_MOVE": "3",
        "NAG_BLUNDER": "4",
        "NAG_SPECULATIVE_MOVE": "5",
        "NAG_DUBIOUS_MOVE": "6",
    },
    "GameNode": {
        **_same("board", "node.position"),
        **_same("san uci lan", "str(node.move)"),
        **_same("variation", "node.variations[0]"),
        **_same("is_end", "node.next is None"),
        **_same("has_variation", "[each.text for each in node.variations]"),
        **_same("add_main_line", 'node.add_line(["19-23"])'),
        **_same("eval set_eval", "node.comment"),
        **_same("mainline_moves", "[each.move for each in pdn_game.mainline()]"),
        **_same("remove_variation", "node.remove()"),
        **_same("set_clock", "node.clock"),
        **_same("emt set_emt eval set_eval arrows set_arrows", "node.comment"),
        **_same("has_variation", "move in [each.move for each in node.variations]"),
        **_same("time_control", "pdn_game.headers"),
        **_same("setup without_tag_roster", 'damspec.pdn.GameRecord({"FEN": fen}, ruleset)'),
        **_same("root", "node.game"),
        **_same("turn", "node.position.turn"),
        **_same("starting_comment", "node.starting_comments"),
        **_same("is_main_variation", "node.is_mainline"),
        **_same("accept", "str(pdn_game)"),
        **_same("from_board", "damspec.pdn.GameRecord.from_pdn(game.pdn())"),
    },
    "SimpleEngine": {
        **_same("popen_uci popen_xboard popen start", "SimpleEngine.hub(command)"),
        **_same("get_best_move go", "engine.play(game)"),
        **_same("quit kill kill_engine", "engine.close()"),
        **_same("analyse analysis", "damspec.search(game, depth=depth)"),
        **_same("configure", 'SimpleEngine.hub(command, threads="4")'),
    },
}


def no_attribute(module: str, name: str) -> AttributeError:
    """Return the error about a name that a module lacks, with what to type instead if that is known."""
    here = OTHER_NAMES[module].get(name)
    if here is None:
        return AttributeError(f"module {module!r} has no attribute {name!r}", name=name)
    return AttributeError(_hint(module, name, here))


def _hint(owner: str, name: str, here: str) -> str:
    return f"{owner} has no {name!r}; here it is {here}"


class _OtherName:
    """An attribute that only says what to type instead."""

    def __init__(self, name: str, here: str) -> None:
        self.name, self.here = name, here

    def __get__(self, instance: object, owner: type) -> NoReturn:
        raise AttributeError(_hint(owner.__name__, self.name, self.here))


class OtherNames(type):
    """The metaclass of a class that says what names of other libraries are called here.

    This costs nothing where nobody asks for one; `__getattr__` would make every attribute several times slower.
    """

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: Mapping[str, object]) -> None:
        super().__init__(name, bases, dict(namespace))
        for other, here in OTHER_NAMES.get(name, {}).items():
            if other not in namespace:
                setattr(cls, other, _OtherName(other, here))
        cls.__dir__ = _list_attributes  # type: ignore[assignment]

    def __dir__(cls) -> list[str]:
        """Return the names that the class has."""
        return _without_other_names(cls, super().__dir__())


class OtherNamesABC(OtherNames, ABCMeta):
    """The same for a class with abstract bases."""


def _list_attributes(thing: object) -> list[str]:
    """Return the names that an object has."""
    return _without_other_names(thing, object.__dir__(thing))


def _without_other_names(thing: object, names: Iterable[str]) -> list[str]:
    return [name for name in names if not isinstance(getattr_static(thing, name, None), _OtherName)]
