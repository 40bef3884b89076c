"""Every document that -f json prints is what the published schema says, and adds up."""
import json
import os
import subprocess
import sys
from pathlib import Path

try:
    import jsonschema
except ImportError:
    sys.exit(77)

ROOT = Path(os.environ["ROOT"])
FILES = ROOT / "tests" / "golden" / "files"
SCHEMA = json.loads((ROOT / "layouts" / "schema" / "result.schema.json").read_text())
SMALLER = json.loads((ROOT / "tests" / "golden" / "small-layouts.json").read_text())
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)


def run(*words):
    done = subprocess.run([os.environ["PROGRAM"], *map(str, words), "-f", "json"], capture_output=True, timeout=120)
    assert done.returncode in (0, 1), (words, done.returncode, done.stderr)
    document = json.loads(done.stdout)
    kind = next(k for k in ("diff", "over", "files", "paths", "layouts", "devices") if k in document)
    definition = {"diff": "diff", "files": "check", "paths": "query", "layouts": "layouts", "devices": "fabric", "over": "results"}[kind]
    part = jsonschema.Draft7Validator({**SCHEMA["definitions"][definition], "definitions": SCHEMA["definitions"]})
    for error in part.iter_errors(document):  # names the place better than oneOf does
        raise AssertionError((words, list(error.absolute_path), error.message))
    VALIDATOR.validate(document)
    return document


def bisection_adds_up(document):
    result = document["bisection"]
    if result["status"] == "unknown":
        return
    key = "upper_links" if result["unit"] == "links" else "upper_Bps"
    total = sum(cut["links"] if result["unit"] == "links" else cut["rate_Bps"] for cut in result["cut"])
    assert total == result[key], (document["source"], total, result[key])
    assert abs(result["sides"][0] - result["sides"][1]) <= 1, result["sides"]


def main():
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    small, matrix = FILES / "small.yaml", FILES / "matrix.txt"
    layouts = run("layouts")["layouts"]
    for name in [small, matrix, *(layout["name"] for layout in layouts)]:
        size = SMALLER.get(name, [])
        run("info", name, *size)
        bisection_adds_up(run("analyze", name, *size, "--time-limit", "2s", "summary", "bisection", "blocking", "bom"))
        run("convert", "-q", name, *size)
    for file in ("small.yaml", "wrong-claim.yaml", "overbooked.yaml"):
        run("check", FILES / file)
    run("analyze", small, "summary", "summary", "lint")
    run("analyze", small, "mincut", "compute0", "compute1", "paths", "compute0/gpu0", "compute1/gpu0", "connectivity", "bom",
        "throughput", "blocking")
    run("analyze", matrix, "mincut", "numa0", "numa1", "paths", "**/GPU0", "**/GPU3", "connectivity", "throughput")
    run("analyze", small, "bisection", "-s", "compute0/gpu0")
    run("analyze", small, "bisection", "--unit", "tray")
    run("analyze", small, "bisection", "--fail", "switch/sw0")
    run("analyze", matrix, "bisection", "--gpu", "b200")
    run("analyze", FILES / "hard.yaml", "bisection", "--time-limit", "300 ms")
    run("convert", small, "--fail", "switch/sw0")
    run("diff", small, FILES / "overbooked.yaml")
    query = run("query", small, "@gpu & compute0")
    again = run("query", small, query["selection"])
    assert query["paths"] == again["paths"], "the selection reads back"
    exact = run("analyze", "gb300-nvl72", "bisection")["bisection"]
    assert exact["lower_Bps"] == exact["upper_Bps"] == 3.24e13 and exact["sides"] == [36, 36], exact


main()
