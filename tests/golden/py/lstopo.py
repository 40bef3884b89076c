"""What the installed lstopo writes of this machine and of synthetic ones is read."""
import json
import os
import shutil
import subprocess
import sys

if not shutil.which("lstopo"):
    print("lstopo is not installed")
    sys.exit(77)
for words, packages in ((["-i", "pack:2 core:4 pu:2"], 2), (["-i", "pack:4 numa:2 core:1 pu:1"], 4), ([], None)):
    if os.path.exists("machine.xml"):
        os.remove("machine.xml")
    subprocess.run(["lstopo", *words, "--of", "xml", "machine.xml"], check=True, timeout=60, capture_output=True)
    done = subprocess.run([os.environ["PROGRAM"], "convert", "machine.xml", "-f", "json"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    cpus = [d for d in json.loads(done.stdout)["devices"] if d["class"] == "cpu"]
    assert packages is None or len(cpus) == packages, (words, len(cpus))
