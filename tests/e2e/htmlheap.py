#!/usr/bin/env python3
# Context: O.  Allocations in a page, the findings, and the profiler itself.
import os
import re
import subprocess

from browser import Browser
from harness import LIB, case, main, need
from pages import CODE, begin_of, choose, look, page, rows, seconds


@case
def with_heap(t):
    """Time and allocations are in one page, which shows either."""
    t.good([t.build("heaps.c", "heaps", *CODE), "paths", 200000, 1],
           opts="mode=time+heap")
    whole = sum(t.folded().values())
    blocks = sum(t.folded("--heap=blocks").values())
    path = page(t)
    with Browser(t) as b:
        b.open(path)
        t.near("time", whole, b.js("return flame.tree.total[0]") / 1e9, 0.0011)
        t.equal("offered", ["cpu", "heap"], b.js(
            "return [...$('what').children].map((e) => e.dataset.show)"))
        b.type("#find", "main")
        b.click("[data-show=heap]")
        b.js("return new Promise((r) => setTimeout(r, 50))")
        t.equal("shown", "true", b.js(
            "return document.querySelector('[data-show=heap]').ariaChecked"))
        b.choose("#measure", "blocks")
        t.near("blocks", blocks * 1e6, b.js("return flame.tree.total[0]"), 1)
        t.equal("the search stays", "main", b.js("return $('find').value"))
        b.open(path)
        t.near("time again", whole, b.js("return flame.tree.total[0]") / 1e9,
               0.0011)
        t.equal("complaints", [], b.complaints())
    t.prof("--html=heap.html", "--heap", *t.files())
    with open(os.path.join(t.dir, "heap.html")) as f:
        t.true("alone", 'id="heap"' not in f.read(), "no time", "both")


@case
def profiler_is_one(t):
    """Functions of libmon.so are one, also where they call each other."""
    t.good([t.build("heaps.c", "heaps", *CODE), "paths", 3000000, 1],
           opts="mode=time+heap")
    ours = sum(float(r["seconds"]) for r in t.rows("--by=module", *t.files())
               if r["module"].startswith("libmon.so"))
    t.figure("some", ours > 0.01, "more than 10 ms", ours)
    inner = ("const t = flame.tree; return [...t.func.slice(1, t.size)]"
             ".filter((f, i) => f === names.indexOf('[libmon]') &&"
             " t.func[t.parent[i + 1]] === f).length")
    with Browser(t) as b:
        b.open(page(t, one=True))
        got = [r for r in rows(b) if r[5].startswith("libmon.so")]
        t.equal("one", ["[libmon]"], [r[4] for r in got])
        t.near("its time", ours, seconds(got[0][0]), 0.0006)
        t.equal("one bar", 0, b.js(inner))
        choose(b, "[libmon]")
        t.equal("no code", "not here: it is the profiler itself; --all-frames "
                "has its code", b.text("#codeNote"))
        b.open(page(t))
        got = [r[4] for r in rows(b) if r[5].startswith("libmon.so")]
        t.true("all frames", len(got) > 1 and "[libmon]" not in got,
               "each function", got)
        t.equal("complaints", [], b.complaints())


@case
def profiler_without_symbols(t):
    """Without symbols --all-frames has no code of libmon.so, and the page does
    not send the reader there again."""
    lib = os.path.join(t.dir, "libmon.so")
    subprocess.run([need("strip"), "--strip-all", "-o", lib, LIB], check=True)
    t.good([t.build("heaps.c", "heaps", *CODE), "paths", 3000000, 1],
           opts="mode=time+heap", lib=lib)
    with Browser(t) as b:
        b.open(page(t))
        notes = {b.js("choose(arguments[0]); return $('codeNote').textContent",
                      f) for f in b.js("return order.filter((f) =>"
                                       "names[f].startsWith('libmon.so+'))")}
        t.true("no symbol", "not here: it has no symbol, so its end is not "
               "known" in notes, "the reason", notes)
        t.equal("not again", [], [x for x in notes if "--all-frames" in x])
        b.open(page(t, one=True))
        choose(b, "[libmon]")
        t.true("as one", b.text("#codeNote").startswith(
            "not here: it is the profiler itself"), "the profiler",
            b.text("#codeNote"))


@case
def findings(t):
    """The findings of the report, with links to the functions."""
    t.good([t.build("heaps.c", "heaps", *CODE), "paths", 6000000, 1])
    text = t.prof("--explain", *t.files()).stdout
    m = re.search(r"^Findings:\n(.*?)(?:\n\n|\Z)", text, re.S | re.M)
    t.true("some", m and "memory allocation" in m[1], "of malloc", text)
    with Browser(t) as b:
        b.open(page(t, one=True))
        got = " ".join(b.js("return [...$('findingList').firstChild.children]"
                            ".map((e) => e.textContent)"))
        t.equal("as the report", " ".join(m[1].split()),
                " ".join(got.replace(" \u00b1", " +-").split()))
        t.equal("seen at first", "block", b.js(
            "return getComputedStyle($('findings')).display"))
        name = b.js("const l = $('findingList').querySelector('.link');"
                    "l.click(); return l.textContent")
        t.true("chosen", b.text("#chosenName").startswith(name), name,
               b.text("#chosenName"))
        t.equal("its callers", "chosen", b.js("return shownPane()"))
        t.equal("complaints", [], b.complaints())


@case
def heap_summary(t):
    """The findings of allocations are the summary of the report, with links to
    the functions; in a narrow window names have room."""
    t.good([t.build("heaps.c", "heaps", *CODE), "paths", 200000, 1],
           opts="mode=heap")
    text = t.prof("--heap=summary", *t.files()).stdout.split("\n\n", 1)[1]
    wanted = [[share, name] for share, name in re.findall(
        r"^ *([0-9.]+) +[0-9.]+[KMG]?  +(\S.*)$", text, re.M)]
    t.true("some", len(wanted) > 4, "lines", text)
    with Browser(t) as b:
        b.open(page(t, "--heap", one=True))
        t.equal("as the report", wanted, b.js(
            "return [...$('findingList').querySelectorAll('tr')].map((r) =>"
            "[r.cells[1].textContent, r.cells[2].textContent])"))
        titles = re.findall(r"^(\S.*): .* in all$", text, re.M)
        t.equal("sections", titles, [x.partition(": ")[0] for x in b.js(
            "return [...$('findingList').querySelectorAll('h3')]"
            ".map((e) => e.textContent)")])
        t.equal("seen at first", "block", b.js(
            "return getComputedStyle($('findings')).display"))
        name = b.js("const l = $('findingList').querySelector('.link');"
                    "l.click(); return l.textContent")
        t.true("chosen", b.text("#chosenName").startswith(name), name,
               b.text("#chosenName"))
        look(b, "heap-summary")
        for width in (1150, 1200, 1300, 1400):
            b.resize(width, 900)
            t.true(f"the table, {width}", b.js(
                "const e = $('functions');"
                "return e.scrollWidth <= e.clientWidth"), "in its pane",
                b.js("return [$('functions').scrollWidth,"
                     " $('functions').clientWidth]"))
        kinds = b.js("""
            return [...$('findingList').querySelectorAll('h3')].map((h) => {
                const link = h.nextSibling.querySelector('.link');
                link.click();
                return [h.textContent, $('measure').value,
                    times.now.total[flame.chosen] > 0];
            })""")
        t.equal("in the metric of the section", [
            "temporary" if "temporary" in x else "blocks" if "calls" in x else
            "live" if "live" in x else "peak" for x in titles],
                [k[1] for k in kinds])
        t.true("and so not nothing", all(k[2] for k in kinds), "bytes", kinds)
        b.resize(390, 900)
        b.click("[data-pane=functions]")
        t.true("room for names", b.js(
            "const r = $('rows').querySelector('.name')"
            ".getBoundingClientRect(); return r.width >= 100 &&"
            "r.right <= document.documentElement.clientWidth"),
               "100 pixels in the window", b.js(
            "const r = $('rows').querySelector('.name')"
            ".getBoundingClientRect(); return [r.width, r.right]"))
        look(b, "heap-390")
        t.equal("complaints", [], b.complaints())


@case
def heap_units(t):
    """Bytes have units; blocks, and names that end as a number of bytes does,
    have none."""
    exe = t.build("heaps.c", "heaps2M", *CODE, "-Dkeeps=sha1E")
    t.good([exe, "paths", 300000, 1], opts="mode=heap")
    t.good([exe, "temporary", 110000, 1], opts="mode=heap")
    text = t.prof("--heap=summary", *t.files()).stdout.split("\n\n", 1)[1]
    wanted = []
    for line in text.splitlines():
        if line.endswith(" in all"):
            unit = r"\1 \2iB" if " bytes " in line else r"\1\2"
        m = re.fullmatch(r" *[0-9.]+ +([0-9.]+[KMG]?)  +(\S.*)", line)
        if m:
            wanted.append([re.sub("(.)([KMG])", unit, m[1]), m[2]])
    t.true("of both", {"MiB", "M"} <= {a.lstrip(" .0123456789")
                                       for a, _ in wanted}, "some", wanted)
    with Browser(t) as b:
        b.open(page(t, "--heap", one=True))
        t.equal("rows", wanted, b.js(
            "return [...$('findingList').querySelectorAll('tr')].map((r) =>"
            "[r.cells[0].textContent, r.cells[2].textContent])"))
        t.true("links", "sha1E" in b.js(
            "return [...$('findingList').querySelectorAll('.link')]"
            ".map((e) => e.textContent)"), "sha1E", b.text("#findingList"))
        notes = b.js("return [...$('findingList').querySelectorAll('p')]"
                     ".map((e) => e.textContent)")
        t.equal("programs", 2, sum(x.startswith("heaps2M [") for x in notes))
        t.true("sums", any(re.match(r"allocated \d+ MiB in \d{8} calls ",
                                    x) for x in notes), "MiB", notes)
        t.equal("complaints", [], b.complaints())


@case
def heap_and_time(t):
    """A part of the time that is chosen in the heap's time line has the bytes
    at its ends, and leads to the stacks of that time."""
    t.good([t.build("heaps.c", "heaps", *CODE), "paths", 3000000, 1],
           opts="mode=time+heap,log=yes")
    path = page(t)
    with Browser(t) as b:
        b.ask("POST", b.session + "/url", {"url": f"file://{path}#show=heap"})
        t.equal("nothing is chosen", [True, True], b.js(
            "return [$('grownTime').hidden, $('grownAll').hidden]"))
        shown = ("return ['grownTime', 'grownAll', 'grownHint'].map((id) => "
                 "!$(id).hidden)")
        b.js("growth.choose(0.1, 0.6)")
        t.equal("of a part", [True, True, False], b.js(shown))
        b.js("growth.show(99)")
        t.equal("of a process without points", [False] * 3, b.js(shown))
        b.js("growth.show(null)")
        t.equal("of all again", [False, False, True], b.js(shown))
        left, top, wide = b.js(
            "const r = $('grown').getBoundingClientRect();"
            "return [r.left, r.top + r.height / 2, r.width]")
        b.drag(left + wide * 0.25, top, left + wide * 0.75, top)
        first, last = b.js(
            "const us = growth.one.us; return [us[0], us[us.length - 1]]")
        chosen = b.js("return growth.range")
        for i, part in enumerate((0.25, 0.75)):
            t.near(f"end {i}", first + (last - first) * part, chosen[i],
                   (last - first) * 0.01)
        live = [[n for us, n in zip(*b.js(
            "return [growth.one.us, growth.one.live]")) if us <= at][-1]
            for at in chosen]
        b.js("growth.say(null)")
        t.true("said", b.js("return bytes(arguments[0]) + ' to ' +"
                            "bytes(arguments[1])", *live)
               in b.text("#grownAt"), live, b.text("#grownAt"))
        look(b, "heap-part")
        began = b.js("return growth.one.began")
        b.click("#grownTime")
        b.js("return new Promise((r) => setTimeout(r, 50))")
        t.equal("of time", False, b.js("return showsHeap"))
        for i in range(2):
            t.near(f"the same {i}", began + chosen[i],
                   begin_of(b) + b.js("return lanes.range")[i], 1)
        inside = b.js(
            "return moments.at.reduce((sum, at, i) => sum + (at >"
            "lanes.range[0] && at <= lanes.range[1] ? moments.ns[i] : 0), 0)")
        t.figure("some", inside > 0, "time", inside)
        t.near("stacks of it", inside, b.js("return flame.tree.total[0]"), 1)
        t.equal("complaints", [], b.complaints())
        t.prof("--html=heap.html", "--heap", *t.files())
        b.open(os.path.join(t.dir, "heap.html"))
        b.js("growth.choose(0.1, 0.6)")
        t.true("no time", "also records what ran then" in b.text("#grownAt"),
               "how to have it", b.text("#grownAt"))
        t.equal("no button", [True, False], b.js(
            "return [$('grownTime').hidden, $('grownAll').hidden]"))
        b.press("\ue00c")
        t.equal("none again", None, b.js("return growth.range"))


if __name__ == "__main__":
    main()
