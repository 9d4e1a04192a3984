#!/usr/bin/env python3
# Context: O.  tprof top: what its screen shows of known loads, what its keys
# do, and that a terminal is as it was when it has ended.
import os
import pwd
import re
import signal
import subprocess
import time

from harness import BUILD, CLEAN, LIB, ROOT, Failed, Skip, case, load, main, \
    need, need_file, pick, reap

TPROF = os.path.join(BUILD, "tprof")
ROW = re.compile(r"^ *(\d+\.\d\d|\.) +(\d+|\.)  (.*)$")
HALF = "part_a"                 # of tests/load/shares: 50 % of its time


def top(t, *argv, user=None, timeout=60):
    need_file(TPROF)
    return subprocess.run([TPROF, "top", *map(str, argv)], env=CLEAN,
                          cwd=t.dir, capture_output=True, text=True,
                          timeout=timeout, stdin=subprocess.DEVNULL,
                          user=user)


def can(t):
    """All processes can be watched here, or a skip."""
    r = top(t, "-i", "0.1")
    if r.returncode != 0:
        raise Skip(f"the kernel refuses: {r.stderr.strip()}")


def shares(t, seconds=60, **how):
    return t.start([load("shares"), seconds], **how)


def stop(p):
    p.kill()
    reap(p)


def rows(text):
    """(rate, samples, the rest) of the lines of a table, with its totals."""
    found = []
    for line in text.splitlines():
        m = ROW.match(line)
        if m:
            rate, count = ("0" if x == "." else x for x in m.groups()[:2])
            found.append((float(rate), int(count), m.group(3).rstrip()))
    return found


def row_of(text, name):
    return next((r for r in rows(text) if name in r[2]), (0, 0, ""))


def has_ended(pid):
    """A shell waits for what is in the background when it has time."""
    try:
        with open(f"/proc/{pid}/stat") as f:
            return ") Z " in f.read()
    except OSError:
        return True


class Terminal:
    """A shell in a window of tmux, and what is seen of it."""

    def __init__(self, t, columns=100, lines=24):
        self.tmux = [need("tmux"), "-S", os.path.join(t.dir, "tmux"), "-f",
                     "/dev/null"]
        env = dict(CLEAN, LC_ALL="C.UTF-8", PS1="$ ", HISTFILE="")
        subprocess.run([*self.tmux, "new-session", "-d", "-x", str(columns),
                        "-y", str(lines), "-c", t.dir, "sh"], env=env,
                       check=True)
        self.until("a shell", lambda s: s.strip() in ("$", "#"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.do("kill-server")

    def do(self, *argv):
        return subprocess.run([*self.tmux, *argv], capture_output=True,
                              text=True, env=CLEAN).stdout

    def keys(self, *keys):
        self.do("send-keys", *keys)

    def type(self, line):
        self.keys("-l", line)
        self.keys("Enter")

    def seen(self, *options):
        return self.do("capture-pane", "-p", *options)

    def until(self, what, good, timeout=20):
        """The screen once it is so."""
        end = time.monotonic() + timeout
        while True:
            text = self.seen()
            if good(text):
                return text
            if time.monotonic() > end:
                raise Failed(f"no {what} in {timeout} s; there is:\n{text}")
            time.sleep(0.05)

    def top(self, *argv):
        self.type(" ".join(map(str, (TPROF, "top", *argv))))
        return self.until("screen of tprof top", lambda s:
                          "tprof top:" in s.split("\n")[0] and rows(s) and
                          "q quit" in s)

    def until_pid(self, words, state):
        """Return the tprof that has this text, once it is in that state."""
        found = []

        def look(_):
            found[:] = [
                int(pid) for pid in subprocess.run(
                    ["pgrep", "-f", f"^{TPROF} {words}"], text=True,
                    capture_output=True).stdout.split()
                if f") {state} " in open(f"/proc/{pid}/stat").read()]
            return len(found) == 1

        self.until(f"tprof {words} in state {state}", look)
        return found[0]

    def choose(self, name):
        """The line of that name, which is reversed once it is chosen."""
        for _ in range(60):
            for line in self.seen("-e").split("\n"):
                if name in line and "\033[7m" in line:
                    return
            self.keys("j")
            time.sleep(0.15)
        raise Failed(f"{name} cannot be chosen:\n{self.seen()}")


def head(text):
    return text.split("\n")[0]


@case
def prints_once_where_there_is_no_terminal(t):
    can(t)
    p = shares(t, mon=False)
    try:
        began = time.monotonic()
        r = top(t, "-i", "2")
        t.between("seconds", 2, time.monotonic() - began, 8)
    finally:
        stop(p)
    t.equal("status", 0, r.returncode)
    t.equal("stderr", "", r.stderr)
    t.true("no styles", not re.search(r"[\x01-\x08\x1b]", r.stdout),
           "plain text", repr(r.stdout[:200]))
    t.equal("heads", 1, r.stdout.count("tprof top:"))
    found = rows(r.stdout)
    kernel, user = row_of(r.stdout, "in-kernel"), row_of(r.stdout, "userland")
    t.near("totals", 100, kernel[0] + user[0], 0.02)
    t.near("rates", 100, sum(r[0] for r in found[:-2]), 3)
    t.equal("samples", kernel[1] + user[1], sum(r[1] for r in found[:-2]))
    t.equal("sorted", sorted((r[0] for r in found[:-2]), reverse=True),
            [r[0] for r in found[:-2]])
    parts = [row_of(r.stdout, f"part_{x} (shares)")[0] for x in "abcd"]
    t.between("part_a of part_b", 1.2, parts[0] / (parts[1] or 1), 2.4)
    t.equal("parts in order", sorted(parts, reverse=True), parts)


@case
def shows_what_is_hot_and_hears_keys(t):
    can(t)
    p = shares(t, mon=False)
    try:
        with Terminal(t) as screen:
            screen.top("-i", "0.5")
            s = screen.until("functions", lambda s: HALF in s)
            t.true("by CPU", re.search(r"CPU0", s), "a column", s)
            screen.keys("2")
            s = screen.until("processes", lambda s: f"<{p.pid}:shares>" in s)
            t.true("no functions", HALF not in s, "processes", s)
            screen.keys("3")
            screen.until("threads", lambda s: f".{p.pid}:shares>" in s)
            screen.keys("Tab")
            screen.until("functions", lambda s: HALF in s)
            screen.keys("u")
            s = screen.until("processes", lambda s: f"<{p.pid}:shares>" in s)
            screen.keys("u", "c")
            screen.until("counters", lambda s: "all CPUs" in s and HALF in s)
            screen.keys("c", "s")
            s = screen.until("names", lambda s: "by name" in head(s))
            names = [r[2] for r in rows(s)[:-2]]
            t.equal("by name", sorted(names), names)
            screen.keys("s", "s", "a")
            screen.until("all", lambda s: re.search(r", all \d+ s", head(s)))
            before = row_of(screen.seen(), HALF)[1]
            screen.until("more", lambda s: row_of(s, HALF)[1] > before)
            screen.keys("z")
            screen.until("less", lambda s: 0 < row_of(s, HALF)[1] < before)
            screen.keys("h")
            screen.until("help", lambda s: "freeze the screen" in s)
            screen.keys("x")
            screen.until("table", lambda s: HALF in s)
    finally:
        stop(p)


@case
def freezes(t):
    can(t)
    p = shares(t, mon=False)
    try:
        with Terminal(t) as screen:
            screen.top("-i", "0.2")
            screen.until("functions", lambda s: HALF in s)
            screen.keys("f")
            s = screen.until("a frozen screen", lambda s: "FROZEN" in s)
            time.sleep(1.2)
            t.equal("frozen", s, screen.seen())
            # It can be looked at from all sides.
            screen.keys("2")
            screen.until("processes", lambda s: "FROZEN" in s and
                         f"<{p.pid}:shares>" in s)
            screen.keys("f")
            s = screen.until("going on", lambda s: "FROZEN" not in s)
            screen.until("time", lambda x: head(x) != head(s))
    finally:
        stop(p)


@case
def drills_into_callers(t):
    can(t)
    path = t.build("shares.c", "framed", "-fno-omit-frame-pointer",
                   "-fno-optimize-sibling-calls", "-lpthread", "-ldl")
    p = t.start([path, 60], mon=False)
    try:
        with Terminal(t, 80, 30) as screen:
            screen.top("-i", "1")
            screen.keys("2")
            screen.until("processes", lambda s: f"<{p.pid}:framed>" in s)
            screen.choose(f"<{p.pid}:framed>")
            screen.keys("Enter")
            s = screen.until("its functions", lambda s: HALF in s and
                             f"process {p.pid}" in head(s))
            t.equal("hottest", HALF, rows(s)[0][2].split()[0])
            t.between("share", 35, rows(s)[0][0], 65)
            screen.choose(HALF)
            screen.keys("Enter")
            s = screen.until("callers", lambda s: "Called from" in s and
                             "main" in s)
            t.equal("of all of it", (100.0, HALF), (rows(s)[0][0],
                    rows(s)[0][2].split()[0]))
            screen.keys("Escape")
            screen.until("its functions", lambda s: "part_b" in s)
            screen.keys("b")
            screen.until("processes", lambda s: f"<{p.pid}:framed>" in s)
    finally:
        stop(p)


JIT = r"""
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

int
main(void)
{
	/* dec %rdi; jne; ret */
	static const unsigned char code[] = { 72, 255, 207, 117, 251, 195 };
	unsigned char *p = mmap(0, 4096, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char name[64];
	FILE *map;

	memcpy(p, code, sizeof(code));
	while (clock() < 3 * CLOCKS_PER_SEC)
		((void (*)(long))p)(10000000);
	snprintf(name, sizeof(name), "/tmp/perf-%d.map", getpid());
	map = fopen(name, "w");
	fprintf(map, "%lx 6 made_at_run_time\n", (long)p);
	fclose(map);
	for (;;)
		((void (*)(long))p)(10000000);
}
"""


@case
def names_generated_code_once_its_compiler_has(t):
    can(t)
    if os.uname().machine != "x86_64":
        raise Skip("its code is of x86_64")
    with open(os.path.join(t.dir, "jit.c"), "w") as f:
        f.write(JIT)
    path = t.build(os.path.join(t.dir, "jit.c"), "jit")
    p = t.start([path], mon=False)
    try:
        with Terminal(t) as screen:
            screen.top("-i", "0.2")
            screen.until("code without a name", lambda s:
                         any(r[2].startswith("[generated code]")
                             for r in rows(s)), 10)
            # The interval in which the name came has most without it.
            s = screen.until("its name, hot", lambda s: row_of(
                s, "made_at_run_time")[0] > 5, 30)
            t.true("it is named", "made_at_run_time" in s, "its name", s)
    finally:
        stop(p)
        if os.path.exists(f"/tmp/perf-{p.pid}.map"):
            os.unlink(f"/tmp/perf-{p.pid}.map")


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
def one_process_under_libmon(t):
    need_file(LIB)
    p = shares(t)
    try:
        time.sleep(1)
        r = top(t, p.pid)
        t.equal("status", 0, r.returncode)
        t.equal("stderr", "", r.stderr)
        t.equal("hottest", f"{HALF} (shares)", rows(r.stdout)[0][2])
        t.between("share", 35, rows(r.stdout)[0][0], 65)
        t.true("whose", f"process {p.pid} shares" in head(r.stdout),
               p.pid, head(r.stdout))
        with Terminal(t) as screen:
            screen.top("-i", "0.5", p.pid)
            screen.until("functions", lambda s: 0 < row_of(s, HALF)[0] < 70)
            last = row_of(screen.seen(), HALF)[1]
            screen.keys("a")
            screen.until("all of it", lambda s: row_of(s, HALF)[1] > last)
            screen.keys("Enter")
            screen.until("callers", lambda s: "Called from" in s and
                         "main" in s)
            screen.keys("Escape")
            stop(p)
            s = screen.until("its end", lambda s: "has ended" in s and
                             HALF in s)
            time.sleep(1)
            t.equal("it stands still", s, screen.seen())
            screen.keys("q")
            screen.until("the shell", lambda s: "q quit" not in s)
    finally:
        if p.returncode is None:
            stop(p)


@case
def processes_that_are_none(t):
    r = top(t, 2 ** 22 + 1)
    t.equal("none: status", 1, r.returncode)
    t.true("none", "no such process" in r.stderr, "so", r.stderr)
    p = t.start(["sleep", "60"], mon=False)
    r = top(t, p.pid)
    stop(p)
    t.equal("another: status", 1, r.returncode)
    t.true("another", "is no process under libmon.so" in r.stderr, "so",
           r.stderr)
    for words in (["x"], ["1", "2"], ["-e", "cpu-clock", "1"], ["--nothing"]):
        r = top(t, *words)
        t.equal(f"{words}: status", 2, r.returncode)
        t.true(f"{words}: usage", "usage: tprof top" in r.stderr, "usage",
               r.stderr)


if __name__ == "__main__":
    main()
