#!/usr/bin/env python3
"""Random keys, commands, sizes and clicks against the explorer without a terminal: it ends well, says nothing on
standard error, and no screen is larger than it was asked to be. usage: keys.py PROGRAM LAYOUTS [SESSIONS [FIRST_SEED]]
A session that fails is printed with its seed, which gives the same session again."""
import random
import subprocess
import sys
import tempfile

COMMANDS = [":select @gpu", ":select @switch", ":select **", ":fail %here", ":derate %sel--~%sel=50%", ":derate 30%", ":fail =1",
            ":restore %here", ":restore **", ":fail @plane:0", ":fail @rail:1", ":color load", ":color", ":sort links", ":filter a",
            ":columns device,free", ":show trunks", ":show hops", ":near 2", ":name it", ":select @it", ":name", ":over", ":view table",
            ":view rack", ":view none", ":nonsense", ":zoom-in", ":reload", "/0", "/GPU", ":mark a", ":jump a", ":alike rail",
            ":copy picture", ":analyze summary lint", ":set none=1", ":theme light", ":bind W near", ":open none.yaml",
            ":write out.yaml", ":export out.svg", ":keep %sel", ":parameters"]
FABRICS = [["gb300-nvl72"], ["superpod-h100", "-D", "su=2"], ["leaf-spine"], ["dgx1-v100"], ["torus"], ["dragonfly"],
           ["fat-tree", "-D", "k=6"], ["package-glass"], ["package-blackwell"], ["jellyfish"], ["trn3-ultraserver"]]


def listed(program, what):
    out = subprocess.run([program, "--list", what], capture_output=True, text=True, check=True).stdout
    return [line.split("\t") for line in out.splitlines()]


def keys_of(program):
    """Of all actions, views and analyses, but those that end or stop a session."""
    keys = [key for name, bound, *_ in listed(program, "actions") if name not in ("quit", "suspend") for key in bound.split()]
    for name, bound, *_ in listed(program, "actions"):
        if not bound and not any(c.startswith(f":{name}") for c in COMMANDS):
            sys.exit(f"keys.py: no key and no command tries the action {name}")
    return keys + list("123456bBmt") + ["Up", "Down", "Enter", "Esc", "Tab", "Delete"]


def script_of(r, keys):
    steps = []
    for _ in range(120):
        kind = r.random()
        if kind < 0.70:
            steps.append(r.choice(keys))
        elif kind < 0.82:
            command = r.choice(COMMANDS)
            steps += ["/", "type " + command[1:], "Enter"] if command[0] == "/" else [command]
        elif kind < 0.88:
            steps.append(f"size {r.choice([1, 5, 16, 20, 40, 80, 120, 200, 300])}x{r.choice([1, 3, 5, 12, 24, 40, 60, 100])}")
        elif kind < 0.93:
            steps.append(f"{r.choice(['click', 'click', 'drag'])} {r.randrange(120)} {r.randrange(40)}")
        else:
            steps.append("dump")
        if r.random() < 0.2:
            steps.append("dump")
    return steps


def too_large(out):
    screen = []
    for line in out.split("\n"):
        if line.startswith("---- ") and "×" in line:
            cols, rows = (int(n) for n in line[5:].split()[0].split("×"))
            if len(screen) > rows or any(len(row) > cols for row in screen):
                return f"a screen of {cols}×{rows} is larger than that"
            screen = []
        else:
            screen.append(line)
    return None


def run(program, layouts, seed, keys):
    r = random.Random(seed)
    fabric = r.choice(FABRICS)
    steps = script_of(r, keys)
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/session"
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(steps) + "\n")
        done = subprocess.run([program, *fabric, "--time-limit", "0.1", "--script", path] + (["--ascii"] if seed % 3 == 0 else []),
                              capture_output=True, text=True, cwd=folder, timeout=120, stdin=subprocess.DEVNULL,
                              env={"TOPONAUT_LAYOUTS": layouts, "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"})
    wrong = too_large(done.stdout)
    if done.returncode or done.stderr or wrong:
        print(f"seed {seed}, {' '.join(fabric)}: status {done.returncode} {wrong or ''}\n{done.stderr[:3000]}")
        print("\n".join(steps))
        return False
    return True


def main():
    program, layouts = sys.argv[1:3]
    sessions = int(sys.argv[3]) if len(sys.argv) > 3 else 25
    first = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    keys = keys_of(program)
    good = all([run(program, layouts, seed, keys) for seed in range(first, first + sessions)])
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
