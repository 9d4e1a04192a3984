# Context: O.  Shared by tests of proffs(1): mount the prof device of a
# directory, read its files, and run programs below it.
import contextlib
import glob
import os
import signal
import subprocess
import time

from harness import BUILD, CLEAN, Failed, Skip, need


PROFFS = os.path.join(BUILD, "proffs")


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

    def fullest(self, least):
        """Wait until a histogram has more than that many pairs; return the
        directory of the module that has the most."""
        def count(directory):
            return len(self.pairs(directory + "/histogram"))

        until("places", lambda: any(count(d) > least
                                    for d in self.modules().values()))
        return max(self.modules().values(), key=count)


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


def below(t):
    with Mount(t) as m:
        until("modules", lambda: "kinds" in m.modules())
        shell = subprocess.Popen(
            [need("dash"), "-c", "cat folded lines status; cat pprof | wc -c"],
            cwd=m.at, env=CLEAN, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        try:
            out = shell.communicate(timeout=20)[0]
        except subprocess.TimeoutExpired:
            raise Failed("a program below the mount hangs it") from None
        t.true("time", "kinds+0x" in out, "by the module", out)
