#!/usr/bin/env python3
# Context: O.  Allocations are counted to the byte: against programs that know
# what they ask for, and real ones that must not notice.
import glob
import os
import shutil
import subprocess
import sys
import time

from harness import CLEAN, LIB, Skip, case, load, main, need, pick

SAME = ("total_bytes", "total_blocks", "live_bytes", "live_blocks",
        "temporary_blocks", "resized_blocks")


def info(t, path):
    """Return the figures of the heap, and its losses, by name."""
    p, = t.profiles(files=[path])
    seen = {k[5:]: int(v) for k, v in p.info.items() if k.startswith("heap.")}
    return seen, {k: v for k, v in p.loss.items() if k.startswith("HEAP")}


def counted(t, *args, opts="", preload=None):
    """Return the figures of the program, and ours."""
    profdir = f"profs{len(os.listdir(t.dir))}"
    r = t.good([load("heaps"), *args], opts="mode=heap" + opts,
               profdir=profdir,
               env={"LD_PRELOAD": preload} if preload else None)
    path, = t.files(profdir)
    said = {k: int(v) for k, v in (line.split()
                                   for line in r.text.splitlines())}
    seen, lost = info(t, path)
    t.equal(f"{args}: lost", {}, lost)
    return said, seen


def compare(t, what, kind, n, threads, **how):
    """To the byte, beyond what the same number of threads costs."""
    none, idle = counted(t, kind, 0, threads, **how)
    said, seen = counted(t, kind, n, threads, **how)
    t.equal(f"{what}: nothing else", 0, none["total_bytes"])
    for key in SAME:
        t.equal(f"{what}: {key}", said[key], seen[key] - idle[key])
    return said, seen, idle


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
    """The stack of a lane's previous thread is not there any more."""
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
    t.true("foot", "1 file of 1; bytes given out: " in text and
           "at the peak: " in text, "its sums", text)
    t.good([load("kinds"), "burn", 0.05], profdir="time")
    text = t.prof("--heap", *t.files("time")).stdout
    t.true("none", "no allocation was counted" in text, "said so", text)
    t.true("not its time", "burn" not in text, "no line", text)
    text = t.prof(path).stdout
    t.true("hint", "--heap shows them" in text, "where they are", text)


CXX = """#include <cstdlib>
#include <cstring>
#include <map>
#include <new>
#include <string>
struct big { char room[100]; };
struct alignas(64) wide { char room[128]; };
#define KEEP __attribute__((noinline))
KEEP big *one() { return new big; }
KEEP big *many() { return new big[10]; }
KEEP big *quiet() { return new (std::nothrow) big; }
KEEP wide *aligned() { return new wide; }
KEEP char *copy() { return strdup("123456789"); }
KEEP char *too_much(size_t n) { return new char[n]; }
int main()
{
	int caught = 0;
	for (int i = 0; i < 100; i++) {
		delete one();
		delete[] many();
		delete quiet();
		delete aligned();
		try { too_much((size_t)1 << 62); }
		catch (std::bad_alloc &) { caught++; }
	}
	std::map<int, std::string> m;
	for (int i = 0; i < 1000; i++)
		m[i] = std::string(100, 'x');
	copy();
	return caught != 100 || m.size() != 1000;
}
"""


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


def compile(t, name, text, *flags, cc="g++"):
    source = os.path.join(t.dir, name + (".cc" if cc == "g++" else ".c"))
    with open(source, "w") as f:
        f.write(text)
    exe = os.path.join(t.dir, name)
    r = subprocess.run([need(cc), "-g", "-O1", "-o", exe, source, *flags],
                       capture_output=True, text=True)
    if r.returncode != 0:
        raise Skip(f"{name} does not compile: {r.stderr[-300:]}")
    return exe


def expect_operators(t, what, exe, preload=LIB):
    profdir = f"profs{len(os.listdir(t.dir))}"
    t.good([exe], opts="mode=heap", profdir=profdir,
           env={"LD_PRELOAD": preload})
    path, = t.files(profdir)
    rows = {r["function"]: (int(r["total_blocks"]), int(r["total_bytes"]),
                            int(r["live_bytes"]))
            for r in t.rows("--heap", "--no-demangle", path)}
    for name, wanted in (("_Z3onev", (100, 10000, 0)),
                         ("_Z4manyv", (100, 100000, 0)),
                         ("_Z5quietv", (100, 10000, 0)),
                         ("_Z7alignedv", (100, 12800, 0)),
                         ("_Z8too_muchm", None),
                         ("_Z4copyv", (1, 10, 10))):
        t.equal(f"{what}: {name}", wanted, rows.get(name))
    t.equal(f"{what}: operators", [], [name for name in rows if
                                       name.startswith(("_Znw", "_Zna"))])
    seen, lost = info(t, path)
    t.equal(f"{what}: all is known", (0, 0, {}),
            (seen["unknown_frees"], seen["missed_ends"], lost))


@case
def operators(t):
    """Blocks of operator new and strdup are charged to their callers; one that
    throws gives nothing out."""
    expect_operators(t, "libstdc++", compile(t, "new", CXX))


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
        t.true(f"{what}: samples", seen["samples"] > 50, "enough", seen)
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
    """Thousands of threads that live for one block; few lanes."""
    said, seen = counted(t, "threading", pick(100, 2000), 4)
    sums_up(t, "threading", said, seen)


@case
def text_comes_and_goes(t):
    """A library that is loaded and unloaded: what the loader asked for."""
    _, seen = counted(t, "loading", pick(100, 2000), 2)
    t.true("live", seen["live_bytes"] < 200000, "little", seen)
    t.equal("missed", 0, seen["missed_ends"])


def runs_bare(path):
    """mimalloc 2.0 ends the workload without us, too."""
    return subprocess.run([load("heaps"), "growing", "100", "4"],
                          env={**CLEAN, "LD_PRELOAD": path},
                          stdout=subprocess.DEVNULL).returncode == 0


def allocators():
    found = [p for name in ("jemalloc.so.2", "tcmalloc.so.4",
                            "tcmalloc_minimal.so.4", "mimalloc.so.2")
             for p in glob.glob(f"/usr/lib/*/lib{name}") if runs_bare(p)]
    if not found:
        raise Skip("no other allocator is installed")
    return found


@case
def other_allocators(t):
    """Preloaded before us or after us, all is as exact."""
    for path in allocators():
        for preload in (f"{LIB}:{path}", f"{path}:{LIB}"):
            for kind in ("growing", "passed", "leaking"):
                compare(t, f"{preload}: {kind}", kind, 100, 4,
                        preload=preload)


@case
def their_operators(t):
    """Allocators have operators of their own, that call no malloc."""
    exe = compile(t, "new", CXX)
    for path in allocators():
        expect_operators(t, f"{path} after", exe, f"{LIB}:{path}")
        expect_operators(t, f"{path} before", exe, f"{path}:{LIB}")
        expect_operators(t, f"{path} linked",
                         compile(t, "linked", CXX, path))


WRAP = """#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
void *malloc(size_t n)
{
	static void *(*next)(size_t);
	if (next == NULL)
		next = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
	return next(n);
}
void free(void *p)
{
	static void (*next)(void *);
	if (next == NULL)
		next = (void (*)(void *))dlsym(RTLD_NEXT, "free");
	next(p);
}
"""

LOADED = """#include <stdlib.h>
void *volatile kept[100];
int loaded(void)
{
	for (int i = 0; i < 100; i++)
		kept[i] = malloc(1000 + i);
	for (int i = 0; i < 50; i++)
		free(kept[i]);
	return kept[99] != NULL;
}
"""

LOADS = """#include <dlfcn.h>
int main(int argc, char **argv)
{
	void *h = dlopen(argv[1], RTLD_LAZY | RTLD_LOCAL);
	int (*f)(void) = h == 0 ? 0 : (int (*)(void))dlsym(h, "loaded");
	return argc != 2 || f == 0 || !f();
}
"""


@case
def one_before_us(t):
    """Who wraps the malloc behind it finds that, and not us; what is loaded
    later comes to us, too; the program's own malloc is out of reach."""
    wrap = compile(t, "wrap.so", WRAP, "-shared", "-fPIC", cc="gcc")
    library = compile(t, "loaded.so", LOADED, "-shared", "-fPIC", cc="gcc")
    program = compile(t, "loads", LOADS, cc="gcc")
    for before in [wrap] + allocators():
        compare(t, f"{before}", "leaking", 100, 4,
                preload=f"{before}:{LIB}")
        profdir = f"profs{len(os.listdir(t.dir))}"
        t.good([program, library], opts="mode=heap", profdir=profdir,
               env={"LD_PRELOAD": f"{before}:{LIB}"})
        rows = {r["function"]: r for r in t.rows("--heap", *t.files(profdir))}
        t.equal(f"{before}: loaded later", ("100", "50"),
                (rows["loaded"]["total_blocks"],
                 rows["loaded"]["live_blocks"]))
    own = compile(t, "own", WRAP + LOADED.replace("int loaded", "int main")
                  .replace("!= NULL", "== NULL"), "-rdynamic", cc="gcc")
    t.good([own], opts="mode=heap", profdir="alone")
    seen, lost = info(t, t.files("alone")[0])
    t.equal("the program's own", ({}, ["HEAP_BEHIND"]), (seen, list(lost)))


@case
def growth(t):
    """A staircase: each step is where it was, and what is resident goes
    along."""
    steps, size = 6, 4 << 20
    script = ("import time\nkept = []\n"
              f"for i in range({steps}):\n"
              f"    kept.append(bytearray(b'x') * {size})\n"
              "    time.sleep(0.05)\n"
              "    for j in range(2000): bytearray(1000)\n")
    began = time.monotonic()
    t.good([os.path.realpath(sys.executable), "-c", script],
           opts="mode=heap")
    took = time.monotonic() - began
    path, = t.files()
    rows = t.rows("--heap=growth", "--csv", path)
    at = [float(r["seconds"]) for r in rows]
    live = [int(r["live_bytes"]) for r in rows]
    t.true("in time", at == sorted(at) and 0 <= at[0] and at[-1] <= took + 0.1,
           "ascending", at)
    for n in range(1, steps):
        t.true(f"step {n}", any(n * size <= x < (n + 1) * size for x in live),
               "a moment there", [x / size for x in live])
    seen, _ = info(t, path)
    t.true("no more than the peak", max(live) <= seen["peak_bytes"],
           seen["peak_bytes"], max(live))
    resident = [(int(r["resident_bytes"]), int(r["live_bytes"]))
                for r in rows if r["resident_bytes"]]
    t.true("resident", len(resident) > 2 and
           all(r >= x for r, x in resident), "not less than live", resident)
    sizes = t.rows("--heap=sizes", "--csv", path)
    t.equal("sizes", seen["total_blocks"], sum(int(r["blocks"])
                                               for r in sizes))
    t.true("of the steps", any(int(r["least_bytes"]) <= size <= int(
        r["most_bytes"]) and int(r["blocks"]) >= steps for r in sizes),
        "so many", sizes)


def maps_of(t, path):
    p, = t.profiles(files=[path])
    t.equal("lost", {}, {k: v for k, v in p.loss.items() if "HEAP" in k})
    return {k[5:]: int(v) for k, v in p.info.items() if
            k.startswith("maps.")}


@case
def mappings(t):
    """Page by page, beside an account of the program's own."""
    for what, steps, threads, heap in (
            ("alone", 3000, 1, "mmap"), ("with blocks", 2000, 1, "all"),
            ("sampled blocks", 2000, 1, "512k+mmap"),
            ("in threads", pick(2000, 8000), 6, "mmap"),
            ("no stacks", 2000, 3, "all,stack=off")):
        profdir = what.replace(" ", "-")
        r = t.good([load("mappings"), steps, threads], profdir=profdir,
                   opts=f"mode=heap,heap={heap}")
        path, = t.files(profdir)
        said = {k: int(v) for k, v in (x.split()
                                       for x in r.text.splitlines())}
        seen = maps_of(t, path)
        for key in said:
            if key != "peak_bytes" or threads == 1:
                t.equal(f"{what}: {key}", said[key], seen[key])
        t.true(f"{what}: peak", seen["live_bytes"] <= seen["peak_bytes"] <=
               said["peak_bytes"], "in between", seen)
        p, = t.profiles(files=[path])
        rows = t.rows("--heap=mapped", "--csv", path)
        t.equal(f"{what}: rows", [said["live_bytes"], said["total_bytes"],
                                  said["total_blocks"], seen["peak_bytes"]],
                [sum(int(r[c]) for r in rows) for c in (
                    "mapped_bytes", "mapped_total_bytes", "mappings",
                    "mapped_peak_bytes")])
        t.true(f"{what}: who did", {"makes", "replaces", "moves", "grows"} <=
               {r["function"].split(".")[0] for r in rows
                if int(r["mappings"])},
               "all four", [r["function"] for r in rows])
        if heap == "mmap":
            r = t.prof("--heap=sizes", path, good=False)
            t.equal(f"{what}: sizes", (1, "prof: mappings were counted, and "
                                        "nothing else"),
                    (r.returncode, r.stderr.split(";")[0]))
        if "k" not in heap:
            t.equal(f"{what}: blocks", heap.startswith("mmap"),
                    p.info["heap.total_blocks"] == "0")


@case
def mappings_of_allocators(t):
    """Mappings that handlers make amid a call are theirs, with blocks counted
    or not."""
    def mapped(preload, heap):
        # Where it has luck with what the kernel gives it: at times it asks
        # again.
        least = None
        for i in range(4):
            profdir = f"profs{len(os.listdir(t.dir))}"
            t.good([load("heaps"), "leaking", 20000, 1],
                   opts=f"mode=heap,heap={heap}", profdir=profdir,
                   env={"LD_PRELOAD": preload})
            # One that has system calls of its own leaves no file.
            n = sum(maps_of(t, file)["total_bytes"]
                    for file in t.files(profdir))
            least = n if least is None else min(least, n)
        return least

    total = 0
    for path in allocators():
        for preload in (f"{LIB}:{path}", f"{path}:{LIB}"):
            both = mapped(preload, "all")
            t.near(f"{preload}: bytes", mapped(preload, "mmap"), both,
                   1 << 20)
            total += both
    t.true("bytes", total > 1 << 20, "some", total)


BESIDE = """#include <stdlib.h>
#include <sys/mman.h>
void *volatile kept[20];
int main(void)
{
	for (int i = 0; i < 10; i++) {
		kept[2 * i] = mmap(0, 1 << 20, PROT_NONE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		kept[2 * i + 1] = malloc(8 << 20);
	}
	return 0;
}
"""


@case
def mappings_beside_blocks(t):
    """By one function, so that both calls come from the same stack pointer."""
    exe = compile(t, "beside", BESIDE, cc="gcc")
    files = 0
    for path in allocators():
        profdir = os.path.basename(path)
        t.good([exe], opts="mode=heap,heap=all", profdir=profdir,
               env={"LD_PRELOAD": f"{LIB}:{path}"})
        # maps_of() also says that nothing was lost.
        seen = [maps_of(t, file)["total_bytes"] for file in t.files(profdir)]
        t.true(f"{profdir}: mapped", all(n > 10 << 20 for n in seen),
               "also for blocks", seen)
        files += len(seen)
    # One that has system calls of its own leaves none.
    t.true("files", files > 0, "of some allocator", files)


@case
def mappings_of_children(t):
    """A child knows nothing of what its parent mapped, nor loses it."""
    script = ("import mmap, os\n"
              "a = mmap.mmap(-1, 1 << 20)\n"
              "if os.fork() == 0:\n"
              "    b = mmap.mmap(-1, 1 << 16)\n"
              "    a.close()\n"
              "    os._exit(0)\n"
              "os.wait()\n"
              "a.close()\nc = mmap.mmap(-1, 1 << 22)\nos._exit(0)\n")
    t.good([os.path.realpath(sys.executable), "-c", script],
           opts="mode=heap,heap=mmap")
    seen = [maps_of(t, path) for path in t.files()]
    child, parent = sorted(seen, key=lambda s: s["total_bytes"])
    t.equal("the child's", [1 << 16] * 2, [
        child["total_bytes"], child["live_bytes"]])
    t.true("the parent's", parent["total_bytes"] - parent["live_bytes"] >=
           1 << 20 and parent["live_bytes"] >= 1 << 22, "both", parent)


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
