#!/usr/bin/env python3
# Context: O.  Programs that nobody here wrote, built with -pg from Debian's
# sources: their own suites pass under libmon as they do without, and their
# calls are those that gprof and callgrind count.  The long form only: it
# fetches and builds.
import bisect
import csv
import glob
import os
import re
import subprocess

from callgrind import SAME, Object, compare, different, fresh
from harness import CLEAN, Failed, Skip, long_case, main, need

# Where a function both calls and jumps to another, callgrind's records do not
# say which went on from there.  counts.py has the jumps.
CFLAGS = "-O2 -g -pg -fno-optimize-sibling-calls"


def shell(t, command, cwd=None, timeout=900):
    return subprocess.run(command, env=CLEAN, cwd=cwd or t.dir, text=True,
                          capture_output=True, errors="replace",
                          timeout=timeout, shell=isinstance(command, str))


def must(t, command, cwd=None):
    r = shell(t, command, cwd)
    if r.returncode != 0:
        raise Failed(f"{command}: {r.returncode}\n{r.stdout[-800:]}"
                     f"{r.stderr[-800:]}")
    return r.stdout


def sources(t, package):
    """The unpacked upstream source.  Asked of where this machine's Debian
    packages are from, in a configuration of our own."""
    need("apt-get", "tar", "make", "gcc")
    d = os.path.join(t.dir, "apt")
    for sub in ("lists/partial", "cache/archives/partial"):
        os.makedirs(os.path.join(d, sub))
    listed = shell(t, [
        "apt-get", "indextargets", "--format",
        "deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)", "Created-By: Packages",
        "Origin: Debian"]).stdout
    if not listed:
        raise Skip("no source of Debian packages is known here")
    with open(f"{d}/sources.list", "w") as f:
        f.write("".join(sorted(set(listed.splitlines(True)))))
    apt = ["apt-get", "-qq", "-o", f"Dir::Etc::SourceList={d}/sources.list",
           "-o", "Dir::Etc::SourceParts=-",
           "-o", f"Dir::State::Lists={d}/lists",
           "-o", f"Dir::Cache={d}/cache", "-o", "APT::Sandbox::User=root"]
    for what in (["update"], ["source", "--download-only", package]):
        r = shell(t, [*apt, *what])
        if r.returncode != 0:
            raise Skip(f"apt-get {what[0]}: {r.stderr[-200:].strip()}")
    found = glob.glob(f"{t.dir}/{package}_*.orig.tar.*[!c]")
    if len(found) != 1:
        raise Skip(f"{package}: no upstream source: {os.listdir(t.dir)}")
    must(t, ["tar", "-xf", found[0]])
    return next(p for p in glob.glob(f"{t.dir}/{package}-*")
                if os.path.isdir(p))


def suite(t, what, argv, cwd, result, timeout=1800):
    """The program's own tests, bare and under libmon: the same result.  A set
    is of those that failed: some fail by chance, bare, too."""
    got = []
    for mon in (False, True):
        r = t.run(argv, mon=mon, cwd=cwd, timeout=timeout, profdir="suite")
        got.append((r.status, result(r)))
    if isinstance(got[0][1], set):
        t.equal(f"{what}: tests that fail, and not bare", set(),
                got[1][1] - got[0][1])
    else:
        t.equal(f"{what}: its own tests", *got)


def mains(t, program):
    """main is called once in a process that executed the program, and not in
    its fork children."""
    count = {}
    for f in t.files("suite"):
        if program not in os.path.basename(f):
            continue
        n = sum(int(r["calls"] or 0) for r in t.rows(f)
                if r["function"] == "main")
        count[n] = count.get(n, 0) + 1
    return count


def gprof(t, exe, argv):
    """{function: calls} by gprof of the same run without us."""
    gmon = os.path.join(t.dir, "gmon.out")
    t.good(argv, mon=False, cwd=t.dir, env={
        **SAME, "PROFDIR": t.dir, "LD_PRELOAD": "libc.so.6"})
    text = must(t, [need("gprof"), "-b", "-q", exe, gmon])
    calls = {}
    for line in text.splitlines():
        m = re.match(r"\[\d+\]\s+[\d.]+\s+[\d.]+\s+[\d.]+\s+(\d+)(?:\+(\d+))?"
                     r"\s+(\S+)(?: <cycle \d+>)? \[\d+\]$", line)
        if m:
            calls[m[3]] = calls.get(m[3], 0) + int(m[1]) + int(m[2] or 0)
    os.unlink(gmon)
    return calls


def counted(t):
    """[all calls, those from within the program] by function."""
    graph = t.prof("--csv", "--graph", "--no-demangle", "--no-inline",
                   *t.files()).stdout
    every, own = {}, {}
    for r in csv.DictReader(graph.splitlines(True)):
        name, n = r["function"], int(r["calls"] or 0)
        if n == 0:
            continue
        every[name] = every.get(name, 0) + n
        if r["caller_module"] == r["module"]:
            own[name] = own.get(name, 0) + n
    fresh(t)
    return every, own


def folded(exe, calls, classic):
    """gprof knows few symbols like f.part.0: it takes the others for what lies
    before."""
    o, named = Object(exe), {}
    starts = {n: a for a in o.starts for n in [o.first[a]]}
    for name, n in calls.items():
        at = bisect.bisect_right(o.starts, starts[o.names(name)]) - 1
        while (o.first[o.starts[at]] not in classic and
               "." in o.first[o.starts[at]]):
            at -= 1
        named[o.first[o.starts[at]]] = named.get(o.first[o.starts[at]], 0) + n
    return named


def held(t, what, exe, argv):
    """One run: twice the same, and as gprof and callgrind count it."""
    seen = []
    for _ in range(2):
        t.good(argv, env=SAME)
        seen.append(counted(t))
    different(t, f"{what}: twice", seen[0][0], seen[1][0])
    t.equal(f"{what}: main", 1, seen[0][0].get("main"))
    # libc's counter drops calls that come from outside of the program.
    classic = gprof(t, exe, argv)
    t.true(f"{what}: functions of gprof", len(classic) > 10, "many", classic)
    different(t, f"{what}: gprof", classic, folded(
        exe, seen[0][1], classic))
    compare(t, what, [exe], argv)


@long_case
def bzip2(t):
    d = sources(t, "bzip2")
    must(t, f"make bzip2 CFLAGS='{CFLAGS} -D_FILE_OFFSET_BITS=64' "
            "LDFLAGS=-pg", d)
    suite(t, "bzip2", ["make", "-s", "test"], d, lambda r: (r.out, r.err))
    t.equal("bzip2: mains", {1: 6}, mains(t, "bzip2"))
    exe = f"{d}/bzip2"
    held(t, "bzip2", exe, [exe, "-1", "-k", "-c", f"{d}/sample1.ref"])
    held(t, "bzip2 -d", exe, [exe, "-d", "-k", "-c", f"{d}/sample2.bz2"])


AWK = """BEGIN { for (i = 0; i < 300; i++) x[i % 37] = x[i % 37] chr(i);
    n = asort(x); for (i = 1; i <= n; i++) print i, length(x[i]), fold(x[i]) }
function chr(n) { return sprintf("%c", 65 + n % 26) }
function fold(s) { gsub(/[AEIOU]+/, "<&>", s); return length(s) < 3 ? s :
    fold(substr(s, 1, length(s) / 2)) toupper(substr(s, 2)) }"""


@long_case
def gawk(t):
    d = sources(t, "gawk")
    must(t, f"./configure -q --disable-nls --without-mpfr CFLAGS='{CFLAGS}' "
            "LDFLAGS=-pg", d)
    # Debian's has no documents, and what is made of them.
    for part in (["-C", "support"], ["gawk"], ["-C", "extension"]):
        must(t, ["make", "-s", f"-j{os.cpu_count()}", *part], d)

    def failed(r):
        return {os.path.basename(f) for f in glob.glob(f"{d}/test/_*")}

    suite(t, "gawk", ["make", "-k", "-s", "-C", "test", "check"], d, failed)
    count = mains(t, "gawk")
    t.true("gawk: mains", set(count) <= {0, 1} and count[1] > 300,
           "one each, none of a fork child", count)
    held(t, "gawk", f"{d}/gawk", [f"{d}/gawk", AWK])


if __name__ == "__main__":
    main()
