"""The JSON schema for editors and the loader agree: on every shipped layout, and on keys that are unknown or of the
wrong shape, everywhere in a description."""
import copy
import json
import os
import subprocess
import sys
from pathlib import Path

try:
    import jsonschema
    import yaml
except ImportError:
    sys.exit(77)

ROOT = Path(os.environ["ROOT"])
SCHEMA = json.loads((ROOT / "layouts" / "schema" / "toponaut.schema.json").read_text())
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)
EVERYTHING = """
toponaut: 1
name: everything
params: {k: 2}
require: ["k > 1"]
include: [{file: parts/nvlink5.yaml, with: {nvlink: 25 GB/s}}]
media: {mine: {reach: 1 m}}
links: {l: {rate: 1 GB/s, medium: mine}}
devices: {d: {class: gpu, ports: {l: 9}, compute: {fp8: 1 PFLOPS}}}
modules:
  inner: {params: {n: 2}, parts: {d: {is: d, count: n}}, front: {l: "d{i}"}}
  m:
    kind: rack
    parts: {x: {is: inner, count: 4, with: {n: "${k}"}}, y: {is: d, count: 4}}
    wiring:
      - {from: "x{i}", to: "x{j}", link: l, for: {a: 0..0}}
      - {pairs: [[y0, y1, 2]], link: l}
      - {random-regular: {of: "y*", degree: 2, seed: 1}, link: l}
build: m
groups: {g: "y*"}
faults: [{remove: y0}]
expect: [{count: "@gpu", is: 12}, {bisection.upper: g, atleast: 1 GB/s}]
"""


def loads(document, folder):
    file = Path(folder) / "t.yaml"
    file.write_text(yaml.safe_dump(document))
    done = subprocess.run([os.environ["PROGRAM"], "info", file], capture_output=True, timeout=60)
    assert done.returncode in (0, 3), (document, done.stderr)
    return done.returncode == 0


def places(value, path=()):
    """Every mapping and list of a document."""
    if isinstance(value, dict):
        yield path, value
        for key, inner in value.items():
            yield from places(inner, (*path, key))
    elif isinstance(value, list):
        yield path, value
        for i, inner in enumerate(value):
            yield from places(inner, (*path, i))


def at(document, path):
    for step in path:
        document = document[step]
    return document


# Names are free in these, so that a new one is no error of shape.
FREE = {"params", "links", "devices", "modules", "media", "groups", "with", "ports", "compute", "front", "for", "parts"}


def main():
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    for layout in [*ROOT.glob("layouts/*.yaml"), *ROOT.glob("layouts/parts/*.yaml")]:
        for error in VALIDATOR.iter_errors(yaml.safe_load(layout.read_text())):
            raise AssertionError((layout, list(error.absolute_path), error.message))
    whole = yaml.safe_load(EVERYTHING)
    VALIDATOR.validate(whole)
    assert loads(whole, "."), "the whole document"
    tried = 0
    for path, value in places(whole):
        for wrong in ("key", "shape"):
            document = copy.deepcopy(whole)
            if wrong == "key" and isinstance(value, dict) and not (path and path[-1] in FREE):
                at(document, path)["colour"] = "red"
            elif wrong == "shape" and path:
                at(document, path[:-1])[path[-1]] = {"colour": "red"} if isinstance(value, list) else ["red"]
            else:
                continue
            tried += 1
            assert not VALIDATOR.is_valid(document), ("the schema takes", wrong, path)
            assert not loads(document, "."), ("the loader takes", wrong, path)
    assert tried > 40, tried


main()
