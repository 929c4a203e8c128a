"""Turns as the naive generator makes them: sliders, the spinner, lapses and claims, and the end of the game.

As plain as the moves of pieces in tests/oracle/naive.py, long because of that, and like them written from the rule
vocabulary alone.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field, replace

from naive import (
    NaiveMove,
    NaivePosition,
    Piece,
    Rules,
    capture_orders,
    capturing,
    cells,
    enemy_of,
    layout,
    less,
    letters,
    open_doors,
    ordinary,
    quiet,
    refuse,
    unfinished,
    write,
)


@dataclass(frozen=True)
class NaiveAction:
    """One thing to do in a turn. `kind`: move, spin, slide, huff, retract or pass. Of a move the text is one
    path, and the key is (start, end, captured, promotes)."""

    kind: str
    text: str
    key: Hashable
    after: NaivePosition = field(compare=False, repr=False)
    paths: frozenset[tuple[int, ...]] = field(default=frozenset(), compare=False)


def simple(kind: str, text: str, after: NaivePosition) -> NaiveAction:
    """An action that its text identifies."""
    return NaiveAction(kind, text, text, after)


# --- turns


def actions(rules: Rules, position: NaivePosition) -> list[NaiveAction]:
    """Everything legal for the side to move."""
    refuse(rules)
    if "spin.when" in rules:
        return actions_with_spinner(rules, position)
    if position.compelled:
        return moving(capturing(rules, position))
    found = moving(ordinary(rules, position))
    if position.huffable is not None:
        before = before_lapse(position)
        able = {move.start for move in capturing(rules, before)} if before else set()
        found += remedies(rules, position, able)
    return found


def actions_with_spinner(rules: Rules, position: NaivePosition) -> list[NaiveAction]:
    captures = moving(capturing(rules, position))
    if position.spin == "due":
        return spins(rules, position)
    if position.spin is None and captures:
        if rules["spin.when"] == "no-capture":
            return captures
        return [replace(each, after=replace(each.after, turn=position.turn, spin="due")) for each in captures]
    quiets = moving(quiet(rules, position))
    if position.spin is None:
        has_pieces = any(colour == position.turn for colour, _ in position.pieces.values())
        return spins(rules, position) if quiets or (has_pieces and rules["spin.blocked"] == "spins") else []
    if rules["spin.outcomes"][position.spin] == "piece":
        return captures or quiets
    return slides_for(rules, position)


def lapses(rules: Rules, position: NaivePosition) -> list[NaiveAction]:
    """The turns that leave a capture undone, which can be played and claimed against."""
    refuse(rules)
    if rules["capture.duty"] != "huffing" or position.compelled or not capturing(rules, position):
        return []
    found = set()
    for move in quiet(rules, position):
        if rules["huff.offence"] != "man-forward" or position.pieces[move.start][1] == "man":
            huffable = f"{move.start}-{move.end}" + ("K" if move.promotes else "")
            found.add(replace(move, position=replace(move.position, huffable=huffable)))
    if rules["huff.offence"] in ("no-capture-or-unfinished", "no-capture-or-less"):
        short = rules["huff.offence"] == "no-capture-or-unfinished"
        for move in (unfinished if short else less)(rules, position):
            words = ["K" * (position.pieces[square][1] == "king") + str(square) for square in sorted(move.captured)]
            huffable = f"{move.start}-{move.end}" + ("K" if move.promotes else "") + "x" + ",".join(words)
            found.add(replace(move, position=replace(move.position, huffable=huffable)))
    return moving(found)


def moving(found: set[NaiveMove]) -> list[NaiveAction]:
    """Moves of pieces as actions, in a lasting order."""
    listed = []
    for move in found:
        sign = "x" if move.captured else "-"
        text = sign.join(str(number) for number in min(move.paths))
        key = (move.start, move.end, move.captured, move.promotes)
        listed.append(NaiveAction("move", text, key, move.position, move.paths))
    return sorted(listed, key=lambda action: min(action.paths))


def perft(rules: Rules, position: NaivePosition, depth: int, count: str = "unique") -> int:
    """How many lines of `depth` actions there are by the rules of movement alone; a spin is an action.

    A capture counts once, or as often as it has paths, or as its paths have orders of jumping ("sequences").
    """
    if depth == 0:
        return 1
    orders = capture_orders(rules, position) if count == "sequences" else {}
    found = 0
    for action in actions(rules, position):
        ways = max(1, len(action.paths)) if count == "paths" else len(orders.get(action.key, "1"))
        found += ways * perft(rules, action.after, depth - 1, count)
    return found


# --- the end


def outcome(rules: Rules, position: NaivePosition) -> tuple[str, str | None]:
    """Who has won, or that it is a draw, and by what: the first reason in the order of the rules that holds."""
    draw = drawn(rules, position)
    before, after = (draw, None) if rules.get("ending.order") == "draws-first" else (None, draw)
    return won_at_once(rules, position) or before or lost(rules, position) or after or ("ongoing", None)


def won_at_once(rules: Rules, position: NaivePosition) -> tuple[str, str] | None:
    """What a first king or the lack of pieces decides."""
    turn, other = position.turn, enemy_of(position.turn)
    owners = [colour for colour, _ in position.pieces.values()]
    last = turn if position.spin == "due" else other  # a spin is due after a capture of the same side
    if "ending.first-king" in rules:
        for colour in (last, enemy_of(last)):
            if (colour, "king") in position.pieces.values():
                return decided(rules["ending.first-king"], colour), "first-king"
    if not owners and "ending.both-empty" in rules:
        verdicts = {"mover-wins": last, "mover-loses": enemy_of(last), "draw": "draw"}
        return verdicts[rules["ending.both-empty"]], "both-empty"
    for colour in (turn, other):
        if colour not in owners:
            return decided(rules["ending.no-pieces"], colour), "no-pieces"
    return None


def lost(rules: Rules, position: NaivePosition) -> tuple[str, str] | None:
    """What a last piece, a king against a man or the lack of moves decides."""
    turn, other = position.turn, enemy_of(position.turn)
    owners = [colour for colour, _ in position.pieces.values()]
    if "ending.one-piece" in rules:
        for colour in (turn, other):
            if owners.count(colour) == 1:
                return decided(rules["ending.one-piece"], colour), "one-piece"
    if "ending.king-to-man" in rules and len(position.pieces) == 2:
        of = {kind: colour for colour, kind in position.pieces.values()}
        beside = len(of) == 2 and of["king"] != of["man"]
        if beside and (turn == of["king"] or not capturing(rules, position)):
            return decided(rules["ending.king-to-man"], of["king"]), "king-to-man"
    if blocked(rules, position):
        return decided(rules["ending.no-moves"], turn), "no-moves"
    return None


def blocked(rules: Rules, position: NaivePosition) -> bool:
    """Whether the side to move cannot move; it has pieces."""
    if rules.get("ending.blocked") == "no-step":
        return not quiet(rules, position)
    open_to_it = actions(rules, position)
    if rules.get("ending.blocked") == "no-piece-move":
        open_to_it = [action for action in open_to_it if action.kind not in ("huff", "retract")]
    return not open_to_it


def decided(verdict: str, colour: str) -> str:
    return {"loses": enemy_of(colour), "wins": colour, "draws": "draw"}[verdict]


def drawn(rules: Rules, position: NaivePosition) -> tuple[str, str] | None:
    owners = sorted(colour for colour, _ in position.pieces.values())
    kinds = {kind for _, kind in position.pieces.values()}
    for name in rules["ending.draws"]:
        if owners != ["black", "white"]:
            continue
        if name == "one-piece-each-same-kind" and len(kinds) != 1:
            continue
        if name == "one-piece-each-no-capture" and capturing(rules, position):
            continue
        return "draw", name
    return None


# --- positions that can be asked about


def possible(rules: Rules, position: NaivePosition) -> bool:
    """Whether the game can have this position, as far as the fields of the position tell."""
    refuse(rules)
    squares = range(1, len(cells(rules)) + 1)
    if any(number not in squares for number in position.pieces) or not sliders_fit(rules, position):
        return False
    if position.spin is not None and not spin_fits(rules, position):
        return False
    if position.compelled and not compelled_fits(rules, position):
        return False
    return position.huffable is None or claim_fits(rules, position)


def spin_fits(rules: Rules, position: NaivePosition) -> bool:
    if "spin.when" not in rules:
        return False
    if rules["spin.when"] == "after-capture":  # the spin may have followed a capture, wherever that led
        return position.spin == "due" or position.spin in rules["spin.outcomes"]
    if position.spin not in rules["spin.outcomes"] or capturing(rules, position):
        return False
    if quiet(rules, position):
        return True
    has_pieces = any(colour == position.turn for colour, _ in position.pieces.values())
    return has_pieces and rules["spin.blocked"] == "spins"


def compelled_fits(rules: Rules, position: NaivePosition) -> bool:
    if rules["capture.duty"] != "huffing" or position.huffable is not None:
        return False
    retracts = "retract" in rules["huff.remedies"] and rules["huff.retracted"] == "must-capture"
    return retracts and bool(capturing(rules, position))


def claim_fits(rules: Rules, position: NaivePosition) -> bool:
    """Whether the lapse claimed can have been played: it is one of the lapses of the position before it."""
    if rules["capture.duty"] != "huffing":
        return False
    try:
        lapse = claim(position)
    except ValueError:
        return False
    before = before_lapse(position)
    if before is None or max(lapse.origin, lapse.end, *lapse.taken) > len(cells(rules)):
        return False
    return any(write(action.after) == write(position) for action in lapses(rules, before))


# --- sliders


def slides(rules: Rules, position: NaivePosition, colours: Iterable[str]) -> list[NaiveAction]:
    """Every step of every slider of these colours."""
    closing = rules["trapdoors.closing"]
    stand = letters(rules, position) or ""
    found = []
    for index, slider in enumerate(layout(rules)):
        here = stand[index]
        ways = {"M": ["L", "R"], "L": ["M"], "R": ["M"]}[here]
        if rules["trapdoors.step"] == "through":
            ways = {"M": ["L", "R"], "L": ["M", "R"], "R": ["M", "L"]}[here]
        if closing == "optional":
            ways = [*ways, *(f"{way}M" for way in ways if way != "M")]
        if slider["colour"] in colours:
            for way in ways:
                stays = "M" if closing == "at-once" else way[-1]
                sliders = stand[:index] + stays + stand[index + 1 :]
                pieces = dict(position.pieces)
                if way != "M":
                    door = int(slider["left" if way[0] == "L" else "right"])
                    if door in pieces and falls_by_opening(rules, pieces[door], position.turn):
                        del pieces[door]
                after = NaivePosition(pieces, enemy_of(position.turn), sliders)
                found.append(simple("slide", f"{slider['id']}={way}", after))
    return found


def falls_by_opening(rules: Rules, piece: Piece, mover: str) -> bool:
    owner, kind = piece
    if rules["trapdoors.falls"] == "men":
        return kind == "man"
    if rules["trapdoors.falls"] == "opponents":
        return owner != mover
    return True


def sliders_fit(rules: Rules, position: NaivePosition) -> bool:
    """Whether the sliders can stand so, with the pieces where they are."""
    sliders = layout(rules)
    if not sliders:
        return position.sliders is None
    stand = letters(rules, position) or ""
    if len(stand) != len(sliders) or set(stand) - set("LMR"):
        return False
    if rules["trapdoors.closing"] == "at-once" and set(stand) != {"M"}:
        return False
    on_doors = [position.pieces[door] for door in open_doors(rules, position) if door in position.pieces]
    if rules["trapdoors.falls"] == "any":
        return not on_doors
    if rules["trapdoors.falls"] == "men":
        return all(kind == "king" for _, kind in on_doors)
    return True


# --- the spinner


def spins(rules: Rules, position: NaivePosition) -> list[NaiveAction]:
    """What chance can bring."""
    ready = replace(position, sliders=letters(rules, position))
    return [simple("spin", f"spin={word}", replace(ready, spin=word)) for word in rules["spin.outcomes"]]


def slides_for(rules: Rules, position: NaivePosition) -> list[NaiveAction]:
    """What a coloured result allows."""
    colours = {
        "green-slider": ["green"],
        "orange-slider": ["orange"],
        "any-slider": ["green", "orange"],
    }[rules["spin.outcomes"][position.spin]]
    found = slides(rules, position, colours)
    if rules["spin.slide"] == "may-decline":
        after = NaivePosition(position.pieces, enemy_of(position.turn), letters(rules, position))
        found.append(simple("pass", "pass", after))
    return found


# --- claims after a lapse


@dataclass(frozen=True)
class Claim:
    """A lapse that can be claimed against. `taken`: what an unfinished capture took, by its square."""

    origin: int
    end: int
    crowned: bool
    taken: dict[int, str]


def claim(position: NaivePosition) -> Claim:
    """The lapse that can be claimed against: from where, to where, whether it crowned the man, and what it took."""
    number = "[1-9][0-9]*"
    found = re.fullmatch(f"({number})-({number})(K?)(x.+)?", position.huffable or "")
    if found is None:
        raise ValueError(f"not a lapse: {position.huffable!r}")
    taken: dict[int, str] = {}
    for word in found[4].removeprefix("x").split(",") if found[4] else []:
        if not re.fullmatch(f"K?{number}", word) or int(word.removeprefix("K")) in taken:
            raise ValueError(f"not a lapse: {position.huffable!r}")
        taken[int(word.removeprefix("K"))] = "king" if word.startswith("K") else "man"
    return Claim(int(found[1]), int(found[2]), bool(found[3]), taken)


def before_lapse(position: NaivePosition) -> NaivePosition | None:
    """The position before the lapse, its player to move; None if the pieces cannot have come from there."""
    lapse = claim(position)
    offender = enemy_of(position.turn)
    pieces = dict(position.pieces)
    owner, kind = pieces.pop(lapse.end, ("nobody", ""))
    if owner != offender or (lapse.crowned and kind != "king"):
        return None
    back = {square: (position.turn, victim) for square, victim in lapse.taken.items()}
    if lapse.origin in pieces or lapse.origin in back or pieces.keys() & back.keys():
        return None
    pieces = {**pieces, **back, lapse.origin: (offender, "man" if lapse.crowned else kind)}
    return NaivePosition(pieces, offender)


def remedies(rules: Rules, position: NaivePosition, able: set[int]) -> list[NaiveAction]:
    """What can be done about the lapse. `able`: where the pieces that could have captured stood before it."""
    lapse = claim(position)
    origin, end = lapse.origin, lapse.end
    before = before_lapse(position)
    if before is None:
        return []
    found = []
    if "huff" in rules["huff.remedies"]:
        now = {end if number == origin else number for number in able}
        turn = position.turn if rules["huff.turn"] == "kept" else before.turn
        stopped = lapse.taken and rules["huff.offence"] == "no-capture-or-unfinished"
        for number in sorted({end} if stopped or rules["huff.piece"] == "moved" else now):
            left = {square: piece for square, piece in position.pieces.items() if square != number}
            found.append(simple("huff", f"huff {number}", NaivePosition(left, turn)))
    if "retract" in rules["huff.remedies"]:
        after = {
            "must-capture": replace(before, compelled=True),
            "free": before,
            "turn-lost": replace(before, turn=position.turn),
        }[rules["huff.retracted"]]
        found.append(simple("retract", "retract", after))
    return found
