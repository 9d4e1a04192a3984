#!/usr/bin/env python3
# Context: O.  prof record: one command runs a program as it runs by itself,
# records it, and says what there is and what to type next.
import os
import re
import signal
import subprocess
import time

from harness import (CLEAN, LIB, PROF, SOURCES, Skip, case, load, main, need,
                     need_file)


def record(t, *args, env=None, cwd=None, **how):
    need_file(PROF)
    return subprocess.run([PROF, "record", *map(str, args)],
                          env={**CLEAN, **(env or {})}, cwd=cwd or t.dir,
                          stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=120, **how)


def at(t, *parts):
    return os.path.join(t.dir, *parts)


@case
def says_what_there_is(t):
    """Three lines on standard error; standard output is the command's."""
    bare = subprocess.run([load("shares"), "0.3"], env=CLEAN,
                          capture_output=True, text=True)
    r = record(t, load("shares"), 0.3)
    t.equal("status", bare.returncode, r.returncode)
    t.equal("lines of output", len(bare.stdout.split("\n")),
            len(r.stdout.split("\n")))
    lines = r.stderr.splitlines()
    t.equal("lines", 3, len(lines))
    t.true("first", re.fullmatch(
        r"prof: [\d.]+ s elapsed, [\d.]+ s CPU \([\d.]+ cores\), \d+ samples "
        r"of 1 process, nothing lost", lines[0]), "what was recorded", lines[0])
    t.equal("second", "prof: the profile is mon.out.d", lines[1])
    t.true("third", lines[2].startswith("prof: to see it: prof"),
           "what to type", lines[2])
    t.equal("profiles", 1, len(t.files("mon.out.d")))
    t.true("prof finds it", "part_a" in t.prof().stdout, "part_a",
           t.prof().stdout)


@case
def ends_as_the_command_does(t):
    for status in (0, 3, 255):
        r = record(t, "sh", "-c", f"exit {status}")
        t.equal(f"exit {status}", status, r.returncode)
    r = record(t, "sh", "-c", "kill -TERM $$")
    t.equal("by a signal", 128 + signal.SIGTERM, r.returncode)


@case
def keeps_the_last_run(t):
    """The run before is mon.out.d.old; nothing but profiles is removed."""
    names = []
    for i in range(3):
        record(t, load("kinds"), "burn", 0.05)
        names.append(os.listdir(at(t, "mon.out.d"))[0])
    t.equal("now", names[2:], os.listdir(at(t, "mon.out.d")))
    t.equal("before", names[1:2], os.listdir(at(t, "mon.out.d.old")))
    with open(at(t, "mon.out.d.old", "notes"), "w") as f:
        f.write("mine\n")
    r = record(t, load("kinds"), "burn", 0.05)
    t.equal("status", 1, r.returncode)
    t.true("one line", r.stderr.count("\n") == 1 and
           "mon.out.d.old" in r.stderr and "--output" in r.stderr,
           "the place and the remedy", r.stderr)
    t.equal("untouched", {names[1], "notes"},
            set(os.listdir(at(t, "mon.out.d.old"))))


@case
def keeps_all_runs_without_a_place(t):
    """Where no new directory can be made, those of before stay as they were."""
    for i in range(2):
        record(t, load("kinds"), "burn", 0.05)
        record(t, "-o", "one", load("kinds"), "burn", 0.05)

    def there():
        return {x: (os.stat(at(t, x)).st_ino, os.path.isdir(at(t, x)) and
                    os.listdir(at(t, x))) for x in os.listdir(t.dir)}

    before = there()
    t.equal("two runs each", {"mon.out.d", "mon.out.d.old", "one", "one.old"},
            set(before))
    for args in ([], ["-o", "one"]):
        r = subprocess.run(
            [load("deny"), "mkdir=ENOSPC", "--", PROF, "record", *args, "true"],
            env=CLEAN, cwd=t.dir, capture_output=True, text=True)
        t.equal(f"{args}: status", 1, r.returncode)
        t.true(f"{args}: why", "No space left on device" in r.stderr and
               r.stderr.count("\n") == 1, "one line", r.stderr)
        t.equal(f"{args}: what is there", before, there())


@case
def last_words_have_defaults(t):
    """--html and --diff as the last word: mon.html, and the run before."""
    record(t, load("kinds"), "burn", 0.05)
    r = t.prof("--diff", good=False)
    t.equal("no run before", (1, "prof: there is no earlier run to compare "
                              "with; run prof record once more, or name one: "
                              "--diff=OLD\n"), (r.returncode, r.stderr))
    record(t, load("kinds"), "burn", 0.05)
    t.equal("names the page", "prof: the page is mon.html\n",
            t.prof("--html").stderr)
    with open(at(t, "mon.html")) as f:
        t.true("a page", f.read(15).lower() == "<!doctype html>", "a page",
               "another file")
    r = t.prof("--diff")
    t.equal("the run before", t.prof("--diff=mon.out.d.old").stdout, r.stdout)
    t.equal("a value as before", 0, t.prof("--html", "x.html").returncode)
    t.true("x.html", os.path.exists(at(t, "x.html")), "a page", "none")


@case
def shows_all_processes(t):
    """In a directory each process is a run of its own; prof shows them all."""
    r = record(t, "sh", "-c", f"for i in 1 2 3; do {load('kinds')} burn 0.05; "
               "done")
    said = int(re.search(r"of (\d+) process", r.stderr)[1])
    t.true("the shell's children", said >= 3, "3 or more", r.stderr)
    t.equal("processes", said, len({x["process"] for x in t.rows(
        "--by=process") if x["process"]}))
    subprocess.run([load("kinds"), "burn", "0.05"], cwd=t.dir, check=True,
                   stdout=subprocess.DEVNULL,
                   env={**CLEAN, "LD_PRELOAD": LIB})
    t.equal("a later mon.out", 1, len({x["process"] for x in t.rows(
        "--by=process") if x["process"]}))


@case
def keeps_runs_apart(t):
    """No two runs write to one directory at once, and the summary is of one."""
    p = subprocess.Popen([PROF, "record", "sleep", "3"], cwd=t.dir,
                         env=CLEAN, stderr=subprocess.DEVNULL)
    try:
        while not os.path.isdir(at(t, "mon.out.d")):
            time.sleep(0.01)
        time.sleep(0.2)
        for args in ([], ["-o", "mon.out.d"]):
            r = record(t, *args, load("kinds"), "burn", 0.05)
            t.equal(f"{args}", (1, 1), (r.returncode,
                                        r.stderr.count("\n")))
            t.true(f"{args}: why", "another prof record" in r.stderr, "who",
                   r.stderr)
    finally:
        p.kill()
        p.wait()
    for i in range(2):
        r = record(t, "-o", "both/", load("kinds"), "burn", 0.05)
        t.true(f"run {i}", " of 1 process," in r.stderr, "itself", r.stderr)
    t.equal("files", 2, len(os.listdir(at(t, "both"))))


@case
def leaves_a_directory_of_the_user(t):
    os.mkdir(at(t, "mon.out.d"))
    with open(at(t, "mon.out.d", "notes"), "w") as f:
        f.write("mine\n")
    r = record(t, load("kinds"), "burn", 0.05)
    t.equal("refused", (1, 1), (r.returncode, r.stderr.count("\n")))
    t.equal("not renamed", ["mon.out.d"], os.listdir(t.dir))
    os.rename(at(t, "mon.out.d"), at(t, "own"))
    os.symlink("own", at(t, "mon.out.d"))
    r = record(t, load("kinds"), "burn", 0.05)
    t.equal("a link: refused", (1, 1), (r.returncode, r.stderr.count("\n")))
    t.equal("a link: not renamed", {"mon.out.d", "own"},
            set(os.listdir(t.dir)))


@case
def writes_where_it_is_told(t):
    burn = [load("kinds"), "burn", 0.05]
    record(t, "-o", "one", *burn)
    t.true("a file", os.path.isfile(at(t, "one")), "a file", "none")
    record(t, "-o", "one", "sh", "-c", f"{burn[0]} burn 0.05; {burn[0]} burn "
           "0.05; :")
    t.true("a directory for several", os.path.isdir(at(t, "one")) and
           os.path.isfile(at(t, "one.old")), "one/, one.old",
           os.listdir(t.dir))
    record(t, "-o", "dir/", *burn)
    record(t, "-o", "dir", *burn)
    t.equal("a directory that is there", 2, len(os.listdir(at(t, "dir"))))
    with open(at(t, "text"), "w") as f:
        f.write("mine\n")
    r = record(t, "-o", "text", *burn)
    with open(at(t, "text")) as f:
        t.equal("not overwritten", ("mine\n", 1), (f.read(), r.returncode))


@case
def modes_join(t):
    r = record(t, "--heap", "-o", "h/", "python3", "-c",
               "x = [bytes(1000) for i in range(10000)]")
    t.true("allocations", re.search(r"\d+ allocations, [\d.]+[KMG]? at the peak",
                                    r.stderr) and "samples" not in r.stderr,
           "allocations alone", r.stderr)
    r = record(t, "--heap", "--wall", "-o", "hw/", "python3", "-c",
               "import time; time.sleep(0.3)")
    t.true("both", re.search(r"s CPU .*, [1-9]\d* samples, [1-9]\d* "
                             r"allocations, ", r.stderr) and
           "--asleep" in r.stderr, "samples, allocations, sleep", r.stderr)
    r = record(t, "--heap", "--set=clock=wall", "-o", "hs/", "python3", "-c",
               "x = sum(range(9000000))")
    t.true("a key of the CPU time counts it, too", "samples" in r.stderr and
           "allocations" in r.stderr, "samples, allocations", r.stderr)
    t.true("the command as a shell reads it", " -c 'import time; "
           "time.sleep(0.3)'\n" in t.prof("hw").stdout, "quotes",
           t.prof("hw").stdout[:200])
    r = record(t, "--set", "exclude=sh", "--children=no", "-o", "c/", "sh",
               "-c", f"{load('kinds')} burn 0.1; :")
    t.equal("nothing of sh or its children", [],
            os.listdir(at(t, "c")) if os.path.isdir(at(t, "c")) else [])


@case
def writes_a_page(t):
    """One, which has all kinds of numbers."""
    def title(name):
        with open(at(t, name)) as f:
            return ", ".join(re.findall(r'"title":"([^"]*)"', f.read()))
    record(t, "--html=page.html", load("kinds"), "burn", 0.1)
    t.equal("time", "kinds: CPU time", title("page.html"))
    record(t, "--heap", "--html=heap.html", load("heaps"), "paths", 25, 1)
    t.equal("heap", "heaps: allocations", title("heap.html"))
    record(t, "--heap", "--wall", "--html", "-o", "all/", "python3", "-c",
           "import time; time.sleep(0.3); x = sum(range(3000000))")
    m = re.fullmatch(r"(\S+): CPU time, (\S+): allocations",
                     title("mon.html"))
    t.true("both", m and m[1] == m[2], "time and allocations",
           title("mon.html"))
    with open(at(t, "mon.html")) as f:
        t.true("sleep", 'data-times="cpu asleep both"' in f.read(), "too",
               title("mon.html"))
    t.equal("one page", ["mon.html"], [x for x in os.listdir(at(t, "."))
                                       if x.startswith("mon") and
                                       x.endswith(".html")])


@case
def says_which_signal_ended_it(t):
    r = record(t, load("kinds"), "burn", 0.1)
    t.true("none", "signal" not in r.stderr, "no word", r.stderr)
    r = record(t, "sh", "-c", "kill -SEGV $$")
    t.true("SEGV", r.stderr.startswith("prof: sh was ended by signal 11 "),
           "its name", r.stderr)


@case
def takes_every_key(t):
    """--set accepts the keys that libmon.so parses, and no others."""
    with open(os.path.join(SOURCES, "../../core/runtime/options/"
                           "option_table.c")) as f:
        keys = set(re.findall(r'^\t\{"(\w+)", OPTION_', f.read(), re.M))
    t.true("keys", len(keys) > 15, "some", keys)
    for key in sorted(keys - {"dir", "file", "mode"}):
        heap = ["--heap"] if key.startswith("heap") else []
        r = record(t, *heap, f"--set={key}=", "nosuch-program")
        t.equal(key, 127, r.returncode)
    r = record(t, "--set=clock=wal", "--set=hz=0", load("kinds"), "burn", 0.05)
    t.equal("wrong values", (2, [
        "prof: clock=wal: is not known to libmon.so; wanted cpu or wall",
        "prof: hz=0: is not known to libmon.so; wanted auto or 1 to 20000"],
        []), (r.returncode, r.stderr.splitlines(), os.listdir(t.dir)))
    for key in ("dir", "file", "mode", "colour"):
        r = record(t, f"--set={key}=x", "nosuch-program")
        t.equal(key, (2, 1), (r.returncode, r.stderr.count("\n")))


@case
def programs_that_cannot_load_it(t):
    """The kernel samples a static program; others are named with a remedy."""
    with open(at(t, "s.c"), "w") as f:
        f.write("int main(void) { for (volatile long i = 0; i < 300000000; "
                "i++); return 4; }\n")
    cc = need(os.environ.get("CC", "cc").split()[0])
    if subprocess.run([cc, "-static", "-O1", "-o", "s", "s.c"], cwd=t.dir,
                      capture_output=True).returncode != 0:
        raise Skip("no static libc")
    r = record(t, "./s")
    if "cannot" in r.stderr and "perf" in r.stderr:
        raise Skip(f"no perf events: {r.stderr}")
    t.equal("status", 4, r.returncode)
    t.true("says why", "statically linked" in r.stderr, "why", r.stderr)
    t.true("its function", "main" in t.prof().stdout, "main", t.prof().stdout)
    for option in ("--heap", "--log", "--children=no", "--set=depth=9"):
        r = record(t, option, "./s")
        t.equal(f"no {option}", (2, 1), (r.returncode,
                                         r.stderr.count("\n")))


@case
def wrong_use(t):
    """One line each, and nothing is run or made."""
    for args, status in ((["nosuch-program"], 127), (["./here"], 126),
                         ([], 2), (["--hz=x", "true"], 2),
                         (["--set", "hz", "true"], 2),
                         (["--set", "dir=x", "true"], 2),
                         (["--children=maybe", "true"], 2),
                         (["--html=", "true"], 2),
                         (["--output=", "true"], 2), (["-o", "", "true"], 2),
                         (["--set=heap=all", "true"], 2),
                         (["--set=heapsize=8m", "true"], 2)):
        with open(at(t, "here"), "w") as f:
            f.write("#!/bin/sh\n")
        r = record(t, *args)
        t.equal(f"{args}: status", status, r.returncode)
        t.equal(f"{args}: lines", 1, r.stderr.count("\n"))
        t.equal(f"{args}: nothing made", ["here"], os.listdir(t.dir))
    t.true("help", "--heap" in record(t, "--help").stdout, "options", "none")


main()
