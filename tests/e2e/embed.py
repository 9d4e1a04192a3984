#!/usr/bin/env python3
# Context: O.  prof --embed: a profile is read where its programs are not.
import os
import struct
import subprocess
import time

from harness import CLEAN, PROF, SOURCES, Skip, case, load, main, need

BOOT_ID = 80                    # in the header, see doc/format.md
CODE = ["-O2", "-g", "-fomit-frame-pointer", "-pthread"]


def away(t, path):
    """The profile as another machine sees it: not its kernel, not its pids."""
    with open(path, "r+b") as f:
        f.seek(BOOT_ID)
        old = f.read(16)
        f.seek(BOOT_ID)
        f.write(bytes(b ^ 0xff for b in old))


def views(t, path):
    return {v: t.prof(*v.split(), "--no-footer", path).stdout for v in
            ("--by=function", "--lines", "--tree", "--callers", "--graph",
             "--by=address,module --csv")}


@case
def moved(t):
    """Each view is the same, line for line, when the program is gone."""
    exe = t.build("stacks.c", "stacks", *CODE)
    t.good([exe, "inlined"])
    path, = t.files()
    before = views(t, path)
    size = os.path.getsize(path)
    told = t.prof("--embed", path).stdout
    t.true("told", ": names of " in told, "how many", told)
    t.true("grown", os.path.getsize(path) > size, "by names",
           os.path.getsize(path))
    t.equal("with names beside the program", before, views(t, path))
    os.rename(exe, exe + ".gone")
    t.equal("with names alone", before, views(t, path))
    once = open(path, "rb").read()
    t.prof("--embed", path)
    t.equal("again: not a byte more", len(once), os.path.getsize(path))
    t.equal("and what it says", before, views(t, path))
    t.prof("--check", path)


@case
def without_them(t):
    """Without --embed, the file does not have the names of the case above."""
    exe = t.build("stacks.c", "stacks", *CODE)
    t.good([exe, "inlined"])
    path, = t.files()
    before = views(t, path)
    os.rename(exe, exe + ".gone")
    after = views(t, path)
    for view in before:
        t.true(view, before[view] != after[view], "less", "the same")


@case
def kernel(t):
    """Functions of a kernel that does not run here."""
    t.good(["dd", "if=/dev/zero", "of=/dev/null", "bs=64k", "count=60000"],
           opts="kernel=detail,hz=1000")
    path, = t.files()
    rows = [r for r in t.rows(path) if r["module"] == "[kernel]" and
            not r["function"].startswith("[")]
    if not rows:
        raise Skip("no functions of the kernel here")
    t.prof("--embed", path)
    away(t, path)
    t.equal("functions", sorted(r["function"] for r in rows),
            sorted(r["function"] for r in t.rows(path)
                   if r["module"] == "[kernel]" and
                   not r["function"].startswith("[")))


@case
def generated(t):
    """Names are kept of code that a compiler made at run time, whose map is
    gone after it."""
    node = need("node")
    r = t.run([node, "--perf-basic-prof", "--interpreted-frames-native-stack",
               os.path.join(SOURCES, "hot.js")], opts="hz=1000")
    t.equal("end", "exit 0", r.status)
    path = t.profile(pid=r.pid).path
    before = t.prof("--no-footer", "--top=20", path).stdout
    t.true("hot()", "hot" in before, "named", before)
    t.prof("--embed", path)
    os.remove(f"/tmp/perf-{r.pid}.map")
    away(t, path)
    t.equal("elsewhere", before, t.prof("--no-footer", "--top=20",
                                        path).stdout)


@case
def alive(t):
    """A process that counts on is not cut off from its file."""
    p = t.start([load("ticks"), "200000000"])
    try:
        for _ in range(100):
            if t.files() and t.prof("--csv", *t.files(), good=False).returncode == 0:
                break
            time.sleep(0.1)
        path, = t.files()
        r = t.prof("--embed", path, good=False)
        t.equal("status", 1, r.returncode)
        t.true("said", "its process still runs" in r.stderr, "why", r.stderr)
        copy = os.path.join(t.dir, "copy")
        r = t.prof("--embed", "-o", copy, path, good=False)
        t.equal("a copy, which would go on", 1, r.returncode)
        t.true("none", not os.path.exists(copy), "there", "a file")
    finally:
        p.kill()
        p.wait()
    t.prof("--embed", path)
    t.true("when it was killed", os.path.getsize(path) < 1 << 20, "no hole",
           os.path.getsize(path))
    t.prof("--check", path)


@case
def refused(t):
    """One line, and the file as it was."""
    t.good([load("ticks"), "40000000"])
    path, = t.files()
    whole = open(path, "rb").read()
    cut = os.path.join(t.dir, "cut")
    with open(cut, "wb") as f:
        f.write(whole[:-16])
    text = os.path.join(t.dir, "text")
    with open(text, "w") as f:
        f.write("no profile")
    for args, why in (
            ([cut], "cut"), ([text], "not a profile"), ([path + "-none"], "No such file"),
            (["-o", cut, path], "is a profile"),
            (["-o", t.dir + "/x", path, path], "is one of several")):
        r = t.prof("--embed", *args, good=False)
        t.equal(f"{args}: status", 1, r.returncode)
        t.true(f"{args}: said", why in r.stderr, why, r.stderr)
    t.equal("unchanged", whole, open(path, "rb").read())
    r = t.prof("--embed", "--tree", path, good=False)
    t.equal("with a view: status", 2, r.returncode)


@case
def two_builds(t):
    """Two programs without a build-id at one path each have their own names."""
    d = os.path.join(t.dir, "two")
    os.mkdir(d)
    work = ("volatile long s; __attribute__((noinline)) void %s(void) "
            "{ for (long i = 0; i < 100000000; i++) s += i; } "
            "int main(void) { %s(); return 0; }")
    exe = os.path.join(t.dir, "prog")
    for i, name in enumerate(("alpha", "zwei")):
        with open(exe + ".c", "w") as f:
            f.write(work % (name, name))
        subprocess.run(["cc", "-O1", "-Wl,--build-id=none", "-o", exe,
                        exe + ".c"], env=CLEAN, check=True)
        t.good([exe], profdir=f"p{i}")
        t.prof("--embed", *t.files(f"p{i}"))
    os.remove(exe)
    rows = t.rows("--by=process,function", *t.files("p0"), *t.files("p1"))
    t.equal("a function each", ["alpha", "zwei"], sorted(
        r["function"] for r in rows if float(r["percent"]) > 20))


@case
def not_saved(t):
    """A file that cannot be made safe on the disk does not replace one that
    is."""
    strace = need("strace")
    t.good([load("ticks"), "40000000"])
    path, = t.files()
    whole = open(path, "rb").read()
    for inject, status in (("error=EIO", 1), ("signal=SIGINT", -2)):
        r = subprocess.run([strace, "-f", "-o", "/dev/null", "-e",
                            "trace=fsync", "-e", f"inject=fsync:{inject}",
                            PROF, "--embed", path], env=CLEAN,
                           capture_output=True, text=True)
        if "strace" in r.stderr:
            raise Skip(r.stderr[:100])
        t.equal(f"{inject}: status", status, r.returncode)
        t.equal(f"{inject}: unchanged", whole, open(path, "rb").read())
        t.equal(f"{inject}: what is left", [path], t.files())


@case
def begin_of_the_names(t):
    """One that cannot be is refused, and the file stays."""
    t.good([load("ticks"), "40000000"])
    path, = t.files()
    t.prof("--embed", path)
    good = open(path, "rb").read()
    for at in (16, 4096, 4100, 4112, len(good) + 16, 1 << 62, 2 ** 64 - 16):
        bad = good[:1040] + struct.pack("<Q", at) + good[1048:]
        with open(path, "wb") as f:
            f.write(bad)
        r = t.prof("--embed", path, good=False)
        t.equal(f"{at}: status", 1, r.returncode)
        t.equal(f"{at}: unchanged", bad, open(path, "rb").read())


@case
def owner_and_mode(t):
    """They stay."""
    t.good([load("ticks"), "40000000"])
    path, = t.files()
    os.chmod(path, 0o640)
    if os.getuid() == 0:
        os.chown(path, 1234, 4321)
    before = os.stat(path)
    t.prof("--embed", path)
    after = os.stat(path)
    t.equal("mode", before.st_mode, after.st_mode)
    t.equal("owner", (before.st_uid, before.st_gid),
            (after.st_uid, after.st_gid))


main()
