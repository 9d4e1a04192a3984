#!/usr/bin/env python3
# Context: O.  Files of other profilers, as these read them themselves, and our
# own that were written for others, read back.
import collections
import csv
import os
import re
import struct
import subprocess

from harness import CLEAN, Failed, Skip, case, main, need

CODE = ["-O2", "-g", "-fno-omit-frame-pointer"]
LIBRARY = "libprofiler.so.0"


def tool(t, *argv, env=None, good=True):
    r = subprocess.run(argv, env={**CLEAN, "HOME": t.dir, **(env or {})},
                       cwd=t.dir, capture_output=True, text=True, timeout=300)
    if good and r.returncode != 0:
        raise Failed(f"{argv}: {r.returncode}\n{r.stderr[-1000:]}")
    return r


def stacks(t, *flags):
    return t.build("stacks.c", "stacks", *CODE, "-pthread", *flags)


def seconds(rows):
    """{function: seconds}; what has none is left out."""
    times = collections.Counter()
    for r in rows:
        times[r["function"]] += float(r["seconds"])
    return {k: v for k, v in times.items() if v > 0}


def same(t, what, wanted, got, slack):
    t.equal(f"{what}: names", sorted(k for k, v in wanted.items()
                                     if v > slack),
            sorted(k for k, v in got.items() if v > slack))
    for k in set(wanted) & set(got):
        t.near(f"{what}: {k}", wanted[k], got[k], slack)


def folded(t, *files):
    """{path: seconds}, a path outermost first."""
    t.prof("--write=folded", "-o", "back", *files)
    paths = collections.Counter()
    with open(os.path.join(t.dir, "back")) as f:
        for line in f:
            path, us = line.rsplit(" ", 1)
            paths[path] += int(us) / 1e6
    return paths


def written(t, form):
    t.prof(f"--write={form}", "-o", form, *t.files())
    return form


def profiled(t):
    t.good([stacks(t), "inlined"])
    return t.files()


@case
def back(t):
    """Files written for others are read back with equal stacks and table."""
    own = profiled(t)
    wanted = folded(t, *own)
    # Parts of a microsecond are carried from path to path.
    for form in ("folded", "perf", "pprof"):
        file = written(t, form)
        same(t, f"{form}: stacks", wanted, folded(t, file), 3e-6)
    table = seconds(t.rows(*own))
    for form in ("perf", "pprof"):
        same(t, f"{form}: table", table, seconds(t.rows(form)), 1e-8)
    # Microseconds at addresses, which are named here again; what is in no file
    # has no name.
    got = seconds(t.rows(written(t, "gperftools")))
    t.near("gperftools: leaf", table["leaf"], got["leaf"], 3e-5)
    t.near("gperftools: all", sum(table.values()), sum(got.values()), 3e-5)
    # Its costs are of the inlined function at a place, as those of --by=line.
    same(t, "callgrind: table", seconds(t.rows("--by=line", *own)),
         seconds(t.rows(written(t, "callgrind"))), 1e-8)


@case
def back_with_owners(t):
    """Processes come back from both, threads from pprof's: perf's text has no
    place for time of no thread, which is its first one's there."""
    exe = t.build("shares.c", "shares", "-O2", "-pthread", "-ldl")
    t.good([exe, "-t", "3", "-f", "2", "1"])

    def owners(by, keys, *files):
        got = collections.Counter()
        for r in t.rows(by, *files):
            got[tuple(r[k] for k in keys)] += float(r["seconds"])
        return got

    for form, by, keys in (
            ("perf", "--by=process", ("process", "program")),
            ("pprof", "--by=process,thread",
             ("process", "program", "thread", "thread_name"))):
        same(t, form, owners(by, keys, *t.files()),
             owners(by, keys, written(t, form)), 1e-6)


@case
def back_with_lines(t):
    """Lines of the source, and what is inlined, come back."""
    own = profiled(t)

    def lines(*files):
        got = collections.Counter()
        for r in t.rows("--by=line", *files):
            if r["file"]:
                got[r["function"], os.path.basename(r["file"]),
                    r["line"]] += float(r["seconds"])
        return got

    for form in ("pprof", "callgrind"):
        same(t, form, lines(*own), lines(written(t, form)), 1e-6)


@case
def compared(t):
    """--diff holds ours against a file of another profiler."""
    own = profiled(t)
    for form in ("pprof", "perf", "folded"):
        t.prof(f"--write={form}", "--no-inline", "-o", form, *own)
        text = t.prof("--csv", "--diff", form, *own).stdout
        # A busy machine may leave it few functions.
        t.true(f"{form}: some", len(text.splitlines()) > 1, "lines", text)
        for r in csv.DictReader(text.splitlines()):
            # A function in no module has none in pprof's mappings.
            if r["function"].startswith("["):
                continue
            keys = [k for k in r if "change" in k.lower()]
            t.equal(f"{form}: a column of changes", 1, len(keys[:1]))
            t.near(f"{form}: {r['function']}", 0, float(r[keys[0]]), 3e-6)


def perf(t, *argv, event="cpu-clock"):
    need("perf")
    r = tool(t, "perf", "record", "-q", "-e", event, "-o", "data",
             *argv, good=False)
    if r.returncode != 0 or not os.path.exists(os.path.join(t.dir, "data")):
        raise Skip(f"perf record: {r.stderr[-200:]}")


def perf_script(t, name, *options):
    text = tool(t, "perf", "script", "-i", "data", *options).stdout
    with open(os.path.join(t.dir, name), "w") as f:
        f.write(text)
    return text


def perf_report(t):
    """{symbol: seconds} as perf itself adds them up."""
    text = tool(t, "perf", "report", "-i", "data", "--stdio", "--no-children",
                "-g", "none", "-s", "sym", "-F", "period,sym", "-q").stdout
    got = collections.Counter()
    for line in text.splitlines():
        m = re.match(r"\s*(\d+)\s+\[[.k]\]\s+(\S.*?)\s*$", line)
        if m and not re.fullmatch(r"0x[0-9a-f]+|\[unknown\]", m[2]):
            got[m[2]] += int(m[1]) / 1e9
    if not got:
        raise Failed(f"perf report: {text[:500]}")
    return got


@case
def perf_with_callers(t):
    """perf report has the times of our table; the stacks are perf's."""
    perf(t, "-g", stacks(t), "inlined")
    perf_script(t, "a.perf", "--no-inline")
    got = seconds(t.rows("a.perf"))
    for name, s in perf_report(t).items():
        t.near(name, s, got.get(name, 0), 1e-9)
    perf_script(t, "b.perf", "-F", "+pid,+srcline")
    t.equal("lines", set(), {r["function"] for r in t.rows(
        "--by=line", "b.perf") if "stacks.c" in r["file"] and not r["line"]})
    # A stack with its leaf: as perf prints it.
    text = t.prof("--tree", "b.perf").stdout
    t.true("tree", re.search(r"main .*\[stacks\]\n.* leaf .*\[stacks\]", text),
           "leaf below main", text)


@case
def perf_without_callers(t):
    """One line a sample; the same sums."""
    perf(t, stacks(t), "inlined")
    text = perf_script(t, "a.perf")
    got = t.rows("a.perf")
    t.equal("samples", len(text.splitlines()),
            sum(int(r["samples"]) for r in got))
    own = seconds(got)
    for name, s in perf_report(t).items():
        t.near(name, s, own.get(name, 0), 1e-9)
    t.true("footer", f"{len(text.splitlines())} samples of cpu-clock" in
           t.prof("a.perf").stdout, "the number", t.prof("a.perf").stdout)


@case
def gperftools(t):
    """google-pprof has our table and our totals."""
    need("google-pprof")
    exe = stacks(t, "-Wl,--no-as-needed", f"-l:{LIBRARY}")
    tool(t, exe, "inlined", env={"CPUPROFILE": os.path.join(t.dir, "g.prof"),
                                 "CPUPROFILE_FREQUENCY": "1000"})
    text = tool(t, "google-pprof", "--text", exe,
                "g.prof").stdout
    total = re.search(r"^Total: (\d+) samples", text, re.M)
    # It counts inlined functions by themselves: so by address.
    raw = tool(t, "google-pprof", "--text", "--addresses", exe,
               "g.prof").stdout
    got = collections.Counter()
    for m in re.finditer(r"^\s*(\d+)\s+[0-9.]+%\s+[0-9.]+%\s+\d+\s+[0-9.]+%\s+"
                         r"(?:0x)?([0-9a-f]{16}) ", raw, re.M):
        if int(m[1]) != 0:
            got[m[2][-3:]] += int(m[1])
    rows = t.rows("--by=address", "g.prof")
    t.equal("samples", int(total[1]), sum(int(r["samples"]) for r in rows))
    own = collections.Counter()
    for r in rows:
        if int(r["samples"]):
            own[f"{int(r['address'], 16):016x}"[-3:]] += int(r["samples"])
    # A page is where it is, whatever the rest of the address.
    t.equal("samples by place in a page", dict(got), dict(own))
    names = {r["function"] for r in t.rows("g.prof")}
    t.true("names", "leaf" in names, "leaf", names)
    tree = folded(t, "g.prof")
    t.true("callers", any(re.search(";main;.*;leaf$", p) for p in tree),
           "main, and leaf in the end", tree)


# valgrind takes its time: little to do, and recursion.
SMALL = """
#include <stdio.h>
static inline __attribute__((always_inline)) int twice(int n)
{ volatile int x = n; return x * 2; }
__attribute__((noinline)) int leaf(int n)
{ int s = 0; for (int i = 0; i < 100; i++) s += twice(i * n); return s; }
__attribute__((noinline)) int down(int n)
{ int s = leaf(n); return n > 0 ? s + down(n - 1) : s; }
int main(void)
{ int s = 0; for (int i = 0; i < 100; i++) s += down(5) + leaf(i);
  printf("%d\\n", s); return 0; }
"""


def annotated(t, file, *options):
    """{function: cost} of callgrind_annotate."""
    text = tool(t, "callgrind_annotate", "--threshold=100", "--auto=no",
                *options, file).stdout
    got = collections.Counter()
    for m in re.finditer(r"^ *([0-9,]+) \( *[0-9.]+%\)  [^:\n]*:(.*?)"
                         r"(?: \[.*\])?$", text, re.M):
        got[m[2]] += int(m[1].replace(",", ""))
    return got


def costs(t, *args):
    got = collections.Counter()
    for r in t.rows(*args):
        ir = round(float(r["seconds"]) * 1e9)
        if ir:
            got[r["function"]] += ir
    return got


@case
def callgrind(t):
    """callgrind_annotate has our costs by function, exactly; calls too."""
    need("valgrind", "callgrind_annotate")
    source = os.path.join(t.dir, "small.c")
    with open(source, "w") as f:
        f.write(SMALL)
    exe = t.build(source, "small", "-O1")
    for name, options in (("a.out", ()), ("b.out", (
            "--dump-instr=yes", "--collect-jumps=yes", "--cache-sim=yes"))):
        tool(t, "valgrind", "-q", "--tool=callgrind",
             f"--callgrind-out-file={name}", *options, exe)
        wanted = annotated(t, name, "--show=Ir")
        t.equal(f"{name}: Ir", +wanted, costs(t, name))
        t.true(f"{name}: some", len(wanted) > 50, "many", len(wanted))
    t.equal("Dw", +annotated(t, "b.out", "--show=Dw", "--sort=Dw"),
            costs(t, "--read=callgrind:Dw", "b.out"))
    with open(os.path.join(t.dir, "a.out")) as f:
        calls = sum(int(x) for x in re.findall(r"^calls=(\d+)", f.read(),
                                               re.M))
    t.equal("calls", calls, sum(int(r["calls"] or 0) for r in t.rows("a.out")))


@case
def go(t):
    """A profile that Go's runtime wrote has go tool pprof's table."""
    need("go")
    with open(os.path.join(t.dir, "hot.go"), "w") as f:
        f.write("""package main

import (
	"os"
	"runtime/pprof"
)

//go:noinline
func work(n int) (x uint64) {
	for i := 0; i < n; i++ {
		x = x*6364136223846793005 + 1
	}
	return
}

func main() {
	f, _ := os.Create("go.pb.gz")
	pprof.StartCPUProfile(f)
	for i := 0; i < 300; i++ {
		work(1000000)
	}
	pprof.StopCPUProfile()
	f.Close()
}
""")
    tool(t, "go", "build", "-o", "hot", "hot.go",
         env={"GOCACHE": os.path.join(t.dir, "cache")})
    tool(t, os.path.join(t.dir, "hot"))
    text = tool(t, "go", "tool", "pprof", "-top", "-unit=ns",
                "-nodefraction=0", "go.pb.gz").stdout
    wanted = {m[2]: int(m[1]) / 1e9 for m in re.finditer(
        r"^\s*(\d+)(?:ns)?\s+[0-9.]+%\s+[0-9.]+%\s+\d+(?:ns)?\s+[0-9.]+%\s+"
        r"(\S+)$", text, re.M) if int(m[1])}
    t.true("main.work", "main.work" in wanted, "there", text)
    same(t, "top", wanted, seconds(t.rows("go.pb.gz")), 1e-9)


@case
def read_wrong(t):
    """--read that is wrong is one line, and exit 1."""
    with open(os.path.join(t.dir, "a.txt"), "w") as f:
        f.write("main;f 12\nmain 3\n")
    for form in ("perf", "callgrind", "gperftools", "pprof"):
        r = t.prof(f"--read={form}", "a.txt", good=False)
        t.equal(f"{form}: exit", 1, r.returncode)
        t.equal(f"{form}: lines", 1, len(r.stderr.splitlines()))
        t.true(f"{form}: which", r.stderr.startswith("prof: a.txt: "),
               "the file", r.stderr)
        t.equal(f"{form}: output", "", r.stdout)
    t.equal("folded", {"f": 12e-6, "main": 3e-6},
            seconds(t.rows("--read=folded", "a.txt")))
    r = t.prof("--read=foo", "a.txt", good=False)
    t.equal("no such format", 2, r.returncode)


@case
def text_segments(t):
    """A gperftools profile of a program with two text segments that share a
    page of the file: each function by its own name."""
    for pie in ("-no-pie", "-pie"):
        exe = t.build("objects.c", "objects", pie, "-fno-inline",
                      '-DEARLY=__attribute__((section(".early")))',
                      '-DLATE=__attribute__((section(".late")))',
                      "-Wl,--section-start=.early=0x8000000",
                      "-Wl,--section-start=.late=0x9000800")
        names = subprocess.run([need("nm"), exe], env=CLEAN, text=True,
                               capture_output=True).stdout.split("\n")
        at = {x.split()[2]: int(x.split()[0], 16) for x in names
              if len(x.split()) == 3}
        map_ = t.run([exe, "map"], mon=False).out.decode()
        own = [x for x in map_.splitlines(True) if x.endswith(exe + "\n")]
        bias = int(own[0].split("-")[0], 16) if pie == "-pie" else 0
        words = [0, 3, 0, 10000, 0]
        for name, n in (("busy", 7), ("idle", 2), ("drive", 1)):
            words += [n, 1, bias + at[name] + 4]
        words += [0, 1, 0]
        path = os.path.join(t.dir, "cpu.prof")
        with open(path, "wb") as f:
            f.write(struct.pack(f"<{len(words)}Q", *words))
            f.write("".join(own).encode())
        got = {r["function"]: int(r["samples"]) for r in t.rows(path)}
        t.equal(pie, {"busy": 7, "idle": 2, "drive": 1}, got)


if __name__ == "__main__":
    main()
