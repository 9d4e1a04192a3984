#!/usr/bin/env python3
# Context: O.  A program that uses SIGPROF itself gets what it gets without us.
import os
import re
import subprocess

from harness import CLEAN, Skip, case, difference, load, main, need, pick


def use(name, opts=("", "hz=4000", "tier=process")):
    def run(t):
        bare = t.run([load("sigprof"), name], mon=False)
        for o in opts:
            mon = t.run([load("sigprof"), name], opts=o, timeout=60)
            t.equal(f"{o}: end", bare.status, mon.status)
            t.true(f"{o}: output", bare.out == mon.out, "no difference",
                   difference(bare.text, mon.text))
            t.equal(f"{o}: stderr", bare.err, mon.err)
    run.__name__ = name
    case(run)


for name in ("itimer", "timer", "kill", "sigwait", "signalfd", "pending",
             "ignore", "default", "kill_default", "threads", "restore",
             "exec_pending", "exec_ignored", "async", "async_default",
             "interrupt"):
    use(name)
use("first_time", ("", "hz=20000"))


def calls(gmon, exe):
    text = subprocess.run([need("gprof"), "-b", "-p", exe, gmon], env=CLEAN,
                          capture_output=True, text=True).stdout
    rows = re.findall(r"^ *[0-9.]+ +[0-9.]+ +([0-9.]+)(?: +([0-9]+) .*)? +"
                      r"(\w+) *$", text, re.M)
    return ({name: int(n) for _, n, name in rows if n},
            sum(float(s) for s, _, _ in rows))


@case
def gprof(t):
    """A -pg program: its calls are in our profile, and in gmon.out as ever
    where nothing is profiled."""
    exe = t.build("counts.c", "counts", "-pg", "-O1")
    gmon = os.path.join(t.dir, "gmon.out")
    argv, found = [exe, pick(10000, 60000)], []
    for how in ({"mon": False}, {"profdir": ""}):
        r = t.good(argv, **how)
        found.append((r.out, *calls(gmon, exe)))
        os.remove(gmon)
    (bare, counts, _), (off, same, _) = found
    mon = t.good(argv)
    t.equal("output", [bare, bare], [off, mon.out])
    t.figure("calls of leaf", counts.get("leaf", 0) > 1000, "many", counts)
    t.equal("calls in gmon.out, nothing profiled", counts, same)
    t.equal("gmon.out", False, os.path.exists(gmon))
    t.equal("calls in ours", counts, t.calls(counts))
    p = t.profile("counts")
    t.near("seconds of ours", mon.cpu, p.seconds, 0.05 * mon.cpu + 0.02)


@case
def gprof_when_asked(t):
    """format=gmon: the gmon.out that libc would have written, and no call
    lost; of a program that is not built so, beside its profile."""
    for flags in (["-pg"], ["-pg", "-no-pie"], []):
        what = " ".join(flags) or "plain"
        exe = t.build("counts.c", "counts", "-O1", *flags)
        r = t.good([exe, pick(10000, 60000)], opts="format=gmon", cwd=t.dir)
        own = [f for f in t.files() if f"/{r.pid}.counts" in f]
        gmon = own.pop()
        found, seconds = calls(gmon, exe)
        ours = {row["function"]: (int(row["calls"] or 0),
                                  float(row["seconds"]))
                for row in t.rows(*own) if row["module"] == "counts"}
        t.equal(f"{what}: calls", {n: c for n, (c, _) in ours.items() if c},
                found)
        t.near(f"{what}: seconds", sum(s for _, s in ours.values()), seconds,
               0.011 * (1 + len(ours)))
        os.remove(gmon)
    r = t.good([exe, 1000], opts="format=gmon",
               env={"GMON_OUT_PREFIX": os.path.join(t.dir, "prefix")})
    t.true("GMON_OUT_PREFIX", os.path.exists(f"{t.dir}/prefix.{r.pid}"),
           "there", os.listdir(t.dir))


@case
def go(t):
    """complaints 11: Go wants SA_ONSTACK and replaces handlers unseen."""
    need("go")
    exe = os.path.join(t.dir, "cgo")
    r = subprocess.run(["go", "build", "-o", exe, os.path.join(
        os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "load",
        "cgo.go")], cwd=t.dir, capture_output=True, text=True,
        env={**CLEAN, "GO111MODULE": "off", "CGO_ENABLED": "1",
             "GOCACHE": os.path.join(t.dir, "cache")})
    if r.returncode != 0:
        raise Skip(f"go build: {r.stderr[-300:]}")
    for opts in ("", "hz=1000"):
        bare, mon = t.both([exe, pick(700, 20000)], opts=opts, timeout=300,
                           profdir=f"go-{opts}")
        p = [p for p in t.profiles(f"go-{opts}") if "cgo" in p.name]
        if t.equal(f"{opts}: profiles", 1, len(p)):
            t.near(f"{opts}: seconds ({p[0].describe()})", mon.cpu,
                   p[0].seconds, 0.05 * mon.cpu + 0.05)


if __name__ == "__main__":
    main()
