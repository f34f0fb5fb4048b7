"""The ways in which a pair is reduced."""

CLASSES = ["--as", "java-classes", "--strategy"]
ITEMS = ["--as", "java", "--strategy"]
COLD = "items gbr, cold tests"
# The set-ups of the two papers, by the names of the table.
SETUPS = {
    "default": [],
    "classes ddmin": [*CLASSES, "ddmin"],
    "classes verify": [*CLASSES, "verify"],
    "classes closure": [*CLASSES, "closure"],
    "classes binary": [*CLASSES, "binary"],
    "items gbr": [*ITEMS, "gbr"],
    "items lossy-first": [*ITEMS, "lossy-first"],
    "items lossy-last": [*ITEMS, "lossy-last"],
    "items hdd": [*ITEMS, "hdd"],
    "items binary": [*ITEMS, "binary"],
    COLD: [*ITEMS, "gbr"],
}
