#!/usr/bin/env python3
# Context: O.  Views of the heap: each count in each view is what the program
# knows that it asked for, to the byte.
import collections
import os
import re
import shutil

from harness import below_head, case, load, main
from heaptables import both_forms
from heaptruth import (
    DEEPER, DROPS, KEEPS, MEASURES, functions, own, pairs, profiled, truth)


def tree_paths(rows, column, up=False):
    """{path outermost first: its own} of --tree or --callers."""
    by, paths = {r["node"]: r for r in rows}, collections.Counter()
    for r in rows:
        path, at = [], r
        while at is not None:
            path.append(at["function"])
            at = by.get(at["parent"])
        paths[tuple(path if up else reversed(path))] += int(
            r["self_" + column])
    return paths


@case
def tables(t):
    """Each count by function, line, module, file, process: sums and order."""
    n = 25
    path = profiled(t, n)
    for measure, paths in truth(n).items():
        column = MEASURES[measure]
        wanted, _ = functions(paths)
        rows = both_forms(t, f"--heap={measure}", path)
        got = {r["function"]: int(r[column]) for r in rows
               if r["function"] in ("fetch", "deeper")}
        t.equal(measure, {f: wanted[f] for f in ("fetch", "deeper")}, got)
        weights = [int(r[column]) for r in rows]
        t.equal(f"{measure}: most first", sorted(weights, reverse=True),
                weights)
        for by in ("line", "module", "file", "process", "program", "address"):
            t.equal(f"{measure}: by {by}", sum(weights), sum(
                int(r[column]) for r in both_forms(
                    t, f"--heap={measure}", f"--by={by}", path)))
        text = below_head(t.prof(f"--heap={measure}", path).stdout)
        head, first = text.splitlines()[:2]
        t.equal(f"{measure}: first", rows[0]["function"],
                first.split()[head.split().index("Name")])
        t.near(f"{measure}: share", weights[0] * 100 / sum(weights),
               float(first.split()[0]), 0.051)
    for name, other in (("live", "leaked"), ("live", "inuse_space"),
                        ("live-blocks", "inuse_objects"),
                        ("total", "alloc_space"), ("blocks", "allocations"),
                        ("blocks", "alloc_objects")):
        t.equal(other, t.prof(f"--heap={name}", path).stdout,
                t.prof(f"--heap={other}", path).stdout)
    t.equal("peak", t.prof("--heap=peak", path).stdout,
            t.prof("--heap", path).stdout)


@case
def choices(t):
    """--top, --min, --sort and the filters of a table."""
    n = 25
    path = profiled(t, n)
    rows = t.rows("--heap=blocks", "--top=1", path)
    t.equal("top", ["fetch"], [r["function"] for r in rows])
    rows = t.rows("--heap=blocks", "--min=30", path)
    t.equal("min", ["fetch", "deeper"], [r["function"] for r in rows])
    names = [r["function"] for r in t.rows("--heap", "--sort=name", path)]
    t.equal("sort", sorted(names), names)
    t.equal("function", ["deeper"], [r["function"] for r in t.rows(
        "--heap", "--function=dee*", path)])
    t.equal("module", {"heaps"}, {r["module"] for r in t.rows(
        "--heap", "--module=heaps", path)})
    r = t.prof("--heap", "--function=nobody", path, good=False)
    t.equal("nobody", (1, "prof: --function=nobody: no function of that name "
                       "allocated memory; prof --heap lists the functions that "
                       "did\n"),
            (r.returncode, r.stderr))
    for args, remedy in (
            (["--heap=live", "--focus=deeper", "--tree"],
             "; --heap=live has nothing of it: --heap=total and "
             "--heap=blocks have all that was allocated\n"),
            (["--heap=blocks", "--function=drops"], "; functions that it "
             "called did: prof --heap=blocks --tree --focus='drops' shows "
             "them\n")):
        r = t.prof(*args, path, good=False)
        t.true(f"{args}", r.returncode == 1 and r.stderr.endswith(remedy),
               remedy, r.stderr)
        t.equal(f"{args}: as it says", 0, t.prof(
            "--heap=blocks", "--tree", "--focus=" + args[1].split("=")[1],
            path).returncode)


@case
def trees(t):
    """--tree and --callers: each path and its count, from either end."""
    n = 25
    path = profiled(t, n)
    for measure, wanted in truth(n).items():
        column = MEASURES[measure]
        down = both_forms(t, f"--heap={measure}", "--tree", path)
        t.equal(f"{measure}: tree", wanted, own(tree_paths(down, column)))
        _, total = functions(wanted)
        got = collections.Counter()
        for r in down:
            if r["function"] in ("paths", "keeps", "drops"):
                got[r["function"]] += int(r["total_" + column])
        t.equal(f"{measure}: with what they called", got, collections.Counter(
            {f: total[f] for f in got}))
        up = both_forms(t, f"--heap={measure}", "--callers", path)
        t.equal(f"{measure}: callers", wanted,
                own(tree_paths(up, column, up=True)))
        table = t.rows(f"--heap={measure}", path)
        t.equal(f"{measure}: roots", sum(int(r[column]) for r in table),
                sum(int(r["total_" + column]) for r in down
                    if r["parent"] == ""))
    by_line = t.rows("--heap=blocks", "--tree", "--lines", path)
    t.equal("by line", 3 * n, sum(
        n for p, n in tree_paths(by_line, "total_blocks").items()
        if any(f.startswith("paths  heaps.c:") for f in p)))
    text = below_head(t.prof("--heap=blocks", "--tree", path).stdout)
    t.true("head", text.startswith(" %Total   %Self  Blocks  Name"), "blocks",
           text)
    text = below_head(t.prof("--heap=blocks", "--callers", path).stdout)
    t.true("line", re.match(r"  %Blks  Blocks  Name, below it who called it "
                            r"\(\+ one of several\)\n"
                            rf" +[0-9.]+ +{2 * n}  fetch heaps\.c:\d+ "
                            r"\[heaps\]\n", text),
           "the function with the most", text)


INLINED = """#include <stdlib.h>
static inline __attribute__((always_inline)) void *wcsdup(unsigned n)
{
	return malloc(n);
}
static inline __attribute__((always_inline)) void *grows(unsigned n)
{
	return wcsdup(n);
}
__attribute__((noinline)) void *uses(unsigned n)
{
	void *volatile p = grows(n);
	return p;
}
int main(void)
{
	return uses(123) == NULL;
}
"""


@case
def inlined_allocators(t):
    """An inlined function that only asks for others is no frame, either."""
    source = os.path.join(t.dir, "inlined.c")
    with open(source, "w") as f:
        f.write(INLINED)
    exe = t.build(source, "inlined", "-fno-builtin", "-Wno-all")
    t.good([exe], opts="mode=heap")
    path, = t.files()
    paths = tree_paths(t.rows("--heap=live", "--tree", path), "live_bytes")
    t.equal("tree", {("uses", "grows"): 123},
            {p[p.index("uses"):]: n for p, n in paths.items()
             if "uses" in p and n != 0})
    lines = [r for r in t.rows("--heap=live", "--lines", path)
             if r["function"] == "grows"]
    t.equal("line", ["8"], [r["line"] for r in lines])


@case
def stacks_chosen(t):
    """--focus, --ignore, --min and --top of stacks."""
    n = 25
    path = profiled(t, n)
    wanted = truth(n)["total"]

    def paths(*options):
        return own(tree_paths(t.rows("--heap=total", "--tree", *options, path),
                              "total_bytes"))

    t.equal("focus", {DROPS: wanted[DROPS]}, paths("--focus=drops"))
    t.equal("ignore", {KEEPS: wanted[KEEPS], DEEPER: wanted[DEEPER]},
            paths("--ignore=drops"))
    text = t.prof("--heap=total", "--tree", "--min=20", path).stdout
    t.true("min", "drops" in text and "keeps" in text and
           "deeper" not in text, "two of three", text)
    text = t.prof("--heap=total", "--tree", "--top=1", path).stdout
    t.true("top", "drops" in text and "keeps" not in text, "the largest",
           text)
    r = t.prof("--heap", "--tree", "--focus=nobody", path, good=False)
    t.equal("nobody", (1, 1), (r.returncode, len(r.stderr.splitlines())))


@case
def graph(t):
    """Callers and callees, recursion once."""
    n = 25
    path = profiled(t, n)
    for measure, paths in truth(n).items():
        column = MEASURES[measure]
        rows = both_forms(t, f"--heap={measure}", "--graph", path)
        got = {(r["caller"], r["function"]): int(r[column]) for r in rows}
        wanted = pairs(paths)
        t.equal(measure, dict(wanted), {p: v for p, v in got.items()
                                        if p in wanted})
        t.true(f"{measure}: no calls", "calls" not in rows[0], "no column",
               rows[0])
    text = t.prof("--heap=temporary", "--graph", path).stdout
    t.true("fetch", re.search(rf"\n +100.0 +{n} +100.0 +{n}  fetch \[heaps\]\n"
                              rf" +100.0 +{n} +  <- drops", text),
           "its caller", text)


@case
def code(t):
    """--annotate: at the calls, with their lines."""
    n = 25
    path = profiled(t, n)
    for measure, paths in truth(n).items():
        column = MEASURES[measure]
        wanted, _ = functions(paths)
        if wanted["fetch"] == 0:
            continue
        rows = both_forms(t, f"--heap={measure}", "--annotate=fetch", path)
        some = [r for r in rows if int(r[column]) != 0]
        t.equal(measure, [wanted["fetch"]], [int(r[column]) for r in some])
        t.true(f"{measure}: call", all("call" in r["instruction"]
                                       for r in some), "a call", some)
    text = below_head(t.prof("--heap=total", "--annotate=fetch", path).stdout)
    t.true("text", text.startswith("fetch [heaps]: 2500 bytes given out, ") and
           "fetched = malloc(n);" in text, "its line", text)
    t.true("the rest", "without allocations are left out" in text, "said",
           text)


@case
def difference(t):
    """Changes are shown to the byte; what did not change is not called
    noise."""
    old, new = profiled(t, 25, "old"), profiled(t, 40, "new")
    before, now = truth(25), truth(40)
    for measure, column in MEASURES.items():
        rows = both_forms(t, f"--heap={measure}", f"--diff={old}", new)
        a, b = functions(before[measure])[0], functions(now[measure])[0]
        for r in rows:
            f = r["function"]
            t.equal(f"{measure}: {f}: change", int(r["now_" + column]) -
                    int(r["before_" + column]), int(r["change_" + column]))
            if f in ("fetch", "deeper"):
                t.equal(f"{measure}: {f}", (a[f], b[f]),
                        (int(r["before_" + column]), int(r["now_" + column])))
        t.equal(f"{measure}: no errors", set(), {"error_seconds", "sure",
                                                 "mode"} & set(rows[0]))
    text = below_head(t.prof("--heap=total", f"--diff={old}", new).stdout)
    t.true("text", re.match(r"   Change   Before      Now  Name +Module\n"
                            r"    \+1500     2500     4000  fetch  heaps\n"
                            r"     \+120      200      320  deeper  heaps\n",
                            text), "two lines", text)
    t.true("sum", re.search(r"\nunchanged: \d+ lines?\nbytes given "
                            r"out: \d+ before, \d+ now: \+1620 \(", text),
           "what all is", text)
    text = t.prof("--heap=blocks", f"--diff={new}", old).stdout
    t.true("less", "\n      -30       80       50  fetch  heaps\n" in text,
           "with its sign", text)


@case
def names_in_the_file(t):
    """--embed stores those of places that allocated."""
    exe = os.path.join(t.dir, "own")
    shutil.copy(load("heaps"), exe)
    t.good([exe, "paths", 25, 1], opts="mode=heap")
    path, = t.files()
    views = [("--heap", "--no-footer"), ("--heap=total", "--tree", "--lines"),
             ("--heap=summary",)]
    before = [t.prof(*v, path).stdout for v in views]
    t.prof("--embed", path)
    os.rename(exe, exe + ".gone")
    t.equal("the same", before, [t.prof(*v, path).stdout for v in views])


@case
def of_time(t):
    """There is none where only allocations were counted: tables for programs
    are empty, and views are of allocations."""
    path = profiled(t, 25)
    t.equal("rows", [], [x for x in t.rows("--by=function", path)
                         if float(x["seconds"]) > 0.004])
    t.equal("view", t.prof("--heap", "--tree", path).stdout,
            t.prof("--tree", path).stdout)


@case
def several(t):
    """Processes apart and together; one alone."""
    t.good([load("heaps"), "paths", 10, 1], opts="mode=heap")
    t.good([load("heaps"), "paths", 30, 1], opts="mode=heap")
    rows = t.rows("--heap=blocks", "--by=process,function", *t.files())
    t.equal("apart", [20, 60], sorted(int(r["total_blocks"]) for r in rows
                                      if r["function"] == "fetch"))
    rows = t.rows("--heap=blocks", *t.files())
    t.equal("together", [80], [int(r["total_blocks"]) for r in rows
                               if r["function"] == "fetch"])
    pids = {r["process"] for r in t.rows("--heap", "--by=process",
                                         *t.files())}
    trees = [own(tree_paths(t.rows("--heap=temporary", "--tree",
                                   f"--pid={pid}", *t.files()),
                            "temporary_blocks")) for pid in pids]
    t.equal("one", [{DROPS: 10}, {DROPS: 30}],
            sorted(trees, key=lambda x: x[DROPS]))


@case
def refused(t):
    """One line says what does not go together, or what is not there."""
    path = profiled(t, 5)
    for options in (["--heap=what"], ["--heap="], ["--heap=time"],
                    ["--heap=summary", "--error"], ["--heap", "--kernel"],
                    ["--heap", "--thread=x"], ["--heap", "--by=thread"],
                    ["--heap", "--by=mode"], ["--heap", "--asleep", "--tree"],
                    ["--heap", "--sort=samples"], ["--heap", "--sort=calls"],
                    ["--heap", "--write=perf", "-o", "x"],
                    ["--heap", "--write=gperftools", "-o", "x"],
                    ["--heap", "--write=gmon", "-o", "x"],
                    ["--heap", "--write=monout", "-o", "x"],
                    ["--heap", "--write=prof", "-o", "x"],
                    ["--heap", "--info"], ["--heap", "--check"],
                    ["--heap=summary", "--csv"],
                    ["--heap=summary", "--tree"],
                    ["--heap=summary", "--diff=x"],
                    ["--heap=summary", "--function=x"],
                    ["--heap=summary", "--write=folded", "-o", "x"]):
        r = t.prof(*options, path, good=False)
        t.equal(f"{options}", (2, "", 1), (r.returncode, r.stdout,
                                           len(r.stderr.splitlines())))
    t.equal("nothing written", False, os.path.exists(
        os.path.join(t.dir, "x")))
    t.good([load("kinds"), "burn", 0.05], profdir="time")
    none = t.files("time")
    for options in (["--tree"], ["--callers"], ["--graph"], ["--annotate=x"],
                    [f"--diff={path}"], ["--html=x"],
                    ["--write=folded", "-o", "x"]):
        r = t.prof("--heap", *options, *none, good=False)
        t.equal(f"{options}", (1, "prof: no allocation was counted; "
                               "prof record --heap counts them\n"),
                (r.returncode, r.stderr))
    r = t.prof("--heap", f"--diff={none[0]}", path, good=False)
    t.equal("old has none", (1, 1), (r.returncode,
                                     len(r.stderr.splitlines())))
    r = t.prof("--heap=summary", *none, good=False)
    t.equal("summary", 1, r.returncode)


@case
def without_stacks(t):
    """stack=off: tables are as exact, and stacks are said to be missing."""
    t.good([load("heaps"), "paths", 25, 1], opts="mode=heap,stack=off")
    path, = t.files()
    got = {r["function"]: int(r["total_bytes"])
           for r in t.rows("--heap=total", path)}
    t.equal("fetch", 2500, got["fetch"])
    r = t.prof("--heap", "--tree", path, good=False)
    t.equal("tree", (1, 1), (r.returncode, len(r.stderr.splitlines())))


if __name__ == "__main__":
    main()
