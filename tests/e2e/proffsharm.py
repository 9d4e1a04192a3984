#!/usr/bin/env python3
# Context: O.  The prof device over a real mount: damaged and full
# directories, other users, and whoever dies at either end.
import contextlib
import errno
import os
import shutil
import signal
import subprocess
import time

from forge import Forge
from harness import CLEAN, LIB, ROOT, Skip, case, load, main, need, pick
from mounted import PROFFS, Mount, running, until


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
        d = m.fullest(8)
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


if __name__ == "__main__":
    main()
