#!/usr/bin/env python3
# Context: O.  Completion in bash, zsh and fish: each option of --help is
# offered, and each value that is offered is one that the tool accepts.
import os
import re
import subprocess

from harness import BUILD, CLEAN, TOP, Skip, case, main, need

HERE = os.path.join(TOP, "completions")
COMMANDS = (["prof"], ["prof", "record"], ["tprof", "monitor"],
            ["tprof", "count"], ["tprof", "top"])

BASH = r"""
. "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_libmon
printf '%s\n' "${COMPREPLY[@]}"
"""

ZSH = r"""
zmodload zsh/zpty
zpty shell env PS1= PATH=$PATH zsh -f -i
zpty -w shell "fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D"
zpty -w shell "zstyle ':completion:*' list-colors; LISTMAX=0; COLUMNS=20"
zpty -w shell "bindkey '^I' complete-word; bindkey '^L' list-choices; \
setopt nobeep; print ready"
zpty -r -m shell out '*ready*ready*'
zpty -w -n shell "$2"$'\f'
sleep 2
zpty -w -n shell $'\x15exit\n'
zpty -r shell out
while zpty -r -t shell more; do out+=$more; done
print -r -- $out
"""


def environment():
    if not os.path.exists(os.path.join(BUILD, "prof")):
        raise Skip("prof is not built")
    return dict(CLEAN, PATH=BUILD + ":" + os.environ["PATH"], TERM="dumb")


def run(t, argv, text=None):
    return subprocess.run(argv, env=environment(), cwd=t.dir, text=True,
                          capture_output=True, input=text, timeout=60)


def bash(t, *words):
    """The completions of the last of these words."""
    r = run(t, ["bash", "-c", BASH, "bash", os.path.join(HERE, "prof.bash"),
                *words])
    t.equal(f"{words}: errors", "", r.stderr)
    return r.stdout.split()


def fish(t, line):
    path = os.path.join(HERE, "prof.fish")
    r = run(t, [need("fish"), "--no-config", "-c",
                f"source {path}; complete -C '{line}'"])
    t.equal(f"{line}: errors", "", r.stderr)
    return [x.split("\t")[0] for x in r.stdout.splitlines()]


def options(t, command):
    """The long options that the help names, with = if they want a value."""
    text = run(t, [*command, "--help"]).stdout
    found = re.findall(r"^ +(?:-\w, )?(--[a-z-]+)(\[?=?)", text, re.M)
    return {name + ("=" if value == "=" else "") for name, value in found}


@case
def options_of_the_help(t):
    for command in COMMANDS:
        wanted = options(t, command)
        t.true(f"{command}: some", len(wanted) > 2, "over 2", wanted)
        t.equal(f"bash: {command}", wanted, set(bash(t, *command, "--")))
    t.equal("bash: a begin", ["--heap"], bash(t, "prof", "record", "--hea"))


@case
def options_in_fish(t):
    need("fish")
    for command in COMMANDS[:3]:
        t.equal(f"{command}", options(t, command),
                set(fish(t, " ".join(command) + " --")))
    t.true("values", {"--by=module", "--by=file"} <= set(
        fish(t, "prof --by=")), "--by=module", fish(t, "prof --by="))
    pid = str(os.getpid())
    for words in ("tprof top -p ", "tprof top --pid ", "tprof top --pid=",
                  "prof --pid="):
        own = words[words.index("--"):] + pid if words[-1] == "=" else pid
        t.true(words, own in fish(t, words), own, fish(t, words)[:9])
    events = set(bash(t, "tprof", "monitor", "-e", ""))
    t.true("some events", len(events) > 2, "over 2", events)
    for words in "tprof monitor -e ", "tprof count --event ":
        t.equal(words, 0, len(events ^ set(fish(t, words))))
    found = set(fish(t, "tprof monitor --event=")) - {"--event="}
    t.equal("an event in the word", 0,
            len({f"--event={e}" for e in events} ^ found))
    t.equal("a backend", {"auto", "kernel", "preload"},
            set(fish(t, "tprof monitor -b ")))
    t.true("words", {"record", "doctor"} <= set(fish(t, "prof ")),
           "record, doctor", fish(t, "prof "))


@case
def options_in_zsh(t):
    need("zsh")
    r = run(t, ["zsh", "-f", "-c", ZSH, "zsh", HERE, "prof record --"])
    for option in options(t, ["prof", "record"]):
        t.true(option, option in r.stdout, "offered", r.stdout + r.stderr)
    r = run(t, ["zsh", "-f", "-c", ZSH, "zsh", HERE, "prof --by="])
    for value in "module", "function", "address":
        t.true(value, value in r.stdout, "offered", r.stdout + r.stderr)


@case
def values_are_accepted(t):
    """An error of a wrong value names those that there are."""
    for option in "--by", "--sort", "--heap", "--read", "--write":
        values = bash(t, "prof", option, "=")
        t.equal(f"{option}: begin", values, bash(t, "prof", option, "=", ""))
        t.true(f"{option}: some", len(values) > 4, "over 4", values)
        for value in values:
            more = ["--heap"] if value == "massif" else []
            r = run(t, ["prof", f"{option}={value}", *more, "/nonexistent"])
            t.true(f"{option}={value}", r.returncode == 1 or
                   "--output" in r.stderr, "accepted", r.stderr)
        r = run(t, ["prof", f"{option}=nosuch", "/nonexistent"])
        t.equal(f"{option}=nosuch: status", 2, r.returncode)
    for value in bash(t, "tprof", "monitor", "--backend", ""):
        r = run(t, ["tprof", "monitor", "-b", value, "/nonexistent"])
        t.equal(f"--backend {value}", 127, r.returncode)
    for value in bash(t, "tprof", "monitor", "--stacks", ""):
        r = run(t, ["tprof", "monitor", "--stacks", value, "/nonexistent"])
        t.true(f"--stacks {value}", r.returncode == 127 or
               "libunwind" in r.stderr, "accepted", r.stderr)
    for key in [*bash(t, "prof", "record", "--set", "="), "nosuch="]:
        r = run(t, ["prof", "record", f"--set={key}1", "/nonexistent"])
        t.equal(f"--set={key}: a key", key != "nosuch=",
                "does not know" not in r.stderr)


@case
def all_shells_have_the_same_values(t):
    with open(os.path.join(HERE, "prof.bash")) as f:
        text = f.read()
    wanted = [re.sub(r"[\s\\]+", " ", x).strip()
              for x in re.findall(r"^\t\techo (.*?)\n\t\t;;", text,
                                  re.M | re.S)]
    t.true("lists", len(wanted) == 10, "10", wanted)
    for name in "_prof", "prof.fish":
        with open(os.path.join(HERE, name)) as f:
            text = re.sub(r"[\s\\]+", " ", f.read())
        for values in wanted:
            t.true(f"{name}: {values}", f" {values} " in text, "listed",
                   "not")


@case
def help_has_a_screen_a_group(t):
    """No group is longer than a terminal, and no line wider."""
    for command in [*COMMANDS, ["prof", "doctor"], ["tprof"], ["tpfmt"],
                    ["tprof", "list"], ["tprof", "analyze"]]:
        r = run(t, [*command, "--help"])
        t.equal(f"{command}: status, errors", (0, ""),
                (r.returncode, r.stderr))
        t.true(f"{command}: usage", r.stdout.startswith("usage: "), "usage: ",
               r.stdout)
        lines = r.stdout.split("\n")
        t.equal(f"{command}: wide lines", [],
                [line for line in lines if len(line) > 80])
        t.true(f"{command}: groups", max(
            g.count("\n") + 1 for g in r.stdout.split("\n\n")) <= 24,
            "24 lines at most", r.stdout)


@case
def the_manual_has_the_options_of_the_help(t):
    for command in ["prof"], ["prof", "record"]:
        path = os.path.join(TOP, "man", "-".join(command) + ".1")
        with open(path) as f:
            text = f.read()
        if command == ["prof"]:
            text = text[text.index(".Sh OPTIONS"):]
        text = text[:text.index(".Sh", 4)] if command == ["prof"] else text
        listed = [name for line in re.findall(r"^\.It (.*)$", text, re.M)
                  for name in re.findall(r"\bFl -([a-z-]+)", line)]
        r = run(t, [*command, "--help"])
        t.equal(f"{command}", re.findall(r"^ +(?:-\w, )?--([a-z-]+)",
                                         r.stdout, re.M), listed)


@case
def words_programs_and_files(t):
    with open(os.path.join(t.dir, "my.out"), "w"):
        pass
    t.true("commands", {"record", "doctor"} <= set(bash(t, "prof", "")),
           "record, doctor", bash(t, "prof", ""))
    t.equal("of tprof", {"list", "monitor", "count", "top", "analyze"},
            set(bash(t, "tprof", "")) - {"my.out"})
    t.equal("a file", ["my.out"], bash(t, "prof", "--tree", "my"))
    t.equal("a file of an option", ["my.out"],
            bash(t, "prof", "--diff", "=", "my"))
    t.true("a program", "true" in bash(t, "prof", "record", "--heap", "tru"),
           "true", bash(t, "prof", "record", "--heap", "tru"))
    t.equal("an argument of the program", ["my.out"],
            bash(t, "prof", "record", "cat", "my"))
    t.true("a process", str(os.getpid()) in bash(t, "tprof", "top", ""),
           os.getpid(), "not")
    t.equal("proffs: files", ["my.out"], bash(t, "proffs", "my"))


if __name__ == "__main__":
    main()
