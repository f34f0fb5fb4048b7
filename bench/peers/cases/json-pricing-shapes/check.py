"""Exits with 0 if the service description is consistent and has the two operations that the bug needs."""

import itertools
import json
import sys


def references(value):
    """The names of all shapes that a value refers to, at any depth."""
    if isinstance(value, dict):
        if isinstance(value.get("shape"), str):
            yield value["shape"]
        for inner in value.values():
            yield from references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from references(inner)


def consistent(service):
    shapes = service["shapes"]
    known = all(name in shapes for name in references(service))
    typed = all(isinstance(shape["type"], str) for shape in shapes.values())
    named = all(operation["name"] == name for name, operation in service["operations"].items())
    required = all(
        field in shape["members"] for shape in shapes.values() for field in shape.get("required", [])
    )
    return known and typed and named and required and service["metadata"]["protocol"] == "json"


def paginated(service, operation):
    members = service["shapes"][operation["output"]["shape"]]["members"]
    return "NextToken" in members and "MaxResults" in service["shapes"][operation["input"]["shape"]]["members"]


def shared_error(service):
    """Whether two operations can raise the same error and the first of them is paginated."""
    pairs = itertools.permutations(service["operations"].values(), 2)
    return any(
        paginated(service, first) and set(references(first["errors"])) & set(references(second["errors"]))
        for first, second in pairs
        if "errors" in first and "errors" in second
    )


with open(sys.argv[1], encoding="utf-8") as file:
    description = json.load(file)
sys.exit(0 if consistent(description) and shared_error(description) else 1)
