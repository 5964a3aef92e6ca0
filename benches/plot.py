"""Draws rows of benches/peers.py as an SVG image: a group of bars for each row, in gigabytes of input per second.

The longest bar of every group has the same width, so bars are comparable only within a group; figures are comparable across groups.
The colors have medium lightness and the background is transparent, so that the image suits light and dark pages.
"""

from xml.sax.saxutils import escape

TOOLS = ["utfconv", "sutf", "iconv", "uconv", "recode", "isutf8", "cat"]
LABELS = {"cat": "cat (reads only)"}
WIDTH, BARS_AT, BARS_WIDTH, BAR, STEP, GAP = 760, 150, 520, 11, 16, 34
OURS, OTHERS, TEXT = "#e8590c", "#748ffc", "#7d858f"
STYLE = f"text {{ font: 12px system-ui, sans-serif; fill: {TEXT} }} .name {{ font-weight: 600 }}"


def text(x, y, content, kind="", anchor="start"):
    kind = f' class="{kind}"' if kind else ""
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}"{kind}>{escape(content)}</text>'


def bar(y, length, tool):
    paint = f'fill="none" stroke="{TEXT}"' if tool == "cat" else f'fill="{OURS if tool == "utfconv" else OTHERS}"'
    return f'<rect x="{BARS_AT}" y="{y}" width="{max(length, 1):.1f}" height="{BAR}" {paint}/>'


def draw(path, groups, caption):
    """Draws the groups; each is a title, the bytes of the input, and the milliseconds of each tool."""
    shapes, y = [], 0
    for title, size, values in groups:
        speeds = {tool: size / values[tool] / 1e6 for tool in TOOLS if tool in values}
        longest = max(speeds.values())
        y += GAP
        shapes.append(text(0, y - 6, title, "name"))
        for tool, speed in speeds.items():
            length = BARS_WIDTH * speed / longest
            shapes.append(text(BARS_AT - 8, y + BAR - 1, LABELS.get(tool, tool), anchor="end"))
            shapes.append(bar(y, length, tool))
            shapes.append(text(round(BARS_AT + length + 6), y + BAR - 1, f"{speed:.2g} GB/s"))
            y += STEP
    y += GAP
    shapes.append(text(0, y - 6, caption))
    frame = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" width="{WIDTH}" role="img">'
    title = "<title>Gigabytes of input per second, whole processes; longer is faster</title>"
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join([frame, title, f"<style>{STYLE}</style>", *shapes, "</svg>", ""]))
