"""Real `nvidia-smi topo -m` pastes beside the repository have the facts that a careful reader gets from them."""
import collections
import json
import os
import subprocess
import sys
from pathlib import Path

NODE = Path(os.environ["SAMPLES"]) / "node"
LOCAL = {"pix", "pxb", "phb", "node", "sys", "psb"}


def fabric(path):
    done = subprocess.run([os.environ["PROGRAM"], "convert", str(path), "-f", "json"], capture_output=True, timeout=60)
    assert done.returncode == 0, (path, done.stderr)
    return json.loads(done.stdout)


def check(path, facts):
    f = fabric(path)
    classes = {d["path"]: d["class"] for d in f["devices"]}
    inferred = {d["path"] for d in f["devices"] if d.get("inferred")}
    count = collections.Counter(classes.values())
    assert count["gpu"] == facts["gpus"], (count, "gpus")
    assert count["nic"] == facts["nics"], (count, "nics")
    gpu_pairs, gpu_nic, at_switch = collections.Counter(), collections.Counter(), {}
    for t in f["trunks"]:
        ends = sorted([classes[t["a"]], classes[t["b"]]])
        text = t["kind"].upper() if t["kind"] in LOCAL else f"NV{t['links']}"
        if ends == ["gpu", "gpu"]:
            gpu_pairs[text] += 1
        elif ends == ["gpu", "nic"]:
            gpu_nic[text] += 1
        elif ends == ["gpu", "switch"]:
            assert t.get("inferred"), "a link to an inferred switch is inferred"
            gpu = t["a"] if classes[t["a"]] == "gpu" else t["b"]
            at_switch[gpu] = t["links"]
    nv = {k: n for k, n in facts["gpu_pairs"].items() if k.startswith("NV")}
    if inferred:
        assert all(classes[s] == "switch" for s in inferred), inferred
        assert set(at_switch.values()) == {int(k[2:]) for k in nv}, (at_switch, nv)
        assert len(at_switch) == facts["gpus"], at_switch
        nv = {}
    expected = {k: n for k, n in facts["gpu_pairs"].items() if not k.startswith("NV")} | nv
    assert dict(gpu_pairs) == expected, (dict(gpu_pairs), expected)
    assert dict(gpu_nic) == facts["gpu_nic"], (dict(gpu_nic), facts["gpu_nic"])
    cut = facts["rows"] < facts["gpus"] + facts["nics"] or facts["gpus"] == 1  # one GPU alone shows no links
    assert any(d.get("incomplete") for d in f["devices"]) == cut, "cut pastes are marked"


def main():
    table = NODE / "expected-matrix-facts.json"
    if not table.is_file():
        sys.exit(77)
    bad = 0
    for name, facts in json.loads(table.read_text()).items():
        try:
            check(NODE / name, facts)
        except AssertionError as wrong:
            print(f"{name}: {wrong}")
            bad += 1
    refused = 0
    for path in sorted((NODE / "nvidia-smi-p2p").glob("*")):
        done = subprocess.run([os.environ["PROGRAM"], "info", str(path)], capture_output=True, timeout=60)
        refused += done.returncode == 3 and done.stdout == b"" and b"-p2p" in done.stderr
    assert refused == 4, refused
    sys.exit(bad > 0)


main()
