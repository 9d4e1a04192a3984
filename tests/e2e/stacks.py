#!/usr/bin/env python3
# Context: O.  Call stacks: tests/load/stacks.c knows who called whom, and
# the profile must say the same.
import collections
import os
import re
import shutil

from harness import Skip, case, main, placed
from knownstacks import NO_FP, ran, run


NO_TABLES = ["-O2", "-fno-asynchronous-unwind-tables", "-fno-unwind-tables"]

# Share of the program's clock reads and libc's start: a few ticks.
STRAY = 0.02


def ends(t, what, paths, *wanted, where="leaf", stray=STRAY):
    """All time in `where` is below one of these ends of a path."""
    of = {p: s for p, s in paths.items() if p[-1] == where}
    other = {p: s for p, s in of.items()
             if not any(p[-len(w) - 1:-1] == w for w in wanted)}
    t.figure(f"{what}: there is time in {where}", sum(of.values()) > 0.2,
             "more than 0.2 s", sum(of.values()))
    t.figure(f"{what}: all below {wanted}",
             sum(other.values()) <= stray * sum(of.values()),
             f"at most {stray:.1%} elsewhere",
             sorted(other.items(), key=lambda x: -x[1])[:3])


def begins(t, what, paths, *wanted, stray=STRAY):
    """And outermost is nothing but what begins a program, or a thread."""
    all_ = sum(paths.values())
    other = {p: s for p, s in placed(paths).items() if p[0] not in wanted}
    t.figure(f"{what}: outermost is {wanted}",
             sum(other.values()) <= stray * all_,
             f"at most {stray:.1%} elsewhere",
             sorted(other.items(), key=lambda x: -x[1])[:3])


@case
def paths(t):
    """Eight paths, each as often as the program says."""
    for cc in ("gcc", "clang"):
        r, seen = ran(t, NO_FP, "paths", cc=cc)
        taken = [int(n) for n in r.out.split()]
        names = {("top", f"a{i & 1}", f"b{i >> 1 & 1}", f"c{i >> 2 & 1}",
                  "end_of"): i for i in range(8)}
        ends(t, cc, seen, *names)
        begins(t, cc, seen, "_start")
        share = collections.Counter()
        for p, s in seen.items():
            if p[-1] == "leaf" and p[-6:-1] in names:
                share[names[p[-6:-1]]] += s
        of = sum(share.values())
        for i, n in enumerate(taken):
            part = n / sum(taken)
            # 4 sigma of as many samples of a millisecond or more
            slack = 4 * (part * (1 - part) / (of / 0.00109)) ** 0.5 + 0.01
            t.near(f"{cc}: share of path {i}", part, share[i] / of, slack)


@case
def shapes(t):
    """Frames that are aligned, or sized at run time; a caller that is gone;
    complaints 53: a call that is the last instruction of its function."""
    for cc in ("gcc", "clang"):
        for flags in (NO_FP, ["-O0"], ["-O3", "-mavx2"]):
            for kind, way in (("odd", ("odd_frames", "aligned")),
                              ("never", ("calls_never", "never"))):
                _, seen = ran(t, flags, kind, cc=cc)
                what = f"{cc} {' '.join(flags)} {kind}"
                # A function called once is part of main when optimised.
                ends(t, what, seen, way[1:])
                begins(t, what, seen, "_start")


@case
def signals(t):
    """Through a handler to what it interrupted, on whatever stack."""
    _, seen = ran(t, NO_FP, "signals")
    stray = {p: s for p, s in seen.items() if p[-1] == "leaf" and
             ("interrupted" not in p or "main" not in p)}
    t.figure("signals: below what was interrupted",
             sum(stray.values()) <= STRAY * sum(seen.values()), "all", stray)
    begins(t, "signals", seen, "_start")
    # There the ticks wait until the handler is done, and say so.
    late = "[no callers: the sample came late]"
    _, seen = ran(t, NO_FP, "altstack")
    t.figure("altstack: ticks of the handler", sum(
          s for p, s in seen.items() if p == (late, "leaf")) > 0.05,
          "late", seen)
    begins(t, "altstack", seen, "_start", late)
    # The walk does not find who called a null pointer, and the stack says so.
    nowhere = "[no callers: return address in no code]"
    _, seen = ran(t, NO_FP, "null_calls")
    t.figure("null calls: there is time", sum(
          s for p, s in seen.items() if p[-1] == "leaf") > 0.1, "0.1 s", seen)
    begins(t, "null calls", seen, "_start", nowhere)
    _, seen = ran(t, NO_FP, "raised")
    of = sum(s for p, s in seen.items() if p[-2:] == ("handler", "leaf"))
    through = sum(s for p, s in seen.items() if p[-2:] == ("handler", "leaf")
                  and "raiser" in p and "main" in p)
    t.figure("raised: there is time", of > 0.1, "more than 0.1 s", of)
    t.near("raised: all through the call", of, through, STRAY * of)


@case
def fibres(t):
    """makecontext(3) on stacks that come and go."""
    _, seen = ran(t, NO_FP, "fibres", opts="hz=2000")
    ends(t, "fibres", seen, ("fibre",))
    of = {p: s for p, s in seen.items() if p[-1] == "leaf"}
    t.figure("fibres: begin where makecontext began them",
             sum(s for p, s in of.items() if "__start_context" in p[0]) >=
             0.98 * sum(of.values()),
             "all", sorted(of.items(), key=lambda x: -x[1])[:3])


@case
def system_calls(t):
    """Kernel time has the stack of its call."""
    _, seen = ran(t, NO_FP, "calls")
    of = {p: s for p, s in seen.items() if "read" in p[-1]}
    below = sum(s for p, s in of.items() if "reader" in p)
    t.figure("there is time in read", sum(of.values()) > 0.3, "0.3 s",
             sum(of.values()))
    t.near("all below reader", sum(of.values()), below,
           STRAY * sum(of.values()))
    begins(t, "calls", seen, "_start")


def within(text, function, line):
    """Is that line of the source in a function?"""
    first = next(i for i, x in enumerate(text, 1)
                 if re.match(r"(FUNCTION )?" + function + r"\(", x) and
                 not x.endswith(";"))
    last = next(i for i in range(first, len(text) + 1) if text[i - 1] == "}")
    return first - 1 <= line <= last


@case
def inlined(t):
    """Functions that nobody called, where there is debug information."""
    for cc in ("gcc", "clang"):
        _, seen = ran(t, NO_FP, "inlined", cc=cc)
        ends(t, f"{cc}: twice within outer, once without", seen,
             ("has_inlined", "outer", "inner"), ("has_inlined", "inner"))
        of = {p: s for p, s in seen.items() if p[-1] == "leaf"}
        t.near(f"{cc}: within outer", 2 / 3, sum(
            s for p, s in of.items() if "outer" in p) / sum(of.values()), 0.1)
        bare = t.folded("--no-inline")
        ends(t, f"{cc}: --no-inline", bare, ("main", "has_inlined"),
             ("inlined", "has_inlined"))
        t.near(f"{cc}: all time", sum(seen.values()), sum(bare.values()),
               1e-4)
        part = t.folded("--focus=outer")
        t.near(f"{cc}: --focus", sum(s for p, s in seen.items()
                                     if "outer" in p),
               sum(part.values()), 1e-4)
        text = t.prof("--tree", *t.files()).stdout
        t.true(f"{cc}: marked", re.search(r" inner .*, inlined\]", text) and
               not re.search(r" leaf .*, inlined\]", text), "inlined", text)
        lines = t.rows("--lines", *t.files())
        own = [x for x in lines if x["file"].endswith("/stacks.c")]
        t.near(f"{cc}: by line", sum(seen.values()),
               sum(float(x["seconds"]) for x in lines), 1e-2)
        t.near(f"{cc}: in the source", 1, sum(
            float(x["seconds"]) for x in own) / sum(
            float(x["seconds"]) for x in lines if x["module"] == "stacks"),
            0.02)
        text = open(own[0]["file"]).read().splitlines()
        for x in own:
            if float(x["percent"]) > 3 and x["function"] == "leaf":
                t.true(f"{cc}: line {x['line']}", within(
                    text, "leaf", int(x["line"])), "in leaf", x)
        paths = t.rows("--tree", "--by=line", *t.files())
        t.near(f"{cc}: stacks by line", sum(seen.values()), sum(
            float(x["self_seconds"]) for x in paths), 1e-2)
        t.true(f"{cc}: a line that calls", any(re.match(
            r"has_inlined  stacks\.c:\d+$", x["function"])
            for x in paths), "has_inlined  stacks.c:N", paths[:20])
        files = t.rows("--by=file", *t.files())
        t.near(f"{cc}: by file", sum(float(x["seconds"]) for x in own), sum(
            float(x["seconds"]) for x in files
            if x["file"].endswith("/stacks.c")), 1e-6)
    run(t, [*NO_FP, "-g0"], "inlined")
    t.true("no debug information", not any(
        "inner" in p for p in t.folded()), "not known", "inner")


@case
def kernel_functions(t):
    """kernel=detail: read later, and never below one who did not call it."""
    cut = "[no callers: not in the copy of the stack]"
    for depth, whole in ((0, True), (3, True), (40, False)):
        run(t, NO_FP, "ways", str(depth), opts="kernel=detail")
        if t.profile().info["kernel_seen"] != "1":
            raise Skip("no samples of the kernel here")
        seen = t.folded()
        inner = {p: s for p, s in seen.items() if "read" in p}
        of = sum(inner.values())
        t.figure(f"{depth}: there is time in read", of > 0.3, "0.3 s", of)
        good = {p: s for p, s in inner.items()
                if p[0] == ("_start" if whole else cut)}
        t.figure(f"{depth}: whole {whole}", sum(good.values()) >= 0.95 * of,
                 "95 %", sum(good.values()) / of)
        for way, other in (("from_nothing", "random"),
                           ("from_noise", "read_zero")):
            wrong = {p: s for p, s in inner.items() if way in p and
                     any(other in f for f in p[p.index("read"):])}
            t.equal(f"{depth}: of {way}", {}, wrong)
            t.true(f"{depth}: {way} is there",
                   not whole or any(way in p for p in good), "time", good)
        # A tick's own calls are below what it interrupted.
        ticks = sum(s for p, s in good.items() if "take" not in p)
        t.figure(f"{depth}: below who did not call", ticks <= STRAY * of,
                 "the ticks'", ticks)


@case
def threads(t):
    """On a stack of the program's, and on one of libc's."""
    _, seen = ran(t, NO_FP, "threads")
    way = ("in_thread",) + ("recurse",) * 6
    ends(t, "threads", seen, way)
    starts = {p[:2] for p, s in seen.items() if p[-1] == "leaf"
              and s > 0.01}
    t.true("begin in clone", all(re.match("_*clone", p[0]) for p in starts),
           "clone, clone3", starts)


@case
def threads_one_by_one(t):
    """One takes over what the one before knew, but not its ticks."""
    run(t, NO_FP, "reused", opts="hz=1000")
    rows = [r for r in t.rows("--by=thread", *t.files()) if r["thread"]]
    seconds = [float(r["seconds"]) for r in rows]
    t.figure("a line each", len(rows) > 90, "100 threads", len(rows))
    t.figure("each with its own time", max(seconds) < 0.08, "0.02 s each",
             sorted(seconds)[-5:])


@case
def libraries_in_turns(t):
    """complaints 55: a library where another was before."""
    libs = [t.build("part_lib.c", f"{n}.so", "-shared", "-fPIC",
                    f"-DPART_NAME={n}") for n in ("one", "two")]
    exe = t.build("swap.c", "swap", *NO_FP)
    r = t.good([exe, *libs], opts="hz=1000")
    told = r.numbers()
    t.true("the same place", told["same"] > 5, "of ten", told)
    rows = {r["function"]: r for r in t.rows(*t.files())}
    for n in ("one", "two"):
        t.equal(f"{n}: in its library", f"{n}.so", rows[n]["module"])
        t.near(f"{n}: its time", told[n], float(rows[n]["seconds"]),
               0.1 * told[n])
    for p, s in t.folded().items():
        if p[-1] in ("one", "two") and s > 0.01:
            t.true("called by", f"run_{p[-1]}" in p[-3:], f"run_{p[-1]}", p)


@case
def astray(t):
    """complaints 8: no crash, and no caller that never called."""
    if os.uname().machine != "x86_64":
        raise Skip("its assembler is x86-64's")
    exe = t.build("wild.c", "wild", *NO_FP)
    for kind in ("leaf", "callback", "faults", "unmapped", "forbidden",
                 "unloaded", "confined"):
        for stack in ("auto", "fp"):
            shutil.rmtree(os.path.join(t.dir, "profs"), ignore_errors=True)
            t.good([exe, kind], opts=f"hz=4000,stack={stack}")
            if stack == "fp":
                continue
            seen = t.folded()
            if kind == "leaf":
                ends(t, kind, seen, ("main", "middle", "right_caller"),
                     where="bare_leaf")
            if kind == "faults":
                of = {p: s for p, s in seen.items() if p[-1] == "work"}
                right = sum(s for p, s in of.items() if p.count("bare_fault")
                            == 1 and "fault_caller" in p and "main" in p)
                t.figure("faults: there is time", right > 0.2, "0.2 s", right)
                t.near("faults: once each", sum(of.values()), right,
                       STRAY * sum(of.values()))
            if kind == "callback":
                never = sum(s for p, s in seen.items() if "never_called" in p)
                t.equal("callback: what was never called", 0, never)


@case
def depth(t):
    """complaints 54: of a deep stack both ends."""
    for n, keep in ((300, 64), (100, 512), (1500, 512)):
        run(t, NO_FP, "deep", str(n), opts=f"depth={keep}")
        seen = t.folded("--no-inline")
        of = {p: s for p, s in seen.items() if p[-1] == "leaf" and s > 0.005}
        for p in of:
            cut = [i for i, f in enumerate(p) if "depth=" in f]
            t.equal(f"{n} of {keep}: cut", [keep // 2 - 1] if n > keep else
                    [],
                    cut)
            t.equal(f"{n} of {keep}: outermost", "_start", p[0])
            t.true(f"{n} of {keep}: how many", len(p) == keep + 1 if n > keep
                   else p.count("recurse") == n + 1, "as asked", len(p))
    _, seen = ran(t, NO_FP, "deep", "20000")
    p = max(seen, key=seen.get)
    t.equal("20000: in the midst", 1, sum("depth=" in f for f in p))
    t.true("20000: at its end", "a tick can look for" in p[0], "says so", p[0])


@case
def ways(t):
    """stack=: what each can do."""
    whole = ("main", "recurse", "recurse", "recurse", "recurse", "leaf")

    def share(paths):
        of = {p: s for p, s in paths.items() if p[-1] == "leaf"}
        good = sum(s for p, s in of.items() if "main" in p and
                   p.count("recurse") in (3, 4))
        return good / sum(of.values())

    for opts, flags, good in (
            ("stack=auto", NO_FP, True), ("stack=cfi", NO_FP, True),
            ("stack=fp", ["-O1", "-fno-omit-frame-pointer",
                          "-fno-optimize-sibling-calls"], None),
            ("stack=auto", NO_TABLES + ["-fno-omit-frame-pointer",
                                        "-mno-omit-leaf-frame-pointer"],
             True),
            ("stack=cfi", NO_TABLES + ["-fno-omit-frame-pointer"], False),
            ("stack=auto", NO_TABLES + ["-fomit-frame-pointer"], False)):
        _, seen = ran(t, flags, "deep", "3", opts=opts)
        what = f"{opts} {' '.join(flags)}: whole stacks"
        if good is None:
            # libc has no frame pointers: at main it ends, one way or another
            t.figure(what, share(seen) > 0.9, "> 0.9", share(seen))
        elif good:
            t.figure(what, share(seen) > 0.98, "> 0.98", share(seen))
        else:
            cut = sum(s for p, s in seen.items() if p[-1] == "leaf" and
                      "no unwind table" in p[0])
            of = sum(s for p, s in seen.items() if p[-1] == "leaf")
            t.figure(what, cut > 0.98 * of, "said that there is no table",
                     sorted(seen.items(), key=lambda x: -x[1])[:3])
    run(t, NO_FP, "deep", "3", opts="stack=off")
    r = t.prof("--tree", *t.files(), good=False)
    t.equal("stack=off: status", 1, r.returncode)
    t.true("stack=off: why", "stack=off" in r.stderr, "says so", r.stderr)


if __name__ == "__main__":
    main()
