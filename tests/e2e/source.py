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
        r"^ *([0-9a-f]+):\t(\S+)", text, re.M)}


def annotated(t, *args):
    rows = t.rows("--annotate", *args, *t.files())
    if rows and not any(r["instruction"] for r in rows):
        raise Skip("no disassembler")
    return rows


@case
def every_instruction(t):
    """Those of objdump, and all of the function's time is in them."""
    exe = profiled(t, "inlined")
    for function in ("leaf", "has_inlined", "main"):
        r = t.prof("--annotate", function, "--csv", *t.files(), good=False)
        own = [x for x in t.rows(*t.files()) if x["function"] == function]
        if not own:
            t.true(f"{function}: no time", "no time was counted in a " in
                   r.stderr, "said", r.stderr)
            continue
        rows = annotated(t, function)
        theirs = instructions(exe, function)
        t.equal(f"{function}: addresses", sorted(theirs),
                sorted(int(x["address"], 16) for x in rows))
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
    text = t.prof("--annotate", "leaf", *t.files()).stdout
    t.true("head", re.match(r"leaf \[stacks\]: [0-9.]+ s, [0-9.]+ % of all CPU "
                            r"time\n.*/stacks\.c\n", text), "who it is", text)
    t.true("a line", "x = x * 6364136223846793005u + 7;" in text,
           "the source", text)
    t.true("its share", re.search(r"^ +[0-9.]+ +[0-9.]+ +[0-9a-f]+  \S", text,
                                  re.M), "beside an instruction", text)


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
    t.true("its name", re.search(r"^ +\d+  \[gone\.c\]$", shown, re.M),
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


def said(t, *args):
    """Return what the footer says about lines."""
    return [x for x in t.prof(*args, *t.files()).stdout.splitlines()
            if " lines: " in x]


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
    packed = exe + ".zstd"
    exe = t.build("stacks.c", "stacks", *CODE)
    if subprocess.run([need("objcopy"), "--compress-debug-sections=zstd", exe,
                       packed], env=CLEAN, capture_output=True).returncode:
        raise Skip("objcopy has no zstd")
    os.rename(packed, exe)
    lines = said(t, "--lines")
    t.true("zstd", not lines or (len(lines) == 1 and "zstd" in lines[0]),
           "read, or said", lines)


if __name__ == "__main__":
    main()
