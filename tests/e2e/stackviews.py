#!/usr/bin/env python3
# Context: O.  Views of call stacks: trees, graphs, folded and charged
# libraries, the width of a terminal.
import fcntl
import os
import pty
import re
import struct
import subprocess
import termios

from harness import CLEAN, PROF, Skip, below_head, case, load, main, need
from knownstacks import NO_FP, ran, run


@case
def sleepers(t):
    """clock=wall: who sleeps has callers too, unless a register is missed."""
    names = ("nap", "poll_pipe", "wait_told", "read_pipe")
    r = run(t, NO_FP, "sleepers", opts="clock=wall")
    seen = t.folded("--asleep")
    of = {n: sum(s for p, s in seen.items() if n in p) for n in names}
    for n in names:
        t.between(f"{n}: sleeps", 0.4, of[n], 0.75)
    t.near("threads begin in clone", sum(of.values()), sum(
        s for p, s in seen.items()
        if re.match("_*clone", p[0]) and "sleeper" in p), 0.1)
    waits = sum(s for p, s in seen.items()
                if p[0] == "_start" and "main" in p)
    t.figure("main waits", waits > 0.4, "0.6 s", seen)
    # A disk can make the loader wait, before there are threads.
    other = {p: s for p, s in seen.items()
             if "main" not in p and "sleeper" not in p}
    t.figure("nothing else sleeps", sum(other.values()) < 0.1 + r.seconds -
             waits, f"what is left of {r.seconds}", other)
    csv = t.prof("--tree", "--csv", "--asleep", *t.files()).stdout
    t.near("--csv", sum(seen.values()), sum(
        float(line.split(",")[-1]) for line in csv.splitlines()[1:]), 0.001)
    run(t, ["-O2", "-fno-omit-frame-pointer"], "sleepers", opts="clock=wall")
    seen = t.folded("--asleep")
    cut = {p for p in seen if "read_pipe" in p}
    t.true("not known", cut and all("its frame pointer is not known" in p[0]
                                    for p in cut), "said", cut)


@case
def sleeps_in_the_outermost_frame(t):
    """clock=wall: the walk from there finds no frame at all."""
    r = t.run([load("outermost"), 1], opts="clock=wall")
    t.equal("end", "exit 0", r.status)
    seen = t.folded("--asleep")
    t.between("time", 0.7, sum(s for p, s in seen.items()
                               if "sleep_outermost" in p), 1.3)


@case
def sleepers_in_turns(t):
    """A thread that wakes while it is looked at is charged to no place."""
    run(t, NO_FP, "turns", opts="clock=wall")
    seen = t.folded("--asleep")
    ways = {p: s for p, s in seen.items() if "sleep_by" in p}
    t.figure("there is time", sum(ways.values()) > 1, "1 s", sum(ways.values()))
    t.equal("nobody sleeps as the other does", {},
            {p: s for p, s in ways.items()
             if ("napper" in p) != ("nap" in p) or
             ("poller" in p) != ("poll_pipe" in p) or
             ("poller" in p) != ("poll" in p[-1])})


@case
def views(t):
    """--tree and --callers say the same as the folded file."""
    _, seen = ran(t, NO_FP, "deep", "3")
    for view, first in (("--tree", "_start"), ("--callers", "leaf")):
        text = t.prof(view, "--verbose", *t.files()).stdout
        rows = [line for line in text.splitlines() if first in line]
        table = below_head(text).splitlines()
        t.true(f"{view}: {first} is first", len(rows) > 0 and
               table[1] == rows[0], "the first row", table[:3])
        t.true(f"{view}: how sure", "has all its callers" in text,
               "a line of the footer", text[-600:])
    csv = t.prof("--tree", "--csv", *t.files()).stdout.splitlines()
    total = sum(float(line.split(",")[-1]) for line in csv[1:])
    t.near("sum of --tree --csv", sum(seen.values()), total, 0.001)


@case
def library_frames(t):
    """Runs of functions of the C++ library are one line, with a count; all of
    them, and the same sums, with --all-frames.  Lines of the source stand
    behind the functions."""
    t.good([t.build("store.cc", "store", "-pthread", cc=[need("g++")])])
    folded, whole = (t.prof("--tree", "--no-footer", "--min=0", *how,
                            *t.files()).stdout
                     for how in ([], ["--all-frames"]))
    t.true("folded", re.search(r"\.\.\. (up to )?\d+ library frames$",
                               folded, re.M), "a count", folded[:3000])
    counts = [int(n) for n in re.findall(r" (\d+) library frames?$", folded,
                                         re.M)]
    t.true("all", " library frame" not in whole and
           len(whole.splitlines()) >= len(folded.splitlines()) +
           sum(counts) - len(counts), "a line for each that was counted",
           (len(whole.splitlines()), len(folded.splitlines()), counts))
    for text in (folded, whole):
        t.true("place", re.search(r" slow_hash store\.cc:?\d* \[store, "
                                  r"inlined\]$", text, re.M) and re.search(
            r" \{lambda store\.cc:\d+\} store\.cc:\d+ \[store, inlined\]$", text,
            re.M),
            "file and line", text[:3000])
    own = [sum(float(m[1]) for m in re.finditer(
        r"^ +[0-9.]+ +([0-9.]+) +[0-9.]+  ", text, re.M))
        for text in (folded, whole)]
    t.near("sum of --tree", own[1], own[0], 0.05 * len(whole.splitlines()))
    up = t.prof("--callers", "--no-footer", *t.files()).stdout
    t.true("callers", "SessionStore::touch store.cc:" in up and
           " library frames" in up, "who called", up[:3000])
    t.true("no line of 400", max(map(len, (folded + up).splitlines())) < 260,
           "at most 100 columns of a name", max(folded.splitlines(), key=len))
    full = t.prof("--tree", "--full-names", "--all-frames", *t.files()).stdout
    t.true("whole names", max(map(len, full.splitlines())) > 300,
           "--full-names", max(full.splitlines(), key=len))


def late(nodes, node):
    """Has this node of --tree no callers, since its samples came late?  A busy
    machine makes such samples, and nobody can be charged for them."""
    by = {x["node"]: x for x in nodes}
    while node["parent"]:
        node = by[node["parent"]]
    return node["function"] == "[no callers: the sample came late]"


@case
def libraries_are_charged(t):
    """--mine: functions of the program alone, and all of the time; a module
    that is named too; each view has the same sums."""
    t.good([t.build("store.cc", "store", "-pthread", cc=[need("g++")]), 60000])
    whole = sum(float(x["seconds"]) for x in t.rows(*t.files()))
    rows = t.rows("--mine", *t.files())
    mine = {x["function"]: float(x["seconds"]) for x in rows
            if float(x["seconds"])}
    t.near("all of it", whole, sum(mine.values()), 1e-6)
    t.figure("the program", {"SessionStore::touch", "handle_request",
                             "split"} <= set(mine), "in the program", mine)
    nodes = t.rows("--tree", "--mine", *t.files())
    # The loader and what comes before main() have no caller in the program.
    # Neither has the kernel's own time, nor what no sample stands for.
    elsewhere = {x["module"] for x in nodes if not late(nodes, x) and
                 float(x["self_seconds"]) > whole / 50 and
                 x["module"] not in ("[kernel]", "[not sampled]")}
    t.figure("modules", elsewhere == {"store"}, "store", elsewhere)
    known = {x["function"] for x in nodes if not late(nodes, x)}
    t.true("no library", not any(x.startswith("std::") for x in known),
           "functions of store.cc", known)
    t.near("--tree", whole, sum(float(x["self_seconds"]) for x in nodes), 1e-6)
    t.true("lambda expressions", any(re.fullmatch(
        r"\{lambda store\.cc:\d+\}", x["function"]) for x in nodes) and not any(
        x["function"] == "operator()" for x in nodes), "by their place",
        [x["function"] for x in nodes])
    touch = [x for x in t.rows("--annotate=touch", "--mine", *t.files())
             if x["function"] == "SessionStore::touch"]
    # How much touch() has depends on how often threads meet at its lock.
    t.figure("inlined", mine.get("slow_hash", 0) > whole / 10,
             "a line of its own", mine)
    t.near("--annotate", mine["SessionStore::touch"] + mine["slow_hash"],
           sum(float(x["seconds"]) for x in touch), 1e-6)
    text = t.prof("--mine", "--function=slow_hash", "--no-footer",
                  *t.files()).stdout
    t.true("chosen by name", re.search(r" slow_hash +store$", text, re.M) and
           "touch" not in text, "its line alone", text)
    text = t.prof("--mine", *t.files()).stdout
    t.true("said", re.search(r"^libraries are charged to their callers in the "
                             r"program; [0-9.]+ % has no caller there$", text,
                             re.M), "what it shows", text)
    more = {x["module"] for x in t.rows("--mine=libc", *t.files())}
    t.true("libc, too", "libc.so.6" in more, "named", more)
    r = t.prof("--mine=libnone", *t.files(), good=False)
    t.equal("no such module", 1, r.returncode)
    t.true("no such module: said", "libnone: no module of that name is in the "
           "profiles" in r.stderr, "which", r.stderr)
    in_focus = t.rows("--mine", "--tree", "--focus=/(insertion|intro)_?sort/",
                      *t.files())
    t.figure("some in focus", in_focus, "stacks that had it", in_focus)
    t.true("focus of before", not any(
        x["function"] == "SessionStore::touch" for x in in_focus),
        "stacks that had it", in_focus)


@case
def focus_of_what_is_regrouped(t):
    """--focus means functions also where frames are modules or files."""
    ran(t, NO_FP, "deep", "3")
    by = {what: sum(float(x["self_seconds"]) for x in
                    t.rows("--tree", f"--by={what}", "--focus=leaf",
                           *t.files()))
          for what in ("function", "module", "file", "line", "address")}
    t.figure("some", by["function"] > 0, "time in leaf", by)
    for what, s in by.items():
        t.near(what, by["function"], s, 1e-6)


@case
def profiler_itself(t):
    """Functions of libmon.so are one line, and each with --verbose."""
    t.good([t.build("store.cc", "store", "-pthread", cc=[need("g++")]),
            "60000"], opts="hz=10000,clock=coarse")
    own = [x for x in t.rows("--module=libmon.so", *t.files())]
    if not own:
        raise Skip("no tick met the profiler")
    text = t.prof("--top=0", *t.files()).stdout
    lines = [x for x in text.splitlines() if x.endswith(" libmon.so")]
    t.true("one line", len(lines) == 1 and "[libmon]" in lines[0],
           "[libmon]", lines)
    text = t.prof("--top=0", "--verbose", *t.files()).stdout
    t.true("--verbose", "[libmon]" not in text and own[0]["function"] in text,
           "names", text)


@case
def graph_begins_with_the_program(t):
    """--graph says what its columns are, lists what starts threads last, and
    tells functions of one short name apart."""
    t.good([t.build("store.cc", "store", "-pthread", cc=[need("g++")])])
    text = t.prof("--graph", "--no-footer", "--min=0", *t.files()).stdout
    t.true("columns", text.startswith("%Total: the function and all that it "
                                      "called (inclusive); "), "said", text)
    heads = [x for x in text.splitlines()[3:]
             if x and not re.search(r" (<-|->) ", x)]
    names = [re.sub(r"^[ 0-9.]+  ", "", x) for x in heads]
    starts = [i for i, x in enumerate(names)
              if re.match("clone3|start_thread|_start|__libc_start", x)]
    t.true("start_thread", starts, "listed", names)
    t.true("last", min(starts) > names.index(next(
        x for x in names if x.startswith("handle_request"))) and
        min(starts) > len(names) / 2, "behind the program", names)
    whole = t.prof("--graph", "--no-footer", "--min=0", "--full-names",
                   *t.files()).stdout
    heads = [x for x in whole.splitlines()[3:]
             if x and not re.search(r" (<-|->) ", x)]
    t.equal("as many", len(heads), len(names))
    t.true("told apart", len(set(names)) >= len(names) * 0.97,
           "different names", sorted(names))


def on_terminal(t, columns, *args):
    """Return the text of prof on a terminal of that many columns."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ,
                struct.pack("HHHH", 50, columns, 0, 0))
    p = subprocess.Popen([PROF, *args], stdout=follower, cwd=t.dir,
                         stdin=subprocess.DEVNULL,
                         env=dict(CLEAN, TERM="dumb"))
    os.close(follower)
    text = b""
    while True:
        try:
            more = os.read(leader, 65536)
        except OSError:     # EIO: nobody has the terminal open
            break
        if not more:
            break
        text += more
    os.close(leader)
    t.equal(f"{columns} columns: status", 0, p.wait())
    return text.decode().replace("\r\n", "\n")


@case
def widths(t):
    """Each view fits 80 and 200 columns, with the lines that a pipe has; names
    of templates lose their arguments first, and a pipe has no endless ones."""
    t.good([t.build("store.cc", "store", "-pthread", cc=[need("g++")])])
    for view in (["--tree"], ["--callers"], ["--graph"], ["--sort=total"],
                 ["--annotate=touch"]):
        args = [*view, "--no-footer", *t.files()]
        pipe = t.prof(*args).stdout.splitlines()
        t.true(f"{view[0]}: pipe", max(map(len, pipe)) < 260,
               "names of 100 columns", max(pipe, key=len))
        for columns in 80, 200:
            text = on_terminal(t, columns, *args)
            lines = text.splitlines()
            t.equal(f"{view[0]} at {columns}: lines", len(pipe), len(lines))
            wide = [x for x in lines if len(x) > columns and
                    not x.startswith(("/", "%Total: ", " %Total ")) and
                    " of all CPU time; " not in x]
            t.equal(f"{view[0]} at {columns}: too wide", [], wide)
            t.true(f"{view[0]} at {columns}: names",
                   "SessionStore::touch" in text, "the program's", text)
    tree = on_terminal(t, 80, "--tree", "--no-footer", *t.files())
    t.true("arguments go first", re.search(r"std::map<\.\.\.>::operator\[\]",
                                           tree), "the name stays", tree)


if __name__ == "__main__":
    main()
