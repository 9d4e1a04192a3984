# Context: O.  Shared by tests of allocations: run tests/load/heaps.c, and
# compare what it knows that it asked for with its profile.
import glob
import os
import subprocess

from harness import CLEAN, Skip, load, need


SAME = ("total_bytes", "total_blocks", "live_bytes", "live_blocks",
        "temporary_blocks", "resized_blocks")


def info(t, path):
    """Return the figures of the heap, and its losses, by name."""
    p, = t.profiles(files=[path])
    seen = {k[5:]: int(v) for k, v in p.info.items() if k.startswith("heap.")}
    return seen, {k: v for k, v in p.loss.items() if k.startswith("HEAP")}


def counted(t, *args, opts="", preload=None):
    """Return the figures of the program, and ours."""
    profdir = f"profs{len(os.listdir(t.dir))}"
    r = t.good([load("heaps"), *args], opts="mode=heap" + opts,
               profdir=profdir,
               env={"LD_PRELOAD": preload} if preload else None)
    path, = t.files(profdir)
    said = {k: int(v) for k, v in (line.split()
                                   for line in r.text.splitlines())}
    seen, lost = info(t, path)
    t.equal(f"{args}: lost", {}, lost)
    return said, seen


def compare(t, what, kind, n, threads, **how):
    """To the byte, beyond what the same number of threads costs."""
    none, idle = counted(t, kind, 0, threads, **how)
    said, seen = counted(t, kind, n, threads, **how)
    t.equal(f"{what}: nothing else", 0, none["total_bytes"])
    for key in SAME:
        t.equal(f"{what}: {key}", said[key], seen[key] - idle[key])
    return said, seen, idle


def compile(t, name, text, *flags, cc="g++"):
    source = os.path.join(t.dir, name + (".cc" if cc == "g++" else ".c"))
    with open(source, "w") as f:
        f.write(text)
    exe = os.path.join(t.dir, name)
    r = subprocess.run([need(cc), "-g", "-O1", "-o", exe, source, *flags],
                       capture_output=True, text=True)
    if r.returncode != 0:
        t.does_not_compile(source, r.stderr, [need(cc), *flags])
    return exe


def runs_bare(path):
    """mimalloc 2.0 ends the workload without us, too."""
    return subprocess.run([load("heaps"), "growing", "100", "4"],
                          env={**CLEAN, "LD_PRELOAD": path},
                          stdout=subprocess.DEVNULL).returncode == 0


def allocators():
    found = [p for name in ("jemalloc.so.2", "tcmalloc.so.4",
                            "tcmalloc_minimal.so.4", "mimalloc.so.2")
             for p in glob.glob(f"/usr/lib/*/lib{name}") if runs_bare(p)]
    if not found:
        raise Skip("no other allocator is installed")
    return found
