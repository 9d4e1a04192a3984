#!/usr/bin/env python3
# Context: O.  tprof whatever happens to it: nobody reads what it writes, and
# processes and threads come and go by thousands.
import fcntl
import itertools
import os
import pwd
import re
import shutil
import signal
import subprocess
import time

from harness import CLEAN, LIB, ROOT, Failed, Skip, case, main, need, \
    need_file, pick
from recording import TPROF, burn, can, out, statistics, tprof


def until(good):
    end = time.monotonic() + 60
    while not good():
        if time.monotonic() > end:
            raise Failed("nothing more happens")
        time.sleep(0.02)


def children(p):
    return any(open(f"/proc/{p.pid}/task/{tid}/children").read()
               for tid in os.listdir(f"/proc/{p.pid}/task"))


def unread(t, *argv, **more):
    """One whose output goes to a small pipe, and that pipe."""
    take, give = os.pipe()
    fcntl.fcntl(give, fcntl.F_SETPIPE_SZ, 4096)
    p = subprocess.Popen([TPROF, *argv], cwd=t.dir, stdout=give,
                         env=dict(CLEAN, TMPDIR=t.dir),
                         stderr=subprocess.DEVNULL, **more)
    os.close(give)
    until(lambda: children(p))
    return p, take


def is_stuck(p):
    """In a write to a pipe that is full."""
    return any("pipe_w" in open(f"/proc/{p.pid}/task/{tid}/wchan").read()
               for tid in os.listdir(f"/proc/{p.pid}/task"))


@case
def ends_though_nobody_reads(t):
    """Signals are its own once the command is over."""
    can(t)
    for argv in (["-c"], ["monitor", "-c", "-b", "preload"],
                 ["count", "-e", "cs", "-i", "0.01"]):
        for sig in signal.SIGTERM, signal.SIGINT:
            p, pipe = unread(t, *argv, *burn(1))
            until(lambda: is_stuck(p) and not children(p))
            p.send_signal(sig)
            t.equal(f"{argv}: {sig.name}", -sig, p.wait(60))
            os.close(pipe)


@case
def passes_signals_on_though_nobody_reads(t):
    can(t)
    for argv in ["-c", "--hz", "20000"], ["count", "-e", "cs", "-i", "0.01"]:
        p, pipe = unread(t, *argv, *burn(300))
        until(lambda: is_stuck(p))
        p.send_signal(signal.SIGTERM)
        until(lambda: not children(p))
        t.true(f"{argv}: waits", is_stuck(p), "a write", "none")
        os.close(pipe)
        t.equal(f"{argv}: status", 128 + signal.SIGTERM, p.wait(60))


def come(t, backend, *argv):
    """Return what tests/load/comings left; its status, sums and file agree."""
    path = os.path.join(t.dir, "odd")
    if not os.path.exists(path):
        path = t.build("comings.c", "odd", "-pthread")
        os.link(path, os.path.join(t.dir, "even"))
    if backend == "preload":
        need_file(LIB)
    tree = ["--tree"] if backend == "kernel" else []
    r = tprof(t, "monitor", "-b", backend, *tree, "--hz", "10000", "./odd",
              *argv)
    said, o = statistics(r.stderr), out(t)
    t.equal(f"{backend} {argv}: status", 7, r.returncode)
    t.equal(f"{backend} {argv}: samples", said["sample"], len(o.samples))
    t.equal(f"{backend} {argv}: lost", (0, 0),
            (said["overflow"], said["dropbuf_samples"]))
    t.true(f"{backend} {argv}: all have a process",
           {s.pid for s in o.samples} <= set(o.processes), "told", "others")
    return o


@case
def exec_chain(t):
    """Before an exec it has the old name, and after it the new one."""
    can(t, "--tree")
    for backend in "kernel", "preload":
        o = come(t, backend, "execs", pick(400, 10000))
        own = [s for s in o.samples if o.module(s).startswith(t.dir)]
        t.figure(f"{backend}: samples", len(own) > 50, "over 50", len(own))
        wrong = [(o.module(s), s.program) for s in own
                 if os.path.basename(o.module(s)) != s.program]
        t.equal(f"{backend}: of another program", [], wrong[:3])
        if backend == "kernel":
            t.equal("programs", {"odd", "even"}, {s.program for s in own})


@case
def thread_storm(t):
    """A thread that ended before anybody looked has its maker's name."""
    can(t, "--tree")
    for backend in "kernel", "preload":
        o = come(t, backend, "threads", pick(2000, 40000))
        names = {o.threads[s.pid, s.tid] for s in o.samples
                 if s.tid != s.pid}
        if backend == "kernel":
            t.equal("names", {"maker"}, names)


@case
def fork_storm(t):
    can(t, "--tree")
    for backend in "kernel", "preload":
        o = come(t, backend, "forks", pick(1000, 20000))
        t.equal(f"{backend}: programs", {"odd"},
                {s.program for s in o.samples})
        t.equal(f"{backend}: threads", {"odd"},
                {o.threads[s.pid, s.tid] for s in o.samples})


@case
def first_thread_ends(t):
    """The process lives on, long after, with its names."""
    can(t, "--tree")
    for backend in "kernel", "preload":
        o = come(t, backend, "first", 3500)
        last = max(s.time for s in o.samples)
        late = [s for s in o.samples if s.time > last - 1e9 and not s.kernel]
        found = [s for s in late if o.module(s).startswith(t.dir)]
        t.figure(f"{backend}: in its file", len(found) > len(late) * 0.9 > 50,
                 "nearly all", f"{len(found)} of {len(late)}")


@case
def gains_privileges(t):
    """The kernel watches it for who watches the machine, else for nobody."""
    if not ROOT:
        raise Skip("only root can make such a program")
    can(t, "--tree")
    os.chmod(t.dir, 0o777)
    path = os.path.join(t.dir, "gains")
    shutil.copy(need("perl"), path)
    os.chown(path, pwd.getpwnam("daemon").pw_uid, -1)
    os.chmod(path, 0o4755)
    argv = [path, "-e", "do { $x++ for 1 .. 9999 } until (times)[0] > 0.7;"
            "print $>; exit 9"]
    for user, how in itertools.product((None, 65534), (
            ["-b", "preload"], ["-b", "kernel", "--tree"], ["-b", "kernel"])):
        name = f"{user}-{how[1]}-{len(how)}.out"
        r = tprof(t, "monitor", *how, "-o", name, *argv, user=user)
        t.equal(f"{user} {how}: status", 9, r.returncode)
        t.equal(f"{user} {how}: it has them",
                str(pwd.getpwnam("daemon").pw_uid), r.stdout)
        t.equal(f"{user} {how}: a word", "preload" in how,
                f"{path} gains privileges when it is executed: libmon.so "
                f"cannot be loaded into it, so the kernel takes the "
                f"samples" in r.stderr)
        t.true(f"{user} {how}: backend", "backend kernel" in r.stderr,
               "kernel", r.stderr)
        o = out(t, name)
        own = [s for s in o.samples if s.program == "gains"]
        if user is None and "--tree" not in how:
            t.figure(f"{how}: watched", len(own) > 300, "over 300", len(own))
        else:
            t.true(f"{user} {how}: it is said", re.search(
                r"\t0\.\d s of CPU time were not sampled", r.stderr),
                "a line", r.stderr)


if __name__ == "__main__":
    main()
