# Context: O.  Shared by tests of prof --control: start
# tests/load/commands.c, give it commands, send it orders, and read what it
# counted.
import collections
import csv
import os
import subprocess
import time

from harness import Failed, load


def say(p, *lines):
    """To tests/load/commands.c, which answers each line when it is done."""
    for line in lines:
        p.stdin.write(line.encode() + b"\n")
        p.stdin.flush()


def answered(p, n, timeout=30):
    """Until it has answered n lines."""
    until = time.monotonic() + timeout
    while os.pread(p.out_file.fileno(), 65536, 0).count(b"\n") < n:
        if time.monotonic() > until:
            raise Failed(f"commands: no {n} answers in {timeout} s")
        time.sleep(0.002)


def launch(t, *args, **how):
    return t.start([load("commands"), *args], stdin=subprocess.PIPE, **how)


def finish(t, p):
    p.stdin.close()
    r = t.finish(p)
    if r.status != "exit 0":
        raise Failed(f"commands: {r.status}: {r.err}")
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
    t.figure(f"{what}: not sampled", rest < slack, f"under {slack} s", text)


def to_come(t, command):
    """The row of who comes later."""
    rows = [r for r in control(t, "profs", command) if r["pid"] == ""]
    t.equal(f"{command}: rows", 1, len(rows))
    return rows[0]


def by_program(t, *args, mon=False):
    """The lines of a program that tells by libmontell."""
    return t.good([load("teller"), *args], mon=mon,
                  profdir="tellers").out.decode().splitlines()
