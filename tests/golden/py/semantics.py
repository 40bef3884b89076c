"""Random small fabrics through the command line against a second reading of what counts: every split of the selected
accelerators and every placement of switches and NICs is tried here. Selections, failures, derating, attach hops, mixed NIC
speeds, odd numbers; min cut by augmenting paths."""
import itertools
import json
import os
import random
import subprocess
import sys

ROUNDS = int(os.environ.get("TOPONAUT_ROUNDS", "60"))


def run(*words, stdin):
    done = subprocess.run([os.environ["PROGRAM"], "analyze", "-q", "-", *words, "-f", "json"], input=stdin.encode(), capture_output=True)
    assert done.returncode == 0, (words, done.stderr.decode(), stdin)
    return json.loads(done.stdout)


def make(dice):
    """(description, links): a link is [a, b, GB/s of all its cables together, kind]."""
    gpus, switches = dice.randint(2, 6), dice.randint(1, 3)
    links, rates, nics = [], {}, 0
    def link(a, b, rate, count, use):
        name = f"k-{use}-{rate}"
        rates[name] = (rate, use)
        links.append([a, b, rate * count, name, count])
    for g in range(gpus):
        for s in range(switches):
            if dice.random() < 0.6:
                link(f"gpu{g}", f"sw{s}", dice.choice([10, 25, 50]), dice.randint(1, 3), "fabric")
        if g and dice.random() < 0.3:
            link(f"gpu{g - 1}", f"gpu{g}", 20, 1, "fabric")
        if dice.random() < 0.6:  # a NIC of one or two ports behind an attach hop that is at least as fast as one port
            port = dice.choice([5, 10])
            link(f"gpu{g}", f"nic{nics}", dice.choice([port, 2 * port, 40]), 1, "attach")
            for s in dice.sample(range(switches), min(switches, dice.randint(1, 2))):
                link(f"nic{nics}", f"sw{s}", port, 1, "fabric")
            nics += 1
        if dice.random() < 0.3:
            link(f"gpu{g}", "cpu", 100, 1, "local")
    for a, b in itertools.combinations(range(switches), 2):
        if dice.random() < 0.4:
            link(f"sw{a}", f"sw{b}", dice.choice([5, 30]), 1, "fabric")
    text = ["toponaut: 1", "name: Random", "links:"]
    text += [f"  {k}: {{rate: {r} GB/s, use: {u}}}" for k, (r, u) in rates.items()]
    text += ["devices:", "  g: {class: gpu}", "  s: {class: switch}", "  n: {class: nic}", "  c: {class: cpu}", "modules:", "  all:",
             "    kind: group", "    parts:", f"      gpu: {{is: g, count: {gpus}}}", f"      sw: {{is: s, count: {switches}}}",
             f"      nic: {{is: n, count: {nics}}}", "      cpu: {is: c}", "    wiring:"]
    for kind in rates:
        pairs = ", ".join(f"[{a}, {b}, {n}]" for a, b, _, k, n in links if k == kind)
        text.append(f"      - {{pairs: [{pairs}], link: {kind}}}")
    return "\n".join([*text, "build: all", ""]), links, gpus, switches, nics, rates


def counted(links, rates, dead, keep):
    """What carries traffic of the kept accelerators: no CPU, nothing local, NICs that serve one of them and lead on."""
    alive = [[a, b, r, rates[k][1]] for a, b, r, k, _ in links if rates[k][1] != "local" and a not in dead and b not in dead]
    ports = {x for a, b, _, use in alive if use == "fabric" for x in (a, b) if x.startswith("nic")}
    alive = [x for x in alive if x[3] == "fabric" or x[1] in ports]
    served = {b for a, b, _, use in alive if use == "attach" and a in keep}
    ok = lambda x: x.startswith("sw") or x in keep or x in served
    return [x for x in alive if ok(x[0]) and ok(x[1])]


def brute_bisection(edges, gpus):
    k, best = len(gpus) // 2, None
    free = sorted({x for e in edges for x in e[:2]} - set(gpus))
    for ones in itertools.combinations(gpus, k):
        for bits in itertools.product((0, 1), repeat=len(free)):
            side = {**{g: 0 for g in gpus}, **dict.fromkeys(ones, 1), **dict(zip(free, bits))}
            cut = sum(e[2] for e in edges if side[e[0]] != side[e[1]])
            best = cut if best is None else min(best, cut)
    return best


def max_flow(edges, sources, sinks):
    """Accelerators do not forward: those that are neither source nor sink are left out."""
    inside = lambda x: not x.startswith("gpu") or x in sources or x in sinks
    name = lambda x: "S" if x in sources else "T" if x in sinks else x
    left = {}
    for a, b, r, _ in edges:
        if inside(a) and inside(b) and name(a) != name(b):
            left[name(a), name(b)] = left.get((name(a), name(b)), 0) + r
            left[name(b), name(a)] = left.get((name(b), name(a)), 0) + r
    total = 0
    while True:
        before, queue = {"S": None}, ["S"]
        for v in queue:
            for (a, b), r in left.items():
                if a == v and r > 1e-9 and b not in before:
                    before[b] = v
                    queue.append(b)
        if "T" not in before:
            return total
        path, v = [], "T"
        while before[v] is not None:
            path.append((before[v], v))
            v = before[v]
        room = min(left[e] for e in path)
        for a, b in path:
            left[a, b] -= room
            left[b, a] = left.get((b, a), 0) + room
        total += room


def main():
    for seed in range(ROUNDS):
        dice = random.Random(seed)
        text, links, gpus, switches, nics, rates = make(dice)
        if not any(a.startswith("gpu") or b.startswith("gpu") for a, b, _, k, _ in links if rates[k][1] == "fabric"):
            continue
        everyone = [f"gpu{g}" for g in range(gpus)]
        keep = sorted(dice.sample(everyone, dice.randint(2, gpus)))
        dead = dice.choice([[], [], [f"sw{dice.randrange(switches)}"], [dice.choice(keep)]])
        options = ["-s", ",".join(keep)]
        for d in dead:
            options += ["--fail", d]
        kept = [g for g in keep if g not in dead]
        edges = counted(links, rates, dead, kept)
        result = run("bisection", *options, stdin=text)["bisection"]
        fabric_ends = {x for a, b, _, k, _ in links if rates[k][1] == "fabric" for x in (a, b)}
        with_attach = {a for a, b, _, k, _ in links if rates[k][1] == "attach" and b in fabric_ends}
        if not any(g in fabric_ends or g in with_attach for g in keep) or len(kept) < 2:
            continue
        truth = brute_bisection(edges, kept)
        assert result["endpoints"] == len(kept), (seed, result["endpoints"], kept, text)
        assert abs(result["upper_Bps"] - truth * 1e9) < 1 and result["status"] == "exact", (seed, options, result["upper_Bps"], truth, text)
        half = kept[: len(kept) // 2] or kept[:1]
        rest = [g for g in kept if g not in half]
        if any(g in x[:2] for g in half for x in edges) and any(g in x[:2] for g in rest for x in edges):
            fails = [w for d in dead for w in ("--fail", d)]
            flow = run("mincut", ",".join(half), ",".join(rest), *fails, stdin=text)["mincut"]
            want = max_flow(counted(links, rates, dead, kept), half, rest)
            assert abs(flow["upper_Bps"] - want * 1e9) < 1, (seed, half, rest, flow["upper_Bps"], want, text)


main()
