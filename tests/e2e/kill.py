#!/usr/bin/env python3
# Context: O.  Processes killed at a random moment: the file opens, and holds
# all the CPU time up to the kill but the last tick or two of each thread.
import os
import random
import re
import signal
import time

from harness import LIB, ROOT, Skip, case, load, lots, main, need, pick, reap

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


def traced(t, profdir, *options):
    """kinds under strace, with libmon in it alone."""
    os.mkdir(os.path.join(t.dir, profdir))
    return t.run([need("strace"), "-f", "-qq", *options, "-E",
                  f"LD_PRELOAD={LIB}", "-E", f"PROFDIR={t.dir}/{profdir}",
                  load("kinds"), "burn", 0.1], mon=False)


@case
def at_each_call_of_the_birth(t):
    """Between any two system calls of the file's making there is no file, or
    a whole one: `prof` opens whatever lies there."""
    log = os.path.join(t.dir, "log")
    r = traced(t, "profs", "-o", log)
    if r.status != "exit 0":
        raise Skip(f"strace does not work here: {r.err[-200:]}")
    with open(log) as f:
        calls = re.findall(r"^\d+ +(\w+)\((.*)", f.read(), re.M)
    born = next(i for i, (_, rest) in enumerate(calls)
                if "O_TMPFILE" in rest or "O_EXCL" in rest)
    killed = 0
    for i in range(born + 1, min(born + pick(40, 80), len(calls))):
        name = calls[i][0]
        nth = sum(c == name for c, _ in calls[:i + 1])
        d = f"b{i}"
        r = traced(t, d, "-o", "/dev/null", "-e",
                   f"inject={name}:signal=KILL:when={nth}")
        killed += r.status == "signal 9"
        what = f"killed at {i - born} calls, {name} {nth}"
        for f in t.files(d):
            c = t.prof("--check", f, good=False)
            t.equal(f"{what}: prof --check", (0, ""),
                    (c.returncode, c.stderr))
    t.true("kills", killed > 20, "nearly all", killed)


@case
def address_space_that_runs_out(t):
    """A process without memory dies: an allocation fails, by
    RLIMIT_AS and by RLIMIT_DATA, and then abort.  Bare and under us it is the
    same, and the time before it is there."""
    script = ("my $i; $i += $_ for 1..4000000; my @a;"
              "push @a, 'x' x 100000 for 1..10000; print 1")
    for limit in ("as", "data"):
        wrap = [need("prlimit"), f"--{limit}={200 << 20}", "--core=0"]
        argv = [need("perl"), "-e", script]
        bare, mon = (t.run(argv, mon=m, wrap=wrap, profdir=limit)
                     for m in (False, True))
        t.true(f"{limit}: bare end", bare.status != "exit 0", "none good",
               bare.status)
        t.equal(f"{limit}: end", bare.status, mon.status)
        t.equal(f"{limit}: output", (bare.out, bare.err), (mon.out, mon.err))
        own = [p for p in t.profiles(limit) if p.pid == mon.pid]
        if t.equal(f"{limit}: profiles", 1, len(own)):
            t.between(f"{limit}: seconds ({own[0].describe()})",
                      0.95 * mon.cpu - 0.03, own[0].seconds,
                      1.02 * mon.cpu + 0.02)


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
