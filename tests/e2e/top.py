#!/usr/bin/env python3
# Context: O.  tprof top: what its screen shows of known loads, and what its
# keys do.
import os
import re
import time

from harness import LIB, Skip, case, load, main, need_file, reap
from screen import Terminal, can, head, rows, top


HALF = "part_a"                 # of tests/load/shares: 50 % of its time


def shares(t, seconds=60, **how):
    return t.start([load("shares"), seconds], **how)


def stop(p):
    p.kill()
    reap(p)


def row_of(text, name):
    return next((r for r in rows(text) if name in r[2]), (0, 0, ""))


@case
def prints_once_where_there_is_no_terminal(t):
    can(t)
    p = shares(t, mon=False)
    try:
        began = time.monotonic()
        r = top(t, "-i", "2")
        t.between("seconds", 2, time.monotonic() - began, 8)
    finally:
        stop(p)
    t.equal("status", 0, r.returncode)
    t.equal("stderr", "", r.stderr)
    t.true("no styles", not re.search(r"[\x01-\x08\x1b]", r.stdout),
           "plain text", repr(r.stdout[:200]))
    t.equal("heads", 1, r.stdout.count("tprof top:"))
    found = rows(r.stdout)
    kernel, user = row_of(r.stdout, "in-kernel"), row_of(r.stdout, "userland")
    t.near("totals", 100, kernel[0] + user[0], 0.02)
    t.near("rates", 100, sum(r[0] for r in found[:-2]), 3)
    t.equal("samples", kernel[1] + user[1], sum(r[1] for r in found[:-2]))
    t.equal("sorted", sorted((r[0] for r in found[:-2]), reverse=True),
            [r[0] for r in found[:-2]])
    parts = [row_of(r.stdout, f"part_{x} (shares)")[0] for x in "abcd"]
    t.between("part_a of part_b", 1.2, parts[0] / (parts[1] or 1), 2.4)
    t.equal("parts in order", sorted(parts, reverse=True), parts)


@case
def shows_what_is_hot_and_hears_keys(t):
    can(t)
    p = shares(t, mon=False)
    try:
        with Terminal(t) as screen:
            screen.top("-i", "0.5")
            s = screen.until("functions", lambda s: HALF in s)
            t.true("by CPU", re.search(r"CPU0", s), "a column", s)
            screen.keys("2")
            s = screen.until("processes", lambda s: f"<{p.pid}:shares>" in s)
            t.true("no functions", HALF not in s, "processes", s)
            screen.keys("3")
            screen.until("threads", lambda s: f".{p.pid}:shares>" in s)
            screen.keys("Tab")
            screen.until("functions", lambda s: HALF in s)
            screen.keys("u")
            s = screen.until("processes", lambda s: f"<{p.pid}:shares>" in s)
            screen.keys("u", "c")
            screen.until("counters", lambda s: "all CPUs" in s and HALF in s)
            screen.keys("c", "s")
            s = screen.until("names", lambda s: "by name" in head(s))
            names = [r[2] for r in rows(s)[:-2]]
            t.equal("by name", sorted(names), names)
            screen.keys("s", "s", "a")
            screen.until("all", lambda s: re.search(r", all \d+ s", head(s)))
            before = row_of(screen.seen(), HALF)[1]
            screen.until("more", lambda s: row_of(s, HALF)[1] > before)
            screen.keys("z")
            screen.until("less", lambda s: 0 < row_of(s, HALF)[1] < before)
            screen.keys("h")
            screen.until("help", lambda s: "freeze the screen" in s)
            screen.keys("x")
            screen.until("table", lambda s: HALF in s)
    finally:
        stop(p)


@case
def freezes(t):
    can(t)
    p = shares(t, mon=False)
    try:
        with Terminal(t) as screen:
            screen.top("-i", "0.2")
            screen.until("functions", lambda s: HALF in s)
            screen.keys("f")
            s = screen.until("a frozen screen", lambda s: "FROZEN" in s)
            time.sleep(1.2)
            t.equal("frozen", s, screen.seen())
            # It can be looked at from all sides.
            screen.keys("2")
            screen.until("processes", lambda s: "FROZEN" in s and
                         f"<{p.pid}:shares>" in s)
            screen.keys("f")
            s = screen.until("going on", lambda s: "FROZEN" not in s)
            screen.until("time", lambda x: head(x) != head(s))
    finally:
        stop(p)


@case
def drills_into_callers(t):
    can(t)
    path = t.build("shares.c", "framed", "-fno-omit-frame-pointer",
                   "-fno-optimize-sibling-calls", "-lpthread", "-ldl")
    p = t.start([path, 60], mon=False)
    try:
        with Terminal(t, 80, 30) as screen:
            screen.top("-i", "1")
            screen.keys("2")
            screen.until("processes", lambda s: f"<{p.pid}:framed>" in s)
            screen.choose(f"<{p.pid}:framed>")
            screen.keys("Enter")
            s = screen.until("its functions", lambda s: HALF in s and
                             f"process {p.pid}" in head(s))
            t.equal("hottest", HALF, rows(s)[0][2].split()[0])
            t.between("share", 35, rows(s)[0][0], 65)
            screen.choose(HALF)
            screen.keys("Enter")
            s = screen.until("callers", lambda s: "Called from" in s and
                             "main" in s)
            t.equal("of all of it", (100.0, HALF), (rows(s)[0][0],
                    rows(s)[0][2].split()[0]))
            screen.keys("Escape")
            screen.until("its functions", lambda s: "part_b" in s)
            screen.keys("b")
            screen.until("processes", lambda s: f"<{p.pid}:framed>" in s)
    finally:
        stop(p)


JIT = r"""
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

int
main(void)
{
	/* dec %rdi; jne; ret */
	static const unsigned char code[] = { 72, 255, 207, 117, 251, 195 };
	unsigned char *p = mmap(0, 4096, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char name[64];
	FILE *map;

	memcpy(p, code, sizeof(code));
	while (clock() < 3 * CLOCKS_PER_SEC)
		((void (*)(long))p)(10000000);
	snprintf(name, sizeof(name), "/tmp/perf-%d.map", getpid());
	map = fopen(name, "w");
	fprintf(map, "%lx 6 made_at_run_time\n", (long)p);
	fclose(map);
	for (;;)
		((void (*)(long))p)(10000000);
}
"""


@case
def names_generated_code_once_its_compiler_has(t):
    can(t)
    if os.uname().machine != "x86_64":
        raise Skip("its code is of x86_64")
    with open(os.path.join(t.dir, "jit.c"), "w") as f:
        f.write(JIT)
    path = t.build(os.path.join(t.dir, "jit.c"), "jit")
    p = t.start([path], mon=False)
    try:
        with Terminal(t) as screen:
            screen.top("-i", "0.2")
            screen.until("code without a name", lambda s:
                         any(r[2].startswith("[generated code]")
                             for r in rows(s)), 10)
            # The interval in which the name came has most without it.
            s = screen.until("its name, hot", lambda s: row_of(
                s, "made_at_run_time")[0] > 5, 30)
            t.true("it is named", "made_at_run_time" in s, "its name", s)
    finally:
        stop(p)
        if os.path.exists(f"/tmp/perf-{p.pid}.map"):
            os.unlink(f"/tmp/perf-{p.pid}.map")


@case
def one_process_under_libmon(t):
    need_file(LIB)
    p = shares(t)
    try:
        time.sleep(1)
        r = top(t, p.pid)
        t.equal("status", 0, r.returncode)
        t.equal("stderr", "", r.stderr)
        t.equal("hottest", f"{HALF} (shares)", rows(r.stdout)[0][2])
        t.between("share", 35, rows(r.stdout)[0][0], 65)
        t.true("whose", f"process {p.pid} shares" in head(r.stdout),
               p.pid, head(r.stdout))
        with Terminal(t) as screen:
            screen.top("-i", "100", p.pid)
            screen.until("counted before", lambda s: row_of(s, HALF)[0] > 0)
            screen.keys("q")
            screen.until("the shell", lambda s: "q quit" not in s)
            screen.top("-i", "0.5", p.pid)
            screen.until("functions", lambda s: 0 < row_of(s, HALF)[0] < 70)
            last = row_of(screen.seen(), HALF)[1]
            screen.keys("a")
            screen.until("all of it", lambda s: row_of(s, HALF)[1] > last)
            screen.keys("Enter")
            screen.until("callers", lambda s: "Called from" in s and
                         "main" in s)
            screen.keys("Escape")
            stop(p)
            s = screen.until("its end", lambda s: "has ended" in s and
                             HALF in s)
            time.sleep(1)
            t.equal("it stands still", s, screen.seen())
            screen.keys("q")
            screen.until("the shell", lambda s: "q quit" not in s)
    finally:
        if p.returncode is None:
            stop(p)


if __name__ == "__main__":
    main()
