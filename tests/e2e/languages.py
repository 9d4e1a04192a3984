#!/usr/bin/env python3
# Context: O.  Programs in other languages than C: whole stacks, and findings
# that say which option names their code.
import glob
import os
import re
import shutil
import subprocess

from harness import SOURCES, Skip, case, main, need, pick, placed
from process import CLEAN

GENERATED = "[generated code]"
# Share of the program's start, and of samples that other code had.
STRAY = 0.05

PY = """
import time
def leaf(n):
    s = 0
    for i in range(n):
        s += i * i
    return s
def middle(n):
    return leaf(n) + 1
def outer(n):
    return middle(n) + 1
end = time.process_time() + %s
while time.process_time() < end:
    outer(3000)
"""


def share(paths, *wanted):
    """Share of the time in code whose path has these, in this order."""
    def has(path):
        at = iter(path)
        return all(any(w in f for f in at) for w in wanted)
    paths = placed(paths)
    return sum(s for p, s in paths.items() if has(p)) / sum(paths.values())


def python_with_perf():
    """The newest Python that has -X perf."""
    found = glob.glob(os.path.expanduser("~/.pyenv/versions/3.*/bin/python3"))
    found += ["/usr/bin/python3", "/usr/local/bin/python3"]
    able = {}
    for path in found:
        r = subprocess.run([path, "-X", "perf", "-c", "import sys\n"
                            "print(sys.is_stack_trampoline_active())\n"
                            "print(sys.version_info[1])"],
                           env=CLEAN, capture_output=True, text=True) \
            if os.path.exists(path) else None
        if r and r.returncode == 0 and r.stdout.startswith("True"):
            able[int(r.stdout.split()[1])] = path
    if not able:
        raise Skip("no Python with -X perf (3.12 and newer) is installed")
    return able[max(able)]


@case
def trampolines(t):
    """Code at run time without a table or a frame pointer, by its bytes."""
    exe = t.build("trampolines.c", "python3-like", "-fomit-frame-pointer")
    r = t.run([exe, pick(1, 4)], opts="hz=1000")
    if r.status == "exit 77":
        raise Skip("there is no such trampoline for this CPU")
    t.equal("end", "exit 0", r.status)
    paths = t.folded()
    whole = share(paths, "main", GENERATED, "left", GENERATED, "leaf")
    t.near("below left", 2 / 3, whole, 0.1)
    part = share(paths, "main", GENERATED, "right", GENERATED, "leaf")
    t.between("below left or right", 1 - STRAY, whole + part, 1)


@case
def python_functions(t):
    """python3 -X perf: each function of Python below its caller."""
    python = python_with_perf()
    script = os.path.join(t.dir, "job.py")
    with open(script, "w", encoding="ascii") as f:
        f.write(PY % pick(0.7, 3))
    t.good([python, "-X", "perf", script], opts="hz=1000")
    paths = t.folded()
    of = share(paths, "py::leaf")
    t.figure("there is time in leaf", of > 0.5, "half", of)
    t.between("leaf with all its callers", of * (1 - STRAY), share(
        paths, "_start", "py::<module>", "py::outer", "py::middle",
        "py::leaf"), of)
    text = t.prof(*t.files()).stdout
    t.true("finding", re.search(r"Python code and what it calls in C, by "
                                r"function: py::leaf:\S+ \([6-9]", text),
           "leaf", text)
    modules = {r["module"] for r in t.rows("--tree", *t.files())
               if r["function"].startswith("py::")}
    t.equal("their module", {"[python]"}, modules)
    text = t.prof("--verbose", *t.files()).stdout
    t.true("no guess", "by its frame pointers" not in text, "tables", text)


def build_go(t, source, exe, mode):
    need("go")
    r = subprocess.run(
        ["go", "build", f"-buildmode={mode}", "-o", exe,
         os.path.join(SOURCES, source)], cwd=t.dir, text=True,
        capture_output=True, env={
            **CLEAN, "GO111MODULE": "off", "CGO_ENABLED": "1",
            "GOCACHE": os.path.join(t.dir, "cache")})
    if r.returncode != 0:
        raise Skip(f"go build: {r.stderr[-300:]}")


@case
def go_functions(t):
    """Go calls C, and its runtime, on another stack than the goroutine's."""
    exe = os.path.join(t.dir, "program")
    for mode in pick(("exe",), ("exe", "pie")):
        for source, argument, inner, through in (
                ("cgo.go", pick(700, 5000), "Cfunc_in_c",
                 ("main.work", "runtime.asmcgocall")),
                ("garbage.go", pick(20, 100), "runtime.systemstack", ())):
            build_go(t, source, exe, mode)
            shutil.rmtree(os.path.join(t.dir, "profs"), ignore_errors=True)
            t.good([exe, argument], opts="hz=1000")
            paths = t.folded()
            of = share(paths, inner)
            t.figure(f"{mode}: there is time in {inner}", of > 0.1, "a tenth",
                     of)
            t.between(f"{mode}: {inner} below the goroutine", of * 0.95,
                      share(paths, "runtime.goexit", *through, inner), of)


if __name__ == "__main__":
    main()
