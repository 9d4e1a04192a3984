#!/usr/bin/env python3
# Context: O.  prof --live, and a report on a process that still runs: what
# they show of known loads while these go on.
import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import time

from harness import CLEAN, PROF, case, load, main, reap


@case
def live(t):
    """--live: reports that grow, to the end of the program and its status."""
    p = t.start([load("ticks"), 2000000000], opts="hz=1000")
    while not t.files() or not t.rows(*t.files()):
        time.sleep(0.1)
    r = t.prof("--live", "--verbose", "--top=2", *t.files())
    told = float(t.finish(p).text.split()[1])
    seen = [float(x) for x in re.findall(r"CPU time: ([0-9.]+) s by", r.stdout)]
    t.true("several", len(seen) >= 2, "a report each second", seen)
    t.equal("growing", sorted(seen), seen)
    t.near("the last one has all", told, seen[-1], 0.01 * told + 0.01)
    t.equal("still running", len(seen) - 1, r.stdout.count("still running"))
    # The first report has nothing before it, and the last one is of the whole.
    tables = r.stdout.split("  Self %")[1:]
    t.equal("the last interval", [False] + [True] * (len(seen) - 2) + [False],
            ["  Last s  " in table.split("\n")[0] for table in tables])
    intervals = re.findall(r"^last ([0-9.]+) s: ([0-9.]+) s CPU \(", r.stdout,
                           re.M)
    t.equal("its sums", len(seen) - 2, len(intervals))
    for (seconds, cpu), before, now in zip(intervals, seen, seen[1:]):
        t.near(f"CPU of {seconds} s", now - before, float(cpu),
               0.1 * (now - before) + 0.02)
    t.equal("stderr", "", r.stderr)


@case
def live_before_the_first(t):
    """It waits for a program that has not begun."""
    os.mkdir(os.path.join(t.dir, "profs"))
    prof = subprocess.Popen([PROF, "--live", os.path.join(t.dir, "profs")],
                            stdout=subprocess.PIPE, text=True, env=CLEAN)
    time.sleep(1.2)
    t.good([load("ticks"), 3000000000], opts="hz=1000")
    text, _ = prof.communicate(timeout=60)
    t.equal("end", 0, prof.returncode)
    picky = subprocess.Popen(
        [PROF, "--live", "--program=kinds", "--function=nosuch",
         os.path.join(t.dir, "profs")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=CLEAN)
    time.sleep(1.2)
    t.good([load("kinds"), "burn", 3], opts="hz=1000")
    shown, said = picky.communicate(timeout=60)
    t.true("waited for its program", shown.startswith(
        "nothing has been counted yet"), "said", shown[:200])
    t.equal("end without its function", 1, picky.returncode)
    t.equal("said once", 1, said.count("\n"))
    t.true("what", "--function=nosuch: " in said, "the function", said)
    t.true("waited", text.startswith(
        f"nothing has been counted yet in {t.dir}/profs\n"), "where",
        text[:200])
    t.true("how to begin and end", "Ctrl-C ends it" in text and
           "prof record COMMAND" in text, "said", text[:200])
    t.true("then the whole", ", cost " in text, "a report", text[:300])


@case
def live_on_a_terminal(t):
    """A frame over the other, none higher than the terminal; then all of it."""
    p = t.start([load("ticks"), 2000000000], opts="hz=1000")
    while not t.files() or not t.rows(*t.files()):
        time.sleep(0.1)
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 18, 60, 0, 0))
    prof = subprocess.Popen([PROF, "--live", *t.files()], stdout=its,
                            env={**CLEAN, "TERM": "xterm"})
    os.close(its)
    text = b""
    try:
        while True:
            text += os.read(ours, 65536)
    except OSError:
        pass                    # it has hung up
    os.close(ours)
    t.equal("end", 0, prof.wait())
    t.finish(p)
    frames = text.decode().split("\033[?7l\033[H")
    t.true("frames", len(frames) > 2, "one a second", len(frames))
    for f in frames[1:-1]:
        t.true("lines", f.count("\n") < 18, "17 at most", f)
        t.true("wiped", f.endswith("\033[J\033[?7h"), "behind it", f[-20:])
    last = frames[-1].split("\033[?7h")[1]
    t.true("then the whole", ", cost " in last and "still running" not in last,
           "with its head", last)


@case
def while_it_runs(t):
    """A report of a process that is still running."""
    p = t.start([load("kinds"), "burn", 30], opts="hz=1000")
    try:
        last = 0
        for _ in range(3):
            time.sleep(0.6)
            with open(f"/proc/{p.pid}/schedstat") as f:
                cpu = int(f.read().split()[0]) / 1e9
            rows = t.rows(*t.files())
            seen = sum(float(r["seconds"]) for r in rows)
            t.near("seconds so far", cpu, seen, 0.08 * cpu + 0.05)
            t.true("growing", seen > last, f"over {last}", seen)
            t.true("function", any("load_spin" in r["function"]
                                   for r in rows), "load_spin", rows)
            last = seen
    finally:
        os.killpg(p.pid, 9)
        reap(p)


if __name__ == "__main__":
    main()
