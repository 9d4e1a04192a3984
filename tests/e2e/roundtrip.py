#!/usr/bin/env python3
# Context: O.  prof reads what prof --write writes, whatever the names of
# functions are: a generator makes the names, always the same ones.
import collections
import csv
import io
import os
import random
import subprocess

from harness import CLEAN, PROF, Failed, case, load, main

TEXT = ("folded", "perf", "callgrind", "pprof")

# Each is used alone and as a part of others.
ODD = ["a b", "a;b", 'a"b', "a'b", "a\nb", "a\tb", "a\rb", "\x01", "\x7f",
       "h\u00e4\u00df\u4e16\u754c", "x" * 300, "[unknown]", "[a]", "(x)",
       "f()", "f (x)", "f (/x) y", "f ([x]) y", "operator()(int) (const)",
       "f (deleted)", "f 10", "f 10 20", "f 1.5", "10", "10 20", "-1", "0x10",
       "f+0x10", "f+0x", "+0x1", "f+0x1+0x2", "add", "dead beef", "fn=f",
       "calls=1 2", "(3)", "(3) f", "(4", "???", "?", "*", "+3", "-", ":",
       "f:", "f:12", "a.c:12", "1.5:", "500/500", "[001]", "cycles:",
       "cpu-clock:u:", "events: Ir", "#f", "# f", " f", "f ", " ", ";", ";;",
       "f;", ";f", "==>", "a->b", "a<-b", "a<b, c>::d<e>(f<g>)", "~f",
       "inlined",
       "f (inlined)", "100%", "%s%n", "\\", "\\n", "&amp;", "<b>", "$x",
       "@plt", "f@plt", "f@@V_1", "main", "{main}",
       "a,b",
       "f\u2028g", "\u202ef", "e\u0301", "..", "/", "/a/b", "C:\\x", "a|b",
       "summary:", "positions: line", "version: 1", "left out", "-- a"]


def names(seed, count):
    """Return that many distinct names: odd ones first, then mixtures."""
    r = random.Random(seed)
    got = dict.fromkeys(ODD)
    while len(got) < count:
        parts = [r.choice(ODD) if r.random() < .7 else
                 "".join(chr(r.choice([r.randrange(1, 127),
                                       r.randrange(161, 0xd7ff)]))
                         for _ in range(r.randrange(1, 9)))
                 for _ in range(r.randrange(1, 4))]
        got["".join(parts)[:400]] = None
    return list(got)


class Wire:
    """Build a profile of pprof, which can hold any name."""

    def __init__(self):
        self.texts = {"": 0}
        self.functions = {}
        self.body = b""

    @staticmethod
    def number(value):
        out = bytearray()
        while value >= 0x80:
            out.append(value & 0x7f | 0x80)
            value >>= 7
        return bytes(out + bytes([value]))

    def field(self, number, value):
        if isinstance(value, int):
            return self.number(number << 3) + self.number(value)
        return self.number(number << 3 | 2) + self.number(len(value)) + value

    def text(self, text):
        return self.texts.setdefault(text, len(self.texts))

    def message(self, *values):
        return b"".join(self.field(n, v) for n, v in values)

    def location(self, name):
        """Return its number; each function has an address of its own."""
        if name not in self.functions:
            n = len(self.functions) + 1
            self.functions[name] = n
            self.body += self.field(5, self.message(
                (1, n), (2, self.text(name)), (3, self.text(name))))
            self.body += self.field(4, self.message(
                (1, n), (2, 1), (3, 0x1000 + 64 * n),
                (4, self.message((1, n)))))
        return self.functions[name]

    def label(self, key, value):
        kind = 2 if isinstance(value, str) else 3
        return self.message((1, self.text(key)), (
            kind, self.text(value) if kind == 2 else value))

    def sample(self, path, ns, labels):
        """Add a sample; path: outermost function first."""
        numbers = [(1, self.location(name)) for name in reversed(path)]
        self.body += self.field(2, self.message(
            *numbers, (2, 1), (2, ns), *[
                (3, self.label(*pair)) for pair in labels.items()]))

    def save(self, path):
        kinds = [(self.text(a), self.text(b)) for a, b in (
            ("samples", "count"), ("cpu", "nanoseconds"))]
        head = b"".join(self.field(1, self.message((1, a), (2, b)))
                        for a, b in kinds)
        head += self.field(3, self.message(
            (1, 1), (2, 0x1000), (3, 0x1000000),
            (5, self.text("/opt/no such/prog (1)"))))
        head += b"".join(self.field(6, text.encode()) for text in self.texts)
        with open(path, "wb") as f:
            f.write(head + self.body)


def thread_name(name):
    """Return names of 15 bytes at most, as Linux has them; some are empty."""
    cut = name.encode()[:15].decode(errors="ignore")
    return "" if name == "-" else cut


def forged(t, seed):
    """Return stacks of such functions, each a whole number of microseconds."""
    r = random.Random(seed)
    all_names = names(seed, 400)
    w = Wire()
    for i, name in enumerate(all_names):
        callers = r.choices(all_names, k=r.randrange(0, 5))
        w.sample([*callers, name], 1000 * r.randrange(1, 100000), {
            "process": "prog", "thread": thread_name(name), "pid": 7,
            "tid": 7 + i})
    w.save(os.path.join(t.dir, "odd.pb"))
    return "odd.pb"


def prof(t, *args):
    r = subprocess.run([PROF, *args], cwd=t.dir, env=CLEAN,
                       capture_output=True, timeout=120)
    if r.returncode != 0 or r.stderr:
        raise Failed(f"prof {args}: {r.returncode}\n"
                     f"{r.stderr.decode(errors='replace')[-1000:]}")
    return r.stdout.decode(errors="surrogateescape")


def rows(t, *args):
    # A name can have line ends of any kind.
    return list(csv.DictReader(io.StringIO(prof(t, "--csv", *args),
                                           newline="")))


def flat(t, *args):
    """Return {function: ns}."""
    got = collections.Counter()
    for r in rows(t, *args):
        got[r["function"]] += round(float(r["seconds"]) * 1e9)
    return +got


def stacks(t, *args):
    """Return {path: ns}, the outermost function first."""
    nodes, got = {}, collections.Counter()
    for r in rows(t, "--tree", *args):
        above = nodes[r["parent"]] if r["parent"] else ()
        nodes[r["node"]] = (*above, r["function"])
        got[nodes[r["node"]]] += round(float(r["self_seconds"]) * 1e9)
    return +got


def threads(t, *args):
    """Return {number: (name, ns)}."""
    return {r["thread"]: (r["thread_name"], round(float(r["seconds"]) * 1e9))
            for r in rows(t, "--by=thread", *args)}


def thread_spelled(name, tid):
    """Return the name as the text of perf has it."""
    name = "".join("_" if c <= " " else c for c in name)
    if name[:1] == "#":
        name = "_" + name[1:]
    return (name[:-1] + "_" if name.endswith(":") else name) or f":{tid}"


# Characters that a format cannot hold in a name are replaced there.
def spelled(form, name, first=False, last=False):
    if form == "pprof":
        return name
    name = "".join("?" if c < " " else c for c in name)
    if form == "callgrind":
        return name.strip(" ") or "???"
    if form == "perf":
        for end in "/[":
            name = name.replace(f" ({end}", f"_({end}")
        if name.startswith(" "):
            name = "_" + name[1:]
        return name[:-1] + "_" if name.endswith(" ") else name
    name = name.replace(";", ":")
    head = name.rstrip("0123456789.-")
    if last and head.endswith(" "):
        name = head[:-1] + "_" + name[len(head):]
    return "_" + name[1:] if first and name.startswith(" ") else name


def respelled(form, paths):
    got = collections.Counter()
    for path, ns in paths.items():
        last = len(path) - 1
        got[tuple(spelled(form, name, i == 0, i == last)
                  for i, name in enumerate(path))] += ns
    return got


def leaves(paths):
    got = collections.Counter()
    for path, ns in paths.items():
        got[path[-1]] += ns
    return got


def same(t, what, wanted, got):
    for key in wanted.keys() | got.keys():
        if wanted.get(key, 0) != got.get(key, 0):
            raise Failed(f"{what}: {key!r}: wanted {wanted.get(key, 0)}, "
                         f"got {got.get(key, 0)}")
    t.true(f"{what}: some", len(wanted) > 100, "many", len(wanted))


def back(t, form, seed):
    odd = forged(t, seed)
    wanted = respelled(form, stacks(t, odd))
    # A text of such names can look like that of another format.
    read = f"--read={form}"
    prof(t, f"--write={form}", "-o", form, odd)
    same(t, f"{form}: functions", leaves(wanted), flat(t, read, form))
    if form != "callgrind":
        same(t, f"{form}: stacks", wanted, stacks(t, read, form))
    # A profile that was read can be written and read again.
    prof(t, f"--write={form}", "-o", "again", read, form)
    same(t, f"{form}: again", flat(t, read, form), flat(t, read, "again"))


@case
def names_of_functions(t):
    """Functions, seconds and stacks survive each current format."""
    for form in TEXT:
        if form == "pprof" and "pprof" not in prof(t, "--help"):
            continue
        back(t, form, 1)


@case
def names_of_threads(t):
    """Threads and their seconds survive the formats that have threads."""
    odd = forged(t, 1)
    wanted = threads(t, odd)
    t.true("threads: some", len(wanted) > 100, "many", len(wanted))
    prof(t, "--write=perf", "-o", "perf", odd)
    t.equal("perf", {tid: (thread_spelled(name, tid), ns)
                     for tid, (name, ns) in wanted.items()},
            threads(t, "--read=perf", "perf"))
    prof(t, "--write=pprof", "-o", "pprof", odd)
    t.equal("pprof", wanted, threads(t, "pprof"))


# Names that the assembler accepts for a symbol, between quotes.
def symbols():
    return [n for n in ODD if n.isascii() and n.isprintable() and
            not set(n) & set('"\\@#%') and n.strip() == n and
            n not in ("main", ".", "..", "-", "*", ":", "?", "+3")][:40]


@case
def names_of_symbols(t):
    """Formats of addresses take the names from the program, which exists."""
    odd = symbols()
    with open(os.path.join(t.dir, "odd.c"), "w") as f:
        for i, name in enumerate(odd):
            f.write(f'void f{i}(void) __asm__("\\"{name}\\"");\n'
                    f"__attribute__((noinline)) void f{i}(void) {{ "
                    "for (volatile int i = 0; i < 3000000; i++) continue; "
                    "}\n")
        calls = " ".join(f"f{i}();" for i in range(len(odd)))
        f.write(f"int main(void) {{ {calls} return 0; }}\n")
    exe = t.build(os.path.join(t.dir, "odd.c"), "odd", "-O1", "-no-pie")
    t.good([exe], opts="hz=1000")
    wanted = {r["function"]: float(r["seconds"])
              for r in rows(t, "--module=odd", *t.files())}
    t.true("names", len(set(wanted) & set(odd)) > 5, "some",
           sorted(wanted))
    for form, slack in (("gmon", 1e-4), ("monout", .0101), ("prof", .0101),
                        ("gperftools", 1e-5)):
        prof(t, f"--write={form}", "-o", form, *(
            () if form in ("prof", "gperftools") else (exe,)), *t.files())
        got = {r["function"]: float(r["seconds"])
               for r in rows(t, "--module=odd", exe, form)}
        for name in set(wanted) | set(got):
            t.near(f"{form}: {name}", wanted.get(name, 0), got.get(name, 0),
                   slack)


@case
def more_names(t):
    """Other mixtures of names survive, too."""
    for seed in range(2, 5):
        for form in ("folded", "perf", "callgrind"):
            back(t, form, seed)


@case
def standard_input(t):
    """A file of any kind in a pipe is read like the file; what is no file is
    refused."""
    t.good([load("kinds"), "burn", 0.3])

    def piped(data, *args):
        r = subprocess.run([PROF, *args], input=data, env=CLEAN, cwd=t.dir,
                           capture_output=True, timeout=120)
        return r.returncode, r.stdout.decode(), r.stderr.decode()

    for name in (t.files()[0], "pprof", "perf"):
        if name == "pprof" or name == "perf":
            t.prof(f"--write={name}", "-o", name, *t.files())
        with open(os.path.join(t.dir, name), "rb") as f:
            data = f.read()
        t.equal(name, t.prof("--csv", name).stdout,
                piped(data, "--csv", "-")[1])
    with open(t.files()[0], "rb") as f:
        data = f.read()
    status, out, err = piped(data, "--diff=-", "-")
    t.true("compared with itself", status == 0 and "+0.000 s (+0.0 %)" in out,
           "no change", out + err)
    status, out, err = piped(data, "--embed", "-")
    t.true("--embed", status == 2 and "standard input is none" in err,
           "refused", out + err)
    for what, data in (("no profile", b"no profile\n"), ("nothing", b"")):
        status, out, err = piped(data, "-")
        t.true(what, status == 1 and err.startswith("prof: -: "),
               "refused by its name", out + err)


if __name__ == "__main__":
    main()
