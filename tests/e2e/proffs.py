#!/usr/bin/env python3
# Context: O.  The prof device over a real mount: typed by hand, its verbs,
# and by several at once.
import errno
import os
import shutil
import subprocess
import time

from controlled import answered, say
from harness import CLEAN, Failed, Skip, case, load, main, need
from mounted import PROFFS, Mount, below, running, until


THREADS = ("import threading, zlib\n"
           "def work():\n b = bytes(200000)\n"
           " while True: zlib.crc32(b)\n"
           "for i in range(3): threading.Thread(target=work).start()\n")


BY_HAND = """
set -e
ls > before
echo module 'libz*' > ctl
echo module 'perl*' sqlite3 'libsqlite3*' > ctl
echo interval 2 > ctl
echo start > ctl
sleep 0.7
echo stop > ctl
for d in 0*; do
        echo $(cat $d/name) $(awk '{ n += $2 } END { print n }' $d/histogram) \
            $(sort -n $d/histogram | head -1)
done > ../rows
ls > ../names
cat ctl > ../ctl
sort -k2 -n -r */lines > ../lines
echo start > ctl
sleep 0.2
echo stop > ctl
for d in 0*; do
        echo $(cat $d/name) $(awk '{ n += $2 } END { print n }' $d/histogram)
done > ../more
echo end > ctl
ls > ../after
"""


@case
def by_hand(t):
    """The sequence of prof(3), in a shell, on three programs that wait for it;
    one has threads."""
    python, perl, sqlite = need("python3", "perl", "sqlite3")
    busy = ("with recursive c(x) as (select 1 union all select x+1 from c)"
            " select count(*) from c where x % 7 = 8")
    with Mount(t) as m, running(
            t, [python, "-c", THREADS], [perl, "-e", "1 while ++$i"],
            [sqlite, ":memory:", busy], opts="start=off"):
        until("three profiles", lambda: len(t.files()) >= 3)
        time.sleep(0.3)
        script = BY_HAND.replace("ls > before", "ls > ../before")
        r = subprocess.run([need("dash"), "-c", script], cwd=m.at, env=CLEAN,
                           capture_output=True, text=True, timeout=60)
        if r.returncode != 0 or r.stderr:
            raise Failed(f"the shell: {r.returncode}: {r.stderr}\n"
                         f"{m.read('status')}")

        def read(name):
            with open(os.path.join(t.dir, name)) as f:
                return f.read().splitlines()
        own = ["ctl", "folded", "heap", "lines", "pid", "pprof", "status"]
        t.equal("before", own, read("before"))
        rows = [line.split() for line in read("rows")]
        names = [r[0] for r in rows]
        t.true("modules", any(n.startswith("libz") for n in names) and
               any(n.startswith("perl") for n in names) and
               any("sqlite3" in n for n in names) and
               not any(n.startswith("libc") for n in names),
               "libz, perl, sqlite3 alone", rows)
        more = {n: int(v) for n, v in (s.split() for s in read("more"))}
        for row in rows:
            t.true(f"{row[0]}: goes on", more[row[0]] >= int(row[1]) > 0,
                   "stop and start accumulate", (row, more))
        t.equal("ctl", ["module libz*", "module perl*", "module sqlite3",
                        "module libsqlite3*", "interval 2", "stop",
                        "# processes: 0 counting, 3 stopped"], read("ctl"))
        t.equal("after end", own, read("after"))
        status = m.read("status")
        t.equal("no errors", 0, status.count("error"))
    t.profiles()


@case
def verbs(t):
    """A wrong order gives an errno, and a line that says what is wrong."""
    with Mount(t) as m, running(t, [load("kinds"), "burn", 30]) as (p,):
        until("a profile", t.files)
        until("modules", m.modules)
        for words, error, line in (
                ("halt", errno.EINVAL, "halt: no such verb: module, start"),
                ("start now", errno.EINVAL, "start: takes no value"),
                ("stop 1 2", errno.EINVAL, "stop: takes one value at most"),
                ("module", errno.EINVAL, "module: takes names"),
                ("interval", errno.EINVAL, "interval: takes one value"),
                ("interval often", errno.EINVAL, "interval often: use a number"),
                ("interval 0", errno.EINVAL, "interval 0: use a number"),
                ("startcp 7", errno.EOPNOTSUPP, "startcp: this version"),
                ("startmpx", errno.EINVAL, "startmpx: no such verb"),
                ("stop\nhalt\nstart", errno.EINVAL, "halt: no such verb"),
                ("module " + "m " * 300, errno.EINVAL, "fewer values")):
            t.equal(words, error, m.say(words))
            t.true(words, line in m.read("status").splitlines()[-1], line,
                   m.read("status"))
        t.true("up to what is wrong", "stop\n" in m.read("ctl"), "stopped",
               m.read("ctl"))
        for words in ("", "\n", "# nothing", "start\n", "  stop  ",
                      "interval 0x10", "interval 250hz", "interval auto"):
            t.equal(words, 0, m.say(words))
        t.equal("of its own", 0, m.say(m.read("ctl")))
        one = f"pid/{p.pid}/ctl"
        t.equal("one process", 0, m.say("start", one))
        t.true("one process", "start\n" in m.read(one), "start",
               m.read(one))
        t.equal("module of one", errno.EINVAL, m.say("module a", one))
        name = next(iter(m.modules().values()))
        t.equal("pctl", errno.EOPNOTSUPP, m.say("x", name + "/pctl"))
        for path in ("00000000", "ffffffff", "0000001", "pid/0", "pid/1x",
                     "pid/999999999", "name", name + "/ctl", "histogram",
                     f"pid/{p.pid}/pid", name + "/histogram/x"):
            t.true(path, not os.path.exists(m.path(path)), "nothing", path)
        for path, flags in ((name + "/name", os.O_WRONLY),
                            (name + "/pctl", os.O_RDONLY)):
            mode = os.stat(m.path(path)).st_mode & 0o777
            t.equal(path, 0o444 if flags == os.O_WRONLY else 0o200, mode)
            try:
                os.close(os.open(m.path(path), flags))
                t.fail(path, "EACCES", "opened")
            except PermissionError:
                pass
        for attempt in (lambda: os.mkdir(m.path("d")),
                        lambda: os.unlink(m.path("ctl")),
                        lambda: os.truncate(m.path("status"), 0)):
            try:
                attempt()
                t.fail("changed", "an error", "none")
            except OSError:
                pass


@case
def before_and_after(t):
    """While nobody was told anything, nothing that was told is shown; what is
    shown, written to another, makes that so."""
    nothing = ("interval auto\n# processes: 0 counting, 0 stopped; processes "
               "that start later begin as PROFOPTS says\n")
    with Mount(t) as m, Mount(t, "others", "other") as other:
        t.equal("at first", nothing, m.read("ctl"))
        for verb in ("start", "stop"):
            m.say(verb)
            t.equal(verb, f"interval auto\n{verb}\n# processes: 0 counting, "
                    "0 stopped\n", m.read("ctl"))
            t.equal("written", 0, other.say(m.read("ctl")))
            t.equal("as it is", m.read("ctl"), other.read("ctl"))
        m.say("end")
        t.equal("after end", nothing, m.read("ctl"))
        t.equal("written", 0, m.say(m.read("ctl")))
        with running(t, [load("kinds"), "burn", 30]):
            until("a profile", t.files)
            t.true("it counts", m.read("ctl").endswith(
                "start\n# processes: 1 counting, 0 stopped\n"), "start",
                m.read("ctl"))


@case
def orders_of_one_asleep(t):
    """A program that has not run since reads as it was told, and says so."""
    with Mount(t) as m, running(t, [load("commands")], opts="start=off",
                                stdin=subprocess.PIPE) as (p,):
        until("a profile", t.files)
        for verbs, read, state in (
                ("end", "interval auto\nstop\n# processes: 0 counting, "
                 "1 stopped; not obeyed yet: 1\n", "stopped"),
                ("interval 100", "interval 100\nstop\n# processes: "
                 "0 counting, 1 stopped; not obeyed yet: 1\n", "stopped"),
                ("startmp", "interval 100\nstartmp\nstart\n# processes: "
                 "0 counting, 1 stopped; not obeyed yet: 1\n", "starting")):
            t.equal(f"{verbs}: written", 0, m.say(verbs))
            t.equal(f"{verbs}: read", read, m.read("ctl"))
            t.equal(f"{verbs}: of one", read, m.read(f"pid/{p.pid}/ctl"))
            t.true(f"{verbs}: status", f" {state} ticks" in m.read("status"),
                   state, m.read("status"))
        said = t.prof("--control", p.pid, "status").stdout
        t.true("as prof has it", ": starting" in said and
               said.endswith("; an order waits\n"), "an order waits", said)
        say(p, "a 0.3")
        answered(p, 1)
        t.equal("when it has run", "interval 100\nstartmp\nstart\n"
                "# processes: 1 counting, 0 stopped\n", m.read("ctl"))
        t.true("prof: when it has run", "order" not in t.prof(
            "--control", p.pid, "status").stdout, "no order", "one")
        m.say("stop")
        t.equal("stop", "interval 100\nstop\n# processes: 1 counting, "
                "0 stopped; not obeyed yet: 1\n", m.read("ctl"))
        t.true("stop: status", " stopping ticks" in m.read("status"),
               "stopping", m.read("status"))


@case
def two_of_them(t):
    """Each mount has its own choice of modules; what processes do is seen by
    both.  One lies in the directory that it shows."""
    with Mount(t) as a, Mount(t, "profs", "profs/own") as b, \
            running(t, [need("python3"), "-c", THREADS]) as (p,):
        until("modules", lambda: len(b.modules()) > 1)
        a.say("module libz*")
        until("libz", a.modules)
        t.true("one", all(n.startswith("libz") for n in a.modules()),
               "libz", a.modules())
        t.true("the other", len(b.modules()) > 1, "all", b.modules())
        b.say("stop")
        t.true("both", all("stop\n" in m.read("ctl") for m in (a, b)),
               "stopped", a.read("ctl"))
        script = "for i in 1 2 3 4 5 6 7 8 9 10; do echo start > ctl; " \
                 "cat 0*/histogram > /dev/null; echo stop > ctl; ls > " \
                 "/dev/null; done"
        shells = [subprocess.Popen([need("dash"), "-c", script], cwd=m.at,
                                   env=CLEAN, stderr=subprocess.PIPE)
                  for m in (a, b, a)]
        out = [s.communicate(timeout=60)[1] for s in shells]
        t.equal("at once", [b""] * 3,
                out)
        t.true("status", "error" not in a.read("status"), "none",
               a.read("status"))
        b.say("end")
        t.equal("nothing is left", {}, b.modules())
        t.true("the choice stays", "module libz*" in a.read("ctl"), "stays",
               a.read("ctl"))
        t.true("it runs", p.poll() is None, "runs", p.poll())


@case
def links(t):
    """Links in the directory that lead into the mount are not followed: who
    answers would wait for himself."""
    with Mount(t) as m, running(t, [load("kinds"), "burn", 30]) as (p,):
        until("a profile", t.files)
        until("modules", m.modules)
        for i, name in enumerate(("status", "ctl", "00000001/histogram")):
            at = os.path.join(t.dir, "profs", f"{i}.link")
            os.symlink(m.path(name), at)
            with open(at + ".part", "w"):
                pass
        script = "for v in stop start stop; do echo $v > ctl; done; cat ctl"
        shell = subprocess.Popen(
            [need("dash"), "-c", script], cwd=m.at, env=CLEAN, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            out = shell.communicate(timeout=20)[0]
        except subprocess.TimeoutExpired:
            raise Failed("a link into the mount hangs it") from None
        t.true("verbs", "1 stopped" in out and "error" not in
               m.read("status"), "as ever", out + m.read("status"))
        t.true("it runs", p.poll() is None, "runs", p.poll())


@case
def programs_below_the_mount(t):
    """Nor is a program that lies where the mount is now: who answers would ask
    himself for its names."""
    at = os.path.join(t.dir, "mnt")
    os.mkdir(at)
    # There is a file "status" in the mount.
    programs = [os.path.join(at, name) for name in ("kinds", "status")]
    for path in programs:
        shutil.copy(load("kinds"), path)
    with running(t, *([path, "burn", 60] for path in programs)):
        until("profiles", lambda: len(t.files()) == 2)
        below(t)


@case
def usage(t):
    """Wrong use is one line, and 2; what cannot be served 1."""
    if not os.path.exists(PROFFS):
        raise Skip("proffs is not built")
    for args, status, words in (
            ((), 2, "MOUNTPOINT: is missing"),
            (("mnt",), 2, "PROFDIR: is not a directory; name one with -o dir="),
            (("-o", "dir=none", "mnt"), 1, "none: cannot be opened"),
            (("-o", "dir=file", "mnt"), 1, "file: is not a directory"),
            (("-o", "dir=mnt", "none"), 1, "none: No such file or directory"),
            (("-o", "dir=mnt", "file"), 1, "file: is not a directory; name"),
            (("-o", "dir=mnt", "mnt"), 1, "mnt: would hide the profiles"),
            (("-o", "dir=mnt/in", "mnt"), 1, "mnt: would hide the profiles"),
            (("-o", "dir=mnt", "/"), 1, "/: would hide the profiles")):
        with open(os.path.join(t.dir, "file"), "w"):
            pass
        os.makedirs(os.path.join(t.dir, "mnt/in"), exist_ok=True)
        r = subprocess.run([PROFFS, *args], env=CLEAN, cwd=t.dir,
                           capture_output=True, text=True)
        t.equal(f"{args}", (status, ""), (r.returncode, r.stdout))
        t.true(f"{args}", words in r.stderr and r.stderr.count("\n") == 1,
               words, r.stderr)
    for option, words in (("--help", "usage: proffs"),
                          ("--version", "proffs (libmon) ")):
        r = subprocess.run([PROFFS, option], env=CLEAN, capture_output=True,
                           text=True)
        t.true(option, r.returncode == 0 and r.stdout.startswith(words),
               words, r)


if __name__ == "__main__":
    main()
