#!/usr/bin/env python3
# Context: O.  Findings below a report: programs with planted faults, whose
# shares the program knows, and programs in languages with options for names.
import glob
import os
import re
import shutil
import subprocess

from harness import BUILD, SOURCES, Skip, case, main, need, pick

FINDING = re.compile(r"^ *([\d.]+) (?:%(?: \+-([\d.]+))?|(s)) +(\S.*)$", re.M)
HOT = """
function hot(n) { let x = 1; for (let i = 0; i < n; i++) x = x * 7 % 1009;
                  return x; }
let s = 0; const end = process.cpuUsage().user + 700000;
while (process.cpuUsage().user < end) s += hot(1000);
"""


def findings(t, *options):
    """[(share or seconds, error, text)] below the table."""
    text = t.prof(*options, *t.files()).stdout
    if "\nFindings" not in text:
        return []
    below = text.split("\nFindings", 1)[1].split("\n\n", 1)[0]
    return [(float(m[1]), float(m[2] or 0), m[4])
            for m in FINDING.finditer(below)]


def one(t, wanted, *options):
    """The finding with that text."""
    found = [f for f in findings(t, *options) if wanted in f[2]]
    t.equal(f"findings with '{wanted}'", 1, len(found))
    return found[0] if found else (0, 0, "")


def load_tool(name):
    path = os.path.join(BUILD, name)
    if not os.path.exists(path):
        raise Skip(f"{path} is not built")
    return path


def planted(t, kind, **how):
    shutil.rmtree(os.path.join(t.dir, "profs"), ignore_errors=True)
    exe = t.build("planted.cc", "planted", "-pthread", cc=[need("g++")])
    t.good([exe, kind, pick(2, 6)], opts="hz=1000,clock=wall", **how)


@case
def memory(t):
    """Half of the time in a function that makes and drops texts."""
    planted(t, "memory")
    share, error, text = one(t, "memory allocation")
    t.between("share", 20, share, 50 + error)
    t.true("who", "called by builds_texts (" in text, "builds_texts", text)
    t.true("nobody else", "plain_work" not in text, "builds_texts", text)


@case
def kernel(t):
    """Half of the time in one system call."""
    planted(t, "kernel")
    share, error, text = one(t, "the kernel: ")
    t.between("share", 38, share, 52 + error)
    t.true("call", text.startswith("the kernel: readlink ("), "readlink",
           text)
    t.true("who", "called by asks_kernel (" in text, "asks_kernel", text)


@case
def lambdas(t):
    """A lambda that is compiled into a template of std::thread."""
    planted(t, "lambda")
    _, _, text = one(t, "the kernel: ")
    t.true("who", "called by std::thread::" in text, "the template", text)


@case
def locks(t):
    """Three threads, of which two sleep while one has the lock."""
    planted(t, "locks")
    seconds, _, text = one(t, "asleep until a lock was free")
    # Each thread's third is slept away by the others that wait.
    t.figure("seconds", seconds > 0.3 * pick(2, 6) / 2, "a third", seconds)
    t.true("who", "most by holds_lock (" in text, "holds_lock", text)


@case
def nothing_to_find(t):
    """A program that only works has no finding."""
    planted(t, "none")
    t.equal("findings", [], findings(t))
    text = t.prof("--explain", *t.files()).stdout
    t.true("--explain", "\nFindings: none above 5 % of the time\n" in text,
           "none", text)


@case
def no_symbols(t):
    """A stripped program is named, with its share."""
    exe = t.build("planted.cc", "planted", "-pthread", "-s",
                  cc=[need("g++")])
    t.good([exe, "none", pick(1, 3)], opts="hz=1000")
    share, _, text = one(t, "functions without symbols in planted: ")
    t.between("share", 90, share, 100)
    t.true("no package", "apt" not in text, "none", text)
    # The program's build may have no build-id, which servers go by.
    t.true("servers are to be named", "prof --debuginfod" not in text or
           "or DEBUGINFOD_URLS=URL prof --debuginfod=30" in text,
           "the variable", text)


@case
def samples_of_the_kernel(t):
    """The kernel takes stacks by frame pointers unless it is told to copy."""
    exe = t.build("planted.cc", "planted", "-pthread", cc=[need("g++")])
    tprof = load_tool("tprof")
    found = {}
    for how in ("fp", "copy"):
        r = t.run([tprof, "monitor", "--tree", f"--stacks={how}", "-o", how,
                   exe, "none", pick(1, 3)], mon=False)
        if r.status != "exit 0":
            raise Skip(f"tprof: {r.err[-200:]}")
        if "by the kernel" not in t.prof(how).stdout:
            raise Skip("the kernel takes no samples for this user")
        found[how] = t.prof(how).stdout
    t.true("fp", "; tprof monitor --stacks=copy finds" in found["fp"],
           "the other way", found["fp"])
    t.true("copy", "stacks without" not in found["copy"], "no finding",
           found["copy"])


@case
def node(t):
    """Code of node has names with the option that is named without."""
    program = need("node")
    script = os.path.join(t.dir, "hot.js")
    with open(script, "w", encoding="ascii") as f:
        f.write(HOT)
    t.good([program, script], opts="hz=1000")
    share, error, text = one(t, "generated code of node, without names")
    t.true("option", "node --perf-basic-prof" in text, "the option", text)
    rows = t.rows(*t.files())
    of = sum(float(r["percent"]) for r in rows
             if r["function"] == "[generated code]")
    t.near("share", of, share, 0.1)
    shutil.rmtree(os.path.join(t.dir, "profs"))
    t.good([program, "--perf-basic-prof", script], opts="hz=1000")
    text = t.prof("--explain", *t.files()).stdout
    t.true("with the option", "without names" not in text, "no finding",
           text)


@case
def java(t):
    """The options that the finding names are what java takes."""
    need("java", "javac")
    r = subprocess.run(["javac", "-d", t.dir, os.path.join(
        SOURCES, "Hot.java")], capture_output=True, text=True)
    if r.returncode != 0:
        raise Skip(f"javac: {r.stderr[-200:]}")
    t.good(["java", "-cp", t.dir, "Hot", pick(400, 3000)], opts="hz=1000")
    _, _, text = one(t, "generated code of java, without names")
    options = re.findall(r" (-XX:\S+)", text)
    t.equal("options", 3, len(options))
    shutil.rmtree(os.path.join(t.dir, "profs"))
    r = t.run(["java", *options, "-cp", t.dir, "Hot", pick(400, 3000)],
              opts="hz=1000")
    if b"Unrecognized VM option" in r.err + r.out:
        raise Skip("this java is older than 17")
    t.equal("end", "exit 0", r.status)
    text = t.prof("--explain", *t.files()).stdout
    t.true("with the options", "without names" not in text and
           "Hot.hot" in text, "names", text)


@case
def python(t):
    """Python without the option, and too old to have it."""
    found = glob.glob(os.path.expanduser("~/.pyenv/versions/3.*/bin/python3"))
    found += ["/usr/bin/python3"]
    seen = {}
    for path in found:
        r = subprocess.run([path, "-c", "import sys; print(sys.version_info"
                            "[1])"], capture_output=True, text=True) \
            if os.path.exists(path) else None
        if r and r.returncode == 0:
            seen.setdefault(int(r.stdout) >= 12, path)
    if not seen:
        raise Skip("no Python 3 is installed")
    for able, path in seen.items():
        shutil.rmtree(os.path.join(t.dir, "profs"), ignore_errors=True)
        t.good([path, "-c", "s = 0\nfor i in range(6000000): s += i"],
               opts="hz=1000")
        share, _, text = one(t, "called from Python code, without names")
        t.figure(f"{path}: share", share > 60, "most of it", share)
        t.true(f"{path}: option", ("of 3.12 and newer" in text) != able and
               "python3 -X perf" in text, "by its version", text)


if __name__ == "__main__":
    main()
