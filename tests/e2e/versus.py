#!/usr/bin/env python3
# Context: O.  The walker's frames beside libunwind's, at random places of
# programs that nobody here wrote; in the long form a million of them.
import os
import subprocess
import sys

from harness import BUILD, Skip, case, main, need, pick

LIB = os.path.join(BUILD, ".libs", "libversus.so")
POINTS = pick(4000, 160000)
PERL = """
    while (1) {
        my %h;
        for my $i (1 .. 200000) {
            $h{$i % 1000} .= "x";
            my @a = sort { $a <=> $b } map { $_ * 7 % 13 } 1 .. 20;
            ($_ = "abc$i") =~ s/b(\\w)/$1/;
        }
    }
"""
PYTHON = """
import json, random, re, hashlib, zlib
def f(n): return n if n < 2 else f(n - 1) + f(n - 2)
while True:
    f(15); json.loads(json.dumps(list(range(3000))))
    re.sub('(a|b)+c', 'x', 'ababc' * 300)
    sorted((random.random() for _ in range(5000)), key=lambda x: -x)
    hashlib.sha256(zlib.compress(b'xyz' * 30000)).hexdigest()
"""
SQL = """
    with recursive c(x) as (select 1 union all select x + 1 from c)
    select count(*), sum(x * x % 7), max(printf('%d', x)) from c;
"""
BASH = """
    while :; do
        a=; for i in {1..300}; do a+="$((i * 7)) "; done
        set -- $a; b=${a//1/2}; [[ $b =~ (2+)' '3 ]] && c=${BASH_REMATCH[1]}
    done
"""


def told(text):
    """Return, of each program by name, {verdict on a place: how often}."""
    found = {}
    for line in text.splitlines():
        words = line.split()
        if words and words[0] == "versus":
            of = found.setdefault(words[1], {})
            for key, n in zip(words[2::2], words[3::2]):
                of[key] = of.get(key, 0) + int(n)
    return found


def walk_in(t, argv, stdin=None):
    if not os.path.exists(LIB):
        raise Skip("no libunwind here")
    out = os.path.join(t.dir, "versus.out")
    if os.path.exists(out):
        os.remove(out)
    t.run(argv, mon=False, timeout=600, stdin=stdin,
          env={"LD_PRELOAD": LIB, "VERSUS_POINTS": str(POINTS),
               "VERSUS_OUT": out})
    with open(out) as f:
        text = f.read()
    name = os.path.basename(argv[0])
    n = told(text).get(name, {})
    points = n.get("points", 0)
    t.figure(f"{name}: places", points > 0.2 * POINTS, f"{POINTS}", points)
    different = [x for x in text.splitlines() if x.startswith("  ")]
    for what in ("apart", "short"):
        t.true(f"{name}: {what}", n.get(what) == 0, "none", different[:5])
    t.figure(f"{name}: the same", n.get("equal", 0) >= 0.999 * points,
             f"{points}", different[:5])
    print(f"# {name}: {n}", flush=True)


@case
def perl(t):
    walk_in(t, [need("perl"), "-e", PERL])


@case
def python(t):
    walk_in(t, [sys.executable, "-c", PYTHON])


@case
def sqlite(t):
    walk_in(t, [need("sqlite3"), ":memory:", SQL])


@case
def bash(t):
    walk_in(t, [need("bash"), "-c", BASH])


@case
def xz(t):
    with open("/dev/urandom", "rb") as noise:
        walk_in(t, [need("xz"), "-c", "-1"], stdin=noise)


@case
def openssl(t):
    walk_in(t, [need("openssl"), "speed", "-seconds", "60", "rsa2048"])


@case
def cc1(t):
    """Not by way of gcc, which would be at its points first."""
    source = os.path.join(t.dir, "big.c")
    with open(source, "w") as f:
        for i in range(pick(1000, 30000)):
            f.write(f"int f{i}(int *p, int n) {{ int s = {i}; while (n-- > 0)"
                    f" switch (p[n] % 5) {{ case 0: s += f{i}(p, n / 2); break;"
                    f" case 3: s *= {i + 3}; break; default: s ^= p[n]; }}"
                    f" return s; }}\n")
    compiler = subprocess.run([need("gcc"), "-print-prog-name=cc1"],
                              stdout=subprocess.PIPE, text=True, check=True)
    walk_in(t, [compiler.stdout.strip(), "-quiet", "-O2", "-o", "/dev/null",
                source])


main()
