#!/usr/bin/env python3
# Context: O.  gmon.out of programs that are built with -pg: which one is
# written, by whom, and what is in it.
import os
import re
import struct
import time

from harness import LIB, SOURCES, case, main, pick


def linked(t, source, *flags):
    return t.build(source, "program", "-O1", "-pg", "-pthread", f"-I{SOURCES}",
                   "-Wl,--no-as-needed", LIB,
                   f"-Wl,-rpath,{os.path.dirname(LIB)}", *flags)


GMON_ENDS = {"": "exit 0", "fast": "exit 0", "executed": "exit 0",
             "terminated": "signal 15", "aborted": "signal 6",
             "faulted": "signal 11", "cleaned": "exit 0",
             "narrowed": "exit 0"}


@case
def gmon(t):
    """A -pg program that is only linked: its gmon.out is ours, however it
    ends, and has every call of every thread."""
    for flags in ([], ["-no-pie"]):
        program = linked(t, "gmon_ends.c", *flags)
        for kind, end in GMON_ENDS.items():
            what = f"{' '.join(flags)} {kind or 'ended'}"
            r = t.run([program, kind], mon=False, cwd=t.dir)
            t.equal(f"{what}: end", end, r.status)
            t.equal(f"{what}: calls", {"leaf": 1000000}, t.calls(
                ["leaf"], program, os.path.join(t.dir, "gmon.out")))
            seconds = sum(float(row["seconds"]) for row in t.rows(
                program, os.path.join(t.dir, "gmon.out")))
            # Time of mcount itself is no time of the program's.
            t.figure(f"{what}: seconds", 0.3 * r.cpu < seconds < r.cpu + 0.02,
                     f"most of {r.cpu}", seconds)
            os.unlink(os.path.join(t.dir, "gmon.out"))
    # If the prefix cannot be used, the C library writes gmon.out; so do we.
    r = t.run([program], mon=False, cwd=t.dir,
              env={"GMON_OUT_PREFIX": "nowhere/out"})
    t.equal("a prefix that is no good", {"leaf": 1000000}, t.calls(
        ["leaf"], program, os.path.join(t.dir, "gmon.out")))
    os.unlink(os.path.join(t.dir, "gmon.out"))
    r = t.run([program], mon=False, wrap=["prlimit", "--fsize=100"],
              cwd=t.dir)
    t.equal("past the limit", ("exit 0", b"libmon: gmon.out: it could not be "
                               b"written\n"), (r.status, r.err))
    t.equal("past the limit, files", ["program"], os.listdir(t.dir))


@case
def gmon_at_odd_ends(t):
    """Several ends at once, a small stack, text in parts, a filter."""
    program = linked(t, "gmon_ends.c", "-ldl")
    out = os.path.join(t.dir, "gmon.out")

    def leaves():
        return t.calls(["leaf"], program, out)["leaf"]
    for _ in range(pick(10, 100)):
        r = t.run([program, "crowd"], mon=False, cwd=t.dir)
        t.equal("crowd", ("signal 11", 1000000), (r.status, leaves()))
        t.equal("crowd: files", ["gmon.out", "program"], sorted(
            f for f in os.listdir(t.dir) if not f.startswith("core")))
        os.unlink(out)
    r = t.run([program, "fibre"], mon=False, cwd=t.dir)
    t.equal("fibre", ("exit 0", 1000000), (r.status, leaves()))
    library = t.build("calls_lib.c", "fa.so", "-shared", "-fPIC", "-pg",
                      "-DNAME=fa")
    r = t.run([program, "split", library], mon=False, cwd=t.dir)
    t.equal("split", ("exit 0", 1500000), (r.status, leaves()))
    os.unlink(out)
    r = t.run([program, "left"], mon=False, cwd=t.dir)
    time.sleep(0.6)
    t.equal("left behind", ("exit 0", 1000000), (r.status, leaves()))
    for kind, end in ("boxed", "exit 0"), ("boxed terminated", "signal 15"):
        r = t.run([program, kind], mon=False, cwd=t.dir)
        t.equal(kind, end, r.status)


@case
def gmon_of_children(t):
    """A child has its own calls, in a file of its own where there is a name
    for it."""
    program = linked(t, "gmon_ends.c")
    r = t.run([program, "forked"], mon=False, cwd=t.dir,
              env={"GMON_OUT_PREFIX": os.path.join(t.dir, "out")})
    t.equal("end", "exit 0", r.status)
    found = {f: t.calls(["leaf"], program, os.path.join(t.dir, f))["leaf"]
             for f in os.listdir(t.dir) if f.startswith("out.")}
    t.equal("own", 1000000, found.pop(f"out.{r.pid}", None))
    t.equal("child's", [500000], list(found.values()))
    for what, how in (("linked", {"mon": False}),
                      ("preloaded", {"opts": "format=gmon"})):
        d = os.path.join(t.dir, what)
        os.mkdir(d)
        r = t.run([program, "forked"], cwd=t.dir, env={"PROFDIR": what}, **how)
        found = {f: t.calls(["leaf"], program, os.path.join(d, f))["leaf"]
                 for f in os.listdir(d) if f.endswith(".gmon")}
        t.equal(f"{what}: own", 1000000, found.pop(
            f"{r.pid}.program.gmon", None))
        t.equal(f"{what}: child's", [500000], list(found.values()))
        t.equal(f"{what}: none here", False, os.path.exists(
            os.path.join(t.dir, "gmon.out")))


@case
def gmon_paused(t):
    """moncontrol() is ours there, too."""
    program = linked(t, "pauses.c")
    r = t.good([program, "turns"], mon=False, cwd=t.dir)
    told = {f: int(n) for f, n in re.findall(r"^(seen|unseen) (\d+) ", r.text,
                                             re.M)}
    t.equal("calls", {"seen": told["seen"], "unseen": 0},
            t.calls(["seen", "unseen"], program,
                    os.path.join(t.dir, "gmon.out")))


@case
def gmon_of_libc(t):
    """Where PROFDIR is empty it is libc's own, as ever."""
    program = linked(t, "gmon_ends.c")
    t.good([program], mon=False, cwd=t.dir, env={"PROFDIR": ""})
    data = open(os.path.join(t.dir, "gmon.out"), "rb").read()
    t.equal("rate", 100, struct.unpack_from("=I", data, 41)[0])
    os.unlink(os.path.join(t.dir, "gmon.out"))
    t.good([program, "profil"], mon=False, cwd=t.dir, env={"PROFDIR": ""})
    calls = t.calls(["leaf"], program, os.path.join(t.dir, "gmon.out"))
    t.true("calls", 700000 <= calls["leaf"] <= 1000000, "what it kept", calls)
    # libc sets SIGPROF back when it stops: our ticks must be elsewhere.
    t.good([program, "both"], mon=False, cwd=t.dir, env={"PROFDIR": ""})


if __name__ == "__main__":
    main()
