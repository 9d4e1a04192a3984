#!/usr/bin/env python3
# Context: O.  A page in a browser: what its reader can choose, which is order,
# threads, zoom, kinds of code, a search, a link.
import collections
import os
import re
from xml.etree import ElementTree

from browser import Browser
from harness import SOURCES, case, main
from pages import (choose, click_bar, drawn, functions, look, page,
                   profiled, rows, seconds)


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


def nodes(b, expression):
    """Functions of nodes of the drawn tree, as that expression of t says."""
    return b.js("const t = flame.tree; return (" + expression + ")")


@case
def zoomed(t):
    """A zoom keeps its callers, says its share, and is left by the path."""
    profiled(t, "deep", "20")
    paths = t.folded()
    whole = sum(paths.values())
    with Browser(t) as b:
        b.open(page(t))
        drawn(b)
        high = b.js("return flame.section.clientHeight")
        click_bar(b, "recurse")
        drawn(b)
        zoom = b.js("return flame.tree.path(flame.zoom).map((f) => names[f])")
        own = sum(s for p, s in paths.items() if list(p[:len(zoom)]) == zoom)
        crumbs = b.js("return [...$('crumbs').children]"
                      ".map((e) => e.textContent)")
        t.equal("path", ["all", *zoom, ""], crumbs[:-1])
        m = re.match(r"([0-9.]+) % of the time, ([0-9.]+) s", crumbs[-1])
        t.true("share", m, "a share", crumbs[-1])
        t.near("share", own * 100 / whole, float(m[1]), 0.06)
        t.near("time", own, float(m[2]), 0.0011)
        t.true("room", b.js("return flame.section.clientHeight") <= high,
               f"{high} at most", b.js("return flame.section.clientHeight"))
        for depth in range(len(zoom)):
            at = b.js("return flame.hit(50, (arguments[0] + 0.5) * ROW -"
                      " flame.section.scrollTop)", depth)
            t.equal(f"row {depth}", ["all", *zoom][depth],
                    b.js("return flame.name(arguments[0])", at))
        look(b, "zoomed")
        b.js("$('crumbs').children[2].click()")
        t.equal("up the path", zoom[:2], b.js(
            "return flame.tree.path(flame.zoom).map((f) => names[f])"))
        b.click("#reset")
        t.equal("reset", 0, b.js("return flame.zoom"))
        t.equal("nothing to reset", True, b.js("return $('reset').disabled"))
        t.equal("complaints", [], b.complaints())


@case
def tooltip(t):
    """It stands at the pointer, has the numbers, and moves nothing."""
    profiled(t, "inlined")
    times = functions(t.folded())
    whole = sum(own for own, _ in times.values())
    with Browser(t) as b:
        b.open(page(t))
        drawn(b)
        before = b.js("return [...document.querySelectorAll('#graph, #panes, "
                      "#rows tr')].map((e) => e.getBoundingClientRect().top)")
        w = b.js("const w = flame.where(names.indexOf('outer'));"
                 "const r = flame.canvas.getBoundingClientRect();"
                 "return [r.left + w.x, r.top + w.y]")
        b.point(*w)
        box = b.js("const r = $('tip').getBoundingClientRect();"
                   "return [r.left, r.top, r.right, r.bottom]")
        t.true("near", abs(box[0] - w[0]) < 500 and abs(box[1] - w[1]) < 300 and
               box[0] >= 0 and box[2] <= 1200, "beside the pointer", box)
        name, place, *_ = b.js("return [...$('tip').children].map((e) => "
                               "e.textContent)")
        t.equal("name", "outer", name)
        m = re.fullmatch(r"stacks, inlined \u00b7 most at stacks\.c:(\d+)",
                         place)
        t.true("place", m, "module and line", place)
        with open(os.path.join(SOURCES, "stacks.c")) as f:
            body = re.search(r"^outer\(.*?^}", f.read(), re.S | re.M)[0]
            f.seek(0)
            line = f.read().splitlines()[int(m[1]) - 1]
        t.true("in its body", line in body, body, line)
        told = {r[0]: r[1:] for r in b.js(
            "return [...$('tip').querySelector('table').rows].map((r) => "
            "[...r.cells].map((c) => c.textContent))")}
        t.near("self", times["outer"][0], seconds(told["Self"][0]), 0.0011)
        t.near("total", times["outer"][1], seconds(told["Total"][0]), 0.0011)
        t.near("share", times["outer"][1] * 100 / whole,
               float(told["Total"][1].split()[0]), 0.06)
        t.near("of the caller", times["outer"][1] * 100 /
               times["has_inlined"][1],
               float(told["Of the caller"][1].split()[0]), 0.06)
        look(b, "tooltip")
        t.equal("nothing moved", before, b.js(
            "return [...document.querySelectorAll('#graph, #panes, #rows tr')]"
            ".map((e) => e.getBoundingClientRect().top)"))
        b.point(5, 5)
        t.equal("gone", True, b.js("return $('tip').hidden"))


@case
def origins(t):
    """The legend has each kind of code that is drawn, with the share of its
    modules; a click gives the time of a kind to its callers."""
    profiled(t, "inlined")
    by_module = collections.Counter()
    for r in t.rows("--by=module", *t.files()):
        by_module[r["module"]] += float(r["seconds"])
    whole = sum(by_module.values())
    with Browser(t) as b:
        b.open(page(t))
        legend = {k: float(p.split()[0]) for k, p in b.js(
            "return [...$('kinds').children].filter((e) => !e.hidden)"
            ".map((e) => [e.dataset.kind, e.lastChild.textContent])")}
        t.equal("kinds", sorted(b.js(
            "return [...new Set([...full.func].filter((f) => f >= 0)"
            ".map((f) => KINDS[kinds[f]].key))]")), sorted(legend))
        t.near("program", by_module["stacks"] * 100 / whole,
               legend["program"], 0.06)
        t.near("all", 100, sum(legend.values()), 0.3)
        system = sum(s for m, s in by_module.items()
                     if re.match(r"(lib(c|m)|ld-linux.*)\.so|\[vdso\]|"
                                 r"linux-vdso", m))
        t.near("C library", system * 100 / whole, legend.get("system", 0),
               0.16)
        b.click("[data-kind=system]")
        t.equal("none of it", [], nodes(
            b, "[...t.func.slice(1, t.size)].filter((f, i) => "
            "kinds[f] === 2 && t.total[i + 1] > 0)"))
        t.near("all of the time", whole,
               b.js("return flame.tree.total[0]") / 1e9, 0.0011)
        t.true("said", "C library" in b.text("#kindsNote"), "what is left out",
               b.text("#kindsNote"))
        t.equal("table", [], [r for r in rows(b) if r[5] == "libc.so.6"])
        b.click("[data-kind=system]")
        t.equal("again", "", b.text("#kindsNote"))
        b.press("m")
        t.equal("program alone", [], nodes(
            b, "[...t.func.slice(1, t.size)].filter((f, i) => "
            "[1, 2, 3].includes(kinds[f]) && t.total[i + 1] > 0)"))
        t.near("shares of what has a caller", b.js(
            "return 100 - down.now.self[0] * 100 / down.now.total[0]"),
               sum(b.js(
            "return [...$('kinds').children].filter((e) => !e.hidden && "
            "e.ariaPressed === 'true')"
            ".map((e) => parseFloat(e.lastChild.textContent))")), 0.3)
        t.near("with what it called", functions(t.folded())["inlined"][1],
               sum(seconds(r[2]) for r in rows(b) if r[4] == "inlined"),
               0.0011)
        b.click("#mine")
        t.equal("not alone", "", b.text("#kindsNote"))
        colours = b.js(
            "const at = (n) => cssColour(originColour(names.indexOf(n)));"
            "return [at('inner'), moduleHue(1, 'libz.so.1')]")
        hue_of = int(re.match(r"hsl\((\d+)", colours[0])[1])
        t.between("the program is warm", 20, hue_of, 50)
        b.open(page(t, "--no-inline"))
        t.equal("same on each page", colours[1],
                b.js("return moduleHue(1, 'libz.so.1')"))
        t.equal("complaints", [], b.complaints())


@case
def next_hit(t):
    """Enter in the search goes to each found bar; what is wrong is said."""
    profiled(t, "deep", "9")
    with Browser(t) as b:
        b.open(page(t))
        top = b.js("return $('graph').getBoundingClientRect().top")
        b.type("#find", "leaf|recurse")
        m = re.search(r", (\d+) functions$", b.text("#matched"))
        t.equal("functions", len(rows(b)), int(m[1]))
        t.equal("nothing moves", top, b.js(
            "return $('graph').getBoundingClientRect().top"))
        b.press("\ue007")
        count = int(re.fullmatch(r"1 of (\d+)", b.text("#hit"))[1])
        seen = set()
        for i in range(count):
            t.equal(f"hit {i}", f"{i + 1} of {count}", b.text("#hit"))
            at = b.js("return flame.at")
            t.true(f"hit {i}", re.search("leaf|recurse", b.js(
                "return flame.name(flame.at)")), "a found one", at)
            t.true(f"hit {i} visible", b.js(
                "return flame.tree.isWithin(flame.at, flame.zoom)"), "zoomed",
                b.js("return flame.zoom"))
            seen.add(at)
            b.press("\ue007")
        t.equal("each once", count, len(seen))
        t.equal("round", f"1 of {count}", b.text("#hit"))
        b.click("#previous")
        t.equal("back", f"{count} of {count}", b.text("#hit"))
        b.js("$('find').value = ''")
        b.type("#find", "(")
        t.true("wrong", b.text("#matched").startswith("not a valid pattern: "),
               "what is wrong", b.text("#matched"))
        b.js("$('find').value = ''")
        b.type("#find", "no such thing")
        t.true("none", "0 functions" in b.text("#matched") and
               "No function matches" in b.text("#noRows"), "none",
               b.text("#noRows"))


@case
def address(t):
    """A link shows the same zoom, search, order, pane and function."""
    profiled(t, "deep", "9")
    path = page(t)
    state = ("return [flame.tree.path(flame.zoom), $('find').value, $('way')"
             ".value, flame.chosen, shownPane(), [...folded],"
             "$('matched').textContent, $('merge').checked]")
    with Browser(t) as b:
        b.open(path)
        t.equal("nothing at first", "", b.js("return location.hash"))
        b.choose("#way", "up")
        b.click("#merge")
        b.click("[data-kind=system]")
        b.js("choose(names.indexOf('leaf'))")
        b.js("flame.zoomTo(flame.tree.children[flame.tree.first[0]])")
        b.type("#find", "recurse")
        b.click("[data-pane=code]")
        b.js("return new Promise((r) => setTimeout(r, 50))")
        wanted, link = b.js(state), b.js("return location.href")
        t.true("zoomed", len(wanted[0]) == 1 and wanted[5] == [2], "all of it",
               wanted)
        b.ask("POST", b.session + "/url", {"url": "about:blank"})
        b.ask("POST", b.session + "/url", {"url": link})
        t.equal("as before", wanted, b.js(state))
        b.js("location.hash = ''")
        b.js("return new Promise((r) => setTimeout(r, 50))")
        t.equal("another address", [[], "", "down"], b.js(state)[:3])
        t.equal("complaints", [], b.complaints())


@case
def taken_away(t):
    """A stack as text, and the picture as a file with the same bars."""
    profiled(t, "inlined")
    with Browser(t) as b:
        b.open(page(t))
        drawn(b)
        bars_drawn = b.js("return flame.boxes")
        svg = b.js("return pictureFile()")
        path = os.path.join(t.dir, "picture.svg")
        with open(path, "w") as f:
            f.write(svg)
        rects = [g for g in ElementTree.parse(path).getroot()
                 if g.tag.endswith("}g")]
        t.equal("bars", bars_drawn, len(rects))
        titles = [g[0].text for g in rects]
        t.true("named", any(x.startswith("has_inlined [stacks]: ")
                            for x in titles), "has_inlined", titles[:5])
        wanted = ["outer  [stacks, inlined]", "has_inlined  [stacks]",
                  "inlined  [stacks, inlined]"]
        text = b.js("return stackText(flame.where(names.indexOf('outer'))"
                    ".node)").splitlines()
        t.equal("stack", [f"#{i}  {x}" for i, x in enumerate(wanted)],
                text[1:4])
        b.js("flame.at = flame.where(names.indexOf('outer')).node")
        b.press("c")
        t.equal("complaints", [], b.complaints())


@case
def key_list(t):
    """? shows the keys; each pane has a number."""
    profiled(t, "inlined")
    with Browser(t) as b:
        b.open(page(t))
        b.press("?")
        t.equal("open", True, b.js("return $('keys').open"))
        listed = {r[0] for r in b.js(
            "return [...$('keyRows').rows].map((r) => [...r.cells]"
            ".map((c) => c.textContent))")}
        t.true("keys", {"/", "c", "n", "Escape"} <= listed, "all", listed)
        look(b, "keys")
        b.press("\ue00c")
        t.equal("closed", False, b.js("return $('keys').open"))
        b.press(str(b.js("return [...$('tabs').children].findIndex((e) => "
                         "e.dataset.pane === 'code') + 1")))
        t.equal("pane", "code", b.js("return shownPane()"))
        t.equal("no code yet", [False, True], b.js(
            "return [$('codeHint').hidden, $('codeBox').hidden]"))


if __name__ == "__main__":
    main()
