#!/usr/bin/env python3
# Context: O.  Processes that outlive the one that made them, and those that
# share its memory or its file: each has a profile of its own.
import contextlib
import os
import time

from harness import LIB, case, load, main, orphans, pick


# A shell's own CPU time.  One that waits for a line uses none, and has no file;
# but where a tick meets its start: so each of these cases is done again.
WORK = "i=0; while [ $i -lt {} ]; do i=$((i+1)); done"


ROUNDS = pick(3, 10)


@contextlib.contextmanager
def line_to_come(path):
    """A FIFO that nobody waits to open, and its writing end."""
    os.mkfifo(path)
    fd = os.open(path, os.O_RDWR)
    try:
        yield fd
    finally:
        os.close(fd)


def until(good):
    end = time.monotonic() + 10
    while not good() and time.monotonic() < end:
        time.sleep(0.002)


def mon_out(t, d):
    """The profiles in this directory by pid, and whose mon.out is."""
    files = [os.path.join(d, f) for f in os.listdir(d)
             if f.startswith("mon.out")]
    found = t.profiles(files=files)
    return ({p.pid: p for p in found},
            [p.pid for p in found if p.name == "mon.out"])


@case
def beside_one_that_ended(t):
    """Two runs at a time: the one that counts later does not replace the file
    of the other, though that has ended."""
    for i in range(ROUNDS):
        d = os.path.join(t.dir, str(i))
        os.mkdir(d)
        with line_to_come(os.path.join(d, "line")) as line:
            one = t.start([load("kinds"), "burn", 0.1], profdir=None, cwd=d)
            until(lambda: os.path.exists(os.path.join(d, "mon.out")))
            two = t.start(["sh", "-c", "read x; " + WORK.format(100000)],
                          profdir=None, cwd=d, stdin=line)
            t.finish(one)
            os.write(line, b"go\n")
            t.finish(two)
        found, writer = mon_out(t, d)
        t.equal("writer of mon.out", [one.pid], writer)
        if t.equal("processes", {one.pid, two.pid}, set(found)):
            t.equal("run of the other", str(two.pid),
                    found[two.pid].info["run_pid"])


def orphan(how, script, joined, may_be_first=False):
    """One whose ancestors are gone before it counts is not the first of a run:
    it leaves its starter's file alone."""
    child = "read x; " + WORK.format(100000)

    def run(t):
        for i in range(ROUNDS):
            d = os.path.join(t.dir, str(i))
            os.mkdir(d)
            with line_to_come(os.path.join(d, "line")) as line:
                text = script.format(burn=WORK.format(100000), child=child)
                r = t.run(["sh", "-c", text], profdir=None, cwd=d,
                          leaves=True)
                os.write(line, b"go\ngo\n")
                left = orphans()
            t.equal("end", "exit 0", r.status)
            found, writer = mon_out(t, d)
            # Those between it and its starter had no more than a tick.
            late = max((p for p in found if p in left), key=left.get,
                       default=None)
            if not t.true("profiles of both", late and r.pid in found, "two",
                          set(found)):
                continue
            # A tick can hit the orphan as it starts, and its starter later:
            # then there is no file yet to be left alone.  Unless it was no
            # orphan then, and knew whose run it was in.  Nor need the name go
            # to who wrote down its birth first: it is taken a moment later.
            run = found[late].info["run_pid"]
            first = [[r.pid]]
            if may_be_first and run == str(late) and \
                    found[late].info["birth"] < found[r.pid].info["birth"]:
                first.append([late])
            t.true("writer of mon.out", writer in first, first, writer)
            t.true("run", not joined or run == str(r.pid), r.pid, run)
    run.__name__ = f"orphan_{how}"
    run.__doc__ = orphan.__doc__
    case(run)


orphan("of_exec", "sh -c '{child}' <>line & {burn}", True)
orphan("of_fork_and_exec", "(sh -c '{child}; :' <>line &) ; {burn}", False,
       may_be_first=True)
orphan("of_fork", "({child}) <>line & {burn}", True)
orphan("of_two_forks", "(({child}) <>line &) ; {burn}", False)
orphan("forked_late", "(read y; ({child}) & : ) <>line & {burn}", False)


@case
def who_counts_nothing(t):
    """Only the first of a run leaves a file all the same."""
    r = t.run(["sh", "-c", "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; "
               "do (:); /bin/true; done; " + WORK.format(50000)], profdir=None)
    t.equal("end", "exit 0", r.status)
    found, writer = mon_out(t, t.dir)
    t.equal("writer of mon.out", [r.pid], writer)
    t.equal("others that counted nothing", [],
            [p.describe() for p in found.values()
             if p.pid != r.pid and p.samples == 0 and not p.loss])


@case
def children_in_our_memory(t):
    """No clock of ours sees them: the report counts each one that works as
    missing, and none that only execs."""
    work = pick(0.05, 0.3)
    bare, mon = t.both([load("sharers"), work])
    p = t.profile("sharers")
    t.equal("not counted", 5, p.loss.get("SHARED_MEMORY", 0))
    t.near("the process itself", work, p.sampled, 0.2 * work + 0.012)


@case
def fork_that_counts_nothing(t):
    """Nor is it the first of a run when its parent is gone."""
    r = t.run(["sh", "-c", "(sleep 0.5; :) & " + WORK.format(20000)],
              profdir=None, leaves=True)
    t.equal("end", "exit 0", r.status)
    orphans()
    found, writer = mon_out(t, t.dir)
    t.equal("writer of mon.out", [r.pid], writer)
    t.equal("others that counted nothing", [],
            [p.describe() for p in found.values() if p.pid != r.pid and
             p.samples == 0 and not any(p.loss.values())])


@case
def one_after_the_other(t):
    """A run that starts when the last has just ended replaces its mon.out."""
    script = (f"i=0; while [ $i -lt {pick(50, 500)} ]; do "
              f"LD_PRELOAD={LIB} {load('kinds')} burn 0.001 >/dev/null; "
              "i=$((i+1)); done")
    r = t.run(["sh", "-c", script], mon=False)
    t.equal("end", "exit 0", r.status)
    t.equal("files", ["mon.out"], [f for f in os.listdir(t.dir)
                                   if f.startswith("mon")])


if __name__ == "__main__":
    main()
