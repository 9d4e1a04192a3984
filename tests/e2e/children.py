#!/usr/bin/env python3
# Context: O.  The report of a directory contains the CPU time of child
# processes without a profile: the kernel tells it to the process that waited.
import os

from harness import LIB, ROOT, Failed, Skip, case, load, main, need, orphans, pick

ROW = "[outside of profiles]"
SOME = pick(60, 300)


def over(p):
    """Return how much its samples exceed its CPU time."""
    return max(0, p.sampled - p.cpu)


class Root:
    """Return the process that was started, with all its images, and the
    others."""

    def __init__(self, t, run, profdir="profs", left=lambda p: False):
        found = t.profiles(profdir)
        images = [p for p in found if p.pid == run.pid]
        if not images:
            raise Failed(f"no profile of {run.pid}: {t.files(profdir)}")
        self.path = images[-1].path
        self.others = [p for p in found if p.pid != run.pid and not left(p)]
        # Processes that none of these has waited for.
        self.left = [p for p in found if p.pid != run.pid and left(p)]
        # CPU time of its descendants, by the kernel; seconds.
        self.children = max(int(p.info["children_ns"]) for p in images) / 1e9
        self.cpu = sum(p.cpu for p in images)
        # CPU time before its start and after its end is in no report.
        self.outside = run.cpu - self.cpu - self.children
        # Samples can stand for more than the kernel counted; prof takes
        # some of that off.
        self.over = sum(over(p) for p in images) + max(0, sum(
            p.cpu + over(p) for p in self.others) - self.children)


def agree(t, what, run, profdir="profs"):
    """The whole report equals what the kernel says about the run."""
    t.equal(f"{what}: end", "exit 0", run.status)
    root = Root(t, run, profdir)
    rows = t.rows(profdir)
    total = sum(float(r["seconds"]) for r in rows)
    # Figures of getrusage are in microseconds, rows in tenths of those.
    slack = 0.01 * run.cpu + 1e-4
    t.between(f"{what}: seconds", run.cpu - slack, total + root.outside,
              run.cpu + root.over + slack)
    t.between(f"{what}: of those outside of the first process", 0,
              root.outside, 0.05)
    return sum(float(r["seconds"]) for r in rows if r["function"] == ROW)


def footer(t, *names):
    """Return the lines of the footer about them."""
    return [line for line in t.prof("--verbose", *names).stdout
            .splitlines()
            if line.startswith("outside of profiles:")]


def short(how, *ms):
    def run(t):
        for each in ms:
            d = f"{how}-{each}"
            r = t.run([load("shorts"), how, SOME, each], profdir=d)
            seen = agree(t, d, r, d)
            profiles = t.profiles(d)
            # A tick before the child's exec leaves it two files.
            none = SOME + 1 - len({p.pid for p in profiles})
            more = sum(over(p) for p in profiles)
            t.between(f"{d}: seconds of {none} processes without a profile",
                      0.9 * none * each / 1000 - more, seen, r.cpu)
            if seen and none:
                t.true(f"{d}: they are counted", any(
                    f" {none} w" in line for line in footer(t, d)),
                    f"{none} of them", footer(t, d))
    run.__name__ = how
    case(run)


short("fork", 1, 3)
short("vfork", 1)
short("spawn", 1, 2, 5)
short("clone", 1)



@case
def another_pid_namespace(t):
    """A process that is number 1 there is below the one that made it."""
    if not ROOT:
        raise Skip("needs root")
    run = t.good([need("unshare"), "-p", "-f", "--mount-proc",
                  load("hostile"), "chdir", 0.2])
    rest = agree(t, "unshare", run)
    t.figure("outside of profiles", rest < 0.1, "not what is profiled", rest)
    t.equal("without a profile", 0, sum("too short" in line
                                        for line in footer(t, "profs")))

@case
def build(t):
    """make -j2 of a small project whose every process is short."""
    make, cc = need("make", os.environ.get("CC", "cc").split()[0])
    n = pick(12, 60)
    for i in range(n):
        with open(os.path.join(t.dir, f"f{i}.c"), "w") as f:
            f.write(f"int f{i}(int x) {{ return x + {i}; }}\n")
    with open(os.path.join(t.dir, "Makefile"), "w") as f:
        f.write("all: lib.a\nlib.a: " +
                " ".join(f"f{i}.o" for i in range(n)) +
                "\n\tar rc $@ $^\n%.o: %.c\n\ttest -f $<; true\n"
                f"\t{cc} -c -o $@ $<\n"
                "\tfor i in 1 2 3; do cat $< >/dev/null; done\n")
    r = t.run([make, "-j2"])
    seen = agree(t, "make", r)
    t.between("seconds outside of profiles", 0.001, seen, r.cpu)


@case
def numbers(t):
    """Children are counted however they are made, and not if they are not."""
    bare = t.good([load("makes")], mon=False)
    for opts in ("hz=1000", "mode=time+heap"):
        r = t.good([load("makes")], opts=opts)
        t.equal(opts, bare.text, r.text)
        p = next(p for p in t.profiles() if p.pid == r.pid)
        t.equal(f"{opts}, counted", bare.text.split()[-1], p.info["children"])


@case
def behind_a_filter(t):
    """Children are counted behind seccomp, however they are made."""
    for how in "fork", "vfork":
        r = t.good([load("same_boxed"), how], opts="hz=1000")
        p = next(p for p in t.profiles() if p.pid == r.pid)
        t.equal(how, "1", p.info["children"])


@case
def nested(t):
    """Processes between need no profile: each level has waited for the next."""
    exe = load("shorts")
    inner = f"{exe} spawn 10 1; {exe} fork 10 2; :"
    r = t.run(["sh", "-c", f"sh -c '{inner}'; sh -c '{inner}'; {exe} burn 1 30"
               "; :"])
    agree(t, "nested", r)


@case
def other_images(t):
    """The image after exec(3) takes over the children's time of the image
    before; the time from before libmon was loaded belongs to nobody here."""
    exe = load("shorts")
    r = t.run(["sh", "-c", f"{exe} spawn 20 1; {exe} spawn 20 1; "
               f"exec {exe} burn 1 30"])
    agree(t, "after exec", r)
    os.makedirs(os.path.join(t.dir, "late"), exist_ok=True)
    r = t.run(["sh", "-c", f"{exe} burn 1 100; LD_PRELOAD={LIB} "
               f"PROFDIR={t.dir}/late exec {exe} spawn 10 6"], mon=False)
    total = sum(float(x["seconds"]) for x in t.rows("late"))
    t.between("seconds without those before", 0.05, total,
              r.cpu - 0.095 + Root(t, r, "late").over)


@case
def owed(t):
    """A process that has waited for children has a profile even if it was too
    short for one, unless its parent is profiled, which knows as much."""
    exe = load("shorts")
    for i in range(pick(5, 30)):
        r = t.run([exe, "spawn", 5, 1], profdir=f"top{i}")
        t.true(f"profile {i} of the first",
               any(p.pid == r.pid for p in t.profiles(f"top{i}")), "one",
               t.files(f"top{i}"))
        agree(t, f"top {i}", r, f"top{i}")
    t.run(["sh", "-c", f"for i in 1 2 3 4 5 6 7 8; do {exe} spawn 1 0; done"
           "; :"], profdir="below")
    t.equal("others that counted nothing", [],
            [p.describe() for p in t.profiles("below")
             if p.samples == 0 and int(p.info["ppid"]) != os.getpid() and
             not p.loss])


@case
def parts(t):
    """A directory that is read in part has no such row: it may have more
    profiles."""
    r = t.run([load("shorts"), "spawn", SOME, 2])
    agree(t, "whole", r)
    root = Root(t, r)
    for what, args in (("its file alone", [root.path]),
                       ("one process", ["--pid", r.pid, "profs"]),
                       ("one program", ["--program", "shorts", "profs"])):
        t.equal(f"{what}: rows", [], [x for x in t.rows(*args)
                                      if x["function"] == ROW])
    lines = footer(t, root.path)
    t.true("the footer of one file", len(lines) == 1 and
           "not included in this report" in lines[0], "children named", lines)
    t.equal("the footer of one process", [],
            footer(t, "--pid", r.pid, "profs"))


@case
def of_nobody(t):
    """Children that the program does not wait for are subtracted nowhere."""
    exe = load("shorts")
    r = t.run([exe, "ignore", 20, 2], profdir="ignored")
    t.equal("ignored: end", "exit 0", r.status)
    t.equal("ignored: rows", [], [x for x in t.rows("ignored")
                                  if x["function"] == ROW]
            if t.files("ignored") else [])
    # The parent's parent knows nothing of a child that outlives its parent.
    r = t.run(["sh", "-c", f"{exe} spawn 20 1; {exe} leave 1 60; "
               f"{exe} spawn 20 1; sleep 0.3; {exe} spawn 20 1; :"],
              leaves=True)
    orphans()
    root = Root(t, r, left=lambda p: p.cpu > 0.04)
    t.equal("profiles of who was left", 1, len(root.left))
    total = sum(float(x["seconds"]) for x in t.rows("profs"))
    left = sum(p.cpu for p in root.left)
    slack = 0.01 * r.cpu + 1e-3
    t.between("seconds", r.cpu + left - slack, total + root.outside,
              r.cpu + left + root.over + sum(over(p) for p in root.left) +
              slack)


@case
def killed(t):
    """A parent that is killed has written what it knew at its last tick."""
    exe = load("shorts")
    r = t.run(["sh", "-c", f"{exe} spawn {SOME} 2; i=0; "
               "while [ $i -lt 30000 ]; do i=$((i+1)); done; kill -9 $$"])
    t.equal("end", "signal 9", r.status)
    root = Root(t, r)
    total = sum(float(x["seconds"]) for x in t.rows("profs"))
    slack = 0.01 * r.cpu + 1e-3
    t.between("seconds", root.children + root.cpu - slack, total,
              root.children + root.cpu + root.over + slack)
    t.between("seconds of children by the kernel", 0.002 * SOME,
              root.children, r.cpu)


if __name__ == "__main__":
    main()
