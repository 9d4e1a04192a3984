#!/usr/bin/env python3
# Context: O.  Counted calls are exact, whatever compiled them and however the
# program calls, runs and ends.
import os
import re
import signal

from harness import (SOURCES, TOP, Skip, case, load, main, need, pick,
                     told_calls)

# Flags that a program can be built with; each is another stub, or another way
# to it.
FLAGS = {
    "pg": ["-pg"],
    "pg no pie": ["-pg", "-no-pie"],
    "pg static libgcc O0": ["-pg", "-O0"],
    "fentry": ["-pg", "-mfentry"],
    "fentry no plt": ["-pg", "-mfentry", "-fno-plt"],
    "instrument": ["-finstrument-functions"],
}
COMPILERS = ["gcc", "clang"]


def compiled(t, compiler, flags):
    return t.build("calls.c", f"calls.{compiler}", "-pthread", "-mavx",
                   "-Wno-psabi", *flags, cc=[need(compiler)])


def every(t, kind, *args):
    """Each way to build it: the same output, and the counts that it tells."""
    for name, flags in FLAGS.items():
        for compiler in COMPILERS:
            what = f"{compiler} {name}"
            exe = compiled(t, compiler, flags)
            for f in t.files() if os.path.isdir(f"{t.dir}/profs") else []:
                os.unlink(f)
            bare, mon = t.both([exe, kind, *args], what)
            wanted = told_calls(mon)
            t.equal(what, wanted, t.calls(wanted))
            t.profiles()


@case
def plain(t):
    every(t, "plain", 100000)


@case
def threads(t):
    """Where glibc drops every other call."""
    for n in (2, 8, 64):
        exe = compiled(t, "gcc", ["-pg"])
        r = t.good([exe, "threads", pick(100000, 3000000), n])
        files = [f for f in t.files() if f"/{r.pid}." in f]
        t.equal(f"{n} threads", told_calls(r), t.calls(told_calls(r), *files))


@case
def signals(t):
    for name, flags in FLAGS.items():
        exe = compiled(t, "gcc", flags)
        r = t.good([exe, "signals", pick(1000, 20000)])
        files = [f for f in t.files() if f"/{r.pid}." in f]
        t.equal(name, told_calls(r), t.calls(told_calls(r), *files))


@case
def killed(t):
    """A call is in the file at that instant."""
    exe = compiled(t, "gcc", ["-pg"])
    r = t.run([exe, "killed", 12345])
    t.equal("end", "signal 9", r.status)
    t.equal("calls", told_calls(r), t.calls(told_calls(r)))


@case
def forked(t):
    """A child starts from nothing, in a file of its own."""
    exe = compiled(t, "gcc", ["-pg"])
    r = t.good([exe, "fork", 5000])
    own = [f for f in t.files() if f"/{r.pid}." in f]
    other = [f for f in t.files() if f not in own]
    t.equal("parent", told_calls(r), t.calls(told_calls(r), *own))
    t.equal("child", {"leaf": 10000, "main": 0},
            t.calls(["leaf", "main"], *other))


@case
def unloaded(t):
    """Another library where one was, and the first one again."""
    names, turns = ["fa", "fb", "fc"], pick(100, 2000)
    libs = [t.build("calls_lib.c", f"{n}.so", "-shared", "-fPIC", "-pg",
                    f"-DNAME={n}") for n in names]
    # Calls alone are counted: stacks below the loader are as many as it has
    # ways.
    r = t.good([load("calls_dl"), turns, 1000, *libs], opts="stack=off")
    t.true("places", len(set(r.out.split())) < turns, "most used twice",
           set(r.out.split()))
    t.equal("calls", {n: turns * 1000 for n in names}, t.calls(names))
    p = t.profiles()[0]
    t.true("space", int(p.info["used"]) < 16384, "not by turns",
           p.info["used"])


def paused(t, kind, opts=""):
    """Run a kind of pauses.c: what it says, and what the profiles have."""
    exe = t.build("pauses.c", "pauses", "-O1", "-pg", "-pthread",
                  f"-I{SOURCES}")
    r = t.good([exe, kind], opts=opts, profdir=kind, cwd=t.dir)
    told = {f: (int(n), int(ns) / 1e9) for f, n, ns in
            re.findall(r"^(seen|unseen) (\d+) (\d+)$", r.text, re.M)}
    own = [f for f in t.files(kind) if not f.endswith(".gmon")]
    rows = {row["function"]: (int(row["calls"] or 0), float(row["seconds"]))
            for row in t.rows(*own)
            if row["module"] in ("pauses", "[paused by the program]")}
    return exe, told, rows, sum(float(row["seconds"]) for row in t.rows(*own))


def hides(t, kind, told, rows, seconds, slack):
    """Calls to one; what is hidden is in a line of its own, and in the sum."""
    t.equal(f"{kind}: calls", (told["seen"][0], 0),
            (rows["seen"][0], rows.get("unseen", (0, 0))[0]))
    hidden = rows["[paused by the program]"][1]
    t.near(f"{kind}: hidden", told["unseen"][1], hidden, slack)
    t.near(f"{kind}: seen", told["seen"][1], seconds - hidden, slack)


@case
def moncontrol(t):
    """A program that has its profile paused and go on, for 50 ms each."""
    for kind, turns in (("turns", 20), ("threads", 40)):
        _, told, rows, seconds = paused(t, kind)
        hides(t, kind, told, rows, seconds, turns * 0.002 + 0.05)
    _, told, rows, _ = paused(t, "forked")
    t.true("forked: child's calls", rows["seen"][0] > told["seen"][0] > 0,
           "and its maker's", (told, rows["seen"]))
    t.equal("forked: unseen", 0, rows.get("unseen", (0, 0))[0])
    t.near("forked: hidden", told["unseen"][1],
           rows["[paused by the program]"][1], 0.03)


@case
def moncontrol_and_gmon(t):
    """The gmon.out that it would have given has no more than that."""
    exe, told, rows, _ = paused(t, "turns", opts="format=gmon")
    gmon = next(os.path.join(d, f) for d, _, files in os.walk(t.dir)
                for f in files if f.endswith(".gmon"))
    found = {row["function"]: (int(row["calls"] or 0), float(row["seconds"]))
             for row in t.rows(exe, gmon)}
    t.equal("calls", told["seen"][0], found["seen"][0])
    t.equal("unseen", 0, found.get("unseen", (0, 0))[0])
    t.near("seconds", sum(s for f, (_, s) in rows.items() if f[0] != "["),
           sum(s for _, s in found.values()), 0.01)


def odd(t, flags, *library):
    """calls_odd.c, not compiled for it, with a library that is."""
    lib = t.build("calls_odd_lib.c", "libodd.so", "-shared", "-fPIC",
                  "-pthread", *flags, *library)
    return t.build("calls_odd.c", "odd", "-pthread", "-Wl,--no-as-needed",
                   lib), lib


@case
def first_call(t):
    """The first of a process leaves the vector registers alone; also where
    nothing is profiled."""
    for name, flags in FLAGS.items():
        if "-no-pie" in flags:
            continue
        exe, _ = odd(t, flags)
        for profdir in ("profs", ""):
            bare = t.run([exe, "vectors"], mon=False)
            mon = t.run([exe, "vectors"], profdir=profdir)
            t.equal(f"{name} {profdir}", (bare.status, bare.out),
                    (mon.status, mon.out))


@case
def resolvers(t):
    """A library is relocated before libmon.so, and its code runs then."""
    for name, flags in FLAGS.items():
        if "-no-pie" in flags:
            continue
        exe, _ = odd(t, flags, "-DRESOLVER")
        for profdir in ("profs", ""):
            bare = t.run([exe, "resolver"], mon=False)
            mon = t.run([exe, "resolver"], profdir=profdir)
            t.equal(f"{name} {profdir}", (bare.status, bare.out),
                    (mon.status, mon.out))


@case
def while_loading(t):
    """A constructor waits for a thread whose first call this is."""
    exe, _ = odd(t, ["-pg"])
    lib = t.build("calls_odd_lib.c", "waits.so", "-shared", "-fPIC", "-pg",
                  "-DWAITS", "-pthread")
    r = t.good([exe, "load", lib], timeout=20)
    t.equal("opened", b"1\n", r.out)
    t.equal("calls", {"work": 1}, t.calls(["work"]))


@case
def handlers_of_faults(t):
    """Signals that no mask of ours holds back come upon a new arc."""
    exe, _ = odd(t, ["-pg"])
    for sig in (signal.SIGTRAP, signal.SIGSEGV, signal.SIGUSR1):
        r = t.good([exe, "handler", pick(50000, 99000), int(sig)])
        p = t.profile(pid=r.pid)
        counted = sum(int(row["calls"] or 0) for row in t.rows(p.path))
        t.equal(sig.name, told_calls(r)["calls"],
                counted + p.loss.get("CALL", 0))


@case
def one_set_of_variables(t):
    """Threads by raw clone(2) with the same thread-local variables."""
    exe, _ = odd(t, ["-pg"])
    for _ in range(pick(5, 100)):
        t.equal("end", "exit 0", t.run([exe, "shared", 20000]).status)


@case
def nowhere(t):
    """An arc of no function and no place is taken as libc takes it."""
    exe, _ = odd(t, ["-pg"])
    t.equal("end", "exit 0", t.run([exe, "nowhere"]).status)


@case
def many(t):
    """A million arcs: glibc leaves the whole file out."""
    if os.uname().machine != "x86_64":
        raise Skip("its functions are assembly of x86-64")
    callees, rounds = pick(10000, 100000), 3
    exe = t.build("calls_many.c", "many", "-O1", f"-DCALLEES={callees}",
                  os.path.join(SOURCES, "calls_many.S"))
    t.good([exe, rounds])
    calls = {row["function"]: int(row["calls"] or 0) for row in t.rows(
        *t.files()) if row["function"][1:].isdigit()}
    t.equal("functions", callees, len(calls))
    t.equal("calls of each", {10 * rounds}, set(calls.values()))
    t.equal("losses", {}, t.profile("many").loss)


@case
def marks(t):
    """MARK of prof.h: parts of a function, with their own time and counts."""
    for compiler in COMPILERS:
        exe = t.build("marks.c", f"marks.{compiler}", "-O1", "-DMARK",
                      f"-I{TOP}/include", cc=[need(compiler)])
        r = t.good([exe, 200000])
        own = [f for f in t.files() if f"/{r.pid}." in f]
        counts = told_calls(r)
        t.equal(compiler, counts, t.calls(counts, *own))
        rows = {row["function"]: float(row["seconds"])
                for row in t.rows(*own)}
        t.true(f"{compiler}: time", rows.get("M.long_part", 0) >
               3 * rows.get("M.short_part", 0), "mostly in long_part", rows)
        plain = t.build("marks.c", f"plain.{compiler}", "-O1",
                        f"-I{TOP}/include", cc=[need(compiler)])
        t.equal(f"{compiler}: without", r.out, t.good([plain, 200000]).out)


@case
def off(t):
    """Nothing is ours then, and libc writes its gmon.out."""
    exe = compiled(t, "gcc", ["-pg"])
    t.good([exe, "plain", 1000], profdir="", cwd=t.dir)
    t.true("gmon.out", os.path.exists(os.path.join(t.dir, "gmon.out")),
           "one", os.listdir(t.dir))


if __name__ == "__main__":
    main()
