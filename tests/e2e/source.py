#!/usr/bin/env python3
# Context: O.  prof --annotate: a function's source and instructions, beside
# what objdump says of them and what the table says of their time.
import os
import re
import subprocess

from harness import CLEAN, SOURCES, Skip, case, main, need

CODE = ["-O2", "-g", "-fomit-frame-pointer", "-pthread"]


def profiled(t, *args, flags=()):
    exe = t.build("stacks.c", "stacks", *CODE, *flags)
    t.good([exe, *args])
    return exe


def instructions(exe, function):
    """{address: mnemonic} by objdump."""
    text = subprocess.run([need("objdump"), "-d", "--no-show-raw-insn",
                           f"--disassemble={function}", exe], env=CLEAN,
                          capture_output=True, text=True).stdout
    return {int(m[1], 16): m[2] for m in re.finditer(
        r"^ *([0-9a-f]+):\t(?:[c-g]s |data16 )*(\S+)", text, re.M)}


def annotated(t, *args):
    rows = t.rows("--annotate", *args, *t.files())
    if rows and not any(r["instruction"] for r in rows):
        raise Skip("no disassembler")
    return rows


@case
def nearest_name(t):
    """A name that no function has is answered by the one that was meant."""
    profiled(t, "inlined")
    for option, typed, meant in (("annotate", "laef", "leaf"),
                                 ("focus", "mian", "main"),
                                 ("function", "nothing_like_it", None)):
        r = t.prof(f"--{option}={typed}", *t.files(), good=False)
        t.true(f"--{option}={typed}", (
            f"did you mean {meant}?" if meant else
            "prof --by=function lists") in r.stderr, meant, r.stderr)
    r = t.prof("--annotate=_start", *t.files())
    t.true("a caller alone", re.search(
        r"^_start \[stacks\]: 0\.000 s, 0\.0 % of all CPU time; with what it "
        r"called [0-9.]+ s", r.stdout, re.M), "its totals",
        r.stdout + r.stderr)
    for attempt in range(9):
        slept = f"slept{attempt}"
        t.good(["sleep", "0.3"], profdir=slept, opts="clock=wall")
        if not any(x["function"] == "clock_nanosleep"
                   for x in t.rows("--tree", *t.files(slept))):
            break
    for option in ("annotate", "focus"):
        r = t.prof(f"--{option}=clock_nanosleep", *t.files(slept), good=False)
        t.true(f"--{option} of a sleeper", "it only slept: --asleep "
               "--focus='clock_nanosleep' shows where" in r.stderr and
               "did you mean" not in r.stderr, "where to look", r.stderr)


@case
def every_instruction(t):
    """Those of objdump, and all of the function's time is in them."""
    exe = profiled(t, "inlined")
    for function in ("leaf", "has_inlined", "main"):
        own = [x for x in t.rows(*t.files()) if x["function"] == function]
        own = own or [{"seconds": 0, "samples": 0}]
        rows = [x for x in annotated(t, function) if x["address"]]
        theirs = instructions(exe, function)
        t.equal(f"{function}: addresses", sorted(theirs),
                sorted(int(x["address"], 16) for x in rows))
        for x in rows:
            at = int(x["address"], 16)
            t.equal(f"{at:x}", theirs.get(at), x["instruction"].split()[0])
        t.near(f"{function}: seconds", float(own[0]["seconds"]),
               sum(float(x["seconds"]) for x in rows), 1e-6)
        t.equal(f"{function}: samples", int(own[0]["samples"]),
                sum(int(x["samples"]) for x in rows))
    by = {int(x["address"], 16): x for x in annotated(t, "leaf")}
    hot = max(by.values(), key=lambda x: float(x["seconds"]))
    t.true("in the loop", hot["line"] and re.search(
        r"x = x \*|for \(int i", open(hot["file"]).read().splitlines()[
            int(hot["line"]) - 1]), "its lines", hot)


@case
def with_source(t):
    """The text has the lines, also where they are in another function."""
    profiled(t, "inlined")
    text = t.prof("--annotate", "leaf", "--no-footer", *t.files()).stdout
    t.true("head", re.match(r"leaf \[stacks\]: [0-9.]+ s, [0-9.]+ % of all CPU "
                            r"time; with what it called [0-9.]+ s, [0-9.]+ %\n"
                            r"  Self %  Total %   Self s   Line  Source\n"
                            r".*/stacks\.c\n", text), "who it is", text)
    t.true("a line", "x = x * 6364136223846793005u + 7;" in text,
           "the source", text)
    t.true("its share", re.search(r"^ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9a-f]+  "
                                  r"\S", text, re.M),
           "beside an instruction", text)
    t.true("not the rest", "lines and instructions without time are left out "
           "(--all-lines shows all)" in text, "said", text)
    whole = t.prof("--annotate", "leaf", "--all-lines", "--no-footer",
                   *t.files()).stdout
    exe = os.path.join(t.dir, "stacks")
    t.equal("all of it", sorted(instructions(exe, "leaf")),
            [int(x, 16) for x in re.findall(r"^(?: +[0-9.]+)* {9,}([0-9a-f]+)"
                                            r"  [a-z]", whole, re.M)])


def lines_of(text):
    """{line: (self %, total %, source)} of lines that have time."""
    return {int(m[4]): (float(m[1]), float(m[2]), m[5]) for m in re.finditer(
        r"^ +([0-9.]+) +([0-9.]+) +([0-9.]+) +(\d+)  (.*)$", text, re.M)
        if not re.match(r"[a-z]+ [$%0-9(-]", m[5])}


def stored(t, *args):
    """A profile of a program that the templates of C++ fill."""
    t.good([t.build("store.cc", "store", "-pthread",
                    cc=[need("g++")]), *args])


@case
def totals(t):
    """A line has the time of what it called, once a stack; the sum of the
    lines themselves is that of the function."""
    stored(t)
    text = t.prof("--annotate=handle_request", "--no-footer",
                  *t.files()).stdout
    lines = lines_of(text)
    touch = [x for x in lines.values() if "store.touch(w)" in x[2]]
    t.figure("the call", len(touch) == 1 and touch[0][1] > 40 and
             touch[0][0] < touch[0][1], "most of the time passes", text)
    head = re.match(r"handle_request \[store\]: [0-9.]+ s, ([0-9.]+) % of all "
                    r"CPU time; with what it called [0-9.]+ s, ([0-9.]+) %",
                    text)
    t.true("head", head is not None, "who it is", text)
    t.near("own time", float(head[1]), sum(x[0] for x in lines.values()),
           0.05 * len(lines) + 0.06)
    t.true("total", all(x[0] <= x[1] <= float(head[2]) + 0.1
                        for x in lines.values()), "self <= total <= all",
           text)
    t.true("no other file", text.count(".cc\n") == 1 and not re.search(
        r"^/.*/(stl|basic)_", text, re.M), "one file", text)
    hot = [max(x[0] for x in lines_of(part).values())
           for part in re.split(r"^ +\.\.\.$", text, flags=re.M)]
    t.equal("hottest first", sorted(hot, reverse=True), hot)


@case
def inlined_functions(t):
    """A function that is inlined wherever it is called has its lines, with
    the time that --tree has for it."""
    stored(t)
    rows = t.rows("--annotate=slow_hash", *t.files())
    text = t.prof("--annotate=slow_hash", "--no-footer", *t.files()).stdout
    t.true("head", re.match(r"slow_hash \[store, inlined\]: ", text),
           "who it is", text)
    t.true("its loop", any("h = h * 33" in x[2]
                           for x in lines_of(text).values()), "a line", text)
    nodes = t.rows("--tree", *t.files())
    top = [x for x in nodes if x["function"] == "slow_hash"]
    t.near("all of it", sum(float(x["total_seconds"]) for x in top),
           sum(float(x["seconds"]) for x in rows), 1e-6)
    t.equal("addresses", {""}, {x["address"] for x in rows})
    table = t.rows("--function=slow_hash", *t.files())
    t.equal("--function", ["slow_hash"], [x["function"] for x in table])
    t.near("--function: all of it", sum(float(x["seconds"]) for x in rows),
           float(table[0]["seconds"]), 1e-6)
    own = t.rows("--function=SessionStore::touch", *t.files())
    both = t.rows("--function=SessionStore::touch", "--function=slow_hash",
                  *t.files())
    t.near("counted once", sum(float(x["seconds"]) for x in own),
           sum(float(x["seconds"]) for x in both
               if x["function"] == "SessionStore::touch"), 1e-6)


@case
def names_in_parts(t):
    """The last component of a name is enough; a part, too."""
    stored(t)
    for name in ("SessionStore::touch", "touch", "sessionstore::tou",
                 "/touch$/"):
        rows = t.rows(f"--annotate={name}", *t.files())
        t.equal(name, {"SessionStore::touch"}, {x["function"] for x in rows})


@case
def no_stacks(t):
    """Without call stacks a line has its own time alone, and it is said."""
    exe = t.build("stacks.c", "stacks", *CODE)
    t.good([exe, "inlined"], opts="stack=off")
    text = t.prof("--annotate=leaf", "--no-footer", *t.files()).stdout
    t.true("columns", "  Self %   Self s   Line  Source\n" in text,
           "no total", text)
    t.true("said", "no call stacks were recorded: times are without what a "
           "line called" in text, "why", text)
    rows = t.rows("--annotate=leaf", *t.files())
    t.equal("data", {""}, {x["total_seconds"] for x in rows})


@case
def without_source(t):
    """The file's name and the line stand for it."""
    copy = os.path.join(t.dir, "gone.c")
    with open(os.path.join(SOURCES, "stacks.c")) as f:
        text = f.read()
    with open(copy, "w") as f:
        f.write(text)
    exe = t.build(copy, "stacks", *CODE, f"-I{SOURCES}")
    os.unlink(copy)
    t.good([exe, "inlined"])
    shown = t.prof("--annotate", "leaf", *t.files()).stdout
    t.true("its name", re.search(r"^[ 0-9.]+ \d+  \[gone\.c\]$", shown, re.M),
           "[gone.c]", shown)


@case
def no_code(t):
    """A program that is gone says so; one without symbols too."""
    exe = profiled(t, "inlined")
    os.unlink(exe)
    r = t.prof("--annotate", "stacks+*", *t.files(), good=False)
    t.equal("status", 1, r.returncode)
    t.true("said", "no code of a function of that name can be shown" in
           r.stderr, "why", r.stderr)


def said(t, *args, profdir="profs"):
    """Return what the footer says about lines."""
    return [x for x in t.prof(*args, *t.files(profdir)).stdout.splitlines()
            if " lines: " in x]


def places(t, profdir):
    """Return the lines of stacks.c that --lines shows."""
    return set(re.findall(r"stacks\.c:\d+", t.prof("--lines", *t.files(
        profdir)).stdout))


@case
def debug_information_that_is_not_read(t):
    """The footer names the module and the reason: it was built with lines."""
    exe = profiled(t, "inlined", flags=["-gsplit-dwarf"])
    t.equal("whole", [], said(t, "--tree"))
    for f in os.listdir(t.dir):
        if f.endswith(".dwo"):
            os.remove(os.path.join(t.dir, f))
    for view in ("--tree", "--lines"):
        lines = said(t, view)
        t.true(f"{view}: the split part", len(lines) == 1 and lines[0]
               .startswith(f"fewer lines: {exe} has debug information in ")
               and ".dwo, which does not exist" in lines[0], "said", lines)
    exe = t.build("stacks.c", "stacks", *CODE)
    t.good([exe, "inlined"], profdir="packed")
    packed, before = exe + ".zstd", places(t, "packed")
    t.true("lines", before, "some of stacks.c", before)
    if subprocess.run([need("objcopy"), "--compress-debug-sections=zstd", exe,
                       packed], env=CLEAN, capture_output=True).returncode:
        raise Skip("objcopy has no zstd")
    os.rename(packed, exe)
    lines = said(t, "--lines", profdir="packed")
    t.true("zstd", places(t, "packed") == before if not lines else
           len(lines) == 1 and "zstd" in lines[0], "read, or said", lines)


if __name__ == "__main__":
    main()
