#!/usr/bin/env python3
# Context: O.  The page of prof --html --diff, in a browser.
import collections
import os
import re

from browser import Browser
from harness import case, main
from pages import both, compared, look, rows


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


def deviation(row, clump):
    """Return one standard deviation of its share, in percent, of a profile
    whose samples vary that much more than their number says."""
    p, n = float(row["percent"]) / 100, int(row["samples"])
    return 100 * p * (clump * (1 - p) / n) ** 0.5 if n else 0


def agree_on_seconds(t, b, wanted, *options):
    """The table and the sum of the page are those of prof --diff."""
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
    sums = t.prof("--diff", os.path.join(t.dir, "old"), *options,
                  *t.files("new")).stdout
    m = re.search(r"CPU time: ([0-9.]+) s before, ([0-9.]+) s now: "
                  r"(\S+) s \((\S+) %\)", sums)
    t.equal("all", f"old {m[1]} s, new {m[2]} s: {m[3]} s ({m[4]} %)",
            b.text("#sum").replace("\u2212", "-").split(";")[0])


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
        sure = [r[7].endswith("\u03c3") for r in rows(b)]
        t.true("sure ones first", any(sure) and
               sure == sorted(sure, reverse=True), "then the others", sure)
        t.equal("by seconds, as the text", "seconds", b.js(
            "return document.getElementById('unit').value"))
        b.choose("#unit", "share")
        got = changes(b)
        clumps = b.js("return [data.old.clump, data.error.clump]")
        t.true("samples vary", all(1 <= c < 3 for c in clumps), "1 or more",
               clumps)
        for key, (old, new, by, error, sure) in got.items():
            if key not in wanted:
                continue
            of = [s.get(key, {"percent": 0, "samples": 0})
                  for s in shares]
            t.near(f"{key}: old share", float(of[0]["percent"]), old, 0.06)
            t.near(f"{key}: new share", float(of[1]["percent"]), new, 0.06)
            t.near(f"{key}: change", new - old, by, 0.16)
            if error is not None:
                t.near(f"{key}: error", sum(
                    deviation(x, c) ** 2 for x, c in zip(of, clumps)) ** 0.5,
                    error, 0.06)
        b.choose("#unit", "seconds")
        agree_on_seconds(t, b, wanted)
        gone = [r[4:6] for r in rows(b) if r[8] == "recurse"]
        t.true("gone", len(gone) == 1 and float(gone[0][0]) > 0 and
               gone[0][1] == "0", "in the old one alone", gone)
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
            tell(w.node, 0, 0);
            return [names[f], document.getElementById("told").textContent,
                [...dots.slice(at, at + 3)]];
        }).filter((x) => x !== null)""")


def hue(red, green, blue):
    return "red" if red > blue + 25 else "blue" if blue > red + 25 else "grey"


@case
def changed_colours(t):
    """Red grew, blue shrank, grey may be chance; the line below says how
    much."""
    both(t, ["inlined", "inlined", "deep 9"],
         ["inlined", "deep 9", "deep 9"])
    with Browser(t) as b:
        b.open(compared(t, "--no-inline"))
        t.equal("by change", "change",
                b.js("return document.getElementById('colour').value"))
        look(b, "changed")
        b.choose("#unit", "share")
        seen = set()
        for name, told, dot in bars(b):
            m = re.search("old ([0-9.]+) %.*, new ([0-9.]+) %.*: "
                          "([+\u2212])[^(]*\\((sure|within noise|as an? \\w+ alone), ", told)
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
def work(t):
    """With --per, the page has the numbers of new for the work of old, as the
    text has them, and no shares, as amounts alone are judged."""
    both(t, ["inlined", "inlined", "deep 9"],
         ["inlined", "deep 9", "deep 9"])
    per = "--per=300,100"
    wanted = by_function(t.rows("--diff", os.path.join(t.dir, "old"), per,
                                *t.files("new")))
    with Browser(t) as b:
        b.open(compared(t, "--no-inline", per))
        look(b, "work")
        agree_on_seconds(t, b, wanted, per)
        t.true("words", "work: 300 before, 100 now" in b.text("#sum"),
               "which work", b.text("#sum"))
        told = b.js("return nodeSentence(flame.tree, 0)")
        new = re.search("new ([0-9.]+) s", b.text("#sum"))[1]
        t.equal("all", new, told.split(", new ")[-1].split(" s")[0])
        t.true("zoomed out", f"{new} s" in b.text("#crumbs"), new,
               b.text("#crumbs"))
        t.equal("units", ["seconds"], b.js(
            "return [...$('unit').options].map((o) => o.value)"))
        t.equal("complaints", [], b.complaints())


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


if __name__ == "__main__":
    main()
