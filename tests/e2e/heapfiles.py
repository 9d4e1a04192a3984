#!/usr/bin/env python3
# Context: O.  Files with allocations for others, and the page: each count in
# each is what the program knows that it asked for, to the byte.
import collections
import json
import os
import re
import shutil
import subprocess

import pagedata
from browser import Browser
from harness import case, load, main, need
from heaptruth import MEASURES, functions, own, pairs, profiled, truth

# Go's names of the counts, and names like these.
PPROF = {"peak": "peak_space", "live": "inuse_space",
         "live-blocks": "inuse_objects", "total": "alloc_space",
         "blocks": "alloc_objects", "freed": "freed_space",
         "temporary": "temporary_objects", "high": "high_space"}
# Where a picture of each page is kept, to be looked at.
PICTURES = os.environ.get("PICTURES")


def folded_paths(t, measure, path):
    t.prof(f"--heap={measure}", "--write=folded", "-o", "folded", path)
    with open(os.path.join(t.dir, "folded")) as f:
        lines = [line.rsplit(" ", 1) for line in f.read().splitlines()]
    return {tuple(stack.split(";")): int(n) for stack, n in lines}


@case
def folded(t):
    """Each count is compared."""
    path = profiled(t, 25)
    for measure, wanted in truth(25).items():
        t.equal(measure, wanted, own(folded_paths(t, measure, path)))


def read_back(t, form, event, name):
    """{function: value} as prof reads a file of another profiler."""
    self = collections.Counter()
    for r in t.rows(f"--read={form}:{event}", name):
        self[r["function"]] += round(float(r["seconds"]) * 1e9)
    return self


def callgrind_costs(path):
    """Lines of a file: {name: [its own]}, {(caller, name): [of the call]} and
    what it says of all."""
    self, calls, says = {}, {}, {}
    names, at = {}, {}
    call = False
    with open(path) as f:
        for line in f:
            if m := re.match(r"(c?fn)=\((\d+)\)(?: (.*))?$", line):
                at[m[1]] = names.setdefault(m[2], m[3])
            elif m := re.match(r"(summary|totals): (.*)", line):
                says[m[1]] = [int(n) for n in m[2].split()]
            elif line.startswith("calls="):
                call = True
            elif line.startswith("0x"):
                costs = [int(n) for n in line.split()[2:]]
                sums, key = (calls, (at["fn"], at["cfn"])) if call else \
                    (self, at["fn"])
                sums[key] = [a + b for a, b in zip(costs, sums.get(
                    key, [0] * len(costs)))]
                call = False
    return self, calls, says


@case
def callgrind(t):
    """All counts as events, by our reader and by its own."""
    n = 25
    path = profiled(t, n)
    t.prof("--heap=live", "--write=callgrind", "-o", "out", path)
    for measure, paths in truth(n).items():
        wanted, _ = functions(paths)
        got = read_back(t, "callgrind", MEASURES[measure], "out")
        t.equal(measure, (wanted["fetch"], wanted["deeper"]),
                (got["fetch"], got["deeper"]))
    with open(os.path.join(t.dir, "out")) as f:
        events = re.search(r"^events: (.*)$", f.read(), re.M)[1].split()
    t.equal("first", "live_bytes", events[0])
    t.equal("all", sorted(MEASURES.values()), sorted(events))
    self, calls, says = callgrind_costs(os.path.join(t.dir, "out"))
    sums = [sum(n) for n in zip(*self.values())]
    t.equal("sums", {"summary": sums, "totals": sums}, says)
    wanted = {m: pairs(paths) for m, paths in truth(n).items()}
    for i, event in enumerate(events):
        measure, = [m for m, c in MEASURES.items() if c == event]
        for call in (("paths", "keeps"), ("drops", "fetch"),
                     ("paths", "deeper"), ("deeper", "deeper")):
            t.equal(f"{measure}: {call}", wanted[measure][call],
                    calls[call][i])
    tool = shutil.which("callgrind_annotate")
    if tool:
        r = subprocess.run([tool, "--show=total_bytes", "--inclusive=yes",
                            "--threshold=100", "--show-percs=no", "out"],
                           cwd=t.dir, capture_output=True, text=True)
        for f, total in functions(truth(n)["total"])[1].items():
            if f != "deeper":       # recursion is in it for each call
                t.true(f"callgrind_annotate: {f}", re.search(
                    rf"^ *{total:,} .*:{f} \[", r.stdout, re.M), total,
                    r.stdout + r.stderr)


@case
def pprof(t):
    """All counts as types of values, by our reader and by Go's."""
    n = 25
    path = profiled(t, n)
    t.prof("--heap=temporary", "--write=pprof", "-o", "out", path)
    for measure, paths in truth(n).items():
        wanted, _ = functions(paths)
        got = read_back(t, "pprof", PPROF[measure], "out")
        t.equal(measure, (wanted["fetch"], wanted["deeper"]),
                (got["fetch"], got["deeper"]))
    if shutil.which("go"):
        for index, text in (([], f"{n}B +100%"),
                            (["-sample_index=alloc_space"], "2500B")):
            r = subprocess.run(["go", "tool", "pprof", "-top", "-unit=B",
                                *index, "out"], cwd=t.dir,
                               capture_output=True, text=True)
            t.true(f"go tool pprof {index}", re.search(
                rf"^ *{text}.* fetch$", r.stdout, re.M), text,
                r.stdout + r.stderr)


@case
def speedscope_and_firefox(t):
    """A profile or a track of each count, the one asked for first."""
    n = 25
    path = profiled(t, n)
    for form in ("speedscope", "firefox"):
        t.prof("--heap=blocks", f"--write={form}", "-o", form, path)
    with open(os.path.join(t.dir, "speedscope")) as f:
        d = json.load(f)
    names = [f["name"] for f in d["shared"]["frames"]]
    seen = []
    for p in d["profiles"]:
        paths = collections.Counter()
        for stack, weight in zip(p["samples"], p["weights"]):
            paths[tuple(names[i] for i in stack)] += weight
        seen.append((p["unit"], own(paths)))
        t.equal(f"{p['name']}: end", sum(p["weights"]), p["endValue"])
    check_all(t, "speedscope", n, seen, "bytes", "none")
    with open(os.path.join(t.dir, "firefox")) as f:
        d = json.load(f)
    seen = [(th["samples"]["weightType"], own(firefox_paths(th)))
            for th in d["threads"]]
    check_all(t, "firefox", n, seen, "bytes", "samples")


def firefox_paths(thread):
    stacks, frames = thread["stackTable"], thread["frameTable"]
    text, paths = thread["stringArray"], collections.Counter()
    for at, weight in zip(thread["samples"]["stack"],
                          thread["samples"]["weight"]):
        path = []
        while at is not None:
            func = frames["func"][stacks["frame"][at]]
            path.append(text[thread["funcTable"]["name"][func]])
            at = stacks["prefix"][at]
        paths[tuple(reversed(path))] += weight
    return paths


def check_all(t, form, n, seen, bytes, blocks):
    """Each count once, in its unit; blocks first."""
    wanted = truth(n)
    t.equal(f"{form}: how many", len(wanted), len(seen))
    t.equal(f"{form}: first", (blocks, wanted["blocks"]), seen[0])
    for measure, paths in wanted.items():
        unit = bytes if MEASURES[measure].endswith("bytes") else blocks
        t.true(f"{form}: {measure}", (unit, paths) in seen, paths, seen)


def drawn(b):
    """{path: weight} of what is drawn."""
    return {tuple(path): n for path, n in b.js("""
        const t = flame.tree, all = [];
        for (let i = 1; i < t.size; i++) {
            if (t.self[i] === 0)
                continue;
            const p = [];
            for (let k = i; k !== 0; k = t.parent[k])
                p.push(flame.name(k));
            all.push([p.reverse(), t.self[i]]);
        }
        return all""")}


def look(b, name):
    if PICTURES:
        os.makedirs(PICTURES, exist_ok=True)
        b.js("flame.paint()")
        b.screenshot(os.path.join(PICTURES, name + ".png"))


def cells(b, table, name):
    """Return the cells of a function's row, without its module."""
    for row in b.js("return [...document.getElementById(arguments[0]).rows]"
                    ".map((r) => [...r.cells].map((c) => c.textContent))",
                    table):
        if name in row:
            return row[:row.index(name)]
    return None


@case
def page(t):
    """All counts in one page: stacks, table, callers and code of each."""
    n = 25
    path = profiled(t, n)
    t.prof("--heap=live", "--html=page.html", path)
    with Browser(t) as b:
        b.open(os.path.join(t.dir, "page.html"))
        t.true("title", b.text("#title").endswith(f"/heaps paths {n} 1"),
               "the command", b.text("#title"))
        t.equal("first", "live", b.js(
            "return document.getElementById('measure').value"))
        b.js("choose(names.indexOf('fetch'))")
        for measure, wanted in truth(n).items():
            b.choose("#measure", measure)
            t.equal(measure, wanted, own(drawn(b)))
            self, total = functions(wanted)
            unit = " B" if MEASURES[measure].endswith("bytes") else ""
            t.equal(f"{measure}: paths", [f"0{unit}",
                                          f"{total['paths']}{unit}"],
                    [text.replace(",", "") for text in
                     cells(b, "rows", "paths")[::2]])
            for caller in ("keeps", "drops"):
                got = cells(b, "callers", caller)
                n_of = pairs(wanted).get((caller, "fetch"), 0)
                t.equal(f"{measure}: {caller}", f"{n_of}{unit}" if n_of
                        else None, got and got[0])
            if self["fetch"] != 0:
                t.equal(f"{measure}: code", self["fetch"], b.js(
                    "const c = piecesOf(names.indexOf('fetch'),"
                    "hostsOf(names.indexOf('fetch')))[0];"
                    "return codeTimes(c).reduce((a, b) => a + b, 0)"))
                t.true(f"{measure}: line", "malloc(n)" in b.text("#codeRows"),
                       "its source", b.text("#codeRows"))
            look(b, f"heap-{measure}")
        b.choose("#measure", "temporary")
        b.choose("#way", "up")
        t.equal("from the other end", {p[::-1]: v for p, v in
                                       truth(n)["temporary"].items()},
                {p[:p.index("work")]: v for p, v in drawn(b).items()
                 if "work" in p})
        b.type("#find", "drops")
        t.equal("found", f"100.0 % of the temporary blocks, {n}, "
                "1 function",
                b.text("#matched"))
        t.true("rests on", "allocated " in b.text("#footer"),
               "the sums", b.text("#footer"))
        growth = b.js("return document.querySelectorAll("
                      "'#grown path.live').length")
        t.equal("over time", 1, growth)
        t.true("said", " live" in b.text("#grownAt"), "the most",
               b.text("#grownAt"))
        t.equal("scale", 5, b.js("return document.querySelectorAll("
                                 "'#grownScale span').length"))
        sizes = [row.split("\t")[2] for row in b.js(
            "return [...document.querySelectorAll('#sizeRows tr')].map("
            "(r) => [...r.cells].map((c) => c.textContent).join('\t'))")]
        t.equal("sizes", sum(int(r["blocks"]) for r in t.rows(
            "--heap=sizes", "--csv", *t.files())),
            sum(int(x.replace(",", "")) for x in sizes))
        t.equal("complaints", [], b.complaints())


@case
def two_in_a_page(t):
    """With --diff: a change is one, in bytes, blocks and shares."""
    old, new = profiled(t, 25, "old"), profiled(t, 40, "new")
    t.prof("--heap=blocks", f"--diff={old}", "--html=page.html", new)
    with Browser(t) as b:
        b.open(os.path.join(t.dir, "page.html"))
        b.choose("#unit", "seconds")
        t.equal("fetch", ["50", "80", "+30", "50", "80", "+30"],
                cells(b, "rows", "fetch"))
        t.equal("as a change", "grew", b.js(
            "return [...document.getElementById('rows').rows].find((r) =>"
            "r.textContent.includes('fetch')).cells[2].className"))
        b.choose("#measure", "live")
        t.equal("live", ["1000 B", "1600 B", "+600 B"],
                cells(b, "rows", "fetch")[:3])
        t.true("legend", "grey: the same" in b.text("#legend"), "exact",
               b.text("#legend"))
        look(b, "heap-diff")
        b.choose("#unit", "share")
        t.true("shares", b.text("#rows") != "", "rows", b.text("#rows"))
        t.equal("complaints", [], b.complaints())


@case
def sampled_in_a_page(t):
    """Where some were looked at, a change has its error there, too."""
    for name, n in (("old", 30000), ("new", 60000)):
        t.good([load("heaps"), "paths", n, 1], opts="mode=heap,heap=4k",
               profdir=name)
    t.prof("--heap=total", f"--diff={t.files('old')[0]}", "--html=page.html",
           *t.files("new"))
    row, = [r for r in t.rows("--heap=total", "--diff", *t.files("old"),
                              *t.files("new")) if r["function"] == "fetch"]
    with Browser(t) as b:
        b.open(os.path.join(t.dir, "page.html"))
        b.choose("#unit", "seconds")
        old, new, change, sure = cells(b, "rows", "fetch")[:4]
        t.true("change", re.fullmatch(r"\+.* \u00b1.*", change), "an error",
               change)
        t.equal("sure", row["sure"], "yes" if sure.endswith("\u03c3") else
                sure)
        m = re.search(r"([0-9.]+) standard deviations", b.js(
            "return changeSentence('seconds', selfChange("
            "names.indexOf('fetch')))"))
        t.near("how sure", int(row["change_total_bytes"]) /
               int(row["error_total_bytes"]), float(m[1]), 0.51)
        t.equal("complaints", [], b.complaints())


def massif_snapshots(text):
    """[(bytes, kind, lines of its tree)]."""
    found = []
    for part in text.split("#-----------\nsnapshot=")[1:]:
        lines = part.splitlines()
        values = dict(x.split("=") for x in lines[2:7])
        found.append((int(values["mem_heap_B"]), values["heap_tree"],
                      lines[7:]))
    return found


def massif_sums(t, what, lines):
    """Each node has what those below it have, and no more than one above."""
    nodes = [(len(x) - len(x.lstrip()), int(re.search(r"n(\d+)", x)[1]),
              int(re.search(r": (\d+)", x)[1])) for x in lines]
    for i, (depth, children, own) in enumerate(nodes):
        below = [n for k, (d, _, n) in enumerate(nodes[i + 1:])
                 if d == depth + 1 and all(
                     x[0] > depth for x in nodes[i + 1:i + 2 + k])]
        t.equal(f"{what}: children of {lines[i]}", children, len(below))
        t.true(f"{what}: sum of {lines[i]}", sum(below) <= own, own,
               sum(below))


@case
def massif(t):
    """Snapshots over time, with trees at the peak and at the end."""
    n = 50
    t.good([load("heaps"), "paths", n, 1], opts="mode=heap")
    path, = t.files()
    rows = t.rows("--heap", "--csv", path)
    out = os.path.join(t.dir, "massif.out")
    t.prof("--heap", "--write=massif", "-o", out, path)
    with open(out) as f:
        all = massif_snapshots(f.read())
    for kind, column in (("peak", "peak_bytes"), ("detailed", "live_bytes")):
        one = [(b, tree) for b, k, tree in all if k == kind]
        t.equal(f"{kind}: snapshots", 1, len(one))
        t.equal(f"{kind}: bytes", sum(int(r[column]) for r in rows),
                one[0][0])
        massif_sums(t, kind, one[0][1])
    peak = next(tree for _, k, tree in all if k == "peak")
    t.true("by name", any("keeps (in heaps)" in x for x in peak), "keeps",
           peak)
    r = subprocess.run([need("ms_print"), out], capture_output=True,
                       text=True, cwd=t.dir)
    t.equal("ms_print", (0, ""), (r.returncode, r.stderr))
    t.true("its picture", "(peak)" in r.stdout and "keeps" in r.stdout,
           "of the peak", r.stdout)
    t.good([load("heaps"), "paths", n, 1], opts="mode=heap")
    r = t.prof("--heap", "--write=massif", "-o", "two", "profs", good=False)
    t.equal("of two", (1, "prof: two: more than one process counted "
                       "allocations, and a file of this format holds one; name "
                       "the profile of one process"),
            (r.returncode, r.stderr.strip()))
    r = t.prof("--write=massif", "-o", "two", path, good=False)
    t.equal("of time", 2, r.returncode)
    t.true("nothing was made", not os.path.exists(
        os.path.join(t.dir, "two")), "no file", "one")


@case
def time_has_none(t):
    """A page of time has nothing of the heap in it."""
    t.good([load("kinds"), "burn", 0.1])
    t.prof("--html=page.html", *t.files())
    d = pagedata.read(os.path.join(t.dir, "page.html"))
    t.equal("data", (False, True, False), (
        "measures" in d, "ns" in d["samples"], "growth" in d))


if __name__ == "__main__":
    main()
