#!/usr/bin/env python3
# Context: O.  Files for other profilers, as these read them.
import base64
import collections
import json
import os
import re
import subprocess
import time

from browser import Browser
from harness import (CLEAN, SOURCES, Failed, Skip, case, long_case, main,
                     need)

SPEEDSCOPE = "speedscope@1.25.0"
CODE = ["-O2", "-g", "-fomit-frame-pointer"]


def profiled(t, *args, opts=None):
    exe = t.build("stacks.c", "stacks", *CODE, "-pthread")
    t.good([exe, *args], opts=opts)
    return exe


def tool(t, *argv):
    r = subprocess.run(argv, env={**CLEAN, "HOME": t.dir}, cwd=t.dir,
                       capture_output=True, text=True, timeout=120)
    if r.returncode != 0:
        raise Failed(f"{argv}: {r.returncode}\n{r.stderr}")
    return r.stdout


def written(t, form, name, *options):
    out = os.path.join(t.dir, name)
    t.prof(f"--write={form}", "-o", out, *options, *t.files())
    return out


def functions(paths):
    """{function: [its own seconds, with all that it called]}."""
    times = collections.defaultdict(lambda: [0, 0])
    for path, s in paths.items():
        times[path[-1]][0] += s
        for name in set(path):
            times[name][1] += s
    return times


def pprof_top(t, file, *options):
    """Return the table of go tool pprof."""
    text = tool(t, "go", "tool", "pprof", "-top", "-unit=ns",
                "-nodefraction=0", "-edgefraction=0", "-nodecount=100000",
                *options, file)
    number = r"\s*([0-9.]+)(?:ns)?\s+[0-9.]+%"
    times = {}
    for line in text.splitlines():
        m = re.match(number + r"\s+[0-9.]+%" + number + r"\s+(.*)$", line)
        if m:
            name = re.sub(r" \((partial-)?inline\)$", "", m[3])
            times[name] = [float(m[1]) / 1e9, float(m[2]) / 1e9]
    return times


def same_times(t, what, wanted, got):
    t.equal(f"{what}: functions", sorted(wanted), sorted(got))
    for name in set(wanted) & set(got):
        for i, which in enumerate(("own", "total")):
            t.near(f"{what}: {name}: {which}", wanted[name][i], got[name][i],
                   2e-5)


@case
def pprof(t):
    """go tool pprof has our times, callers, lines and threads."""
    need("go")
    profiled(t, "inlined")
    file = written(t, "pprof", "a.pb.gz")
    seen = t.folded()
    same_times(t, "top", functions(seen), pprof_top(t, file))
    peek = tool(t, "go", "tool", "pprof", "-unit=ns", "-peek=^has_inlined$",
                file)
    for caller in ("inlined", "outer", "inner"):
        t.true(f"peek: {caller}", re.search(
            rf"ns\s+[0-9.]+% \|   {caller}\b", peek), caller, peek)
    text = tool(t, "go", "tool", "pprof", "-unit=ns", "-list=^has_inlined$",
                file)
    source = open(os.path.join(SOURCES, "stacks.c")).read().splitlines()
    called = {i for i, x in enumerate(source, 1)
              if x in ("\tn += outer(n);", "\tn += inner(n);")}
    hot = {int(m[2]) for m in re.finditer(
        r"^\s+[.0-9]+(?:ns)?\s+([0-9]+)ns\s+([0-9]+):", text, re.M)
        if int(m[1]) > 1e7}
    t.equal("list: lines that call", called, hot)
    traces = tool(t, "go", "tool", "pprof", "-unit=ns", "-traces", file)
    total = sum(float(m[1]) for m in re.finditer(
        r"^\s*([0-9]+)ns   \S", traces, re.M))
    t.near("traces", sum(seen.values()), total / 1e9, 1e-4)


@case
def gperftools(t):
    """google-pprof finds the functions, as the profile of its own library."""
    need("google-pprof", "nm", "objdump")
    exe = profiled(t, "paths")
    file = written(t, "gperftools", "a.prof")
    text = tool(t, "google-pprof", "--text", "--nodefraction=0",
                "--edgefraction=0", exe, file)
    got = {m[3]: (float(m[1]) / 1e6, float(m[2]) / 1e6) for m in re.finditer(
        r"^ *(\d+) +[0-9.]+% +[0-9.]+% +(\d+) +[0-9.]+% (\S+)$", text, re.M)}
    seen = t.folded("--no-inline")
    total = sum(seen.values())
    t.true("total", re.search(r"Total: (\d+) samples", text), "said", text)
    t.near("total", total, int(re.search(r"Total: (\d+)", text)[1]) / 1e6,
           1e-4)
    of = functions(seen)
    for name in ("leaf", "main", "one", "two"):
        if name not in of:
            continue
        for i, which in enumerate(("own", "total")):
            t.near(f"{name}: {which}", of[name][i],
                   got.get(name, (0, 0))[i], 0.01 * total)
    t.true("some of them", len(set(of) & set(got)) > 4, "4", sorted(got))


@long_case
def speedscope_itself(t):
    """The published package: its schema takes our file, and its page, in a
    browser, has our functions with their times."""
    try:
        import jsonschema
    except ImportError:
        raise Skip("no jsonschema")
    r = subprocess.run([need("npm"), "pack", "--silent", SPEEDSCOPE],
                       env={**os.environ, "HOME": t.dir}, cwd=t.dir,
                       capture_output=True, text=True)
    if r.returncode != 0:
        raise Skip(f"no package of speedscope: {r.stderr[-200:]}")
    tool(t, "tar", "xzf", r.stdout.split()[-1])
    profiled(t, "paths")
    file = written(t, "speedscope", "a.json")
    release = os.path.join(t.dir, "package", "dist", "release")
    with open(os.path.join(release, "file-format-schema.json")) as f, \
            open(file) as g:
        jsonschema.validate(json.load(g), json.load(f))
    with open(file, "rb") as f, open(file + ".js", "w") as to:
        to.write("speedscope.loadFileFromBase64('a.json', '%s')" %
                 base64.b64encode(f.read()).decode())
    with Browser(t, "--allow-file-access-from-files",
                 "--use-gl=swiftshader",
                 "--enable-unsafe-swiftshader") as b:
        b.open(os.path.join(release, "index.html") +
               f"#localProfilePath={file}.js")
        for _ in range(20):
            time.sleep(0.5)     # it goes back to its first view when loaded
            b.press("3")        # its table
            text = b.js("return document.body.innerText")
            if "leaf" in text:
                break
    got = {m[3]: (float(m[1]), float(m[2])) for m in re.finditer(
        r"([0-9.]+)ms \([^)]*\)\s+([0-9.]+)(?:ms|ns) \([^)]*\)\s+(\S+)",
        text)}
    of = functions(t.folded())
    for name in ("leaf", "main", "top", "c0"):
        total, own = got.get(name, (0, 0))
        t.near(f"{name}: total", of[name][1] * 1e3, total, 0.01)
        t.near(f"{name}: own", of[name][0] * 1e3, own, 0.01)


@case
def tables(t):
    """--write=csv and json are --csv and --json."""
    profiled(t, "paths")
    for form in ("csv", "json"):
        t.equal(form, t.prof(f"--{form}", *t.files()).stdout,
                t.prof(f"--write={form}", *t.files()).stdout)
        written(t, form, "table", "--lines")
        t.equal(f"{form}: a file", t.prof(f"--{form}", "--lines",
                                          *t.files()).stdout,
                open(os.path.join(t.dir, "table")).read())


@case
def pprof_of_threads(t):
    """Labels of processes and threads have the times of --by."""
    need("go")
    exe = t.build("shares.c", "shares", "-O2", "-pthread", "-ldl")
    t.good([exe, "-t", "3", "-f", "2", "1"])
    file = written(t, "pprof", "a.pb.gz")
    text = tool(t, "go", "tool", "pprof", "-unit=ns", "-tags", file)
    got = {}
    for part in re.split(r"\n\n+", text):
        key = re.match(r"\s*(\w+): Total", part)
        for m in re.finditer(r"^\s+([0-9.]+)ns \([^)]*\): (\d+)ns$", part,
                             re.M):
            got[key[1], int(m[2])] = float(m[1]) / 1e9
    wanted = collections.Counter()
    for r in t.rows("--by=thread", *t.files()):
        if r["thread"]:
            wanted["tid", int(r["thread"])] += float(r["seconds"])
    for r in t.rows("--by=process", *t.files()):
        wanted["pid", int(r["process"])] += float(r["seconds"])
    t.equal("threads and processes", sorted(wanted), sorted(got))
    for k in set(wanted) & set(got):
        t.near(f"{k}", wanted[k], got[k], 1e-6)


@case
def callgrind(t):
    """callgrind_annotate has our times, own and inclusive, and the source."""
    need("callgrind_annotate")
    profiled(t, "inlined")
    file = written(t, "callgrind", "a.callgrind")
    wanted = functions(t.folded())
    for i, option in enumerate(("no", "yes")):
        text = tool(t, "callgrind_annotate", f"--inclusive={option}",
                    "--threshold=100", "--auto=no", file)
        got = collections.Counter()
        for m in re.finditer(r"^ *([0-9,]+) \( *[0-9.]+%\)  [^:]*:(.*?) "
                             r"\[.*\]$", text, re.M):
            got[m[2]] += int(m[1].replace(",", "")) / 1e9
        for name, times in wanted.items():
            # In no file it is as two functions there: libc's, and the vdso's.
            if name != "clock_gettime" and times[i] > 0:
                t.near(f"inclusive={option}: {name}", times[i], got[name],
                       2e-5)
    text = tool(t, "callgrind_annotate", "--auto=yes", file)
    t.true("source", re.search(
        r"^ *[0-9,]+ \( *[0-9.]+%\)\s+x = x \* 6364136223846793005u", text,
        re.M), "with its time", text)


@case
def calls_for_callgrind(t):
    """Calls that were counted are there."""
    need("callgrind_annotate")
    exe = t.build("gmon_ends.c", "ends", "-O1", "-pg", "-pthread")
    t.good([exe])
    text = open(written(t, "callgrind", "a.callgrind")).read()
    t.true("calls", re.search(r"^calls=1000000 ", text, re.M), "a million",
           re.findall(r"^calls=.*$", text, re.M))
    text = tool(t, "callgrind_annotate", "--tree=caller", "--threshold=100",
                "--auto=no", "a.callgrind")
    t.true("callgrind_annotate", "call (1,000,000x)" in text, "a million", text)


@case
def speedscope(t):
    """Its profiles, one a thread, have our stacks."""
    profiled(t, "inlined")
    with open(written(t, "speedscope", "a.speedscope.json")) as f:
        d = json.load(f)
    t.equal("schema", "https://www.speedscope.app/file-format-schema.json",
            d["$schema"])
    names = [x["name"] for x in d["shared"]["frames"]]
    got = collections.Counter()
    for p in d["profiles"]:
        t.equal("type", ("sampled", "nanoseconds", 0),
                (p["type"], p["unit"], p["startValue"]))
        t.equal("sum", p["endValue"], sum(p["weights"]))
        t.equal("as many", len(p["samples"]), len(p["weights"]))
        for stack, weight in zip(p["samples"], p["weights"]):
            got[tuple(names[i] for i in stack)] += weight / 1e9
    same_paths(t, "speedscope", t.folded(), got)


@case
def firefox(t):
    """The columns of each table are whole, and the stacks are ours."""
    profiled(t, "inlined")
    with open(written(t, "firefox", "a.firefox.json")) as f:
        d = json.load(f)
    t.equal("version", 47, d["meta"]["preprocessedProfileVersion"])
    t.true("grey", any(c["color"] == "grey" for c in d["meta"]["categories"]),
           "the default category", d["meta"]["categories"])
    got = collections.Counter()
    for x in d["threads"]:
        t.equal("pid", str, type(x["pid"]))
        for table in ("samples", "stackTable", "frameTable", "funcTable",
                      "resourceTable", "nativeSymbols", "markers"):
            n = x[table]["length"]
            t.equal(f"{table}: columns", {n}, {
                len(c) for k, c in x[table].items()
                if isinstance(c, list)} or {n})
        s, frames, funcs = x["stackTable"], x["frameTable"], x["funcTable"]
        name = [x["stringArray"][i] for i in funcs["name"]]
        for i, p in enumerate(s["prefix"]):
            t.true("prefix before", p is None or p < i, "lower", (i, p))
        for i, r in enumerate(funcs["resource"]):
            t.true("resource", -1 <= r < x["resourceTable"]["length"],
                   "one", r)
        t.true("libs", all(0 <= i < len(d["libs"])
                           for i in x["resourceTable"]["lib"]), "those",
               x["resourceTable"]["lib"])
        times = x["samples"]["time"]
        t.equal("time goes on", sorted(times), times)
        for stack, weight in zip(x["samples"]["stack"],
                                 x["samples"]["weight"]):
            path = []
            while stack is not None:
                path.append(name[frames["func"][s["frame"][stack]]])
                stack = s["prefix"][stack]
            got[tuple(reversed(path))] += weight / 1e3
    same_paths(t, "firefox", t.folded(), got)


def firefox_times(d):
    """[(innermost function, begin, ns)]; times in s since 1970."""
    for x in d["threads"]:
        if x["name"] == "[not sampled]":
            continue
        stacks, of = x["stackTable"], x["samples"]
        for stack, at, weight in zip(of["stack"], of["time"], of["weight"]):
            func = x["frameTable"]["func"][stacks["frame"][stack]]
            yield (x["stringArray"][x["funcTable"]["name"][func]],
                   (d["meta"]["startTime"] + at) / 1e3, weight / 1e3)


def speedscope_times(d, start):
    names = [x["name"] for x in d["shared"]["frames"]]
    for p in d["profiles"]:
        now = start
        if p["name"].endswith(", not sampled"):
            continue
        for stack, weight in zip(p["samples"], p["weights"]):
            if stack:
                yield names[stack[-1]], now, weight / 1e9
            now += weight / 1e9


def perf_times(text, start):
    for sample in text.split("\n\n"):
        head, *frames = sample.strip("\n").split("\n")
        m = re.match(r"\S+ \d+/\d+ (\d+\.\d+): +(\d+) cpu-clock:", head)
        name = frames[0].split()[1] if frames else "["
        if m and name[0] != "[":     # which stands for what has no samples
            ns = int(m[2]) / 1e9
            yield name, start + float(m[1]) - ns, ns


@case
def times(t):
    """log=yes: what each shows to have been when is when it was."""
    exe = t.build("phases.c", "phases", *CODE, "-pthread")
    r = t.good([exe, 0.4], opts="log=yes")
    with open(written(t, "firefox", "a.firefox.json")) as f:
        d = json.load(f)
    start = d["meta"]["startTime"] / 1e3
    got = {"firefox": list(firefox_times(d))}
    with open(written(t, "speedscope", "a.speedscope.json")) as f:
        got["speedscope"] = list(speedscope_times(json.load(f), start))
    with open(written(t, "perf", "a.perf")) as f:
        got["perf"] = list(perf_times(f.read(), start))
    for what, samples in got.items():
        t.near(f"{what}: samples", len(got["firefox"]), len(samples), 0)
        for line in r.text.splitlines():
            part, begin, end = line.split()
            own = [x for x in samples if x[0] == part]
            t.figure(f"{what}: {part}", own and
                     min(x[1] for x in own) > float(begin) - 0.01 and
                     max(x[1] + x[2] for x in own) < float(end) + 0.02,
                     f"{begin} to {end}", [own[:1], own[-1:]])
            # A second of the other processor's thread may stand between.
            t.figure(f"{what}: {part}: all along", own and
                     max(x[1] for x in own) - min(x[1] for x in own) > 0.3,
                     "most of 0.4 s", own[:1] + own[-1:])


@case
def perf_script(t):
    """The text folds to our stacks, as FlameGraph's scripts fold it."""
    profiled(t, "inlined")
    got = collections.Counter()
    with open(written(t, "perf", "a.perf")) as f:
        for sample in f.read().strip("\n").split("\n\n"):
            head, *frames = sample.split("\n")
            m = re.fullmatch(r"\S+ +(\d+)/(\d+) +([0-9.]+): +(\d+) "
                             r"cpu-clock:", head)
            t.true("head", m, "as of perf script", head)
            path = []
            for line in frames:
                x = re.fullmatch(r"\t *([0-9a-f]+) (.+) \(([^()]+)\)", line)
                t.true("frame", x, "as of perf script", line)
                path.append(x[2])
            got[tuple(reversed(path))] += int(m[4]) / 1e9
    same_paths(t, "perf", t.folded(), got)


def same_paths(t, what, wanted, got):
    # A path of less than a microsecond is in no line of ours.
    t.equal(f"{what}: paths", set(wanted) - set(got), set())
    t.true(f"{what}: others", all(got[p] < 2e-6 for p in
                                  set(got) - set(wanted)), "none", got)
    for p in wanted:
        t.near(f"{what}: {p}", wanted[p], got[p], 2e-6)


if __name__ == "__main__":
    main()
