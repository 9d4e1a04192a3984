#!/usr/bin/env python3
# Context: O.  The arrays that a program hands to profil(2) and sprofil(3) are
# filled from our clocks, as the manuals say.
import os

from harness import LIB, case, load, main, need, pick

SECOND = 100		# counts of profil(2)
OPTIONS = ("", "hz=1000", "tier=timer", "tier=process")


def told(r):
    """{part: (counts, seconds)}, the last line of each; all lines."""
    rows = [line.split() for line in r.text.splitlines()]
    return {n: (int(c), float(s)) for n, c, s in rows}, rows


def agrees(t, what, rows, rate=SECOND, tolerance=0.05):
    """Counts are the CPU time, in all and by part, within what a sample of
    that many can be off."""
    parts = {n: v for n, v in rows.items() if n.startswith("part_")}
    counts = sum(c for c, _ in parts.values())
    seconds = sum(s for _, s in parts.values())
    t.near(f"{what}: all", seconds * rate, counts,
           tolerance * seconds * rate + 3)
    for name, (c, s) in parts.items():
        share = s / seconds
        sigma = (share * (1 - share) / max(1, min(rate, 250) * seconds)) ** 0.5
        t.near(f"{what}: share of {name}", share, c / max(1, counts),
               4 * sigma + 0.01)


def fills(kind, *args, opts=OPTIONS, rate=SECOND, seconds=None):
    def run(t):
        for o in opts:
            r = t.good([load("histogram"), kind, seconds or pick(1, 5)],
                       opts=o)
            rows, _ = told(r)
            agrees(t, o, rows, rate)
            t.profiles()
    run.__name__ = kind
    case(run)


fills("scaled")
fills("forked")
# Where threads share a processor the scheduler's tick is in step with them.
fills("threads", opts=("", "hz=1000"))


@case
def plain(t):
    for o in OPTIONS:
        r = t.good([load("histogram"), "plain", pick(1, 5)], opts=o)
        rows, lines = told(r)
        first = {n: (int(c), float(s)) for n, c, s in lines[:3]}
        agrees(t, o, first)
        t.equal(f"{o}: after the end", [c for c, _ in first.values()],
                [c for c, _ in rows.values()])


@case
def regions(t):
    """32 bits, and what lies in no region in a counter of its own."""
    for o in OPTIONS:
        r = t.good([load("histogram"), "regions", pick(1, 5)], opts=o)
        rows, _ = told(r)
        rate = 1e6 / rows["period"][0]
        agrees(t, o, rows, rate)
        counts, seconds = rows["rest"]
        t.near(f"{o}: rest", seconds * rate, counts, 0.1 * seconds * rate + 8)


@case
def confined(t):
    """Behind seccomp, with what it forbids not called."""
    for o in ("", "hz=1000", "tier=timer"):
        r = t.good([load("histogram"), "confined", pick(1, 5)], opts=o)
        agrees(t, o, told(r)[0])


@case
def executed(t):
    """libc's own clock goes on there, and kills the next program."""
    for o in OPTIONS:
        r = t.run([load("histogram"), "executed"], opts=o)
        t.equal(f"{o}: end", "exit 0", r.status)


@case
def unmapped(t):
    """The buffer is gone: the program lives, and the loss is told."""
    for o in OPTIONS:
        t.good([load("histogram"), "unmapped"], opts=o)
    lost = [p.loss.get("HISTOGRAM_GONE", 0) for p in t.profiles()]
    t.equal("profiles", len(OPTIONS), len(lost))
    t.figure("counts lost", min(lost) > 10, "each some", lost)


def linked(t):
    return t.build("histogram.c", "linked", "-pthread", "-Wl,--no-as-needed",
                   LIB, f"-Wl,-rpath,{os.path.dirname(LIB)}")


@case
def linked_is_not_preloaded(t):
    """It does what the program asks for, and no more."""
    exe = linked(t)
    before = sorted(os.listdir(t.dir))
    for kind in ("plain", "scaled", "forked", "confined"):
        r = t.good([exe, kind, pick(1, 5)], mon=False, cwd=t.dir)
        rows, lines = told(r)
        agrees(t, kind, {n: (int(c), float(s)) for n, c, s in lines[:3]})
    r = t.good([exe, "regions", pick(1, 5)], mon=False, cwd=t.dir)
    rows, _ = told(r)
    agrees(t, "regions", rows, 1e6 / rows["period"][0])
    r = t.good([exe, "threads", pick(1, 5)], mon=False, cwd=t.dir)
    rows, _ = told(r)
    t.near("threads", sum(s for _, s in rows.values()) * SECOND,
           sum(c for c, _ in rows.values()),
           0.05 * sum(s for _, s in rows.values()) * SECOND + 8)
    for kind in ("executed", "unmapped", "nothing"):
        r = t.run([exe, kind], mon=False, cwd=t.dir)
        t.equal(kind, "exit 0", r.status)
    t.equal("files", before, sorted(os.listdir(t.dir)))


@case
def linked_and_preloaded(t):
    r = t.good([linked(t), "plain", pick(1, 5)])
    _, lines = told(r)
    agrees(t, "", {n: (int(c), float(s)) for n, c, s in lines[:3]})
    t.near("profile", r.cpu, t.profile("linked").seconds, 0.05 * r.cpu + 0.02)


@case
def linked_and_silent(t):
    """No call that an empty library would not make."""
    need("strace")
    exe = linked(t)
    calls = t.run(["strace", "-f", exe, "nothing", "0.01"], mon=False).err
    for call in ("timer_create", "rt_sigaction", "perf_event_open",
                 "sigaltstack", "madvise", "/proc"):
        t.equal(call, 0, str(calls).count(call))


if __name__ == "__main__":
    main()
