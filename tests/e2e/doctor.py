#!/usr/bin/env python3
# Context: O.  prof doctor: what it says of this machine holds, and what it says
# where things are missing, refused or broken.
import os
import re
import shutil
import subprocess
import sys

from harness import CLEAN, LIB, PROF, ROOT, Skip, case, load, main, need, need_file

# Runs the rest of the words under a seccomp filter that refuses one call.
REFUSE = """
import ctypes, os, struct, sys
call = int(sys.argv[1])
code = b"".join(struct.pack("HBBI", *x) for x in (
    (0x20, 0, 0, 0), (0x15, 0, 1, call), (0x06, 0, 0, 0x00050001),
    (0x06, 0, 0, 0x7fff0000)))
text = ctypes.create_string_buffer(code, len(code))
prog = ctypes.create_string_buffer(struct.pack(
    "HxxxxxxP", len(code) // 8, ctypes.addressof(text)))
libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, prog, 0, 0):
    sys.exit(77)
os.execv(sys.argv[2], sys.argv[2:])
"""


def doctor(t, *before, prof=PROF, cwd=None, **env):
    need_file(PROF)
    need_file(LIB)
    return subprocess.run([*before, prof, "doctor"], env={**CLEAN, **env},
                          cwd=cwd or t.dir, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=60)


def findings(text):
    """{subject: (state, text)} of the lines."""
    return {m[2].strip(): (m[1], m[3]) for m in re.finditer(
        r"^(ok|less|FAILS) +(.{15})  (.*)$", text, re.M)}


def place(t, library):
    """A directory with prof, and with this text as its libmon.so."""
    at = os.path.join(t.dir, "place")
    os.makedirs(os.path.join(at, ".libs"), exist_ok=True)
    prof = shutil.copy(PROF, at)
    to = os.path.join(at, ".libs", "libmon.so")
    if library is None:
        return prof
    source = os.path.join(t.dir, "lib.c")
    with open(source, "w") as f:
        f.write(library)
    subprocess.run([need("gcc"), "-shared", "-fPIC", "-o", to, source],
                   env=CLEAN, check=True)
    return prof


@case
def says_what_works(t):
    r = doctor(t)
    found = findings(r.stdout)
    t.equal("status", 0, r.returncode)
    t.equal("stderr", "", r.stderr)
    t.equal("library", ("ok", os.path.realpath(LIB)), found["libmon.so"])
    for what in "preloading", "directory", "/proc":
        t.equal(what, "ok", found[what][0])
    t.true("the last line", r.stdout.endswith(
        "\nPrograms can be recorded: prof record COMMAND\n"), "so", r.stdout)
    t.equal("nothing is left", [], os.listdir(t.dir))
    t.true("each shortcoming has a remedy", all(
        "-> " in after for state, after in re.findall(
            r"^(less|FAILS) .*\n(.*)$", r.stdout, re.M)), "so", r.stdout)
    events = found["perf_event_open"]
    paranoid = "/proc/sys/kernel/perf_event_paranoid"
    if ROOT and os.path.exists(paranoid) and "machine" in events[1]:
        t.equal("events", "ok", events[0])


@case
def a_library_that_is_broken(t):
    for text, said in (
            ("int nothing;", "ran, and left no profile"),
            ("#include <stdlib.h>\n__attribute__((constructor)) static void "
             "die(void) { abort(); }", "died"),
            ("#include <unistd.h>\n__attribute__((constructor)) static void "
             "end(void) { _exit(3); }", "failed when it was preloaded")):
        r = doctor(t, prof=place(t, text))
        state, found = findings(r.stdout)["preloading"]
        t.equal(f"{said}: status", 1, r.returncode)
        t.equal(f"{said}: state", "FAILS", state)
        t.true(said, said in found, said, found)
        t.true(f"{said}: the last line", r.stdout.endswith(
            "\nPrograms cannot be recorded here.\n"), "so", r.stdout)


@case
def no_process_to_try_it_with(t):
    """The library is not blamed where no program could be started."""
    r = doctor(t, load("deny"), "clone=EAGAIN", "--")
    found = findings(r.stdout)
    t.equal("status", 1, r.returncode)
    t.equal("preloading", ("FAILS", "no process or no memory to try it with"),
            found["preloading"])
    t.true("remedy", "ulimit -u" in r.stdout, "ulimit -u", r.stdout)


@case
def no_library(t):
    r = doctor(t, prof=place(t, None))
    found = findings(r.stdout)
    if found["libmon.so"][0] == "ok":
        raise Skip("libmon is installed here")
    t.equal("status", 1, r.returncode)
    t.true("remedy", "install libmon" in r.stdout, "install libmon", r.stdout)
    t.true("nothing is tried", "preloading" not in found, "no line", found)
    said = r.stdout.partition("libmon.so ")[2].partition("\nok ")[0]
    t.true("of prof, not of tprof", "tprof" not in said, "no tprof", said)


@case
def no_place_for_profiles(t):
    r = doctor(t, PROFDIR="/nonexistent/x")
    t.equal("PROFDIR: status", 1, r.returncode)
    t.true("PROFDIR", "PROFDIR=/nonexistent/x" in
           findings(r.stdout)["directory"][1], "named", r.stdout)
    r = doctor(t, PROFDIR=t.dir)
    t.equal("a good PROFDIR", (0, "ok"),
            (r.returncode, findings(r.stdout)["directory"][0]))
    r = doctor(t, cwd="/proc")
    t.equal("the current directory", (1, "FAILS"),
            (r.returncode, findings(r.stdout)["directory"][0]))


@case
def perf_events_refused_by_seccomp(t):
    numbers = {"x86_64": 298, "aarch64": 241}
    number = numbers.get(os.uname().machine)
    if number is None:
        raise Skip("the number of perf_event_open is not known here")
    r = doctor(t, sys.executable, "-c", REFUSE, str(number))
    if r.returncode == 77:
        raise Skip("no seccomp filter can be set here")
    found = findings(r.stdout)
    t.equal("recording works", 0, r.returncode)
    t.equal("events", ("less", "is refused: Operation not permitted"),
            found["perf_event_open"])
    t.true("remedy", "a seccomp filter is on" in r.stdout or
           "perf_event_paranoid=2" in r.stdout, "one", r.stdout)
    t.equal("fine clock", "less", found["fine clock"][0])
    t.true("fine clock: why", "seccomp" in found["fine clock"][1] or
           "refused" in found["fine clock"][1], "why", found["fine clock"])


@case
def without_proc(t):
    if not ROOT:
        raise Skip("only root can unmount /proc")
    r = doctor(t, need("unshare"), "-m", "sh", "-c",
               "umount -l /proc && exec \"$@\"", "sh")
    if "umount" in r.stderr:
        raise Skip(f"/proc cannot be unmounted: {r.stderr}")
    found = findings(r.stdout)
    t.equal("/proc", "less", found["/proc"][0])
    t.equal("kernel names", "less", found["kernel names"][0])
    t.equal("status", int(found["libmon.so"][0] != "ok"), r.returncode)


@case
def wrong_use(t):
    for words, line in (
            (["x"], "prof doctor: x: it takes no file or command; use prof "
                    "doctor alone\n"),
            (["--hlep"], "prof doctor: unknown option --hlep; did you mean "
                         "--help?\n"),
            (["-x"], "prof doctor: unknown option -x; prof doctor --help "
                     "lists them\n")):
        r = subprocess.run([PROF, "doctor", *words], env=CLEAN, cwd=t.dir,
                           capture_output=True, text=True)
        t.equal(f"{words}", (2, "", line), (r.returncode, r.stdout, r.stderr))
    for word in "--help", "-h":
        r = subprocess.run([PROF, "doctor", word], env=CLEAN, cwd=t.dir,
                           capture_output=True, text=True)
        t.equal(f"{word}: status, errors", (0, ""), (r.returncode, r.stderr))
        t.true(word, r.stdout.startswith("usage: prof doctor\n"), "usage",
               r.stdout)
    with open(os.path.join(t.dir, "doctor"), "w") as f:
        f.write("x\n")
    r = subprocess.run([PROF, "doctor"], env=CLEAN, cwd=t.dir,
                       capture_output=True, text=True)
    t.true("a file of that name is shown", "not a profile" in r.stderr or
           "doctor:" in r.stderr, "an error of the file", r.stderr)


if __name__ == "__main__":
    main()
