"""The shipped layouts: the list of them, and that each says what it is and where that is from, loads, and can be drawn.
What its claims say is checked in designs/others.test."""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

NAMES = """
dgx1-p100 dgx1-v100 dgx2 dgx-a100 dgx-h100 hgx-b200 gh200-nvl32 dgx-gh200 dgx-h100-nvl256 gb200-nvl72 gb300-nvl72 gb200-nvl36x2
gb200-nvl576 vera-rubin-nvl72 kyber-nvl144 mi250x mi300x mi355x helios tpu-v4 tpu-v5e tpu-v5p tpu-v6e tpu-ironwood trn2
trn2-ultraserver trn3-ultraserver cloudmatrix384 gaudi2 gaudi3 superpod-h100 superpod-gb200 alibaba-hpn7 deepseek-mpft meta-24k
summit frontier aurora leaf-spine fat-tree rail-pod dragonfly dragonfly-plus torus mesh hypercube hyperx slim-fly jellyfish ring
star package-blackwell package-glass package-silicon package-organic scale-100k
""".split()
ROOT = Path(os.environ["ROOT"])


def run(*words):
    done = subprocess.run([os.environ["PROGRAM"], *words], capture_output=True, timeout=300)
    assert done.returncode == 0, (words, done.returncode, done.stderr.decode())
    return done.stdout.decode()


def check_list():
    listed = json.loads(run("layouts", "-f", "json"))["layouts"]
    assert sorted(x["name"] for x in listed) == sorted(NAMES), set(NAMES) ^ {x["name"] for x in listed}
    for layout in listed:
        assert layout["description"] and layout["sources"], layout["name"]
        assert layout["status"] in ("confirmed", "single-source", "inferred", "never-shipped"), layout["name"]


def check_manual():
    manual = (ROOT / "man" / "toponaut.1").read_text().replace("\\-", "-")
    words = set(manual[manual.index(".SH LAYOUTS"):].split())
    assert set(NAMES) <= words, set(NAMES) - words


def check_text(file):
    text = file.read_text()
    for key in ("name", "description", "status", "sources", "expect") if "\nbuild:" in text else ("description", "sources"):
        assert re.search(rf"^{key}:", text, re.M), f"{file.name} has no {key}"
    assert "\t" not in text and max(map(len, text.splitlines())) < 200, file.name
    assert len(text.splitlines()) < 150 or file.name == "media.yaml", file.name


def main():
    check_list()
    check_manual()
    for file in sorted((ROOT / "layouts").rglob("*.yaml")):
        check_text(file)
    for name in NAMES:
        picture = run("show", name, "--size", "100x40")
        assert len(picture.splitlines()) > 5, name
        run("info", name)
    return 0


sys.exit(main())
