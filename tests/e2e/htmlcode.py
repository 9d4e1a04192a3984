#!/usr/bin/env python3
# Context: O.  The code in a page: lines, instructions and their times.
import collections
import os
import re
import shutil

from browser import Browser
from harness import SOURCES, Skip, case, main, pick
from pages import (CODE, choose, choose_time, look, own_seconds, page,
                   phases, profiled, rows, seconds)


def annotated(t, function):
    rows = t.rows("--annotate", function, *t.files())
    if not any(r["instruction"] for r in rows):
        raise Skip("no disassembler")
    return rows


def gutter(b):
    """[seconds or 0, percent or 0, total percent or 0, place, text] of each
    line of the code."""
    return [(seconds(s) if s else 0, float(p or 0), float(total or 0), place,
             text) for s, p, total, place, text in (
                 r for r in rows(b, "codeRows") if len(r) == 5)]


def line_totals(t, function):
    """{line: total percent} of a function, as prof --annotate prints it."""
    text = t.prof("--annotate", function, "--min=0", "--no-footer",
                  *t.files()).stdout
    m = re.search(rf"^{function} \[.*?\n(.*?)(?:\n\n|\Z)", text, re.S | re.M)
    return {place: float(total) for total, place in re.findall(
        r"^ +[0-9.]+ +([0-9.]+) +[0-9.]+ {1,7}(\d+)  \S*", m[1], re.M)}


@case
def code(t):
    """Lines and instructions of what is chosen, with the time that prof
    --annotate says; of what is inlined the code that it is part of."""
    t.good([t.build("lines.c", "lines", *CODE)])
    wanted = annotated(t, "work")
    whole = sum(float(r["seconds"]) for r in t.rows(*t.files()))
    totals = line_totals(t, "work")
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
        got = {place: (s, p, total, line) for s, p, total, place, line in
               gutter(b) if place}
        t.equal("lines", [], sorted(set(by_line) - set(got)))
        for place, (s, percent, total, line) in got.items():
            t.equal(f"line {place}", text[int(place) - 1], line)
            t.near(f"line {place}: seconds", by_line[place], s, 0.0006)
            t.near(f"line {place}: percent", by_line[place] * 100 / whole,
                   percent, 0.06)
            t.near(f"line {place}: total", totals.get(place, percent), total,
                   0.11)
        b.choose("#view", "instructions")
        look(b, "instructions")
        got = {int(place, 16): (s, total, line) for s, p, total, place, line in
               gutter(b) if total}
        for r in wanted:
            at = int(r["address"], 16)
            s, total, line = got.get(at, (0, 0, r["instruction"]))
            t.near(f"{at:x}: seconds", float(r["seconds"]), s, 0.0006)
            t.near(f"{at:x}: total", float(r["total_seconds"]) * 100 / whole,
                   total, 0.06)
            t.equal(f"{at:x}", r["instruction"], line)
        choose(b, "mix")
        t.true("inlined", b.text("#codeNote").startswith(
            "inlined in work, whose code this is: "), "in work",
            b.text("#codeNote"))
        t.true("the same", len(rows(b, "codeRows")) > 8, "its code",
               rows(b, "codeRows"))
        t.equal("complaints", [], b.complaints())


@case
def code_totals(t):
    """Lines have the time of what they called, as prof --annotate has it: also
    in recursion, where a sample passes a line more than once, with the time of
    each sample, and without inlined functions."""
    exe = t.build("stacks.c", "stacks", *CODE)
    for opts in ("", "log=yes"):
        shutil.rmtree(os.path.join(t.dir, "profs"), ignore_errors=True)
        t.good([exe, "deep", "9"], opts=opts)
        annotated(t, "recurse")
        wanted = {f: line_totals(t, f) for f in ("recurse", "deep", "main")}
        with Browser(t) as b:
            # Nothing is inlined in recurse(): its lines are the same without.
            for options, function in ([], "recurse"), ([], "deep"), (
                    [], "main"), (["--no-inline"], "recurse"):
                what = f"{opts} {options} {function}"
                b.open(page(t, *options))
                choose(b, function)
                got = {place: total for _, _, total, place, _ in gutter(b)
                       if total}
                t.true(f"{what}: some", wanted[function], "lines",
                       wanted[function])
                for place, total in wanted[function].items():
                    t.near(f"{what}: line {place}", total,
                           got.get(place, 0), 0.11)
                t.true(f"{what}: at most all", got and
                       max(got.values()) <= 100, "100 %", got)
            t.equal("complaints", [], b.complaints())


@case
def no_gap(t):
    """Each function has its code, or says why not."""
    profiled(t, "inlined")
    with Browser(t) as b:
        b.open(page(t))
        seen, told = set(), {}
        for name in {r[4] for r in rows(b)}:
            choose(b, name)
            note, shown = b.text("#codeNote"), rows(b, "codeRows")
            t.true(name, bool(shown) != note.startswith("not here: "),
                   "code or why not", (note, shown))
            seen.add(note if not shown else "code")
            told[name] = note if not shown else "code"
        t.true("code", "code" in seen, "of some", seen)
        t.true("outermost", "code" == told["main"], "its code", told["main"])
        choose(b, name)
        t.equal("no function", [True, False], b.js(
            "return [$('codeBox').hidden, $('codeHint').hidden]"))


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
            "/gone.c was not found"), "why",
            b.text("#codeNote"))
        t.true("instructions", any("imul" in r[4] for r in gutter(b)),
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
            t.equal(f"{value}: seconds", own[0][0] + " of i", note[:12])
            t.near(f"{value}: sum", seconds(own[0][0]),
                   sum(r[0] for r in gutter(b)), 0.011)
            seen.append(note)
        t.true("parts", len(seen) >= 3 and seen[0] == whole and
               whole not in seen[1:], "of two threads", seen)


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
def hot_lines(t):
    """The code begins at the hottest line; n goes on, to each line once."""
    t.good([t.build("lines.c", "lines", *CODE)])
    annotated(t, "work")
    with Browser(t) as b:
        b.open(page(t))
        choose(b, "work")
        timed = sorted((r[2] for r in gutter(b) if r[2]), reverse=True)
        here = "return [...$('codeRows').querySelectorAll('.here')].map((r) =>" \
               " Number(r.cells[2].textContent))"
        seen = [b.js(here)]
        for _ in timed[1:]:
            b.press("n")
            seen.append(b.js(here))
        t.equal("in order", [[p] for p in timed], seen)
        # The table names the line through which most time of work goes: that
        # of the call of mix, which is inlined there.
        with open(os.path.join(SOURCES, "lines.c")) as f:
            call, = [i for i, x in enumerate(f, 1) if "mix(x);" in x]
        t.equal("in the table", f"lines.c:{call}", b.js(
            "return document.querySelector(`#rows [data-func='${"
            "names.indexOf('work')}'] .name span`).dataset.place"))
        words = b.js("return [...document.querySelectorAll('.token-word')]"
                     ".map((e) => e.textContent)")
        t.true("words of the language", {"for", "return"} & set(words),
               "some", words)


if __name__ == "__main__":
    main()
