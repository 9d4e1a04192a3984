#!/usr/bin/env python3
# Context: O.  Size of a heap over time, against a program that grows and knows
# its own size.
import json
import os
import re
import time

from browser import Browser
from harness import below_head, case, load, main

BLOCK = 4000            # tests/load/heapgrowth.c


def grown(t, n, profdir="profs", opts="mode=heap"):
    """A profile, and what the program says of itself."""
    run = t.good([load("heapgrowth"), n], opts=opts, profdir=profdir)
    path, = t.files(profdir)
    return path, {k: int(v) for k, v in (
        line.split() for line in run.out.decode().splitlines())}


def points(t, *args):
    """(seconds, live, resident or None) of each moment."""
    return [(float(r["seconds"]), int(r["live_bytes"]),
             int(r["resident_bytes"]) if r["resident_bytes"] else None)
            for r in t.rows("--heap=growth", *args)]


@case
def growth(t):
    """The peak, the end and what was resident are where the program was."""
    n = 4000
    path, told = grown(t, n)
    table = t.rows("--heap", path)
    peak, live = (sum(int(r[c]) for r in table)
                  for c in ("peak_bytes", "live_bytes"))
    all = points(t, path)
    t.true("moments", len(all) > 100, "many", len(all))
    t.equal("ascending", sorted(all), all)
    most = max(all, key=lambda p: p[1])
    t.between("the most", n * BLOCK * 0.95, most[1], peak)
    t.equal("the last", live, all[-1][1])
    t.between("when most was", all[0][0] + 0.2 * (all[-1][0] - all[0][0]),
              most[0], all[-1][0])
    seen = [p[2] for p in all if p[2] is not None]
    t.near("resident", told["resident"], max(seen), 0.1 * told["resident"])
    text = json.loads(t.prof("--heap=growth", "--json", path).stdout)
    t.equal("json", all, [(r["seconds"], r["live_bytes"],
                           r["resident_bytes"]) for r in text])


@case
def brief_peak(t):
    """A short peak is one of the moments, and stays when others go."""
    brief, n = 30 << 20, 8000
    t.good([load("heapgrowth"), n, brief], opts="mode=heap")
    path, = t.files()
    all = points(t, path)
    most = max(all, key=lambda p: p[1])
    t.between("the most", brief + n // 2 * BLOCK, most[1],
              brief + n * BLOCK)
    t.between("moments", 256, len(all), 512)
    t.true("it is said", "none of them" not in t.prof(
        "--heap=growth", path).stdout, "the peak is one", "none")


MAPS = """
import mmap, time
all = []
for i in range(100):
    all.append(mmap.mmap(-1, 1 << 20))
    time.sleep(0.001)
for m in all[20:]:
    m.close()
    time.sleep(0.001)
"""


@case
def of_maps_alone(t):
    """Where no blocks are counted the moments are of what is mapped."""
    t.good(["/usr/bin/python3", "-S", "-E", "-c", MAPS],
           opts="mode=heap,heap=mmap")
    path, = t.files()
    rows = t.rows("--heap=growth", path)
    table = t.rows("--heap=mapped", path)
    mapped = [int(r["mapped_bytes"]) for r in rows]
    t.true("moments", len(rows) > 100, "many", len(rows))
    t.equal("of blocks", {""}, {r["live_bytes"] for r in rows})
    for what, said in (("peak", max(mapped)), ("", mapped[-1])):
        key = f"mapped_{what}_bytes" if what else "mapped_bytes"
        t.equal(key, sum(int(r[key]) for r in table), said)
    text = t.prof("--heap=growth", path).stdout
    t.true("text", f"\nmost mapped of {len(rows)} points" in text, "mapped",
           text)
    massif = t.prof("--heap", "--write=massif", "--output=-", path).stdout
    t.true("massif", f"mem_heap_B={max(mapped)}\n" in massif and
           re.search(rf"\nn\d+: {max(mapped)} ", massif), max(mapped),
           massif[-2000:])


@case
def chart(t):
    """Text says what the moments do, and as much in short in the summary."""
    path, _ = grown(t, 2000)
    all = points(t, path)
    text = below_head(t.prof("--heap=growth", path).stdout)
    t.true("head", re.match(r"heapgrowth \[\d+\]\n   Seconds ", text),
           "heapgrowth", text)
    most = max(all, key=lambda p: p[1])
    t.true("the most", f"\nmost live of {len(all)} points: " in text and
           f" at {most[0]:.3f} s" in text, most, text)
    t.true("the last", re.search(rf"^last: .* at {all[-1][0]:.3f} s, [+-]",
                                 text, re.M), all[-1], text)
    said = re.search(r"^most live.*\nlast.*\nresident.*$", text, re.M)[0]
    t.true("summary", said in t.prof("--heap=summary", path).stdout, said,
           "another")


@case
def page(t):
    """The process that is chosen is shown, or that with the largest peak."""
    path, _ = grown(t, 2000)
    two, _ = grown(t, 300, "two")
    all, less = points(t, path), points(t, two)
    t.prof("--heap", "--html=page.html", two, path)
    with Browser(t) as b:
        b.open(os.path.join(t.dir, "page.html"))
        t.equal("all", [p[1] for p in all], b.js("return growth.one.live"))
        t.equal("resident", [p[2] or 0 for p in all],
                b.js("return growth.one.resident"))
        said = b.text("#grownAt")
        t.true("moments", f" at {len(all)} moments" in said, len(all), said)
        t.near("scale", all[-1][0], float(b.js(
            "return document.querySelector('#grownScale span:last-child')"
            ".textContent").split()[0]), 0.0011)
        for number, wanted in ((0, less), (1, all)):
            b.choose("#who", f"process:{number}")
            t.equal(f"process {number}", [p[1] for p in wanted],
                    b.js("return growth.one.live"))
        b.js("growth.show(99)")
        t.equal("of none", ("not recorded for this process", 0),
                (b.text("#grownAt"), b.js(
                    "return document.querySelectorAll('#grown path')"
                    ".length")))
        t.equal("complaints", [], b.complaints())


@case
def several(t):
    """Each process has its own line; one can be chosen."""
    a, _ = grown(t, 200, "a")
    b, _ = grown(t, 400, "b")
    rows = t.rows("--heap=growth", a, b)
    pids = {os.path.basename(p).split(".")[0] for p in (a, b)}
    t.equal("processes", pids, {r["pid"] for r in rows})
    one = os.path.basename(b).split(".")[0]
    t.equal("one", points(t, b), points(t, f"--pid={one}", a, b))


@case
def killed(t):
    """A file left by SIGKILL has all moments up to it."""
    p = t.start([load("heapgrowth"), 100000], opts="mode=heap")
    path = None
    for _ in range(200):
        path = (t.files() or [None])[0]
        r = path and t.prof("--heap=growth", "--csv", path, good=False)
        if r and r.returncode == 0 and r.stdout.count("\n") > 50:
            break
        time.sleep(0.05)
    p.kill()
    t.finish(p)
    all = points(t, path)
    t.true("moments", len(all) > 50, "many", len(all))
    t.equal("grows", sorted(p[1] for p in all), [p[1] for p in all])


if __name__ == "__main__":
    main()
