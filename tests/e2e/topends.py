#!/usr/bin/env python3
# Context: O.  tprof top: small and changing terminals, processes that end or
# are none, and a terminal that is as it was when it has ended.
import os
import pwd
import re
import signal
import subprocess

from harness import ROOT, Skip, case, main, pick
from screen import TPROF, Terminal, can, head, top


def has_ended(pid):
    """A shell waits for what is in the background when it has time."""
    try:
        with open(f"/proc/{pid}/stat") as f:
            return ") Z " in f.read()
    except OSError:
        return True


@case
def fits_whatever_size(t):
    can(t)
    with Terminal(t) as screen:
        screen.top("-i", "0.2")
        for columns, lines in (60, 10), (20, 5), (200, 60), (10, 3), (80, 24):
            screen.do("resize-window", "-x", str(columns), "-y", str(lines))
            screen.until(f"screen of {lines} lines", lambda s:
                         len(s.split("\n")) - 1 == lines and
                         " tp" in head(s))
        s = screen.until("keys", lambda s: "q quit" in s)
        t.true("keys are in the last line", s.split("\n")[23].startswith(
               " q quit"), "the keys", s)


@case
def a_storm_of_sizes(t):
    """Down to one line of one column; keys go on all the while."""
    can(t)
    with Terminal(t) as screen:
        screen.top("-i", "0.05")
        for i in range(pick(100, 2000)):
            screen.do("resize-window", "-x", str(1 + i * 37 % 150), "-y",
                      str(1 + i * 11 % 40))
            screen.keys("123jkhxac"[i % 9])
        screen.do("resize-window", "-x", "100", "-y", "24")
        screen.keys("x")
        screen.until("whole screen", lambda s: "tprof top:" in head(s) and
                     "q quit" in s.split("\n")[23])
        screen.keys("q")
        screen.until("the shell", lambda s: "q quit" not in s)
        screen.type("echo status $?")
        s = screen.until("status", lambda s: re.search(
            r"^status \d+$", s, re.MULTILINE))
        t.true("it ended well", "status 0" in s, "status 0", s)


@case
def leaves_the_terminal_as_it_was(t):
    can(t)

    def settings(screen):
        screen.marks += 1
        screen.type(f"stty -g; echo mark {screen.marks}")
        s = screen.until("settings", lambda s: f"mark {screen.marks}" in
                         s.split("\n"))
        return [x for x in s.split("\n") if x.count(":") > 10][-1]

    with Terminal(t, 200) as screen:
        screen.marks = 0
        before = settings(screen)
        for how in "q", "C-c", signal.SIGTERM, signal.SIGHUP:
            screen.type("clear; echo before")
            screen.until("a mark", lambda s: "before" in s.split("\n"))
            screen.top("-i", "0.2")
            if isinstance(how, str):
                screen.keys(how)
            else:
                pids = subprocess.run(
                    ["pgrep", "-f", f"^{TPROF} top -i 0.2"], text=True,
                    capture_output=True).stdout.split()
                t.equal("one tprof", 1, len(pids))
                os.kill(int(pids[0]), how)
            screen.until("the text before", lambda s: "before" in
                         s.split("\n") and "q quit" not in s)
            screen.type("echo status $?")
            screen.until("status", lambda s: re.search(r"^status \d+$", s,
                                                       re.MULTILINE))
            t.equal(f"settings after {how}", before, settings(screen))


@case
def an_empty_directory(t):
    """A directory whose name could be a process, and no profile in it."""
    os.mkdir(os.path.join(t.dir, "99999999"))
    r = t.run([TPROF, "top", "99999999"], mon=False, cwd=t.dir)
    t.equal("end", ("exit 1", "tprof: 99999999: no profile in it; a process "
                    "that counted nothing leaves none\n"),
            (r.status, r.err.decode()))


@case
def ends_in_the_background(t):
    """Where the terminal stops it whenever it goes on."""
    can(t)
    with Terminal(t, 200) as screen:
        for how in "begun there", "sent there":
            if how == "begun there":
                screen.type(f"{TPROF} top -i 0.2 &")
            else:
                screen.top("-i", "0.2")
                screen.keys("C-z")
                screen.until("a prompt", lambda s: "q quit" not in s)
                screen.type("bg")
            pid = screen.until_pid("top -i 0.2", "T")
            os.kill(pid, signal.SIGTERM)
            os.kill(pid, signal.SIGCONT)
            screen.until(f"end, {how}", lambda s: has_ended(pid))
            t.true(f"{how}: it ends", has_ended(pid), "an end", "none")


@case
def says_why_it_may_not(t):
    if not ROOT:
        raise Skip("not root: nobody to be instead")
    with open("/proc/sys/kernel/perf_event_paranoid") as f:
        if int(f.read()) < 1:
            raise Skip("everybody may watch all processes here")
    r = top(t, user=pwd.getpwnam("nobody").pw_uid)
    t.equal("status", 1, r.returncode)
    t.true("says so", "may not watch" in r.stderr and
           "tprof top PID" in r.stderr and r.stderr.count("\n") == 1,
           "one line with a remedy", r.stderr)
    t.equal("stdout", "", r.stdout)


@case
def processes_that_are_none(t):
    r = top(t, 2 ** 22 + 1)
    t.equal("none: status", 1, r.returncode)
    t.true("none", "no such process" in r.stderr, "so", r.stderr)
    t.equal("the same by -p", r.stderr, top(t, "-p", 2 ** 22 + 1).stderr)
    for words, line in (
            (["x"], "PID is no number of a process: use digits, as 12,13"),
            (["1", "2"], "name the processes once, as 12,13"),
            (["-p", "1", "2"], "name the processes once, as 12,13"),
            (["--pid="], "option --pid= has an empty value: use "
                         "--pid=PID,..."),
            (["--tree"], "unknown option --tree; tprof top --help lists "
                         "them")):
        r = top(t, *words)
        t.equal(f"{words}", (2, f"tprof top: {line}\n"),
                (r.returncode, r.stderr))


if __name__ == "__main__":
    main()
