"""Every known answer of the reference table that an analysis can give is a line of tests/unit/analyze (by its number).
Skipped where the table is not there."""
import csv
import os
import re
import sys
from pathlib import Path

ROOT = Path(os.environ["ROOT"])
TABLE = ROOT.parent / "shared" / "reference" / "oracles.tsv"
IN_SCOPE = re.compile(r"bisection (width|bandwidth)|throughput|edge connectivity|diameter|articulation|max-flow|blocking class"
                      r"|strict-sense|oversubscription|per-flow rate")

if not TABLE.exists():
    sys.exit(77)
tests = "".join(f.read_text() for f in sorted((ROOT / "tests" / "unit" / "analyze").glob("*.c")))
rows = list(csv.DictReader(TABLE.open(), delimiter="\t", quoting=csv.QUOTE_NONE))
# effective bisection bandwidth belongs to static routing
missing = [r["id"] for r in rows if IN_SCOPE.search(r["quantity"]) and "effective" not in r["quantity"] and r["id"] not in tests]
if missing:
    sys.exit(f"no test for {' '.join(missing)}")
