#!/usr/bin/env python3
# Context: O.  The page of prof --html, in a browser: from clicks to the numbers
# that it shows.
import collections
import json
import os
import re
import shutil
import subprocess

from browser import Browser
from harness import SOURCES, Skip, case, main, need, pick

CODE = ["-O2", "-g", "-fomit-frame-pointer", "-pthread"]
# Where a picture of each page is kept, to be looked at.
PICTURES = os.environ.get("PICTURES")


def page(t, *options, where="profs"):
    path = os.path.join(t.dir, "report.html")
    t.prof(f"--html={path}", *options, *t.files(where))
    return path


def profiled(t, *args):
    t.good([t.build("stacks.c", "stacks", *CODE), *args])


def functions(paths):
    """{function: [its own seconds, with all that it called]}."""
    times = collections.defaultdict(lambda: [0, 0])
    for path, s in paths.items():
        times[path[-1]][0] += s
        for name in set(path):
            times[name][1] += s
    return times


def rows(b, table="rows"):
    """Return the texts of a table's cells."""
    return b.js("return [...document.getElementById(arguments[0]).rows]"
                ".map((r) => [...r.cells].map((c) => c.textContent))", table)


def seconds(text):
    return float(re.fullmatch(r"([0-9.]+) s", text)[1])


def look(b, name):
    if PICTURES:
        os.makedirs(PICTURES, exist_ok=True)
        b.screenshot(os.path.join(PICTURES, name + ".png"))


def click_bar(b, name):
    """On the widest bar of that function."""
    at = b.js("const w = flame.where(names.indexOf(arguments[0]));"
              "const r = flame.canvas.getBoundingClientRect();"
              "return [r.left + w.x, r.top + w.y]", name)
    b.point(*at, click=True)


def drawn(b):
    b.js("flame.paint()")


def is_as_wide_as_its_window(t, b, what):
    t.true(f"{what}: width", b.js(
        "const e = document.documentElement;"
        "return e.scrollWidth <= e.clientWidth"), "all of it to be seen",
        b.js("return document.documentElement.scrollWidth"))


@case
def table(t):
    """The functions, their times and shares; sorted as asked."""
    profiled(t, "inlined")
    wanted = functions(t.folded())
    whole = sum(own for own, _ in wanted.values())
    with Browser(t) as b:
        b.open(page(t))
        t.true("title", b.text("#title").startswith("stacks: CPU time"),
               "the program", b.text("#title"))
        got = rows(b)
        look(b, "table")
        # Either way at half of the page's last digit.
        doubt = {k for k, v in wanted.items() if 0.0004 < v[1] < 0.0006}
        t.equal("functions", sorted(k for k, v in wanted.items()
                                    if v[1] >= 0.0006),
                sorted({r[4] for r in got if r[2] != "0.000 s"} - doubt))
        seen = collections.defaultdict(lambda: [0, 0])
        for own, share, total, share_of_total, name, module in got:
            seen[name][0] += seconds(own)
            seen[name][1] += seconds(total)
            t.near(f"{name}: share", seconds(own) / whole * 100,
                   float(share), 0.15)
            t.near(f"{name}: share of total", seconds(total) / whole * 100,
                   float(share_of_total), 0.15)
        for name in wanted:
            if name == "clock_gettime":
                continue    # two of that name
            for i in range(2):
                t.near(f"{name}: {'total' if i else 'own'}", wanted[name][i],
                       seen[name][i], 0.0011)
        t.equal("most first", sorted((seconds(r[0]) for r in got),
                                     reverse=True),
                [seconds(r[0]) for r in got])
        b.click('[data-sort="name"]')
        names = [r[4] for r in rows(b)]
        t.equal("by name", sorted(names), names)
        b.click('[data-sort="name"]')
        t.equal("by name, upwards", sorted(names, reverse=True),
                [r[4] for r in rows(b)])
        t.true("what it rests on", "CPU time:" in b.text("#footer") and
               "stacks: " in b.text("#footer"), "the footer",
               b.text("#footer"))
        t.equal("complaints", [], b.complaints())


@case
def picture(t):
    """A click on a bar makes it the whole, and shows its neighbours."""
    profiled(t, "inlined")
    times = functions(t.folded())
    with Browser(t) as b:
        b.open(page(t))
        drawn(b)
        click_bar(b, "has_inlined")
        t.true("chosen", b.text("#chosenName").startswith(
            "has_inlined [stacks]: "), "has_inlined", b.text("#chosenName"))
        t.equal("as wide as the picture", "has_inlined",
                b.js("return flame.name(flame.zoom)"))
        t.equal("callers", ["inlined"], [r[2] for r in rows(b, "callers")])
        callees = {r[2]: seconds(r[0]) for r in rows(b, "callees")}
        t.equal("callees", ["inner", "outer"], sorted(callees))
        t.near("outer", times["outer"][1], callees["outer"], 0.0011)
        look(b, "chosen")
        b.js("document.querySelector('#callees tr').click()")
        t.true("the next", b.text("#chosenName").startswith("outer ["),
               "outer", b.text("#chosenName"))
        b.press("\ue00c")    # Escape
        t.equal("whole", 0, b.js("return flame.zoom"))
        drawn(b)
        at = b.js("const w = flame.where(names.indexOf('outer'));"
                  "const r = flame.canvas.getBoundingClientRect();"
                  "return [r.left + w.x, r.top + w.y]")
        b.point(*at)
        told = b.text("#told")
        m = re.match(r"outer \[stacks, inlined\]: ([0-9.]+) s, ([0-9.]+) % "
                     r"\u00b1([0-9.]+)", told)
        t.true("told", m, "outer and its time", told)
        if m:
            t.near("told", times["outer"][1], float(m[1]), 0.0011)
        t.equal("complaints", [], b.complaints())


def from_page(path, pattern):
    with open(path, encoding="utf-8") as f:
        return re.search(pattern, f.read(), re.S | re.M)[1]


@case
def errors(t):
    """The error of each share is that of --error; this needs no browser."""
    node = need("node")
    profiled(t, "inlined")
    path = page(t)
    rows = [r for r in t.rows("--error", *t.files()) if r["percent_error"]]
    whole = sum(float(r["seconds"]) for r in t.rows(*t.files())) * 1e9
    asked = [[float(r["seconds"]) * 1e9, int(r["samples"])] for r in rows]
    script = (
        "const data = " + from_page(path, 'id="data">(.*?)</script>') + ";" +
        from_page(path, "^(function errorText.*?^})") + ";"
        f"for (const [ns, count] of {json.dumps(asked)})"
        f"    console.log(errorText(ns, count, {whole}).slice(2));")
    got = subprocess.run([node, "-"], input=script, check=True,
                         stdout=subprocess.PIPE, encoding="utf-8")
    got = got.stdout.split()
    t.true("shares", len(rows) > 1, "some", rows)
    t.equal("errors", len(rows), len(got))
    for r, error in zip(rows, got):
        t.near(r["function"], float(r["percent_error"]), float(error), 0.06)


@case
def keys(t):
    """All of it without a mouse."""
    profiled(t, "inlined")
    with Browser(t) as b:
        b.open(page(t))
        b.js("document.getElementById('graph').focus()")
        down = "\ue015"
        b.press(down, down)
        path = b.js("const p = []; for (let i = flame.at; i !== 0;"
                    "i = flame.tree.parent[i]) p.push(flame.name(i));"
                    "return p")
        t.equal("two down", ["__libc_start_main", "_start"], path)
        t.true("told", b.text("#told").startswith("__libc_start_main ["),
               "where it is", b.text("#told"))
        b.press("\ue007")    # Enter
        t.equal("zoomed", "__libc_start_main",
                b.js("return flame.name(flame.zoom)"))
        b.press("\ue013")    # up, and so out
        t.equal("out", "_start", b.js("return flame.name(flame.at)"))
        b.press("/")
        t.equal("find", "find", b.js("return document.activeElement.id"))
        b.press("l", "e", "a", "f")
        t.true("matched", "% of the time" in b.text("#matched"), "a share",
               b.text("#matched"))
        b.press("\ue00c")
        t.equal("no more", "", b.text("#matched"))


@case
def rows_by_keys(t):
    """The table, too: Tab reaches one row, arrows the others."""
    profiled(t, "inlined")
    with Browser(t) as b:
        b.open(page(t))
        b.js("document.querySelector('[data-sort=module]').focus()")
        b.press("\ue004")    # Tab
        b.press("\ue015", "\ue015", "\ue013", "\ue007")
        second = rows(b)[1]
        t.true("chosen", b.text("#chosenName").startswith(
            f"{second[4]} [{second[5]}]: "), second, b.text("#chosenName"))
        t.equal("still there", second[4], b.js(
            "return document.activeElement.cells[4].textContent"))


@case
def narrow(t):
    """In windows of 700 and of 390 pixels nothing stands outside."""
    both(t, ["deep 9"], ["inlined"])
    with Browser(t) as b:
        for name, path in (("one", page(t, where="new")), ("two", compared(t))):
            for width in (700, 390):
                b.resize(width, 900)
                b.open(path)
                choose(b, "leaf")
                look(b, f"{name}-{width}")
                is_as_wide_as_its_window(t, b, f"{name}, {width}")


@case
def shallow(t):
    """A picture is no higher than its stacks, and no more than it can be."""
    with Browser(t) as b:
        for args, low, high in ((("inlined",), 10, 15), (("deep", "90"), 20,
                                                        60)):
            t.good([t.build("stacks.c", "stacks", *CODE), *args],
                   profdir=args[0])
            b.open(page(t, where=args[0]))
            t.between(f"{args[0]}: rows", low, b.js(
                "return flame.section.clientHeight / ROW"), high)


@case
def printed(t):
    """Light, with the whole picture; and as before when that is done."""
    profiled(t, "deep", "40")
    with Browser(t) as b:
        b.open(page(t))
        b.js("if (!document.documentElement.classList.contains('dark'))"
             "document.getElementById('theme').click(); flame.paint()")
        before = b.js("return flame.canvas.clientHeight")
        seen = b.js("""
            window.dispatchEvent(new Event("beforeprint"));
            const c = flame.canvas, light = !document.documentElement
                .classList.contains("dark");
            const all = [light, c.height / (window.devicePixelRatio || 1),
                flame.height()];
            window.dispatchEvent(new Event("afterprint"));
            return all""")
        t.equal("light", True, seen[0])
        t.equal("whole", seen[2], seen[1])
        t.true("more", seen[1] > before, f"over {before}", seen[1])
        t.equal("again", [True, before], b.js(
            "return [document.documentElement.classList.contains('dark'),"
            "flame.canvas.clientHeight]"))


@case
def search(t):
    """A regular expression, and the time of all paths that have it."""
    profiled(t, "inlined")
    paths = t.folded()
    whole = sum(paths.values())
    with Browser(t) as b:
        b.open(page(t))
        for pattern in ("outer", "^inner$|clock", "no such thing", "main"):
            b.js("document.getElementById('find').value = ''")
            b.type("#find", pattern)
            of = sum(s for p, s in paths.items()
                     if any(re.search(pattern, f, re.I) for f in p))
            m = re.match(r"([0-9.]+) % of the time, ([0-9.]+) s",
                         b.text("#matched"))
            t.true(f"{pattern}: says", m, "a share", b.text("#matched"))
            t.near(f"{pattern}: share", of * 100 / whole, float(m[1]), 0.1)
            t.near(f"{pattern}: time", of, float(m[2]), 0.0011)
            t.true(f"{pattern}: rows", all(re.search(pattern, r[4], re.I)
                                           for r in rows(b)), "those alone",
                   rows(b))
        look(b, "found")
        b.js("document.getElementById('find').value = ''")
        b.type("#find", "(")
        t.equal("wrong", "wrong", b.js(
            "return document.getElementById('find').className"))
        t.equal("complaints", [], b.complaints())


def tree(b):
    """{path: seconds} of what is drawn, by its own time."""
    paths = collections.Counter()
    for path, ns in b.js("""
            const t = flame.tree, all = [];
            for (let i = 1; i < t.size; i++) {
                if (t.self[i] === 0)
                    continue;
                const p = [];
                for (let k = i; k !== 0; k = t.parent[k])
                    p.push(flame.name(k));
                all.push([p.reverse(), t.self[i]]);
            }
            return all"""):
        paths[tuple(path)] += ns / 1e9
    return paths


def same_paths(t, what, wanted, got):
    for p in set(wanted) | set(got):
        t.near(f"{what}: {p}", wanted.get(p, 0), got.get(p, 0), 3e-6)


def merged(path):
    """Two of one name that are not one function stay."""
    return tuple(f for i, f in enumerate(path) if i == 0 or
                 path[i - 1] != f or f == "clock_gettime")


@case
def ways(t):
    """Callers first or callees first, recursion as one, either way up."""
    profiled(t, "deep", "40")
    paths = t.folded()
    with Browser(t) as b:
        b.open(page(t))
        same_paths(t, "callers first", paths, tree(b))
        times = functions(paths)
        total = [seconds(r[2]) for r in rows(b) if r[4] == "recurse"]
        t.near("recursion counts once", times["recurse"][1], total[0], 6e-4)
        choose(b, "recurse")
        for table, names in (("callers", ("deep", "recurse")),
                             ("callees", ("leaf", "recurse"))):
            got = {r[2]: seconds(r[0]) for r in rows(b, table)}
            for name in names:
                call = (name, "recurse") if table == "callers" else \
                    ("recurse", name)
                t.near(f"{table}: {name}", sum(
                    s for p, s in paths.items()
                    if call in zip(p, p[1:])), got[name], 6e-4)
        b.choose("#way", "up")
        same_paths(t, "callees first", {p[::-1]: s for p, s in paths.items()},
                   tree(b))
        look(b, "callees")
        b.click("#merge")
        want = collections.Counter()
        for p, s in paths.items():
            want[merged(p)[::-1]] += s
        same_paths(t, "callees, merged", want, tree(b))
        b.choose("#way", "down")
        same_paths(t, "callers, merged", {p[::-1]: s for p, s in want.items()},
                   tree(b))
        b.choose("#shape", "flame")
        drawn(b)
        click_bar(b, "main")
        t.equal("upwards", "main", b.js("return flame.name(flame.zoom)"))
        look(b, "flame")
        b.click("#theme")
        look(b, "theme")
        t.equal("complaints", [], b.complaints())


@case
def threads(t):
    """Each thread and process alone."""
    exe = t.build("shares.c", "shares", "-O2", "-pthread", "-ldl")
    t.good([exe, "-t", "3", "-f", "1", "1"])
    wanted = {}
    for r in t.rows("--by=thread", *t.files()):
        if r["thread"]:
            wanted[int(r["thread"])] = float(r["seconds"])
    with Browser(t) as b:
        b.open(page(t))
        choices = b.js("return [...document.getElementById('who').options]"
                       ".map((o) => [o.value, o.textContent.trim()])")
        got = {}
        for value, text in choices:
            m = re.match(r"(\d+) ", text)
            if value.startswith("thread:") and m:
                b.choose("#who", value)
                got[int(m[1])] = b.js("return flame.tree.total[0]") / 1e9
        several = {k: v for k, v in wanted.items() if k in got}
        t.equal("threads", sorted(several), sorted(got))
        # The first one waits, and may have no tick.
        t.true("as many", len(got) >= 3, "3 or more", got)
        for k in got:
            t.near(f"thread {k}", wanted[k], got[k], 1e-6)
        by_process = {int(r["process"]): float(r["seconds"])
                      for r in t.rows("--by=process", *t.files())}
        for value, text in choices:
            if value.startswith("process:"):
                b.choose("#who", value)
                t.near(text, by_process[int(text.split()[0])],
                       b.js("return flame.tree.total[0]") / 1e9, 1e-6)
        t.equal("complaints", [], b.complaints())


@case
def many(t):
    """More stacks than anybody looks at: all of them, and every zoom."""
    exe = t.build("paths.c", "paths", "-O1")
    t.good([exe, pick(1, 12)], opts="hz=10000")
    paths = t.folded()
    with Browser(t) as b:
        b.open(page(t))
        t.equal("total", round(sum(paths.values()), 3),
                round(b.js("return flame.tree.total[0]") / 1e9, 3))
        t.equal("as drawn", b.js("return flame.tree.total[0]"), b.js("""
            const t = flame.tree;
            let sum = 0;
            for (let i = 0; i < t.size; i++)
                sum += t.self[i];
            return sum"""))
        drawn(b)
        for _ in range(5):
            b.js("const t = flame.tree, i = flame.zoom; t.open(i);"
                 "flame.zoomTo(t.children[t.first[i]]); flame.paint()")
        t.true("bars", b.js("return flame.boxes") > 5, "some",
               b.js("return flame.boxes"))
        t.equal("complaints", [], b.complaints())


def compared(t, *options):
    """A page of `new` beside `old`."""
    path = os.path.join(t.dir, "compared.html")
    t.prof(f"--html={path}", "--diff", os.path.join(t.dir, "old"), *options,
           *t.files("new"))
    return path


def both(t, old, new):
    """Each of several runs."""
    exe = t.build("stacks.c", "stacks", *CODE)
    for where, runs in (("old", old), ("new", new)):
        for args in runs:
            t.good([exe, *args.split()], profdir=where)


def changes(b):
    """{(name, module): old, new, change, error, how sure}, of itself."""
    found = {}
    for old, new, by, sure, *_, name, module in rows(b):
        if by == "0":
            continue    # it did nothing itself in either
        m = re.fullmatch("([+\u2212])([0-9.]+)(?: \u00b1([0-9.]+))?", by)
        found[name, module] = (
            float(old), float(new),
            float(m[2]) * (1 if m[1] == "+" else -1),
            None if m[3] is None else float(m[3]), sure)
    return found


def sure_of(text):
    return "yes" if text.endswith("\u03c3") else text


def by_function(rows):
    """Two of a name and module are one, as in --diff: both are left out."""
    seen = collections.Counter((r["function"], r["module"]) for r in rows)
    return {(r["function"], r["module"]): r for r in rows
            if seen[r["function"], r["module"]] == 1}


def deviation(row):
    """Return one standard deviation of its share, in percent."""
    p, n = float(row["percent"]) / 100, int(row["samples"])
    return 100 * p * ((1 - p) / n) ** 0.5 if n else 0


@case
def difference(t):
    """The page of two profiles shows what changed, by the rule of prof --diff,
    also what is in one of them alone."""
    both(t, ["deep 9"], ["inlined"])
    wanted = by_function(t.rows("--diff", os.path.join(t.dir, "old"),
                                *t.files("new")))
    shares = [by_function(t.rows(*t.files(d)))
              for d in ("old", "new")]
    with Browser(t) as b:
        b.open(compared(t, "--no-inline"))
        look(b, "difference")
        got = changes(b)
        for key, (old, new, by, error, sure) in got.items():
            if key not in wanted:
                continue
            of = [s.get(key, {"percent": 0, "samples": 0})
                  for s in shares]
            t.near(f"{key}: old share", float(of[0]["percent"]), old, 0.06)
            t.near(f"{key}: new share", float(of[1]["percent"]), new, 0.06)
            t.near(f"{key}: change", new - old, by, 0.16)
            if error is not None:
                t.near(f"{key}: error", sum(deviation(x) ** 2
                                            for x in of) ** 0.5, error, 0.06)
        b.choose("#unit", "seconds")
        got = changes(b)
        t.equal("functions", sorted(k for k, r in wanted.items()
                                    if r["mode"] == "cpu"), sorted(got))
        for key in set(wanted) & set(got):
            r, (old, new, by, error, sure) = wanted[key], got[key]
            t.near(f"{key}: old", float(r["before_seconds"]), old, 0.0006)
            t.near(f"{key}: new", float(r["now_seconds"]), new, 0.0006)
            t.near(f"{key}: seconds", float(r["change_seconds"]), by, 0.0006)
            t.equal(f"{key}: sure", r["sure"], sure_of(sure))
            if error is not None:
                t.near(f"{key}: +-", float(r["error_seconds"]), error, 0.0006)
        gone = [r[4:6] for r in rows(b) if r[8] == "recurse"]
        t.true("gone", len(gone) == 1 and float(gone[0][0]) > 0 and
               gone[0][1] == "0", "in the old one alone", gone)
        sums = t.prof("--diff", os.path.join(t.dir, "old"),
                      *t.files("new")).stdout
        m = re.search(r"CPU time: ([0-9.]+) s before, ([0-9.]+) s now: "
                      r"(\S+) s \((\S+) %\)", sums)
        t.equal("all", f"old {m[1]} s, new {m[2]} s: {m[3]} s ({m[4]} %)",
                b.text("#sum").replace("\u2212", "-"))
        t.equal("complaints", [], b.complaints())


def bars(b):
    """[function, status line, its colour] of each bar that has room for that.
    """
    return b.js("""
        flame.at = 0;
        flame.paint();
        const wide = flame.canvas.width, t = flame.tree;
        const dots = flame.pen.getImageData(0, 0, wide, flame.canvas.height)
            .data;
        const ratio = wide / flame.canvas.clientWidth;
        return [...new Set(order)].map((f) => {
            const w = flame.where(f);
            if (w === null || t.total[w.node] * flame.scale < 12 ||
                w.y > flame.canvas.clientHeight - 9)
                return null;
            const x = (t.start[w.node] + t.total[w.node]) * flame.scale - 3;
            const at = 4 * (Math.floor((w.y - 6) * ratio) * wide +
                Math.floor(x * ratio));
            tell(w.node);
            return [names[f], document.getElementById("told").textContent,
                [...dots.slice(at, at + 3)]];
        }).filter((x) => x !== null)""")


def hue(red, green, blue):
    return "red" if red > blue + 25 else "blue" if blue > red + 25 else "grey"


@case
def changed_colours(t):
    """Red grew, blue shrank, grey may be chance; the line below says how
    much."""
    both(t, ["inlined", "deep 9"], ["inlined", "deep 9", "deep 9"])
    with Browser(t) as b:
        b.open(compared(t, "--no-inline"))
        t.equal("by change", "change",
                b.js("return document.getElementById('colour').value"))
        look(b, "changed")
        seen = set()
        for name, told, dot in bars(b):
            m = re.search("old ([0-9.]+) %.*, new ([0-9.]+) %.*: "
                          "([+\u2212])[^(]*\\((sure|within noise), ", told)
            if not m:
                t.true(f"{name}: told", "not all of it is in samples" in told,
                       "why not", told)
                continue
            if m[1] != m[2]:    # else what is not shown decides
                t.equal(f"{name}: sign", m[3], "+" if float(m[2]) >
                        float(m[1]) else "\u2212")
            kind = "grey" if m[4] != "sure" else \
                "red" if m[3] == "+" else "blue"
            t.equal(f"{name}: {told}", kind, hue(*dot))
            seen.add(kind)
        t.true("kinds", {"red", "blue", "grey"} <= seen, "all three", seen)
        t.equal("complaints", [], b.complaints())
        b.choose("#colour", "module")
        t.true("another", len({tuple(x[2]) for x in bars(b)
                               if x[0] in ("main", "deep", "leaf")}) == 1,
               "one of a module", bars(b))


@case
def unchanged(t):
    """A profile compared with itself has no sure change; beside none it is not
    asked.  Threads are the same by name."""
    both(t, ["ways 2"], ["ways 2", "deep 9"])
    path = os.path.join(t.dir, "same.html")
    t.prof(f"--html={path}", "--diff", os.path.join(t.dir, "old"),
           *t.files("old"))
    with Browser(t) as b:
        b.open(path)
        t.equal("sure", set(), {c for r in rows(b) for c in (r[3], r[7])} -
                {"noise", "-", ""})
        b.open(compared(t))
        choices = b.js("return [...document.getElementById('who').options]"
                       ".map((o) => [o.value, o.textContent.trim()])")
        t.equal("threads", 1, b.js("return data.threads.filter("
                                   "(t) => t.name === 'stacks').length"))
        for value, text in choices:
            if text == "[not sampled]":
                continue
            b.choose("#who", value)
            t.true(f"{text}: of both", b.js(
                "return down.old.total[0] > 0 && down.now.total[0] > 0"),
                "time", b.text("#sum"))
        t.equal("complaints", [], b.complaints())
        t.prof(f"--html={path}", *t.files("old"))
        b.open(path)
        t.equal("alone", (0, "module"), (b.js(
            "return document.querySelectorAll('.compared').length"),
            b.js("return document.getElementById('colour').value")))


def choose(b, name):
    """The row of that function in the table."""
    b.js("const f = names.indexOf(arguments[0]);"
         "document.querySelector(`#rows tr[data-func='${f}']`).click()", name)


def annotated(t, function):
    rows = t.rows("--annotate", function, *t.files())
    if not any(r["instruction"] for r in rows):
        raise Skip("no disassembler")
    return rows


def gutter(b):
    """[seconds or 0, percent or 0, place, text] of each line of the code."""
    return [(seconds(s) if s else 0, float(p or 0), place, text)
            for s, p, place, text in (r for r in rows(b, "codeRows")
                                      if len(r) == 4)]


@case
def code(t):
    """Lines and instructions of what is chosen, with the time that prof
    --annotate says; of what is inlined the code that it is part of."""
    t.good([t.build("lines.c", "lines", *CODE)])
    wanted = annotated(t, "work")
    all_of_it = sum(float(r["seconds"]) for r in wanted)
    by_line = collections.Counter()
    for r in wanted:
        by_line[r["line"]] += float(r["seconds"])
    with open(os.path.join(SOURCES, "lines.c")) as f:
        text = f.read().splitlines()
    path = page(t)
    with open(path) as f:
        t.equal("ends once", 2, f.read().count("</script>"))
    with Browser(t) as b:
        b.open(path)
        choose(b, "work")
        look(b, "code")
        got = {place: (s, p, line) for s, p, place, line in gutter(b)
               if place}
        t.equal("lines", [], sorted(set(by_line) - set(got)))
        for place, (s, percent, line) in got.items():
            t.equal(f"line {place}", text[int(place) - 1], line)
            t.near(f"line {place}: seconds", by_line[place], s, 0.0006)
            t.near(f"line {place}: percent", by_line[place] * 100 /
                   all_of_it, percent, 0.06)
        b.choose("#view", "instructions")
        look(b, "instructions")
        got = {int(place, 16): (s, line) for s, p, place, line in gutter(b)
               if s}
        for r in wanted:
            at = int(r["address"], 16)
            s, line = got.get(at, (0, r["instruction"]))
            t.near(f"{at:x}: seconds", float(r["seconds"]), s, 0.0006)
            t.equal(f"{at:x}", r["instruction"], line)
        choose(b, "mix")
        t.true("inlined", b.text("#codeNote").startswith(
            "inlined in work, whose code this is: "), "in work",
            b.text("#codeNote"))
        t.true("the same", len(rows(b, "codeRows")) > 8, "its code",
               rows(b, "codeRows"))
        t.equal("complaints", [], b.complaints())


@case
def no_gap(t):
    """Each function has its code, or says why not."""
    profiled(t, "inlined")
    with Browser(t) as b:
        b.open(page(t))
        seen = set()
        for name in {r[4] for r in rows(b)}:
            choose(b, name)
            note, shown = b.text("#codeNote"), rows(b, "codeRows")
            t.true(name, bool(shown) != note.startswith("not here: "),
                   "code or why not", (note, shown))
            seen.add(note if not shown else "code")
        t.true("code", "code" in seen, "of some", seen)
        t.true("no time", "not here: no time was counted in itself" in seen,
               "of some", seen)
        choose(b, name)
        t.equal("no function", True, b.js(
            "return document.getElementById('code').hidden"))


@case
def code_is_gone(t):
    """Without its source instructions; without its program the reason; of
    what is too large the reason."""
    copy = os.path.join(t.dir, "gone.c")
    shutil.copy(os.path.join(SOURCES, "lines.c"), copy)
    exe = t.build(copy, "lines", *CODE, f"-I{SOURCES}")
    os.unlink(copy)
    t.good([exe])
    annotated(t, "work")
    with Browser(t) as b:
        b.open(page(t))
        choose(b, "work")
        t.true("says so", b.text("#codeNote").endswith(
            "/gone.c is not there to be shown"), "why",
            b.text("#codeNote"))
        t.true("instructions", any("imul" in r[3] for r in gutter(b)),
               "imul", gutter(b))
        t.good([exe, "large"], profdir="large")
        path = os.path.join(t.dir, "large.html")
        t.prof(f"--html={path}", *t.files("large"))
        b.open(path)
        choose(b, "large")
        t.equal("too large", "not here: the page has no more room for code",
                b.text("#codeNote"))
        os.unlink(exe)
        b.open(page(t))
        t.true("no program", any(
            b.js("choose(arguments[0]);"
                 "return document.getElementById('codeNote').textContent", f)
            == "not here: its program or library is not the file that ran"
            for f in b.js("return order")), "the reason", rows(b))


@case
def code_of_threads(t):
    """The time of lines is that of the threads that are chosen."""
    profiled(t, "threads")
    with Browser(t) as b:
        b.open(page(t, "--no-inline"))
        choose(b, "leaf")
        whole, seen = b.text("#codeNote"), []
        for value in b.js("return [...document.getElementById('who').options]"
                          ".map((o) => o.value)"):
            b.choose("#who", value)
            own = [r for r in rows(b) if r[4] == "leaf"]
            if not own:
                continue
            note = b.text("#codeNote")
            t.equal(f"{value}: seconds", own[0][0] + " with", note[:12])
            t.near(f"{value}: sum", seconds(own[0][0]),
                   sum(r[0] for r in gutter(b)), 0.011)
            seen.append(note)
        t.true("parts", len(seen) >= 3 and seen[0] == whole and
               whole not in seen[1:], "of two threads", seen)


def phases(t, each, opts="log=yes"):
    """{part: [begin, end]} of a program whose threads take turns, in us as
    the page has them."""
    r = t.good([t.build("phases.c", "phases", *CODE), each], opts=opts)
    return {name: [float(begin) * 1e6, float(end) * 1e6] for name, begin, end
            in (line.split() for line in r.text.splitlines())}


def begin_of(b):
    return b.js("return data.moments.began")


def choose_time(b, begin, end):
    b.js("lanes.range = [arguments[0], arguments[1]]; rebuild()",
         begin - begin_of(b), end - begin_of(b))


def own_seconds(b):
    return {r[4]: seconds(r[0]) for r in rows(b)}


@case
def time_line(t):
    """Each part is in its own time, in its own lane, and nowhere else."""
    each = pick(0.4, 2)
    wanted = phases(t, each)
    with Browser(t) as b:
        b.open(page(t))
        whole = own_seconds(b)
        t.near("all that is in samples has its moment", b.js(
            "return samples.now.ns.reduce((sum, ns, i) => sum + "
            "(data.threads[samples.now.thread[i]].tid === null ? 0 : ns), 0)"),
               b.js("return moments.ns.reduce((sum, ns) => sum + ns, 0)"), 0)
        t.equal("lanes", 2, b.js("return lanes.lanes.length"))
        for name, (begin, end) in wanted.items():
            # A tick is told of when it is over: the last one later.
            choose_time(b, begin, end + 10e3)
            got = own_seconds(b)
            t.near(f"{name}: in its time", whole[name], got.get(name, 0),
                   0.0011)
            for other in set(wanted) - {name}:
                together = min(end, wanted[other][1]) - max(
                    begin, wanted[other][0])
                t.true(f"{other} while {name}", got.get(other, 0) <=
                       max(0, together) / 1e6 + 0.03, "no more than that",
                       got.get(other, 0))
        begin, end = wanted["part_a"][1], wanted["part_b"][0]
        choose_time(b, begin + 20e3, end)
        t.near("asleep", 0, b.js("return flame.tree.total[0]"), 5e6)
        look(b, "timeline-range")
        b.press("\ue00c")
        t.equal("all again", whole, own_seconds(b))
        t.equal("no range", None, b.js("return lanes.range"))
        t.equal("complaints", [], b.complaints())


def lane_place(b, us, lane):
    """Return the place of a time in a lane, in the window."""
    return b.js("lanes.paint(); const r = lanes.canvas.getBoundingClientRect();"
                "return [r.left + lanes.x(arguments[0]),"
                " r.top + HEAD + (arguments[1] + 0.5) * LANE]",
                us - begin_of(b), lane)


@case
def time_line_by_hand(t):
    """Dragged over, moved by keys, zoomed; what is under the mouse is told."""
    wanted = phases(t, pick(0.4, 2))
    with Browser(t) as b:
        b.open(page(t))
        b.js("$('times').scrollIntoView({block: 'center'})")
        whole = own_seconds(b)
        lanes = b.js("return lanes.lanes.map((i) => data.threads[i].name)")
        begin, end = wanted["part_b"]
        lane = [i for i in range(len(lanes))
                if b.js("return lanes.lanes.map((i) => samples.now.thread"
                        ".some((t, k) => t === i && names[stacks.func["
                        "samples.now.node[k]]] === 'part_b'))")[i]][0]
        # At one place of several, as others may have had the processor.
        for part in range(1, 10):
            b.point(*lane_place(b, begin + (end - begin) * part / 10, lane))
            if not b.text("#told").endswith(": idle"):
                break
        t.true("told", re.search(r"phases, \d+ phases, at \d+\.\d+ s: "
                                 r"\d+ % busy, most in part_b \[phases\]$",
                                 b.text("#told")), "part_b", b.text("#told"))
        b.point(*lane_place(b, (begin + end) / 2, 1 - lane))
        t.true("told of the other", b.text("#told").endswith(": idle"),
               "idle", b.text("#told"))
        b.drag(*lane_place(b, begin - 50e3, 0),
               *lane_place(b, (begin + end) / 2, 0))
        got = own_seconds(b)
        # On a busy machine it may have had less of a processor.
        t.between("half of it", (end - begin) / 6e6, got["part_b"],
                  (end - begin) / 2e6 + 0.03)
        t.true("and nothing else", sum(got.values()) - got["part_b"] < 0.03,
               "less than 0.03", got)
        t.true("said", re.fullmatch(
            r"from \d+\.\d+ s to \d+\.\d+ s: \d+\.\d+ s in \d+ samples",
            b.text("#span")), "from, to and how much", b.text("#span"))
        look(b, "timeline")
        b.js("$('times').focus()")
        from_, to = b.js("return lanes.range")
        b.press("\ue014")           # Right
        t.near("a quarter on", from_ + (to - from_) / 4,
               b.js("return lanes.range[0]"), 1)
        b.press("\ue007")           # Enter
        t.equal("zoomed", b.js("return lanes.range"),
                b.js("return lanes.view"))
        b.click("#theme")
        look(b, "timeline-zoomed")
        b.click("#allTime")
        t.equal("all again", whole, own_seconds(b))
        b.js("lanes.range = [arguments[0], arguments[0] + 1e-9];"
             "lanes.zoomIn(); lanes.paint()", begin)
        t.near("zoomed in as far as there is anything", 10,
               b.js("return lanes.view[1] - lanes.view[0]"), 0.01)
        b.js("allOfTheTime()")
        b.drag(*lane_place(b, begin, 0), *lane_place(b, end, 0))
        b.point(*lane_place(b, begin, 0), click=True)
        t.equal("a click chooses none", None, b.js("return lanes.range"))
        b.drag(*lane_place(b, begin, 0), *lane_place(b, end, 0))
        b.js("lanes.zoomIn()")
        b.point(*lane_place(b, begin + 10e3, 0), click=True)
        t.equal("none, of a part that is shown", [None, True], b.js(
            "return [lanes.range, lanes.view !== lanes.whole]"))
        b.click("#allTime")
        t.true("all is shown", b.js("return lanes.view === lanes.whole"),
               "all", b.js("return lanes.view"))
        t.equal("complaints", [], b.complaints())


@case
def time_line_of_code(t):
    """Time of lines is that of the piece that is chosen."""
    wanted = phases(t, pick(0.4, 2))
    with Browser(t) as b:
        b.open(page(t))
        choose(b, "part_b")
        all_of_it = sum(r[0] for r in gutter(b))
        begin, end = wanted["part_b"]
        choose_time(b, begin, (begin + end) / 2)
        t.between("a piece of it", 0.1 * all_of_it, own_seconds(b)["part_b"],
                  0.9 * all_of_it)
        t.near("by line", own_seconds(b)["part_b"],
               sum(r[0] for r in gutter(b)), 0.011)
        t.equal("complaints", [], b.complaints())


@case
def time_line_without_room(t):
    """Gaps of a time line are reported beside it, and are not shown as idle."""
    phases(t, 0.4, opts="log=yes,size=256k,hz=10000")
    with Browser(t) as b:
        b.open(page(t))
        lost = b.js("return samples.now.ns.reduce((sum, ns, i) => sum + "
                    "(data.threads[samples.now.thread[i]].tid === null ? 0 : "
                    "ns), 0) - moments.ns.reduce((sum, ns) => sum + ns, 0)")
        t.true("some was lost", lost > 0, "more than nothing", lost)
        t.true("said", b.text("#span").endswith(
            f"; of {lost / 1e9:.3f} s more it was not recorded when they "
            "were"), "how much", b.text("#span"))
        t.equal("complaints", [], b.complaints())


@case
def no_time_line(t):
    """Where no time was recorded there is none, and nothing speaks of it."""
    phases(t, 0.1, opts="")
    with Browser(t) as b:
        b.open(page(t))
        t.equal("time line", 0,
                b.js("return document.querySelectorAll('.timed').length"))
        shutil.rmtree(os.path.join(t.dir, "profs"))
        phases(t, 0.1)
        b.open(page(t, "--asleep"))
        t.equal("of what is not in the page", 0,
                b.js("return document.querySelectorAll('.timed').length"))
        t.equal("complaints", [], b.complaints())


@case
def alone(t):
    """It asks nothing of anybody, and nothing in it ends it early."""
    profiled(t, "inlined")
    path = page(t)
    text = open(path).read()
    t.equal("no address", [], re.findall(
        r"""(?:src|href)\s*=|@import|url\(|https?://""", text))
    t.equal("one page", (1, 1), (text.count("<html"), text.count("</html>")))
    with Browser(t) as b:
        b.open(path)
        t.equal("fetched", [], b.js(
            "return performance.getEntriesByType('resource')"
            ".map((e) => e.name)"))
        t.equal("complaints", [], b.complaints())


if __name__ == "__main__":
    main()
