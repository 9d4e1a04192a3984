#!/usr/bin/env python3
# Context: O.  Programs that nobody here wrote, and others' counts of what they
# allocate: heaptrack, massif and memcheck, and one in the same run.
import glob
import os
import re
import signal
import subprocess

import harness

# Its cases are of time alone; those below run them with allocations, too.
CASES = list(harness.CASES)
import programs  # noqa: E402
import servers  # noqa: E402

OTHERS = {f.__name__: f for f in harness.CASES}
harness.CASES[:] = CASES

from harness import (CLEAN, LIB, case, long_case, main,  # noqa: E402
                     need, pick)

# Bytes that libstdc++ asks for at its start; heaptrack brings it along.
EMERGENCY = 72704
SAME = ("PYTHONMALLOC", "malloc"), ("PYTHONHASHSEED", "0"), (
    "PERL_HASH_SEED", "0"), ("GIT_PAGER", "cat")
PY = """
import json, re
d = {str(i): [i] * 3 for i in range(10000)}
s = json.dumps(d)
print(len(s), len(re.findall('a+b', 'aab' * 3000)))
"""


def cc1(t):
    source = programs.write(t, "a.c", programs.C)
    run = subprocess.run([need("gcc"), "-E", "-o", "a.i", source], cwd=t.dir)
    path = subprocess.run(["gcc", "-print-prog-name=cc1"], text=True,
                          capture_output=True).stdout.strip()
    if run.returncode != 0 or not os.path.isabs(path):
        raise harness.Skip("no cc1")
    return [path, "-quiet", "-fpreprocessed", "-O1", "-o", "a.s", "a.i"]


def git(t):
    subprocess.run(["bash", programs.write(t, "git.sh", programs.GIT)],
                   cwd=t.dir, env=CLEAN, capture_output=True)
    return [need("git"), "-C", "repo", "log", "--stat", "-p"]


def python(t):
    return ["/usr/bin/python3" if os.path.exists("/usr/bin/python3") else
            need("python3"), "-S", "-E", "-c", PY]


def sqlite(t):
    return [need("sqlite3"), ":memory:", programs.SQL]


def perl(t):
    return [need("perl"), "-e", "$h{$_} = $_ x 10 for 1..20000; "
            "print scalar(keys %h), qq(\\n)"]


def heap(t, path, but=()):
    p, = t.profiles(files=[path])
    t.equal("lost", {}, {k: v for k, v in p.loss.items()
                         if "HEAP" in k and k not in but})
    return {k[5:]: int(v) for k, v in p.info.items()
            if k.startswith("heap.") and v.isdigit()}


def seen(t, argv):
    """Return the counts of the only process."""
    t.run(argv, opts="mode=heap", env=dict(SAME), profdir="own")
    return heap(t, max(t.files("own"), key=os.path.getsize))


def other(t, argv):
    # Its output is a file, too: stdio has other buffers for a pipe, and libc
    # frees them at other times.
    with open(os.path.join(t.dir, "other.out"), "w+") as out:
        r = subprocess.run(argv, env={**CLEAN, **dict(SAME)}, cwd=t.dir,
                           stdout=out, stderr=subprocess.PIPE, text=True,
                           errors="replace", timeout=300)
        out.seek(0)
        r.stdout = out.read()
        return r


def memcheck(t, argv):
    """Given out, and live at the end, as blocks and bytes."""
    err = other(t, [need("valgrind"), "--run-libc-freeres=no",
                    "--run-cxx-freeres=no", *argv]).stderr.replace(",", "")
    live = re.search(r"in use at exit: (\d+) bytes in (\d+) blocks", err)
    total = re.search(r"usage: (\d+) allocs \d+ frees (\d+) bytes", err)
    return {"total_blocks": int(total[1]), "total_bytes": int(total[2]),
            "live_bytes": int(live[1]), "live_blocks": int(live[2])}


def massif(t, argv):
    """The peak; it looks at each allocation that makes one."""
    other(t, [need("valgrind"), "--tool=massif", "--time-unit=B",
              "--massif-out-file=massif.out", "--peak-inaccuracy=0", *argv])
    with open(os.path.join(t.dir, "massif.out")) as f:
        return max(int(line[11:]) for line in f
                   if line.startswith("mem_heap_B="))


def heaptrack_says(t, path):
    text = other(t, [need("heaptrack_print"), "-f", path, "-a", "0", "-p",
                     "0", "-T", "0", "-l", "0"]).stdout
    calls = re.search(r"calls to allocation functions: (\d+)", text)
    peak = re.search(r"peak heap memory consumption: ([\d.]+)(\w)", text)
    return int(calls[1]), float(peak[1]), peak[2]


def heaptrack(t, argv):
    other(t, [need("heaptrack"), "-o", "track", *argv])
    path, = glob.glob(os.path.join(t.dir, "track*"))
    try:
        return heaptrack_says(t, path)
    finally:
        os.remove(path)


def peers(make, blocks=0, variables=0):
    """To the byte; `blocks`: as many more or less, of a program that asks for
    others where its memory lies otherwise; `variables` of the environment, of
    which valgrind sets others than we do, each so many times copied."""
    def run(t):
        argv = make(t)
        own = seen(t, argv)
        for key, value in memcheck(t, argv).items():
            room = (40000 * blocks + 8 * variables if "bytes" in key
                    else blocks)
            t.between(f"memcheck: {key}", value - room, own[key],
                      value + room)
        peak = massif(t, argv)
        t.near("massif: peak", peak, own["peak_bytes"],
               40000 * blocks + 8 * variables)
        calls, peak, unit = heaptrack(t, argv)
        t.between("heaptrack: calls", own["total_blocks"] - blocks, calls,
                  own["total_blocks"] + blocks + 2)
        scale = {"K": 1e3, "M": 1e6, "G": 1e9}[unit]
        t.between("heaptrack: peak", (own["peak_bytes"] - 40000 * blocks) /
                  scale - 0.01, peak, (own["peak_bytes"] + EMERGENCY +
                                       40000 * blocks) / scale + 0.01)
    run.__name__ = f"{make.__name__}_by_peers"
    return run


case(peers(sqlite))
# The bytes it asks for names and paths depend on the files it finds.
case(peers(python, 4))
long_case(peers(perl, 20))
long_case(peers(git, variables=2))
# Its collector takes pages in groups, by where they lie.
case(peers(cc1, 12))


def logged(make):
    """Another library behind ours counts the same calls in the same run."""
    def run(t):
        argv = make(t)
        lib = t.build("heaplog_lib.c", "log.so", "-fno-builtin", "-shared",
                      "-fPIC")
        log = os.path.join(t.dir, "log")
        t.run(argv, opts="mode=heap", profdir="own", timeout=300,
              env={"LD_PRELOAD": f"{LIB}:{lib}", "HEAPLOG": log})
        with open(log) as f:
            lines = [tuple(map(int, line.split())) for line in f]
        for pid, *said in lines:
            path, = [p for p in t.files("own")
                     if os.path.basename(p).split(".")[0] == str(pid)]
            own = heap(t, path)
            t.equal(os.path.basename(path), said, [own[k] for k in (
                "total_blocks", "total_bytes", "temporary_blocks",
                "resized_blocks")])
    run.__name__ = f"{make.__name__}_by_another"
    return run


for make in (sqlite, python, perl, git, cc1):
    case(logged(make))


@case
def redis_by_heaptrack(t):
    """A server under load, which never does the same twice: in one run, behind
    ours.  Heaptrack's own blocks are within the program's calls, and lost."""
    preload, interpret = (os.path.join("/usr/lib/heaptrack", n) for n in (
        "libheaptrack_preload.so", "libexec/heaptrack_interpret"))
    if not os.path.exists(interpret):
        raise harness.Skip("no heaptrack")
    port, raw = servers.free_port(), os.path.join(t.dir, "raw")
    p = t.start([need("redis-server"), "--port", port, "--bind", "127.0.0.1",
                 "--dir", t.dir, "--save", "", "--logfile", "log"],
                opts="mode=heap", profdir="own",
                env={"LD_PRELOAD": f"{LIB}:{preload}",
                     "DUMP_HEAPTRACK_OUTPUT": raw})
    servers.up(port, p)
    servers.client(need("redis-benchmark"), "-p", port, "-n",
                   pick(10000, 200000), "-c", 20, "-q", "-t",
                   "set,get,lpush,sort,zadd,hset,lrange_100")
    servers.stop(t, p, signal.SIGTERM)
    with open(raw) as stdin, open(os.path.join(t.dir, "text"), "w") as out:
        err = subprocess.run([interpret], stdin=stdin, stdout=out, text=True,
                             stderr=subprocess.PIPE, check=True).stderr
    calls, peak, unit = heaptrack_says(t, out.name)
    path, = t.files("own")
    own = heap(t, path, {"HEAP_NESTED"})
    t.true("blocks", calls > 50000, "many", calls)
    t.between("blocks", calls, own["total_blocks"], calls + 2)
    live = int(re.search(r"leaked allocations:\s*(\d+)", err)[1])
    t.equal("live blocks", live, own["live_blocks"])
    scale = {"K": 1e3, "M": 1e6, "G": 1e9}[unit]
    t.near("peak", peak * scale, own["peak_bytes"], 0.006 * scale)


def as_ever(name):
    """Output, status and files are as without us."""
    def run(t):
        t.always = "mode=time+heap"
        OTHERS[name](t)
        for path in [p for d in os.listdir(t.dir)
                     if os.path.isdir(os.path.join(t.dir, d)) and
                     d.startswith(("p-", "s-")) for p in t.files(d)]:
            p, = t.profiles(files=[path])
            got = {k: int(p.info[f"heap.{k}"]) for k in (
                "total_bytes", "live_bytes", "peak_bytes")
                if f"heap.{k}" in p.info}
            if got:
                t.true(f"{path}: sums", 0 <= got["live_bytes"] <=
                       got["peak_bytes"] <= got["total_bytes"], "in order",
                       got)
    run.__name__ = f"{name}_as_ever"
    return run


for name in OTHERS:
    if name in ("python3", "gcc", "redis"):
        case(as_ever(name))
    else:
        long_case(as_ever(name))


if __name__ == "__main__":
    main()
