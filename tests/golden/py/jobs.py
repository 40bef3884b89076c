"""Same input, options and seed: the same bytes, however many analyses run at the same time."""
import os
import subprocess

ASKED = ["summary", "bisection", "blocking", "throughput", "connectivity", "lint", "bisection", "mincut", "{a}", "{b}", "paths", "{a}", "{b}"]
CASES = [("gb300-nvl72", "compute0/gpu0", "compute9/gpu1"), ("jellyfish", "rack0/host0", "rack9/host1"), ("dgx1-v100", "gpu0", "gpu7")]

for layout, a, b in CASES:
    words = [w.format(a=a, b=b) for w in ASKED]
    seen = set()
    for jobs in ("1", "2", "4", "2"):
        done = subprocess.run([os.environ["PROGRAM"], "analyze", layout, *words, "-f", "json", "--explain", "--jobs", jobs, "--time-limit", "0"],
                              capture_output=True, timeout=120)
        assert done.returncode == 0, (layout, done.stderr)
        seen.add(done.stdout)
    assert len(seen) == 1, layout
