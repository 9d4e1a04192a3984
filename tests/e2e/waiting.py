#!/usr/bin/env python3
# Context: O.  Where does elapsed time go?  Programs measure by clocks of their
# own how long their threads lived, had a processor, waited for one and slept;
# the head of a report must say the same, within 2 % of the time they lived.
import json
import os
import re
import subprocess
import sys
import time

from harness import Skip, case, load, main, need, pick, reap

SHARE = 0.02
LINE = re.compile(
    r"^([\d.]+) s(?: x ([\d.]+) threads)? = ([\d.]+) s CPU"
    r"(?: \+ (?:at least )?([\d.]+) s waiting for a processor)?"
    r"(?: \+ ([\d.]+) s asleep)?"
    r"(?: \+ ([\d.]+) s waiting or asleep \((.*?)\))?", re.M)
# why waiting is not told from sleep
UNASKED = "of threads that ended; prof record --wall tells which"


def head(t, *files):
    """The line of the sums: what is left of the equal sign, and the terms."""
    text = t.prof(*(files or t.files())).stdout
    m = LINE.search(text)
    if not t.true("line of the sums", m, "one", text[:600]):
        return None
    left = float(m[1]) * float(m[2] or 1)
    terms = [float(x or 0) for x in m.groups()[2:6]]
    # Each number has two digits behind the point.
    t.near("sum of the terms", left, sum(terms),
           0.025 + 0.005 * float(m[1]) + 0.005 * float(m[2] or 1))
    return left, *terms, m[7]


def agree(t, told, lived, cpu, waiting, asleep, either):
    """Compare the report with what the program has measured."""
    slack = SHARE * told["lived"] + 0.02
    t.near("lived", told["lived"], lived, slack)
    t.near("CPU", told["cpu"], cpu, slack)
    # A thread that was without a processor for less than 0.25 s is not asked
    # at its end; the line says that of it as "waiting or asleep".
    t.near("waiting", told["waited"], waiting, slack + either)
    t.near("asleep", told["lived"] - told["cpu"] - told["waited"], asleep,
           slack + either)
    t.near("not told apart", 0, either, slack + 0.25)


def of_the_program(t, *args, mode, threads, opts=None, **how):
    run = t.run([load("elapsed"), *args, mode, threads, pick(2, 10)],
                opts=opts, timeout=120, **how)
    if run.status == "exit 2":
        raise Skip(run.err.decode())
    t.equal("end", "exit 0", run.status)
    told = run.numbers()
    seen = head(t)
    if seen is None:
        return None
    agree(t, told, *seen[:5])
    return told


@case
def busy_threads_on_one_processor(t):
    told = of_the_program(t, "-1", mode="busy", threads=4,
                          opts="clock=wall")
    # They had one processor: at least two of three of them waited.
    if told:
        t.figure("waiting of busy threads", told["waited"] > told["cpu"],
                 "more than CPU", told)


@case
def one_thread(t):
    of_the_program(t, mode="busy", threads=0)


@case
def without_descriptors(t):
    """The questions at the birth of the file and at the end need descriptors,
    which the program's own table does not have."""
    of_the_program(t, "-f", mode="asleep", threads=0)


@case
def sleepers(t):
    told = of_the_program(t, mode="asleep", threads=4, opts="clock=wall")
    if told:
        t.figure("sleep", told["slept"] > 0.5 * told["lived"], "half", told)


@case
def sleepers_beside_busy_threads(t):
    busy = subprocess.Popen([load("elapsed"), "busy", "8", "60"],
                            stdout=subprocess.DEVNULL)
    try:
        of_the_program(t, mode="asleep", threads=4, opts="clock=wall")
    finally:
        busy.kill()
        busy.wait()


@case
def image_after_an_exec(t):
    """The kernel's number also has what the image before has waited."""
    busy = subprocess.Popen([load("elapsed"), "busy", "8", "60"],
                            stdout=subprocess.DEVNULL)
    # It computes until it has waited for 0.3 s.
    before = ["sh", "-c", "w=0; while [ $w -lt 300000000 ]; do i=0; while "
              "[ $i -lt 9000 ]; do i=$((i + 1)); done; read r w n "
              "</proc/$$/schedstat; done; cat /proc/$$/schedstat >&2; "
              "exec \"$@\"", "sh"]
    try:
        run = t.good([load("elapsed"), "busy", 0, 2], wrap=before,
                     timeout=120)
    finally:
        busy.kill()
        busy.wait()
    seen = head(t)
    waited = int(run.err.split()[1]) / 1e9
    told = run.numbers()
    if seen is not None and t.figure("wait before the exec", waited > 0.2,
                                     "0.2 s", waited):
        agree(t, told, *seen[:5])


@case
def image_after_threads(t):
    """The process has the CPU time of threads that an exec ended, and the first
    thread has not."""
    before = [sys.executable, "-c", "import hashlib, os, sys, threading\n"
              "t = threading.Thread(target=hashlib.pbkdf2_hmac, args=("
              "'sha256', b'', b'', 3000000))\n"
              "t.start()\nt.join()\nos.execvp(sys.argv[1], sys.argv[1:])"]
    told = t.good([load("elapsed"), "busy", 0, 1], wrap=before,
                  timeout=120).numbers()
    seen = head(t)
    if seen is not None:
        agree(t, told, *seen[:5])


@case
def execs_that_fail(t):
    """Threads that end while an exec has sealed their lives."""
    of_the_program(t, "-x", mode="asleep", threads=100, opts="clock=wall")


@case
def waiting_is_a_row_of_its_own(t):
    """Time on a processor, waiting for one and asleep are three things in the
    samples, too: no time is in two of them."""
    told = of_the_program(t, "-1", mode="convoy", threads=3, opts="clock=wall")
    if not told:
        return
    text = t.prof(*t.files()).stdout
    m = re.search(r"^ +- +([\d.]+)  - +\[waiting for a processor(?:, at least)?"
                  r"\](?: \(\+-[\d.]+ s\))?$", text, re.M)
    if t.true("row of waiting", m, "one", text):
        t.near("waiting", told["waited"], float(m[1]),
               SHARE * told["lived"] + 0.02)
    asleep = sum(row["seconds"] for row in json.loads(t.prof(
        "--json", "--by=function", *t.files()).stdout)
        if row["mode"] == "sleep")
    t.near("samples of sleep", told["lived"] - told["cpu"] - told["waited"],
           asleep, SHARE * told["lived"] + 0.1)


@case
def convoy_at_a_lock(t):
    of_the_program(t, mode="convoy", threads=4, opts="clock=wall")


@case
def files(t):
    of_the_program(t, mode="files", threads=2, opts="clock=wall")


@case
def first_thread_that_ends_first(t):
    of_the_program(t, "-q", "-1", mode="busy", threads=2, opts="clock=wall")


@case
def threads_that_ended_unasked(t):
    """With the clock of CPU time no thread is asked at its end: what it had no
    processor for is said to be waiting or sleep."""
    run = t.good([load("elapsed"), "-1", "busy", 3, pick(2, 10)], timeout=120)
    told, seen = run.numbers(), head(t)
    if seen is None:
        return
    slack = SHARE * told["lived"] + 0.02
    t.near("lived", told["lived"], seen[0], slack)
    t.near("CPU", told["cpu"], seen[1], slack)
    t.near("the rest", told["lived"] - told["cpu"], sum(seen[2:5]), slack)
    t.figure("no more waiting than there was",
             seen[2] <= told["waited"] + slack, told["waited"], seen)
    t.equal("reason", UNASKED, seen[5])


@case
def reasons_of_sleep(t):
    """Each function sleeps for one reason, all for about the same time."""
    seconds = pick(2, 6)
    told = t.good([t.build("sleeps.cc", "sleeps", "-pthread", "-O1",
                           cc=[need("c++")]), seconds], opts="clock=wall",
                  timeout=60).numbers()
    text = t.prof("--asleep", *t.files()).stdout
    rows = {m[3]: (m[2], float(m[1])) for m in re.finditer(
        r"^ +[\d.]+ +([\d.]+)  (\w+) +(for_\w+)$", text, re.M)}
    for reason in ("lock", "condition", "semaphore", "read", "poll", "timer",
                   "child", "join"):
        word, time_asleep = rows.get(f"for_{reason}", (None, 0))
        if t.equal(f"reason of for_{reason}", reason, word):
            t.near(f"seconds of for_{reason}", told[reason], time_asleep,
                   0.05 * told[reason] + 0.05)


@case
def thread_with_a_filter_of_its_own(t):
    """It is not asked: the filter would kill the process for that."""
    t.both([load("sandboxed")])
    seen = head(t)
    if seen is not None:
        t.equal("reason", UNASKED, seen[5])
        t.between("not told apart", 0.39, seen[4], 0.8)


@case
def filter_of_all_threads(t):
    """Its maker sets it for the helper of clock=wall, too, and it would kill
    for each look, and for the seal."""
    for _ in range(pick(3, 10)):
        runs = t.both([load("sandboxed"), "all"], opts="clock=wall")
        t.equal("end", "exit 0", runs[1].status)
        p = t.profile(pid=runs[1].pid)
        t.true("the end of the looks is counted", "FROZEN" in p.loss,
               "FROZEN", p.loss)


@case
def last_thread_with_a_filter_of_its_own(t):
    """The helper of clock=wall ends the process with the thread's status."""
    t.both([load("sandboxed"), "last"], opts="clock=wall")


@case
def exec_under_a_filter(t):
    """The filter would kill for the seal of an exec.  The profile says that
    another program followed, which counts the CPU time from there on."""
    for seen in [], ["seen"]:
        for opts in "", "format=prof":
            runs = t.both([load("sandboxed"), "exec", *seen], opts=opts)
            t.equal("end", "exit 0", runs[1].status)
            t.equal("output", b"begins\nexecuted\n", runs[1].out)
            p = t.profile("sandboxed", pid=runs[1].pid)
            t.equal(f"{seen} {opts}: profile", ("sealed", "exec", "ended"),
                    tuple(p.info[k] for k in ("state", "end", "process")))


@case
def cancelled_threads(t):
    """Their ends are not seen: their sleep is missing, and the line says so."""
    t.good([t.build("cancelled.c", "cancelled", "-pthread")])
    text = t.prof(*t.files()).stdout
    t.true("said", "(without the sleep of 4 threads whose birth or end was "
           "not seen)" in text and ", 5 threads\n" in text, "4 of 5", text)


@case
def cancelled_at_any_instruction(t):
    """Threads are cancelled amid our work at their ends: nothing is stuck, and
    the sums go on to the end of the process."""
    run = t.good([t.build("cancelled_anywhere.c", "anywhere", "-pthread"),
                  pick(4000, 50000)], opts="clock=wall", timeout=200)
    told, seen = run.numbers(), head(t)
    t.true("some were cancelled", told["cancelled"] > 0, "some", run.out)
    if seen is not None:
        # The kernel makes and ends a thread outside of its life: sleep was too
        # small by that.  Part of the other threads' time is not told apart.
        t.between("waiting or asleep", told["off"] - 0.05, seen[2] + seen[3],
                  told["off"] + 0.1 + seen[4])


@case
def killed(t):
    """Without a last reading the terms are not guessed."""
    p = t.start([load("elapsed"), "-1", "busy", 3, 60], opts="hz=1000")
    try:
        while not t.files():
            time.sleep(0.1)
        time.sleep(2)
    finally:
        os.killpg(p.pid, 9)
        reap(p)
    seen = head(t)
    if seen is not None:
        t.equal("reason", "no last reading, as after a kill", seen[5])
        t.figure("not told apart", seen[4] > seen[1], "over the CPU time", seen)


def groups():
    """A new control group of 20 % of a processor: a directory, or Skip."""
    for base, limits in (
            ("/sys/fs/cgroup/cpu", {"cpu.cfs_period_us": "100000",
                                    "cpu.cfs_quota_us": "20000"}),
            ("/sys/fs/cgroup", {"cpu.max": "20000 100000"})):
        path = os.path.join(base, f"libmon-test-{os.getpid()}")
        try:
            os.mkdir(path)
        except OSError:
            continue
        try:
            for name, value in limits.items():
                with open(os.path.join(path, name), "w") as f:
                    f.write(value)
            return path
        except OSError:
            os.rmdir(path)
    raise Skip("no control group with a CPU quota can be made here")


@case
def under_a_quota(t):
    """The wait that a quota makes is waiting, and the report names it."""
    group = groups()
    try:
        enter = ["sh", "-c", f"echo $$ > {group}/cgroup.procs && exec \"$@\"",
                 "sh"]
        told = of_the_program(t, mode="busy", threads=1, wrap=enter,
                              opts="clock=wall")
        text = t.prof(*t.files()).stdout
        m = re.search(r"^a CPU quota stopped the control group for ([\d.]+) s"
                      r" in (\d+) periods?$", text, re.M)
        if told and t.true("line of the quota", m, "one", text[:600]):
            with open(os.path.join(group, "cpu.stat")) as f:
                stat = dict(line.split() for line in f)
            ns = int(stat.get("throttled_time", 0)) or \
                1000 * int(stat.get("throttled_usec", 0))
            # The group has had no other process; the first period, in which
            # the file is made, and the last one may be partly outside.
            t.near("time that the quota took", ns / 1e9, float(m[1]),
                   0.1 * ns / 1e9 + 0.2)
            t.near("periods", int(stat["nr_throttled"]), int(m[2]), 2)
    finally:
        os.rmdir(group)


if __name__ == "__main__":
    main()
