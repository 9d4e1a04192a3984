# Context: O.  Shared by tests of call stacks: run tests/load/stacks.c, which
# knows who called whom, and read its stacks.
import os
import shutil

from harness import need


# Code that hides its frames, and code without any tables.
NO_FP = ["-O2", "-fomit-frame-pointer"]


def run(t, flags, *args, opts=None, cc="gcc"):
    """One profile, the only one there."""
    exe = t.build("stacks.c", "stacks", *flags, "-pthread", cc=[need(cc)])
    shutil.rmtree(os.path.join(t.dir, "profs"), ignore_errors=True)
    return t.good([exe, *args], opts=opts)


def ran(t, flags, *args, **how):
    return run(t, flags, *args, **how), t.folded()
