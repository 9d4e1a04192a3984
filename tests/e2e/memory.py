#!/usr/bin/env python3
# Context: O.  Memory of the program and of libmon.so in one address space: ours
# is never where the program may map, and ticks never write to the program's.
from harness import case, load, main

HOLES = ("small", "large", "threads", "forked", "grows", "reserved")
OPTIONS = ("hz=10000", "mode=time+heap,log=yes,clock=wall")


@case
def holes(t):
    """The program can map again with MAP_FIXED what it has unmapped."""
    for kind in HOLES:
        t.equal(f"{kind} alone", f"{kind} taken 0",
                t.good([load("holes"), kind], mon=False).text.strip())
        for opts in OPTIONS:
            r = t.good([load("holes"), kind], opts=opts)
            t.equal(f"{kind}, {opts}", f"{kind} taken 0", r.text.strip())
    t.figure("samples", all(p.samples > 0 for p in t.profiles()), "some",
             "none")


@case
def holes_in_the_old_layout(t):
    """Without a limit for the stack the kernel assigns addresses upwards."""
    for kind in HOLES:
        r = t.good(["sh", "-c", 'ulimit -s unlimited && exec "$@"', "sh",
                    load("holes"), kind], opts="hz=10000")
        t.equal(kind, f"{kind} taken 0", r.text.strip())


STACKS = ("unmapped", "reused", "numbered", "protected", "flipped", "threads",
          "answers", "pointers", "handlers", "registers", "overflow",
          "coroutines", "switched", "returned", "children", "early")


@case
def alternate_stacks(t):
    """Ticks do not use the program's stacks, handlers run there, and the kernel
    answers as it does without libmon."""
    for kind in STACKS:
        argv = [load("altstacks"), kind]
        bare = t.good(argv, mon=False)
        for opts in OPTIONS:
            r = t.good(argv, opts=opts)
            t.equal(f"{kind}, {opts}", bare.text, r.text)
    for p in t.profiles():
        t.figure("samples", p.samples > 0, "some", p.describe())


@case
def jumps_down_the_stack(t):
    """libc asks the kernel whether a thread is on its alternate stack, and
    ended a fortified program as it is not on ours."""
    exe = t.build("jumps_down.c", "jumps_down", "-O2", "-D_FORTIFY_SOURCE=2",
                  "-pthread")
    bare = t.good([exe], mon=False)
    for opts in OPTIONS:
        t.equal(opts, bare.text, t.good([exe], opts=opts).text)


KINDS = ("hidden", "watched", "blocked", "threads", "forked", "faults",
         "deaths", "allocates", "shown")
MORE = {"allocates": ("mode=heap",), "shown": ("follow=no",)}


@case
def unreadable_stacks(t):
    """A fault of a walk is counted; the program's own faults stay its own."""
    for kind in KINDS:
        argv = [load("unreadable_stack"), kind]
        bare = t.good(argv, mon=False)
        for opts in OPTIONS + MORE.get(kind, ()):
            r = t.good(argv, opts=opts)
            t.equal(f"{kind}, {opts}", bare.text, r.text)
    t.true("counted", sum(p.loss.get("FAULT", 0) for p in t.profiles()) > 0,
           "some", "none")


main()
