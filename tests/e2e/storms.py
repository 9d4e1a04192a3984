#!/usr/bin/env python3
# Context: O.  Storms: what deadlocked, crashed or corrupted the profilers
# before us, at 10 kHz.  Each workload prints what must have come out; a hang
# prints the stacks of all threads.
import os
import shutil

import pagedata
from harness import case, load, lots, main, need, pick

HZ = "hz=10000"
SECONDS = pick(3, 30)


def storm(t, argv, opts=HZ, factor=1, profile=True, **how):
    """Bare for a moment (is the workload right?), then under the clock."""
    r = t.good(argv, opts=opts, timeout=60 + 20 * SECONDS * factor, **how)
    return r


def line(t, argv, wanted, **how):
    r = storm(t, argv, **how)
    t.equal(" ".join(map(str, argv[1:3])), wanted, r.text.strip())
    t.equal("stderr", b"", r.err)
    profiles = t.profiles()
    t.figure("samples, or why not", any(p.samples > 0 or p.loss for p in
                                        profiles), "some",
             [p.describe() for p in profiles])
    return r


@case
def alone(t):
    """A tick opens files in a thread of a moment: the program must
    never meet it.  It aborted chromium's zygote."""
    line(t, [load("alone"), SECONDS], "alone looked crowded 0")


@case
def namespaces_beside_threads(t):
    """clock=wall: the helper ends for each setns(2) that may succeed.  It
    used to look at every thread then: 24 us for each, 9.6 s here."""
    argv = [load("moves"), 1000, 400]
    bare = t.good(argv, mon=False)
    r = t.good(argv, opts="clock=wall")
    t.equal("what it saw", bare.text, r.text)
    t.between("CPU seconds", 0, r.cpu, bare.cpu + 2)


@case
def dlopen(t):
    """complaints 4."""
    lib = t.build("part_lib.c", "one.so", "-shared", "-fPIC")
    libs = [lib] + [shutil.copy(lib, os.path.join(t.dir, f"{i}.so"))
                    for i in range(5)]
    line(t, [load("storm_stack"), "dlopen", SECONDS, *libs], "dlopen done")
    rows = [r for r in t.rows(*t.files())
            if r["module"].endswith(".so") and r["function"] == "part_lib"]
    t.figure("libraries in the profile", len(rows) > 0, "some", rows)


def every_sample_has_its_moment(t, what):
    """log=yes: of each row of a thread as much time as it has samples."""
    path = os.path.join(t.dir, "page.html")
    t.prof(f"--html={path}", *t.files())
    d = pagedata.read(path)
    owner = pagedata.column(d["samples"]["thread"])
    left = dict(enumerate(pagedata.column(d["samples"]["ns"])))
    lost = sum(p.loss.get("MOMENT", 0) for p in t.profiles())
    t.equal(f"{what}: ticks without a moment", 0, lost)
    for s, ns in zip(pagedata.column(d["moments"]["sample"]),
                     pagedata.column(d["moments"]["ns"])):
        left[s] -= ns
    of_threads = {s: ns for s, ns in left.items()
                  if d["threads"][owner[s]]["tid"] is not None}
    t.figure(f"{what}: samples", len(of_threads) > 10, "some", len(of_threads))
    t.equal(f"{what}: time without a moment", {},
            {s: ns for s, ns in of_threads.items() if ns != 0})


@case
def time_line(t):
    """log=yes: beside signals and jumps, in many threads, and in forks."""
    opts = HZ + ",log=yes,size=1g"
    for argv, wanted in (
            (["storm_threads", "first", 200], "first 200"),
            (["storm_threads", "cancel", SECONDS], "cancel all sane"),
            (["storm_process", "fork", SECONDS], "fork wrong 0"),
            (["storm_stack", "jumps", SECONDS], "jumps lost 0 mask same")):
        line(t, [load(argv[0]), *argv[1:]], wanted, opts=opts)
    every_sample_has_its_moment(t, "storms")


@case
def dlstress(t):
    """complaints 4: short lives in which libraries come and go, many of
    them."""
    lib = t.build("part_lib.c", "one.so", "-shared", "-fPIC")
    for i in range(pick(10, 1000)):
        r = t.good([load("storm_stack"), "dlopen", 0.05, lib, lib], opts=HZ)
        t.equal(f"run {i}", "dlopen done", r.text.strip())


@case
def exceptions(t):
    """complaints 3."""
    cxx = need("c++")
    exe = t.build("storm_throw.cc", "storm_throw", "-pthread", cc=[cxx])
    line(t, [exe, SECONDS], "throw lost 0 alive 0")


@case
def exceptions_while_loading(t):
    """complaints 1, the field's largest class: the loader's lock held on one
    side, wanted by an unwinder on the other."""
    cxx = need("c++")
    exe = t.build("storm_throw.cc", "storm_throw", "-pthread", cc=[cxx])
    lib = t.build("part_lib.c", "one.so", "-shared", "-fPIC")
    line(t, [exe, SECONDS, lib, shutil.copy(lib, t.dir + "/two.so")],
         "throw lost 0 alive 0")


@case
def short_threads(t):
    n = pick(5000, 100000)
    argv = [load("storm_threads"), "many", n]
    bare = t.good(argv, mon=False).numbers()
    r = storm(t, argv)
    told = r.numbers()
    t.equal("threads", [n, n], [bare["many"], told["many"]])
    t.equal("stderr", b"", r.err)
    # complaints 60, 63: what we keep for a thread is given back.  Some are
    # alive at once: 16 of them have 1 MB of stacks and alternate stacks.
    t.true("resident size", told["peak"] < bare["peak"] + 4096,
           f"at most 4 MiB more than {bare['peak']:.0f} KiB",
           f"{told['peak']:.0f} KiB")
    t.profiles()


@case
def threads_at_the_start(t):
    """complaints 6: two hundred of them allocate before main()."""
    line(t, [load("storm_threads"), "first", 200], "first 200")


@case
def cancelled_threads(t):
    line(t, [load("storm_threads"), "cancel", SECONDS], "cancel all sane")


@case
def backtraces(t):
    """complaints 2: programs that walk their own stacks."""
    line(t, [load("storm_threads"), "backtraces", SECONDS],
         "backtraces wrong 0")


@case
def sixty_four_threads(t):
    line(t, [load("storm_threads"), "busy", pick(1000000, 6000000)],
         "busy right 64", factor=3)


@case
def ten_thousand_live_threads(t):
    """All are counted, with what they used together; no search of one thread
    may grow with the number of the others.  A few may have no timer."""
    n = pick(3000, 10000)
    for opts in ("", "clock=wall", "mode=time+heap"):
        d = f"p-{opts}"
        r = t.good([load("live_threads"), n], opts=opts, profdir=d,
                   timeout=300)
        t.equal(f"{opts}: output", f"ended {n}\n", r.text)
        p, = t.profiles(d)
        t.equal(f"{opts}: threads", str(n + 1), p.info["lives"])
        shown = sum(float(x["seconds"]) for x in t.rows("--kernel", p.path)
                    if x["mode"] != "sleep")
        t.near(f"{opts}: CPU seconds", p.cpu, shown, 0.01 * p.cpu)
        # A tick may meet another one, or a thread that has just ended.
        others = sum(v for k, v in p.loss.items() if k != "THREAD_CLOCK")
        t.between(f"{opts}: losses {p.loss}", 0, others, n / 100)


@case
def fork_from_threads(t):
    line(t, [load("storm_process"), "fork", SECONDS], "fork wrong 0")


@case
def exec_after_exec(t):
    """One pid, hundreds of images; a tick of the old one kills the new.
    None of their files is lost: the sum is rusage, less what the loader took
    of each before we were there."""
    images = pick(400, 8000)
    for opts in ("", HZ):
        d = f"c-{opts}"
        r = t.run([load("storm_process"), "chain", images], opts=opts,
                  profdir=d, timeout=pick(60, 1200))
        t.equal(f"{opts}: end", "exit 0", r.status)
        t.equal(f"{opts}: stdout", "chain wrong 0", r.text.strip())
        profiles = t.profiles(d)
        t.between(f"{opts}: seconds, {len(profiles)} files",
                  r.cpu - 0.003 * images - lots(0.004, r.cpu, 1),
                  sum(p.seconds for p in profiles),
                  1.02 * r.cpu + lots(0.004, r.cpu, 1))


@case
def vfork_and_exec(t):
    line(t, [load("storm_process"), "vfork", pick(600, 100000)],
         "vfork wrong 0", factor=10)


@case
def spawn(t):
    line(t, [load("storm_process"), "spawn", pick(600, 20000)],
         "spawn wrong 0", factor=10)


@case
def system_and_popen(t):
    line(t, [load("storm_process"), "shell", SECONDS], "shell wrong 0")


@case
def fibres(t):
    """complaints 9."""
    line(t, [load("storm_stack"), "fibres", SECONDS], "fibres wrong 0")


@case
def full_alternate_stack(t):
    line(t, [load("storm_stack"), "altstack", SECONDS],
         "altstack lost 0 wrong 0")


def small_alternate_stack(kind, clockless=0, turns=1):
    """complaints 10: a tick there kills: that thread has none, and is
    counted."""
    def run(t):
        for opts in ("", "tier=process"):
            for _ in range(turns):
                r = t.good([load("small_stack"), kind], opts=opts)
                t.equal(f"{opts}: stdout", f"{kind} done", r.text.strip())
            if opts == "":
                lost = sum(p.loss.get("THREAD_CLOCK", 0)
                           for p in t.profiles())
                t.equal("threads without a clock", clockless, lost)
    run.__name__ = f"small_alternate_stack_{kind}"
    case(run)


small_alternate_stack("refused", clockless=1)
small_alternate_stack("returned")
small_alternate_stack("jumped")
small_alternate_stack("forked")
small_alternate_stack("moved", turns=pick(5, 40))
small_alternate_stack("helper")
small_alternate_stack("tried", clockless=1)
small_alternate_stack("inherited")
small_alternate_stack("elsewhere")
small_alternate_stack("late")
small_alternate_stack("sharer")
small_alternate_stack("confined")


@case
def tight_alternate_stack(t):
    """As Rust's are: their threads are profiled, also beside AMX."""
    r = line(t, [load("storm_stack"), "tight", 1], "tight done")
    seen = sum(p.sampled for p in t.profiles())
    t.near("seconds", r.cpu, seen, 0.1 * r.cpu + 0.02)


@case
def tiles_on_alternate_stack(t):
    """Its frames grow after it was judged: they leave no room for a tick."""
    line(t, [load("storm_stack"), "tight", 1, "tiles"], "tight done")


@case
def more_than_our_alternate_stack(t):
    """A handler of a program without an alternate stack has all of the
    thread's stack."""
    r = storm(t, [load("storm_stack"), "deep", SECONDS])
    t.equal("stdout", "deep done", r.text.strip())


@case
def nested_on_alternate_stack(t):
    line(t, [load("storm_stack"), "nested", SECONDS], "nested lost 0")


@case
def jumps_out_of_handlers(t):
    line(t, [load("storm_stack"), "jumps", SECONDS], "jumps lost 0 mask same")


@case
def fork_of_a_large_process(t):
    """complaints 18: fork started over for ever under a fast clock."""
    script = ("import mmap, os, time\n"
              "m = mmap.mmap(-1, 2 << 30)\n"
              "for i in range(0, 400 << 20, 4096): m[i] = 1\n"
              "worst = 0\n"
              "for i in range(20):\n"
              "    b = time.monotonic()\n"
              "    p = os.fork()\n"
              "    if p == 0: os._exit(0)\n"
              "    worst = max(worst, time.monotonic() - b)\n"
              "    os.waitpid(p, 0)\n"
              "print(worst)\n")
    python = need("python3") if not os.path.exists("/usr/bin/python3") \
        else "/usr/bin/python3"
    times = []
    for mon in (False, True):
        r = t.good([python, "-c", script], mon=mon, opts="hz=1000")
        times.append(float(r.text))
    # complaints 18 asks for 2x; the median machine's noise is in the +50 ms.
    t.figure("worst fork", times[1] < 2 * times[0] + 0.05,
             f"at most 2x of {times[0]:.4f} s", f"{times[1]:.4f} s")


if __name__ == "__main__":
    main()
