#!/usr/bin/env python3
# Context: O.  The system refuses one thing after the other: the program runs as
# ever, libmon.so finds the time in another way, and the file says which.
import math
import os

from harness import ROOT, Skip, case, load, main, need, pick


def agrees(t, what, r, profiles, slack=0.02):
    seen = sum(p.seconds for p in profiles)
    tick = profiles[0].tick if profiles else 0
    members = sum(p.members for p in profiles)
    t.near(f"{what}: seconds ({[p.describe() for p in profiles]})", r.cpu,
           seen, slack * r.cpu + 0.004 + tick * members)


def names_agree(t, what, r, rows):
    """The functions are still found, at the coarse clock's precision."""
    told = {k: v for k, v in r.numbers().items() if k.startswith("part_")}
    seen = {k: sum(float(x["seconds"]) for x in rows if x["function"] == k)
            for k in told}
    n = sum(told.values()) / 0.004
    for k, v in told.items():
        p = v / sum(told.values())
        t.near(f"{what}: share of {k}", p, seen[k] / r.cpu,
               4 * math.sqrt(p * (1 - p) / n) + 0.03)


def denied(name, *rules, opts="hz=1000,tier=perf", fine=None, coarse=None, whole=True):
    """With these calls refused: shares of two threads are still right."""
    def run(t):
        r = t.run([load("shares"), "-q", "-t", 2, pick(1, 5)], opts=opts,
                  wrap=[load("deny"), *rules, "--"])
        t.equal("end", "exit 0", r.status)
        t.equal("stderr", b"", r.err)
        profiles = [p for p in t.profiles() if "shares" in p.name]
        if not whole:
            for p in profiles:
                t.true("loss", p.loss, "a named one", p.describe())
            return
        if not t.equal("profiles", 1, len(profiles)):
            return
        p = profiles[0]
        agrees(t, name, r, profiles)
        names_agree(t, name, r, t.rows(p.path))
        for key, wanted in (("fine", fine), ("coarse", coarse)):
            if wanted:
                t.true(key, wanted in p.info[key], wanted, p.describe())
        text = t.prof(p.path).stdout
        t.equal("said of the tick alone", not {"on", "done"} & set(
            p.info["fine"].split(",")), "points unless threads ran in step "
            "with the scheduler's tick" in text)
    run.__name__ = name
    case(run)


for error in ("EACCES", "EPERM", "ENOSYS", "EMFILE", "ENOMEM", "EBUSY"):
    denied(f"perf_{error}", f"perf_event_open={error}", fine="refused",
           coarse="thread-cpu")
denied("timer_EAGAIN", "timer_create=EAGAIN")
denied("timer_and_perf", "timer_create=EAGAIN", "perf_event_open=EACCES",
       coarse="process")
denied("no_clock_at_all", "timer_create=EAGAIN", "perf_event_open=EACCES",
       "setitimer=EPERM", whole=False)
denied("settime", "timer_settime=EINVAL")
denied("madvise", "madvise=EINVAL")
denied("madvise_and_fallocate", "madvise=EINVAL", "fallocate=EOPNOTSUPP",
       whole=False)
denied("ftruncate_EDQUOT", "ftruncate=EDQUOT", whole=False)
denied("process_vm_readv", "process_vm_readv=EPERM")
denied("ioctl", "ioctl=ENOTTY")
denied("fcntl", "fcntl=EINVAL")
denied("statfs", "statfs=ENOSYS", "fstatfs=ENOSYS")
denied("sigaltstack", "sigaltstack=EPERM")
denied("limits_unknown", "prlimit64=EPERM")
denied("nothing_known", "getcwd=EACCES", "uname=EFAULT", "getrusage=EPERM",
       "clock_getres=EINVAL")
for opts in ("", "hz=1000"):
    denied(f"inherited_{opts or 'auto'}", "perf_event_open=KILL", opts=opts,
           fine="seccomp", coarse="thread-cpu")
denied("asked_for_timer", opts="tier=timer", coarse="thread-cpu")
denied("asked_for_process", opts="tier=process", coarse="process")


def limited(name, *limits, threads=100, user=None):
    def run(t):
        if user and not ROOT:
            raise Skip("needs root to become another user")
        os.mkdir(os.path.join(t.dir, "profs"))
        os.chmod(os.path.join(t.dir, "profs"), 0o777)
        for opts in ("", "hz=1000"):
            r = t.run([load("hostile"), "threads", 0.03, threads], opts=opts,
                      user=user, wrap=[need("prlimit"), *limits])
            t.equal(f"{opts}: end", "exit 0", r.status)
            t.equal(f"{opts}: stdout", b"threads done\n", r.out)
            t.equal(f"{opts}: stderr", b"", r.err)
            p = [p for p in t.profiles() if p.pid == r.pid]
            if t.equal(f"{opts}: profiles", 1, len(p)):
                # Each thread is some ticks long: its end is half a tick off.
                lost = p[0].loss.get("THREAD_CLOCK", 0)
                error = 4 * 0.004 * math.sqrt(threads)
                t.near(f"{opts}: seconds ({p[0].describe()})", r.cpu,
                       p[0].seconds, 0.03 * r.cpu + error + lost * 0.035)
    run.__name__ = name
    case(run)


limited("few_pending_signals", "--sigpending=10", threads=100)
limited("few_descriptors", "--nofile=16", threads=200)
limited("no_locked_memory", "--memlock=0", threads=100,
        user="nobody" if ROOT else None)
limited("many_threads", "--stack=1048576", threads=pick(300, 1000))


@case
def little_address_space(t):
    r = t.run([load("hostile"), "threads", 0.1, 2],
              wrap=[need("prlimit"), f"--as={48 << 20}"])
    t.equal("end", "exit 0", r.status)
    agrees(t, "48 MiB of address space", r, t.profiles())


def confined(how):
    def run(t):
        for opts in ("", "hz=1000", "tier=timer"):
            bare, mon = t.both([load("confined"), how, 0.1, 0.3], opts=opts,
                               profdir=f"c-{opts}")
            p = t.profiles(f"c-{opts}")
            if t.equal(f"{opts}: profiles", 1, len(p)):
                # After the filter all is counted that needs no system call.
                t.between(f"{opts}: seconds ({p[0].describe()})",
                          0.95 * mon.cpu - 0.02, p[0].seconds,
                          1.02 * mon.cpu + 0.008)
    run.__name__ = f"confined_{how}"
    case(run)


for how in ("prctl", "seccomp", "strict", "thread"):
    confined(how)


@case
def confined_process_tier(t):
    """The weight of a tick of the process's timer takes a call: it stops,
    which is said."""
    bare, mon = t.both([load("confined"), "prctl", 0.1, 0.3],
                       opts="tier=process")
    p = t.profile("confined")
    t.between(f"FROZEN ({p.describe()})", 1, p.loss.get("FROZEN", 0), 2)
    t.between("seconds, those before", 0.1, p.seconds, mon.cpu - 0.25)


if __name__ == "__main__":
    main()
