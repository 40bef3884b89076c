"""A fabric of ours runs in ibsim; what the real tools print of it is read back and is the design. Cables that are cut at
the simulator's console are exactly those that diff misses. And what is written as a table of cables reads back."""
import os
import re
import shutil
import subprocess
import sys
import time

PROGRAM = os.environ["PROGRAM"]
DESIGN = ["leaf-spine", "-D", "leaves=5", "-D", "hosts=3", "-D", "spines=2", "-D", "rate=200 Gb/s"]
TOOLS = (["ibnetdiscover"], ["ibnetdiscover", "-p"], ["iblinkinfo"], ["iblinkinfo", "-l"])


def toponaut(*words):
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=60)
    assert done.returncode in (0, 1), (words, done)
    return done.stdout


def same(*operands):
    out = toponaut("diff", *operands)
    assert "no difference; 25 cables as planned" in out, (operands, out)


toponaut("convert", *DESIGN, "-o", "design.csv")
toponaut("convert", *DESIGN, "-o", "design.net")
same(*DESIGN, "design.csv")
same(*DESIGN, "design.net")
same("design.net", "design.csv")
headline = [toponaut("analyze", *what, "bisection").split("\n")[0] for what in (DESIGN, ["design.csv"], ["design.net"])]
assert len(set(headline)) == 1, headline

os.environ["PATH"] += ":/usr/sbin:/sbin"
missing = [t for t in ("ibsim", "ibsim-run", "ibnetdiscover", "iblinkinfo") if not shutil.which(t)]
if missing:
    print("not installed:", *missing)
    sys.exit(77)


def run_tool(words, path):
    for _ in range(50):
        done = subprocess.run(["ibsim-run", *words], capture_output=True, text=True, timeout=30)
        if done.returncode == 0 and done.stdout.strip():
            break
        time.sleep(0.1)
    with open(path, "w") as out:
        out.write(done.stdout)
    assert done.stdout.strip(), (words, done.stderr)


simulator = subprocess.Popen(["ibsim", "-s", "design.net"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, text=True)
try:
    for tool in TOOLS:
        run_tool(tool, "found.txt")
        same(*DESIGN, "found.txt")
    cuts, node = [], None
    for line in open("design.net"):
        record = re.match(r'Switch\t\d+ "(\S+)"\t\t# "(.*)"', line)
        port = re.match(r'\[(\d+)\]\t"(S-\S+)"', line)
        if record:
            node = record.groups()
        elif line.startswith("Ca"):
            node = None
        elif port and node and len(cuts) < 2 and (not cuts or cuts[0][0] != node[1]):
            simulator.stdin.write(f'unlink "{node[0]}"[{port[1]}]\n')
            simulator.stdin.flush()
            cuts.append((node[1], port[1]))
    time.sleep(0.3)
    run_tool(["ibnetdiscover"], "cut.txt")
    out = toponaut("diff", "design.net", "cut.txt")
    assert out.startswith("diff       2 missing; 23 cables as planned"), out
    for name, port in cuts:
        assert re.search(rf"missing .*\b{re.escape(name)}:{port}\b", out), (name, port, out)
finally:
    simulator.kill()
    simulator.wait()
