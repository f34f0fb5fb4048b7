"""The screen of a program in a terminal, as a page: runs it in tmux and keeps its colours."""

import re
import subprocess
import time
from html import escape

COLUMNS, ROWS = 104, 30
PALETTE = ["#1d1f21", "#f08a98", "#6fcf97", "#e5b75c", "#8ab4f8", "#c3a3f0", "#63cdb7", "#d5d2ca",
           "#8b9096", "#f08a98", "#6fcf97", "#e5b75c", "#8ab4f8", "#c3a3f0", "#63cdb7", "#ffffff"]
STYLE = """body { margin: 0; background: #15181b; }
pre { margin: 0; padding: 14px 18px; display: inline-block; color: #e4e1d9; font: 14px/1.25 "DejaVu Sans Mono", monospace; }"""


def screen(place, command, words):
    """The screen of a shell command once it shows these words, as a page."""
    tmux = ["tmux", "-u", "-f", "/dev/null", "-S", str(place / "tmux")]
    subprocess.run([*tmux, "new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), command], cwd=place, check=True)
    try:
        return page(waited(tmux, words))
    finally:
        subprocess.run([*tmux, "kill-server"], check=True)


def waited(tmux, words):
    for _ in range(600):
        text = subprocess.run([*tmux, "capture-pane", "-p", "-e"], check=True, capture_output=True, text=True).stdout
        if all(re.search(word, text) for word in words):
            return text
        time.sleep(0.1)
    raise TimeoutError(f"the terminal does not show {words}: {text}")


def page(text):
    """The text of a terminal with its colours, as HTML."""
    parts, style = [], {}
    for piece in re.split(r"(\x1b\[[0-9;]*m)", text.rstrip()):
        if piece.startswith("\x1b["):
            style = changed(style, [int(number or 0) for number in piece[2:-1].split(";")])
        elif piece:
            parts.append(f'<span style="{css(style)}">{escape(piece)}</span>')
    ready = "<script>document.documentElement.dataset.ready = 'true'</script>"
    return f'<!DOCTYPE html><meta charset="utf-8"><style>{STYLE}</style><pre>{"".join(parts)}</pre>{ready}'


def changed(style, codes):
    """The style after a sequence of codes of SGR."""
    style = dict(style)
    while codes:
        code = codes.pop(0)
        if code == 0:
            style = {}
        elif code in (1, 2, 7):
            style[code] = True
        elif code in (22, 27):
            style = {key: value for key, value in style.items() if key not in {22: (1, 2), 27: (7,)}[code]}
        elif code in (38, 48):
            style[code] = extended(codes)
        elif code in (39, 49):
            style.pop(code - 1, None)
        elif 30 <= code <= 37 or 90 <= code <= 97:
            style[38] = PALETTE[code % 10 + (8 if code >= 90 else 0)]
        elif 40 <= code <= 47:
            style[48] = PALETTE[code % 10]
    return style


def extended(codes):
    """The colour that follows 38 or 48, taken off the codes."""
    if codes.pop(0) == 2:
        red, green, blue = (codes.pop(0) for _ in range(3))
        return f"rgb({red} {green} {blue})"
    number = codes.pop(0)
    if number < 16:
        return PALETTE[number]
    if number >= 232:
        return "rgb({0} {0} {0})".format(8 + 10 * (number - 232))
    steps = [0, 95, 135, 175, 215, 255]
    cube = number - 16
    return f"rgb({steps[cube // 36]} {steps[cube // 6 % 6]} {steps[cube % 6]})"


def css(style):
    ink, paper = style.get(38, "#e4e1d9"), style.get(48, "transparent")
    if 7 in style:
        ink, paper = ("#15181b" if paper == "transparent" else paper), ink
    weight = "bold" if 1 in style else "normal"
    return f"color: {ink}; background: {paper}; font-weight: {weight}; opacity: {0.6 if 2 in style else 1}"
