#!/usr/bin/env python3
"""Draws utfconv's real output, as a terminal shows it, as SVG.

    python3 docs/pictures.py target/release/utfconv docs

writes check.svg and inspect.svg into docs, for dark pages, and check-light.svg and inspect-light.svg for light ones. Needs Python
3.9 on a Unix, and nothing else. A test compares the pictures with what this makes; .ci/generate renews them.
"""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
import unicodedata
from xml.sax.saxutils import escape

SAMPLES = {
    "menu.csv": "Name;Price\nCrème brûlée;€5\n".encode() + b"Caf\xE9;" + "€2\n".encode(),
    "sample.txt": "Aé€日😀e\u0301".encode() + b"\xE9 \xC0\xAF\xED\xA0\xBD\xED\xB8\x80\n",
}

PICTURES = {
    "check": ["utfconv check menu.csv", "utfconv repair -i menu.csv", "utfconv check menu.csv && echo fine"],
    "inspect": ["utfconv inspect sample.txt"],
}

COLUMNS = 108
CELL, LINE, SIZE = 8.43, 20, 14  # width of a column, height of a line, size of the font
PADDING, BAR = 20, 36  # around the text, and the title bar

# The colors of a terminal: of text, background, title bar and faint text, and the color of each escape code.
THEMES = {
    "": {
        "text": "#d8dee9",
        "background": "#1b2130",
        "title": "#262e40",
        "faint": "#7d8799",
        31: "#ff7b72",
        32: "#7ee787",
        33: "#e3b341",
        34: "#79c0ff",
        35: "#d2a8ff",
        36: "#56d4dd",
        90: "#7d8799",
    },
    "-light": {
        "text": "#24292f",
        "background": "#f6f8fa",
        "title": "#e4e8ec",
        "faint": "#656d76",
        31: "#cf222e",
        32: "#116329",
        33: "#855c00",
        34: "#0550ae",
        35: "#8250df",
        36: "#1b7c83",
        90: "#656d76",
    },
}
FONTS = "'DejaVu Sans Mono', Menlo, 'SF Mono', Consolas, 'Liberation Mono', monospace"


def run(program, command, directory):
    """The output of a command on a terminal, and then its messages."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
    process = subprocess.Popen(
        ["sh", "-c", f"utfconv() {{ '{program}' \"$@\"; }}; {command}"],
        cwd=directory,
        env={"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PATH": os.environ.get("PATH", "")},
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.PIPE,
    )
    os.close(theirs)
    output = b""
    while True:
        try:
            block = os.read(ours, 65536)
        except OSError:  # Linux raises an error if the other end is closed.
            break
        if not block:
            break
        output += block
    os.close(ours)
    messages = process.communicate()[1]
    if process.returncode not in (0, 1):
        sys.exit(f"{command}: status {process.returncode}: {messages.decode()}")
    return (output.replace(b"\r\n", b"\n") + messages).decode()


def style_after(style, codes):
    """The style (bold, faint, code of the color) after an escape sequence with these codes."""
    for code in (int(code or 0) for code in codes.split(";")):
        bold, faint, color = style
        if code == 0:
            style = (False, False, None)
        elif code == 1:
            style = (True, faint, color)
        elif code == 2:
            style = (bold, True, color)
        elif code in THEMES[""]:
            style = (bold, faint, code)
        else:
            sys.exit(f"unknown code {code} in an escape sequence")
    return style


def width(character):
    """How many columns a terminal gives a character."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def runs(line):
    """The parts of a line as (column, columns, text, style); a wide character is a part by itself."""
    column, style = 0, (False, False, None)
    for codes, text in re.findall(r"\x1b\[([0-9;]*)m|([^\x1b]+)", line):
        if not text:
            style = style_after(style, codes)
            continue
        for part in re.findall(r" +|[\x21-\x7e]+(?: [\x21-\x7e]+)*|[^\x20-\x7e][\u0300-\u036f]*", text):
            columns = sum(map(width, part))
            if part.strip(" "):
                yield column, columns, part, style
            column += columns


def drawn(line, top, theme):
    """A line of the terminal as SVG."""
    pieces = []
    for column, columns, text, (bold, faint, color) in runs(line):
        fill = theme[color or "faint"] if color or faint else None
        attributes = f'x="{PADDING + column * CELL:.2f}" y="{top}"'
        if columns:
            attributes += f' textLength="{columns * CELL:.2f}" lengthAdjust="spacingAndGlyphs"'
        if fill:
            attributes += f' fill="{fill}"'
        if bold:
            attributes += ' font-weight="bold"'
        pieces.append(f"<text {attributes}>{escape(text)}</text>")
    return pieces


def picture(title, text, theme):
    """The terminal's window as SVG."""
    lines = text.rstrip("\n").split("\n")
    columns = max(sum(width(c) for c in re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in lines)
    wide, high = round(columns * CELL) + 2 * PADDING, BAR + len(lines) * LINE + 2 * PADDING - 6
    svg = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}"'
        f' role="img" aria-label="{escape(title)}">',
        f'<rect width="{wide}" height="{high}" rx="10" fill="{theme["background"]}"/>',
        f'<path d="M0 {BAR}V10a10 10 0 0 1 10 -10H{wide - 10}a10 10 0 0 1 10 10V{BAR}z" fill="{theme["title"]}"/>',
    ]
    for number, color in enumerate(["#ff5f57", "#febc2e", "#28c840"]):
        svg.append(f'<circle cx="{PADDING + 2 + 20 * number}" cy="{BAR // 2}" r="6" fill="{color}"/>')
    svg.append(
        f'<text x="{wide / 2:g}" y="{BAR // 2 + 5}" text-anchor="middle" fill="{theme["faint"]}"'
        f' font-family="system-ui, sans-serif" font-size="13">{escape(title)}</text>'
    )
    svg.append(f'<g fill="{theme["text"]}" font-family="{FONTS}" font-size="{SIZE}">')
    for number, line in enumerate(lines):
        svg += drawn(line, BAR + PADDING + 10 + number * LINE, theme)
    return "\n".join(svg + ["</g>", "</svg>", ""])


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: pictures.py UTFCONV DIRECTORY")
    program, directory = os.path.abspath(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory() as scratch:
        for name, content in SAMPLES.items():
            with open(os.path.join(scratch, name), "wb") as file:
                file.write(content)
        for name, commands in PICTURES.items():
            text = ""
            for command in commands:
                text += f"\x1b[1;32m$\x1b[0m \x1b[1m{command}\x1b[0m\n" + run(program, command, scratch)
            for suffix, theme in THEMES.items():
                with open(os.path.join(directory, name + suffix + ".svg"), "w", encoding="utf-8") as file:
                    file.write(picture("utfconv " + name, text, theme))


main()
