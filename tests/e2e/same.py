#!/usr/bin/env python3
# Context: O.  errno, masks, actions, stacks, descriptors, limits, environment
# and results are the same before and after every hooked call as without us.
import signal

from harness import case, difference, load, main


def same(t, opts, *args, **how):
    for _ in range(3):
        bare = t.run([load("same"), *args], mon=False)
        # libc's profil() gives SIGPROF its default action back while a signal
        # of its timer may be pending for a busy thread.
        if bare.status != "signal 27":
            break
    t.equal("bare", "exit 0", bare.status)
    mon = t.run([load("same"), *args], opts=opts, timeout=60, **how)
    t.equal(f"{opts}: end", bare.status, mon.status)
    t.true(f"{opts}: what it saw", bare.out == mon.out, "no difference",
           difference(bare.text, mon.text))
    t.equal(f"{opts}: stderr", bare.err, mon.err)


@case
def default_rate(t):
    same(t, "")


@case
def four_kilohertz(t):
    same(t, "hz=4000")


@case
def with_a_busy_thread(t):
    same(t, "hz=4000", "busy")


@case
def timer_tier(t):
    same(t, "tier=timer")


@case
def process_tier(t):
    same(t, "tier=process")


@case
def process_tier_of_another_signal(t):
    same(t, "tier=process,sig=VTALRM")


@case
def other_signals(t):
    for sig in ("STKFLT", "USR2"):
        same(t, f"sig={sig}")


@case
def wall_clock(t):
    same(t, "clock=wall")


def boxed(what):
    def run(t):
        """Behind seccomp no call is ours that kills."""
        for opts in ("", "hz=1000", "clock=wall"):
            bare, mon = t.both([load("same_boxed"), what], opts=opts)
            t.equal(f"{opts}: end", "exit 0", mon.status)
            t.true(f"{opts}: all of it", b"end" in mon.out and
                   b"killed" not in mon.out, "to the end", mon.text)
    run.__name__ = f"boxed_{what}"
    case(run)


for name in ("fork", "vfork", "threads", "signals", "waits", "no_return",
             "bus", "profs", "late_prof", "pending", "foreign",
             "twice", "limits"):
    boxed(name)


@case
def dispatched(t):
    """Each system call is handed to the program's handler of SIGSYS: none of
    them is ours, and no tick comes back by one."""
    for opts in ("", "clock=wall", "tier=process"):
        bare, mon = t.both([load("dispatch")], opts=opts)
        t.equal(f"{opts}: end", "exit 7", mon.status)
        t.equal(f"{opts}: calls met", bare.text, mon.text)


@case
def thread_pointer_replaced(t):
    """Code that runs with a thread pointer of its own, where no thread-local
    variable can be read: ticks, faults and signals there."""
    for opts in ("", "clock=wall,hz=4000", "tier=process", "log=yes"):
        d = f"profs-{opts}"
        bare, mon = t.both([load("tls_away")], opts=opts, profdir=d)
        t.equal(f"{opts}: end", "exit 3", mon.status)
        t.equal(f"{opts}: handlers", bare.text, mon.text)
        lost = t.profile(profdir=d).loss.get("THREAD_POINTER", 0)
        t.true(f"{opts}: ticks lost", lost > 0, "counted", lost)


@case
def bad_pointers(t):
    """Each argument NULL, wild, forbidden, read-only, at or across the edge of
    a page: the kernel's answer or libc's fault, and the same bytes written."""
    bare = t.good([load("pointers")], mon=False)
    for opts in ("", "clock=wall", "mode=heap", "mode=heap,heap=all"):
        mon = t.good([load("pointers")], opts=opts)
        t.true(f"{opts}: each call", bare.out == mon.out, "no difference",
               difference(bare.text, mon.text))


@case
def boxed_fault(t):
    """A fault that nobody handles kills behind seccomp as it does without."""
    bare, mon = t.both([load("same_boxed"), "fault"])
    t.equal("end", f"signal {int(signal.SIGBUS)}", bare.status)


if __name__ == "__main__":
    main()
