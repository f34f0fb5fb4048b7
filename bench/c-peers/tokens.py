#!/usr/bin/env python3
"""Counts the tokens of C and C++ files, the same way for every tool's result; comments and white space are none.

>>> count('int main(void) { return 0x1p-3 + f("a\\\\"b", \\'"\\'); } // the end')
17
>>> count('auto s = R"x(a)" // b)x"; a <<= b->c /* ** */ ... <=> d;')
14
>>> count('#define F(x) \\\\\\n x')
7
>>> count('"never closed \\n x @')
5
"""

import re
import sys
from pathlib import Path

TOKEN = re.compile(
    r"""
      (?P<space> \s+ | \\\r?\n | //(?:[^\\\n]|\\.)* | /\*.*?(?:\*/|\Z) )
    | (?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"
    | (?:u8|[uUL])?"(?:[^"\\\n]|\\.)*"
    | (?:u8|[uUL])?'(?:[^'\\\n]|\\.)*'
    | \.?[0-9](?:[eEpP][+-]|'[0-9A-Za-z_]|[0-9A-Za-z_.])*
    | [^\W\d][\w$]*
    | <<=|>>=|<=>|->\*|\.\.\.|::|->|\.\*|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\#\#
    | .
    """,
    re.VERBOSE | re.DOTALL,
)


def count(text):
    return sum(match.lastgroup != "space" for match in TOKEN.finditer(text))


def count_file(path):
    # Every byte is a character of Latin-1, so that a file in any encoding can be counted.
    return count(path.read_text(encoding="latin-1"))


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        print(count_file(Path(argument)), argument)
