# Context: O.  The allocations of `heaps paths`, by call path.  Tests of views
# of the heap, and of files with it, are compared with them.
import collections

from harness import load

# Values of --heap=, and the names of their columns.
MEASURES = {"peak": "peak_bytes", "live": "live_bytes",
            "live-blocks": "live_blocks", "total": "total_bytes",
            "blocks": "total_blocks", "freed": "freed_bytes",
            "temporary": "temporary_blocks", "high": "high_bytes"}
KEEPS, DROPS = ("paths", "keeps", "fetch"), ("paths", "drops", "fetch")
DEEPER = ("paths", "deeper", "deeper", "deeper", "deeper")


def profiled(t, n, profdir="profs"):
    """A profile of `heaps paths`, of one thread."""
    t.good([load("heaps"), "paths", n, 1], opts="mode=heap", profdir=profdir)
    path, = t.files(profdir)
    return path


def truth(n):
    """{measure: {path below the thread: what it has}}, what is not 0."""
    size = {KEEPS: 40, DROPS: 60, DEEPER: 8}
    return {
        # Most is live in the last of the rounds.
        "peak": {KEEPS: 40 * n, DROPS: 60, DEEPER: 8},
        "live": {KEEPS: 40 * n},
        "live-blocks": {KEEPS: n},
        "total": {path: s * n for path, s in size.items()},
        "blocks": {path: n for path in size},
        "freed": {DROPS: 60 * n, DEEPER: 8 * n},
        "temporary": {DROPS: n},
        "high": {KEEPS: 40 * n, DROPS: 60, DEEPER: 8},
    }


def own(paths):
    """Return, of whole paths, outermost first, those of the program's thread,
    from there on; libc's own blocks that start it are of others."""
    return {path[path.index("work") + 1:]: n for path, n in paths.items()
            if "work" in path and n != 0}


def functions(paths):
    """{function: its own}, and {function: with all that it called}."""
    self, total = collections.Counter(), collections.Counter()
    for path, n in paths.items():
        self[path[-1]] += n
        for name in set(path):
            total[name] += n
    return self, total


def pairs(paths):
    """{(caller, function): of the stacks with that call, each once}."""
    all = collections.Counter()
    for path, n in paths.items():
        for pair in set(zip(path, path[1:])):
            all[pair] += n
    return all
