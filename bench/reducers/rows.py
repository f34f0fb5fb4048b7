"""A table of runs, one row per case and tool, kept in a CSV file that is replaced as a whole.

A row is written as soon as its run has ended, so an experiment can be stopped at any moment and started again.
"""

import csv


def read_rows(path):
    """The rows by case and tool; none if there is no file yet."""
    if not path.exists():
        return {}
    with path.open(newline="") as file:
        return {(row["case"], row["tool"]): row for row in csv.DictReader(file)}


def put_row(path, fields, row):
    """Adds a row or replaces the one of the same run. A kill leaves the old table."""
    rows = {**read_rows(path), (row["case"], row["tool"]): row}
    path.parent.mkdir(exist_ok=True)
    partial = path.with_suffix(".partial")
    with partial.open("w", newline="") as file:
        writer = csv.DictWriter(file, fields, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows[key] for key in sorted(rows))
    partial.replace(path)
