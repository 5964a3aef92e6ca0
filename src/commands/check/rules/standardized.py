#!/usr/bin/env python3
"""Writes standardized.rs, the bases of the standardized variation sequences, from StandardizedVariants.txt.

Usage: standardized.py StandardizedVariants.txt > standardized.rs

The file is in https://www.unicode.org/Public/17.0.0/ucd/. Sequences of ideographs and of Mongolian are left out, because the rule
hidden-text checks them separately.
"""
import re
import sys

IDEOGRAPHS = [range(0x3400, 0xA000), range(0x20000, 0x40000), range(0xF900, 0xFB00)]
MONGOLIAN = range(0x1800, 0x18B0)


def main() -> None:
    last = {}
    for line in open(sys.argv[1], encoding="utf-8"):
        sequence = re.match(r"([0-9A-F]+) ([0-9A-F]+)", line)
        if sequence:
            base, selector = (int(number, 16) for number in sequence.groups())
            if base not in MONGOLIAN and not any(base in ideographs for ideographs in IDEOGRAPHS):
                last[base] = max(selector, last.get(base, 0))
    ranges = []
    for base, selector in sorted(last.items()):
        if ranges and ranges[-1][1:] == [base - 1, selector]:
            ranges[-1][1] = base
        else:
            ranges.append([base, base, selector])
    print("//! The bases of the standardized variation sequences of Unicode 17.0. Written by standardized.py.")
    print()
    print("/// Ranges of bases (first, last), and the last selector that may follow each; the first selector is U+FE00.")
    print("#[rustfmt::skip]")
    print("pub const STANDARDIZED: &[(char, char, char)] = &[")
    words = ["('\\u{%X}', '\\u{%X}', '\\u{%X}')," % tuple(row) for row in ranges]
    for at in range(0, len(words), 3):
        print("    " + " ".join(words[at : at + 3]))
    print("];")


main()
