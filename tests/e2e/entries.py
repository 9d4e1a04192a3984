#!/usr/bin/env python3
# Context: O.  Jump targets that core/entry finds in files of each compiler and
# linker, against the labels that the compiler made: none of them is missed.
# prof --scan accounts for each byte of code.
import os
import platform
import re
import shutil
import subprocess

from harness import CLEAN, Skip, case, load, main, need, pick

# Labels of code: gcc's and clang's, without those that bound functions.
LABEL = re.compile(r"\.L(?:BB\d+_)?\d+\b")
LAYOUTS = {
    "library": ["-fPIC", "-shared"],
    "pie": ["-DPROGRAM", "-fPIE", "-pie"],
    "no pie": ["-DPROGRAM", "-fno-pie", "-no-pie"],
    "sections": ["-fPIC", "-shared", "-ffunction-sections", "-Wl,-z,now"],
    "large": ["-DPROGRAM", "-fno-pie", "-no-pie", "-mcmodel=large"],
}
# Constants in the segment of the code; gold lays them so by itself.
ONE_SEGMENT = {
    "bfd": ["-fPIC", "-shared", "-Wl,-z,noseparate-code"],
    "gold": ["-fPIC", "-shared"],
    "lld": ["-fPIC", "-shared", "-Wl,--no-rosegment"],
}


def lines(argv):
    return subprocess.run(argv, env=CLEAN, capture_output=True, text=True,
                          check=True).stdout.splitlines()


def used_labels(assembly):
    """The labels that an instruction or a table names."""
    with open(assembly) as f:
        return {m for line in f for m in LABEL.findall(line)
                if not line.startswith(m + ":")}


def symbols(file):
    """Names with their addresses, and the addresses where functions end."""
    named, ends = {}, set()
    for line in lines(["nm", "-S", file]):
        *places, kind, name = line.split()
        if kind not in "tTW":
            continue
        named[name] = int(places[0], 16)
        if len(places) == 2:
            ends.add(sum(int(x, 16) for x in places))
    return named, ends


def labels_are_found(t, cc, linker, layout, flags, level):
    """Compiled with the labels of the compiler kept.  A label behind a call
    that does not return can be the end of its function."""
    what = f"{cc} {linker} {layout} {level}"
    name = f"jumps-{what.replace(' ', '-')}"
    flags = ["-g0", level, "-w", *flags]
    assembly = t.build("jumps.cc", name + ".s", *flags, "-S", cc=[need(cc)])
    file = t.build(assembly, name, *flags, "-Wa,-L", f"-fuse-ld={linker}",
                   cc=[need(cc)])
    used = used_labels(assembly)
    named, ends = symbols(file)
    known = {named[x] for x in used if x in named} - ends
    t.true(f"{what}: labels", len(known) > 50, "over 50", len(known))
    found = {int(x, 16) for x in lines([load("targets"), file])}
    t.equal(f"{what}: labels that are missed", [],
            [hex(x) for x in sorted(known - found)])


def linker_case(linker):
    def run(t):
        program = {"bfd": "ld.bfd", "gold": "ld.gold", "lld": "ld.lld"}[linker]
        if shutil.which(program) is None:
            raise Skip(f"no {program}")
        if platform.machine() != "x86_64":
            raise Skip("only x86-64 is analysed")
        layouts = {**LAYOUTS, "one segment": ONE_SEGMENT[linker]}
        for cc in ("g++", "clang++"):
            for layout, flags in layouts.items():
                for level in pick(["-O2"], ["-O0", "-O1", "-O2", "-O3",
                                            "-Os"]):
                    labels_are_found(t, cc, linker, layout, flags, level)
    run.__name__ = run.__qualname__ = linker
    return case(run)


for each in ("bfd", "gold", "lld"):
    linker_case(each)

def code_bytes(path):
    """Bytes of the file that its executable segments have."""
    return sum(int(x.split()[4], 16) for x in lines(["readelf", "-lW", path])
               if x.split()[:1] == ["LOAD"] and "E" in x.split()[6:-1])


def scanned(text):
    """{word: (number, bytes)} of the last sums that --scan printed, and what
    each reason has."""
    sums, reasons = {}, []
    for line in text.splitlines():
        m = re.match(r"  ([a-z ]*[a-z])? +(\d+)?(?: +[\d.]+ %)? +(\d+) bytes",
                     line)
        if m and m[1]:
            sums[m[1]] = int(m[2] or 0), int(m[3])
        elif m:
            reasons.append((int(m[2]), int(m[3])))
    return sums, reasons


@case
def scan(t):
    """Each byte of code is in one line; each function that is not counted is
    listed, with its reason."""
    if platform.machine() != "x86_64":
        raise Skip("only x86-64 is analysed")
    names = [need("python3"), need("gzip"), need("git"), need("perl")]
    for name in names:
        text = t.prof("--scan", "--verbose", name).stdout
        sums, reasons = scanned(text)
        counted, rest = sums["counted"], sums["not counted"]
        t.equal(f"{name}: bytes", code_bytes(name), counted[1] + rest[1] +
                sums["parts"][1] + sums["other"][1])
        t.equal(f"{name}: functions by reason", counted[0] + rest[0],
                sum(n for n, _ in reasons))
        t.equal(f"{name}: bytes by reason", counted[1] + rest[1],
                sum(n for _, n in reasons))
        t.equal(f"{name}: listed", rest[0], text.count(": not counted: "))
        t.true(f"{name}: nearly all", counted[0] >= 0.98 * (counted[0] +
               rest[0]), "98 %", text)
    text = t.prof("--scan", *names).stdout
    t.equal("all files", sum(map(code_bytes, names)), sum(
        b for what, (_, b) in scanned(text)[0].items()
        if what != "not decoded"))
    t.true("named", "all files: calls of" in text, "a sum", text)


@case
def scan_refuses(t):
    """A line for each file that cannot be scanned; the others are."""
    gzip = need("gzip")
    cut = os.path.join(t.dir, "cut")
    with open(gzip, "rb") as f, open(cut, "wb") as to:
        to.write(f.read(20000))
    r = t.prof("--scan", gzip, __file__, "/nothing", t.dir, cut, good=False)
    t.equal("status", 1, r.returncode)
    t.true("good one", "gzip: calls of" in r.stdout, "its sums", r.stdout)
    for name, why in ((__file__, "is no program or library for x86-64"),
                      ("/nothing", "cannot be opened: No such file"),
                      (t.dir, "is no regular file"),
                      (cut, "is cut: ")):
        t.true(name, f"prof: {name}: {why}" in r.stderr, why, r.stderr)
    for argv in (["--scan"], ["--scan", "--tree", gzip],
                 ["--tree", "--scan", gzip]):
        t.equal(argv, 2, t.prof(*argv, good=False).returncode)


if __name__ == "__main__":
    main()
