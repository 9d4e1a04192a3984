#!/usr/bin/env python3
# Context: O.  The prof device over a real mount: memory, histograms and
# pointers of a program.
import os
import shutil
import subprocess
import time

from forge import Forge
from harness import CLEAN, Failed, Skip, case, load, main, need, pick
from mounted import Mount, below, running, until


def ordered(t, what, pairs):
    t.true(f"{what}: in order", pairs and all(
        a[0] < b[0] for a, b in zip(pairs, pairs[1:])), "ascending", pairs)
    t.true(f"{what}: non-zero", all(n > 0 for _, n in pairs), "all", pairs)


@case
def histograms(t):
    """A pair a read, whole lines at once, byte by byte; and of one moment,
    while the program goes on."""
    with Mount(t) as m, running(t, [need("perl"), "-e", "1 while ++$i"],
                                opts="hz=2000"):
        d = m.fullest(8)
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
    p = t.start([t.build("commands.c", "commands", "-g", "-pthread")],
                stdin=subprocess.PIPE, opts="hz=500")

    def do(n, line):
        p.stdin.write(line.encode() + b"\n")
        p.stdin.flush()
        until(line, lambda: os.pread(p.out_file.fileno(), 999, 0).count(
            b"\n") == n)

    def seen(m, live, high, total):
        d = m.modules()["commands"]
        of_module, *places = m.pairs(d + "/memory")
        t.equal("of the module", (0, 100 * live, 100 * high), of_module)
        t.equal("of its places", of_module[1:], tuple(
            sum(x) for x in list(zip(*places))[1:]))
        t.true("places ascend", places == sorted(places) and
               places[0][0] > 0, "all", places)
        for below in ("", d + "/", f"pid/{p.pid}/"):
            lines = [x.split() for x in m.read(
                below + "heap").splitlines() if "/commands.c:" in x]
            t.equal(f"{below}: lines", [[str(x) for x in (
                100 * live, 100 * high, live, 100 * total, total)]],
                [x[1:] for x in lines])
        with open(os.path.join(os.path.dirname(__file__), "..", "load",
                               "commands.c")) as f:
            at = int(lines[0][0].rsplit(":", 1)[1])
            t.true("that asked", "malloc(100)" in f.read().split("\n")[
                at - 1], "its line", lines)

    def histogram(m, bytes, below=""):
        """Return the second number of its lines: bytes or observations."""
        d = m.modules()["commands"]
        of_module, *places = m.pairs(d + "/memory")
        pairs = m.pairs(f"{below}{d}/histogram")
        t.true("pairs", pairs and all(n > 0 for _, n in pairs), "not 0",
               pairs)
        t.equal("a histogram of bytes", bytes,
                pairs == [(at, now) for at, now, _ in places if now])

    with Mount(t) as m:
        do(1, "a 0.3")
        until("the module", lambda: "commands" in m.modules())
        t.equal("nothing yet", [(0, 0, 0)], m.pairs(
            m.modules()["commands"] + "/memory"))
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
        until("the module again", lambda: "commands" in m.modules())
        t.equal("no mode but the first", [(0, 0, 0)], m.pairs(
            m.modules()["commands"] + "/memory"))
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


if __name__ == "__main__":
    main()
