"""The reductions that faults are injected into: small enough to run thousands of times.

Each subject has its files, the command line without the options of the harness, and a check in
Python that says whether a result still fails. The check is written apart from the test, so that
neither hides a mistake of the other."""

import io
import os
import re
import subprocess
import tempfile
import zipfile

# Reads a file without starting another process, which makes a test take a millisecond.
READ = 'text=; while IFS= read -r line || [ -n "$line" ]; do text="$text$line "; done < "$1"\n'

# Stops at the run whose number is in `stop-at`, so that the harness can kill it there.
STOP = """if [ -n "$FAULTS" ] && [ -e "$FAULTS/stop-at" ]; then
  echo >> "$FAULTS/runs"; runs=0
  while read -r nothing; do runs=$((runs + 1)); done < "$FAULTS/runs"
  read -r wanted < "$FAULTS/stop-at"
  if [ $runs = $wanted ]; then echo $$ > "$FAULTS/stopping"; mv "$FAULTS/stopping" "$FAULTS/stopped"; sleep 60; fi
fi
"""

WORKER = """#!/bin/sh
echo '{"lapidary": 1}'
while read -r request; do
  id=${request#*'"id":'}; id=${id%%,*}
  candidate=${request#*'"candidate":"'}; candidate=${candidate%%'"'*}
  ./judge "$candidate" && verdict=interesting || verdict=uninteresting
  echo "{\\"id\\": $id, \\"verdict\\": \\"$verdict\\"}"
done
"""


def script(body):
    return ("#!/bin/sh\n" + body).encode()


class Subject:
    def __init__(self, name, files, command, result, interesting, is_sized=True, tools=None):
        self.name = name
        self.files = files  # path -> bytes; scripts are executable
        self.command = command  # the words after `lapidary`, without --resume
        self.result = result
        self.interesting = interesting  # a tree (path -> bytes) -> bool
        self.is_sized = is_sized  # whether sizes in the journal are those of the result
        self.tools = tools or {}  # name -> bytes of programs that all runs find in the same place, {beside}


def has_in_order(*parts):
    pattern = re.compile(b".*".join(re.escape(part.encode()) for part in parts), re.DOTALL)
    return lambda tree: bool(pattern.search(tree.get("", b"")))


def lines():
    test = script(STOP + READ + 'case $text in *3*7*) exit 0;; esac; exit 1\n')
    files = {"in.txt": b"".join(b"%d\n" % n for n in range(1, 9)), "test": test}
    return Subject("lines", files, ["reduce", "in.txt", "--", "./test", "{}"], "in.reduced.txt",
                   has_in_order("3", "7"))


def parallel():
    subject = lines()
    subject.name = "lines, 2 jobs"
    subject.command = ["reduce", "in.txt", "-j2", "--", "./test", "{}"]
    return subject


def tree_language():
    test = script(STOP + READ + 'case $text in *"{"*bug*"}"*) exit 0;; esac; exit 1\n')
    files = {"in.json": b'{"a": [1, 2, {"b": 3}],\n "bug": true}\n', "test": test}
    return Subject("JSON", files, ["reduce", "in.json", "--", "./test", "{}"], "in.reduced.json",
                   has_in_order("{", "bug", "}"))


def c():
    source = b"static int twice(int x) { return 2 * x; }\nint table[3];\nint main(void) { return twice(table[1]); }\n"
    test = script(STOP + READ + 'case $text in *table*main*) exit 0;; esac; exit 1\n')
    return Subject("C", {"in.c": source, "test": test}, ["reduce", "in.c", "--as", "c", "--", "./test", "{}"], "in.reduced.c",
                   has_in_order("table", "main"))


def directory():
    test = script(STOP + 'set -- "$1/a/x"\n[ -e "$1" ] || exit 1\n' + READ + 'case $text in *bug*) exit 0;; esac; exit 1\n')
    files = {"in/a/x": b"one\nbug\n", "in/a/y": b"two\n", "in/z": b"three\n", "test": test}
    interesting = lambda tree: b"bug" in tree.get("a/x", b"")
    return Subject("directory", files, ["reduce", "in", "--", "./test", "{}"], "in.reduced", interesting)


def jar():
    test = script(STOP + 'grep -q Bug.class "$1"\n')
    interesting = lambda tree: "Bug.class" in names_in(tree.get("", b""))
    return Subject("jar", {"in.jar": classes(), "test": test}, ["reduce", "in.jar", "--", "./test", "{}"],
                   "in.reduced.jar", interesting, is_sized=False)


def names_in(content):
    try:
        return zipfile.ZipFile(io.BytesIO(content)).namelist()
    except zipfile.BadZipFile:
        return []


def classes():
    source = "class Bug { static int f(int x) { return x / 0; } }\nclass Main { int g() { return Bug.f(1); } }\n"
    with tempfile.TemporaryDirectory() as place:
        with open(os.path.join(place, "Main.java"), "w") as file:
            file.write(source)
        subprocess.run(["javac", "-d", place, os.path.join(place, "Main.java")], check=True)
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            for name in ["Bug.class", "Main.class"]:
                with open(os.path.join(place, name), "rb") as file:
                    archive.writestr(zipfile.ZipInfo(name), file.read())
    return packed.getvalue()


def worker():
    judge = script(STOP + READ + 'case $text in *3*7*) exit 0;; esac; exit 1\n')
    numbers = b"".join(b"%d\n" % n for n in range(1, 9))
    files = {"in.txt": numbers, "worker": WORKER.replace("./judge", "$FAULTS/judge").encode(), "judge": judge}
    return Subject("worker", files, ["reduce", "in.txt", "--worker", "$FAULTS/worker"], "in.reduced.txt",
                   has_in_order("3", "7"))


def crash():
    source = b"int main(void) {\n    int n = 1;\n    int *p = 0;\n    n = 2;\n    *p = n;\n    return 0;\n}\n"
    # Lapidary keeps what it compiles for a compiler by the compiler's path.
    tools = {"gcc-stopping": script(STOP + 'exec gcc "$@"\n')}
    return Subject("crash", {"in.c": source}, ["crash", "in.c", "--compiler", "{beside}/gcc-stopping"], "in.reduced.c",
                   has_in_order("main", "*"), is_sized=False, tools=tools)


def all_subjects():
    return [crash(), c(), worker(), jar(), tree_language(), directory(), lines(), parallel()]
