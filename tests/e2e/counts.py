#!/usr/bin/env python3
# Context: O.  Counted calls and their arcs are those that callgrind sees in the
# same program without us; with threads, those that the program itself counts.
import csv

from callgrind import compare, different, fresh, tools
from harness import case, main, need, pick

FLAGS = {
    "pg": ["-pg"],
    "pg no pie": ["-pg", "-no-pie"],
    "fentry": ["-pg", "-mfentry"],
    "fentry no plt": ["-pg", "-mfentry", "-fno-plt"],
    # Inlined functions are counted, too, and a clone as its original;
    # callgrind cannot see that.
    "instrument": ["-finstrument-functions", "-fno-inline", "-fno-ipa-cp"],
}
COMPILERS = ["gcc", "clang"]


def compiled(t, cc, output, source, *flags):
    return t.build(source, output, *flags, cc=[need(cc)])


def program(t, cc, level, flags, counted=True):
    """arcs.c with its library: the two files."""
    shared = [f for f in flags if f != "-no-pie"]
    lib = compiled(t, cc, "libarcs.so", "arcs_lib.c", level, *shared, "-fPIC",
                   "-shared")
    exe = compiled(t, cc, "arcs", "arcs.c", level, *(flags if counted else []),
                   "-pthread", "-Wl,--no-as-needed", lib)
    return [exe, lib]


@case
def kinds(t):
    """arcs.c: recursion, pointers, libc's callbacks, longjmp, handlers, jumps,
    constructors, a library there and back."""
    tools()
    for name, flags in FLAGS.items():
        for cc in COMPILERS:
            for level in pick(["-O2"], ["-O0", "-O1", "-O2", "-O3", "-Os"]):
                files = program(t, cc, level, flags)
                what = f"{cc} {name} {level}"
                seen = compare(t, what, files, files[:1], ["handler"])
                jumps = ("arcs", "second"), ("arcs", "third")
                if level == "-O2" and "-pg" in flags:
                    t.true(f"{what}: calls by jumps", jumps not in seen.arcs,
                           "some", "none")


@case
def library_alone(t):
    """A library that is compiled for it, in a program that is not."""
    tools()
    for name, flags in FLAGS.items():
        files = program(t, "gcc", "-O2", flags, counted=False)
        compare(t, name, files[1:], files[:1])


@case
def exceptions(t):
    """arcs.cc: frames that end by a throw, virtual functions, templates."""
    tools()
    for name in pick(["pg", "fentry", "instrument"], FLAGS):
        for cc in ("g++", "clang++"):
            for level in pick(["-O2"], ["-O0", "-O1", "-O2", "-O3"]):
                flags = FLAGS[name]
                exe = compiled(t, cc, "arcs_cc", "arcs.cc", level, *flags)
                compare(t, f"{cc} {name} {level}", [exe], [exe])


@case
def threads(t):
    """Each arc of several threads at once, against the program's counters."""
    for name, flags in FLAGS.items():
        for n in (2, 5, 64):
            files = program(t, "gcc", "-O2", flags)
            r = t.good([files[0], n, pick(20000, 1000000)])
            told = {}
            for line in r.out.decode().splitlines():
                caller, callee, calls = line.split()
                told[caller, callee] = int(calls)
            graph = t.prof("--csv", "--graph", "--no-inline", *t.files()).stdout
            got = {}
            for x in csv.DictReader(graph.splitlines(True)):
                # Threads begin in libc, or in our wrapper of that.
                of = (x["caller"] if x["caller_module"] == "arcs" else
                      "libc.so.6")
                k = of, x["function"]
                if k in told:
                    got[k] = got.get(k, 0) + int(x["calls"] or 0)
            different(t, f"{name}, {n} threads", told, got)
            fresh(t)


if __name__ == "__main__":
    main()
