#!/usr/bin/env python3
# Context: O.  The prof device over a real mount: typed by hand, by several at
# once, and when whoever is at the other end dies.
import contextlib
import errno
import glob
import os
import shutil
import signal
import subprocess
import time

from forge import Forge
from harness import BUILD, CLEAN, LIB, ROOT, Failed, Skip, case, load, main, \
    need, pick

PROFFS = os.path.join(BUILD, "proffs")
THREADS = ("import threading, zlib\n"
           "def work():\n b = bytes(200000)\n"
           " while True: zlib.crc32(b)\n"
           "for i in range(3): threading.Thread(target=work).start()\n")


def until(what, holds, timeout=20):
    end = time.monotonic() + timeout
    while not holds():
        if time.monotonic() > end:
            raise Failed(f"not in {timeout} s: {what}")
        time.sleep(0.01)


class Mount:
    """proffs, in the foreground, until the end of the block."""

    def __init__(self, t, profdir="profs", at="mnt", *options):
        if not os.path.exists(PROFFS):
            raise Skip("proffs is not built")
        if not os.access("/dev/fuse", os.R_OK | os.W_OK):
            raise Skip("no /dev/fuse that can be opened")
        need("fusermount3")
        self.at = os.path.join(t.dir, at)
        os.makedirs(self.at, exist_ok=True)
        os.makedirs(os.path.join(t.dir, profdir), exist_ok=True)
        self.log = open(os.path.join(t.dir, f"{at.replace('/', '-')}.log"),
                        "w+")
        self.process = subprocess.Popen(
            [PROFFS, "-f", "-o", f"dir={os.path.join(t.dir, profdir)}",
             *options, self.at], env=CLEAN, stdout=self.log, stderr=self.log)

    def __enter__(self):
        until("mounted", lambda: self.process.poll() is not None or
              os.path.ismount(self.at))
        if self.process.poll() is not None:
            self.log.seek(0)
            raise Skip(f"cannot be mounted here: {self.log.read().strip()}")
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            subprocess.run(["fusermount3", "-u", "-z", self.at],
                           capture_output=True)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.log.close()

    def path(self, name):
        return os.path.join(self.at, name)

    def read(self, name):
        with open(self.path(name)) as f:
            return f.read()

    def say(self, message, name="ctl"):
        """0, or the errno of the write."""
        fd = os.open(self.path(name), os.O_WRONLY | os.O_TRUNC)
        try:
            os.write(fd, message.encode())
            return 0
        except OSError as e:
            return e.errno
        finally:
            os.close(fd)

    def modules(self, below=""):
        """{name: its directory}."""
        found = {}
        for d in sorted(glob.glob(self.path(below + "????????"))):
            d = os.path.relpath(d, self.at)
            found[self.read(d + "/name").strip()] = d
        return found

    def pairs(self, name):
        return [tuple(map(int, line.split()))
                for line in self.read(name).splitlines()]


@contextlib.contextmanager
def running(t, *commands, **how):
    ps = [t.start(c, **how) for c in commands]
    try:
        yield ps
    finally:
        for p in ps:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(p.pid, signal.SIGKILL)
            t.finish(p)


def ordered(t, what, pairs):
    t.true(f"{what}: in order", pairs and all(
        a[0] < b[0] for a, b in zip(pairs, pairs[1:])), "ascending", pairs)
    t.true(f"{what}: non-zero", all(n > 0 for _, n in pairs), "all", pairs)


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
def histograms(t):
    """A pair a read, whole lines at once, byte by byte; and of one moment,
    while the program goes on."""
    with Mount(t) as m, running(t, [need("perl"), "-e", "1 while ++$i"],
                                opts="hz=2000"):
        until("places", lambda: m.modules() and
              any(len(m.pairs(d + "/histogram")) > 8
                  for d in m.modules().values()))
        d = max(m.modules().values(),
                key=lambda d: len(m.pairs(d + "/histogram")))
        fd = os.open(m.path(d + "/histogram"), os.O_RDONLY)
        whole = os.pread(fd, 1 << 20, 0)
        lines = whole.splitlines(True)
        ordered(t, "whole", [tuple(map(int, s.split())) for s in lines])
        t.equal("a pair a read", lines,
                [os.read(fd, 100) for _ in lines])
        t.equal("the end", b"", os.read(fd, 100))
        time.sleep(0.2)
        t.equal("the same later", whole, os.pread(fd, 1 << 20, 0))
        t.equal("its first byte", whole[:1], os.pread(fd, 1, 0))
        os.close(fd)
        t.true("goes on", m.read(d + "/histogram") != whole.decode(), "more",
               whole)
        ordered(t, "times", m.pairs(d + "/times"))
        shell = subprocess.run(
            [need("dash"), "-c", "while read pc n; do echo $pc $n; done < "
             f"{d}/histogram | wc -l; cat {d}/histogram | wc -l"],
            cwd=m.at, env=CLEAN, capture_output=True, text=True).stdout
        t.true("read of a shell", len(set(shell.split())) <= 2 and
               min(map(int, shell.split())) >= len(lines), "all", shell)
        m.say("stop")
        time.sleep(0.1)
        for kind in ("histogram", "times", "lines", "folded"):
            t.equal(f"{kind} of one process", m.read(f"{d}/{kind}"),
                    m.read(f"pid/{os.listdir(m.path('pid'))[0]}/{d}/{kind}"))
        csv_ticks = sum(int(r["samples"]) for r in t.rows(
            *t.files()) if r["module"] == m.read(d + "/name").strip())
        t.equal("as prof has it", csv_ticks,
                sum(n for _, n in m.pairs(d + "/histogram")))
        with open(os.path.join(t.dir, "folded.pb.gz"), "wb") as f:
            f.write(open(m.path("pprof"), "rb").read())
        t.true("pprof", t.rows("folded.pb.gz"), "rows", "none")


@case
def memory(t):
    """Each line has its live bytes while its program goes on."""
    p = t.start([t.build("told.c", "told", "-g", "-pthread")],
                stdin=subprocess.PIPE, opts="hz=500")

    def do(n, line):
        p.stdin.write(line.encode() + b"\n")
        p.stdin.flush()
        until(line, lambda: os.pread(p.out_file.fileno(), 999, 0).count(
            b"\n") == n)

    def seen(m, live, high, total):
        d = m.modules()["told"]
        of_module, *places = m.pairs(d + "/memory")
        t.equal("of the module", (0, 100 * live, 100 * high), of_module)
        t.equal("of its places", of_module[1:], tuple(
            sum(x) for x in list(zip(*places))[1:]))
        t.true("places ascend", places == sorted(places) and
               places[0][0] > 0, "all", places)
        for below in ("", d + "/", f"pid/{p.pid}/"):
            lines = [x.split() for x in m.read(
                below + "heap").splitlines() if "/told.c:" in x]
            t.equal(f"{below}: lines", [[str(x) for x in (
                100 * live, 100 * high, live, 100 * total, total)]],
                [x[1:] for x in lines])
        with open(os.path.join(os.path.dirname(__file__), "..", "load",
                               "told.c")) as f:
            at = int(lines[0][0].rsplit(":", 1)[1])
            t.true("that asked", "malloc(100)" in f.read().split("\n")[
                at - 1], "its line", lines)

    def histogram(m, bytes, below=""):
        """Return the second number of its lines: bytes or observations."""
        d = m.modules()["told"]
        of_module, *places = m.pairs(d + "/memory")
        pairs = m.pairs(f"{below}{d}/histogram")
        t.true("pairs", pairs and all(n > 0 for _, n in pairs), "not 0",
               pairs)
        t.equal("a histogram of bytes", bytes,
                pairs == [(at, now) for at, now, _ in places if now])

    with Mount(t) as m:
        do(1, "a 0.3")
        until("the module", lambda: "told" in m.modules())
        t.equal("nothing yet", [(0, 0, 0)], m.pairs(
            m.modules()["told"] + "/memory"))
        histogram(m, False)
        t.equal("startmp", 0, m.say("startmp"))
        do(2, "a 0.1")
        do(3, "keep 10")
        seen(m, 10, 10, 10)
        histogram(m, True)
        do(4, "drop 4")
        seen(m, 6, 10, 10)
        do(5, "keep 14")
        seen(m, 20, 20, 24)
        m.say("stop")
        do(6, "a 0.1")
        do(7, "keep 5")
        do(8, "drop 10")
        seen(m, 15, 20, 24)
        histogram(m, True)
        t.equal("start", 0, m.say("start"))
        histogram(m, False)
        t.equal("of one process", 0, m.say("startmp", f"pid/{p.pid}/ctl"))
        histogram(m, False)
        histogram(m, True, f"pid/{p.pid}/")
        t.equal("end", 0, m.say("end"))
        t.equal("no module is left", {}, m.modules())
        do(9, "keep 3")
        do(10, "drop 1")
        t.equal("nor comes by what is not counted", {}, m.modules())
        t.equal("start", 0, m.say("start"))
        do(11, "a 0.3")
        do(12, "keep 2")
        until("the module again", lambda: "told" in m.modules())
        t.equal("no mode but the first", [(0, 0, 0)], m.pairs(
            m.modules()["told"] + "/memory"))
        t.equal("in ctl", "interval 2\nstart\n", "".join(
            x for x in m.read("ctl").splitlines(True) if x[0] != "#"))
        t.equal("startmp", 0, m.say("startmp"))
        do(13, "a 0.1")
        do(14, "keep 4")
        do(15, "drop 7")                # three from before
        do(16, "keep 1")
        seen(m, 1, 4, 5)
    p.stdin.close()
    t.finish(p)


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
def copied_by_hand(t):
    """A copy of a live profile, in front of it by name, is not who is told."""
    with Mount(t) as m, running(t, [load("kinds"), "burn", 30]) as (p,):
        until("a profile", t.files)
        until("modules", m.modules)
        path, = t.files()
        shutil.copy(path, os.path.join(t.dir, "profs", "0.copy"))
        with open(f"/proc/{p.pid}/maps") as f:
            if not any(" rw-s " in x and str(os.stat(path).st_ino) in
                       x.split() for x in f):
                raise Skip("maps have other numbers of files here")
        lines = m.read("status").splitlines()
        t.true("one", len(lines) == 1 and lines[0].endswith(path), path, lines)
        t.equal("stop", 0, m.say("stop", f"pid/{p.pid}/ctl"))
        t.true("it", "stop\n# processes: 0 counting, 1 stopped" in
               m.read("ctl"), "stopped", m.read("ctl"))
        t.true("of its own", "stopped" in m.read(f"pid/{p.pid}/status"),
               "stopped", m.read(f"pid/{p.pid}/status"))


def pointer(t, name, to, pid=1):
    """As libmon.so leaves one where the profile is written elsewhere."""
    with open("/proc/sys/kernel/random/boot_id") as f:
        boot = f.read().strip().replace("-", "")
    with open(os.path.join(t.dir, "profs", name), "w") as f:
        f.write(f"monptr 1\npath={to}\nboot_id={boot}\npid={pid}\nstart=1\n")


@case
def pointers(t):
    """Nor is a file that says that a profile is in the mount."""
    with Mount(t) as m, running(t, [load("kinds"), "burn", 30]) as (p,):
        until("a profile", t.files)
        until("modules", m.modules)
        os.symlink(m.at, os.path.join(t.dir, "way"))
        for i, to in enumerate((m.path("status"), m.path("none"), m.at,
                                m.path("../mnt/ctl"),
                                os.path.join(t.dir, "way/ctl"))):
            pointer(t, f"{i}.pointer", to, p.pid)
            with open(os.path.join(t.dir, f"profs/{i}.pointer.part"), "w"):
                pass
        script = ("ls -l . pid pid/*; for v in stop start stop; do "
                  "echo $v > ctl; done; cat ctl 0*/histogram lines status")
        shell = subprocess.Popen(
            [need("dash"), "-c", script], cwd=m.at, env=CLEAN, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            out = shell.communicate(timeout=20)[0]
        except subprocess.TimeoutExpired:
            raise Failed("a pointer into the mount hangs it") from None
        t.true("verbs", "1 stopped" in out, "as ever", out)
        t.true("it is said", out.count("names a profile in the mount itself")
               >= 5, "a line each", out)
        t.true("it runs", p.poll() is None, "runs", p.poll())


@case
def damaged(t):
    """A file that cannot be read is an error of status once, however often it
    is looked at, and leaves room for others."""
    with Mount(t) as m:
        t.good([load("kinds"), "burn", 0.1])
        with open(t.files()[0], "r+b") as f:
            f.truncate(4096)
        for i in range(20):
            m.read("lines")
        t.equal("halt", errno.EINVAL, m.say("halt"))
        for i in range(20):
            m.read("lines")
        with running(t, [load("kinds"), "burn", 30]):
            until("a profile", lambda: len(t.files()) == 2)
            live = [f for f in t.files() if "process" in m.read("status")
                    and f in m.read("status").split()]
            os.rename(live[-1], live[-1] + "\nprocess 1 stopped\033[2J")
            t.true("a name", "?process 1 stopped?[2J\n" in m.read("status"),
                   "one line", m.read("status"))
        status = m.read("status")
        t.true("both", status.count("\n") == 2 and "halt" in status and
               t.files()[0] in status, "a line each", status)


@case
def deaths(t):
    """Ends of a program in the midst, of proffs, of a number's earlier
    owner."""
    with Mount(t) as m:
        with running(t, [load("kinds"), "burn", 30],
                     [load("kinds"), "burn", 30]) as (p, q):
            until("two profiles", lambda: len(t.files()) == 2)
            until("modules", m.modules)
            os.kill(p.pid, signal.SIGKILL)
            until("dead", lambda: os.waitid(
                os.P_PID, p.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG))
            t.equal("stop without it", 0, m.say("stop"))
            t.equal("start without it", 0, m.say("start"))
            t.true("its data", m.read(f"pid/{p.pid}/lines"), "there", "none")
            t.equal("told alone", errno.ESRCH,
                    m.say("stop", f"pid/{p.pid}/ctl"))
            line = m.read("status").splitlines()[-1]
            t.true("says so", line.startswith("error ") and
                   "its process is gone" in line, "a line", line)
            t.true("no verb holds", all(
                s.startswith("# ") for s in
                m.read(f"pid/{p.pid}/ctl").splitlines()), "a comment",
                m.read(f"pid/{p.pid}/ctl"))
            with running(t, ["sleep", "60"], mon=False) as (other,):
                f = Forge([f for f in t.files() if str(p.pid) in f][0])
                f.put("pid", other.pid)
                f.save(os.path.join(t.dir, "profs", f"{other.pid}.sleep"))
                f.put("state", 1)           # as if it lived
                f.put("end", 0)
                with open(os.path.join(t.dir, "profs",
                                       f"{other.pid}.sleep"), "wb") as out:
                    out.write(f.bytes)
                t.equal("a stranger", 0, m.say("stop"))
                t.true("a stranger", f"process {other.pid}" not in
                       m.read("status") and other.poll() is None,
                       "is not told", m.read("status"))
            for _ in range(pick(5, 50)):
                m.say("start")
                m.say("stop")
            t.true("the other", q.poll() is None, "runs", q.poll())
            fd = os.open(m.path("ctl"), os.O_WRONLY)
            m.process.kill()
            m.process.wait()
            # A dead mount is no mount to ismount() either.
            until("unmounted", lambda: os.path.isdir(m.at) and
                  not os.path.ismount(m.at))
            os.close(fd)
            t.true("the other", q.poll() is None, "runs", q.poll())
        with Mount(t) as again:
            t.equal("again", 0, again.say("stop"))
            t.equal("those before are over", [],
                    os.listdir(again.path("pid")))


SLEEPER = ("import time\ne = time.monotonic() + 0.3\n"
           "while time.monotonic() < e: pass\nprint('asleep', flush=True)\n"
           "time.sleep(60)\n")


@case
def killed_asleep(t):
    """Who slept since before it was mounted, or since an end, and is killed so,
    keeps what it counted."""
    def slept():
        return b"asleep" in os.pread(p.out_file.fileno(), 100, 0)
    with running(t, [need("python3"), "-c", SLEEPER]) as (p,):
        until("it sleeps", slept)
        time.sleep(0.1)
        with Mount(t) as m, Mount(t, "profs", "other") as other:
            counts = m.read("lines")
            t.true("before", counts, "lines", "none")
            other.say("end")
            os.kill(p.pid, signal.SIGKILL)
            until("dead", lambda: os.waitid(
                os.P_PID, p.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG))
            for at in (m, other):
                t.equal("it is one still", [str(p.pid)],
                        os.listdir(at.path("pid")))
            other.say("end")
            t.equal("forgotten", [], os.listdir(other.path("pid")))


@case
def a_full_directory(t):
    """Where processes to come cannot be told, those that live are, and it is
    said."""
    if not ROOT:
        raise Skip("wants to mount a small file system")
    small = os.path.join(t.dir, "small")
    os.makedirs(small)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m,mode=1777",
                       "none", small], capture_output=True).returncode != 0:
        raise Skip("may not mount")
    try:
        with Mount(t, "small") as m, \
                running(t, [load("kinds"), "burn", 30], profdir="small",
                        opts="size=256k") as (p,):
            until("a profile", lambda: t.files("small"))
            with open(os.path.join(small, "zeros"), "wb", 0) as f, \
                    contextlib.suppress(OSError):
                while True:
                    f.write(bytes(4096))
            t.equal("stop", errno.EIO, m.say("stop"))
            t.true("stop", "the defaults for processes that start later cannot "
                   "be written: No space left on device; running processes "
                   "have the order; make room there and repeat it" in m.read("status"), "said",
                   m.read("status"))
            t.true("who lives", f"process {p.pid} stopped" in
                   m.read("status"), "stopped", m.read("status"))
            t.true("it runs", p.poll() is None, "runs", p.poll())
            os.unlink(os.path.join(small, "zeros"))
            t.equal("said again", 0, m.say("stop"))
    finally:
        subprocess.run(["umount", "-l", small])


@case
def many_places(t):
    """A profile of 100,000 places, whole and in pairs."""
    n = pick(20000, 100000)
    with Mount(t) as m:
        t.good([load("kinds"), "burn", 0.1], profdir="seed")
        f = Forge(t.files("seed")[0])
        f.places("/forged/libplaces.so", {
            7 * i: (i % 5 + 1, 1000 * i + 1) for i in range(1, n + 1)})
        f.save(os.path.join(t.dir, "profs", "1.forged"))
        t.prof("--check", "profs/1.forged")
        d = m.modules()["libplaces.so"]
        wanted = [(7 * i, i % 5 + 1) for i in range(1, n + 1)]
        t.true("whole", m.pairs(d + "/histogram") == wanted, "all of them",
               len(m.pairs(d + "/histogram")))
        fd = os.open(m.path(d + "/histogram"), os.O_RDONLY)
        got = []
        while line := os.read(fd, 64):
            got.append(tuple(map(int, line.split())))
        os.close(fd)
        t.true("in pairs", got == wanted, "all of them", len(got))
        t.equal("times", 1000 * n * (n + 1) // 2 + n,
                sum(ns for _, ns in m.pairs(d + "/times")))


# Commands of a user who is not root: $1 proffs, $2 libmon.so, $3 a program.
AS_NOBODY = """
"$1" -f -o dir=profs mnt 2>mount.log &
for i in $(seq 100); do mountpoint -q mnt && break; sleep 0.05; done
mountpoint -q mnt || { cat mount.log; exit 77; }
LD_PRELOAD=$2 PROFDIR=profs "$3" burn 30 &
prog=$!
for i in $(seq 100); do ls mnt/0* >/dev/null 2>&1 && break; sleep 0.05; done
echo stop >mnt/ctl; echo stop $?
cat mnt/ctl
cat mnt/0*/histogram >/dev/null; echo read $?
echo start >mnt/pid/$prog/ctl; echo start $?
sed "s/ticks.*//; s/$prog/N/" mnt/status
kill $prog
fusermount3 -u mnt; echo unmounted $?
wait
"""

# /dev/fuse may be closed to others: then they have one of their own, here
# alone.
OWN_FUSE = """
test "$(stat -c %a /dev/fuse)" = 666 || {
        mknod fuse c 10 229 && chmod 666 fuse && mount --bind fuse /dev/fuse
} || exit 77
exec setpriv --reuid nobody --regid nogroup --clear-groups sh "$@"
"""


@case
def by_nobody(t):
    """Who is not root mounts it for himself, by fusermount3."""
    if not ROOT:
        raise Skip("only root can become another")
    if not os.path.exists(PROFFS):
        raise Skip("proffs is not built")
    need("fusermount3", "setpriv", "unshare", "mountpoint")
    os.chmod(t.dir, 0o777)
    with open(os.path.join(t.dir, "script"), "w") as f:
        f.write(AS_NOBODY)
    for name in ("mnt", "profs"):
        os.makedirs(os.path.join(t.dir, name))
        shutil.chown(os.path.join(t.dir, name), "nobody")
    r = subprocess.run(["unshare", "-m", "sh", "-c", OWN_FUSE, "sh", "script",
                        PROFFS, LIB, load("kinds")], cwd=t.dir, text=True,
                       env=CLEAN, capture_output=True, timeout=60)
    if r.returncode == 77:
        raise Skip(f"others cannot mount here: {r.stdout}{r.stderr}")
    t.equal("what it says", (
        "stop 0\ninterval auto\nstop\n# processes: 0 counting, 1 stopped\n"
        "read 0\nstart 0\nprocess N counting \nunmounted 0\n", ""),
        (r.stdout, r.stderr.replace("Terminated\n", "")))


def as_nobody(t, m, script):
    return subprocess.run(
        ["setpriv", "--reuid", "nobody", "--regid", "nogroup",
         "--clear-groups", "sh", "-c", script], cwd=t.dir, env=CLEAN,
        text=True, capture_output=True, timeout=30).stdout


@case
def others(t):
    """They see nothing of it, or with allow_other all but change nothing."""
    if not ROOT:
        raise Skip("only root can become another")
    need("setpriv")
    os.chmod(t.dir, 0o755)
    script = ("cat mnt/0*/histogram 2>/dev/null | wc -l; cat mnt/ctl 2>&1; "
              "echo stop 2>/dev/null >mnt/ctl || echo refused")
    with running(t, [load("kinds"), "burn", 30]):
        until("a profile", t.files)
        with Mount(t) as m:
            until("modules", m.modules)
            said = as_nobody(t, m, script)
            t.true("nothing", said.startswith("0\ncat: mnt/ctl: Permission "
                                              "denied\n") and
                   said.endswith("refused\n"), "denied, refused", said)
        with Mount(t, "profs", "mnt", "-o", "allow_other") as m:
            until("modules", m.modules)
            said = as_nobody(t, m, script).splitlines()
            t.true("reads", int(said[0]) > 0, "pairs", said)
            t.equal("of all", m.read("ctl").splitlines(), said[1:-1])
            t.equal("writes nothing", "refused", said[-1])
            t.true("it counts", "1 counting" in m.read("ctl"), "counts",
                   m.read("ctl"))


@case
def below_a_bindfs(t):
    """Names and verbs go through another server; sizes are 0, so it reads
    nothing, and nobody waits for ever."""
    bindfs = need("bindfs")
    with Mount(t) as m, running(t, [load("kinds"), "burn", 30]) as (p,):
        until("modules", m.modules)
        over = os.path.join(t.dir, "over")
        os.mkdir(over)
        if subprocess.run([bindfs, m.at, over], env=CLEAN,
                          capture_output=True).returncode != 0:
            raise Skip("bindfs cannot mount here")
        try:
            r = subprocess.run(
                ["sh", "-c", "ls . pid 0*; cat ctl 0*/histogram lines status; "
                 "echo stop > ctl"], cwd=over, env=CLEAN, text=True,
                capture_output=True, timeout=30)
            t.equal("good", (0, ""), (r.returncode, r.stderr))
            t.true("names", {"ctl", "00000001", str(p.pid), "histogram"} <=
                   set(r.stdout.split()), "all", r.stdout)
            t.true("a verb", "1 stopped" in m.read("ctl"), "stopped",
                   m.read("ctl"))
        finally:
            subprocess.run(["fusermount3", "-u", "-z", over])
        t.equal("and without it", 0, m.say("start"))


@case
def detached(t):
    """umount -l in the midst of a read: that goes on to its end, and then
    proffs ends."""
    with Mount(t) as m, running(t, [need("perl"), "-e", "1 while ++$i"],
                                opts="hz=2000"):
        until("places", lambda: m.modules() and
              any(len(m.pairs(d + "/histogram")) > 8
                  for d in m.modules().values()))
        d = max(m.modules().values(),
                key=lambda d: len(m.pairs(d + "/histogram")))
        fd = os.open(m.path(d + "/histogram"), os.O_RDONLY)
        whole = os.pread(fd, 1 << 20, 0)
        got = os.read(fd, 100)
        if ROOT:
            subprocess.run(["umount", "-l", m.at], check=True)
        else:
            subprocess.run(["fusermount3", "-u", "-z", m.at], check=True)
        t.equal("nothing is there", [], os.listdir(m.at))
        while line := os.read(fd, 100):
            got += line
        t.equal("all of it", whole, got)
        t.true("it serves", m.process.poll() is None, "serves",
               m.process.poll())
        os.close(fd)
        until("it ends", lambda: m.process.poll() is not None)
        t.equal("status", 0, m.process.returncode)


READS = ("import os, sys\n"
         "while True:\n"
         " fd = os.open(sys.argv[1], os.O_RDONLY)\n"
         " while os.read(fd, 100): pass\n"
         " os.close(fd)\n")


@case
def killed_readers(t):
    """SIGKILL in the midst of a read: what was open is closed, and others are
    served."""
    with Mount(t) as m, running(t, [need("perl"), "-e", "1 while ++$i"],
                                opts="hz=2000"):
        until("modules", m.modules)
        path = m.path(next(iter(m.modules().values())) + "/histogram")

        def descriptors():
            return len(os.listdir(f"/proc/{m.process.pid}/fd"))
        before = descriptors()
        for i in range(pick(10, 100)):
            readers = [subprocess.Popen([need("python3"), "-c", READS, path])
                       for _ in range(3)]
            time.sleep(0.05 + i % 7 / 100)
            for r in readers:
                r.kill()
            for r in readers:
                r.wait()
            t.true("served", m.read("ctl"), "a text", "none")
        t.equal("descriptors", before, descriptors())
        t.equal("a verb", 0, m.say("stop"))


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
    for option, words in (("--help", "Usage: proffs"),
                          ("--version", "proffs (libmon) ")):
        r = subprocess.run([PROFFS, option], env=CLEAN, capture_output=True,
                           text=True)
        t.true(option, r.returncode == 0 and r.stdout.startswith(words),
               words, r)


if __name__ == "__main__":
    main()
