# Context: O.  Shared by tests of tprof top: run it on a terminal of its own,
# and read what its screen shows.
import os
import re
import subprocess
import time

from harness import BUILD, CLEAN, Failed, Skip, need, need_file


TPROF = os.path.join(BUILD, "tprof")
ROW = re.compile(r"^ *(\d+\.\d\d|\.) +(\d+|\.)  (.*)$")


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


def rows(text):
    """(rate, samples, the rest) of the lines of a table, with its totals."""
    found = []
    for line in text.splitlines():
        m = ROW.match(line)
        if m:
            rate, count = ("0" if x == "." else x for x in m.groups()[:2])
            found.append((float(rate), int(count), m.group(3).rstrip()))
    return found


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
