#!/usr/bin/env python3
# Context: O.  tprof whatever happens to it: nobody reads what it writes, and
# processes and threads come and go by thousands.
import fcntl
import os
import signal
import subprocess
import time

from harness import CLEAN, Failed, case, main
from recording import TPROF, burn, can


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


if __name__ == "__main__":
    main()
