#!/usr/bin/env python3
# Context: O.  The time line of a page, and time asleep.
import collections
import os
import re
import shutil
import struct

from browser import Browser
from harness import case, main, need, pick
from pages import (CODE, begin_of, choose_time, functions, look,
                   own_seconds, page, phases, profiled, rows, seconds)


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
                t.figure(f"{other} while {name}", got.get(other, 0) <=
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
        t.true("told", re.search(r"^\w+ \d+, at \d+\.\d+ s: "
                                 r"\d+ % busy, most in part_b \[phases\]$",
                                 b.text("#told")), "part_b", b.text("#told"))
        b.point(*lane_place(b, (begin + end) / 2, 1 - lane))
        t.true("told of the other", b.text("#told").endswith(": idle"),
               "idle", b.text("#told"))
        b.drag(*lane_place(b, begin - 50e3, 0),
               *lane_place(b, (begin + end) / 2, 0))
        got = own_seconds(b)
        # Beside other work it has not had all of a processor.
        inside = b.js("""
            const [from, to] = arguments;
            return moments.at.reduce((sum, at, i) => sum + (at >= from &&
                at <= to && names[stacks.func[samples.now.node[
                moments.sample[i]]]] === "part_b" ? moments.ns[i] : 0), 0)""",
                      begin - begin_of(b), (begin + end) / 2 - begin_of(b))
        t.figure("some", inside > 0, "time", inside)
        t.near("half of it", inside / 1e9, got["part_b"], 0.03)
        t.figure("and nothing else", sum(got.values()) - got["part_b"] < 0.03,
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
def time_line_without_room(t):
    """Gaps of a time line are reported beside it, and are not shown as idle."""
    phases(t, 0.4, opts="log=yes,size=256k,hz=10000")
    with Browser(t) as b:
        b.open(page(t))
        lost = b.js("return samples.now.ns.reduce((sum, ns, i) => sum + "
                    "(data.threads[samples.now.thread[i]].tid === null ? 0 : "
                    "ns), 0) - moments.ns.reduce((sum, ns) => sum + ns, 0)")
        t.figure("some was lost", lost > 0, "more than nothing", lost)
        t.true("said", b.text("#span").endswith(
            f"not in it: {lost / 1e9:.3f} s, whose moments were not "
            "recorded"), "how much", b.text("#span"))
        t.equal("complaints", [], b.complaints())


@case
def no_time_line(t):
    """Where no time was recorded there is none, and nothing speaks of it."""
    phases(t, 0.1, opts="")
    with Browser(t) as b:
        b.open(page(t))
        t.equal("time line", 0,
                b.js("return document.querySelectorAll('.timed').length"))
        t.equal("complaints", [], b.complaints())
    shutil.rmtree(os.path.join(t.dir, "profs"))
    phases(t, 0.1)
    r = t.prof("--html=asleep.html", "--asleep", *t.files(), good=False)
    t.equal("no page of sleep without sleep", (1, 1, False),
            (r.returncode, r.stderr.count("\n"),
             os.path.exists(os.path.join(t.dir, "asleep.html"))))


@case
def asleep(t):
    """CPU time and time asleep are in one page, and add up."""
    t.good([t.build("phases.c", "phases", *CODE), 0.3],
           opts="clock=wall,log=yes")
    cpu = functions(t.folded())
    sleep = functions(t.folded("--asleep"))
    with Browser(t) as b:
        b.open(page(t))
        for show, wanted in (("cpu", cpu), ("asleep", sleep)):
            b.click(f"[data-show={show}]")
            total = sum(own for own, _ in wanted.values())
            t.near(show, total, b.js("return flame.tree.total[0]") / 1e9,
                   0.0011)
            got = collections.Counter()
            for r in rows(b):
                got[r[4]] += seconds(r[0])
            for name, (own, _) in wanted.items():
                t.near(f"{show}: {name}", own, got[name], 0.0021)
            look(b, show)
        b.click("[data-show=both]")
        t.near("both", sum(own for x in (cpu, sleep) for own, _ in x.values()),
               b.js("return flame.tree.total[0]") / 1e9, 0.0011)
        b.click("[data-show=cpu]")
        labels = b.js("return lanes.lanes.map((i) => lanes.labels[i])")
        t.true("main", any(x.startswith("main ") for x in labels), "by role",
               labels)
        slept = b.js(
            "const l = lanes.lanes.map((i) => lanes.weighLane(i).beside"
            ".reduce((a, n) => a + n, 0)); return Math.max(...l)")
        t.figure("sleep in the lanes", slept > 10, "some pixels", slept)
        t.equal("complaints", [], b.complaints())


def reasons(b):
    """[share, seconds, reason, function] of each line of the reasons of sleep.
    """
    return [[share, s.split()[0], reason, name] for s, share, reason, name in
            b.js("return [...$('reasonRows').rows].map((r) => [...r.cells]"
                 ".map((c) => c.textContent))")]


@case
def why_asleep(t):
    """The reasons of sleep are those of the report, joins last; of the threads
    and the piece of time that are chosen, whatever time is shown."""
    t.good([t.build("sleeps.cc", "sleeps", "-pthread", "-O1",
                    cc=[need("c++")]), 1], opts="clock=wall,log=yes")
    table = t.prof(*t.files()).stdout.partition("Asleep, by reason")[2]
    wanted = [list(r) for r in re.findall(
        r"^ +([0-9.]+) +([0-9.]+)  ([a-z]+) +(\S.*)$",
        table.partition("\n\n")[0], re.M)]
    t.true("several", len({r[2] for r in wanted}) > 4 and
           wanted[-1][2] == "join", "the join last", wanted)
    with Browser(t) as b:
        b.open(page(t))
        t.equal("as the report", wanted,
                [r for r in reasons(b) if r in wanted])
        t.equal("a note", False, b.js("return $('reasonNote').hidden"))
        t.equal("not asleep", [s for s in re.findall(
            r"^ +- +([0-9.]+)  - +\[waiting for a processor\b.*$", table,
            re.M)],
                [r[1] for r in reasons(b) if r[3].startswith("not asleep")])
        t.equal("a click shows that function, asleep", True, b.js(
            "$('reasonRows').rows[0].click();"
            "return shownTime === 'asleep' && flame.chosen >= 0 && "
            "times.now.total[flame.chosen] > 0"))
        b.click("[data-show=cpu]")
        b.click("[data-show=asleep]")
        b.click("[data-pane=reasons]")
        t.equal("seen", "block", b.js(
            "return getComputedStyle($('reasons')).display"))
        t.equal("the same", wanted,
                [r for r in reasons(b) if r in wanted])
        look(b, "why-asleep")
        whole = b.js("return flame.tree.total[0]")
        b.choose("#who", "thread:" + str(b.js(
            "return samples.now.thread[causeOf.findIndex((c) => c > 0)]")))
        one = b.js("return flame.tree.total[0]")
        t.true("less", 0 < one < whole, f"below {whole}", one)
        t.near("of one thread", one / 1e9,
               sum(float(r[1]) for r in reasons(b)), 0.0051)
        b.choose("#who", "all")
        b.js("lanes.range = [0, 500e3]; rebuild()")
        piece = b.js("return flame.tree.total[0]")
        t.true("less", 0 < piece < whole, f"below {whole}", piece)
        t.near("of a piece", piece / 1e9,
               sum(float(r[1]) for r in reasons(b)), 0.0101)
        b.js("allOfTheTime()")
        b.js("$('reasonRows').rows[0].click()")
        t.equal("chosen", wanted[0][3], b.js("return names[flame.chosen]"))
        t.equal("complaints", [], b.complaints())
        b.open(page(t, "--asleep"))
        t.equal("alone", wanted, [r for r in reasons(b) if r in wanted])
        t.equal("at first", "reasons", b.js("return shownPane()"))
    shutil.rmtree(os.path.join(t.dir, "profs"))
    profiled(t, "inlined")
    with Browser(t) as b:
        b.open(page(t))
        t.equal("none without sleep", None, b.js("return $('reasons')"))


@case
def wait_for_a_processor(t):
    """Below the reasons of sleep stands the wait that the head has, with its
    error, or as the least where some of the wait is not known."""
    t.good([t.build("phases.c", "phases", *CODE), 0.3], opts="clock=wall")
    path, = t.files()
    with open(path, "rb") as f:
        own = f.read()
    lived, = struct.unpack_from("<Q", own, 648)
    with Browser(t) as b:
        for unasked, row, head in (
                (0, ["1.000 s", ""], "+ 1.00 s waiting for a processor"),
                (0.1, ["1.050 s", " (\u00b10.050 s)"],
                 "+ 1.05 s waiting for a processor"),
                (2, ["1.000 s", ", at least"],
                 "+ at least 1.00 s waiting for a processor")):
            forged = bytearray(own)
            # lived_ns, delay_ns and unasked_ns
            struct.pack_into("<QQQ", forged, 648, lived + 10 * 10 ** 9,
                             10 ** 9, int(unasked * 1e9))
            with open(path, "wb") as f:
                f.write(forged)
            b.open(page(t))
            t.equal(f"{unasked} s unknown", [row], [
                [s + " s", name.removeprefix(
                    "not asleep: waiting for a processor")]
                for _, s, _, name in reasons(b)
                if name.startswith("not asleep")])
            t.true(f"{unasked} s: the head", head in b.text("#facts"), head,
                   b.text("#facts"))
            t.equal(f"{unasked} s: the same error", "\u00b1" in row[1],
                    "\u00b10.05 s" in b.text("#facts"))
        t.equal("complaints", [], b.complaints())


if __name__ == "__main__":
    main()
