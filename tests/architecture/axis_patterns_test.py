"""Checks the table of axis patterns with the rules of tools/axis_patterns/, which share no code with the library."""

import os
import re
import sys
from pathlib import Path

import pytest

SOURCE = Path(os.environ["CUBEFOLD_SOURCE"])

sys.path.insert(0, str(SOURCE / "tools/axis_patterns"))
from find_pattern import make_parser, read_request  # noqa: E402
from pattern_rules import ALPHABET, first_fault  # noqa: E402

ENTRY = re.compile(r'AxisTable\{(\d+), Ends::(\w+), (\{\}|Tie::\w+), PatternKind::(\w+), "([^"]*)",((?:\s+"[^"]*")+)\}')
ROW = re.compile(r"\| (line|ring) of (\d+) \| ?(\w*) \| (\w+) \| `([^`]*)` \|")


def table():
    """Returns the groups and the words of each entry, by axis, extent, tie rule and kind."""
    entries = {}
    for extent, ends, tie, kind, groups, lines in ENTRY.findall(
            (SOURCE / "lib/exchange/axis_pattern_tables.cpp").read_text()):
        axis = "line" if ends == "open" else "ring"
        words = " ".join(re.findall(r'"([^"]*)"', lines)).split()
        entries[axis, extent, tie.removeprefix("Tie::").strip("{}"), kind] = groups, words
    return entries


def requests():
    """Returns the arguments of each row of the tool's page, by the same key."""
    rows = ROW.findall((SOURCE / "tools/axis_patterns/README.md").read_text())
    return {row[:4]: row[4] for row in rows}


def request_of(arguments):
    return read_request(make_parser().parse_intermixed_args(arguments.split()))


def test_the_page_of_the_tool_has_a_row_for_every_entry():
    assert sorted(requests()) == sorted(table())
    text = (SOURCE / "lib/exchange/axis_pattern_tables.cpp").read_text()
    assert len(table()) == text.count("AxisTable{") > 30


@pytest.mark.parametrize("key", table())
def test_an_entry_keeps_the_rules_of_its_row(key):
    groups, words = table()[key]
    request = request_of(requests()[key])
    assert [str(group) for group in request.groups] == [
        group for part in groups.split() for group in [part.split("*")[0]] * int((part.split("*") + ["1"])[1])]
    assert first_fault(request, words) is None


def test_a_message_in_the_class_of_another_group_is_noticed():
    key = ("ring", "9", "", "ninths")
    words = table()[key][1]
    other = ALPHABET[(ALPHABET.index(words[0][0]) + 1) % 10]
    assert first_fault(request_of(requests()[key]), [other + words[0][1:], *words[1:]])


def test_a_class_that_is_not_closed_is_noticed():
    words = ["013", "301", "230"]  # class 1 has the messages from 0 to 1 and from 1 to 2
    assert first_fault(request_of("line:3 1/1 1/2 1/1 --identity"), words) is None
    assert (first_fault(request_of("line:3 1/1 1/2 1/1 --identity --closed"), words)
            == "group 1: a class does not have the same sources as destinations")


def test_closed_classes_are_for_permutations_only():
    with pytest.raises(ValueError, match="--closed: a group of several messages has no closed classes"):
        request_of("line:5 2/3 1/1*3 --closed")
