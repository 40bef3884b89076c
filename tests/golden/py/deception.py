"""Against self-deception: each shipped layout is flattened to pairs, its names and order shuffled. The bisection must be
the same; a removed link never raises it and costs at most its own rate; doubled rates double it."""
import json
import os
import random
import subprocess
import sys
from pathlib import Path


# What takes long at full size is as telling at a smaller one.
SMALLER = json.loads((Path(os.environ["ROOT"]) / "tests" / "golden" / "small-layouts.json").read_text())


def run(*words, stdin=None):
    done = subprocess.run([os.environ["PROGRAM"], *words], input=stdin, capture_output=True, timeout=300)
    assert done.returncode == 0, (words, done.stderr.decode())
    return done.stdout


def bisection(*words, stdin=None):
    result = json.loads(run("analyze", *words, "bisection", "-f", "json", stdin=stdin))["bisection"]
    assert result["unit"] == "Bps"
    return result


def flatten(fabric, dice, factor=1):
    """The same graph in one module, devices renamed and everything in another order."""
    devices = fabric["devices"][:]
    dice.shuffle(devices)
    classes = sorted({d["class"] for d in devices})
    dice.shuffle(classes)
    letters = dice.sample("abcdefghjkmnpqrstuvwxyz", len(classes))
    name = {}
    for cls, letter in zip(classes, letters):
        for i, d in enumerate(x for x in devices if x["class"] == cls):
            name[d["path"]] = f"{letter}{i}"
    relay = not any(d["class"] == "switch" for d in devices)
    out = ["toponaut: 1", "name: Shuffled", "links:"]
    kinds = fabric["kinds"][:]
    dice.shuffle(kinds)
    for i, k in enumerate(kinds):
        k["flat"] = f"kind-{chr(97 + i)}"
        rate = f"rate: {k['rate_Bps'] * 8 * factor} b/s, " if k["rate_Bps"] is not None else ""
        out.append(f"  {k['flat']}: {{{rate}use: {k['use']}}}")
    flat = {k["name"]: k["flat"] for k in kinds}
    out.append("devices:")
    out += [f"  type-{letter}: {{class: {cls}{', relay: true' if relay else ''}}}" for cls, letter in zip(classes, letters)]
    out += ["modules:", "  all:", "    kind: group", "    parts:"]
    for cls, letter in zip(classes, letters):
        count = sum(d["class"] == cls for d in devices)
        out.append(f"      {letter}: {{is: type-{letter}, count: {count}}}")
    out.append("    wiring:")
    for kind in flat:
        trunks = [t for t in fabric["trunks"] if t["kind"] == kind]
        dice.shuffle(trunks)
        pairs = []
        for t in trunks:
            ends = [name[t["a"]], name[t["b"]]]
            dice.shuffle(ends)
            pairs.append(f"[{ends[0]}, {ends[1]}, {t['links']}]")
        if pairs:
            out.append(f"      - {{pairs: [{', '.join(pairs)}], link: {flat[kind]}}}")
    out += ["build: all", ""]
    return "\n".join(out).encode()


def check(layout, dice):
    size = SMALLER.get(layout, [])
    truth = bisection(layout, *size)
    assert truth["status"] == "exact", (layout, truth["status"])
    fabric = json.loads(run("convert", "-q", layout, *size, "-f", "json"))
    again = bisection("-", stdin=flatten(fabric, dice))
    assert again["status"] == "exact" and again["upper_Bps"] == truth["upper_Bps"], (layout, truth["upper_Bps"], again)
    assert again["endpoints"] == truth["endpoints"], layout
    double = bisection("-", stdin=flatten(fabric, dice, 2))
    assert double["upper_Bps"] == 2 * truth["upper_Bps"], (layout, "doubled", double["upper_Bps"])
    rate = {k["name"]: k["rate_Bps"] for k in fabric["kinds"] if k["use"] == "fabric"}
    trunk = dice.choice([t for t in fabric["trunks"] if t["kind"] in rate])
    less = bisection(layout, *size, "--fail", f"{trunk['a']}--{trunk['b']}=1")
    low, high = truth["lower_Bps"] - rate[trunk["kind"]], truth["upper_Bps"]
    assert less["lower_Bps"] <= high and less["upper_Bps"] >= low, (layout, trunk, less["lower_Bps"], less["upper_Bps"], low, high)
    assert less["status"] != "exact" or low <= less["upper_Bps"] <= high, (layout, trunk, less["upper_Bps"])


def main():
    bad = 0
    for line in run("layouts").decode().splitlines():
        layout = line.split()[0]
        try:
            check(layout, random.Random(layout))
        except AssertionError as wrong:
            print(wrong)
            bad += 1
    sys.exit(bad > 0)


main()
