#!/usr/bin/env python3
# Context: O.  Files of the classic profilers: gprof reads ours as prof does,
# and prof reads theirs as gprof does.
import os
import re
import shutil
import struct
import subprocess

from harness import (CLEAN, Failed, Skip, case, load, main, need, pick,
                     told_calls)

TICK = 1e-4             # of --write=gmon, where no place has a minute
N = pick(20000000, 200000000)
SHOWN = 0.005           # half of what gprof shows

# "%time cumulative self [calls self/call total/call] name"
FLAT = re.compile(r"^\s*[\d.]+\s+[\d.]+\s+([\d.]+)(?:\s+(\d+)\s+[\d.]+"
                  r"\s+[\d.]+)?\s+([^\s\d[]\S*)$")
# "[index] %time self children called+itself name [index]"
ITSELF = re.compile(r"^\[\d+\](?:\s+[\d.]+){3}\s+\d+\+(\d+)\s+(\S+)")


def gprof(t, exe, *files):
    """Function to seconds and calls, by stock gprof: it takes the calls of a
    function by itself off those in the flat profile."""
    r = subprocess.run([need("gprof"), "-b", exe, *files], env=CLEAN,
                       cwd=t.dir, capture_output=True, text=True, timeout=120)
    if r.returncode != 0 or r.stderr:
        raise Failed(f"gprof {exe}: {r.returncode}: {r.stderr[-500:]}")
    found = {}
    for line in r.stdout.splitlines():
        m = FLAT.match(line)
        if m:
            found[m[3]] = (float(m[1]), int(m[2] or 0))
        m = ITSELF.match(line)
        if m:
            found[m[2]] = (found[m[2]][0], found[m[2]][1] + int(m[1]))
    return found


def ours(t, *args):
    return {r["function"]: (float(r["seconds"]), int(r["calls"] or 0))
            for r in t.rows(*args)}


def agree(t, what, ours, theirs, slack):
    """Each function has equal calls and time in both, and so has the sum."""
    calls = {f: n for f, (_, n) in ours.items() if n}
    t.equal(f"{what}: calls", calls,
            {f: n for f, (_, n) in theirs.items() if n})
    for f, (seconds, _) in theirs.items():
        # Parts without a symbol go to the function before them there.
        if f in ours and not f.startswith("_"):
            t.near(f"{what}: {f}", ours[f][0], seconds, SHOWN + slack)
    t.near(f"{what}: all", sum(s for s, _ in ours.values()),
           sum(s for s, _ in theirs.values()), SHOWN * (1 + len(theirs)))


def gprof_agrees(t, what, exe, *more):
    """Return the table of one module, written for gprof and read by it."""
    file = os.path.join(t.dir, "out.gmon")
    own = ours(t, f"--module={os.path.basename(exe)}", *t.files())
    t.true(f"{what}: time", any(s for s, _ in own.values()), "some", own)
    t.prof("--write=gmon", "-o", file, *more, *t.files())
    agree(t, what, own, gprof(t, exe, file), TICK)
    agree(t, f"{what}, read again", own, ours(t, exe, file), TICK)


@case
def programs(t):
    """Programs count their calls themselves.  Aligned, as gprof gives
    a byte before an odd address to the function that begins there."""
    need("gprof")
    for name, flags in {"pie": ["-O0"], "no pie": ["-O0", "-no-pie"],
                        "fentry": ["-O0", "-mfentry"]}.items():
        exe = t.build("calls.c", "calls." + name.replace(" ", "."), "-pthread",
                      "-mavx", "-Wno-psabi", "-pg", "-falign-functions=16",
                      *flags, cc=[need("gcc")])
        for f in t.files() if os.path.isdir(f"{t.dir}/profs") else []:
            os.unlink(f)
        r = t.good([exe, "plain", N])
        told = told_calls(r)
        gprof_agrees(t, name, exe)
        seen = gprof(t, exe, os.path.join(t.dir, "out.gmon"))
        t.equal(f"{name}: as told", told,
                {f: seen.get(f, (0, 0))[1] for f in told})


@case
def libraries(t):
    """Loaded at run time; called from within."""
    need("gprof")
    calls = 5 * N
    lib = t.build("calls_lib.c", "fa.so", "-shared", "-fPIC", "-pg",
                  "-DNAME=fa", cc=[need("gcc")])
    t.good([load("calls_dl"), 1, calls, lib])
    gprof_agrees(t, "library", lib, "--module=fa.so")
    seen = gprof(t, lib, os.path.join(t.dir, "out.gmon"))
    t.equal("calls", calls, seen["fa"][1])


@case
def callers_outside(t):
    """Called from an object that gprof knows nothing of."""
    need("gprof")
    lib = t.build("calls_lib.c", "libfb.so", "-shared", "-fPIC", "-pg",
                  "-DNAME=fb", cc=[need("gcc")])
    with open(os.path.join(t.dir, "host.c"), "w") as out:
        out.write("unsigned long fb(unsigned long);\n"
                  "int main(void) { unsigned long x = 0;\n"
                  f"while (x < {25 * N}) x = fb(x); return 0; }}\n")
    t.good([t.build(os.path.join(t.dir, "host.c"), "host",
                    "-Wl,--no-as-needed", lib)])
    gprof_agrees(t, "library", lib, "--module=libfb.so")
    seen = gprof(t, lib, os.path.join(t.dir, "out.gmon"))
    t.equal("calls", 25 * N, seen["fb"][1])


@case
def directory(t):
    """A file for each module that was counted, and gprof can read them."""
    need("gprof")
    exe = t.build("calls.c", "calls", "-pthread", "-mavx", "-Wno-psabi", "-pg",
                  cc=[need("gcc")])
    t.good([exe, "plain", N])
    t.prof("--write=gmon", "-o", "all/", *t.files())
    names = {r["module"] for r in t.rows("--by=module", *t.files())
             if not r["module"].startswith("[")}
    t.equal("files", sorted(f"{n}.gmon" for n in names if n != "vdso"),
            sorted(os.listdir(os.path.join(t.dir, "all"))))
    agree(t, "program", ours(t, "--module=calls", *t.files()),
          gprof(t, exe, os.path.join(t.dir, "all", "calls.gmon")), TICK)


@case
def theirs(t):
    """Files that libc writes without us are read; its own sum of two, by gprof
    -s."""
    need("gprof")
    exe = t.build("calls.c", "calls", "-pthread", "-mavx", "-Wno-psabi", "-pg",
                  cc=[need("gcc")])
    t.good([exe, "plain", N], mon=False, cwd=t.dir)
    file = os.path.join(t.dir, "gmon.out")
    agree(t, "gmon.out", ours(t, exe, file), gprof(t, exe, file), 0)
    subprocess.run([need("gprof"), "-s", exe, file, file], env=CLEAN,
                   cwd=t.dir, capture_output=True, check=True)
    both = os.path.join(t.dir, "gmon.sum")
    agree(t, "gmon.sum", ours(t, exe, both), gprof(t, exe, both), 0)
    shutil.copy(file, file + ".2")
    agree(t, "two", ours(t, exe, file, file + ".2"), gprof(t, exe, both), 0)


@case
def calls_by_ld_profile(t):
    """A profile of a library that the loader wrote."""
    lib = t.build("calls_lib.c", "libfa.so", "-shared", "-fPIC", "-DNAME=fa",
                  "-Wl,-z,lazy", "-Wl,-soname,libfa.so", cc=[need("gcc")])
    r = t.run([load("calls_dl"), 1, 5 * N, lib], timeout=300, mon=False,
              env={"LD_PROFILE": "libfa.so", "LD_PROFILE_OUTPUT": t.dir})
    t.equal("end", "exit 0", r.status)
    file = os.path.join(t.dir, "libfa.so.profile")
    if not os.path.exists(file):
        raise Skip("this libc writes no profile of it")
    own = ours(t, lib, file)
    t.equal("calls", 5 * N, own.get("fa", (0, 0))[1])
    t.true("time", any(s for s, _ in own.values()), "some", own)


def written(t, what, argv, opts, suffix, **how):
    """Run with format=; the profile and the file beside it."""
    for f in t.files() if os.path.isdir(f"{t.dir}/profs") else []:
        os.unlink(f)
    r = t.good(argv, opts=opts, **how)
    own = [f for f in t.files() if f.split("/")[-1].startswith(f"{r.pid}.")]
    t.equal(f"{what}: files", 2, len(own))
    own.sort(key=len)
    t.equal(f"{what}: name", own[0] + suffix, own[-1])
    return own[0], own[-1]


def as_ours(t, what, wanted, found):
    """Calls to one, time to a tick of each, but for what has two names."""
    t.equal(f"{what}: calls", {f: n for f, (_, n) in wanted.items() if n},
            {f: n for f, (_, n) in found.items() if n})
    for f, (seconds, _) in wanted.items():
        if not f.startswith("_") and "+0x" not in f:
            t.near(f"{what}: {f}", seconds, found.get(f, (0, 0))[0], 0.02)
    t.near(f"{what}: all", sum(s for s, _ in wanted.values()),
           sum(s for s, _ in found.values()), 0.02)


@case
def by_the_target(t):
    """format=monout and prof, of programs that are built with -pg or not."""
    for flags in (["-pg"], ["-pg", "-no-pie"], ["-mfentry", "-pg"],
                  ["-finstrument-functions"], []):
        exe = t.build("counts.c", "counts", "-O1", *flags, cc=[need("gcc")])
        argv = [exe, pick(3000, 60000)]
        what = " ".join(flags) or "plain"
        own, mon = written(t, what, argv, "format=monout", ".mon")
        wanted = ours(t, "--module=counts", own)
        as_ours(t, f"{what}, monout", wanted, ours(t, exe, mon))
        own, mon = written(t, what, argv, "format=prof", ".prof")
        as_ours(t, f"{what}, prof", ours(t, "--module=counts", own),
                ours(t, "--module=counts", mon))
        everything = [row for row in t.rows("--by=module", own)
                      if not row["module"].startswith("[")]
        t.near(f"{what}, prof: all modules", sum(float(r["seconds"])
               for r in everything), sum(float(r["seconds"]) for r in t.rows(
                   "--by=module", mon)), 0.02)


@case
def by_the_target_in_libraries(t):
    """Those that are gone have places of their own, as others were there."""
    names = ["fa", "fb", "fc"]
    libs = [t.build("calls_lib.c", f"{n}.so", "-shared", "-fPIC", "-pg",
                    f"-DNAME={n}") for n in names]
    own, mon = written(t, "libraries", [load("calls_dl"), 5, N // 20, *libs],
                       "format=prof", ".prof")
    filters = [f"--module={n}.so" for n in names]
    as_ours(t, "libraries", ours(t, *filters, own), ours(t, *filters, mon))
    t.equal("calls", {n: N // 4 for n in names},
            {n: ours(t, *filters, mon).get(n, (0, 0))[1] for n in names})


@case
def by_the_target_at_its_ends(t):
    """exec and _exit write it, too; a signal that kills does not, and nothing
    is half there."""
    shell = need("dash")
    burn = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"
    for what, end in (("exec", "exec true"), ("exit", "exit 0"),
                      ("killed", "kill -9 $$")):
        d = what
        t.run([shell, "-c", f"{burn}; {end}"], opts="format=prof", profdir=d)
        names = sorted(f.split("/")[-1].split(".", 1)[1] for f in t.files(d))
        dash = os.path.basename(os.path.realpath(shell))
        t.true(f"{what}: files", dash in names, dash, names)
        t.equal(f"{what}: others", what != "killed", f"{dash}.prof" in names)
        t.true(f"{what}: parts", not any(".part" in n for n in names), "none",
               names)


# "[address] %time seconds cumsecs [calls msec/call] name[, name ...]"
LISTED = re.compile(r"^\s*[\d.]+\s+([\d.]+)\s+[\d.]+(?:\s+(\d+)\s+[\d.]+)?"
                    r"\s+(\S.*)$")


def listed(t, *args):
    """Function to seconds and calls, as the classic prof(1) has them."""
    found = {}
    for line in t.prof(*args).stdout.splitlines():
        m = LISTED.match(line)
        if m:
            found[m[3].split(",")[0]] = (float(m[1]), int(m[2] or 0))
    return found


@case
def listing(t):
    """The classic listing, of a mon.out, of a versioned one, and of ours."""
    exe = t.build("calls.c", "calls", "-pthread", "-mavx", "-Wno-psabi", "-pg",
                  cc=[need("gcc")])
    # Columns have no blank between them where calls have eight digits.
    r = t.good([exe, "plain", min(N, 9999999)])
    own = t.files()[0]
    t.prof("--write=monout", "-o", "mon.out", exe, own)
    t.prof("--write=prof", "-o", "v.out", own)
    wanted = ours(t, "--module=calls", own)
    slack = 0.02        # ticks of 10 ms, and what gprof takes for a half
    for what, args in (("mon.out", ("-gh", exe)),
                       ("versioned", ("-gh", "-m", "v.out", exe)),
                       ("ours", ("--classic", "-gh", "-m", own))):
        seen = listed(t, *args)
        t.equal(f"{what}: calls", {f: n for f, (_, n) in wanted.items() if n},
                {f: n for f, (_, n) in seen.items() if n})
        t.equal(f"{what}: as told", told_calls(r),
                {f: seen.get(f, (0, 0))[1] for f in told_calls(r)})
        for f, (seconds, _) in wanted.items():
            if seconds > slack and not f.startswith("_"):
                t.near(f"{what}: {f}", seconds, seen.get(f, (0, 0))[0], slack)


@case
def listing_of_real_programs(t):
    """Modules by the dozen, stripped ones among them: every tick is of one."""
    for argv in (["python3", "-c", "import json, re\n"
                  "for i in range(3000): json.loads(json.dumps(dir(re)))"],
                 ["perl", "-e", "$x .= $_ for 1..3e6; print length $x"]):
        for f in t.files() if os.path.isdir(f"{t.dir}/profs") else []:
            os.unlink(f)
        t.good([need(argv[0]), *argv[1:]])
        own = t.files()
        args = [a for f in own for a in ("-m", f)]
        text = t.prof("--classic", "-sg", *args).stdout
        hits = {k: int(v) for k, v in re.findall(
            r"^ +(\S+ pc-hits)(?: \(try -g\))? +(\d+)$", text, re.M)}
        seconds = sum(float(r["seconds"]) for r in t.rows("--by=module", *own)
                      if not r["module"].startswith("["))
        t.near(f"{argv[0]}: hits", seconds, hits["Total pc-hits"] / 100, 0.05)
        t.figure(f"{argv[0]}: missed", hits["Missed pc-hits"] <= 0.1 *
                 hits["Total pc-hits"] + 2, "a tenth at most", hits)
        modules = re.findall(r"^ +\d+: `(.*)'$", text, re.M)
        t.true(f"{argv[0]}: modules", modules and
               all(m.startswith("/") for m in modules), "paths", modules)


TEXT, BASE = 0x100, 0x10000     # where the code is, in the file and in memory


def packed(big, form, *numbers):
    return struct.pack((">" if big else "<") + form, *numbers)


def executable(wide, big, functions):
    """An ELF file of another machine, or of this: its code is zeros."""
    word, size = ("Q", 8) if wide else ("I", 4)
    machine = {(1, 0): 62, (1, 1): 21, (0, 0): 3, (0, 1): 8}[wide, big]
    names, table, end = b"\0", b"\0" * (24 if wide else 16), TEXT
    for name, at, length in functions:
        form = ("IBBHQQ", 0x12, 0, 1, at, length) if wide else (
            "IIIBBH", at, length, 0x12, 0, 1)
        table += packed(big, form[0], len(names), *form[1:])
        names += name.encode() + b"\0"
        end = max(end, at - BASE + length)
    head, program, section = (64, 56, 64) if wide else (52, 32, 40)

    def header(kind, flags, address, offset, length, link, each):
        return packed(big, "II" + word * 4 + "II" + word * 2, 0, kind, flags,
                      address, offset, length, link, 0, 1, each)
    tables = end + len(table) + len(names)
    sections = (header(0, 0, 0, 0, 0, 0, 0) +
                header(1, 6, BASE + TEXT, TEXT, end - TEXT, 0, 0) +
                header(2, 0, 0, end, len(table), 3, 24 if wide else 16) +
                header(3, 0, 0, end + len(table), len(names), 0, 0))
    segment = ([1, 5, 0, BASE, BASE, end, end, 4096] if wide else
               [1, 0, BASE, BASE, end, end, 5, 4096])
    data = b"\x7fELF" + bytes([2 if wide else 1, 2 if big else 1, 1]) + bytes(9)
    data += packed(big, "HHI" + word * 3 + "IHHHHHH", 2, machine, 1,
                   BASE + TEXT, head, tables, 0, head, program, 1, section, 4,
                   0)
    data += packed(big, "II" + word * 6 if wide else "I" * 8, *segment)
    return data.ljust(end, b"\0") + table + names + sections


@case
def every_machine(t):
    """Programs and mon.out of 32 and 64 bits, in either byte order."""
    low = BASE + TEXT
    functions = [("one", low, 32), ("two", low + 32, 32),
                 ("three", low + 64, 64)]
    for wide, big in ((1, 0), (1, 1), (0, 0), (0, 1)):
        what = f"{64 if wide else 32} bits, {'big' if big else 'little'}-endian"
        word = "Q" if wide else "I"
        with open(os.path.join(t.dir, "prog"), "wb") as f:
            f.write(executable(wide, big, functions))
        with open(os.path.join(t.dir, "mon.out"), "wb") as f:
            f.write(packed(big, word * 3, low, low + 128, 3))
            for at, calls in ((5, 7), (37, 1000), (0, 0)):
                f.write(packed(big, word * 2, low + at if calls else 0, calls))
            f.write(packed(big, "16H", 0, 1, 0, 0, 0, 2, 0, 0,
                           0, 0, 0, 0, 3, 0, 0, 0))
        found = ours(t, "prog", "mon.out")
        t.equal(f"{what}: prof", {"one": (0.01, 7), "two": (0.02, 1000),
                                  "three": (0.03, 0)}, found)
        t.equal(f"{what}: listing", [
            "  50.0    0.03    0.03                      three",
            "  33.3    0.02    0.05    1000      0.020   two",
            "  16.7    0.01    0.06       7      1.      one"],
            t.prof("-h", "prog").stdout.splitlines())


if __name__ == "__main__":
    main()
