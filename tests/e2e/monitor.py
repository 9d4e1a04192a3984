#!/usr/bin/env python3
# Context: O.  monitor(3C): each rule of the System V manual, linked and
# preloaded; the file is read here, by the documented layout.
import contextlib
import itertools
import os
import re
import shutil
import signal
import struct
import subprocess

from harness import LIB, PROF, SOURCES, TOP, Skip, case, main, need


HDR, CNT, WORD = "=QQQ", "=Qq", "=H"
CELLS = 600


class MonOut:
    def __init__(self, path):
        data = open(path, "rb").read()
        self.size = len(data)
        self.low, self.high, self.cells = struct.unpack_from(HDR, data)
        at = struct.calcsize(HDR)
        self.calls = []
        for _ in range(self.cells):
            self.calls.append(struct.unpack_from(CNT, data, at))
            at += struct.calcsize(CNT)
        self.bars = [b[0] for b in struct.iter_unpack(WORD, data[at:])]

    def of(self, low, high):
        """Calls of the function that lies there."""
        return sum(n for pc, n in self.calls if low < pc <= high)

    def time(self, low, high):
        """Bars by the manual's formula: half-open, whole ones."""
        words = (self.high - self.low + 1) // 2
        scale = (0xffff if len(self.bars) >= words else
                 len(self.bars) * 65536 // words)
        index = [(a - self.low) // 2 * scale // 65536 for a in (low, high)]
        return sum(self.bars[index[0]:index[1]])


def exe(t, flag="-pg"):
    return t.build("monitor.c", "program", "-O1", flag, "-pthread",
                   f"-I{SOURCES}", f"-I{TOP}/include", "-Wl,--no-as-needed",
                   LIB, f"-Wl,-rpath,{os.path.dirname(LIB)}")


def numbers(r, line):
    found = re.findall(rf"^{line}(.*)$", r.text, re.M)
    return [int(x, 16 if "at" in line or "range" in line else 10)
            for x in re.findall(r"\b[0-9a-f]+\b", re.sub(
                r"leaf|middle", "", found[-1]))] if found else None


WAYS = {"linked": {"mon": False}, "preloaded": {"profdir": None}}


def rule(name, cells=CELLS, found="mon.out", check=None, end="exit 0",
         ways=WAYS):
    """Run one kind these ways; `found` is the file that it leaves, or None."""
    def run(t):
        program = exe(t)
        for way, how in ways.items():
            cwd = os.path.join(t.dir, way)
            os.mkdir(cwd)
            r = t.run([program, name], cwd=cwd, **how)
            t.equal(f"{way}: stderr", b"", r.err)
            t.equal(f"{way}: end", end, r.status)
            if found is None:
                t.equal(f"{way}: classic", [], classics(cwd))
                continue
            m = MonOut(os.path.join(cwd, found))
            holds(t, way, r, m, cells)
            if way == "preloaded":
                automatic(t, cwd, r)
            if check:
                check(t, way, r, m, cwd)
    run.__name__ = name
    case(run)


def is_ours(path):
    return open(path, "rb").read(4) == b"\x89mon"


def classics(cwd):
    return [f for f in os.listdir(cwd) if f.startswith("mon.out") and
            not is_ours(os.path.join(cwd, f))]


def automatic(t, cwd, r):
    """It has the next name, and mon.out is the program's."""
    names = sorted(f for f in os.listdir(cwd) if f.startswith("mon.out") and
                   is_ours(os.path.join(cwd, f)))
    t.true("the profile", f"mon.out.{r.pid}" in names, f"mon.out.{r.pid}",
           os.listdir(cwd))


def holds(t, way, r, m, cells):
    low, high = numbers(r, "range")
    bias = low - m.low          # addresses are those of the program's file
    leaf, middle = (a - bias for a in numbers(r, "at"))
    leaves, middles = numbers(r, "calls")
    t.equal(f"{way}: range", (0, high), (bias % 4096, m.high + bias))
    t.equal(f"{way}: cells", cells, m.cells)
    t.equal(f"{way}: calls of leaf", leaves, m.of(leaf, middle))
    t.equal(f"{way}: calls of middle", middles, m.of(middle, middle + 64))
    t.figure(f"{way}: bars", sum(m.bars) > 0.9 * m.time(leaf, middle) > 0,
             "mostly of leaf", (sum(m.bars), m.time(leaf, middle)))


@case
def plain(t):
    """The bars are the CPU time, and in the function that burns it."""
    program = exe(t)
    for way, how in WAYS.items():
        cwd = os.path.join(t.dir, way)
        os.mkdir(cwd)
        r = t.good([program, "plain"], cwd=cwd, **how)
        m = MonOut(os.path.join(cwd, "mon.out"))
        holds(t, way, r, m, CELLS)
        t.equal(f"{way}: bytes", 65536 * 2, m.size)
        t.near(f"{way}: hundredths of a second", 100 * r.cpu, sum(m.bars),
               10 * r.cpu + 4)
        bias = numbers(r, "range")[0] - m.low
        t.figure(f"{way}: of leaf", m.time(*(a - bias for a in numbers(
              r, "at"))) > 0.9 * sum(m.bars), "nine tenths", sum(m.bars))
        t.equal(f"{way}: prof", {"leaf": 2000000, "middle": 1},
                t.calls(["leaf", "middle"], program,
                        os.path.join(cwd, "mon.out")))
        seconds = sum(float(row["seconds"]) for row in t.rows(
            program, os.path.join(cwd, "mon.out")))
        t.near(f"{way}: seconds by prof", sum(m.bars) / 100, seconds, 0.011)
        shown = t.run([PROF, "--csv"], mon=False, cwd=cwd)
        t.equal(f"{way}: prof alone", "exit 0" if way == "preloaded" else
                "exit 1", shown.status)


@case
def instrumented(t):
    """-finstrument-functions gives a function's first address: a cell has to
    be behind it, or it is of the function before."""
    program = exe(t, "-finstrument-functions")
    r = t.good([program, "plain"], cwd=t.dir, mon=False)
    m = MonOut(os.path.join(t.dir, "mon.out"))
    holds(t, "linked", r, m, CELLS)
    t.equal("prof", {"leaf": 2000000, "middle": 1},
            t.calls(["leaf", "middle"], program,
                    os.path.join(t.dir, "mon.out")))


def bars_used(t, way, r, m, cwd):
    t.equal(f"{way}: bars of the last buffer", 65536 - 12 - 3 * 8,
            len(m.bars))


def was(t, way, r, m, cwd):
    # Before monitor() it is that of the profile, or of gmon.out.
    t.equal(f"{way}: what it was", ["none 1", "was 1", "was 0", "was 0",
                                    "was 1"],
            re.findall(r"^(?:none|was) .*$", r.text, re.M))


def child_too(t, way, r, m, cwd):
    """The child's own calls; the last to stop has the name."""
    t.equal(f"{way}: files", ["mon.out"], classics(cwd))


def once(t, way, r, m, cwd):
    """A buffer that is given again has each call once, and only the time that
    has passed since."""
    calls = [pc for pc, n in m.calls if n]
    t.equal(f"{way}: a cell for each function", len(set(calls)), len(calls))
    t.between(f"{way}: ticks", 0, sum(m.bars), 60 * r.cpu)


rule("apart")
rule("again")
rule("anew")
rule("late", ways={"linked": WAYS["linked"]})
rule("trapped", end=f"signal {int(signal.SIGTRAP)}",
     ways={"linked": WAYS["linked"]})
rule("confined", found=None)
rule("unseen", found=None)
rule("unseen_executed", found=None)
rule("chained", cells=1 + 3 + CELLS, check=bars_used)
rule("crowded", cells=600)
rule("paused", check=was)
rule("refused", found=None)
rule("ended")
rule("ended_at_once")
rule("executed")
rule("signalled", end="signal 9")

# Preloaded, what a signal ends is in the profile.
rule("terminated", end="signal 15", ways={"linked": WAYS["linked"]})
rule("faulted", end="signal 11", ways={"linked": WAYS["linked"]})
rule("handled")
rule("stopped_on_small_stack")
rule("forked", check=child_too)
rule("forked_silently", check=child_too)
rule("repeated", check=once)
rule("repeated_in_cells", check=once)
rule("moved", found="elsewhere/mon.out")
rule("threads")


@case
def profdir(t):
    """Unset is above; empty is no profiling at all; else PROFDIR/PID.PROGRAM,
    of the process that writes."""
    program = exe(t)
    r = t.good([program, "plain"], mon=False, env={"PROFDIR": ""})
    t.equal("empty", [], classics(t.dir))
    r = t.good([program, "plain"], profdir="")
    t.equal("empty, preloaded", [], classics(t.dir))
    os.mkdir(os.path.join(t.dir, "own"))
    r = t.good([program, "forked"], mon=False, env={"PROFDIR": "own"})
    child = numbers(r, "child")[0]
    files = sorted(os.listdir(os.path.join(t.dir, "own")))
    # The gmon.out of -pg lies beside them.
    t.equal("files", sorted(f"{pid}.program{kind}" for pid in (r.pid, child)
                            for kind in ("", ".gmon")), files)
    t.equal("none elsewhere", [], classics(t.dir))
    leaf, middle = numbers(r, "at")
    for pid, leaves in ((r.pid, 500000), (child, 300000)):
        m = MonOut(os.path.join(t.dir, "own", f"{pid}.program"))
        bias = numbers(r, "range")[0] - m.low
        t.equal(f"calls of leaf in {pid}", leaves,
                m.of(leaf - bias, middle - bias))
    os.mkdir(os.path.join(t.dir, "here"))
    for kind in "moved", "moved_twice":
        r = t.good([program, kind], mon=False, env={"PROFDIR": "here"})
        path = os.path.join(t.dir, "here", f"{r.pid}.program")
        t.equal(f"relative, {kind}", True, os.path.exists(path))
        holds(t, kind, r, MonOut(path), CELLS)
        shutil.rmtree(os.path.join(t.dir, "elsewhere"))
    r = t.good([program, "plain"])
    t.equal("both", [f"{r.pid}.program", f"{r.pid}.program.2"],
            [os.path.basename(f) for f in t.files()])
    holds(t, "both", r, MonOut(t.files()[0]), CELLS)
    t.true("the second", is_ours(t.files()[1]), "ours", "not")


@case
def library(t):
    """A range in a library: the file is one of that library, also where the
    library was unloaded when it is written."""
    flags = ["-O1", f"-I{SOURCES}", f"-I{TOP}/include", "-Wl,--no-as-needed",
             LIB, f"-Wl,-rpath,{os.path.dirname(LIB)}"]
    lib = t.build("ranges.c", "libranges.so", "-shared", "-fPIC", "-DLIBRARY",
                  "-pg", *flags)
    program = t.build("ranges.c", "program", *flags)
    for args, way in itertools.product(([lib], [lib, "close"]),
                                       ({"mon": False}, {})):
        r = t.good([program, *args], cwd=t.dir, env={"PROFDIR": t.dir}, **way)
        path = os.path.join(t.dir, f"{r.pid}.program")
        m = MonOut(path)
        t.true("the range is of the file", m.low < m.high < 1 << 20,
               "addresses of the library", (hex(m.low), hex(m.high)))
        t.equal("ticks behind the range", 0,
                sum(m.bars[(m.high - m.low) // 2:]))
        rows = {row["function"]: row for row in t.rows(lib, path)}
        t.figure("its time", float(rows["lib_hot"]["seconds"]) > 0.15, "0.3",
                 rows["lib_hot"])
        t.equal("calls", ("1", "1"), (rows["lib_hot"]["calls"],
                                      rows["lib_cold"]["calls"]))


@case
def last_byte(t):
    """The range has its last byte, and not the one behind."""
    program = exe(t)
    for kind, ticks in ("ending_before", (0, 0)), ("ending_behind", (10, 1000)):
        t.good([program, kind], mon=False, cwd=t.dir)
        t.between(kind, ticks[0],
                  sum(MonOut(os.path.join(t.dir, "mon.out")).bars), ticks[1])


@case
def automatic_parameters(t):
    """format=monout writes what the call of a cc -p program would write."""
    program = t.build("counts.c", "counts", "-O1", "-pg")
    symbols = {line.split()[2]: int(line.split()[0], 16) for line in
               subprocess.run([need("nm"), program], capture_output=True,
                              text=True, check=True).stdout.splitlines()
               if len(line.split()) == 3}
    r = t.good([program, 3000], opts="format=monout")
    m = MonOut(os.path.join(t.dir, "profs", f"{r.pid}.counts.mon"))
    t.equal("etext", symbols["etext"], m.high)
    t.true("eprol", m.low <= symbols["_start"] and m.low <= symbols["main"],
           f"at most {symbols['_start']:x}", hex(m.low))
    t.true("cells", m.cells > 0 and m.cells % CELLS == 0,
           f"a multiple of {CELLS}", m.cells)
    t.equal("bars of 8 bytes", (m.high - m.low) // 8, len(m.bars))


@contextlib.contextmanager
def setting(name, least):
    """A kernel's number is at least this for a while."""
    path = f"/proc/sys/kernel/{name}"
    before = int(open(path).read())
    try:
        with open(path, "w") as f:
            f.write(str(max(before, least)))
    except OSError as e:
        raise Skip(f"{path}: {e.strerror}")
    try:
        yield
    finally:
        with open(path, "w") as f:
            f.write(str(before))


@case
def large_pid(t):
    """More digits than SVR4 had room for."""
    program = exe(t)
    os.mkdir(os.path.join(t.dir, "own"))
    with setting("pid_max", 200000), setting("ns_last_pid", 123456):
        r = t.good([program, "plain"], mon=False, env={"PROFDIR": "own"})
    t.between("the number", 100000, r.pid, 999999)
    t.equal("files", [f"{r.pid}.program", f"{r.pid}.program.gmon"],
            sorted(os.listdir(os.path.join(t.dir, "own"))))


@case
def off(t):
    """Where nothing is profiled there is a histogram, and no calls."""
    program = exe(t)
    for opts in ("exclude=program", "only=other", "start=off"):
        r = t.good([program, "plain"], opts=opts, cwd=t.dir, profdir=None)
        m = MonOut(os.path.join(t.dir, "mon.out"))
        t.figure(f"{opts}: bars", sum(m.bars) > 5, "some", sum(m.bars))
        t.equal(f"{opts}: calls", [], [n for pc, n in m.calls if n != 0])


@case
def ends_off(t):
    """Where nothing is profiled the file is written at each end all the same,
    but behind seccomp, and libc's clock does not kill the next image."""
    program = exe(t)
    out = os.path.join(t.dir, "mon.out")
    for opts in ("exclude=program:sh", "only=other"):
        for kind in ("ended", "ended_at_once", "executed_burning",
                     "confined_at_end", "confined_child"):
            r = t.good([program, kind], opts=opts, cwd=t.dir, profdir=None)
            t.equal(f"{opts}: {kind}: stderr", b"", r.err)
            t.equal(f"{opts}: {kind}: a file", kind != "confined_at_end",
                    os.path.exists(out))
            if os.path.exists(out):
                t.figure(f"{opts}: {kind}: bars", sum(MonOut(out).bars) > 1,
                         "some", sum(MonOut(out).bars))
                os.unlink(out)


@case
def ticks_at_stops(t):
    """A tick that comes as libc's clock is stopped kills nobody: strace sends
    it as that clock is set for the second time and each time after."""
    program = exe(t)
    ticks = [need("strace"), "-f", "-qq", "-o", "/dev/null", "-e",
             "inject=setitimer:signal=SIGPROF:when=2+"]
    for opts in ("exclude=program", "only=other"):
        for kind in ("plain", "anew", "repeated", "ended", "executed",
                     "confined_child"):
            r = t.run([program, kind], opts=opts, cwd=t.dir, profdir=None,
                      wrap=ticks)
            if "strace: " in r.err.decode():
                raise Skip(r.err.decode()[:100])
            t.equal(f"{opts}: {kind}", "exit 0", r.status)


@case
def trouble(t):
    """A file that cannot be written is reported as by perror(3), and no
    more."""
    program = exe(t, "-g")      # -pg could not write a gmon.out either
    for kind in "plain", "ended":
        r = t.run([program, kind], mon=False, env={"PROFDIR": "nowhere"})
        t.equal(kind, ("exit 0", f"{t.dir}/nowhere/{r.pid}.program: No such "
                       "file or directory\n"), (r.status, r.err.decode()))
    r = t.run([program, "ended"], mon=False, wrap=["prlimit", "--fsize=4096"],
              cwd=t.dir)
    t.equal("past the limit", ("exit 0", "mon.out: File too large\n"),
            (r.status, r.err.decode()))
    # A link in the way is replaced, not followed.
    os.symlink("victim", os.path.join(t.dir, "mon.out"))
    with open(os.path.join(t.dir, "victim"), "w") as f:
        f.write("precious")
    r = t.good([program, "plain"], mon=False, cwd=t.dir)
    t.equal("victim", "precious", open(os.path.join(t.dir, "victim")).read())
    t.equal("link", False, os.path.islink(os.path.join(t.dir, "mon.out")))


if __name__ == "__main__":
    main()
