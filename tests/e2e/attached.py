#!/usr/bin/env python3
# Context: O.  tprof of processes that run already: all of their threads, once
# each, and what these start; what ends a recording; who may not.
import collections
import os
import re
import signal
import subprocess
import time

from harness import CLEAN, ROOT, Skip, case, load, main, need, pick
from recording import TPROF, burn, can, out, statistics, tprof

# Two threads burn; once told by a line, a third thread and a child do, too.
GROWS = """
import os, sys, threading, time
def work(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end: sum(range(2000))
for _ in range(2):
    threading.Thread(target=work, args=(0.6,)).start()
print("up", flush=True)
sys.stdin.readline()
t = threading.Thread(target=work, args=(0.5,))
t.start()
if os.fork() == 0:
    work(0.4)
    os._exit(0)
os.wait()
t.join()
print(time.process_time() + os.times().children_user, flush=True)
sys.stdin.readline()
"""

def begin(t, argv, **more):
    return subprocess.Popen([*map(str, argv)], env=CLEAN, cwd=t.dir,
                            text=True, **more)


def monitor(t, *argv):
    """A tprof that has begun to record; its first line is read."""
    p = begin(t, [TPROF, "monitor", *argv], stderr=subprocess.PIPE)
    first = p.stderr.readline()
    if "process " not in first:
        raise Skip(f"the kernel refuses: {first}")
    return p, first


def cpu_seconds(pid):
    """CPU time of a process, of all its threads."""
    with open(f"/proc/{pid}/stat") as f:
        fields = f.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def seconds(o):
    return sum(s.weight for s in o.samples) / 1e9


@case
def threads_before_and_after(t):
    """Those that run, and what they start: the sum is that of the kernel."""
    can(t)
    p = begin(t, [need("python3"), "-c", GROWS], stdin=subprocess.PIPE,
              stdout=subprocess.PIPE)
    p.stdout.readline()
    before = cpu_seconds(p.pid)
    m, first = monitor(t, "-e", "cpu-clock", "-p", p.pid)
    p.stdin.write("go\n")
    p.stdin.flush()
    used = float(p.stdout.readline()) - before
    p.communicate("end\n", timeout=60)
    err = m.communicate(timeout=30)[1]
    t.equal("status", 0, m.returncode)
    t.true("whose", first.startswith(f"tprof: process {p.pid} ") and
           "python3" in first, f"process {p.pid}", first)
    o = out(t)
    t.near("CPU seconds", used, seconds(o), 0.25)
    t.equal("samples", statistics(err)["sample"], len(o.samples))
    t.true("the child", len({s.pid for s in o.samples}) == 2, "2 processes",
           {s.pid for s in o.samples})
    t.figure("threads", len({s.tid for s in o.samples}) >= 4, "at least 4",
             {s.tid for s in o.samples})
    t.true("ended", o.ended, "an end", "none")
    t.equal("scope", "processes", o.head["scope"])
    report = t.prof(os.path.join(t.dir, "tprof.out")).stdout
    t.true("the report says whose", f"process {p.pid} " in report, p.pid,
           report)
    t.true("the last line", err.endswith(
        "tprof: tprof.out is written; read it with: prof tprof.out\n"),
        "how to read it", err)


@case
def threads_that_start_all_the_time(t):
    """Some start between two looks at the threads.  No time comes twice."""
    can(t)
    prog = ("import threading,time\n"
            "def work():\n"
            "  end = time.thread_time() + 0.004\n"
            "  while time.thread_time() < end: sum(range(200))\n"
            "  threading.Thread(target=work).start()\n"
            "for _ in range(20): threading.Thread(target=work).start()\n"
            "time.sleep(60)\n")
    p = begin(t, ["nice", "-n", "10", need("python3"), "-c", prog])
    try:
        for _ in range(pick(3, 30)):
            time.sleep(0.2)
            before = cpu_seconds(p.pid)
            m, _ = monitor(t, "-e", "cpu-clock", "-p", p.pid, "-t", "1")
            m.stderr.read()
            t.equal("status", 0, m.wait(30))
            used = cpu_seconds(p.pid) - before
            o = out(t)
            t.figure("threads", len({s.tid for s in o.samples}) > 10, "over 10",
                     len({s.tid for s in o.samples}))
            t.figure("no more than was used", seconds(o) < used + 0.05, used,
                     seconds(o))
    finally:
        p.kill()
        p.wait()


@case
def what_ends_it(t):
    """A time limit, a signal, the end of all of its processes."""
    can(t)
    p = begin(t, [load("shares"), 30], stdout=subprocess.DEVNULL)
    try:
        began = time.monotonic()
        m, _ = monitor(t, "-p", p.pid, "-t", "0.5")
        m.stderr.read()
        t.equal("-t: status", 0, m.wait(30))
        t.between("-t: seconds", 0.5, time.monotonic() - began, 15)
        for sig in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
            m, _ = monitor(t, "-p", p.pid)
            time.sleep(0.5)
            m.send_signal(sig)
            said = statistics(m.communicate(timeout=30)[1])
            t.equal(f"{sig.name}: status", 0, m.returncode)
            o = out(t)
            t.true(f"{sig.name}: ended", o.ended, "an end", "none")
            t.equal(f"{sig.name}: samples", said["sample"], len(o.samples))
            t.true(f"{sig.name}: some", o.samples, "samples", "none")
        t.equal("it goes on", None, p.poll())
        short = begin(t, ["sleep", "0.3"])
        m, _ = monitor(t, "-p", f"{short.pid},{p.pid},{p.pid}")
        short.wait()
        time.sleep(0.5)
        t.equal("one is left", None, m.poll())
    finally:
        p.kill()
        p.wait()
    m.stderr.read()
    t.equal("all have ended: status", 0, m.wait(30))
    of = collections.Counter(s.pid for s in out(t).samples)
    t.figure("of the other", of[p.pid] > 100, "over 100", of)


@case
def a_process_that_waits_to_be_reaped_has_ended(t):
    can(t)
    p = begin(t, ["sleep", "0.6"])
    m, _ = monitor(t, "-p", p.pid)
    m.stderr.read()
    t.equal("status", 0, m.wait(30))
    with open(f"/proc/{p.pid}/stat") as f:
        t.true("it is not reaped", ") Z " in f.read(), "Z", "another")
    p.wait()


@case
def events_of_running_processes(t):
    can(t)
    p = begin(t, burn(20))
    try:
        m, _ = monitor(t, "-e", "cpu-clock", "-e", "cs,=1", "-p", p.pid, "-t",
                       "1")
        m.stderr.read()
        m.wait(30)
    finally:
        p.kill()
        p.wait()
    o = out(t)
    t.equal("events", ["cpu-clock", "cs"],
            [o.events[i][0] for i in sorted(o.events)])
    counted = sum(v for (e, _), v in o.counts.items() if e == 0) / 1e9
    t.near("counted as sampled", counted, sum(
        s.weight for s in o.samples if s.event == 0) / 1e9, 0.1)


@case
def errors_are_one_line(t):
    can(t)
    p = begin(t, ["sleep", "30"])
    gone = begin(t, ["true"])
    gone.wait()
    storm = begin(t, [need("python3"), "-c", "import threading,time\n"
                      "t = threading.Thread(target=time.sleep, args=(30,))\n"
                      "t.start(); print(t.native_id, flush=True)"],
                  stdout=subprocess.PIPE)
    thread = storm.stdout.readline().strip()
    for argv, status, words in (
            (["-p", "1,x"], 2, "1,x: is no list of processes; give numbers"),
            (["-p", ""], 2, "option -p has an empty value"),
            (["-p", f"{p.pid},"], 2, "is no list of processes"),
            (["-p", p.pid, "-t", "0"], 2, "0: is not a time; give seconds"),
            (["-p", p.pid, "true"], 2, "-p takes no command"),
            (["-p", p.pid, "-b", "preload"], 2, "runs already"),
            (["-t", "1", "true"], 2, "-t ends the recording of -p"),
            (["-p", gone.pid], 1, f"{gone.pid}: no such process runs"),
            (["-p", thread], 1, f"{thread}: is a thread, no process")):
        r = tprof(t, "monitor", *argv)
        t.equal(f"{argv}: status", status, r.returncode)
        t.true(f"{argv}", words in r.stderr, words, r.stderr)
        t.equal(f"{argv}: lines", 1, r.stderr.count("\n"))
    for own in p, storm:
        own.kill()
        own.wait()
    t.true("no file was made", "tprof.out" not in os.listdir(t.dir), "none",
           os.listdir(t.dir))


@case
def a_process_of_another_user(t):
    if not ROOT:
        raise Skip("only root can become another")
    os.chmod(t.dir, 0o777)
    can(t)
    p = begin(t, ["sleep", "30"])
    try:
        for command in (["monitor", "-t", "1", "-p"], ["top"]):
            r = tprof(t, *command, p.pid, user=65534)
            t.equal(f"{command}: status", 1, r.returncode)
            t.true(f"{command}", re.fullmatch(
                rf"tprof: {p.pid}: (may not be sampled by this user|cannot be "
                r"sampled: the kernel lets this user sample nothing); be root, "
                r"or .*\n", r.stderr), "one line with a remedy", r.stderr)
    finally:
        p.kill()
        p.wait()


@case
def who_may_count_nothing_learns_it(t):
    """Where the kernel refuses every event, it is not the process's user."""
    p = begin(t, ["sleep", "30"])
    try:
        for error in ("EPERM", "EACCES"):
            deny = [load("deny"), f"perf_event_open={error}", "--", TPROF]
            r = subprocess.run([*deny, "monitor", "-p", str(p.pid)], env=CLEAN,
                               cwd=t.dir, text=True, capture_output=True)
            t.equal(f"{error}: -p", (
                1, f"tprof: {p.pid}: cannot be sampled: the kernel lets this "
                "user sample nothing; be root, or see "
                "kernel.perf_event_paranoid and seccomp\n"),
                (r.returncode, r.stderr))
            r = subprocess.run([*deny, "list"], env=CLEAN, cwd=t.dir, text=True,
                               capture_output=True)
            t.equal(f"{error}: list", 0, r.returncode)
            t.true(f"{error}: backend",
                   "\tkernel: this user may not use it\n" in r.stdout,
                   "what it says", r.stdout)
            t.true(f"{error}: events", "events of" not in r.stdout, "none",
                   r.stdout)
    finally:
        p.kill()
        p.wait()


@case
def top_of_a_plain_process(t):
    can(t)
    p = begin(t, burn(60))
    try:
        time.sleep(0.5)         # it starts
        r = tprof(t, "top", "-i", "1", p.pid)
        t.equal("status", 0, r.returncode)
        t.equal("stderr", "", r.stderr)
        t.true("whose", f"process {p.pid} python" in r.stdout, p.pid,
               r.stdout)
        first = re.search(r"^ *(\d+\.\d\d) +\d+  (.*)", r.stdout, re.M)
        t.true("hottest", first and "python" in first[2], "a function of "
               "python", r.stdout)
        user = re.search(r"^ *(\d+\.\d\d) +\d+  userland", r.stdout, re.M)
        t.figure("where it is", user and float(user[1]) > 80, "userland",
                 r.stdout)
        r = tprof(t, "top", "-c", "-i", "0.5", "-e", "cpu-clock", "-e", "cs",
                  "-p", p.pid)
        t.true("counters", re.search(r"^ cs +\d+", r.stdout, re.M), "a row",
               r.stdout)
    finally:
        p.kill()
        p.wait()
    gone = begin(t, ["sleep", "0.4"])
    r = tprof(t, "top", "-i", "2", gone.pid)
    gone.wait()
    t.equal("its end: status", 0, r.returncode)
    t.true("its end is said", "no such process runs any more" in r.stdout,
           "a note", r.stdout)


if __name__ == "__main__":
    main()
