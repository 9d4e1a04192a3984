#!/usr/bin/env python3
# Context: O.  Live control of one process: a process obeys an order to stop,
# start, change its rate, reset or copy, and counts what it should.
import collections
import os
import shutil
import subprocess
import time

from controlled import (
    answered, by_program, control, finish, launch, not_lost, parts, say, tell,
    to_come)
from harness import Skip, case, main, need


def stop_and_start(t, opts):
    p = launch(t, opts=opts)
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
    t.figure(f"{opts}: part_b", seen["part_b"] > 0.2, "what came after the "
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
    p = launch(t, opts="start=off")
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
    p = launch(t, 3, opts="start=off")
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
    exe = t.build("commands.c", "commands_pg", "-pg", "-pthread")
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
    t.figure("counts on", after["part_c"] > 0, "calls", after)
    t.equal("part_a", before["part_a"], after["part_a"])


@case
def intervals(t):
    """At another rate from then on, also in threads to come; what it cannot
    have it refuses, and keeps what it had."""
    p = launch(t, 1, opts="hz=100")
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


CONFINED_ASLEEP = """
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>
int main(void)
{
	struct sock_filter all[] = {
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = { 1, all };
	char c;
	while (clock() < CLOCKS_PER_SEC / 5)
		;
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
		return 1;
	write(1, "confined\\n", 9);
	return read(0, &c, 1) != 0;
}
"""


@case
def confined_asleep(t):
    """Behind a seccomp filter it is known to refuse before it wakes, and has no
    order to obey then."""
    source = os.path.join(t.dir, "asleep.c")
    with open(source, "w") as f:
        f.write(CONFINED_ASLEEP)
    p = t.start([t.build(source, "asleep")], stdin=subprocess.PIPE)
    answered(p, 1)
    for command in (("stop",), ("mode", "heap"), ("interval", "5")):
        r = t.prof("--control", p.pid, *command, good=False)
        t.true(f"{command}", r.returncode == 1 and "seccomp" in r.stderr,
               "refused, by seccomp", r.stdout + r.stderr)
    t.true("start", t.prof("--control", p.pid, "start").returncode == 0,
           "as it is", "refused")
    r = t.prof("--control", p.pid, "status").stdout
    t.true("status", ": running," in r, "running", r)
    p.stdin.close()
    t.equal("end", "exit 0", t.finish(p).status)


@case
def begins_anew(t):
    """Counts from before a reset are gone from all views: time, calls, losses,
    its moments; and the sum is that of what came after."""
    exe = t.build("commands.c", "commands_pg", "-pg", "-pthread")
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
    text = t.prof("--verbose", path, "first").stdout
    t.true("two parts", "(2 parts, by exec or end)" in text, "in the footer",
           text)


@case
def copies(t):
    """Copies of several processes in a directory are whole; none overwrites."""
    os.makedirs(os.path.join(t.dir, "copies"))
    p = [launch(t, 1) for _ in range(3)]
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
    p = launch(t, 1)
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
    t.figure("both", seen["[not watched]"] > 0.1 and
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


if __name__ == "__main__":
    main()
