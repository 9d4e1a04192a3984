# Context: O.  For the tests of pages: made, read, clicked.
import collections
import os
import re

CODE = ["-O2", "-g", "-fomit-frame-pointer", "-pthread"]
# Where a picture of each page is kept, to be looked at.
PICTURES = os.environ.get("PICTURES")


def page(t, *options, where="profs", one=False):
    """Make a page.  It has each function of libmon.so, as --csv and written
    files have, or with `one` has them as one, as it does without an option.
    """
    path = os.path.join(t.dir, "report.html")
    t.prof(f"--html={path}", *([] if one else ["--all-frames"]), *options,
           *t.files(where))
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
    b.js("while (!$('more').hidden) $('more').click()")
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


def compared(t, *options):
    """A page of `new` beside `old`."""
    path = os.path.join(t.dir, "compared.html")
    t.prof(f"--html={path}", "--all-frames", "--diff",
           os.path.join(t.dir, "old"), *options, *t.files("new"))
    return path


def both(t, old, new):
    """Each of several runs."""
    exe = t.build("stacks.c", "stacks", *CODE)
    for where, runs in (("old", old), ("new", new)):
        for args in runs:
            t.good([exe, *args.split()], profdir=where)


def choose(b, name):
    """The row of that function in the table."""
    b.js("const f = names.indexOf(arguments[0]);"
         "while (!$('more').hidden) $('more').click();"
         "document.querySelector(`#rows tr[data-func='${f}']`).click()", name)


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
