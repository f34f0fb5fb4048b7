"""What the scripts of this folder share: the programs, the decompilers, and tables that survive a kill."""

import csv
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections import namedtuple
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = HERE / "work"
RESULTS = HERE / "results"
PAIRS = HERE / "pairs.tsv"
INPUTS = ROOT / "bench/java-inputs"
# Cases from Debian packages; each has a make.sh and a predicate.sh. $CASES names another place.
CASES = Path(os.environ.get("CASES", ROOT.parent / "shared/cases/java"))
JARS = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "lapidary/jars"

Program = namedtuple("Program", "name path libraries classes bytes")
# How the worker calls it, and the jars it needs.
Decompiler = namedtuple("Decompiler", "adapter artifacts")

DECOMPILERS = {
    "cfr": Decompiler("Cfr", ["org.benf:cfr:0.152"]),
    "procyon": Decompiler("Procyon", [
        "org.bitbucket.mstrobel:procyon-compilertools:0.6.0", "org.bitbucket.mstrobel:procyon-core:0.6.0"]),
    "vineflower": Decompiler("Vineflower", ["org.vineflower:vineflower:1.11.1"]),
}


def programs():
    """Every program that is there, the smaller first."""
    found = [maven_program(folder) for folder in sorted((INPUTS / "work").glob("*/input.jar"))]
    found += [debian_program(script.parent) for script in sorted(CASES.glob("*/make.sh"))]
    return sorted(found, key=lambda program: (program.classes, program.name))


def maven_program(jar):
    libraries = [str(library) for library in sorted(jar.parent.glob("lib/*.jar"))]
    return Program(jar.parent.name, jar, libraries, *measured(jar))


def debian_program(case):
    """A directory of classes, made once; its libraries are those that its own test compiles with."""
    classes = WORK / "programs" / f"debian-{case.name}"
    if not classes.is_dir():
        partial = classes.with_suffix(".partial")
        subprocess.run([case / "make.sh", partial], check=True, stdout=subprocess.DEVNULL)
        partial.rename(classes)
    libraries = re.search(r'^LIBS="(.*)"$', (case / "predicate.sh").read_text(), re.MULTILINE)[1]
    return Program(classes.name, classes, [entry for entry in libraries.split(":") if entry], *measured(classes))


def measured(path):
    """How many classes a jar or a directory holds, and how many bytes of files."""
    sizes = sizes_in_jar(path) if path.is_file() else sizes_in_directory(path)
    return sum(name.endswith(".class") for name in sizes), sum(sizes.values())


def sizes_in_jar(path):
    with zipfile.ZipFile(path) as jar:
        return {entry.filename: entry.file_size for entry in jar.infolist() if not entry.is_dir()}


def sizes_in_directory(path):
    return {str(file.relative_to(path)): file.stat().st_size for file in path.rglob("*") if file.is_file()}


def jars_of(decompiler):
    """The jars of a decompiler, from the cache that Lapidary fetches them to."""
    jars = []
    for artifact in DECOMPILERS[decompiler].artifacts:
        _, name, version = artifact.split(":")
        jar = JARS / f"{name}-{version}.jar"
        if not jar.is_file():
            fetch(artifact)
        jars.append(str(jar))
    return jars


def fetch(artifact):
    if not shutil.which("mvn"):
        sys.exit(f"{artifact} is not in {JARS}, and there is no mvn to fetch it")
    JARS.mkdir(parents=True, exist_ok=True)
    plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"
    subprocess.run(["mvn", "--quiet", "--batch-mode", plugin, f"-Dartifact={artifact}", f"-DoutputDirectory={JARS}"],
                   check=True, cwd=JARS)


def read_table(path, delimiter=","):
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


def put_row(path, row, keys, delimiter=","):
    """Adds the row to a table, in the place of the one with the same keys. A kill leaves the old table."""
    path.parent.mkdir(exist_ok=True)
    kept = [old for old in read_table(path, delimiter) if any(old[key] != row[key] for key in keys)]
    partial = path.with_suffix(".partial")
    with partial.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(row), delimiter=delimiter, lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted([*kept, row], key=lambda each: [each[key] for key in keys]))
    partial.replace(path)
