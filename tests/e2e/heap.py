#!/usr/bin/env python3
# Context: O.  Allocations are counted to the byte: against programs that
# know what they ask for, and real ones that must not notice.
import os
import re
import shutil
import subprocess
import sys

from harness import Skip, below_head, case, load, main, need, pick
from heapcounts import compare, counted, info


@case
def family(t):
    """Every function, with and without stacks."""
    for opts in ("", ",stack=off", ",stack=fp", ",depth=8"):
        compare(t, f"family{opts}", "family", 100, 1,
                opts=opts)


@case
def deeper_than_is_kept(t):
    """One path after stacks just as deep as depth=, and after others."""
    for depth in (8, 9, 10, 12, 30):
        t.good([load("heapdeep")], opts=f"mode=heap,depth={depth}",
               profdir=f"d{depth}")
        text = t.prof("--heap=total", "--write=folded", "--output=-",
                      *t.files(f"d{depth}")).stdout
        paths = [(line.rpartition(" ")[0].split(";"),
                  int(line.rpartition(" ")[2]))
                 for line in text.splitlines()]
        deep = [p for p, _ in paths if "deep" in p]
        t.equal(f"{depth}: no deeper", depth,
                max(sum(f[0] != "[" for f in p) for p, _ in paths))
        t.equal(f"{depth}: all of it", 3 * (8 + 21) * 1000,
                sum(n for p, n in paths if "deep" in p))
        t.equal(f"{depth}: of each level", 3 * 21 * 10,
                sum(n for p, n in paths if p[-1] == "climb"))
        t.true(f"{depth}: from the outermost",
               all(p[0] == "_start" for p in deep), "_start", deep)
        t.equal(f"{depth}: without climb()", 1,
                sum("climb" not in p for p in deep))


@case
def more_than_is_remembered(t):
    """Tens of thousands of paths, from other places of the stack each time, and
    some of more frames than are summed: each has what it asked for itself."""
    bits, turns = pick((13, 4), (16, 6))
    t.good([load("heappaths"), bits, turns], opts="mode=heap")
    text = t.prof("--heap=total", "--write=folded", "--output=-",
                  *t.files()).stdout
    seen = {}
    for line in text.splitlines():
        path, _, n = line.rpartition(" ")
        path = path.split(";")
        if path[-1] == "ask":
            seen[";".join(path[path.index("main") + 1:])] = int(n)
    wanted = {}
    for n in range(1 << bits):
        frames = ["zero"] + [("zero", "one")[n >> i & 1] for i in range(bits)]
        wanted[";".join(["visit", "shifted", *frames, "ask"])] = \
            2 * turns * (n % 1000 + 1)
    for n in range(301):
        wanted[";".join(["sink"] * (n + 1) + ["ask"])] = turns * 7
    wrong = [p for p in {*seen, *wanted} if seen.get(p) != wanted.get(p)]
    t.equal("paths that are wrong", [], wrong[:3])


def paths_to_ask(t, what):
    """Bytes by path, from what the program's own first function called."""
    r = t.good([load("heapstacks"), what], opts="mode=heap", profdir=what)
    if r.text.split() != ["same", "1"]:
        raise Skip("its stacks are elsewhere")
    text = t.prof("--heap=total", "--write=folded", "--output=-",
                  *t.files(what)).stdout
    rows = [line.rpartition(" ") for line in text.splitlines()]
    return {path: int(n) for path, _, n in rows if path.endswith(";ask")}


@case
def inherited_by_a_shorter_stack(t):
    """The stack of a record's previous thread is not there any more."""
    seen = paths_to_ask(t, "inherited")
    t.equal("paths", [4 * 7], [*seen.values()])


@case
def without_a_return_address(t):
    """A stack that ended there once does not end there the next time."""
    seen = paths_to_ask(t, "hidden")
    t.equal("paths", [500, 5000, 150000], sorted(seen.values()))
    t.equal("callers", {"hide", "one", "other"},
            {path.split(";")[-3 if "main" in path else -2] for path in seen})


@case
def by_place(t):
    """The table and its columns: of each function and line, to the byte."""
    n, threads = 50, 3
    t.good([load("heaps"), "family", n, threads], opts="mode=heap")
    path, = t.files()
    rows = {r["function"]: r for r in t.rows("--heap", path)}
    own = rows["family"]
    each = 10 + 20 + 0 + 48 + 64 + 128 + 256 + 100 + 5000 + 1 + 3000000 + 11
    for key, wanted in (("total_blocks", 12 * n * threads),
                        ("total_bytes", each * n * threads),
                        ("freed_bytes", each * n * threads),
                        ("live_bytes", 0), ("live_blocks", 0)):
        t.equal(key, wanted, int(own[key]))
    t.between("peak", each - 11, int(own["peak_bytes"]), threads * each)
    lines = [r for r in t.rows("--heap", "--lines", path) if r["function"] == "family"]
    t.equal("lines", sorted(k * n * threads for k in (
        10, 20, 0, 48, 64, 128, 256, 100, 5000, 1, 3000000, 11)),
            sorted(int(r["total_bytes"]) for r in lines))
    modules = {r["module"]: int(r["total_blocks"])
               for r in t.rows("--heap", "--by=module", path)}
    t.equal("module", 12 * n * threads, modules["heaps"])
    text = t.prof("--heap", path).stdout
    t.true("foot", re.search(r"^allocated .* calls \(.* temporary.*\n"
                             r"peak \d", text, re.M), "its sums", text)
    t.good([load("kinds"), "burn", 0.05], profdir="time")
    text = below_head(t.prof("--heap", *t.files("time")).stdout)
    t.true("none", "no allocation was counted" in text, "said so", text)
    t.true("not its time", "burn" not in text, "no line", text)
    t.equal("allocations alone are shown", t.prof("--heap=summary",
            path).stdout, t.prof(path).stdout)
    t.equal("also by another view", t.prof("--heap", "--by=function",
            path).stdout, t.prof("--by=function", path).stdout)


@case
def files_for_others(t):
    """Folded stacks are of the peak, pprof's file of all and of what is
    live."""
    t.good([load("heaps"), "leaking", 100, 3], opts="mode=heap")
    path, = t.files()
    seen, _ = info(t, path)
    t.prof("--heap", "--write=folded", "-o", "folded", path)
    with open(os.path.join(t.dir, "folded")) as f:
        lines = [line.rsplit(" ", 1) for line in f.read().splitlines()]
    t.equal("folded", seen["peak_bytes"], sum(int(n) for _, n in lines))
    t.equal("stack", [3 * 100 * 24],
            [int(n) for stack, n in lines if stack.endswith(";work;leaking")])
    t.prof("--heap", "--write=pprof", "-o", "pprof", path)
    for kind, wanted in (("alloc_space", seen["total_bytes"]),
                         ("alloc_objects", seen["total_blocks"]),
                         ("inuse_space", seen["live_bytes"]),
                         ("inuse_objects", seen["live_blocks"])):
        rows = t.rows(f"--read=pprof:{kind}", "pprof")
        t.equal(kind, wanted, round(sum(float(r["seconds"])
                                        for r in rows) * 1e9))
    go = shutil.which("go")
    if go:
        r = subprocess.run([go, "tool", "pprof", "-top", "-unit=B",
                            "-sample_index=inuse_space", "pprof"], cwd=t.dir,
                           capture_output=True, text=True)
        t.true("go tool pprof", "7200B" in r.stdout and "leaking" in r.stdout,
               "7200 bytes", r.stdout + r.stderr)


@case
def sampled(t):
    """Some of the allocations: what they stand for is right, within five times
    the error that so many samples have."""
    for kind, n, threads, period in (("temporary", 3000, 1, "1k"),
                                     ("temporary", 30000, 4, "16k"),
                                     ("passed", 20000, 4, "1k"),
                                     ("family", 500, 2, "512k"),
                                     ("leaking", 50000, 2, "4k")):
        what = f"{kind} {n} {threads} {period}"
        said, seen = counted(t, kind, n, threads, opts=f",heap={period}")
        t.figure(f"{what}: samples", seen["samples"] > 50, "enough", seen)
        error = 5 / seen["samples"] ** 0.5
        t.near(f"{what}: bytes", said["total_bytes"], seen["total_bytes"],
               error * said["total_bytes"])
        t.near(f"{what}: live", said["live_bytes"], seen["live_bytes"],
               error * said["total_bytes"])
        t.true(f"{what}: not negative", 0 <= seen["live_blocks"] <=
               seen["total_blocks"], "some", seen)
        t.equal(f"{what}: of what it knows not", 0, seen["unknown_frees"] +
                seen["missed_ends"])


@case
def changed(t):
    """Blocks that realloc changes, cannot change, and frees."""
    compare(t, "growing", "growing", 50, 1)
    compare(t, "growing, 8 threads", "growing", 50, 8)


@case
def brief(t):
    """Freed at once, and never."""
    compare(t, "temporary", "temporary", 100, 1)
    compare(t, "leaking", "leaking", 1000, 1)
    said, seen, idle = compare(t, "leaking, 16 threads", "leaking", 1000, 16)
    t.between("peak", said["live_bytes"], seen["peak_bytes"],
              said["live_bytes"] + idle["total_bytes"])


@case
def at_the_peak(t):
    """Most that was live at once, of 1 to 64 threads."""
    for threads in (1, 2, 8, 64):
        _, seen, idle = compare(t, f"{threads} threads", "peak", 10, threads)
        own = threads * sum(range(1000, 1100))
        t.between(f"{threads} threads: peak", own, seen["peak_bytes"],
                  own + idle["total_bytes"])
        t.true(f"{threads} threads: others", idle["total_bytes"] < 1000 *
               (threads + 1), "what libc asks for", idle)


@case
def passed_on(t):
    """Freed by other threads than those that asked."""
    for threads in (2, pick(8, 64)):
        compare(t, f"{threads} threads", "passed", pick(20000, 200000),
                threads)


def sums_up(t, what, said, seen, least=0):
    """As said, and besides what libc asked for and gave back."""
    t.true(f"{what}: total", seen["total_blocks"] >= said["total_blocks"] +
           least, "all of its own", (said, seen))
    t.between(f"{what}: live", said["live_bytes"], seen["live_bytes"],
              said["live_bytes"] + 100000)


@case
def forks(t):
    """Children of a program whose threads ask for memory all the time."""
    n, threads = pick(20, 500), 8
    profdir = "forks"
    r = t.good([load("heaps"), "forking", n, threads], opts="mode=heap",
               profdir=profdir, timeout=300)
    said = {k: int(v) for k, v in (line.split()
                                   for line in r.text.splitlines())}
    parents = 0
    for path in t.files(profdir):
        seen, lost = info(t, path)
        if seen["total_blocks"] >= said["total_blocks"]:
            parents += 1
            t.equal("lost", {}, lost)
            sums_up(t, "parent", said, seen)
        else:
            t.equal(f"{path}: live", 7, seen["live_bytes"] % 1000)
    t.equal("parents", 1, parents)
    t.equal("files", n * threads + 1, len(t.files(profdir)))


@case
def threads_come_and_go(t):
    """Thousands of threads that live for one block share few records."""
    said, seen = counted(t, "threading", pick(100, 2000), 4)
    sums_up(t, "threading", said, seen)


@case
def text_comes_and_goes(t):
    """A library that is loaded and unloaded: what the loader asked for."""
    _, seen = counted(t, "loading", pick(100, 2000), 2)
    t.true("live", seen["live_bytes"] < 200000, "little", seen)
    t.equal("missed", 0, seen["missed_ends"])


@case
def real_programs(t):
    """Programs keep their output and status, and their heap adds up."""
    script = ("import json\nd = {str(i): [i] * 3 for i in range(20000)}\n"
              "s = json.dumps(d)\nprint(len(s), hash(tuple(json.loads(s)"
              "['7'])))")
    python = os.path.realpath(sys.executable)
    for argv in ([python, "-c", script],
                 ["perl", "-e", "$h{$_} = $_ x 10 for 1..50000; "
                  "print scalar(keys %h), \"\\n\""],
                 ["sh", "-c", "i=0; while [ $i -lt 200 ]; do i=$((i+1)); "
                  "x=$(echo $i); done; echo $x; exit 7"]):
        need(argv[0])
        profdir = os.path.basename(argv[0])
        t.both(argv, opts="mode=time+heap,heap=all", profdir=profdir)
        for path in t.files(profdir):
            seen, _ = info(t, path)
            t.true(f"{path}: peak", seen["peak_bytes"] >= seen["live_bytes"] >=
                   0, "above live", seen)


if __name__ == "__main__":
    main()
