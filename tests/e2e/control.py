#!/usr/bin/env python3
# Context: O.  Live control: what a running process is told holds, and neither
# telling nor being told does it any harm.
import collections
import csv
import fcntl
import os
import pwd
import shutil
import signal
import subprocess
import time

from harness import PROF, Failed, Skip, case, load, main, need, pick


def say(p, *lines):
    """To tests/load/told.c, which answers each line when it is done."""
    for line in lines:
        p.stdin.write(line.encode() + b"\n")
        p.stdin.flush()


def answered(p, n, timeout=30):
    """Until it has answered n lines."""
    until = time.monotonic() + timeout
    while os.pread(p.out_file.fileno(), 65536, 0).count(b"\n") < n:
        if time.monotonic() > until:
            raise Failed(f"told: no {n} answers in {timeout} s")
        time.sleep(0.002)


def told(t, *args, **how):
    return t.start([load("told"), *args], stdin=subprocess.PIPE, **how)


def finish(t, p):
    p.stdin.close()
    r = t.finish(p)
    if r.status != "exit 0":
        raise Failed(f"told: {r.status}: {r.err}")
    return r


def control(t, who, command, good=True):
    """The rows of prof --control."""
    r = t.prof("--control", who, *command.split("="), "--csv", good=good)
    return list(csv.DictReader(r.stdout.splitlines(True)))


def tell(t, who, command, *wanted):
    """One process: how it answered is one of these, `done` or `armed`."""
    rows = control(t, who, command)
    t.true(f"{command}: answer", len(rows) == 1 and
           rows[0]["answer"] in wanted, wanted, rows)
    return rows[0]


def parts(t, *files):
    seen = collections.Counter()
    for r in t.rows(*(files or t.files())):
        seen[r["function"]] += float(r["seconds"])
    return seen


def not_lost(t, what, slack):
    """Time that the kernel counted while it was not stopped is in samples."""
    text = t.prof(*t.files()).stdout
    rest = sum(s for f, s in parts(t).items() if f == "[not sampled]")
    t.true(f"{what}: not sampled", rest < slack, f"under {slack} s", text)


def stop_and_start(t, opts):
    p = told(t, opts=opts)
    say(p, "a 0.5")
    answered(p, 1)
    tell(t, p.pid, "stop", "armed")         # asleep in read(2)
    say(p, "b 0.5")
    answered(p, 2)
    row = control(t, p.pid, "status")[0]
    t.equal("state", "stopped", row["state"])
    t.near("stopped for", 0.5, float(row["stopped_s"]), 0.02)
    say(p, "b 3")
    time.sleep(0.2)
    row = tell(t, p.pid, "start", "done")   # in the midst of part_b
    t.equal("state", "running", row["state"])
    time.sleep(0.3)
    say(p, "c 0.5")
    answered(p, 4)
    r = finish(t, p)
    seen = parts(t)
    t.near(f"{opts}: before", 0.5, seen["part_a"], 0.03)
    t.near(f"{opts}: after", 0.5, seen["part_c"], 0.03)
    stopped = r.cpu - seen["part_a"] - seen["part_b"] - seen["part_c"]
    t.between(f"{opts}: while it was stopped", 0.55, stopped, 3.4)
    t.true(f"{opts}: part_b", seen["part_b"] > 0.2, "what came after the "
           "start", seen)
    not_lost(t, opts, 0.03)


@case
def asleep_and_awake(t):
    stop_and_start(t, "")


@case
def timers_alone(t):
    stop_and_start(t, "tier=timer")


@case
def process_timer(t):
    stop_and_start(t, "tier=process")


@case
def start_off(t):
    """Stopped from the first instruction, and told by its file."""
    p = told(t, opts="start=off")
    say(p, "a 0.4")
    answered(p, 1)
    say(p, "b 3")
    time.sleep(0.1)
    tell(t, p.pid, "start", "done")
    say(p, "c 0.4")
    answered(p, 3)
    finish(t, p)
    seen = parts(t)
    t.equal("before", 0, seen["part_a"])
    t.near("after", 0.4, seen["part_c"], 0.03)
    not_lost(t, "since", 0.03)


@case
def threads(t):
    """All of them, also those that were made while it was stopped."""
    p = told(t, 3, opts="start=off")
    say(p, "a 0.2")
    answered(p, 1)
    row = tell(t, p.pid, "start", "done")
    began = time.monotonic()
    before = float(control(t, p.pid, "status")[0]["cpu_s"])
    say(p, "b 0.4")
    answered(p, 2)
    row = tell(t, p.pid, "stop", "done", "armed")
    used = float(row["cpu_s"]) - before
    took = time.monotonic() - began
    say(p, "c 0.2")
    answered(p, 3)
    finish(t, p)
    seen = parts(t)
    t.near("part_b", 0.4, seen["part_b"], 0.04)
    t.equal("part_c", 0, seen["part_c"])
    t.near(f"all in {took:.2f} s", used, seen["part_b"] + seen["part_d"],
           0.08 * used)
    not_lost(t, "threads", 0.08 * used)


@case
def calls(t):
    """Calls of a program built with -pg are not counted while it is stopped."""
    exe = t.build("told.c", "told_pg", "-pg", "-pthread")
    p = t.start([exe], stdin=subprocess.PIPE)
    say(p, "a 0.2")
    answered(p, 1)
    tell(t, p.pid, "stop", "armed")
    say(p, "a 0.5", "b 0.2")        # the stop is taken at its next tick
    answered(p, 3)
    before = t.calls(["part_a", "part_b", "part_c"])
    say(p, "b 0.2")
    answered(p, 4)
    now = t.calls(["part_a", "part_b", "part_c"])
    t.equal("while it is stopped", before, now)
    t.equal("part_b", 0, now["part_b"])
    tell(t, p.pid, "start", "armed")
    say(p, "b 0.3", "c 0.1")
    answered(p, 6)
    finish(t, p)
    after = t.calls(["part_a", "part_b", "part_c"])
    t.true("counts on", after["part_c"] > 0, "calls", after)
    t.equal("part_a", before["part_a"], after["part_a"])


@case
def intervals(t):
    """At another rate from then on, also in threads to come; what it cannot
    have it refuses, and keeps what it had."""
    p = told(t, 1, opts="hz=100")
    say(p, "a 1")
    time.sleep(0.2)
    tell(t, p.pid, "interval=1ms", "done")
    say(p, "b 1")
    answered(p, 2)
    row = tell(t, p.pid, "interval=auto", "done", "armed")
    time.sleep(0.2)
    for bad, status, words in (("interval=1us", 2, "from 50 us to 10 s"),
                               ("mode=coverage", 1, "cannot count that"),
                               ("mode=lines", 2, "time+heap")):
        r = t.prof("--control", p.pid, *bad.split("="), good=False)
        t.equal(f"{bad}: status", status, r.returncode)
        t.true(f"{bad}: refused", words in r.stderr, words, r.stderr)
    tell(t, p.pid, "mode=time", "done", "armed")
    row = control(t, p.pid, "status")[0]
    t.equal("interval", ("running", "0"), (row["state"], row["interval_ms"]))
    r = finish(t, p)
    rows = {x["function"]: x for x in t.rows(*t.files())}
    b = rows["part_b"]
    t.near("part_b", 1, float(b["seconds"]), 0.04)
    t.between("a sample", 0.8e-3, float(b["seconds"]) / int(b["samples"]),
              1.5e-3)
    not_lost(t, "intervals", 0.1)


def heap(t, *files):
    p, = t.profiles(files=files or None)
    return {k[5:]: int(v) for k, v in p.info.items() if k.startswith("heap.")}


def do(p, n, line):
    """The n-th line, and until it is done."""
    say(p, line)
    answered(p, n)
    return n + 1


@case
def modes(t):
    """The mode, time or allocations, changes while the program runs: of blocks
    from before nothing is known, and of the others the end is."""
    p = told(t)
    n = do(p, 1, "keep 10")
    n = do(p, n, "a 0.3")
    tell(t, p.pid, "mode=time+heap", "armed")
    n = do(p, n, "a 0.2")
    n = do(p, n, "keep 5")
    tell(t, p.pid, "mode=heap", "armed")
    n = do(p, n, "b 0.3")
    n = do(p, n, "keep 20")
    seen = heap(t)
    t.equal("given out", (25, 2500),
            (seen["total_blocks"], seen["total_bytes"]))
    tell(t, p.pid, "mode=time", "armed")
    n = do(p, n, "c 0.2")
    n = do(p, n, "keep 40")
    n = do(p, n, "drop 50")
    seen = heap(t)
    t.equal("not counted any more", 25, seen["total_blocks"])
    t.equal("their end is", (15, 1500),
            (seen["live_blocks"], seen["live_bytes"]))
    t.equal("that of others is not", 0, seen["unknown_frees"])
    tell(t, p.pid, "stop", "armed")
    tell(t, p.pid, "mode=time+heap", "armed")
    n = do(p, n, "b 0.2")
    n = do(p, n, "keep 100")
    t.equal("stopped", 25, heap(t)["total_blocks"])
    tell(t, p.pid, "start", "armed")
    n = do(p, n, "b 0.2")
    n = do(p, n, "keep 1")
    row = control(t, p.pid, "status")[0]
    t.equal("mode", "time+heap", row["mode"])
    r = finish(t, p)
    t.equal("at the end", 26, heap(t)["total_blocks"])
    seen = parts(t)
    t.near("time, beside", 0.5, seen["part_a"], 0.04)
    # A start can take 100 ms of its time, once nobody kicks it any more.
    t.between("once of three", 0.09, seen["part_b"], 0.21)
    t.between("time again", 0.09, seen["part_c"], 0.21)
    not_lost(t, "modes", 0.06)


def allocates(t, opts, *steps):
    """The program executes each line of `told`, and reads the others while it
    sleeps.  Return the blocks of 100 bytes that were counted."""
    p = told(t, opts=opts)
    n = do(p, 1, "sleep 0.01")          # stdio has allocated its buffers
    for step in steps:
        if step.split()[0] in ("keep", "drop", "fork", "vfork", "clone"):
            n = do(p, n, step)
        else:
            tell(t, p.pid, step, "armed")
    finish(t, p)
    files = t.files()
    rows = [r for r in t.rows("--heap", "--csv", *files)
            if r["function"] in ("keep", "main", "child")]
    for file in files:
        os.unlink(file)
    return sum(int(r["total_bytes"]) for r in rows) // 100


@case
def the_next_allocation_obeys(t):
    """An order holds from the first allocation after it, without a tick."""
    for what, opts, steps, wanted in (
            ("stop, start", "mode=heap",
             ("keep 10", "stop", "keep 30", "drop 5", "start", "keep 7"), 17),
            ("mode=time", "mode=time+heap",
             ("keep 10", "mode=time", "keep 30", "mode=heap", "keep 2"), 12),
            ("end", "mode=time+heap",
             ("keep 10", "drop 10", "end", "keep 30"), 0),
            ("end, start", "mode=time+heap",
             ("keep 10", "drop 10", "end", "keep 30", "start", "keep 4"), 4),
            ("from a stop on", "mode=heap,start=off",
             ("keep 30", "start", "keep 8", "stop", "keep 30"), 8),
            ("some of them", "mode=heap,heap=1",
             ("keep 10", "stop", "keep 30", "start", "keep 7"), 17),
            ("a chain of orders", "mode=heap",
             ("stop", "start", "stop", "keep 9", "mode=time", "start",
              "keep 9", "mode=heap", "keep 3"), 3)):
        t.equal(what, wanted, allocates(t, opts, *steps))


@case
def children_of_the_armed(t):
    """A child begins as the order says that its sleeping parent has not taken
    yet, whichever way it is made: neither allocations nor time are counted."""
    for order in ("stop", "mode=time", "end"):
        for how in ("fork", "vfork", "clone"):
            t.equal(f"{order}, {how}: blocks", 0 if order == "end" else 10,
                    allocates(t, "mode=heap", "keep 10", order,
                              f"{how} 30"))
    for how in ("fork", "clone"):
        t.equal(f"start, {how}: blocks", 30, allocates(
            t, "mode=heap,start=off", "start", f"{how} 30"))
    p = told(t, opts="mode=time")
    n = do(p, 1, "a 0.2")
    tell(t, p.pid, "stop", "armed")
    n = do(p, n, "fork 1")
    n = do(p, n, "clone 1")
    finish(t, p)
    t.equal("time of children", 0, parts(t)["part_c"])


@case
def allocations_begin_anew(t):
    """Blocks that were live before are forgotten; the peak is the most since
    then."""
    def is_now(what, total, live, peak):
        seen = heap(t)
        rows = t.rows("--heap", "--csv", *t.files())
        t.equal(what, (total, live, 100 * (total - live), 100 * peak,
                       100 * peak), (
            seen["total_blocks"], seen["live_blocks"],
            *(sum(int(r[c]) for r in rows) for c in (
                "freed_bytes", "peak_bytes")), seen["peak_bytes"]))

    p = told(t)
    n = do(p, 1, "a 0.2")           # stdio has allocated its buffers
    tell(t, p.pid, "mode=time+heap", "armed")
    n = do(p, n, "a 0.2")
    n = do(p, n, "keep 30")
    n = do(p, n, "drop 20")
    is_now("before", 30, 10, 30)
    tell(t, p.pid, "end", "armed")
    is_now("then", 0, 0, 0)
    n = do(p, n, "drop 2")
    is_now("less of what was before", 0, 0, 0)
    tell(t, p.pid, "start", "armed")
    n = do(p, n, "a 0.2")
    n = do(p, n, "keep 5")
    t.equal("as it began", ("time", 0), (control(
        t, p.pid, "status")[0]["mode"], heap(t)["total_blocks"]))
    n = do(p, n, "drop 5")
    tell(t, p.pid, "mode=time+heap", "armed")
    n = do(p, n, "a 0.2")
    n = do(p, n, "keep 5")
    is_now("since", 5, 5, 5)
    n = do(p, n, "drop 8")          # three of these are from before
    is_now("and without some", 5, 0, 5)
    n = do(p, n, "keep 13")
    is_now("a new peak", 18, 13, 13)
    t.equal("ends of others", 3, heap(t)["unknown_frees"])
    t.prof("--control", p.pid, "dump", "copy")
    t.equal("in a copy", 18, heap(
        t, os.path.join(t.dir, "copy"))["total_blocks"])
    tell(t, p.pid, "end", "armed")
    tell(t, p.pid, "mode=heap", "armed")
    tell(t, p.pid, "start", "armed")
    n = do(p, n, "drop 3")
    n = do(p, n, "keep 2")
    is_now("twice", 2, 2, 2)
    finish(t, p)
    is_now("at the end", 2, 2, 2)


@case
def forgets_amid_calls(t):
    """Threads allocate all the time: only blocks since the last end are
    live."""
    for opts in ("mode=heap", "mode=time"):
        p = t.start([load("heappairs"), pick(12000000, 200000000), 2],
                    opts=opts, profdir=opts[5:])
        time.sleep(0.1)
        for _ in range(pick(4, 60)):
            for command in ("end", "mode=time+heap", "start"):
                control(t, p.pid, command)
        r = t.finish(p)
        t.equal(f"{opts}: end", "exit 0", r.status)
        seen = [r for r in t.rows("--heap", "--csv", *t.files(opts[5:]))
                if r["function"] in ("pairs", "work", "deep")]
        t.equal(f"{opts}: each has its 1,024", 2 * 1024,
                sum(int(r["live_blocks"]) for r in seen))
        t.true(f"{opts}: and the most", sum(
            int(r["peak_bytes"]) for r in seen) < 2 * 1024 * 272 * 1.1,
            "of these alone", seen)


@case
def modes_to_come(t):
    """A directory is told, and who comes there is as it says."""
    os.mkdir(os.path.join(t.dir, "profs"))
    row = control(t, "profs", "mode=heap")[0]
    t.equal("to come", ("to come", "heap"), (row["answer"], row["mode"]))
    p = told(t)
    n = do(p, 1, "sleep 0.01")      # stdio has allocated its buffers
    n = do(p, n, "a 0.2")
    n = do(p, n, "keep 10")
    t.equal("status", "heap", control(t, p.pid, "status")[0]["mode"])
    finish(t, p)
    t.equal("no time", 0, parts(t)["part_a"])
    t.equal("allocations", 10, heap(t)["total_blocks"])


@case
def begins_anew(t):
    """Counts from before a reset are gone from all views: time, calls, losses,
    its moments; and the sum is that of what came after."""
    exe = t.build("told.c", "told_pg", "-pg", "-pthread")
    p = t.start([exe], stdin=subprocess.PIPE, opts="log=yes,hz=500")
    say(p, "a 0.4", "b 0.1")
    answered(p, 2)
    path = t.files()[0]
    t.prof("--control", p.pid, "dump", "first")
    tell(t, p.pid, "end", "armed")          # asleep
    t.equal("nothing", {}, {f: s for f, s in parts(t).items() if s > 0})
    t.equal("no calls", {"part_a": 0, "part_b": 0},
            t.calls(["part_a", "part_b"]))
    row = control(t, p.pid, "status")[0]
    t.equal("state", "stopping", row["state"])
    say(p, "b 0.2")                         # the next tick has it stop
    answered(p, 3)
    tell(t, p.pid, "start", "armed")
    say(p, "b 0.3", "c 0.4")
    answered(p, 5)
    t.prof("--control", p.pid, "dump", "second")
    say(p, "c 0.2")
    answered(p, 6)
    finish(t, p)
    seen = parts(t)
    t.equal("part_a", 0, seen["part_a"])
    t.between("part_b", 0.15, seen["part_b"], 0.33)
    t.near("part_c", 0.6, seen["part_c"], 0.03)
    t.near("in the copy", 0.4, parts(t, "second")["part_c"], 0.03)
    first = parts(t, "first")
    t.near("before: part_a", 0.4, first["part_a"], 0.03)
    t.equal("before: part_c", 0, first["part_c"])
    calls = t.calls(["part_a", "part_c"])
    t.true("calls", calls["part_a"] == 0 < calls["part_c"], "of c", calls)
    not_lost(t, "since", 0.03)
    both = parts(t, path, "first")
    t.near("both parts: a", first["part_a"], both["part_a"], 0.001)
    t.near("both parts: c", seen["part_c"], both["part_c"], 0.001)
    copies = parts(t, path, "second")
    t.near("a copy is not counted", seen["part_c"], copies["part_c"], 0.001)
    with open(os.path.join(t.dir, "perf"), "w") as f:
        f.write(t.prof("--write=perf", "-o", "-", path).stdout)
    text = open(os.path.join(t.dir, "perf")).read()
    t.true("moments", "part_a" not in text and "part_c" in text,
           "of c alone", text[:200])
    t.equal("whole", 0, t.prof("--check", path, "first", "second").returncode)
    t.equal("a copy is its owner's", 0o600,
            os.stat(os.path.join(t.dir, "first")).st_mode & 0o777)
    text = t.prof(path, "first").stdout
    t.true("two parts", "(2 parts, by exec or end)" in text, "in the footer",
           text)


@case
def copies(t):
    """Copies of several processes in a directory are whole; none overwrites."""
    os.makedirs(os.path.join(t.dir, "copies"))
    p = [told(t, 1) for _ in range(3)]
    for one in p:
        say(one, "a 0.2")
        answered(one, 1)
    t.prof("--control", "profs", "dump", "copies")
    for one in p:
        say(one, "b 0.1")
    names = sorted(os.path.basename(f) for f in t.files())
    t.equal("names", names, sorted(os.listdir(os.path.join(t.dir, "copies"))))
    seen = parts(t, "copies")
    t.near("part_a", 0.6, seen["part_a"], 0.06)
    t.equal("part_b", 0, seen["part_b"])
    text = t.prof("copies").stdout
    t.true("not running", "still running" not in text and
           "killed" not in text, "ended there", text)
    os.unlink(os.path.join(t.dir, "copies", names[1]))
    r = t.prof("--control", "profs", "dump", "copies", good=False)
    t.true("over no profile", r.returncode == 1, "refused", r.stderr)
    t.equal("two are refused", 2, r.stderr.count("is not overwritten"))
    t.true("one is copied", len(r.stdout.splitlines()) == 1 and
           r.stdout.startswith(names[1].split(".")[0] + " "), names[1],
           r.stdout)
    t.equal("one is there", names,
            sorted(os.listdir(os.path.join(t.dir, "copies"))))
    lines = by_program(t, 1, 1, "profs", "dump", "copies/none/x")
    t.true("nobody", "-1 ESRCH" in lines and not any(
        s.startswith(("done", "armed")) for s in lines), "no copies", lines)
    r = t.prof("--control", "profs", "dump", "one", good=False)
    t.true("several into one", "is not a directory" in r.stderr, "refused",
           r.stderr)
    r = t.prof("--control", "copies", "status", good=False)
    t.true("copies are not told", r.returncode == 1 and
           "none of its processes runs" in r.stderr, "refused", r.stderr)
    for one in p:
        finish(t, one)


@case
def copied_by_hand(t):
    """A copy by cp(1) names its process as the profile does, and takes no
    orders."""
    p = told(t, 1)
    say(p, "a 0.2")
    answered(p, 1)
    path, = t.files()
    with open(f"/proc/{p.pid}/maps") as f:
        if not any(" rw-s " in x and str(os.stat(path).st_ino) in x.split()
                   for x in f):
            raise Skip("maps have other numbers of files here")
    made = [os.path.join(t.dir, "profs", n) for n in ("0.copy", "zz.copy")]
    for name in made:
        shutil.copy(path, name)
    before = [open(name, "rb").read() for name in made]
    for command in ("stop", "status"):
        t.equal(f"{command}: one process", [(str(p.pid), "stopped")],
                [(r["pid"], r["state"]) for r in control(t, "profs", command)
                 if r["pid"]])
    for name in made:
        r = t.prof("--control", name, "start", good=False)
        t.true("named", r.returncode == 1 and "is a copy of a profile; name "
               "the profile" in r.stderr, "refused", r.stderr)
    t.equal("copies are as they were", before,
            [open(name, "rb").read() for name in made])
    tell(t, path, "start", "done", "armed")
    tell(t, str(p.pid), "stop", "done", "armed")
    for name in made:
        os.unlink(name)
    finish(t, p)


@case
def children(t):
    """A fork child is as its parent was; a program that it executes begins as
    PROFOPTS says."""
    burn = "i=0; while [ $i -lt 120000 ]; do i=$((i+1)); done"
    script = f"read line; ({burn}; echo child); {load('life')} exit 0.1; :"
    for opts, child in (("start=off", False), ("", True)):
        profdir = f"of-{child}"
        p = t.start([need("dash"), "-c", script], stdin=subprocess.PIPE,
                    opts=opts, profdir=profdir)
        say(p, "go")
        finish(t, p)
        seen = {f.split(".")[-1] for f in t.files(profdir)}
        t.equal(f"{opts}: counted", {"dash", "life"} if child else set(),
                seen)


@case
def watches(t):
    """Modules that are told apart, and the rest of the time in one line."""
    script = ("import time, zlib\nb = bytes(100000)\nend = time.time() + 1\n"
              "while time.time() < end:\n zlib.crc32(b)\n"
              " for i in range(100): str(i)")
    python = [need("python3"), "-c", script]
    os.makedirs(os.path.join(t.dir, "profs"))
    told_so = to_come(t, "watch=libz*,[vdso]")
    t.equal("to come", "libz*,[vdso]", told_so["watch"])
    r = t.good(python)
    seen = collections.Counter()
    for row in t.rows("profs"):
        seen[row["module"]] += float(row["seconds"])
    names = {m for m in seen if seen[m] > 0}
    t.true("modules", names <= {"[not watched]", "[not sampled]", "[kernel]",
                                "[vdso]"} |
           {m for m in names if m.startswith("libz")}, "libz alone", names)
    t.true("both", seen["[not watched]"] > 0.1 and
           any(m.startswith("libz") and seen[m] > 0.1 for m in seen),
           "time in libz and elsewhere", seen)
    t.near("sum", r.cpu, sum(seen.values()), 0.05)
    t.prof("--control", "profs", "end")
    p = t.start([*python[:2], script.replace("+ 1", "+ 3")], opts="start=off",
                profdir="one")
    time.sleep(0.5)
    tell(t, p.pid, "watch=libz*", "done", "armed")
    tell(t, p.pid, "start", "done", "armed")
    time.sleep(0.4)
    tell(t, p.pid, "watch=all", "done", "armed")
    t.finish(p)
    modules = {row["module"] for row in t.rows("one")}
    t.true("then all", "[not watched]" in modules and
           any(m.startswith(("python", "libpython")) for m in modules),
           "python itself, too", modules)


def samples(t):
    """Return the samples of each process of the directory, by its number."""
    seen = collections.Counter()
    text = t.prof("--by=process", "--csv", "profs").stdout
    for r in csv.DictReader(text.splitlines(True)):
        if r["process"]:        # none has the time outside of profiles
            seen[int(r["process"])] += int(r["samples"])
    return +seen


def to_come(t, command):
    """The row of who comes later."""
    rows = [r for r in control(t, "profs", command) if r["pid"] == ""]
    t.equal(f"{command}: rows", 1, len(rows))
    return rows[0]


@case
def a_directory(t):
    """An order to all of a directory holds for who comes later: new processes,
    fork children, programs that are executed."""
    p = told(t)
    say(p, "a 0.2")
    answered(p, 1)
    t.equal("answer", "to come", to_come(t, "stop")["answer"])
    burn = "i=0; while [ $i -lt 120000 ]; do i=$((i+1)); done"
    for script in (burn, f"({burn}); :", f"exec {load('kinds')} burn 0.2"):
        t.good([need("dash"), "-c", script])
    say(p, "b 0.2")
    answered(p, 2)
    t.equal("while it stands", [p.pid], list(samples(t)))
    t.true("said", "processes that start later: stopped" in
           t.prof("--control", "profs", "status").stdout, "said", "")
    to_come(t, "start")
    r = t.good([load("kinds"), "burn", 0.2], opts="start=off")
    t.equal("started", sorted([p.pid, r.pid]), sorted(samples(t)))
    to_come(t, "interval=20")
    row = to_come(t, "status")
    t.equal("both", ("running", "20"), (row["state"], row["interval_ms"]))
    r = t.good([load("kinds"), "burn", 0.4])
    t.between("every 20 ms", 12, samples(t)[r.pid], 28)
    os.makedirs(os.path.join(t.dir, "none"))
    t.prof("--control", "none", "stop")
    r = t.prof("none", good=False)
    t.true("why there is none", "order to count nothing" in r.stderr, "said",
           r.stderr)
    t.prof("--control", "profs", "end")
    t.equal("nothing stands", [], [f for f in os.listdir(
        os.path.join(t.dir, "profs")) if f[0] == "."])
    r = t.good([load("kinds"), "burn", 0.2], opts="start=off")
    t.true("as it is started", r.pid not in samples(t), "stopped", "running")
    finish(t, p)


@case
def none_slips_through(t):
    """While a directory is told, processes are made in it all along: none
    counts anything between the answer to stop and start."""
    t.good([load("kinds"), "burn", 0.05])   # makes the directory
    burn = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"
    p = t.start([need("dash"), "-c", f"while kill -0 {os.getpid()}"
                 f" && [ ! -e over ]; do ({burn}); done"])
    counted = []
    for n in range(pick(8, 80)):
        t.prof("--control", "profs", "start")
        time.sleep(0.15)
        t.prof("--control", "profs", "stop")
        before = sum(samples(t).values())
        time.sleep(0.15)
        after = sum(samples(t).values())
        t.equal(f"turn {n}: while stopped", before, after)
        counted.append(after)
    t.true("while running", all(a < b for a, b in zip(counted, counted[1:])),
           "more each turn", counted)
    open(os.path.join(t.dir, "over"), "w").close()
    t.finish(p)
    t.profiles()


@case
def said_at_the_end(t):
    """msg=yes names no file that is taken away as it was never started."""
    for opts, lines in (("msg=yes,start=off", 0), ("msg=yes", 1)):
        r = t.good([load("kinds"), "burn", 0.1], opts=opts, profdir=opts[-3:])
        t.equal(f"{opts}: lines", lines, r.err.count(b"libmon: "))
        t.equal(f"{opts}: files", lines, len(t.files(opts[-3:])))


def shown(t, *args, status=1):
    r = t.prof("--control", *args, good=False)
    t.equal(f"{args}: status", status, r.returncode)
    t.equal(f"{args}: stdout", "", r.stdout)
    t.equal(f"{args}: one line", 1, r.stderr.count("\n"))
    return r.stderr


@case
def errors(t):
    """Who cannot be told is named, with the reason and the remedy."""
    r = t.good([load("kinds"), "burn", 0.1])
    ended = t.files()[0]
    bare = t.start(["sleep", "30"], mon=False)
    young = t.start(["sleep", "30"], profdir="young")
    time.sleep(0.3)
    for args, status, words in (
            ((ended, "stop"), 1, "its process has ended"),
            ((r.pid, "stop"), 1, "no such process"),
            ((bare.pid, "stop"), 1, "is no process under libmon.so"),
            (("profs", "status"), 1, "none of its processes runs"),
            (("profs", "dump", "copy"), 1, "none of its processes runs"),
            (("nowhere", "stop"), 1, "nowhere"),
            (("/dev/null", "stop"), 1, "/dev/null"),
            ((ended, "halt"), 2, "no command halt: use start, stop, end"),
            ((ended, "strat"), 2, "no command strat; did you mean start?"),
            ((ended,), 2, "a process and a command are missing"),
            ((ended, "stop", "now"), 2, "stop: takes no value"),
            ((ended, "interval"), 2, "interval: takes one value"),
            ((ended, "interval", "often"), 2, "interval often: use a number"),
            ((ended, "interval", "0"), 2, "interval 0: use a number"),
            ((ended, "watch"), 2, "watch: takes one value"),
            ((ended, "watch", 512 * "m"), 2, "at most 511 bytes"),
            ((ended, "mode", "lines"), 2, "time, heap or time+heap")):
        t.true(f"{args}", words in shown(t, *args, status=status), words,
               shown(t, *args, status=status))
    r = t.prof("--control", young.pid, "status", good=False)
    t.true("young", "has no profile yet" in r.stderr or
           "sleep: running" in r.stdout, "no profile yet", r.stderr)
    shown(t, "-o", "out", ended, "stop")
    shown(t, "-o", "out", ended, "halt", status=2)
    t.true("no file", not os.path.exists(os.path.join(t.dir, "out")),
           "where nobody was told", os.listdir(t.dir))
    for p in bare, young:
        os.kill(p.pid, signal.SIGTERM)
        t.finish(p)


@case
def strangers(t):
    """Neither is another user's process told, nor one that has a number that
    was another's."""
    p = told(t)
    say(p, "a 0.1")
    answered(p, 1)
    path = t.files()[0]
    copy = os.path.join(t.dir, "copy")
    with open(path, "rb") as f, open(copy, "wb") as g:
        g.write(f.read(1 << 20))
    if os.geteuid() == 0 and any(u.pw_name == "nobody"
                                 for u in pwd.getpwall()):
        os.chmod(t.dir, 0o755)
        os.chmod(os.path.join(t.dir, "profs"), 0o755)
        r = subprocess.run([PROF, "--control", path, "stop"],
                           user="nobody", capture_output=True, text=True)
        t.equal("another user", 1, r.returncode)
    with open(copy, "r+b") as f:
        f.seek(72)                          # start_ticks
        ticks = int.from_bytes(f.read(8), "little")
        f.seek(72)
        f.write((ticks + 1).to_bytes(8, "little"))
    t.true("a stale file", "its process is gone" in
           shown(t, copy, "stop"), "it is gone", shown(t, copy, "stop"))
    finish(t, p)
    t.near("part_a", 0.1, parts(t, path)["part_a"], 0.02)


@case
def a_thread_that_became_anothers(t):
    """Between the list of threads and the event a number can change hands."""
    misled = t.build("misled.c", "misled.so", "-shared", "-fPIC")
    p = told(t)
    say(p, "a 0.1")
    answered(p, 1)
    spin = "while :; do :; done"
    stranger = t.start(["sh", "-c", spin], mon=False)
    r = subprocess.run([PROF, "--control", str(p.pid), "stop"],
                       env={**os.environ, "LD_PRELOAD": misled,
                            "STRANGER": str(stranger.pid)},
                       capture_output=True, text=True)
    t.true("told", "armed: it obeys at its next tick" in r.stdout,
           "armed, without a kick", r.stdout + r.stderr)
    time.sleep(0.2)
    t.equal("the stranger", None, stranger.poll())
    stranger.kill()
    stranger.wait()
    finish(t, p)


@case
def cut(t):
    """A file that somebody cuts meanwhile ends neither the teller nor the
    program."""
    p = told(t, opts="start=off")
    time.sleep(0.2)
    path = t.files()[0]
    with open(path) as f:
        fcntl.flock(f, fcntl.LOCK_EX)       # for this the teller waits
        teller = subprocess.Popen([PROF, "--control", path, "start"],
                                  stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True)
        time.sleep(0.1)
        os.truncate(path, 0)
    out = teller.communicate()[0]
    t.equal("the teller", 1, teller.returncode)
    t.true("says so", "ended before it answered" in out, "it ended", out)
    say(p, "a 0.3")
    answered(p, 1)
    finish(t, p)


def by_program(t, *args, mon=False):
    """The lines of a program that tells by libmontell."""
    return t.good([load("teller"), *args], mon=mon,
                  profdir="tellers").out.decode().splitlines()


@case
def from_a_program(t):
    """libmontell: the same, also of a program that is profiled itself, and of
    many threads at once."""
    p = told(t)
    say(p, "a 0.1")
    answered(p, 1)
    for mon in (False, True):
        lines = by_program(t, 1, 1, p.pid, "stop", mon=mon)
        t.true("stop", lines[0].startswith(f"armed pid {p.pid} ") and
               lines[1] == "1 ", "armed, and one", lines)
        lines = by_program(t, 1, 1, p.pid, "interval", "20", mon=mon)
        t.equal("interval", "1 ", lines[1])
        say(p, "b 0.1")
        answered(p, 2 + mon)
        lines = by_program(t, 1, 1, "profs", "status", mon=mon)
        t.true("status", lines[0].startswith(
            f"done pid {p.pid} stopped 1 watch  interval 20000000 ticks "),
            "stopped, each 20 ms", lines)
    lines = by_program(t, 1, 1, "profs", "watch", "libz*,a?")
    t.true("to come", lines[0].startswith(
        "to come pid 0 stopped -1 watch libz*,a? ") and lines[2] == "2 ",
        "as PROFOPTS says", lines)
    lines = by_program(t, 1, 1, "profs", "end")
    t.true("nothing to come", lines[0].startswith(
        "to come pid 0 stopped -1 watch  "), "nothing", lines)
    for who, command, error in ((p.pid, "halt", "EINVAL"),
                                ("none", "stop", "ESRCH")):
        lines = by_program(t, 1, 1, who, command)
        t.true(f"{who} {command}", f"-1 {error}" in lines, error, lines)
    many = by_program(t, 8, pick(20, 200), "profs", "start", mon=True)
    t.equal("many", f"{8 * pick(20, 200) * 2} reports", many[-1])
    finish(t, p)


@case
def stacks_for_handlers(t):
    """No thread is kicked in a program whose handlers run on a stack that holds
    just them: the program would not survive it."""
    exe = t.build("tight.c", "tight.exe")
    for kind, sizes in (("small", (2048,)), ("tight", (16384, 3000))):
        p = t.start([exe, *sizes], stdin=subprocess.PIPE, profdir=kind)
        time.sleep(0.3)
        for command in ("stop", "start", "stop"):
            t.prof("--control", kind, command, good=False)
        p.stdin.close()
        r = t.finish(p)
        t.equal(f"{kind}: end", "exit 0", r.status)


@case
def confined(t):
    """Behind a seccomp filter it goes on as it was, and says so."""
    p = t.start([load("confined"), "prctl", 0.2, 5])
    time.sleep(1)
    r = t.prof("--control", p.pid, "stop", good=False)
    os.kill(p.pid, signal.SIGKILL)
    t.finish(p)
    t.true("refused", r.returncode == 1 and "seccomp" in r.stderr,
           "by seccomp", r.stdout + r.stderr)


@case
def no_eintr(t):
    """Kicks end no call, and no output of the program is another."""
    p = t.start([load("eintr"), pick(4, 60)], opts="start=off")
    time.sleep(0.2)
    k = t.start([load("kicker"), pick(3, 55), 2000, "profs"], mon=False)
    r, kicker = t.finish(p, pick(60, 200)), t.finish(k, pick(60, 200))
    if r.status == "exit 2":
        raise Skip("a call cannot be tried here")
    t.true("kicks", kicker.numbers()["told"] > 100, "many", kicker.text)
    lines = r.text.splitlines()
    t.true("calls tried", len(lines) >= 36, "36 kinds", len(lines))
    for line in lines:
        name, _, done, _, eintr, _, wrong = line.split()
        t.true(name, eintr == "0" and wrong == "0" and int(done) > 0,
               "no EINTR, right results", line)


@case
def storm(t):
    """Told 10,000 times a second while it forks, execs, opens libraries, makes
    threads, takes signals, and ends."""
    seconds = pick(2, 60)
    for kind, argv, out in (
            ("fork", [load("storm_process"), "fork", seconds],
             "fork wrong 0\n"),
            ("shell", [load("storm_process"), "shell", seconds],
             "shell wrong 0\n"),
            ("cancel", [load("storm_threads"), "cancel", seconds],
             "cancel all sane\n"),
            ("python3", [need("python3"), "-c", PYTHON, seconds], "")):
        p = t.start(argv, profdir=kind)
        time.sleep(0.1)
        k = t.start([load("kicker"), seconds, 10000, kind], mon=False)
        r, kicker = t.finish(p, 60 + 4 * seconds), t.finish(k, 200)
        t.equal(f"{kind}: end", "exit 0", r.status)
        t.equal(f"{kind}: out", out, r.text)
        t.equal(f"{kind}: err", b"", r.err)
        t.true(f"{kind}: kicks", kicker.numbers()["kicked"] > 10, "many",
               kicker.text)
        for f in t.profiles(kind):
            t.equal(f"{kind}: {f.name}: nested", 0, f.loss.get("nested", 0))


PYTHON = """
import ctypes, os, signal, subprocess, sys, threading, time
until = time.monotonic() + float(sys.argv[1])
signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
while time.monotonic() < until:
    threads = [threading.Thread(target=sum, args=(range(50000),))
               for _ in range(8)]
    for t in threads:
        t.start()
    assert subprocess.run(["true"]).returncode == 0
    pid = os.fork()
    if pid == 0:
        sum(range(10000))
        os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
    for t in threads:
        t.join()
signal.setitimer(signal.ITIMER_REAL, 0)
"""

if __name__ == "__main__":
    main()
