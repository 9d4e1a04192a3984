#!/usr/bin/env python3
# Context: O.  tprof by libmon.so, where the kernel may not sample: what it
# takes of known loads, and what it says of time without samples.
import collections
import csv
import os
import re
import subprocess

from harness import CLEAN, ROOT, Skip, case, main, need
from recording import PERL, burn, can, out, statistics, tprof


def directories():
    """Where tprof -b preload keeps profiles until it has read them."""
    return [x for x in os.listdir(os.environ.get("TMPDIR", "/tmp"))
            if x.startswith("tprof-")]


@case
def by_our_own_library(t):
    """Several processes and threads; sums are those of libmon.so."""
    prog = ("import os,threading,time\n"
            "def work(s):\n e=time.thread_time()+s\n"
            " while time.thread_time()<e: sum(range(20000))\n"
            "if os.fork() == 0: work(0.6); os._exit(0)\n"
            "a=[threading.Thread(target=work,args=(0.4,)) for _ in range(2)]\n"
            "for x in a: x.start()\n"
            "for x in a: x.join()\nos.wait()\nos._exit(9)\n")
    r = tprof(t, "monitor", "-b", "preload", need("python3"), "-c", prog)
    t.equal("status", 9, r.returncode)
    t.true("backend", "backend preload" in r.stderr, "preload", r.stderr)
    o = out(t)
    said = statistics(r.stderr)
    t.equal("samples", said["sample"], len(o.samples))
    t.equal("profiles", 2, said["buf"])
    t.equal("lost", 0, said["overflow"])
    t.near("CPU seconds", 1.45, sum(s.weight for s in o.samples) / 1e9, 0.25)
    t.equal("processes", 2, len({s.pid for s in o.samples}))
    t.figure("threads", len({s.tid for s in o.samples}) >= 3, "3",
             {s.tid for s in o.samples})
    times = [s.time for s in o.samples if s.time]
    t.true("in order of time", times == sorted(times) and times, "ascending",
           "not")
    t.figure("stacks", max(o.depth(s) for s in o.samples) > 8, "over 8",
             max(o.depth(s) for s in o.samples))
    t.equal("nothing is left", [], directories())


@case
def time_asleep_is_an_event_of_its_own(t):
    """PROFOPTS=clock=wall: it is no time of a processor, and is not lost."""
    r = tprof(t, "monitor", "-b", "preload", *burn(0)[:2],
              "import time\ntime.sleep(1)\nsum(range(9999999))",
              opts="clock=wall")
    t.equal("status", 0, r.returncode)
    o = out(t)
    t.equal("events", ["cpu-clock", "sleep-clock"],
            [o.events[i][0] for i in sorted(o.events)])
    t.equal("samples", statistics(r.stderr)["sample"], len(o.samples))
    ns = collections.Counter()
    for s in o.samples:
        ns[s.event] += s.weight
    t.true("it slept longer than it ran", ns[1] > ns[0] > 0, "so", ns)
    sleeps = [r["function"] for r in csv.DictReader(t.prof(
        "--csv", "--top=1", "--read=tprof:sleep-clock",
        os.path.join(t.dir, "tprof.out")).stdout.splitlines())]
    t.true("where", sleeps and "nanosleep" in sleeps[0], "nanosleep", sleeps)
    tprof(t, "monitor", "-b", "preload", *burn(0.2))
    t.equal("events without it", {0: "cpu-clock"},
            {k: v[0] for k, v in out(t).events.items()})


@case
def a_program_that_it_cannot_be_in(t):
    can(t, "--tree")
    static = os.path.join(t.dir, "static")
    source = os.path.join(t.dir, "static.c")
    with open(source, "w") as f:
        f.write("int main(void) { for (volatile long i = 0; i < 300000000; "
                "i++); return 4; }\n")
    if subprocess.run([need("gcc"), "-static", "-O1", "-o", static, source],
                      env=CLEAN).returncode != 0:
        raise Skip("nothing can be linked statically here")
    r = tprof(t, "monitor", "-b", "preload", static)
    t.equal("status", 4, r.returncode)
    t.true("a clear word", f"{static} is statically linked" in r.stderr,
           "is statically linked", r.stderr)
    t.true("backend", "backend kernel" in r.stderr, "kernel", r.stderr)
    t.figure("sampled", len(out(t).samples) > 50, "over 50",
             len(out(t).samples))
    r = tprof(t, "monitor", "-b", "preload", "-e", "cs", "true")
    t.equal("events: status", 2, r.returncode)
    t.true("events: said", "the kernel counts events" in r.stderr,
           "a remedy", r.stderr)


@case
def time_that_no_profile_has_is_said(t):
    """libmon.so may make no file: the samples are none, and not silently.  The
    shell before has none either, unless a tick hit it."""
    r = tprof(t, "monitor", "-b", "preload", "sh", "-c",
              "ulimit -f 1; exec perl -e 'do { $x++ for 1 .. 9999 } "
              "until (times)[0] > 0.5'")
    t.equal("status", int(bool(re.search(r"\tsample 0\n", r.stderr))),
            r.returncode)
    t.true("it is said", re.search(
        r"took 0\.\d s of CPU time, and left no profile" if r.returncode else
        r"in no profile, such as that of 1 that could create none", r.stderr),
        "a line", r.stderr)
    t.equal("nothing is left", [], directories())


def lost_seconds(t):
    """Return the time that has no sample by prof's footer, by reason."""
    text = t.prof(os.path.join(t.dir, "tprof.out")).stdout
    return {why: int(ms) / 1000 for ms, why in re.findall(
        r"^lost: (\d+) milliseconds?: (.*)$", text, re.M)}


@case
def time_without_a_sample_is_said(t):
    """libmon.so has no samples of page faults: their time is a loss."""
    prog = ("import mmap,sys,time\n"
            "while time.process_time() < 0.6:\n"
            "  m = mmap.mmap(-1, 64 << 20)\n"
            "  for i in range(0, 64 << 20, 4096): m[i] = 1\n"
            "  m.close()\n"
            "print(time.process_time(), file=sys.stderr)\n")
    r = tprof(t, "monitor", "-b", "preload", need("python3"), "-c", prog)
    used = float(re.search(r"^0?\d\.\d+$", r.stderr, re.M)[0])
    lost = lost_seconds(t)
    seen = sum(s.weight for s in out(t).samples) / 1e9
    none = sum(s for why, s in lost.items() if "without a sample" in why)
    t.figure("page faults are a loss", none > 0.05, "over 0.05 s", lost)
    t.true("it is said at once", "have no sample" in r.stderr, "a line",
           r.stderr)
    t.between(f"samples and losses ({lost})", 0.95 * used - 0.03, seen + none,
              1.05 * used + 0.03 + max(0, seen - used))


@case
def processes_without_a_sample_are_said(t):
    """Processes that are too short for a tick are a loss."""
    prog = "for i in $(seq 100); do /bin/true; done; :"
    r = tprof(t, "monitor", "-b", "preload", "sh", "-c", prog)
    lost = lost_seconds(t)
    t.true("in no profile", any("in no profile" in why for why in lost),
           "a loss", lost)
    t.true("it is said at once", "are in no profile" in r.stderr, "a line",
           r.stderr)


@case
def who_is_nobody_has_the_library(t):
    """tprof chooses a scope where all processes cannot be seen."""
    if not ROOT:
        raise Skip("only root can become another")
    os.chmod(t.dir, 0o777)
    r = tprof(t, "-o", "auto.out", *PERL,
              user=65534)
    if "cannot be opened" in r.stderr or r.returncode == 1:
        raise Skip(f"the build cannot be read by others: {r.stderr}")
    t.equal("status", 0, r.returncode)
    t.true("backend", "backend preload" in r.stderr, "preload", r.stderr)
    t.near("CPU seconds", 0.5, sum(
        s.weight for s in out(t, "auto.out").samples) / 1e9, 0.15)


if __name__ == "__main__":
    main()
