# Context: O.  What tests of tprof(8) share: run it, and read what it left.
import os
import re
import subprocess

import tprofout
from harness import BUILD, CLEAN, Skip, need

TPROF = os.path.join(BUILD, "tprof")
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


def out(t, name="tprof.out"):
    return tprofout.read(os.path.join(t.dir, name))
