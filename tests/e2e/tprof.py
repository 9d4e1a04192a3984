#!/usr/bin/env python3
# Context: O.  tprof by the kernel: what it takes of known loads, what it says
# of losses, whatever ends whom; against perf(1).
import collections
import csv
import os
import re
import resource
import shutil
import signal
import subprocess
import time

import tprofout
from harness import CLEAN, PROF, ROOT, SOURCES, Skip, case, main, need, pick
from recording import (TPROF, burn, can, out, statistics, tprof,
                       wait_for_work)

# A program for a user who cannot read where python3 is.
PERL = ["perl", "-e", "do { $x++ for 1 .. 9999 } until (times)[0] > 0.5"]


@case
def what_was_taken_is_there(t):
    """Statistics, the file, and the clock of the command agree."""
    can(t)
    r = tprof(t, "monitor", "-b", "kernel", "-e", "cpu-clock", "--tree",
              *burn(2))
    t.equal("status", 0, r.returncode)
    o = out(t)
    said = statistics(r.stderr)
    t.equal("samples", said["sample"], len(o.samples))
    t.equal("statistics in the file", o.stats,
            {k: said[k] for k in tprofout.STATS})
    t.equal("nothing lost", (0, 0), (said["overflow"],
                                     said["dropbuf_samples"]))
    t.true("ended", o.ended, "an end", "none")
    t.near("CPU seconds", 2.0, sum(s.weight for s in o.samples) / 1e9, 0.3)
    t.true("CPUs", {s.cpu for s in o.samples} <= set(range(os.cpu_count())),
           "those there are", {s.cpu for s in o.samples})
    times = [s.time for s in o.samples]
    t.true("in order of time", times == sorted(times), "ascending", "not")
    where = collections.Counter(o.module(s) for s in o.samples)
    t.true("where", "python" in where.most_common(1)[0][0], "python", where)


@case
def status_is_the_commands(t):
    can(t)
    for argv, wanted in ((["true"], 0), (["sh", "-c", "exit 7"], 7),
                         (["sh", "-c", "kill -9 $$"], 137),
                         (["sh", "-c", "kill $$"], 143),
                         (["/nonexistent"], 127), (["/etc/passwd"], 126)):
        for how in (["monitor", "-b", "kernel"], ["count", "-e", "cs"]):
            r = tprof(t, *how, *argv)
            t.equal(f"{how[0]} {argv}", wanted, r.returncode)
    t.true("statistics whatever ended it", "dropbuf_samples" in
           tprof(t, "monitor", "-b", "kernel", "sh", "-c",
                 "kill -9 $$").stderr, "there", "not")


@case
def errors_name_what_to_do(t):
    can(t)
    with open(os.path.join(t.dir, "mine"), "w") as f:
        f.write("not samples\n")
    for argv, status, words in (
            (["monitor", "-e", "nosuch", "true"], 2,
             "nosuch: there is no such event; tprof list shows"),
            (["monitor", "-e", "cpu-clock,=0", "true"], 2,
             "the part behind the comma is no number"),
            (["monitor", "--hz", "0", "true"], 2, "0: is not a rate"),
            (["monitor", "-b", "x", "true"], 2, "x: is not a backend"),
            (["monitor", "-o", "mine", "true"], 1,
             "mine: exists, and is not a tprof.out: it is not replaced"),
            (["monitor", "-o", "/nonexistent/x", "true"], 1,
             "/nonexistent/x: cannot be written"),
            (["monitor"], 2, "no command is named"),
            (["analyse", "mine"], 127, "tprof: analyse: is not found; name "
             "a program, or a command that "
             "tprof --help lists"),
            (["monitor", "--nosuch", "true"], 2,
             "tprof: unrecognized option '--nosuch'"),
            (["analyze", "-X"], 2, "tprof: invalid option -- 'X'"),
            (["count", "true"], 2, "no event is named"),
            (["count", "-e", "cs", "-i", "x", "true"], 2, "x: is not an "
                "interval"),
            ([], 2, "usage:")):
        r = tprof(t, *argv)
        t.equal(f"{argv}: status", status, r.returncode)
        t.true(f"{argv}", words in r.stderr, words, r.stderr)
        t.true(f"{argv}: nothing began", "statistics" not in r.stderr,
               "no statistics", r.stderr)
    with open(os.path.join(t.dir, "mine")) as f:
        t.equal("is as it was", "not samples\n", f.read())


@case
def few_descriptors_are_said(t):
    can(t)
    r = tprof(t, "monitor", "-b", "kernel", "true", preexec_fn=lambda:
              resource.setrlimit(resource.RLIMIT_NOFILE, (8, 8)))
    t.equal("status", 1, r.returncode)
    t.equal("what, why, what to do", "tprof: what processes do: cannot be "
            "counted of all processes: Too many open files; raise the limit "
            "of open files\n", r.stderr)


@case
def an_older_file_is_kept(t):
    can(t)
    for n in range(2):
        tprof(t, "-o", "x.out", "sh", "-c", f"exit {n}")
    t.equal("the old one", "sh -c exit 0",
            out(t, "x.out.old").head["command"])
    t.equal("the new one", "sh -c exit 1", out(t, "x.out").head["command"])
    tprof(t, "-o", "x.out", "nosuchprogram")
    t.equal("what cannot be run makes none", "sh -c exit 1",
            out(t, "x.out").head["command"])


@case
def to_standard_output(t):
    """A reader that is slow gets all; one that goes is an error."""
    can(t)
    p = subprocess.Popen([TPROF, "-c", *burn(2)], env=CLEAN, cwd=t.dir,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(2.5)
    data, err = p.communicate(timeout=60)
    t.equal("status", 0, p.returncode)
    o = tprofout.Out(data)
    t.equal("samples", statistics(err.decode())["sample"], len(o.samples))
    t.true("ended", o.ended, "an end", "none")
    p = subprocess.Popen([TPROF, "-c", "sleep", "0.5"], env=CLEAN, cwd=t.dir,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    p.stdout.close()
    err = p.stderr.read().decode()
    t.equal("status without a reader", 1, p.wait(60))
    t.true("it is said", "standard output: cannot be written" in err,
           "cannot be written", err)


@case
def output_of_the_command(t):
    """The output of a command is never among its samples if these go to
    standard output."""
    # The file contains the command, so its output is spelled differently.
    script = ("echo be''fore; i=0; while [ $i -lt 50000 ]; do i=$((i+1)); "
              "done; head -c 70000 /dev/zero | tr '\\0' x; echo af''ter")
    ways = [["-c", "-b", "preload"], ["-o", "-", "-b", "preload"]]
    try:
        can(t)
        ways += [["-c"], ["-o", "-"]]
    except Skip:
        pass            # the kernel forbids sampling
    for way in ways:
        argv = [TPROF, "monitor", *way, "sh", "-c", script]
        r = subprocess.run(argv, env=CLEAN, cwd=t.dir, capture_output=True,
                           timeout=60)
        what = " ".join(way)
        t.equal(f"{what}: status", 0, r.returncode)
        o = tprofout.Out(r.stdout)
        t.true(f"{what}: whole", o.ended, "an end", "none")
        t.equal(f"{what}: samples", statistics(r.stderr.decode())["sample"],
                len(o.samples))
        for text in (b"before\n", b"x" * 70000, b"after\n"):
            t.true(f"{what}: {text[:6]}", text in r.stderr, "on standard "
                   "error", r.stderr[:200])
            t.true(f"{what}: {text[:6]}", text not in r.stdout, "elsewhere",
                   "among samples")
    # With a file for the samples its output stays where it was.
    r = subprocess.run([TPROF, "-b", "preload", "sh", "-c", "echo out"],
                       env=CLEAN, cwd=t.dir, capture_output=True, timeout=60)
    t.equal("output", b"out\n", r.stdout)
    # If standard error is closed, no other file becomes standard output.
    r = subprocess.run(["sh", "-c", f"exec {TPROF} -c -b preload sh -c "
                        "'echo out' 2>&-"], env=CLEAN, cwd=t.dir,
                       stdout=subprocess.PIPE, timeout=60)
    t.true("closed", b"out\n" not in r.stdout, "nowhere", r.stdout)


@case
def signals_to_tprof(t):
    can(t)
    for sig, ends in ((signal.SIGINT, False), (signal.SIGQUIT, False),
                      (signal.SIGTERM, True), (signal.SIGHUP, True)):
        p = subprocess.Popen([TPROF, "monitor", "-b", "kernel", "sh", "-c",
                              "exec sleep 10" if ends else
                              "sleep 1; exit 5"], env=CLEAN, cwd=t.dir,
                             stderr=subprocess.PIPE, text=True)
        wait_for_work(p, 0)
        time.sleep(0.4)
        p.send_signal(sig)
        err = p.communicate(timeout=30)[1]
        t.equal(f"{sig.name}: status", 128 + sig if ends else 5, p.returncode)
        t.true(f"{sig.name}: statistics", "dropbuf_samples" in err, "there",
               err)
    p = subprocess.Popen([TPROF, "monitor", "-b", "kernel", *burn(1.5)],
                         env=CLEAN, cwd=t.dir, stderr=subprocess.DEVNULL)
    wait_for_work(p, 0.8)
    p.kill()
    p.wait()
    o = out(t)
    t.true("SIGKILL: what was there is in the file", len(o.samples) > 300,
           "over 300 samples", len(o.samples))
    t.true("SIGKILL: it has no end", not o.ended, "none", "one")
    time.sleep(1)


@case
def what_is_lost_is_counted(t):
    """A tprof that is stopped while a ring runs over."""
    can(t)
    p = subprocess.Popen([TPROF, "monitor", "-b", "kernel", "-e", "cpu-clock",
                          "--tree", "--hz", "20000", *burn(4)], env=CLEAN,
                         cwd=t.dir, stderr=subprocess.PIPE, text=True)
    wait_for_work(p)
    p.send_signal(signal.SIGSTOP)
    time.sleep(2.5)
    p.send_signal(signal.SIGCONT)
    said = statistics(p.communicate(timeout=60)[1])
    o = out(t)
    t.true("overflow", said["overflow"] > 100, "over 100", said)
    t.equal("what is there", said["sample"], len(o.samples))
    # Not all that the clock wanted to take it could, on a slow machine.
    each = sum(s.weight for s in o.samples) / len(o.samples)
    t.between("samples and losses, CPU seconds", 2.5,
              (said["sample"] + said["overflow"]) * each / 1e9, 4.4)


@case
def a_full_disk_is_said(t):
    can(t)
    if not ROOT:
        raise Skip("only root can mount a small file system")
    at = os.path.join(t.dir, "small")
    os.mkdir(at)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs",
                       at]).returncode != 0:
        raise Skip("nothing can be mounted here")
    try:
        r = tprof(t, "-o", os.path.join(at, "out"), *burn(1))
        t.equal("status", 1, r.returncode)
        t.true("it is said, once", r.stderr.count("cannot be written") == 1,
               "one line", r.stderr)
        t.true("what there is can be read",
               len(tprofout.read(os.path.join(at, "out")).samples) > 10,
               "samples", "none")
    finally:
        subprocess.run(["umount", at])


@case
def what_a_command_inherits(t):
    """Its signals, and what was closed for it, are as without us."""
    can(t)
    prog = ("import os,signal,sys\n"
            "print([s for s in range(1, 32) if s not in (9, 19) and "
            "signal.getsignal(s) == signal.SIG_IGN], "
            "signal.pthread_sigmask(signal.SIG_BLOCK, []), "
            "sorted(os.listdir('/proc/self/fd')), file=open('x', 'w'))\n")
    argv = ["/usr/bin/env", "python3", "-c", prog]

    def seen(before):
        subprocess.run(before + argv, cwd=t.dir, env=CLEAN, check=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        with open(os.path.join(t.dir, "x")) as f:
            return f.read()

    bare = seen([])
    for backend in ("kernel", "preload"):
        t.equal(backend, bare, seen([TPROF, "monitor", "-b", backend]))
    for shut in (">&-", "2>&-", "<&- >&- 2>&-"):
        shell = f'exec "$@" {shut}'
        r = subprocess.run(["sh", "-c", shell, "sh", TPROF, "-o", "shut.out",
                            "sh", "-c", "exit 3"], cwd=t.dir, env=CLEAN)
        t.equal(f"{shut}: status", 3, r.returncode)
        with open(os.path.join(t.dir, "shut.out"), "rb") as f:
            t.true(f"{shut}: no message is in the file",
                   b"statistics" not in f.read(), "none", "one")


@case
def a_limit_of_file_size_is_said(t):
    can(t)
    r = tprof(t, "-o", "small.out", "sh", "-c", "exit 0", preexec_fn=lambda:
              resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
    t.equal("status", 1, r.returncode)
    t.true("it is said", "small.out: cannot be written" in r.stderr,
           "cannot be written", r.stderr)


@case
def not_root(t):
    """The command and what it starts, in user mode at least."""
    if not ROOT:
        raise Skip("only root can become another")
    os.chmod(t.dir, 0o777)
    can(t, "--tree")
    r = tprof(t, "monitor", "-b", "kernel", "-o", "nobody.out",
              *PERL, user=65534)
    if r.returncode != 0 and "cannot be counted" in r.stderr:
        raise Skip("perf_event_paranoid is above 2")
    t.equal("status", 0, r.returncode)
    t.true("whose", "the command and what it started" in r.stderr,
           "the command", r.stderr)
    o = out(t, "nobody.out")
    t.near("CPU seconds", 0.5, sum(s.weight for s in o.samples) / 1e9, 0.2)
    r = tprof(t, "monitor", "-b", "kernel", "-e", "cpu-clock:k", "true",
              user=65534)
    t.equal("the kernel: status", 1, r.returncode)
    t.true("the kernel: said", "kernel.perf_event_paranoid" in r.stderr,
           "a remedy", r.stderr)


@case
def stacks_of_copies(t):
    """Callers of code without frame pointers, to the outer end."""
    can(t, "--stacks=copy")
    exe = os.path.join(t.dir, "stacks")
    subprocess.run([need("gcc"), "-O2", "-fomit-frame-pointer", "-pthread",
                    "-o", exe, os.path.join(SOURCES, "stacks.c")], check=True)
    r = tprof(t, "monitor", "-b", "kernel", "--tree", "--stacks=copy", exe,
              "work", "26")
    t.equal("status", 0, r.returncode)
    o = out(t)
    user = [s for s in o.samples if not s.kernel and o.module(s) == exe]
    t.true("samples", len(user) > 100, "over 100", len(user))
    deep = sorted(o.depth(s) for s in user)
    t.between("functions", 27, deep[len(deep) // 2], 34)
    cut = [s for s in user if o.is_cut(s)]
    t.true("cut", len(cut) <= len(user) / 100, "at most 1 %", len(cut))


@case
def events_and_periods(t):
    can(t)
    r = tprof(t, "monitor", "-b", "kernel", "--tree", "-e", "cpu-clock",
              "-e", "page-faults,=1", "-e", "cs,=1", *burn(0.5))
    t.equal("status", 0, r.returncode)
    o = out(t)
    t.equal("events", ["cpu-clock", "page-faults", "cs"],
            [o.events[i][0] for i in sorted(o.events)])
    of = collections.Counter(s.event for s in o.samples)
    faults = sum(v for (e, _), v in o.counts.items() if e == 1)
    t.true("faults are sampled each", faults > 100, "over 100", faults)
    t.equal("and all are there", faults, of[1])
    r = tprof(t, "monitor", "-b", "kernel", "-e", "cpu-clock:u,2", *burn(0.3))
    t.equal(":u: kernel samples", 0, sum(s.kernel for s in out(t).samples))


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
    t.true("threads", len({s.tid for s in o.samples}) >= 3, "3",
           {s.tid for s in o.samples})
    times = [s.time for s in o.samples if s.time]
    t.true("in order of time", times == sorted(times) and times, "ascending",
           "not")
    t.true("stacks", max(o.depth(s) for s in o.samples) > 8, "over 8",
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
    t.true("sampled", len(out(t).samples) > 50, "over 50",
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
    t.true("page faults are a loss", none > 0.05, "over 0.05 s", lost)
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


@case
def cut_anywhere(t):
    """Each reader has what is before the cut, and says that it was cut."""
    can(t)
    tprof(t, "monitor", "-b", "kernel", "--tree", *burn(0.3))
    with open(os.path.join(t.dir, "tprof.out"), "rb") as f:
        data = f.read()
    for i in range(0, 60):
        size = len(data) * i // 60 + i % 24
        wanted = len(tprofout.Out(data[:size]).samples)
        with open(os.path.join(t.dir, "cut"), "wb") as f:
            f.write(data[:size])
        r = tprof(t, "analyze", "-CLP", "cut")
        got = re.search(r"^Number of samples: (\d+)$", r.stdout, re.MULTILINE)
        if wanted:
            t.equal(f"{size} bytes: status", 0, r.returncode)
            t.equal(f"{size} bytes: samples", str(wanted),
                    got and got[1])
        r = subprocess.run([PROF, "cut"], cwd=t.dir, env=CLEAN, text=True,
                           capture_output=True)
        t.true(f"{size} bytes: prof lives", r.returncode in (0, 1), "0 or 1",
               r.returncode)
        if wanted:
            t.true(f"{size} bytes: it says so", "cut short" in r.stdout,
                   "cut short", r.stdout[-300:])


@case
def names_of_a_kernel_that_is_gone(t):
    """A run of two seconds stores those of the kernel."""
    can(t)
    if not ROOT:
        raise Skip("the kernel is not to be seen")
    tprof(t, "monitor", "-b", "kernel", "--tree", need("python3"), "-c",
          "import os,time\ne=time.monotonic()+2.2\n"
          "while time.monotonic()<e: os.stat('/proc/self/maps')\n")
    o = out(t)
    t.true("stored", len(o.names) > 20, "over 20", len(o.names))
    with open(os.path.join(t.dir, "tprof.out"), "rb") as f:
        data = tprofout.of_another_boot(f.read())
    with open(os.path.join(t.dir, "gone.out"), "wb") as f:
        f.write(data)
    here, gone = (own_shares(t, name) for name in ("tprof.out", "gone.out"))
    named = [x for x, s in here.most_common(30) if x in o.names.values()]
    t.true("there are some", len(named) > 5, "over 5", named)
    for name in named:
        t.near(name, here[name], gone[name], 1e-6)


@case
def a_newline_in_a_path_makes_no_module_more(t):
    """One process was there before, and its map is read; one is told."""
    can(t)
    if not ROOT:
        raise Skip("only root sees all processes")
    work = [shutil.copy(need("perl"), os.path.join(t.dir, "a\nb")), *PERL[1:]]
    before = subprocess.Popen(work[:2] + ["$x++ while 1"], env=CLEAN)
    try:
        r = tprof(t, "monitor", "-b", "kernel", "-e", "cpu-clock", *work)
    finally:
        before.kill()
        before.wait()
    t.equal("status", 0, r.returncode)
    o = out(t)
    own = [m for m in o.modules if m and "/a" in m and m.startswith(t.dir)]
    # A file known by build-id alone, before the other was read, is listed
    # twice.
    t.equal("paths", {os.path.join(t.dir, "a\\012b")}, set(own))
    t.equal("modules", ["a\\012b"],
            [r["module"] for r in csv.DictReader(t.prof(
                "--csv", "--by=module", "--module=a*b*",
                os.path.join(t.dir, "tprof.out")).stdout.splitlines(True))])
    t.true("both are in it", before.pid in (pids := {
        s.pid for s in o.samples if o.module(s) in own}) and len(pids) > 1,
        "two processes", pids)
    info = t.prof("--info", os.path.join(t.dir, "tprof.out")).stdout
    t.true("its file was read", re.search(
        r"a\\012b\nmodule\.\d+\.build_id=.", info), "a build-id", own)


@case
def a_program_of_a_chroot_has_names(t):
    """It has ended when it is shown: its file is found by its path here."""
    can(t, "--tree")
    if not ROOT:
        raise Skip("only root can chroot")
    root = os.path.join(t.dir, "root")
    os.mkdir(root)
    source = os.path.join(t.dir, "prog.c")
    with open(source, "w") as f:
        f.write("#include <time.h>\nstatic void spin(void) { "
                "for (volatile long i = 0; i < 1000000; i++); }\n"
                "int main(void) { while (clock() < 1500000) spin(); "
                "return 0; }\n")
    if subprocess.run([need("gcc"), "-static", "-O1", "-fno-inline", "-o",
                       os.path.join(root, "prog"), source],
                      env=CLEAN).returncode != 0:
        raise Skip("nothing can be linked statically here")
    r = tprof(t, "monitor", "-b", "kernel", "-e", "cpu-clock", "--tree",
              need("chroot"), root, "/prog")
    t.equal("status", 0, r.returncode)
    t.true("its path", os.path.join(root, "prog") in out(t).modules,
           root, out(t).modules)
    t.true("its function", own_shares(t)["spin"] > 0, "spin", own_shares(t))


@case
def all_views_of_one(t):
    can(t, "--stacks=copy")
    tprof(t, "monitor", "-b", "kernel", "--tree", "--stacks=copy", *burn(1))
    o = out(t)
    for args in ([], ["--tree"], ["--callers"], ["--graph"], ["--by=thread"],
                 ["--by=process,module"], ["--lines"], ["--json"],
                 ["--html=page.html"], ["--write=folded", "-o", "x.folded"], ["--write=pprof",
                 "-o", "x.pb.gz"], ["--write=firefox", "-o", "x.json"],
                 ["--write=perf", "-o", "x.perf"], ["--write=speedscope",
                 "-o", "x.speed"], ["--write=callgrind", "-o", "x.cg"],
                 ["--diff", "tprof.out"]):
        r = subprocess.run([PROF, *args, "tprof.out"], cwd=t.dir, env=CLEAN,
                           capture_output=True, text=True)
        t.equal(f"{args}: {r.stderr}", 0, r.returncode)
    r = subprocess.run([PROF, "--csv", "tprof.out"], cwd=t.dir, env=CLEAN,
                       capture_output=True, text=True)
    seconds = sum(float(x["seconds"])
                  for x in csv.DictReader(r.stdout.splitlines()))
    t.near("the sum", sum(s.weight for s in o.samples) / 1e9, seconds, 1e-3)


def one_name(name):
    """glibc has one code by both names, and each tool takes one."""
    return name.replace("memmove", "memcpy")


def perf_shares(t):
    r = subprocess.run([need("perf"), "script", "-i", "perf.data", "-F",
                        "comm,ip,sym"], cwd=t.dir, capture_output=True,
                       text=True, env=CLEAN)
    of = collections.Counter()
    for line in r.stdout.splitlines():
        m = re.match(r"\s*(.*?)\s+([0-9a-f]+) (.*)$", line)
        if m and not m[1].startswith("swapper"):
            of[one_name(re.sub(r"\+0x[0-9a-f]+$", "", m[3]))] += 1
    return of


def own_shares(t, name="tprof.out"):
    r = subprocess.run([PROF, "--csv", "--no-demangle", name],
                       cwd=t.dir, capture_output=True, text=True, env=CLEAN)
    of = collections.Counter()
    for x in csv.DictReader(r.stdout.splitlines()):
        of[one_name(x["function"])] += float(x["seconds"])
    return of


@case
def list_and_count(t):
    r = tprof(t, "list")
    t.equal("list: status", 0, r.returncode)
    for words in ("counters of the processor at once", "default event: ",
                  "\tpage-faults\n"):
        t.true("list", words in r.stdout, words, r.stdout)
    r = tprof(t, "count", "--tree", "-e", "page-faults", "-e", "cs", "-i",
              "0.3", *burn(1))
    if r.returncode == 1:
        raise Skip(r.stderr)
    t.equal("count: status", 0, r.returncode)
    tables = [x.splitlines() for x in r.stdout.strip().split("\n\n")]
    t.true("an interval each, and all", len(tables) >= 4, "at least 4",
           r.stdout)
    t.equal("the head", ["CPU   page-faults          cs",
                         "----- ----------- -----------"], tables[0][:2])
    sums = [sum(int(x.split()[1]) for x in table[2:]) for table in tables]
    t.true("intervals are parts of all", sum(sums[:-1]) <= sums[-1] and
           sums[-1] > 100, "at most the last", sums)
    if "\tmsr/tsc/\n" in tprof(t, "list").stdout:
        r = tprof(t, "count", "-e", "msr/tsc/", "sleep", "0.2")
        t.equal("count of what knows no modes", 0, r.returncode)
        t.true("there is some", int(r.stdout.split()[-1]) > 1000000,
               "over 1000000", r.stdout)
    p = subprocess.Popen([TPROF, "count", "--tree", "-e", "cs", "sleep", "2"],
                         env=CLEAN, stdout=subprocess.PIPE, text=True)
    wait_for_work(p, 0)
    time.sleep(0.5)
    p.send_signal(signal.SIGUSR1)
    t.equal("SIGUSR1: one table more", 2,
            p.communicate(timeout=30)[0].count("CPU  "))


@case
def storm(t):
    """Processes and threads by thousands: all that was taken is somebody's."""
    can(t)
    n = pick(400, 6000)
    prog = (f"import os,threading\n"
            f"for i in range({n}):\n"
            f" if os.fork() == 0:\n"
            f"  if i % 2: os.execv('/bin/true', ['true'])\n"
            f"  os._exit(0)\n"
            f" t=threading.Thread(target=sum, args=(range(999),)); t.start()\n"
            f" os.wait()\n")
    r = tprof(t, "monitor", "-b", "kernel", "--tree", "--hz", "5000",
              *burn(0)[:2], prog)
    t.equal("status", 0, r.returncode)
    o = out(t)
    said = statistics(r.stderr)
    t.equal("samples", said["sample"], len(o.samples))
    t.equal("lost", (0, 0), (said["overflow"], said["dropbuf_samples"]))
    user = [s for s in o.samples if not s.kernel]
    lost = [s for s in user if not o.module(s)]
    t.true("user samples in no file", len(lost) <= len(user) / 50,
           f"at most {len(user) // 50}", f"{len(lost)}, as of "
           f"{o.processes.get(lost[0].pid) if lost else ''}")
    t.true("all have a process", {s.pid for s in o.samples} <=
           set(o.processes), "those told", "others")


@case
def beside_perf(t):
    """Both at once, on one load: shares of what perf has on top."""
    can(t)
    if not ROOT:
        raise Skip("only root sees all processes")
    need("perf")
    seconds = str(pick(4, 20))
    loads = [subprocess.Popen(a, stdout=subprocess.DEVNULL, env=CLEAN)
             for a in ([need("perl"), "-e",
                        "$n{$_ % 9973}++ while $_++ < 1e12"],
                       ["sh", "-c",
                        "while :; do cat /proc/self/maps; done"])]
    try:
        time.sleep(0.5)
        theirs = subprocess.Popen(
            [need("perf"), "record", "-a", "-e", "cpu-clock", "-F", "997",
             "-o", "perf.data", "--", "sleep", seconds], cwd=t.dir,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            env=CLEAN)
        ours = tprof(t, "monitor", "-b", "kernel", "-e", "cpu-clock",
                     "sleep", seconds)
        said = theirs.communicate(timeout=120)[1]
    finally:
        for p in loads:
            p.kill()
            p.wait()
    if theirs.returncode != 0:
        raise Skip(f"perf refuses: {said.strip()[:200]}")
    t.equal("tprof: status", 0, ours.returncode)
    theirs, ours = perf_shares(t), own_shares(t)
    all_theirs, all_ours = sum(theirs.values()), sum(ours.values())
    t.near("samples of a second", all_theirs / 997, all_ours,
           0.15 * all_theirs / 997)
    for name, n in theirs.most_common(10):
        if name != "[unknown]":
            t.near(f"share of {name}", 100 * n / all_theirs,
                   100 * ours[name] / all_ours, 3)


if __name__ == "__main__":
    main()
