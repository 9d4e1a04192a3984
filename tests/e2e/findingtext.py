# Context: O.  For harness.py: short texts of what a case found.
import difflib


def show(x):
    if isinstance(x, bytes):
        x = x.decode(errors="replace")
    return x if isinstance(x, str) and len(x) < 300 else repr(x)[:600]


def tail(b, n=1500):
    return b.decode(errors="replace")[-n:]


def difference(a, b):
    """The lines in which two texts differ, for a finding."""
    return "\n".join(list(difflib.unified_diff(
        a.splitlines(), b.splitlines(), "bare", "libmon", lineterm="",
        n=1))[:60])


def comment(text):
    return "".join(f"# {line}\n" for line in text.splitlines())
