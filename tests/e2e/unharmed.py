# Context: O.  Shared by tests of the profile file: run a program for which
# its place is hostile, and see that it is unharmed.


BURN = 0.3


def unharmed(t, r, what):
    t.equal(f"{what}: end", "exit 0", r.status)
    t.equal(f"{what}: stdout", f"{what} done\n", r.text[-len(what) - 6:])
    t.equal(f"{what}: stderr", b"", r.err)
