#!/usr/bin/env python3
# Context: O.  The packages of Debian: built of what make dist packs, looked at
# by lintian, installed over a copy of this system's root, and used there.
import os
import re
import shutil
import subprocess

from harness import BUILD, CLEAN, ROOT, Failed, Skip, case, long_case, main, \
    need

PACKAGES = ("libmon", "libmon-dev", "libmon-tools")

# In a root of its own, which is gone when this has ended.
INSTALL = r"""
set -e
mount -t tmpfs tmpfs "$1/over"
mkdir "$1/over/up" "$1/over/work"
mount -t overlay -o lowerdir=/,upperdir="$1/over/up",workdir="$1/over/work" \
    overlay "$1/root" || exit 77
mount --rbind /proc "$1/root/proc"
mount --rbind /dev "$1/root/dev"
mount -t tmpfs tmpfs "$1/root/tmp"
mkdir "$1/root/tmp/debs"
cp "$1"/*.deb "$1/root/tmp/debs"
chroot "$1/root" sh -e -c '
    rm -f /usr/local/lib/libmon*
    dpkg --force-depends -i /tmp/debs/*.deb >/tmp/dpkg.log 2>&1 || {
        cat /tmp/dpkg.log >&2
        exit 1
    }
    cd /tmp
    which prof tprof proffs
    prof doctor
    prof record sh -c "i=0; while [ \$i -lt 300000 ]; do i=\$((i+1)); done"
    prof --top 3
    LD_PRELOAD=libmon.so PROFOPTS=mode=heap sh -c "exit 3" || echo status $?
'
"""


def run(argv, cwd, timeout=3600, **env):
    r = subprocess.run(argv, cwd=cwd, env={**CLEAN, **env}, text=True,
                       capture_output=True, timeout=timeout)
    if r.returncode != 0:
        raise Failed(f"{' '.join(argv)}: exit {r.returncode}\n"
                     f"{(r.stdout + r.stderr)[-3000:]}")
    return r.stdout + r.stderr


def sources(t):
    """Unpack the tarball of make dist."""
    run(["make", "-C", BUILD, "-s", "dist"], t.dir)
    name = next(f for f in os.listdir(BUILD)
                if re.fullmatch(r"libmon-[\d.]+\.tar\.xz", f))
    packed = shutil.move(os.path.join(BUILD, name), t.dir)
    run(["tar", "xf", packed], t.dir)
    return packed[:-len(".tar.xz")]


@case
def dist_has_the_packaging(t):
    if not os.path.exists(os.path.join(BUILD, "Makefile")):
        raise Skip("not in a build directory")
    need("make", "xz")
    at = os.path.join(sources(t), "debian")
    for name in ("changelog", "control", "copyright", "rules",
                 "source/format", *(f"{p}.install" for p in PACKAGES)):
        t.true(name, os.path.exists(os.path.join(at, name)), "there", "not")


@long_case
def packages(t):
    need("dpkg-buildpackage", "dh", "lintian")
    at = sources(t)
    said = subprocess.run(["dpkg-checkbuilddeps"], cwd=at, env=CLEAN,
                          capture_output=True, text=True)
    if said.returncode != 0:
        raise Skip(said.stderr.strip())
    run(["dpkg-buildpackage", "-us", "-uc", "-b"], at)
    run(["scripts/check-context", "."], at)
    run(["scripts/check-exports", ".libs/libmon.so"], at)
    made = [f for f in os.listdir(t.dir) if f.endswith(".deb")]
    for package in PACKAGES:
        t.equal(package, 1, sum(f.startswith(f"{package}_") for f in made))
    changes = next(f for f in os.listdir(t.dir) if f.endswith(".changes"))
    r = subprocess.run(["lintian", "--allow-root", changes], cwd=t.dir,
                       env=CLEAN, capture_output=True, text=True)
    t.equal("lintian", "", "".join(
        line + "\n" for line in r.stdout.splitlines() if line[1:2] == ":"))
    if not ROOT:
        raise Skip("only root can install them in a root of their own")
    for name in "over", "root":
        os.mkdir(os.path.join(t.dir, name))
    for name in made:
        if "-dbgsym" in name:
            os.unlink(os.path.join(t.dir, name))
    r = subprocess.run(["unshare", "-m", "sh", "-c", INSTALL, "sh", t.dir],
                       env=CLEAN, capture_output=True, text=True, timeout=600)
    if r.returncode == 77:
        raise Skip(f"no root of its own here: {r.stderr}")
    t.equal("status", 0, r.returncode)
    for words in ("/usr/bin/prof\n", "/usr/bin/tprof\n",
                  "Programs can be recorded", "samples, about",
                  "status 3\n"):
        t.true(words, words in r.stdout, "said", r.stdout + r.stderr)
    t.true("its own library", re.search(
        r"^ok +libmon.so +/usr/lib/.*/libmon\.so$", r.stdout, re.M),
        "in /usr/lib", r.stdout)


if __name__ == "__main__":
    main()
