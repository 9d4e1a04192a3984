#!/usr/bin/env python3
# Context: O.  Live control of counted allocations: modes that are turned on
# and off, children of a process that has an order, and resets.
import os
import shutil
import subprocess
import time

from controlled import (
    answered, control, finish, launch, not_lost, parts, say, tell)
from harness import case, load, main, pick


def heap(t, *files):
    p, = t.profiles(files=files or None)
    return {k[5:]: int(v) for k, v in p.info.items() if k.startswith("heap.")}


def do(p, n, line):
    """The n-th line, and until it is done."""
    say(p, line)
    answered(p, n)
    return n + 1


@case
def modes(t):
    """The mode, time or allocations, changes while the program runs: of blocks
    from before nothing is known, and of the others the end is."""
    p = launch(t)
    n = do(p, 1, "keep 10")
    n = do(p, n, "a 0.3")
    tell(t, p.pid, "mode=time+heap", "armed")
    n = do(p, n, "a 0.2")
    n = do(p, n, "keep 5")
    tell(t, p.pid, "mode=heap", "armed")
    n = do(p, n, "b 0.3")
    n = do(p, n, "keep 20")
    seen = heap(t)
    t.equal("given out", (25, 2500),
            (seen["total_blocks"], seen["total_bytes"]))
    tell(t, p.pid, "mode=time", "armed")
    n = do(p, n, "c 0.2")
    n = do(p, n, "keep 40")
    n = do(p, n, "drop 50")
    seen = heap(t)
    t.equal("not counted any more", 25, seen["total_blocks"])
    t.equal("their end is", (15, 1500),
            (seen["live_blocks"], seen["live_bytes"]))
    t.equal("that of others is not", 0, seen["unknown_frees"])
    tell(t, p.pid, "stop", "armed")
    tell(t, p.pid, "mode=time+heap", "armed")
    n = do(p, n, "b 0.2")
    n = do(p, n, "keep 100")
    t.equal("stopped", 25, heap(t)["total_blocks"])
    tell(t, p.pid, "start", "armed")
    n = do(p, n, "b 0.2")
    n = do(p, n, "keep 1")
    row = control(t, p.pid, "status")[0]
    t.equal("mode", "time+heap", row["mode"])
    r = finish(t, p)
    t.equal("at the end", 26, heap(t)["total_blocks"])
    seen = parts(t)
    t.near("time, beside", 0.5, seen["part_a"], 0.04)
    # A start can take 100 ms of its time, once nobody kicks it any more.
    t.between("once of three", 0.09, seen["part_b"], 0.21)
    t.between("time again", 0.09, seen["part_c"], 0.21)
    not_lost(t, "modes", 0.06)


def allocates(t, opts, *steps):
    """The program executes the lines one by one, and reads the next while it
    sleeps.  Return the blocks of 100 bytes that were counted."""
    p = launch(t, opts=opts)
    n = do(p, 1, "sleep 0.01")          # stdio has allocated its buffers
    for step in steps:
        if step.split()[0] in ("keep", "drop", "fork", "vfork", "clone"):
            n = do(p, n, step)
        else:
            tell(t, p.pid, step, "armed")
    finish(t, p)
    files = t.files()
    rows = [r for r in t.rows("--heap", "--csv", *files)
            if r["function"] in ("keep", "main", "child")]
    for file in files:
        os.unlink(file)
    return sum(int(r["total_bytes"]) for r in rows) // 100


@case
def the_next_allocation_obeys(t):
    """An order holds from the first allocation after it, without a tick."""
    for what, opts, steps, wanted in (
            ("stop, start", "mode=heap",
             ("keep 10", "stop", "keep 30", "drop 5", "start", "keep 7"), 17),
            ("mode=time", "mode=time+heap",
             ("keep 10", "mode=time", "keep 30", "mode=heap", "keep 2"), 12),
            ("end", "mode=time+heap",
             ("keep 10", "drop 10", "end", "keep 30"), 0),
            ("end, start", "mode=time+heap",
             ("keep 10", "drop 10", "end", "keep 30", "start", "keep 4"), 4),
            ("from a stop on", "mode=heap,start=off",
             ("keep 30", "start", "keep 8", "stop", "keep 30"), 8),
            ("some of them", "mode=heap,heap=1",
             ("keep 10", "stop", "keep 30", "start", "keep 7"), 17),
            ("a chain of orders", "mode=heap",
             ("stop", "start", "stop", "keep 9", "mode=time", "start",
              "keep 9", "mode=heap", "keep 3"), 3)):
        t.equal(what, wanted, allocates(t, opts, *steps))


@case
def children_of_the_armed(t):
    """A child begins as the order says that its sleeping parent has not taken
    yet, whichever way it is made: neither allocations nor time are counted."""
    for order in ("stop", "mode=time", "end"):
        for how in ("fork", "vfork", "clone"):
            t.equal(f"{order}, {how}: blocks", 0 if order == "end" else 10,
                    allocates(t, "mode=heap", "keep 10", order,
                              f"{how} 30"))
    for how in ("fork", "clone"):
        t.equal(f"start, {how}: blocks", 30, allocates(
            t, "mode=heap,start=off", "start", f"{how} 30"))
    p = launch(t, opts="mode=time")
    n = do(p, 1, "a 0.2")
    tell(t, p.pid, "stop", "armed")
    n = do(p, n, "fork 1")
    n = do(p, n, "clone 1")
    finish(t, p)
    t.equal("time of children", 0, parts(t)["part_c"])


OWN_MALLOC = """
#include <stddef.h>
static char pool[1 << 20] __attribute__((aligned(16)));
static size_t used;
void *malloc(size_t n)
{
	used += (n + 15) & ~(size_t)15;
	return used > sizeof(pool) ? 0 : pool + used - ((n + 15) & ~(size_t)15);
}
void free(void *p) { (void)p; }
"""


@case
def malloc_of_its_own(t):
    """Who has its own malloc is known before it is told: asleep or awake, the
    order is refused, and what else it says is obeyed.  In a directory it is a
    loss of those that come later."""
    with open(os.path.join(t.dir, "own.c"), "w") as f:
        f.write(OWN_MALLOC)
    own = t.build("commands.c", "own", os.path.join(t.dir, "own.c"),
                  "-rdynamic", "-pthread", "-fno-builtin")
    p = t.start([own], stdin=subprocess.PIPE, opts="mode=time")
    n = do(p, 1, "a 0.2")

    def refused(what):
        rows = control(t, p.pid, "mode=time+heap", good=False)
        t.equal(f"{what}: answer", ["refused"], [r["answer"] for r in rows])
        t.equal(f"{what}: mode", ["time"], [r["mode"] for r in rows])
    refused("asleep")
    say(p, "b 1")
    time.sleep(0.2)
    refused("awake")
    answered(p, n)
    refused("again")
    tell(t, p.pid, "stop", "armed")
    finish(t, p)
    t.equal("no loss", 0, t.profiles()[0].loss.get("HEAP_BEHIND", 0))
    t.prof("--control", "profs", "mode", "time+heap")
    p = t.start([own], stdin=subprocess.PIPE, opts="mode=time")
    do(p, 1, "a 0.2")
    finish(t, p)
    t.equal("who comes later", 1, max(q.loss.get("HEAP_BEHIND", 0)
                                      for q in t.profiles()))


@case
def allocations_begin_anew(t):
    """Blocks that were live before are forgotten; the peak is the most since
    then."""
    def is_now(what, total, live, peak):
        seen = heap(t)
        rows = t.rows("--heap", "--csv", *t.files())
        t.equal(what, (total, live, 100 * (total - live), 100 * peak,
                       100 * peak), (
            seen["total_blocks"], seen["live_blocks"],
            *(sum(int(r[c]) for r in rows) for c in (
                "freed_bytes", "peak_bytes")), seen["peak_bytes"]))

    p = launch(t)
    n = do(p, 1, "a 0.2")           # stdio has allocated its buffers
    tell(t, p.pid, "mode=time+heap", "armed")
    n = do(p, n, "a 0.2")
    n = do(p, n, "keep 30")
    n = do(p, n, "drop 20")
    is_now("before", 30, 10, 30)
    tell(t, p.pid, "end", "armed")
    is_now("then", 0, 0, 0)
    n = do(p, n, "drop 2")
    is_now("less of what was before", 0, 0, 0)
    tell(t, p.pid, "start", "armed")
    n = do(p, n, "a 0.2")
    n = do(p, n, "keep 5")
    t.equal("as it began", ("time", 0), (control(
        t, p.pid, "status")[0]["mode"], heap(t)["total_blocks"]))
    n = do(p, n, "drop 5")
    tell(t, p.pid, "mode=time+heap", "armed")
    n = do(p, n, "a 0.2")
    n = do(p, n, "keep 5")
    is_now("since", 5, 5, 5)
    n = do(p, n, "drop 8")          # three of these are from before
    is_now("and without some", 5, 0, 5)
    n = do(p, n, "keep 13")
    is_now("a new peak", 18, 13, 13)
    t.equal("ends of others", 3, heap(t)["unknown_frees"])
    t.prof("--control", p.pid, "dump", "copy")
    t.equal("in a copy", 18, heap(
        t, os.path.join(t.dir, "copy"))["total_blocks"])
    tell(t, p.pid, "end", "armed")
    tell(t, p.pid, "mode=heap", "armed")
    tell(t, p.pid, "start", "armed")
    n = do(p, n, "drop 3")
    n = do(p, n, "keep 2")
    is_now("twice", 2, 2, 2)
    finish(t, p)
    is_now("at the end", 2, 2, 2)


def thread_times(pid):
    """Return the CPU time of each thread, in ns."""
    times = {}
    for tid in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{tid}/schedstat") as f:
                times[tid] = int(f.read().split()[0])
        except OSError:
            continue
    return times


def work_on(pid, threads):
    """Return whether so many threads use 10 ms of CPU time each from now on,
    while none of them ends; there may be helpers of ours beside them."""
    began, end = thread_times(pid), time.monotonic() + 5
    while len(now := thread_times(pid)) >= threads and time.monotonic() < end:
        if sum(now[x] >= began.get(x, 0) + 10000000 for x in now) == threads:
            return True
        time.sleep(0.001)
    return False


def command_amid_calls(t, opts, pairs):
    """Let two threads make that many pairs of calls, and command them; return
    the end, and whether both went on after the last command."""
    shutil.rmtree(os.path.join(t.dir, opts[5:]), ignore_errors=True)
    p = t.start([load("heappairs"), pairs, 2], opts=opts, profdir=opts[5:])
    time.sleep(0.1)
    for _ in range(pick(4, 60)):
        for command in ("end", "mode=time+heap", "start"):
            control(t, p.pid, command, good=False)
    went_on = work_on(p.pid, 2)
    return t.finish(p), went_on


@case
def forgets_amid_calls(t):
    """Threads allocate all the time: only blocks since the last end are
    live."""
    for opts in ("mode=heap", "mode=time"):
        pairs = pick(12000000, 200000000)
        r, went_on = command_amid_calls(t, opts, pairs)
        while not went_on:      # a fast machine
            pairs *= 2
            r, went_on = command_amid_calls(t, opts, pairs)
        t.equal(f"{opts}: end", "exit 0", r.status)
        seen = [r for r in t.rows("--heap", "--csv", *t.files(opts[5:]))
                if r["function"] in ("pairs", "work", "deep")]
        t.equal(f"{opts}: each has its 1,024", 2 * 1024,
                sum(int(r["live_blocks"]) for r in seen))
        t.true(f"{opts}: and the most", sum(
            int(r["peak_bytes"]) for r in seen) < 2 * 1024 * 272 * 1.1,
            "of these alone", seen)


@case
def modes_to_come(t):
    """A directory is told, and who comes there is as it says."""
    os.mkdir(os.path.join(t.dir, "profs"))
    row = control(t, "profs", "mode=heap")[0]
    t.equal("to come", ("to come", "heap"), (row["answer"], row["mode"]))
    p = launch(t)
    n = do(p, 1, "a 0.2")
    n = do(p, n, "keep 10")
    t.equal("status", "heap", control(t, p.pid, "status")[0]["mode"])
    finish(t, p)
    t.equal("no time", 0, parts(t)["part_a"])
    # stdio allocates its buffers before the program obeys, or after it.
    t.equal("allocations of the program", 10, sum(
        int(row["total_blocks"])
        for row in t.rows("--heap=blocks", *t.files())
        if row["module"] == "commands"))



if __name__ == "__main__":
    main()
