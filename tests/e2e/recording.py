# Context: O.  Shared by tests of tprof(8): run it, and read what it left.
import contextlib
import os
import re
import subprocess
import time

import tprofout
from harness import BUILD, CLEAN, Skip, need

TPROF = os.path.join(BUILD, "tprof")
# A program for a user who cannot read where python3 is.
PERL = ["perl", "-e", "do { $x++ for 1 .. 9999 } until (times)[0] > 0.5"]
BURN = ("import sys,time\nend=time.process_time()+float(sys.argv[1])\n"
        "while time.process_time()<end: sum(range(20000))\n")


def burn(seconds):
    return [need("python3"), "-c", BURN, str(seconds)]


def tprof(t, *argv, user=None, opts=None, **more):
    if not os.path.exists(TPROF):
        raise Skip("tprof is not built")
    env = CLEAN if opts is None else {**CLEAN, "PROFOPTS": opts}
    return subprocess.run([TPROF, *map(str, argv)], env=env, cwd=t.dir,
                          capture_output=True, text=True, timeout=300,
                          stdin=subprocess.DEVNULL, user=user, **more)


def statistics(text):
    return {k: int(v) for k, v in re.findall(r"^\t(\w+) (\d+)$", text,
                                             re.MULTILINE)}


def can(t, *options):
    """The kernel's backend, or a skip."""
    r = tprof(t, "monitor", "-b", "kernel", *options, "-o",
              os.path.join(t.dir, "can"), "true")
    if r.returncode != 0:
        raise Skip(f"the kernel refuses: {r.stderr.strip()}")


def wait_for_work(p, seconds=0.1):
    """Returns when the process p has children, and these have used this much
    CPU time."""
    tick = os.sysconf("SC_CLK_TCK")
    end = time.monotonic() + 60
    while time.monotonic() < end and p.poll() is None:
        used, there = 0, children(p.pid)
        for child in there:
            with contextlib.suppress(OSError), open(f"/proc/{child}/stat") as f:
                fields = f.read().rpartition(")")[2].split()
                used += (int(fields[11]) + int(fields[12])) / tick
        if there and used >= seconds:
            return
        time.sleep(0.01)


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as f:
            return f.read().split()
    except OSError:
        return []


def out(t, name="tprof.out"):
    return tprofout.read(os.path.join(t.dir, name))
