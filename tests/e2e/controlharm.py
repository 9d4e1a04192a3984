#!/usr/bin/env python3
# Context: O.  Orders reach whom they should, and harm nobody: directories,
# children, processes of others, errors, and storms of orders.
import collections
import csv
import fcntl
import os
import pwd
import signal
import subprocess
import time

from controlled import (
    answered, by_program, finish, launch, parts, say, to_come)
from harness import PROF, Skip, case, load, main, need, pick


@case
def children(t):
    """A fork child is as its parent was; a program that it executes begins as
    PROFOPTS says."""
    burn = "i=0; while [ $i -lt 120000 ]; do i=$((i+1)); done"
    script = f"read line; ({burn}; echo child); {load('life')} exit 0.1; :"
    for opts, child in (("start=off", False), ("", True)):
        profdir = f"of-{child}"
        p = t.start([need("dash"), "-c", script], stdin=subprocess.PIPE,
                    opts=opts, profdir=profdir)
        say(p, "go")
        finish(t, p)
        seen = {f.split(".")[-1] for f in t.files(profdir)}
        t.equal(f"{opts}: counted", {"dash", "life"} if child else set(),
                seen)


def samples(t):
    """Return the samples of each process of the directory, by its number."""
    seen = collections.Counter()
    text = t.prof("--by=process", "--csv", "profs").stdout
    for r in csv.DictReader(text.splitlines(True)):
        if r["process"]:        # none has the time outside of profiles
            seen[int(r["process"])] += int(r["samples"])
    return +seen


@case
def a_directory(t):
    """An order to all of a directory holds for who comes later: new processes,
    fork children, programs that are executed."""
    p = launch(t)
    say(p, "a 0.2")
    answered(p, 1)
    t.equal("answer", "to come", to_come(t, "stop")["answer"])
    burn = "i=0; while [ $i -lt 120000 ]; do i=$((i+1)); done"
    for script in (burn, f"({burn}); :", f"exec {load('kinds')} burn 0.2"):
        t.good([need("dash"), "-c", script])
    say(p, "b 0.2")
    answered(p, 2)
    t.equal("while it stands", [p.pid], list(samples(t)))
    t.true("said", "processes that start later: stopped" in
           t.prof("--control", "profs", "status").stdout, "said", "")
    to_come(t, "start")
    r = t.good([load("kinds"), "burn", 0.2], opts="start=off")
    t.equal("started", sorted([p.pid, r.pid]), sorted(samples(t)))
    to_come(t, "interval=20")
    row = to_come(t, "status")
    t.equal("both", ("running", "20"), (row["state"], row["interval_ms"]))
    r = t.good([load("kinds"), "burn", 0.4])
    t.between("every 20 ms", 12, samples(t)[r.pid], 28)
    os.makedirs(os.path.join(t.dir, "none"))
    t.prof("--control", "none", "stop")
    r = t.prof("none", good=False)
    t.true("why there is none", "order to count nothing" in r.stderr, "said",
           r.stderr)
    t.prof("--control", "profs", "end")
    t.equal("nothing stands", [], [f for f in os.listdir(
        os.path.join(t.dir, "profs")) if f[0] == "."])
    r = t.good([load("kinds"), "burn", 0.2], opts="start=off")
    t.true("as it is started", r.pid not in samples(t), "stopped", "running")
    finish(t, p)


@case
def none_slips_through(t):
    """While a directory is told, processes are made in it all along: none
    counts anything between the answer to stop and start."""
    t.good([load("kinds"), "burn", 0.05])   # makes the directory
    burn = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"
    p = t.start([need("dash"), "-c", f"while kill -0 {os.getpid()}"
                 f" && [ ! -e over ]; do ({burn}); done"])
    counted = []
    for n in range(pick(8, 80)):
        t.prof("--control", "profs", "start")
        time.sleep(0.15)
        t.prof("--control", "profs", "stop")
        before = sum(samples(t).values())
        time.sleep(0.15)
        after = sum(samples(t).values())
        t.equal(f"turn {n}: while stopped", before, after)
        counted.append(after)
    t.true("while running", all(a < b for a, b in zip(counted, counted[1:])),
           "more each turn", counted)
    open(os.path.join(t.dir, "over"), "w").close()
    t.finish(p)
    t.profiles()


@case
def said_at_the_end(t):
    """msg=yes names no file that is taken away as it was never started."""
    for opts, lines in (("msg=yes,start=off", 0), ("msg=yes", 1)):
        r = t.good([load("kinds"), "burn", 0.1], opts=opts, profdir=opts[-3:])
        t.equal(f"{opts}: lines", lines, r.err.count(b"libmon: "))
        t.equal(f"{opts}: files", lines, len(t.files(opts[-3:])))


def shown(t, *args, status=1):
    r = t.prof("--control", *args, good=False)
    t.equal(f"{args}: status", status, r.returncode)
    t.equal(f"{args}: stdout", "", r.stdout)
    t.equal(f"{args}: one line", 1, r.stderr.count("\n"))
    return r.stderr


@case
def errors(t):
    """Who cannot be told is named, with the reason and the remedy."""
    r = t.good([load("kinds"), "burn", 0.1])
    ended = t.files()[0]
    bare = t.start(["sleep", "30"], mon=False)
    young = t.start(["sleep", "30"], profdir="young")
    time.sleep(0.3)
    for args, status, words in (
            ((ended, "stop"), 1, "its process has ended"),
            ((r.pid, "stop"), 1, "no such process"),
            ((bare.pid, "stop"), 1, "is no process under libmon.so"),
            (("profs", "status"), 1, "none of its processes runs"),
            (("profs", "dump", "copy"), 1, "none of its processes runs"),
            (("nowhere", "stop"), 1, "nowhere"),
            (("/dev/null", "stop"), 1, "/dev/null"),
            ((ended, "halt"), 2, "no command halt: use start, stop, end"),
            ((ended, "strat"), 2, "no command strat; did you mean start?"),
            ((ended,), 2, "a process and a command are missing"),
            ((ended, "stop", "now"), 2, "stop: takes no value"),
            ((ended, "interval"), 2, "interval: takes one value"),
            ((ended, "interval", "often"), 2, "interval often: use a number"),
            ((ended, "interval", "0"), 2, "interval 0: use a number"),
            ((ended, "watch"), 2, "watch: takes one value"),
            ((ended, "watch", 512 * "m"), 2, "at most 511 bytes"),
            ((ended, "mode", "lines"), 2, "time, heap or time+heap")):
        t.true(f"{args}", words in shown(t, *args, status=status), words,
               shown(t, *args, status=status))
    r = t.prof("--control", young.pid, "status", good=False)
    t.true("young", "has no profile yet" in r.stderr or
           "sleep: running" in r.stdout, "no profile yet", r.stderr)
    shown(t, "-o", "out", ended, "stop")
    shown(t, "-o", "out", ended, "halt", status=2)
    t.true("no file", not os.path.exists(os.path.join(t.dir, "out")),
           "where nobody was told", os.listdir(t.dir))
    for p in bare, young:
        os.kill(p.pid, signal.SIGTERM)
        t.finish(p)


@case
def strangers(t):
    """Neither is another user's process told, nor one that has a number that
    was another's."""
    p = launch(t)
    say(p, "a 0.1")
    answered(p, 1)
    path = t.files()[0]
    copy = os.path.join(t.dir, "copy")
    with open(path, "rb") as f, open(copy, "wb") as g:
        g.write(f.read(1 << 20))
    if os.geteuid() == 0 and any(u.pw_name == "nobody"
                                 for u in pwd.getpwall()):
        os.chmod(t.dir, 0o755)
        os.chmod(os.path.join(t.dir, "profs"), 0o755)
        r = subprocess.run([PROF, "--control", path, "stop"],
                           user="nobody", capture_output=True, text=True)
        t.equal("another user", 1, r.returncode)
    with open(copy, "r+b") as f:
        f.seek(72)                          # start_ticks
        ticks = int.from_bytes(f.read(8), "little")
        f.seek(72)
        f.write((ticks + 1).to_bytes(8, "little"))
    t.true("a stale file", "its process is gone" in
           shown(t, copy, "stop"), "it is gone", shown(t, copy, "stop"))
    finish(t, p)
    t.near("part_a", 0.1, parts(t, path)["part_a"], 0.02)


@case
def a_thread_that_became_anothers(t):
    """Between the list of threads and the event a number can change hands."""
    preload = t.build("foreign_tid.c", "foreign_tid.so", "-shared", "-fPIC")
    p = launch(t)
    say(p, "a 0.1")
    answered(p, 1)
    spin = "while :; do :; done"
    stranger = t.start(["sh", "-c", spin], mon=False)
    r = subprocess.run([PROF, "--control", str(p.pid), "stop"],
                       env={**os.environ, "LD_PRELOAD": preload,
                            "STRANGER": str(stranger.pid)},
                       capture_output=True, text=True)
    t.true("told", "armed: it obeys at its next tick" in r.stdout,
           "armed, without a kick", r.stdout + r.stderr)
    time.sleep(0.2)
    t.equal("the stranger", None, stranger.poll())
    stranger.kill()
    stranger.wait()
    finish(t, p)


@case
def cut(t):
    """A file that somebody cuts meanwhile ends neither the teller nor the
    program."""
    p = launch(t, opts="start=off")
    time.sleep(0.2)
    path = t.files()[0]
    with open(path) as f:
        fcntl.flock(f, fcntl.LOCK_EX)       # for this the teller waits
        teller = subprocess.Popen([PROF, "--control", path, "start"],
                                  stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True)
        time.sleep(0.1)
        os.truncate(path, 0)
    out = teller.communicate()[0]
    t.equal("the teller", 1, teller.returncode)
    t.true("says so", "ended before it answered" in out, "it ended", out)
    say(p, "a 0.3")
    answered(p, 1)
    finish(t, p)


@case
def from_a_program(t):
    """libmontell: the same, also of a program that is profiled itself, and of
    many threads at once."""
    p = launch(t)
    say(p, "a 0.1")
    answered(p, 1)
    for mon in (False, True):
        lines = by_program(t, 1, 1, p.pid, "stop", mon=mon)
        t.true("stop", lines[0].startswith(f"armed pid {p.pid} ") and
               lines[1] == "1 ", "armed, and one", lines)
        lines = by_program(t, 1, 1, p.pid, "interval", "20", mon=mon)
        t.equal("interval", "1 ", lines[1])
        say(p, "b 0.1")
        answered(p, 2 + mon)
        lines = by_program(t, 1, 1, "profs", "status", mon=mon)
        t.true("status", lines[0].startswith(
            f"done pid {p.pid} stopped 1 watch  interval 20000000 ticks "),
            "stopped, each 20 ms", lines)
    lines = by_program(t, 1, 1, "profs", "watch", "libz*,a?")
    t.true("to come", lines[0].startswith(
        "to come pid 0 stopped -1 watch libz*,a? ") and lines[2] == "2 ",
        "as PROFOPTS says", lines)
    lines = by_program(t, 1, 1, "profs", "end")
    t.true("nothing to come", lines[0].startswith(
        "to come pid 0 stopped -1 watch  "), "nothing", lines)
    for who, command, error in ((p.pid, "halt", "EINVAL"),
                                ("none", "stop", "ESRCH")):
        lines = by_program(t, 1, 1, who, command)
        t.true(f"{who} {command}", f"-1 {error}" in lines, error, lines)
    many = by_program(t, 8, pick(20, 200), "profs", "start", mon=True)
    t.equal("many", f"{8 * pick(20, 200) * 2} reports", many[-1])
    finish(t, p)


@case
def stacks_for_handlers(t):
    """No thread is kicked in a program whose handlers run on a stack that holds
    just them: the program would not survive it."""
    exe = t.build("tight.c", "tight.exe")
    for kind, sizes in (("small", (2048,)), ("tight", (16384, 3000))):
        p = t.start([exe, *sizes], stdin=subprocess.PIPE, profdir=kind)
        time.sleep(0.3)
        for command in ("stop", "start", "stop"):
            t.prof("--control", kind, command, good=False)
        p.stdin.close()
        r = t.finish(p)
        t.equal(f"{kind}: end", "exit 0", r.status)


@case
def confined(t):
    """Behind a seccomp filter it goes on as it was, and says so."""
    p = t.start([load("confined"), "prctl", 0.2, 5])
    time.sleep(1)
    r = t.prof("--control", p.pid, "stop", good=False)
    os.kill(p.pid, signal.SIGKILL)
    t.finish(p)
    t.true("refused", r.returncode == 1 and "seccomp" in r.stderr,
           "by seccomp", r.stdout + r.stderr)


@case
def no_eintr(t):
    """Kicks end no call, and no output of the program is another."""
    p = t.start([load("eintr"), pick(4, 30)], opts="start=off")
    time.sleep(0.2)
    k = t.start([load("kicker"), pick(3, 25), 2000, "profs"], mon=False)
    r, kicker = t.finish(p, pick(60, 200)), t.finish(k, pick(60, 200))
    if r.status == "exit 2":
        raise Skip("a call cannot be tried here")
    t.figure("kicks", kicker.numbers()["told"] > 100, "many", kicker.text)
    lines = r.text.splitlines()
    t.true("calls tried", len(lines) >= 36, "36 kinds", len(lines))
    for line in lines:
        name, _, done, _, eintr, _, wrong = line.split()
        t.true(name, eintr == "0" and wrong == "0" and int(done) > 0,
               "no EINTR, right results", line)


@case
def storm(t):
    """Told 10,000 times a second while it forks, execs, opens libraries, makes
    threads, takes signals, and ends."""
    seconds = pick(2, 30)
    for kind, argv, out in (
            ("fork", [load("storm_process"), "fork", seconds],
             "fork wrong 0\n"),
            ("shell", [load("storm_process"), "shell", seconds],
             "shell wrong 0\n"),
            ("cancel", [load("storm_threads"), "cancel", seconds],
             "cancel all sane\n"),
            ("python3", [need("python3"), "-c", PYTHON, seconds], "")):
        p = t.start(argv, profdir=kind)
        time.sleep(0.1)
        k = t.start([load("kicker"), seconds, 10000, kind], mon=False)
        r, kicker = t.finish(p, 60 + 4 * seconds), t.finish(k, 200)
        t.equal(f"{kind}: end", "exit 0", r.status)
        t.equal(f"{kind}: out", out, r.text)
        t.equal(f"{kind}: err", b"", r.err)
        t.figure(f"{kind}: kicks", kicker.numbers()["kicked"] > 10, "many",
                 kicker.text)
        for f in t.profiles(kind):
            t.equal(f"{kind}: {f.name}: nested", 0, f.loss.get("nested", 0))


PYTHON = """
import ctypes, os, signal, subprocess, sys, threading, time
until = time.monotonic() + float(sys.argv[1])
signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
while time.monotonic() < until:
    threads = [threading.Thread(target=sum, args=(range(50000),))
               for _ in range(8)]
    for t in threads:
        t.start()
    assert subprocess.run(["true"]).returncode == 0
    pid = os.fork()
    if pid == 0:
        sum(range(10000))
        os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
    for t in threads:
        t.join()
signal.setitimer(signal.ITIMER_REAL, 0)
"""


if __name__ == "__main__":
    main()
