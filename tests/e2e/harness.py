# Context: O.  Shared by the end-to-end tests: run a program bare or under
# libmon in a directory of its own, with a time limit, and read its profiles.
#
# A test file defines cases and calls main(); each case says what it looked at,
# what was wanted and what it got, in TAP.  Exit: 0 good, 1 failed, 77 nothing
# could run here, 99 the harness itself broke.
#
#   MON_LIB, PROF   the built libmon.so and prof
#   MON_BUILD       where the workload programs are: tests/load there
#   CHECK_FORM      `long` for the long form of each case
#   truth.py -l     names the cases; truth.py NAME... runs those
import collections
import csv
import ctypes
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

from findingtext import comment, difference, show, tail
from process import CLEAN, ended, forks, orphans, reap, stacks
from profilefile import Profile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
SOURCES = os.path.join(TOP, "tests", "load")
BUILD = os.environ.get("MON_BUILD", TOP)
LOAD = os.path.join(BUILD, "tests", "load")
LIB = os.environ.get("MON_LIB", os.path.join(BUILD, ".libs", "libmon.so"))
PROF = os.environ.get("PROF", os.path.join(BUILD, "prof"))
LONG = os.environ.get("CHECK_FORM") == "long"
ROOT = os.geteuid() == 0
CASES = []
# Time of the process that no code of it is charged with.
NO_PLACE = ("[kernel: page faults and interrupts]", "[not sampled]")


class Skip(Exception):
    """This case cannot run here; the text says why."""


class Failed(Exception):
    """The case cannot go on."""


def pick(short, long):
    return long if LONG else short


def need(*programs):
    """The paths of these programs, or a skip that names the missing one."""
    found = []
    for p in programs:
        path = shutil.which(p)
        if path is None:
            raise Skip(f"{p} is not installed")
        found.append(path)
    return found[0] if len(found) == 1 else found


def load(name):
    path = os.path.join(LOAD, name)
    if not os.path.exists(path):
        raise Skip(f"{path} is not built")
    return path


class Case:
    """A test case at work: its directory and its findings."""

    def __init__(self, name, directory):
        self.name, self.dir = name, directory
        self.failures, self.count = [], 0
        self.measured = True    # all failures are of figures measured here
        self.always = ""        # options of each run

    # -- findings ----------------------------------------------------------
    def fail(self, what, wanted, got, measured=False):
        self.failures.append(f"{what}: wanted {wanted}, got {got}")
        self.measured &= measured

    def equal(self, what, wanted, got):
        self.count += 1
        if wanted != got:
            self.fail(what, show(wanted), show(got))
        return wanted == got

    def true(self, what, good, wanted, got):
        self.count += 1
        if not good:
            self.fail(what, wanted, got)
        return good

    def figure(self, what, good, wanted, got):
        """Claim something of samples or times of this run, which whoever else
        uses the machine can disturb: run_case() measures again."""
        self.count += 1
        if not good:
            self.fail(what, wanted, got, measured=True)
        return good

    def between(self, what, low, got, high):
        return self.figure(what, low <= got <= high,
                           f"{low:.6g} to {high:.6g}", f"{got:.6g}")

    def near(self, what, wanted, got, slack):
        return self.figure(what, abs(wanted - got) <= slack,
                           f"{wanted:.6g} +- {slack:.2g}", f"{got:.6g}")

    # -- running -----------------------------------------------------------
    def environment(self, mon=True, opts=None, profdir="profs", env=None,
                    lib=None):
        e = dict(CLEAN)
        if mon:
            need_file(lib or LIB)
            e["LD_PRELOAD"] = lib or LIB
            if profdir is not None:
                if profdir:
                    os.makedirs(os.path.join(self.dir, profdir), exist_ok=True)
                    profdir = os.path.join(self.dir, profdir)
                e["PROFDIR"] = profdir
            opts = ",".join(filter(None, (self.always, opts)))
            if opts:
                e["PROFOPTS"] = opts
        e.update(env or {})
        return e

    def start(self, argv, mon=True, opts=None, profdir="profs", env=None,
              lib=None, wrap=None, cwd=None, stdin=None, user=None,
              leaves=False):
        """Start a program; under `wrap` (a command that execs its arguments)
        libmon comes in by env(1), so that the wrapper itself is bare."""
        e = self.environment(mon, opts, profdir, env, lib)
        argv = [str(a) for a in argv]
        if wrap:
            ours = [f"{k}={e.pop(k)}" for k in
                    ("LD_PRELOAD", "PROFDIR", "PROFOPTS") if k in e]
            argv = [str(w) for w in wrap] + ["env"] + ours + argv
        out = tempfile.TemporaryFile(dir=self.dir)
        err = tempfile.TemporaryFile(dir=self.dir)
        began = forks()
        p = subprocess.Popen(argv, env=e, cwd=cwd or self.dir,
                             stdin=stdin or subprocess.DEVNULL, stdout=out,
                             stderr=err, start_new_session=True, user=user)
        p.out_file, p.err_file, p.began = out, err, time.monotonic()
        p.leaves = leaves       # others that go on when it has ended
        p.forks = began
        return p

    def finish(self, p, timeout=60):
        """Wait for it.  A hang is a failure with every thread's stack."""
        if not ended(p.pid, timeout):
            where = stacks(p.pid)
            os.killpg(p.pid, signal.SIGKILL)
            reap(p)
            raise Failed(f"{' '.join(p.args)[:200]}: hung for {timeout} s\n"
                         f"{where}")
        return reap(p)

    def run(self, argv, timeout=60, **how):
        return self.finish(self.start(argv, **how), timeout)

    def good(self, argv, **how):
        """Run; anything but exit 0 is a finding that ends the case."""
        r = self.run(argv, **how)
        if r.status != "exit 0":
            raise Failed(f"{' '.join(map(str, argv))[:300]}: {r.status}\n"
                         f"{tail(r.out)}{tail(r.err)}")
        return r

    def both(self, argv, what=None, before=None, **how):
        """Bare and under libmon: the same output, errors and end."""
        runs = []
        for mon in (False, True):
            if before:
                before()
            runs.append(self.run(argv, mon=mon, **how))
        bare, mon = runs
        what = what or os.path.basename(str(argv[0]))
        self.equal(f"{what}: end", bare.status, mon.status)
        self.equal(f"{what}: stdout", bare.out, mon.out)
        self.equal(f"{what}: stderr", bare.err, mon.err)
        return bare, mon

    # -- building ----------------------------------------------------------
    def does_not_compile(self, source, said, command):
        """Skip the case if this compiler lacks a header, a library or a flag;
        a source that is wrong fails it."""
        empty = os.path.join(self.dir, "empty" + os.path.splitext(source)[1])
        with open(empty, "w") as f:
            f.write("int main(void) { return 0; }\n"
                    if empty.endswith((".c", ".cc", ".cpp")) else "")
        able = subprocess.run([*command, "-o", empty + ".out", empty],
                              env=CLEAN, capture_output=True).returncode == 0
        lacks = re.search("No such file or directory|cannot find -l", said)
        if able and not lacks:
            raise Failed(f"{source} does not compile: {said[-300:]}")
        raise Skip(f"{source} does not compile: {said[-300:]}")

    def build(self, source, output, *flags, cc=None):
        """Compile a workload that is not C or needs odd flags."""
        cc = cc or os.environ.get("CC", "cc").split()
        path = os.path.join(self.dir, output)
        r = subprocess.run([*cc, "-O2", "-g", *flags, "-o", path,
                            os.path.join(SOURCES, source)], env=CLEAN,
                           cwd=self.dir, capture_output=True, text=True)
        if r.returncode != 0:
            self.does_not_compile(source, r.stderr, [*cc, *flags])
        return path

    # -- profiles ----------------------------------------------------------
    def prof(self, *args, good=True):
        need_file(PROF)
        r = subprocess.run([PROF, *map(str, args)], env=CLEAN, cwd=self.dir,
                           stdin=subprocess.DEVNULL, capture_output=True,
                           text=True, errors="replace", timeout=120)
        if good and r.returncode != 0:
            raise Failed(f"prof {' '.join(map(str, args))}: exit "
                         f"{r.returncode}: {r.stderr[-500:]}")
        return r

    def files(self, profdir="profs"):
        """Profiles, not what stands there for processes to come."""
        d = os.path.join(self.dir, profdir)
        return sorted(os.path.join(d, f) for f in os.listdir(d)
                      if not f.startswith(".libmon."))

    def profiles(self, profdir="profs", files=None):
        """All profiles there, each verified."""
        files = self.files(profdir) if files is None else files
        if not files:
            return []
        for f in files:
            if not os.path.exists(f):
                raise Failed(f"{f}: wanted a profile, there is none")
        self.count += 1
        check = self.prof("--check", *files, good=False)
        if check.returncode != 0:
            self.fail("prof --check", "every file whole",
                      (check.stdout + check.stderr)[-500:])
        found = {f: {} for f in files}
        text = self.prof("--info", "--csv", *files, good=False).stdout
        for row in csv.DictReader(text.splitlines(True)):
            found[row["file"]][row["key"]] = row["value"]
        return [Profile(f, i) for f, i in found.items()]

    def profile(self, program=None, pid=None, profdir="profs"):
        """The one profile of this program or process."""
        p = [p for p in self.profiles(profdir)
             if (program is None or
                 f".{os.path.basename(program)[:15]}" in p.name) and
             (pid is None or p.pid == pid)]
        if len(p) != 1:
            raise Failed(f"profiles of {program or pid}: wanted one, got "
                         f"{[x.name for x in p]} of {self.files(profdir)}")
        return p[0]

    def calls(self, names, *files):
        """How often these functions were called, by the profiles."""
        rows = self.rows(*(files or self.files()))
        return {name: sum(int(r["calls"] or 0) for r in rows
                          if r["function"] == name) for name in names}

    def folded(self, *options):
        """{path: seconds} of the profile here, a path outermost first."""
        out = os.path.join(self.dir, "folded")
        self.prof("--write=folded", "-o", out, *options, *self.files())
        paths = collections.Counter()
        with open(out) as f:
            for line in f:
                path, us = line.rsplit(" ", 1)
                paths[tuple(path.split(";"))] += int(us) / 1e6
        return paths

    def rows(self, *args):
        """`prof --csv` as a list of dictionaries."""
        return list(csv.DictReader(
            self.prof("--csv", *args).stdout.splitlines(True)))


def below_head(text):
    """Return a report without the lines that say what it is of."""
    return text.split("\n\n", 1)[1]


def told_calls(run):
    """Return the calls that a program (tests/load/calls.c) says it made."""
    lines = (line.split() for line in run.out.decode().splitlines()
             if not line.startswith("#"))
    return {name: int(n) for name, n in lines if int(n) != 0}


def stored(t, what, cpu, low, profdir="profs", files=None):
    """At least `low` of the CPU time is there; what is missing is counted."""
    profiles = t.profiles(profdir, files)
    if not t.true(f"{what}: files", profiles, "one", profiles):
        return None
    seen = sum(p.seconds for p in profiles)
    t.between(f"{what}: seconds ({profiles[0].describe()})",
              low * cpu - 0.012, seen, 1.02 * cpu + 0.008)
    return profiles


def placed(paths):
    """Return the paths whose time has a place in the code."""
    return {p: s for p, s in paths.items() if p[0] not in NO_PLACE}


def lots(tick, cpu, share=0.01):
    """Beside a fine clock, kernel time in calls is drawn by the coarse one:
    4 sigma of it.  Workloads that burn are less than 1 % in calls."""
    return 4 * tick * (share * cpu / tick) ** 0.5


def need_file(path):
    if not os.path.exists(path):
        raise Skip(f"{path} is not built")


def case(function):
    CASES.append(function)
    return function


def long_case(function):
    """Only in the long form."""
    if LONG:
        CASES.append(function)
    return function


def attempt(function):
    """Run a case in a directory of its own; return it and why it was skipped,
    if it was."""
    directory = tempfile.mkdtemp(prefix=f"mon-{function.__name__}-")
    os.chmod(directory, 0o755)
    c, reason = Case(function.__name__, directory), ""
    try:
        function(c)
        if c.count == 0:
            raise RuntimeError("the case looked at nothing")
    except Skip as e:
        reason = str(e)
    except Failed as e:
        c.failures.append(str(e))
        c.measured = False
    except Exception:   # a fault of the case, which must not end the others
        c.failures.append(traceback.format_exc())
        c.measured = False
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    return c, reason


def run_case(number, function):
    """Run a case; return True, False, or None when it was skipped.  In the
    short form a case that fails by figures alone, not by an end, an output or
    a file, is run again, twice at most, and must then be right; the log keeps
    what was measured.  In the long form it fails at once."""
    began = time.monotonic()
    c, reason = attempt(function)
    for _ in range(pick(2, 0)):
        if c.failures and c.measured:
            print(comment("measured again: " + "\n".join(c.failures)), end="")
            c, reason = attempt(function)
    took = time.monotonic() - began
    name = function.__name__.replace("_", " ")
    if c.failures:
        print(f"not ok {number} - {name} ({took:.1f} s)")
        print(comment("\n".join(c.failures)), end="", flush=True)
        return False
    if reason:
        print(f"ok {number} - {name} # SKIP {reason}", flush=True)
        return None
    print(f"ok {number} - {name} ({took:.1f} s)", flush=True)
    return True


def main():
    # A shell ignores it in what it starts behind itself, and so would all
    # that is tested.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(99))
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)     # PR_SET_CHILD_SUBREAPER
    wanted = [a for a in sys.argv[1:] if not a.startswith("-")]
    chosen = [c for c in CASES if not wanted or c.__name__ in wanted]
    if "-l" in sys.argv:
        print("\n".join(c.__name__ for c in CASES))
        return
    print(f"1..{len(chosen)}")
    results = [run_case(i + 1, c) for i, c in enumerate(chosen)]
    if False in results:
        sys.exit(1)
    sys.exit(0 if True in results else 77)
