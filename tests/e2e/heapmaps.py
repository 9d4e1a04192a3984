#!/usr/bin/env python3
# Context: O.  Mappings are counted to the byte: alone, beside blocks, those
# of children and of allocators.
import os
import sys
import time

from harness import LIB, case, load, main, pick
from heapcounts import allocators, compile, info


@case
def growth(t):
    """A staircase: each step is where it was, and what is resident goes
    along."""
    steps, size = 6, 4 << 20
    script = ("import time\nkept = []\n"
              f"for i in range({steps}):\n"
              f"    kept.append(bytearray(b'x') * {size})\n"
              "    time.sleep(0.05)\n"
              "    for j in range(2000): bytearray(1000)\n")
    began = time.monotonic()
    t.good([os.path.realpath(sys.executable), "-c", script],
           opts="mode=heap")
    took = time.monotonic() - began
    path, = t.files()
    rows = t.rows("--heap=growth", "--csv", path)
    at = [float(r["seconds"]) for r in rows]
    live = [int(r["live_bytes"]) for r in rows]
    t.true("in time", at == sorted(at) and 0 <= at[0] and at[-1] <= took + 0.1,
           "ascending", at)
    for n in range(1, steps):
        t.true(f"step {n}", any(n * size <= x < (n + 1) * size for x in live),
               "a moment there", [x / size for x in live])
    seen, _ = info(t, path)
    t.true("no more than the peak", max(live) <= seen["peak_bytes"],
           seen["peak_bytes"], max(live))
    resident = [(int(r["resident_bytes"]), int(r["live_bytes"]))
                for r in rows if r["resident_bytes"]]
    t.true("resident", len(resident) > 2 and
           all(r >= x for r, x in resident), "not less than live", resident)
    sizes = t.rows("--heap=sizes", "--csv", path)
    t.equal("sizes", seen["total_blocks"], sum(int(r["blocks"])
                                               for r in sizes))
    t.true("of the steps", any(int(r["least_bytes"]) <= size <= int(
        r["most_bytes"]) and int(r["blocks"]) >= steps for r in sizes),
        "so many", sizes)


def maps_of(t, path):
    p, = t.profiles(files=[path])
    t.equal("lost", {}, {k: v for k, v in p.loss.items() if "HEAP" in k})
    return {k[5:]: int(v) for k, v in p.info.items() if
            k.startswith("maps.")}


@case
def mappings(t):
    """Page by page, beside an account of the program's own."""
    for what, steps, threads, heap in (
            ("alone", 3000, 1, "mmap"), ("with blocks", 2000, 1, "all"),
            ("sampled blocks", 2000, 1, "512k+mmap"),
            ("in threads", pick(2000, 8000), 6, "mmap"),
            ("no stacks", 2000, 3, "all,stack=off")):
        profdir = what.replace(" ", "-")
        r = t.good([load("mappings"), steps, threads], profdir=profdir,
                   opts=f"mode=heap,heap={heap}")
        path, = t.files(profdir)
        said = {k: int(v) for k, v in (x.split()
                                       for x in r.text.splitlines())}
        seen = maps_of(t, path)
        for key in said:
            if key != "peak_bytes" or threads == 1:
                t.equal(f"{what}: {key}", said[key], seen[key])
        t.true(f"{what}: peak", seen["live_bytes"] <= seen["peak_bytes"] <=
               said["peak_bytes"], "in between", seen)
        p, = t.profiles(files=[path])
        rows = t.rows("--heap=mapped", "--csv", path)
        t.equal(f"{what}: rows", [said["live_bytes"], said["total_bytes"],
                                  said["total_blocks"], seen["peak_bytes"]],
                [sum(int(r[c]) for r in rows) for c in (
                    "mapped_bytes", "mapped_total_bytes", "mappings",
                    "mapped_peak_bytes")])
        t.true(f"{what}: who did", {"makes", "replaces", "moves", "grows"} <=
               {r["function"].split(".")[0] for r in rows
                if int(r["mappings"])},
               "all four", [r["function"] for r in rows])
        if heap == "mmap":
            r = t.prof("--heap=sizes", path, good=False)
            t.equal(f"{what}: sizes", (1, "prof: mappings were counted, and "
                                        "nothing else"),
                    (r.returncode, r.stderr.split(";")[0]))
        if "k" not in heap:
            t.equal(f"{what}: blocks", heap.startswith("mmap"),
                    p.info["heap.total_blocks"] == "0")


@case
def mappings_of_allocators(t):
    """Mappings that handlers make amid a call are theirs, with blocks counted
    or not."""
    def mapped(preload, heap):
        # Where it has luck with what the kernel gives it: at times it asks
        # again.
        least = None
        for i in range(4):
            profdir = f"profs{len(os.listdir(t.dir))}"
            t.good([load("heaps"), "leaking", 20000, 1],
                   opts=f"mode=heap,heap={heap}", profdir=profdir,
                   env={"LD_PRELOAD": preload})
            # One that has system calls of its own leaves no file.
            n = sum(maps_of(t, file)["total_bytes"]
                    for file in t.files(profdir))
            least = n if least is None else min(least, n)
        return least

    total = 0
    for path in allocators():
        for preload in (f"{LIB}:{path}", f"{path}:{LIB}"):
            both = mapped(preload, "all")
            t.near(f"{preload}: bytes", mapped(preload, "mmap"), both,
                   1 << 20)
            total += both
    t.true("bytes", total > 1 << 20, "some", total)


BESIDE = """#include <stdlib.h>
#include <sys/mman.h>
void *volatile kept[20];
int main(void)
{
	for (int i = 0; i < 10; i++) {
		kept[2 * i] = mmap(0, 1 << 20, PROT_NONE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		kept[2 * i + 1] = malloc(8 << 20);
	}
	return 0;
}
"""


@case
def mappings_beside_blocks(t):
    """By one function, so that both calls come from the same stack pointer."""
    exe = compile(t, "beside", BESIDE, cc="gcc")
    files = 0
    for path in allocators():
        profdir = os.path.basename(path)
        t.good([exe], opts="mode=heap,heap=all", profdir=profdir,
               env={"LD_PRELOAD": f"{LIB}:{path}"})
        # maps_of() also says that nothing was lost.
        seen = [maps_of(t, file)["total_bytes"] for file in t.files(profdir)]
        t.true(f"{profdir}: mapped", all(n > 10 << 20 for n in seen),
               "also for blocks", seen)
        files += len(seen)
    # One that has system calls of its own leaves none.
    t.true("files", files > 0, "of some allocator", files)


@case
def mappings_of_children(t):
    """A child knows nothing of what its parent mapped, nor loses it."""
    script = ("import mmap, os\n"
              "a = mmap.mmap(-1, 1 << 20)\n"
              "if os.fork() == 0:\n"
              "    b = mmap.mmap(-1, 1 << 16)\n"
              "    a.close()\n"
              "    os._exit(0)\n"
              "os.wait()\n"
              "a.close()\nc = mmap.mmap(-1, 1 << 22)\nos._exit(0)\n")
    t.good([os.path.realpath(sys.executable), "-c", script],
           opts="mode=heap,heap=mmap")
    seen = [maps_of(t, path) for path in t.files()]
    child, parent = sorted(seen, key=lambda s: s["total_bytes"])
    t.equal("the child's", [1 << 16] * 2, [
        child["total_bytes"], child["live_bytes"]])
    t.true("the parent's", parent["total_bytes"] - parent["live_bytes"] >=
           1 << 20 and parent["live_bytes"] >= 1 << 22, "both", parent)


if __name__ == "__main__":
    main()
