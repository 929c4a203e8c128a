"""Where the side navigation of a long page leads."""

from __future__ import annotations

from markupsafe import Markup

from damspec_site.pages import Stop, mark_headings


def test_a_heading_is_found_by_its_own_id_or_that_of_what_it_opens() -> None:
    html = '<section id="man">\n<h2>Men</h2></section><h2 id="kings">Kings</h2>'
    found = mark_headings(html)
    assert found.stops == (Stop(Markup("Men"), "man"), Stop(Markup("Kings"), "kings"))
    assert found.html == html


def test_a_heading_without_an_id_gets_one_that_is_free() -> None:
    """The page has `the-end` already, so a heading of that name becomes the second."""
    found = mark_headings('<p id="the-end"></p><h2>The end</h2><h2 class="big">The end</h2>')
    assert found.stops == (Stop(Markup("The end"), "the-end-2"), Stop(Markup("The end"), "the-end-3"))
    assert (
        found.html == '<p id="the-end"></p><h2 id="the-end-2">The end</h2><h2 id="the-end-3" class="big">The end</h2>'
    )


def test_what_stands_beside_the_words_is_left_out() -> None:
    found = mark_headings('<h2><a href="#x">Capturing</a> <span class="own" lang="nl">Slaan</span> &amp; more</h2>')
    assert [stop.text for stop in found.stops] == ["Capturing &amp; more"]


def test_other_things_say_what_they_are_called() -> None:
    found = mark_headings('<tbody data-stop="A &amp; Z" id="letter-a"><tr id="row"></tr></tbody><p data-stop="B">')
    assert found.stops == (Stop(Markup("A &amp; Z"), "letter-a"),)


def test_a_name_in_another_language_says_which() -> None:
    found = mark_headings('<li data-stop="vl-008 verschalken" data-stop-lang="nl-BE" class="x" id="vl-008">')
    assert found.stops == (Stop(Markup("vl-008 verschalken"), "vl-008", "nl-BE"),)


def test_stops_come_in_the_order_of_the_page() -> None:
    found = mark_headings('<h2>One</h2><li data-stop="Two" id="two"></li><h3>Not this</h3><h2>Three</h2>')
    assert [stop.id for stop in found.stops] == ["one", "two", "three"]
