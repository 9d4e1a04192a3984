#!/usr/bin/env python3
# Context: O.  Allocations counted in a storm: of signals, forks, threads that
# come and go, and want of memory and of room; nothing breaks, sums are sums.
import os
import signal
import time

from harness import LIB, case, load, main, pick

OWN = "heapstorm"


def sums(t, p, calls=False):
    """Nothing is negative, and all is below what it is of."""
    h = {k[5:]: int(v) for k, v in p.info.items()
         if k.startswith("heap.") and v.isdigit()}
    t.true(f"{p.name}: in order", 0 <= h["live_bytes"] <= h["peak_bytes"] <=
           h["total_bytes"] < 1 << 60 and h["live_blocks"] <=
           h["total_blocks"], "live, peak, total", h)
    lost = {k: v for k, v in p.loss.items() if k.startswith("HEAP")}
    for row in t.rows("--heap", p.path) if calls else ():
        bad = [k for k, v in row.items() if k.endswith(("bytes", "blocks"))
               and v and not 0 <= int(v) < 1 << 60]
        t.equal(f"{row['function']}: columns", [], bad)
    return h, lost


def said(run):
    return {k: int(v) for k, v in (line.split()
                                   for line in run.text.splitlines())}


def storm(t, what, n, threads, opts="mode=heap", **how):
    """Its parent, by the size of its file, and its children."""
    lib = t.build("heapsafe_lib.c", "safe.so", "-fno-builtin", "-shared",
                  "-fPIC")
    profdir = f"{what}{threads}"
    r = t.good([load(OWN), what, n, threads], opts=opts, profdir=profdir,
               env={"LD_PRELOAD": f"{LIB}:{lib}"}, timeout=300, **how)
    profiles = [p for p in t.profiles(profdir) if "heap.total_blocks" in
                p.info]
    own, = [p for p in profiles if p.pid == r.pid]
    return said(r), own, [p for p in profiles if p is not own]


@case
def signals(t):
    """All is known of each block, however often a handler comes between."""
    for threads in (1, 4):
        told, own, _ = storm(t, "calm", pick(200000, 2000000), threads)
        h, lost = sums(t, own, True)
        t.equal("lost", {}, lost)
        t.between("blocks", told["blocks"], h["total_blocks"],
                  told["blocks"] + 4 * threads + 4)


@case
def handlers_that_allocate(t):
    """Blocks that handlers ask for amid a call are lost, and counted as
    that."""
    for threads in (1, 4):
        told, own, _ = storm(t, "nested", pick(200000, 2000000), threads)
        h, lost = sums(t, own, True)
        t.true("lost", set(lost) <= {"HEAP_NESTED"}, "nested ones", lost)
        t.true("blocks", h["total_blocks"] >= told["blocks"], told["blocks"],
               h)


@case
def handlers_that_map(t):
    """Amid an allocation, too: none is lost, and the blocks are as they
    were."""
    for threads in (1, 4):
        told, own, _ = storm(t, "maps", pick(200000, 2000000), threads,
                             opts="mode=heap,heap=all")
        h, lost = sums(t, own, True)
        t.equal("lost", {}, lost)
        t.between("blocks", told["blocks"], h["total_blocks"],
                  told["blocks"] + 4 * threads + 4)
        t.figure("many", told["mapped"] > 100, "mappings", told)
        # heapsafe_lib.c has one, and storm_of_signals().
        t.equal("mappings", told["mapped"] + 2,
                int(own.info["maps.total_blocks"]))


@case
def handlers_that_jump(t):
    """siglongjmp() out of a call: what it had is given up, the rest goes on."""
    for threads in (1, 4):
        told, own, _ = storm(t, "jumping", pick(200000, 2000000), threads)
        h, lost = sums(t, own, True)
        t.true("lost", set(lost) == {"HEAP_LEFT"}, "what was left", lost)
        t.between("blocks", told["blocks"], h["total_blocks"],
                  told["blocks"] + lost.get("HEAP_LEFT", 0) + 100)


@case
def handlers_that_jump_out_of_mmap(t):
    """A call's own mapping is given up, and not what all others mapped."""
    for threads in (1, 4):
        told, own, _ = storm(t, "mapping", pick(5000, 15000), threads,
                             opts="mode=heap,heap=mmap")
        lost = {k: v for k, v in own.loss.items() if k.startswith("HEAP")}
        t.true("lost", set(lost) == {"HEAP_LEFT"}, "what was left", lost)
        m = {k[5:]: int(v) for k, v in own.info.items()
             if k.startswith("maps.")}
        t.true("in order", 0 <= m["live_bytes"] <= m["peak_bytes"] <=
               m["total_bytes"], "live, peak, total", m)
        t.between("mappings", told["blocks"], m["total_blocks"],
                  told["blocks"] + lost.get("HEAP_LEFT", 0) + 100)
        kept = [int(r["mapped_bytes"]) for r in t.rows(
            "--heap=mapped-total", "--csv", own.path)
            if r["function"].startswith("storm_of_signals")]
        t.equal("unmapped at the end", [0], kept)


@case
def handlers_whose_children_fork(t):
    """At any instruction of a call, which goes on in each child."""
    for levels, opts in ((1, ""), (2, ""), (3, ""), (1, ",heap=1k"),
                         (2, ",heap=512k")):
        r = t.good([load("heapforks"), levels, pick(150, 1500)],
                   opts=f"mode=heap{opts}", profdir=f"forks{levels}{opts}",
                   timeout=300)
        t.equal(f"{levels}{opts}: children", "wrong 0", r.text.strip())


@case
def handlers_that_fork(t):
    """The child goes on with the call that its parent was at."""
    for threads in (1, 4):
        _, own, children = storm(t, "forking", pick(100000, 1000000), threads)
        _, lost = sums(t, own)
        t.equal("lost", {}, lost)
        t.true("children", len(children) > 0, "some", children)
        for p in children:
            h, lost = sums(t, p)
            t.between(f"{p.name}: blocks", 1000, h["total_blocks"], 1010)
            t.equal(f"{p.name}: lost", {}, lost)


@case
def threads_that_are_cancelled(t):
    """In the midst of a call, or anywhere; others take their records."""
    for what in ("cancelled", "ended"):
        began = time.monotonic()
        few = storm(t, what, 100, 8)[1]
        t.figure(f"{what}: time", time.monotonic() - began < 5,
                 "nobody waits for who is gone", time.monotonic() - began)
        many = storm(t, what, pick(800, 20000), 8)[1]
        sums(t, few)
        sums(t, many)
        size = [os.path.getsize(p.path) for p in (few, many)]
        t.true(f"{what}: the file", size[1] < 2 * size[0] + 100000,
               "does not grow with them", size)


@case
def thousands_of_threads(t):
    """At once, and destructors that go on when they have ended."""
    n = pick(300, 10000)
    told, own, _ = storm(t, "at_once", 1, n)
    h, lost = sums(t, own)
    t.equal("lost", {}, lost)
    t.between("blocks", told["blocks"], h["total_blocks"],
              told["blocks"] + 3 * n + 10)


@case
def want_of_memory(t):
    """malloc fails, for us or for the program; it is told the same."""
    for opts in ("mode=heap", "mode=heap,heapsize=4m", "mode=heap,size=1m"):
        for room in (100, 300, 1000):
            both = [t.run([load(OWN), "greedy", room, 4], mon=mon, opts=opts,
                          profdir=f"g{room}{opts}") for mon in (False, True)]
            t.equal(f"{room}: end", both[0].status, both[1].status)
            t.equal(f"{room}: says", both[0].text, both[1].text)
            for p in t.profiles(f"g{room}{opts}"):
                if "heap.total_blocks" in p.info:
                    sums(t, p, True)


@case
def want_of_room(t):
    """The file may not grow: losses, and sums of what there was room for."""
    for k in (4, 64, 400):
        r = t.run(["sh", "-c", f"ulimit -f {k}; exec \"$@\"", "sh",
                   load(OWN), "at_once", "1", "64"], opts="mode=heap",
                  profdir=f"f{k}")
        t.equal(f"{k}: end", "exit 0", r.status)
        for p in t.profiles(f"f{k}"):
            if "heap.total_blocks" in p.info:
                sums(t, p, True)


@case
def killed(t):
    """All is in the file but what the calls under way had."""
    for i in range(pick(4, 40)):
        p = t.start([load(OWN), "calm", 1 << 40, 4], opts="mode=heap",
                    profdir=f"k{i}")
        time.sleep(0.1 + 0.01 * (i % 10))
        os.kill(p.pid, signal.SIGKILL)
        t.finish(p)
        own, = [x for x in t.profiles(f"k{i}") if x.pid == p.pid]
        h, lost = sums(t, own, True)
        t.equal("lost", {}, lost)
        t.true("blocks", h["total_blocks"] > 1000, "many", h)


if __name__ == "__main__":
    main()
