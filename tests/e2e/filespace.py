#!/usr/bin/env python3
# Context: O.  The profile file without room: full file systems, limits of
# size and of locked memory, files that others truncate or remove.
import os
import re
import shutil
import subprocess
import time

from harness import ROOT, Failed, Skip, case, load, main, need, stored
from unharmed import BURN, unharmed


@case
def file_size_limit(t):
    """SIGXFSZ kills: the limit is asked before each step."""
    for limit in (0, 100, 4096, 70000, 200000):
        d = f"p{limit}"
        r = t.run([load("hostile"), "chdir", BURN], profdir=d,
                  wrap=[need("prlimit"), f"--fsize={limit}"], cwd=t.dir)
        # The bare program writes to the harness's file: under 100 bytes.
        t.true(f"limit {limit}: end", r.status == "exit 0" or limit < 20,
               "exit 0", r.status)
        shutil.rmtree(os.path.join(t.dir, "elsewhere"), ignore_errors=True)
        for f in t.files(d):
            t.true(f"limit {limit}: size", os.path.getsize(f) <= limit,
                   f"at most {limit}", os.path.getsize(f))
        if limit >= 70000:
            stored(t, f"limit {limit}", r.cpu, 0.5, d)


@case
def locked_memory(t):
    """mlockall makes real what is mapped, and counts it against a limit: no
    memory of ours is the program's, neither the 64 MiB of the file.  The
    stack's few pages differ from run to run."""
    bare = t.good([load("hostile"), "mlockall", BURN], mon=False)
    for i, opts in enumerate(("", "clock=wall", "mode=time+heap", "hz=1000")):
        r = t.good([load("hostile"), "mlockall", BURN], opts=opts,
                   profdir=f"p{i}")
        if not opts:
            stored(t, "mlockall", r.cpu, 0.98, "p0")
        for what, one, other in zip(("now", "future", "later"), locked(bare),
                                    locked(r), strict=True):
            t.near(f"{opts}: KiB locked, {what}", one, other, 128)


def locked(r):
    return [int(n) for n in re.findall(r"locked (\d+) KiB", r.text)]


def tmpfs(t, name, options):
    if not ROOT:
        raise Skip("needs root to mount a small tmpfs")
    d = os.path.join(t.dir, name)
    os.mkdir(d)
    r = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", d],
                       capture_output=True, text=True)
    if r.returncode != 0:
        raise Skip(f"mount: {r.stderr.strip()}")
    return d


@case
def full_file_system(t):
    """Full from the start; full after the header; full in the middle."""
    for kib in (0, 8, 40, 72, 140):
        name = f"full{kib}"
        d = tmpfs(t, name, "size=300k")
        try:
            with open(os.path.join(d, "filler"), "wb") as f:
                f.write(b"x" * ((296 - kib) << 10))
            for program, args in (("hostile", ["chdir", BURN]),
                                  ("shares", ["-t", 8, 0.1])):
                r = t.run([load(program), *args], profdir=name)
                t.equal(f"{kib} KiB left: {program}: end", "exit 0", r.status)
                t.equal(f"{kib} KiB left: {program}: stderr", b"", r.err)
                shutil.rmtree(os.path.join(t.dir, "elsewhere"),
                              ignore_errors=True)
            files = [f for f in t.files(name) if not f.endswith("filler")]
            p = t.profiles(files=files)
            lost = sum(sum(x.loss.values()) for x in p)
            seen = sum(x.seconds for x in p)
            t.true(f"{kib} KiB left: time or its loss",
                   not p or lost > 0 or seen > 0.8, "either",
                   [x.describe() for x in p])
            with open(os.path.join(d, "filler"), "rb") as f:
                t.equal("filler", b"x", f.read()[-1:])
        finally:
            subprocess.run(["umount", "-l", d])


@case
def full_in_the_middle(t):
    """A run of many addresses, whose file grows until nothing is left."""
    d = tmpfs(t, "small", "size=200k")
    try:
        script = ("import re, json, random\n"
                  "random.seed(1)\n"
                  "for i in range(60):\n"
                  "    s = json.dumps([random.random() for _ in range(5000)])\n"
                  "    sorted(re.findall('[0-9]+', s))\n"
                  "print('done')\n")
        r = t.run([need("python3"), "-c", script], profdir="small",
                  opts="hz=10000")
        t.equal("end", "exit 0", r.status)
        t.equal("stdout", b"done\n", r.out)
        for p in t.profiles("small"):
            t.true("size", os.path.getsize(p.path) <= 64 << 20, "capped",
                   os.path.getsize(p.path))
    finally:
        subprocess.run(["umount", "-l", d])


@case
def size_option(t):
    """The cap is a cap; what does not fit is counted."""
    r = t.run([load("shares"), "-t", 8, 0.2], opts="size=128k,hz=10000")
    t.equal("end", "exit 0", r.status)
    p = t.profile("shares")
    t.true("size", os.path.getsize(p.path) <= 131072, "at most 131072",
           os.path.getsize(p.path))


def ready(t, do, low, profdir="profs", opts=""):
    """Run `hostile ready`; when it is, do the worst to its live file."""
    p = t.start([load("hostile"), "ready", BURN], profdir=profdir, opts=opts)
    end = time.monotonic() + 10
    while os.fstat(p.out_file.fileno()).st_size < 6:
        if time.monotonic() > end:
            raise Failed("hostile ready: never ready")
        time.sleep(0.005)
    files = t.files(profdir)
    if len(files) != 1:
        raise Failed(f"live files: wanted one, got {files}")
    do(files[0])
    r = t.finish(p)
    unharmed(t, r, "ready")
    return r, files[0]


@case
def truncated_by_somebody(t):
    def truncate(path):
        with open(path, "w"):
            pass
    r, path = ready(t, truncate, 0)
    files = [f for f in t.files() if os.path.getsize(f) > 0]
    # The next file is not made at once: it is over by then, or nearly.
    profiles = stored(t, "truncated", r.cpu, 0, files=files)
    for loss in "STORE_TAKEN", "STORE_NONE":
        t.true("loss", any(loss in p.loss for p in profiles or ()), loss,
               [p.describe() for p in profiles or ()])


@case
def cut_in_half_by_somebody(t):
    def cut(path):
        os.truncate(path, 8192)
    r, path = ready(t, cut, 0)
    t.equal("still there", True, os.path.exists(path))


@case
def unlinked_by_somebody(t):
    r, path = ready(t, os.remove, 0)
    t.true("nothing came back in its place", True, "", "")


@case
def directory_that_vanishes(t):
    def vanish(path):
        shutil.rmtree(os.path.dirname(path))
    p = t.start([load("hostile"), "ready", BURN])
    time.sleep(0.35)
    shutil.rmtree(os.path.join(t.dir, "profs"))
    r = t.finish(p)
    unharmed(t, r, "ready")
    t.true("directory", not os.path.exists(os.path.join(t.dir, "profs")),
           "not made again", "there")


if __name__ == "__main__":
    main()
