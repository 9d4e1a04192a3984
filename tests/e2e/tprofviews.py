#!/usr/bin/env python3
# Context: O.  Tests of tprof.out and its views: events, names and stacks,
# damaged files, and shares beside those of perf(1).
import collections
import csv
import os
import re
import shutil
import signal
import subprocess
import time

from harness import CLEAN, PROF, ROOT, SOURCES, Skip, case, main, need, pick
from recording import PERL, TPROF, burn, can, out, tprof, wait_for_work
import tprofout


@case
def events_and_periods(t):
    can(t)
    r = tprof(t, "monitor", "-b", "kernel", "--tree", "-e", "cpu-clock",
              "-e", "page-faults,=1", "-e", "cs,=1", *burn(0.5))
    t.equal("status", 0, r.returncode)
    o = out(t)
    t.equal("events", ["cpu-clock", "page-faults", "cs"],
            [o.events[i][0] for i in sorted(o.events)])
    of = collections.Counter(s.event for s in o.samples)
    faults = sum(v for (e, _), v in o.counts.items() if e == 1)
    t.figure("faults are sampled each", faults > 100, "over 100", faults)
    t.equal("and all are there", faults, of[1])
    r = tprof(t, "monitor", "-b", "kernel", "-e", "cpu-clock:u,2", *burn(0.3))
    t.equal(":u: kernel samples", 0, sum(s.kernel for s in out(t).samples))


@case
def stacks_of_copies(t):
    """Callers of code without frame pointers, to the outer end."""
    can(t, "--stacks=copy")
    exe = os.path.join(t.dir, "stacks")
    subprocess.run([need("gcc"), "-O2", "-fomit-frame-pointer", "-pthread",
                    "-o", exe, os.path.join(SOURCES, "stacks.c")], check=True)
    r = tprof(t, "monitor", "-b", "kernel", "--tree", "--stacks=copy", exe,
              "work", "26")
    t.equal("status", 0, r.returncode)
    o = out(t)
    user = [s for s in o.samples if not s.kernel and o.module(s) == exe]
    t.figure("samples", len(user) > 100, "over 100", len(user))
    deep = sorted(o.depth(s) for s in user)
    t.between("functions", 27, deep[len(deep) // 2], 34)
    cut = [s for s in user if o.is_cut(s)]
    t.figure("cut", len(cut) <= len(user) / 100, "at most 1 %", len(cut))


@case
def cut_anywhere(t):
    """Each reader has what is before the cut, and says that it was cut."""
    can(t)
    tprof(t, "monitor", "-b", "kernel", "--tree", *burn(0.3))
    with open(os.path.join(t.dir, "tprof.out"), "rb") as f:
        data = f.read()
    for i in range(0, 60):
        size = len(data) * i // 60 + i % 24
        wanted = len(tprofout.Out(data[:size]).samples)
        with open(os.path.join(t.dir, "cut"), "wb") as f:
            f.write(data[:size])
        r = tprof(t, "analyze", "-CLP", "cut")
        got = re.search(r"^Number of samples: (\d+)$", r.stdout, re.MULTILINE)
        if wanted:
            t.equal(f"{size} bytes: status", 0, r.returncode)
            t.equal(f"{size} bytes: samples", str(wanted),
                    got and got[1])
        r = subprocess.run([PROF, "cut"], cwd=t.dir, env=CLEAN, text=True,
                           capture_output=True)
        t.true(f"{size} bytes: prof lives", r.returncode in (0, 1), "0 or 1",
               r.returncode)
        if wanted:
            t.true(f"{size} bytes: it says so", "cut short" in r.stdout,
                   "cut short", r.stdout[-300:])


@case
def names_of_a_kernel_that_is_gone(t):
    """A run of two seconds stores those of the kernel."""
    can(t)
    if not ROOT:
        raise Skip("the kernel is not to be seen")
    tprof(t, "monitor", "-b", "kernel", "--tree", need("python3"), "-c",
          "import os,time\ne=time.monotonic()+2.2\n"
          "while time.monotonic()<e: os.stat('/proc/self/maps')\n")
    o = out(t)
    t.true("stored", len(o.names) > 20, "over 20", len(o.names))
    with open(os.path.join(t.dir, "tprof.out"), "rb") as f:
        data = tprofout.of_another_boot(f.read())
    with open(os.path.join(t.dir, "gone.out"), "wb") as f:
        f.write(data)
    here, gone = (own_shares(t, name) for name in ("tprof.out", "gone.out"))
    named = [x for x, s in here.most_common(30) if x in o.names.values()]
    t.true("there are some", len(named) > 5, "over 5", named)
    for name in named:
        t.near(name, here[name], gone[name], 1e-6)


@case
def a_newline_in_a_path_makes_no_module_more(t):
    """One process was there before, and its map is read; one is told."""
    can(t)
    if not ROOT:
        raise Skip("only root sees all processes")
    work = [shutil.copy(need("perl"), os.path.join(t.dir, "a\nb")), *PERL[1:]]
    before = subprocess.Popen(work[:2] + ["$x++ while 1"], env=CLEAN)
    try:
        r = tprof(t, "monitor", "-b", "kernel", "-e", "cpu-clock", *work)
    finally:
        before.kill()
        before.wait()
    t.equal("status", 0, r.returncode)
    o = out(t)
    own = [m for m in o.modules if m and "/a" in m and m.startswith(t.dir)]
    # A file known by build-id alone, before the other was read, is listed
    # twice.
    t.equal("paths", {os.path.join(t.dir, "a\\012b")}, set(own))
    t.equal("modules", ["a\\012b"],
            [r["module"] for r in csv.DictReader(t.prof(
                "--csv", "--by=module", "--module=a*b*",
                os.path.join(t.dir, "tprof.out")).stdout.splitlines(True))])
    t.true("both are in it", before.pid in (pids := {
        s.pid for s in o.samples if o.module(s) in own}) and len(pids) > 1,
        "two processes", pids)
    info = t.prof("--info", os.path.join(t.dir, "tprof.out")).stdout
    t.true("its file was read", re.search(
        r"a\\012b\nmodule\.\d+\.build_id=.", info), "a build-id", own)


@case
def a_program_of_a_chroot_has_names(t):
    """It has ended when it is shown: its file is found by its path here."""
    can(t, "--tree")
    if not ROOT:
        raise Skip("only root can chroot")
    root = os.path.join(t.dir, "root")
    os.mkdir(root)
    source = os.path.join(t.dir, "prog.c")
    with open(source, "w") as f:
        f.write("#include <time.h>\nstatic void spin(void) { "
                "for (volatile long i = 0; i < 1000000; i++); }\n"
                "int main(void) { while (clock() < 1500000) spin(); "
                "return 0; }\n")
    if subprocess.run([need("gcc"), "-static", "-O1", "-fno-inline", "-o",
                       os.path.join(root, "prog"), source],
                      env=CLEAN).returncode != 0:
        raise Skip("nothing can be linked statically here")
    r = tprof(t, "monitor", "-b", "kernel", "-e", "cpu-clock", "--tree",
              need("chroot"), root, "/prog")
    t.equal("status", 0, r.returncode)
    t.true("its path", os.path.join(root, "prog") in out(t).modules,
           root, out(t).modules)
    t.figure("its function", own_shares(t)["spin"] > 0, "spin", own_shares(t))


@case
def all_views_of_one(t):
    can(t, "--stacks=copy")
    tprof(t, "monitor", "-b", "kernel", "--tree", "--stacks=copy", *burn(1))
    o = out(t)
    for args in ([], ["--tree"], ["--callers"], ["--graph"], ["--by=thread"],
                 ["--by=process,module"], ["--lines"], ["--json"],
                 ["--html=page.html"], ["--write=folded", "-o", "x.folded"], ["--write=pprof",
                 "-o", "x.pb.gz"], ["--write=firefox", "-o", "x.json"],
                 ["--write=perf", "-o", "x.perf"], ["--write=speedscope",
                 "-o", "x.speed"], ["--write=callgrind", "-o", "x.cg"],
                 ["--diff", "tprof.out"]):
        r = subprocess.run([PROF, *args, "tprof.out"], cwd=t.dir, env=CLEAN,
                           capture_output=True, text=True)
        t.equal(f"{args}: {r.stderr}", 0, r.returncode)
    r = subprocess.run([PROF, "--csv", "tprof.out"], cwd=t.dir, env=CLEAN,
                       capture_output=True, text=True)
    seconds = sum(float(x["seconds"])
                  for x in csv.DictReader(r.stdout.splitlines()))
    t.near("the sum", sum(s.weight for s in o.samples) / 1e9, seconds, 1e-3)


def one_name(name):
    """glibc has one code by both names, and each tool takes one."""
    return name.replace("memmove", "memcpy")


def perf_shares(t):
    r = subprocess.run([need("perf"), "script", "-i", "perf.data", "-F",
                        "comm,ip,sym"], cwd=t.dir, capture_output=True,
                       text=True, env=CLEAN)
    of = collections.Counter()
    for line in r.stdout.splitlines():
        m = re.match(r"\s*(.*?)\s+([0-9a-f]+) (.*)$", line)
        if m and not m[1].startswith("swapper"):
            of[one_name(re.sub(r"\+0x[0-9a-f]+$", "", m[3]))] += 1
    return of


def own_shares(t, name="tprof.out"):
    r = subprocess.run([PROF, "--csv", "--no-demangle", name],
                       cwd=t.dir, capture_output=True, text=True, env=CLEAN)
    of = collections.Counter()
    for x in csv.DictReader(r.stdout.splitlines()):
        of[one_name(x["function"])] += float(x["seconds"])
    return of


@case
def list_and_count(t):
    r = tprof(t, "list")
    t.equal("list: status", 0, r.returncode)
    for words in ("counters of the processor at once", "default event: ",
                  "\tpage-faults\n"):
        t.true("list", words in r.stdout, words, r.stdout)
    r = tprof(t, "count", "--tree", "-e", "page-faults", "-e", "cs", "-i",
              "0.3", *burn(1))
    if r.returncode == 1:
        raise Skip(r.stderr)
    t.equal("count: status", 0, r.returncode)
    tables = [x.splitlines() for x in r.stdout.strip().split("\n\n")]
    t.true("an interval each, and all", len(tables) >= 4, "at least 4",
           r.stdout)
    t.equal("the head", ["CPU   page-faults          cs",
                         "----- ----------- -----------"], tables[0][:2])
    sums = [sum(int(x.split()[1]) for x in table[2:]) for table in tables]
    t.figure("intervals are parts of all", sum(sums[:-1]) <= sums[-1] and
             sums[-1] > 100, "at most the last", sums)
    if "\tmsr/tsc/\n" in tprof(t, "list").stdout:
        r = tprof(t, "count", "-e", "msr/tsc/", "sleep", "0.2")
        t.equal("count of what knows no modes", 0, r.returncode)
        t.true("there is some", int(r.stdout.split()[-1]) > 1000000,
               "over 1000000", r.stdout)
    p = subprocess.Popen([TPROF, "count", "--tree", "-e", "cs", "sleep", "2"],
                         env=CLEAN, stdout=subprocess.PIPE, text=True)
    wait_for_work(p, 0)
    time.sleep(0.5)
    p.send_signal(signal.SIGUSR1)
    t.equal("SIGUSR1: one table more", 2,
            p.communicate(timeout=30)[0].count("CPU  "))


@case
def beside_perf(t):
    """Both at once, on one load: shares of what perf has on top."""
    can(t)
    if not ROOT:
        raise Skip("only root sees all processes")
    need("perf")
    seconds = str(pick(4, 20))
    loads = [subprocess.Popen(a, stdout=subprocess.DEVNULL, env=CLEAN)
             for a in ([need("perl"), "-e",
                        "$n{$_ % 9973}++ while $_++ < 1e12"],
                       ["sh", "-c",
                        "while :; do cat /proc/self/maps; done"])]
    try:
        time.sleep(0.5)
        theirs = subprocess.Popen(
            [need("perf"), "record", "-a", "-e", "cpu-clock", "-F", "997",
             "-o", "perf.data", "--", "sleep", seconds], cwd=t.dir,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            env=CLEAN)
        ours = tprof(t, "monitor", "-b", "kernel", "-e", "cpu-clock",
                     "sleep", seconds)
        said = theirs.communicate(timeout=120)[1]
    finally:
        for p in loads:
            p.kill()
            p.wait()
    if theirs.returncode != 0:
        raise Skip(f"perf refuses: {said.strip()[:200]}")
    t.equal("tprof: status", 0, ours.returncode)
    theirs, ours = perf_shares(t), own_shares(t)
    all_theirs, all_ours = sum(theirs.values()), sum(ours.values())
    t.near("samples of a second", all_theirs / 997, all_ours,
           0.15 * all_theirs / 997)
    for name, n in theirs.most_common(10):
        if name != "[unknown]":
            t.near(f"share of {name}", 100 * n / all_theirs,
                   100 * ours[name] / all_ours, 3)


if __name__ == "__main__":
    main()
