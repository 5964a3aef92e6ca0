"""Decides from the edits of a text, not from the result, whether the characters that a program lost can be proven.

The rule is stated in the design and the man page. A run of lost units is proven if its length and the units at both ends equal the
original's; or if its line equals a line of the original as the program saw it, and all such lines have the same bytes. A line that was
moved or copied needs the second proof, and if it is short, no other part of the original may look like it. In addition, no other
edits of the same length may give the same text, because then nothing shows which edits were made. If characters were dropped, a typed
word that equals the rest of a damaged word may be a copy of the rest, and a dropped character beside a kept one may be on either side
of an equal typed character.
"""

import bisect
import codecs
import re
from collections import defaultdict

# A line of at least LONG characters does not occur in another line by chance. If bytes were dropped, a line with fewer than
# TYPED visible characters counts as typed.
LONG, TYPED = 24, 12
# Number of units beside a run that are compared.
NEAR = 20


class Unit:
    """The smallest piece that is whole both in the original and in the program's view."""

    def __init__(self, text, is_lost, data):
        self.text, self.is_lost, self.data = text, is_lost, data


def characters(data, codec):
    decoder, start = codecs.getincrementaldecoder(codec)("replace"), 0
    for end in range(1, len(data) + 1):
        if decoder.decode(data[end - 1 : end]):
            yield data[start:end]
            start = end
    if start < len(data):
        yield data[start:]


def runs(units):
    """Yields the ranges of adjacent lost units."""
    start = None
    for at, unit in enumerate([*units, None]):
        if unit and unit.is_lost:
            start = at if start is None else start
        elif start is not None:
            yield start, at
            start = None


def count_beside(units, start, end, character):
    """Returns how many times `character` directly precedes and follows a run, as the program sees the text."""
    before = "".join(unit.text for unit in units[max(start - NEAR, 0) : start])
    after = "".join(unit.text for unit in units[end : end + NEAR])
    return len(before) - len(before.rstrip(character)) + len(after) - len(after.lstrip(character))


def in_order(numbers):
    """Returns the indexes of a longest increasing subsequence."""
    tails, last, before = [], [], {}
    for at, number in enumerate(numbers):
        place = bisect.bisect_left(tails, number)
        tails[place : place + 1], last[place : place + 1] = [number], [at]
        before[at] = last[place - 1] if place else None
    found, at = set(), last[-1] if last else None
    while at is not None:
        found.add(at)
        at = before[at]
    return found


class Original:
    """An original text as a program saw it, as words. A newline counts as a word."""

    def __init__(self, data, damage, codec, is_dropped):
        self.damage, self.codec, self.is_dropped = damage, codec, is_dropped
        self.known = {}
        self.lines = data.split(b"\n")
        self.units, self.start = [], {}
        for line in self.lines:
            for number, word in enumerate(line.split(b" ")):
                self.units += [Unit(" ", False, b" ")] if number else []
                self.start[len(self.start)] = len(self.units)
                self.units += self.units_of(word)
            self.start[len(self.start)] = len(self.units)
            self.units.append(Unit("\n", False, b"\n"))
        self.text = damage(data, codec)
        self.run_at = {start: end for start, end in runs(self.units)}
        self.looks = defaultdict(set)
        for line in self.lines:
            self.looks[damage(line, codec).strip()].add(line.strip())
        lost = [line for line in self.lines if any(unit.is_lost for word in line.split(b" ") for unit in self.units_of(word))]
        self.lossy = {damage(line, codec).strip() for line in lost}
        self.rests = {rest for line in lost for rest in self.rests_of(line)} if is_dropped else set()

    def rests_of(self, line):
        """Yields the visible rests of words that lost a letter, or a character between letters."""
        word, is_broken, is_open = "", False, False
        for unit in (unit for part in line.split(b" ") for unit in [*self.units_of(part), Unit(" ", False, b" ")]):
            if unit.is_lost:
                lost = unit.data.decode(self.codec, "replace")
                is_broken |= any(scalar.isalpha() and scalar < "\u2e80" for scalar in lost)
                is_open = bool(word)
            elif unit.text.isalnum():
                is_broken |= is_open
                word, is_open = word + unit.text, False
            else:
                if is_broken and len(word) > 1:
                    yield word
                word, is_broken, is_open = "", False, False

    def units_of(self, word):
        if word not in self.known:
            found, start, end = [], 0, 0
            for character in characters(word, self.codec):
                end += len(character)
                if self.damage(word[:end], self.codec) + self.damage(word[end:], self.codec) == self.damage(word, self.codec):
                    found.append(self.unit(word[start:end]))
                    start = end
            self.known[word] = found + ([self.unit(word[start:])] if start < end else [])
        return self.known[word]

    def unit(self, data):
        text = self.damage(data, self.codec)
        return Unit(text, text != data.decode(self.codec, "replace"), data)

    def proves(self, lines):
        """Returns whether every lost character of the edited lines is proven or deleted."""
        kept = [word.at for line in lines for word in line if word.at is not None]
        ordered, at = in_order(kept), 0
        for line in lines:
            # Units of the line, and the index of each in the original; None if the unit is new, moved or copied.
            units, origins = [], []
            for number, word in enumerate(line):
                text = (" " if number else "") + word.before
                of_word = [Unit(character, False, b"") for character in text] + self.units_of(word.data)
                first, is_here = len(units) + len(text), False
                if word.at is not None:
                    is_here = at in ordered and not word.is_copy
                    at += 1
                units += of_word + [Unit(character, False, b"") for character in word.after]
                origins += [None] * (len(units) - len(origins))
                if is_here:
                    origins[first : first + len(self.units_of(word.data))] = range(
                        self.start[word.at], self.start[word.at] + len(self.units_of(word.data))
                    )
            if not self.proves_line(line, [*units, Unit("\n", False, b"")], [*origins, None]):
                return False
        return not self.slides(kept)

    def proves_line(self, line, units, origins):
        text = " ".join(word.seen(self.damage, self.codec) for word in line).strip()
        typed = " ".join(word.after for word in line if not word.data)
        if self.rests.intersection(re.findall(r"\w+", typed)):
            return False  # a word that looks like a damaged word was typed
        found = list(runs(units))
        if not found:
            return text not in self.lossy  # a line that looks like a damaged line was typed
        if self.looks.get(text) == {b" ".join(word.meant(self.codec) for word in line).strip()}:
            alike = [other for other in self.text.split("\n") if other.strip() == text]
            is_alone = len(text) >= LONG or self.text.count(text) == len(alike)
            if is_alone and not (self.is_dropped and len(text) < TYPED):
                return True
        return all(self.proves_run(units, origins, start, end) for start, end in found)

    def proves_run(self, units, origins, start, end):
        first = origins[start]
        if first is None or self.run_at.get(first) != first + end - start or origins[start:end] != [*range(first, first + end - start)]:
            return False
        before = units[start - 1].text[-1:] if start else "\n"
        was_before = self.units[first - 1].text[-1:] if first else "\n"
        after, was_after = units[end].text[:1], self.units[first + end - start].text[:1]
        # A dropped character may be before or after an equal character that was typed beside it.
        sides = [(units, start, end), (self.units, first, first + end - start)]
        is_doubled = self.is_dropped and any(
            len({count_beside(*side, character) for side in sides}) > 1 for character in {before, after} - {" ", "\n"}
        )
        return before == was_before and after == was_after and not is_doubled

    def slides(self, kept):
        """Returns whether deleted units look like as many units shortly before or after them, but have other bytes."""
        here = {at for number in kept for at in range(self.start[number], self.start[number] + len(self.units_of_word(number)))}

        # Returns whether a unit was deleted; None for a deleted blank, which may be counted either way.
        def state(at):
            return None if at not in here and self.units[at].text in (" ", "\n") else at not in here

        end = 0
        for start in range(len(self.units)):
            if start < end or not state(start):
                continue
            end = next((at for at in range(start, len(self.units)) if state(at) is False), len(self.units))
            for first, last in [(first, last) for first in (start, start - 1) for last in (end, end - 1, end + 1)]:
                gone = [state(at) for at in range(max(first, 0), min(last, len(self.units)))]
                if True in gone and False not in gone and self.looks_like_near(first, last):
                    return True
        return False

    def looks_like_near(self, start, end):
        for one, other, step in ((start, end, 1), (end - 1, start - 1, -1)):
            while 0 <= one < len(self.units) and 0 <= other < len(self.units):
                if self.units[one].text != self.units[other].text:
                    break
                if self.units[one].data != self.units[other].data:
                    return True
                one, other = one + step, other + step
        return False

    def units_of_word(self, number):
        end = self.start.get(number + 1, len(self.units))
        return [unit for unit in self.units[self.start[number] : end] if unit.text not in (" ", "\n")]
