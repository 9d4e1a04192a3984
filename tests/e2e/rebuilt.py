#!/usr/bin/env python3
# Context: O.  prof record and prof --diff where a program was built again, or
# renamed, between two runs.
import os
import re
import subprocess

from harness import CLEAN, LIB, PROF, case, main, need_file


def record(t, *args):
    need_file(PROF)
    return subprocess.run([PROF, "record", *args], env=CLEAN, cwd=t.dir,
                          stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=120)


def at(t, name):
    return os.path.join(t.dir, name)


PROGRAM = """
static volatile unsigned long sum;
__attribute__((noinline)) void parse(void) MARK;
__attribute__((noinline)) void parse(void)
{ for (long i = 0; i < WORK; i++) sum += i; }
__attribute__((noinline)) void render(void)
{ for (long i = 0; i < WORK; i++) sum ^= i; }
int main(void) { for (int i = 0; i < 8; i++) { parse(); render(); } }
"""


def build_svc(t, name, mark="", work=10000000):
    with open(at(t, "svc.c"), "w") as f:
        f.write(PROGRAM.replace("MARK", mark and f'__asm__("{mark}")')
                .replace("WORK", str(work)))
    t.build(at(t, "svc.c"), at(t, name), "-O1", "-g")


def changes(t, *args):
    """{function: (module, seconds before, seconds now)} of the program."""
    return {r["function"]: (r["module"], float(r["before_seconds"]),
                            float(r["now_seconds"]))
            for r in t.rows("--diff", *args)
            if r["module"].startswith("svc")}


@case
def names_outlive_a_new_build(t):
    """prof record stores the names of a program, so that --diff has both."""
    build_svc(t, "svc")
    record(t, "./svc")
    build_svc(t, "svc", work=10000001)
    record(t, "./svc")
    for name in ("parse", "render"):
        t.true(f"{name} of the old run", name in
               t.prof("mon.out.d.old").stdout, name,
               t.prof("mon.out.d.old").stdout)
    # A rare sample of start-up code may have no name in either.
    got = {name: x for name, x in changes(t).items() if x[1] + x[2] > 0.02}
    t.equal("functions", {"parse", "render"}, set(got))
    for name, (_, before, now) in got.items():
        t.true(f"{name}: both runs", before > 0 and now > 0, "time in both",
               got)


@case
def lost_names_are_no_change(t):
    """A run by LD_PRELOAD stores no names: after a new build its functions are
    compared as one, and none has grown from nothing."""
    for directory, work in (("old", 10000000), ("new", 10000001)):
        build_svc(t, "svc", work=work)
        os.mkdir(at(t, directory))
        subprocess.run(["./svc"], cwd=t.dir, check=True, env={
            **CLEAN, "LD_PRELOAD": LIB, "PROFDIR": at(t, directory)})
    got = changes(t, at(t, "old"), at(t, "new"))
    t.equal("one line", {"[all functions of svc]"}, set(got))
    t.true("with the time of both", min(got.popitem()[1][1:]) > 0,
           "time in both", got)
    # On a busy machine the total may have grown.
    r = t.prof("--diff", "old", "--fail-over=5", "new", good=False)
    t.true("says why", "no names: " in r.stdout and "svc that ran is not there "
           "any more" in r.stdout, "the reason", r.stdout)
    t.true("no function grew", "parse" not in r.stderr, "none", r.stderr)


@case
def builds_are_compared_by_their_names(t):
    """Another name of the program, and the mark of a compiler's copy, do not
    matter."""
    build_svc(t, "svc")
    record(t, "./svc")
    build_svc(t, "svc2", "parse.isra.0")
    record(t, "./svc2")
    got = {name: x for name, x in changes(t).items() if x[1] + x[2] > 0.02}
    t.equal("functions", {"parse", "render"}, set(got))
    for name, (module, before, now) in got.items():
        t.true(f"{name}: both runs", module == "svc2" and before > 0 and
               now > 0, "time in both", got)
    t.true("says so", "program: svc2 is compared with svc" in
           t.prof("--diff").stdout, "both", t.prof("--diff").stdout)


@case
def names_of_many_processes(t):
    """Some profiles of a run with many processes get names, which is said."""
    build_svc(t, "svc", work=1500000)
    r = record(t, "--hz=10000", "sh", "-c",
               "for i in $(seq 70); do ./svc; done")
    said = re.search(r"names are stored in 64 of (\d+) profiles: prof --embed "
                     "mon.out.d", r.stderr)
    t.true("says it", said and 64 < int(said[1]) <= 70, "64 of up to 70",
           r.stderr)


main()
