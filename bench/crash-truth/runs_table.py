"""The table of runs, results/runs.csv."""

import csv

FIELDS = ["seed", "kind", "shape", "language", "mode", "seconds", "processor_seconds", "tokens_before", "tokens_after", "verdict"]


def verdict_of_check(reasons, is_limit):
    """The verdict on a result that is there. `is_limit` says that the time was over."""
    if not reasons:
        return "limit" if is_limit else "ok"
    if reasons[0].startswith("template"):
        return reasons[0]
    return f"wrong: {reasons[0]}"


class Table:
    """Rows by seed and mode in a CSV file, which is replaced as a whole after each row."""

    def __init__(self, path):
        self.path, self.rows = path, {}
        if path.exists():
            with path.open(newline="") as file:
                self.rows = {(int(row["seed"]), row["mode"]): row for row in csv.DictReader(file)}

    def has(self, seed, mode):
        return (seed, mode) in self.rows

    def put(self, row):
        self.rows[row["seed"], row["mode"]] = row
        self.save()

    def save(self):
        self.path.parent.mkdir(exist_ok=True)
        partial = self.path.with_suffix(".partial")
        with partial.open("w", newline="") as file:
            writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(self.rows[key] for key in sorted(self.rows))
        partial.replace(self.path)
