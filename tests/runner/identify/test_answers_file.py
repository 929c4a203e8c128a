"""Files of answers: read as they are written, and an error is one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from damspec import FileError
from damspec_runner.cases.questionnaire import AnswersFile, Place, load_answers_file, load_questionnaire

WHOLE = """\
damspec: 1
place: {name: Aalst, country: BE, latitude: 50.94, longitude: 4.04}
year: about 1930
told: "a carter's daughter"
by: M. Peeters
answers:
  board-8: yes
  trapdoors: no
  one-each: unknown
notes:
  one-each: "Nobody played on so long: it was a draw."
"""


def read(tmp_path: Path, text: str) -> AnswersFile:
    file = tmp_path / "answers.yaml"
    file.write_text(text, encoding="utf-8")
    return load_answers_file(file, load_questionnaire())


def test_a_whole_file(tmp_path: Path) -> None:
    found = read(tmp_path, WHOLE)
    assert found.answers == {"board-8": "yes", "trapdoors": "no", "one-each": "unknown"}
    assert list(found.answers) == ["board-8", "trapdoors", "one-each"]
    assert found.place == Place("Aalst", "BE", 50.94, 4.04)
    assert (found.year, found.told, found.by) == ("about 1930", "a carter's daughter", "M. Peeters")
    assert found.notes == {"one-each": "Nobody played on so long: it was a draw."}


@pytest.mark.parametrize(
    "collected",
    [
        AnswersFile({}),
        AnswersFile({"board-8": "no", "one-each": "yes", "trapdoors": "unknown"}),
        AnswersFile({}, place=Place('Oslo: "gamle by"', "NO"), year=1962, told="no", by="1"),
        AnswersFile(
            {"board-8": "no"}, {"board-8": "10 × 10\nin a café # not 8"}, Place("Ponta d'Areia", "", -15.5, -39)
        ),
    ],
)
def test_what_is_written_is_read_again(tmp_path: Path, collected: AnswersFile) -> None:
    assert read(tmp_path, collected.to_yaml()) == collected


def test_norway_is_no_truth_value(tmp_path: Path) -> None:
    found = read(tmp_path, "damspec: 1\nplace: {name: Oslo, country: NO}\nanswers: {}\n")
    assert found.place == Place("Oslo", "NO")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "top level: found null, expected object"),
        ("damspec: 1\n", "top level: missing 'answers'"),
        ("damspec: 1\nanswers: {board-8: maybe}\n", 'answers.board-8: found "maybe", expected one of '),
        ("damspec: 1\nanswers: {bord-8: yes}\n", "answers: no question 'bord-8'; did you mean 'board-8'?"),
        ("damspec: 1\nanswers: {}\nnotes: {board: x}\n", "notes: no question 'board'"),
        ("damspec: 1\nplace: {name: A, latitude: 1}\nanswers: {}\n", "place: missing 'longitude', which goes with"),
        ("damspec: 1\nplace: {name: A, latitude: 91, longitude: 0}\nanswers: {}\n", "place.latitude: "),
        ("damspec: 1\nplace: {name: A, country: Belgium}\nanswers: {}\n", 'place.country: found "Belgium", expected'),
        ("damspec: 1\nyear: 62\nanswers: {}\n", "year: "),
        ("damspec: 1\nanswers: {}\nsex: f\n", 'top level: unknown key "sex"'),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, wrong: str) -> None:
    with pytest.raises(FileError) as error:
        read(tmp_path, text)
    message = str(error.value)
    assert "answers.yaml: " in message
    assert wrong in message
    assert "\n" not in message
