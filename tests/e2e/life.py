#!/usr/bin/env python3
# Context: O.  Every way a process begins and ends leaves a profile with the
# CPU time that the kernel charged to it.
import os
import re
import shutil
import signal

from harness import (
    LIB, Skip, case, difference, load, lots, main, orphans, pick)


SECONDS = pick(0.2, 1)


def by_pid(profiles):
    found = {}
    for p in profiles:
        found.setdefault(str(p.pid), []).append(p)
    return found


def told_by(run):
    """The last figure of each process: its CPU time when it went."""
    return run.numbers()


def compare(t, run, count, status="exit 0", opts="", profdir="profs",
            images=None, raw=0):
    """Each process's profiles against what it said, and all against rusage."""
    t.equal("end", status, run.status)
    told, found = told_by(run), by_pid(t.profiles(profdir))
    t.equal("processes", count, len(told))
    for pid, cpu in told.items():
        mine = found.get(pid, [])
        if not t.true(f"profiles of {pid}", mine, "some",
                      f"only {sorted(found)}, which lost "
                      f"{[p.loss for ps in found.values() for p in ps]}"):
            continue
        if images:
            t.equal(f"images of {pid}", images.get(pid, images[None]),
                    len(mine))
        seen = sum(p.seconds for p in mine)
        slack = 0.02 * cpu + sum(p.tick * (1 + p.members) +
                                 lots(p.tick, cpu) for p in mine)
        t.near(f"seconds of {pid} ({mine[0].describe()})", cpu, seen, slack)
    everything = sum(p.seconds for ps in found.values() for p in ps)
    t.between("seconds of rusage", 0.97 * run.cpu - 0.012 * (len(told) + 1),
              everything, 1.01 * run.cpu + 0.012 * (len(told) + 1) +
              lots(0.004, run.cpu))
    return found


def way(how, count, status="exit 0", *args, images=None, end=None,
        opts=("", "hz=1000")):
    every = opts

    def run(t):
        for opts in every:
            d = f"p-{opts}"
            r = t.run([load("life"), how, SECONDS, *args], opts=opts,
                      profdir=d)
            found = compare(t, r, count, status, profdir=d, images=images)
            if end:
                last = found.get(str(r.pid), [None])[-1]
                t.equal("end in the file", end,
                        last and last.info["end"])
    run.__name__ = how if not args else f"{how}_{args[0]}"
    case(run)


way("exit", 1, "exit 7", 7, end="exit")
way("_exit", 1, "exit 7", 7, end="_exit")
way("quick_exit", 1, "exit 7", 7, end="_exit")
way("abort", 1, "signal 6")
way("exec", 1, images={None: 2})
way("exec_sh", 1)
way("exec_fails", 1, images={None: 1})
way("thread_exec", 1, images={None: 2})
way("pthread_exit", 1)
way("raw_thread", 1, opts=("", "hz=1000", "tier=process"))
way("ignoring", 1)
way("fork", 5)
way("fork_exit", 5)
way("raw_fork", 5)
way("vfork", 2)
way("spawn", 2)
way("session", 3)


@case
def library_constructor(t):
    """The constructors of the program's libraries are of its life too: ours
    is before them."""
    lib = t.build("early_lib.c", "early.so", "-shared", "-fPIC")
    exe = t.build("life.c", "before", "-pthread", "-Wl,--no-as-needed", lib)
    r = t.run([exe, "exit", SECONDS, 7])
    compare(t, r, 1, "exit 7")


@case
def sanitizers(t):
    """A library in front of libc's functions is not ready when we begin: linked
    in, it begins in a .preinit_array."""
    for kind, flag in (("thread", "-static-libtsan"),
                       ("address", "-static-libasan")):
        exe = t.build("life.c", kind, "-pthread", f"-fsanitize={kind}", flag,
                      cc=["gcc"])
        kind = f"of-{kind}"
        r = t.run([exe, "exit", SECONDS, 7], profdir=kind)
        t.equal(f"{kind}: stderr", b"", r.err)
        compare(t, r, 1, "exit 7", profdir=kind)


@case
def library_destructor(t):
    """The destructors of the program's libraries are of its life too: they run
    behind ours."""
    lib = t.build("late_lib.c", "late.so", "-shared", "-fPIC")
    exe = t.build("life.c", "late", "-pthread", "-Wl,--no-as-needed", lib)
    r = t.run([exe, "exit", SECONDS, 7])
    found = compare(t, r, 1, "exit 7")
    p = found[str(r.pid)][0]
    t.equal("end in the file", ("exit", 7),
            (p.info["end"], int(p.info["exit_status"])))


@case
def stops(t):
    """No wait of ours keeps a process from being stopped."""
    rounds = pick(30, 300)
    for opts in ("", "clock=wall", "mode=time+heap,hz=10000"):
        r = t.good([load("stopped"), rounds], opts=opts, timeout=120)
        t.equal(opts, f"stopped {rounds}", r.text.strip())


@case
def last_thread(t):
    """The status of a process is that of the thread that ends last, which a
    thread of ours must never decide."""
    for how in ("clone", "call", "raw", "group", "before_thread",
                "before_call", "before_clone"):
        argv = [load("ends"), how, 0.03]
        bare = t.run(argv, mon=False)
        for opts in "", "clock=wall":
            d = f"{how}-{opts}"
            r = t.run(argv, opts=opts, profdir=d)
            t.equal(f"{how}, {opts}: end", (bare.status, bare.out),
                    (r.status, r.out))
            if how in ("clone", "call"):
                ends = [p.info["end"] for p in t.profiles(d)
                        if how == "call" or p.pid != r.pid]
                t.equal(f"{how}, {opts}: end in the file", ["_exit"], ends)
            if how == "group":
                path = t.profiles(d)[0].path
                footer = t.prof(path).stdout
                t.true(f"{how}, {opts}: footer", "1 ended unseen: " in footer
                       and "killed" not in footer, "what is known", footer)
                t.true(f"{how}, {opts}: length when it was read",
                       os.path.getsize(path) < 1 << 20, "what is used",
                       os.path.getsize(path))


@case
def thread_destructor(t):
    """The scan for new threads, once a second, finds a thread whose slot has
    ended but whose destructors still run: it is no new one."""
    r = t.run([load("life"), "thread_destructor", 2.5])
    compare(t, r, 1)
    rows = [x for x in t.rows("--by=thread", "profs")
            if x["thread"] not in ("", str(r.pid))]
    t.equal("threads", 1, len(rows))
    text = t.prof("--verbose", "profs").stdout
    more = re.search(r"stood for ([\d.]+) s more", text)
    t.between("time in samples that is none", 0,
              float(more[1]) if more else 0, 0.03 * r.cpu)


@case
def last_thread_without_proc(t):
    """The helper of clock=wall finds that it is alone without /proc, too."""
    wrap = ["unshare", "-m", "sh", "-c", 'umount -l /proc && exec "$@"', "sh"]
    if not shutil.which("unshare") or t.run(
            ["true"], wrap=wrap, mon=False).status != "exit 0":
        raise Skip("/proc cannot be unmounted here")
    # The status of the raw call is not known, but the process ends.
    for how, ends in (("call", ["exit 7"]), ("raw", ["exit 0", "exit 8"])):
        r = t.run([load("ends"), how, 0.03], wrap=wrap, opts="clock=wall",
                  profdir=how, timeout=20)
        t.true(f"{how}: end", r.status in ends, ends, r.status)


@case
def fatal_signals(t):
    """Each signal whose default ends a process; SIGPROF, SIGBUS and SIGSTKFLT
    included, which are ours inside."""
    for sig in sorted(signal.valid_signals()):
        if sig in (signal.SIGCHLD, signal.SIGCONT, signal.SIGURG,
                   signal.SIGWINCH, signal.SIGSTOP, signal.SIGTSTP,
                   signal.SIGTTIN, signal.SIGTTOU, 32, 33):
            continue
        if sig > 34 and sig != 64:
            continue
        d = f"p{sig}"
        r = t.run([load("life"), "signal", 0.05, int(sig)], profdir=d)
        told = told_by(r)
        t.equal(f"signal {sig}: end", f"signal {int(sig)}", r.status)
        p = [p for p in t.profiles(d) if p.pid == r.pid]
        if t.equal(f"signal {sig}: profiles", 1, len(p)):
            t.near(f"signal {sig}: seconds", told[str(r.pid)], p[0].seconds,
                   0.012 + lots(0.004, 0.05))


@case
def daemon(t):
    r = t.run([load("life"), "daemon", SECONDS], leaves=True)
    left = orphans()
    t.equal("end", "exit 0", r.status)
    profiles = [p for p in t.profiles() if p.pid in left]
    if t.equal("profiles of the daemon", 1, len(profiles)):
        cpu = left[profiles[0].pid]
        t.near("seconds of the daemon", cpu, profiles[0].seconds,
               0.02 * cpu + 0.012 + lots(0.004, cpu))


@case
def shell_loop(t):
    """system(3): a shell's own CPU time is in the shell's profile."""
    r = t.run([load("life"), "system", SECONDS])
    t.equal("end", "exit 0", r.status)
    seen = sum(p.seconds for p in t.profiles())
    t.between("seconds of rusage", 0.97 * r.cpu - 0.02, seen,
              1.01 * r.cpu + 0.02)


@case
def cost_of_a_fork(t):
    """A fork's child pays for pages that it touches because of us.  Their
    number does not depend on how busy the machine is, but on where libraries
    lie: the least of some runs, at most 40."""
    n, most = 100, {"off": 2.5, "on": 2.5}
    found = {}
    for turn in range(40):
        for side, how in (("bare", {"mon": False}), ("off", {"profdir": ""}),
                          ("on", {})):
            few, many = (t.good([load("shorts"), "fork", count, 0], **how)
                         for count in (10, 10 + n))
            faults = (many.usage.ru_minflt - few.usage.ru_minflt) / n
            found[side] = min(faults, found.get(side, faults))
        if turn >= 3 and all(found[side] <= found["bare"] + more
                             for side, more in most.items()):
            break
    for side, more in most.items():
        t.between(f"faults of a child, {side} ({found})", 0, found[side],
                  found["bare"] + more)


@case
def before_relocation(t):
    """The resolver of another library's IFUNC calls functions that are ours
    before the loader has relocated us."""
    lib = t.build("resolves_lib.c", "libresolves.so", "-shared", "-fPIC",
                  "-Wl,-z,now")
    exe = t.build("resolves.c", "resolves", "-Wl,--no-as-needed", lib)
    bare = t.good([exe], mon=False)
    for opts in ("hz=1000", "mode=time+heap,heap=mmap", "clock=wall"):
        t.equal(opts, bare.text, t.good([exe], opts=opts).text)


@case
def before_libc(t):
    """A hook that is called first of all waits for PROFDIR to be there."""
    r = t.run([load("early"), SECONDS], opts="hz=1000")
    p = t.profile("early")
    t.equal("options", "hz=1000", p.info["options"])
    t.near("seconds", r.cpu, p.seconds, 0.03 * r.cpu + 0.012)
    before = sorted(os.listdir(t.dir))
    t.run([load("early"), 0.05], profdir="")
    t.equal("files of one that is switched off", before,
            sorted(os.listdir(t.dir)))


@case
def without_profdir(t):
    """The first process writes mon.out, those it starts mon.out.PID."""
    r = t.run([load("life"), "fork", SECONDS], profdir=None)
    names = sorted(f for f in os.listdir(t.dir) if f.startswith("mon.out"))
    told = told_by(r)
    t.equal("files", sorted(["mon.out"] + [
        f"mon.out.{pid}" for pid in told if pid != str(r.pid)]), names)
    profiles = t.profiles(files=[os.path.join(t.dir, n) for n in names])
    t.equal("run", {str(r.pid)}, {p.info["run_pid"] for p in profiles})
    # `prof` alone shows the newest run whole.
    total = sum(float(x["seconds"]) for x in t.rows())
    t.near("seconds of `prof`", sum(told.values()), total,
           0.02 * total + 0.05)


@case
def met_by_no_tick(t):
    """A child that no tick met has a profile, forked or executed, with PROFDIR
    or without: else no report names it."""
    for place in ("profs", None):
        r = t.run([load("life"), "unmet", SECONDS], profdir=place)
        told = told_by(r)
        profiles = t.profiles("profs") if place else t.profiles(files=[
            os.path.join(t.dir, f) for f in os.listdir(t.dir)
            if f.startswith("mon.out")])
        t.equal(f"{place}: processes", sorted(told),
                sorted(str(p.pid) for p in profiles))
        t.near(f"{place}: seconds", sum(told.values()),
               sum(p.cpu for p in profiles), 0.02 + 0.02 * 3 * SECONDS)


@case
def chain_of_programs(t):
    """sh -> sh -> life: three images, three processes, one run."""
    exe = load("life")
    r = t.run(["sh", "-c", f"sh -c '{exe} exit {SECONDS}; true'; true"],
              profdir=None)
    names = [f for f in os.listdir(t.dir) if f.startswith("mon.out")]
    t.equal("end", "exit 0", r.status)
    profiles = t.profiles(files=[os.path.join(t.dir, n) for n in names])
    t.true("mon.out is the first shell's",
           any(p.name == "mon.out" and p.pid == r.pid for p in profiles),
           "yes", [(p.name, p.pid) for p in profiles])
    t.near("seconds", sum(told_by(r).values()),
           sum(p.seconds for p in profiles), 0.03)


@case
def two_copies_of_the_library(t):
    """The first copy counts, the second does nothing, and the report says
    so."""
    other = os.path.join(t.dir, "libmon.so")
    shutil.copy(LIB, other)
    for opts in ("hz=1000", "mode=time+heap", "clock=wall"):
        d = "profs-" + opts.replace("=", "-")
        r = t.good([load("kinds"), "burn", SECONDS], opts=opts, profdir=d,
                   env={"LD_PRELOAD": f"{LIB} {other}"})
        found = t.profiles(d)
        t.equal(f"{opts}: files", 1, len(found))
        t.near(f"{opts}: CPU time", r.cpu, found[0].sampled,
               0.2 * r.cpu + 0.02)
        t.equal(f"{opts}: copies", 1, found[0].loss.get("COPIES", 0))
    r = t.good([load("same")], mon=False)
    two = t.good([load("same")], env={"LD_PRELOAD": f"{LIB} {other}"})
    t.true("what a program sees", r.out == two.out, "no difference",
           difference(r.text, two.text))


@case
def a_copy_in_another_namespace(t):
    """A copy that dlmopen(3) opened is not the first, so it does nothing."""
    other = os.path.join(t.dir, "libmon.so")
    shutil.copy(LIB, other)
    exe = t.build("spaces.c", "spaces")
    r = t.good([exe, other, SECONDS])
    found = t.profiles()
    t.equal("files", 1, len(found))
    t.near("CPU time", r.cpu, found[0].sampled, 0.2 * r.cpu + 0.02)
    t.equal("copies", 1, found[0].loss.get("COPIES", 0))


if __name__ == "__main__":
    main()
