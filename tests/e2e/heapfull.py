#!/usr/bin/env python3
# Context: O.  Allocations that find no room in the file: each counts as the
# right loss, and costs no more than one that is counted.
import os
import subprocess
import time

from harness import ROOT, Skip, case, load, long_case, main, pick

BITS, TURNS = 13, 4
ASKED = TURNS * (2 * (1 << BITS) + 301)     # by tests/load/heappaths.c


def limited(kib):
    """Run under a shell that limits the size of files."""
    return ("sh", "-c", f"ulimit -f {kib * 2}; exec \"$@\"", "sh")


def paths(t, profdir, turns=TURNS, bits=BITS, prefix=(), opts="mode=heap"):
    r = t.run([*prefix, load("heappaths"), bits, turns], opts=opts,
              profdir=profdir)
    t.equal(f"{profdir}: end", ("exit 0", b""), (r.status, r.err))
    return r


def heap_losses(p):
    return {k: v for k, v in p.loss.items() if k.startswith("HEAP")}


def adds_up(t, what, p, name, asked=ASKED):
    """Counted and lost allocations add up to those that were made."""
    counted = int(p.info.get("heap.total_blocks", 0))
    lost = heap_losses(p)
    t.equal(f"{what}: lost as", [name], list(lost))
    t.equal(f"{what}: counted and lost", asked,
            counted + sum(lost.values()))
    t.equal(f"{what}: no tick is lost by it", 0,
            p.loss.get("STORE_FULL", 0) + p.loss.get("STORE_SPACE", 0))


@case
def size_reached(t):
    for size in ("256k", "512k", "1m"):
        paths(t, size, opts=f"mode=heap,size={size}")
        adds_up(t, size, t.profile("heappaths", profdir=size), "HEAP_FULL")


@case
def beside_time(t):
    """Ticks that find no room are counted as ticks, each once."""
    paths(t, "both", turns=pick(20, 100), opts="mode=time+heap,size=256k")
    p = t.profile("heappaths", profdir="both")
    t.equal("allocations: lost as", ["HEAP_FULL"], list(heap_losses(p)))
    lost = sum(v for k, v in p.loss.items() if k.startswith("STORE"))
    t.between("ticks lost", 1, lost, int(p.info["ticks"]))


@case
def limit_of_file_size(t):
    for kib in (32, 64, 128):
        paths(t, f"f{kib}", prefix=limited(kib))
        adds_up(t, f"{kib} KiB", t.profile("heappaths", profdir=f"f{kib}"),
                "HEAP_FULL")


@long_case
def too_many_mappings(t):
    """Mappings that their table has no room for are counted as lost."""
    n = 66000
    t.good(["python3", "-c", f"""
import mmap
how = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
kept = [mmap.mmap(-1, 4096, flags=how) for _ in range({n})]
"""], opts="mode=heap,heap=mmap")
    p = t.profile()
    t.equal("lost as", ["HEAP_MAPS"], list(heap_losses(p)))
    t.between("counted and lost", n, p.loss["HEAP_MAPS"] +
              int(p.info["maps.total_blocks"]), n + 2000)


@case
def limit_of_heapsize(t):
    """Blocks that find no room in the table are lost as that."""
    r = paths(t, "table", turns=600, bits=8, opts="mode=heap,heapsize=4m")
    p = t.profile("heappaths", profdir="table")
    t.equal("small enough", {}, heap_losses(p))
    t.equal("said", b"", r.err)
    r = t.run([load("heappaths"), 8, 1], opts="mode=heap,heapsize=3m",
              profdir="small")
    t.true("a table that can hold nothing", b"heapsize=3m ignored; wanted 4m"
           in r.err, "refused", r.err)


@case
def costs_no_more(t):
    """Compare the least CPU time with that of a file that has room, by
    turns."""
    least = {}
    for i in range(3):
        for kib in (32, 1 << 20):
            r = paths(t, f"{kib}k{i}", turns=pick(100, 600), bits=8,
                      prefix=limited(kib))
            least[kib] = min(r.cpu, least.get(kib, r.cpu))
    t.figure("a full file", least[32] < 1.5 * least[1 << 20] + 0.01,
             "as with room", least)


@case
def threads_that_come_later(t):
    """Threads that begin when the file is full have no place in it at all."""
    for n in (50, 400):
        r = t.good([*limited(40), load("heapstorm"), "at_once", 1, n],
                   profdir=f"t{n}", opts="mode=heap")
        p = t.profile("heapstorm", profdir=f"t{n}")
        asked = int(r.text.split()[r.text.split().index("blocks") + 1])
        lost = p.loss.get("HEAP_FULL", 0)
        t.between(f"{n}: counted and lost", asked,
                  int(p.info["heap.total_blocks"]) + lost,
                  asked + 4 * n + 8)
        # A thread without a record may free a block of another.
        t.equal(f"{n}: lost as", {"HEAP_FULL", "HEAP_PLACE"},
                {"HEAP_PLACE", *heap_losses(p)})


def small(t, name, kib):
    """Mount a file system with that much room left."""
    if not ROOT:
        raise Skip("needs root to mount a small tmpfs")
    d = os.path.join(t.dir, name)
    os.mkdir(d)
    r = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kib}k", "tmpfs",
                        d], capture_output=True, text=True)
    if r.returncode != 0:
        raise Skip(f"mount: {r.stderr.strip()}")
    return d


@case
def full_disk(t):
    for kib in (24, 48, 100):
        d = small(t, f"d{kib}", kib)
        try:
            paths(t, f"d{kib}")
            adds_up(t, f"{kib} KiB", t.profile("heappaths", profdir=f"d{kib}"),
                    "HEAP_SPACE")
        finally:
            subprocess.run(["umount", "-l", d])


def answers(p, n, *lines):
    for line in lines:
        p.stdin.write(line.encode() + b"\n")
        p.stdin.flush()
    while os.pread(p.out_file.fileno(), 65536, 0).count(b"\n") < n:
        time.sleep(0.002)
    return n


@case
def room_that_comes(t):
    """Allocations are counted again when a full disk has room again."""
    d = small(t, "again", 12)
    try:
        p = t.start([load("commands")], stdin=subprocess.PIPE, profdir="again",
                    opts="mode=heap")
        answers(p, 3, "sleep 0.01", "keep 100", "keep 50")
        subprocess.run(["mount", "-o", "remount,size=1m", d], check=True)
        answers(p, 5, "a 0.3", "keep 30")
        p.stdin.close()
        t.equal("end", "exit 0", t.finish(p).status)
        seen = t.profile("commands", profdir="again")
        rows = [r for r in t.rows("--heap", "--csv", seen.path)
                if r["function"] in ("keep", "main")]
        t.equal("counted", 30, sum(int(r["total_bytes"])
                                   for r in rows) // 100)
        lost = heap_losses(seen)
        t.true("lost", lost.get("HEAP_SPACE", 0) >= 150 and len(lost) == 1,
               "the 150 before, and buffers of stdio", lost)
    finally:
        subprocess.run(["umount", "-l", d])


@case
def no_file(t):
    """A disk without room from the first to the last tick costs next to
    nothing."""
    d = small(t, "none", 4)
    try:
        with open(os.path.join(d, "filler"), "wb") as f:
            f.write(b"x" * 4096)
        least = {}
        for i in range(3):
            for profdir in ("none", f"room{i}"):
                r = paths(t, profdir, turns=pick(100, 600), bits=8)
                least[profdir[:4]] = min(r.cpu, least.get(profdir[:4], r.cpu))
        t.figure("no file", least["none"] < 1.5 * least["room"] + 0.01,
                 "as with one", least)
    finally:
        subprocess.run(["umount", "-l", d])


if __name__ == "__main__":
    main()
