#!/usr/bin/env python3
# Context: O.  The page of prof --html, in a browser: from clicks to the numbers
# that it shows.
import collections
import json
import re
import subprocess

from browser import Browser
from harness import case, main, need, pick
from pages import (CODE, both, choose, click_bar, compared, drawn,
                   functions, look, page, profiled, rows, seconds)


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
        t.true("title", b.text("#title").endswith("/stacks inlined"),
               "the command", b.text("#title"))
        t.equal("title of the window", "stacks: CPU time", b.js(
            "return document.title"))
        facts = b.text("#facts")
        m = re.match(r"\d{4}-\d\d-\d\d [\d:]+ on \S+: ([0-9.]+) s elapsed, "
                     r"([0-9.]+) s CPU \(", facts)
        t.true("when, where, how much", m, "a line", facts)
        if m:
            t.near("CPU time in the head", whole, float(m[2]), 0.0051)
        t.true("trust", re.search(r"^\d+ samples?, about \d+ Hz", facts, re.M),
               "the number of samples", facts)
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
        t.true("what it rests on", "CPU time" in b.text("#footer"), "the footer",
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
        "const shownTime = 'cpu', data = " + from_page(path, 'id="data">(.*?)</script>') + ";" +
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
    """In windows of 700 and of 390 pixels nothing stands outside, and in one
    of 1150, the least with two panes, the table stays in its pane."""
    both(t, ["deep 9"], ["inlined"])
    with Browser(t) as b:
        for name, path in (("one", page(t, where="new")), ("two", compared(t))):
            for width in (700, 390, 1150):
                b.resize(width, 900)
                b.open(path)
                choose(b, "leaf")
                look(b, f"{name}-{width}")
                is_as_wide_as_its_window(t, b, f"{name}, {width}")
            t.true(f"{name}: the table", b.js(
                "const e = $('functions');"
                "return e.scrollWidth <= e.clientWidth"), "in its pane",
                b.js("return $('functions').scrollWidth"))


@case
def short_names(t):
    """A narrow bar has that part of a name which tells what the function is."""
    profiled(t, "inlined")
    with Browser(t) as b:
        b.open(page(t))
        for name, bare, last in (
                ("std::operator< <char, std::allocator<char>>",
                 "std::operator<", "operator<"),
                ("std::less<std::string>::operator()(int) const",
                 "std::less::operator()", "operator()"),
                ("std::operator==<char>(std::string)", "std::operator==",
                 "operator=="),
                ("std::map<int, long>::operator[]", "std::map::operator[]",
                 "operator[]"),
                ("(anonymous namespace)::run<f()>(int)", "run", "run"),
                ("void a::b<c>::d<e>(f)", "a::b::d", "d"),
                ("a::operator bool", "a::operator bool", "operator bool"),
                ("my_operator", "my_operator", "my_operator"),
                ("a::b<c>(int) [clone .isra.0]", "a::b", "b"),
                ("a::b(int) const", "a::b", "b"),
                ("a::operator std::b<c>() const",
                 "a::operator std::b<c>() const",
                 "operator std::b<c>() const"),
                ("std::_Function_handler<void (), Foo::operator()() const::"
                 "{lambda()#1}>::_M_invoke(std::_Any_data const&)",
                 "std::_Function_handler::_M_invoke", "_M_invoke"),
                ("a<&b::operator->>::c()", "a::c", "c"),
                ("Foo::operator()() const::{lambda(int)#1}::operator()(int)",
                 "Foo::operator()::{lambda#1}::operator()",
                 "{lambda#1}::operator()"),
                ("f(int)::{default arg#1}::{lambda()#2}::operator()() const",
                 "f::{default arg#1}::{lambda#2}::operator()",
                 "{lambda#2}::operator()"),
                ("[kernel: a]", "[kernel: a]", "[kernel: a]")):
            t.equal(name, [bare, last], b.js(
                "return [bareName(arguments[0]),"
                " waysToWrite(arguments[0]).at(-1)]", name))
        python = "py::Score.compute.<locals>.<genexpr>:/a/long/way/job.py"
        t.equal(python, [python, "Score.compute.<locals>.<genexpr>",
                         "Score.compute.<genexpr>"], b.js(
                             "return waysToWrite(arguments[0])", python))
        t.equal("a namespace of C++", ["py::detail::parse", "parse"], b.js(
            "return waysToWrite('py::detail::parse(int)').slice(1)"))
        t.equal("in a cell", "Score.compute.<locals>.<genexpr>", b.js(
            "return cellName(arguments[0])", python))


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
def on_paper(t):
    """Printed are the table, findings and callers, whatever pane is shown; not
    what asks for a click."""
    t.good([t.build("heaps.c", "heaps", *CODE), "paths", 6000000, 1],
           opts="log=yes")
    with Browser(t) as b:
        b.open(page(t))
        b.ask("POST", b.session + "/goog/cdp/execute", {
            "cmd": "Emulation.setEmulatedMedia",
            "params": {"media": "print"}})
        seen = ("return [...document.querySelectorAll('.pane, .hint, #tabs,"
                "#tools')].filter((e) => e.offsetHeight > 0)"
                ".map((e) => e.id || e.className)")
        first = b.js(seen)
        t.equal("at first", ["functions", "findings", "rests"], first)
        b.js("choose(order[0]); showPane('rests')")
        t.equal("with a function", ["functions", "findings", "chosen",
                                    "rests"], b.js(seen))
        b.js("showPane('code')")
        t.equal("with its code", ["functions", "findings", "chosen", "code",
                                  "rests"], b.js(seen))
        look(b, "paper")


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
