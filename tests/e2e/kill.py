#!/usr/bin/env python3
# Context: O.  Processes killed at a random moment: the file opens, and holds
# all the CPU time up to the kill but the last tick or two of each thread.
import os
import random
import signal
import time

from harness import ROOT, Skip, case, load, lots, main, pick, reap

# Where to kill: in the first file's birth, in thread storms, in steady work.
PROGRAMS = [
    ("kinds", ["burn", 30], 1, 1.0),
    ("shares", ["-t", 4, 30], 5, 1.0),
    ("kinds", ["syscalls", 30], 1, 1.0),
    ("shares", ["-f", 3, 30], 4, 1.0),
    ("kinds", ["burn", 30], 1, 0.03),
]


def cpu_of(pid):
    """Seconds on the CPU of all threads that are alive, from the scheduler."""
    total = 0
    for tid in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{tid}/schedstat") as f:
            total += int(f.read().split()[0])
    return total / 1e9


def one(t, i, opts):
    program, args, threads, longest = PROGRAMS[i % len(PROGRAMS)]
    what = f"run {i} {program} {args[0]} {opts}"
    profdir = f"k{i}"
    p = t.start([load(program), *args], opts=opts, profdir=profdir)
    time.sleep(random.uniform(0.005, longest))
    os.kill(p.pid, signal.SIGSTOP)      # so that cpu_of and the kill agree
    time.sleep(0.01)
    cpu = cpu_of(p.pid)
    os.kill(p.pid, signal.SIGKILL)
    r = reap(p)
    t.equal(f"{what}: end", "signal 9", r.status)
    own = [q for q in t.profiles(profdir) if q.pid == p.pid]
    if cpu < 0.02:
        return      # before the first tick, or while it makes the file
    if not t.equal(f"{what}: files of {cpu:.3f} s", 1, len(own)):
        return
    q = own[0]
    t.equal(f"{what}: state", "live", q.info["state"])
    mixed = lots(q.tick, cpu, 0.25 if args[0] == "syscalls" else 0.03)
    t.between(f"{what}: seconds of {cpu:.3f} ({q.describe()})",
              cpu * 0.98 - 0.004 - 2 * q.tick * threads - mixed, q.seconds,
              cpu * 1.02 + q.tick * threads + mixed)


@case
def at_random_times(t):
    for i in range(pick(25, 200)):
        one(t, i, ("", "hz=1000", "hz=10000")[i % 3])


@case
def children_that_the_parent_kills(t):
    """Workers that a server kills when it ends (no delay, no goodbye)."""
    r = t.good([load("life"), "killed", 0.15])
    told = r.numbers()
    t.equal("processes", 5, len(told))
    found = {str(p.pid): p for p in t.profiles()}
    for pid, cpu in told.items():
        if t.true(f"profile of {pid}", pid in found, "one",
                  f"only {sorted(found)}"):
            t.near(f"seconds of {pid}", cpu, found[pid].seconds,
                   0.02 * cpu + 3 * found[pid].tick +
                   lots(found[pid].tick, cpu))


@case
def out_of_memory(t):
    """The kernel's own SIGKILL, by a memory control group."""
    group = f"/sys/fs/cgroup/mon-test-{os.getpid()}"
    if not ROOT:
        raise Skip("needs root for a memory control group")
    try:
        os.mkdir(group)
    except OSError as e:
        raise Skip(f"no control group v2 to be had: {e}")
    if not os.path.exists(f"{group}/memory.max"):
        os.rmdir(group)
        raise Skip("no memory controller in control groups v2")
    try:
        with open(f"{group}/memory.max", "w") as f:
            f.write("30M")
        r = t.run(["sh", "-c", f"echo $$ >{group}/cgroup.procs; exec "
                   "/usr/bin/perl -e 'my $i; $i += $_ for 1..8000000; "
                   "my @a; push @a, \"x\" x 100000 for 1..10000; print 1'"],
                  timeout=120)
        t.equal("end", "signal 9", r.status)
        q = [p for p in t.profiles() if p.info["exe"].endswith("perl")]
        if t.equal("profiles", 1, len(q)):
            t.between("seconds", 0.9 * r.cpu - 0.03, q[0].seconds,
                      1.02 * r.cpu + 0.01)
    finally:
        for _ in range(100):    # the kernel takes its dead out at leisure
            try:
                os.rmdir(group)
                break
            except OSError:
                time.sleep(0.05)


if __name__ == "__main__":
    main()
