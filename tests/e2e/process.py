# Context: O.  Processes of the end-to-end tests: waiting with a limit, the
# stacks of one that hangs, what it cost.
import contextlib
import os
import re
import select
import shutil
import signal
import subprocess
import time

CLEAN = {k: v for k, v in os.environ.items()
         if k not in ("LD_PRELOAD", "PROFDIR", "PROFOPTS")}
CLEAN.update(LC_ALL="C", TZ="UTC")


class Run:
    """One finished program: how it ended, what it wrote, what it cost."""

    def __init__(self, status, out, err, usage, seconds, pid):
        self.out, self.err, self.pid = out, err, pid
        self.status = (f"signal {os.WTERMSIG(status)}"
                       if os.WIFSIGNALED(status)
                       else f"exit {os.WEXITSTATUS(status)}")
        self.cpu = usage.ru_utime + usage.ru_stime
        self.usage, self.seconds = usage, seconds
        self.text = out.decode(errors="replace")

    def numbers(self):
        """Lines `name number` as a dictionary."""
        return {k: float(v) for k, v in
                re.findall(r"^(\S+) ([0-9.]+)$", self.text, re.M)}


def forks():
    """Processes that this machine ever started."""
    with open("/proc/stat") as f:
        return int(re.search(r"^processes (\d+)", f.read(), re.M)[1])


def delays(pid):
    """{thread: seconds that it waited for a processor} of a process and its
    children."""
    found = {}
    for path in (f"/proc/{p}/task" for p in tree(pid)):
        with contextlib.suppress(OSError, ValueError, IndexError):
            for tid in os.listdir(path):
                with open(f"{path}/{tid}/schedstat") as f:
                    found[tid] = int(f.read().split()[1]) / 1e9
    return found


def ended(pid, timeout):
    """Wait for the end, for at most so many seconds in which the process could
    run: a second does not count as far as one of its threads waited for a
    processor, so that other work on the machine is no hang.  Threads that spin
    may make each other wait, so five times that is the most."""
    most = time.monotonic() + 5 * timeout
    fd = os.pidfd_open(pid)
    try:
        poll = select.poll()
        poll.register(fd, select.POLLIN)
        before = {}
        while timeout > 0 and time.monotonic() < most:
            began = time.monotonic()
            if poll.poll(min(timeout, 1) * 1000):
                return True
            now = delays(pid)
            waited = max((now[t] - before.get(t, now[t]) for t in now),
                         default=0)
            before = now
            timeout -= max(time.monotonic() - began - waited, 0)
        return False
    finally:
        os.close(fd)


def stacks(pid):
    gdb = shutil.which("gdb")
    if gdb is None:
        return "(no gdb: no stacks)"
    text = ""
    for p in tree(pid)[:8]:
        try:
            text += subprocess.run(
                [gdb, "-p", str(p), "-batch", "-nx", "-ex",
                 "thread apply all bt 12"], env=CLEAN, timeout=60,
                capture_output=True, text=True, errors="replace").stdout[-4000:]
        except subprocess.TimeoutExpired:
            text += f"(gdb hung on {p})"
    return text


def tree(pid):
    """The process and all below it."""
    found, at = [pid], 0
    while at < len(found):
        try:
            for t in os.listdir(f"/proc/{found[at]}/task"):
                with open(f"/proc/{found[at]}/task/{t}/children") as f:
                    found += [int(c) for c in f.read().split()]
        except OSError:
            pass
        at += 1
    return found


def reap(p):
    pid, status, usage = os.wait4(p.pid, 0)
    seconds = time.monotonic() - p.began
    p.returncode = 0        # subprocess must not wait for it again
    if not p.leaves:
        try:
            os.killpg(p.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    p.out_file.seek(0)
    p.err_file.seek(0)
    r = Run(status, p.out_file.read(), p.err_file.read(), usage, seconds, pid)
    p.out_file.close()
    p.err_file.close()
    r.forks = forks() - p.forks
    return r


def orphans(timeout=20):
    """Wait for processes whose parents are gone (we are their reaper):
    their CPU time by pid."""
    found, end = {}, time.monotonic() + timeout
    while time.monotonic() < end:
        try:
            pid, _, usage = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            break
        if pid == 0:
            time.sleep(0.01)
            continue
        found[pid] = usage.ru_utime + usage.ru_stime
    return found
