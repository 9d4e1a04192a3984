#!/usr/bin/env python3
# Context: O.  Programs that live by their own faults, under a fast clock whose
# walks meet memory that is not there: complaints 12 to 16.
from harness import case, main, pick

HZ = "hz=10000"
SECONDS = pick(2, 30)


def line(t, argv, wanted, opts=HZ):
    r = t.good(argv, opts=opts, timeout=60 + 20 * SECONDS)
    t.equal(" ".join(map(str, argv[1:])), wanted, r.text.strip())
    t.equal("stderr", b"", r.err)
    t.figure("samples", sum(p.samples for p in t.profiles()) > 0, "some", 0)


@case
def barrier(t):
    """complaints 12, 13: a collector's write barrier.  Ticks in its handler
    go through it, and each thread's mask is as it was."""
    exe = t.build("own_faults.c", "own_faults", "-pthread",
                  "-fomit-frame-pointer")
    line(t, [exe, "collect", SECONDS], "collect unhandled 0 wrong 0 deepest 0")
    seen = t.folded()
    of = sum(s for p, s in seen.items() if "let_in" in p)
    through = sum(s for p, s in seen.items() if "let_in" in p and
                  "collect" in p[:p.index("let_in")])
    t.figure("time in the handler", of > 0.1, "0.1 s", of)
    t.figure("below whom it interrupted", through > 0.95 * of, "95 %",
             through / of)


@case
def chains(t):
    """complaints 14: handlers saved, replaced and put back, a million times:
    nobody calls himself."""
    exe = t.build("own_faults.c", "own_faults", "-pthread")
    for opts in (HZ, "hz=4000,tier=process", ""):
        line(t, [exe, "chain", pick(50000, 1000000)],
             "chain unhandled 0 wrong 0 deepest 1", opts)


@case
def allocating_handler(t):
    """complaints 15: the program's handler allocates, and a walk tries memory
    that is not there: no fault of a walk is the program's."""
    exe = t.build("own_faults.c", "own_faults", "-pthread",
                  "-fomit-frame-pointer")
    line(t, [exe, "allocate", SECONDS],
         "allocate unhandled 0 wrong 0 deepest 0")


@case
def ends(t):
    """complaints 16: a handler that mends nothing.  The process ends as it
    does bare, at once, and what it did is in its profile."""
    exe = t.build("own_faults.c", "own_faults", "-pthread")
    for how in ("again", "deeper", "once", "gives_up", "aborts", "leaves"):
        bare, mon = t.both([exe, "end", how], what=how, opts=HZ,
                           profdir=how)
        t.true(f"{how}: an end", mon.status != "exit 0", "by a signal",
               mon.status)
        p, = t.profiles(how)
        t.figure(f"{how}: what it did", p.samples > 10, "20 million turns",
                 p.describe())


main()
