#!/usr/bin/env python3
# Context: O.  The summary of the heap: peak, leaks and callers, sampled
# heaps, and blocks that libraries keep on purpose.
import os
import re

from harness import SOURCES, below_head, case, load, main, need, pick
from heaptables import both_forms
from heaptruth import MEASURES, functions, profiled, truth


@case
def sampled(t):
    """Some of the allocations: each number is good to its error."""
    runs = {"old": pick(30000, 300000), "new": pick(45000, 450000)}
    path = {}
    for name, n in runs.items():
        t.good([load("heaps"), "paths", n, 1], opts="mode=heap,heap=4k",
               profdir=name)
        path[name], = t.files(name)
    n = runs["old"]
    share = {"keeps": 40 / 108, "drops": 60 / 108}
    rows = both_forms(t, "--heap=total", "--tree", "--error", path["old"])
    total = sum(int(r["total_total_bytes"]) for r in rows
                if r["parent"] == "")
    for r in rows:
        if r["function"] in share:
            t.near(f"{r['function']}: share", 100 * share[r["function"]],
                   int(r["total_total_bytes"]) * 100 / total,
                   5 * float(r["total_percent_error"]))
    rows = both_forms(t, "--heap=total", f"--diff={path['old']}", path["new"])
    for r in rows:
        if r["function"] in ("fetch", "deeper"):
            each = 100 if r["function"] == "fetch" else 8
            t.near(f"{r['function']}: change", each * (runs["new"] - n),
                   int(r["change_total_bytes"]),
                   5 * int(r["error_total_bytes"]))
    # All of it grew alike: a longer run, unless the work is known.
    t.true("sure", [r["sure"] for r in rows if r["function"] == "fetch"] ==
           ["amount"], "an amount", rows)
    rows = both_forms(t, "--heap=total", f"--diff={path['old']}", "--per=1",
                      path["new"])
    t.true("of equal work", [r["sure"] for r in rows
                             if r["function"] == "fetch"] == ["yes"],
           "a change", rows)
    text = below_head(t.prof("--heap", "--error", path["old"]).stdout)
    t.true("table", text.startswith(" %Peak    +-    Peak "), "errors", text)
    t.true("foot", re.search(r"\nchosen: \d+ blocks, at random, one in 4096 "
                             r"bytes: the allocated bytes are good to \+-", text),
           "how many", text)
    exact = profiled(t, 10, "exact")
    t.equal("exact", t.prof("--heap", exact).stdout,
            t.prof("--heap", "--error", exact).stdout)


@case
def summary(t):
    """Sums, and of each kind those with the most and who called them."""
    n = 25
    path = profiled(t, n)
    text = below_head(t.prof("--heap=summary", path).stdout)
    parts = {name: (all, lines) for name, all, lines in re.findall(
        r"\n\n([^\n:]*): ([^\n]*) in all\n(.*?)(?=\n\n|$)", text, re.S)}
    t.true("totals", re.match(r"allocated \d+ in \d+ "
                              rf"calls \({n} temporary, .* %\)\npeak ",
                              text), "first", text)
    for name, measure in (("peak consumers", "peak"),
                          ("most calls of allocation functions", "blocks"),
                          ("most temporary blocks (freed before their thread "
                           "asked for another)", "temporary"),
                          ("largest leaks (live at the end)", "live")):
        if not t.true(name, name in parts, "a part", list(parts)):
            continue
        all, lines = parts[name]
        column = MEASURES[measure]
        t.equal(f"{name}: all", sum(int(r[column]) for r in t.rows(
            f"--heap={measure}", path)), int(all.split()[0]))
        wanted, _ = functions(truth(n)[measure])
        m = re.search(r"^ *[0-9.]+ +(\d+)  fetch (?:heaps\.c:\d+ )?\[heaps\]",
                      lines, re.M)
        t.equal(f"{name}: fetch", wanted["fetch"], m and int(m[1]))
    short = t.prof("--heap=summary", "--top=1", path).stdout
    t.true("top", "deeper" not in short, "one of each", short)


@case
def summary_of_templates(t):
    """Blocks that templates of C++ ask for are those of the function that
    calls them, with its line; each function with --all-frames."""
    t.good([t.build("store.cc", "store", "-pthread", cc=[need("g++")]),
            "500"], opts="mode=heap")
    text = t.prof("--heap=summary", *t.files()).stdout
    calls = text[text.index("most calls of allocation functions"):]
    with open(os.path.join(SOURCES, "store.cc")) as f:
        source = f.read().splitlines()
    m = re.search(r"\n +[0-9.]+ +\d+  split store\.cc:?(\d*) \[store\]\n"
                  r" +[0-9.]+ +\d+    handle_request store\.cc:(\d+) ", calls)
    t.true("split is first", m is not None and
           calls[:m.start()].count("\n") == 0, "the first line", calls[:900])
    t.true("its caller", "split(line)" in source[int(m[2]) - 1],
           "the line of the call", m[2])
    t.true("no templates", "std::" not in text, "folded", text)
    whole = t.prof("--heap=summary", "--all-frames", *t.files()).stdout
    t.true("all", "std::__new_allocator" in whole or
           "std::allocator" in whole or "new_allocator" in whole,
           "each function", whole)


LEAKS = """
#include <cstdio>
#include <string>
char *kept;
__attribute__((noinline)) static void leak() { kept = new char[3000]; }
int main() {
	leak();
	kept = nullptr;
	std::printf("%zu\\n", std::string(100, 'x').size());
}
"""


@case
def blocks_that_libraries_keep(t):
    """They are listed as such; a leak of the program is a leak."""
    source = os.path.join(t.dir, "leaks.cc")
    with open(source, "w") as f:
        f.write(LEAKS)
    exe = t.build(source, "leaks", cc=[need("g++")])
    t.good([exe], opts="mode=heap")
    text = t.prof("--heap=summary", *t.files()).stdout
    leaks = text[text.index("largest leaks"):]
    t.true("all of them", re.match(
        r"largest leaks [^\n]*: 3000 bytes in all\n +100\.0 +3000  leak",
        leaks), "3000", leaks)
    t.true("libstdc++", re.search(
        r"^no leak: 7\d\.\dK in 1 block kept by libstdc\+\+", leaks, re.M),
        "a line", leaks)
    t.true("stdio", re.search(r"^no leak: \S+ in 1 block kept by libc, as "
                              "buffers", leaks, re.M), "a line", leaks)
    rows = t.rows("--heap=live", *t.files())
    t.true("the table has them all", sum(int(r["live_bytes"]) for r in rows) >
           70000, "over 70000", rows)


if __name__ == "__main__":
    main()
