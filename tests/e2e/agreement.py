# Context: O.  Shared by tests of time: compare the sums that a program
# measured with those of its profile.
import math

from profilefile import INTERRUPT


PARTS = ("part_a", "part_b", "part_c", "part_d")


# Beside the sampling error: the workload's own clock calls and calibration
# are in no part (0.2 % of its time).
BLUR = 0.003


def sum_agrees(t, run, profiles, what, threads=0):
    """Seconds shown against rusage: 1 %, or 4 sigma where the clock itself
    draws lots (`threads`: bursts shorter than a tick).  And the samples
    themselves: they miss no more than kernel time outside of calls."""
    shown = sum(p.seconds for p in profiles)
    sampled = sum(p.sampled for p in profiles)
    tick = profiles[0].tick if profiles else 0.004
    error = 4 * tick * math.sqrt(run.cpu / tick)
    # A thread's last tick, and the loader's time before our start (4 ms).
    edge = 0.004 * len(profiles) + (0 if threads else tick * sum(
        p.members for p in profiles))
    # Kernel time beside a fine clock is drawn by the coarse one.
    drawn = error if threads else 4 * tick * math.sqrt(
        run.usage.ru_stime / tick)
    t.near(f"{what}: seconds of rusage", run.cpu, shown,
           max(0.01 * run.cpu, drawn) + edge)
    kernel = run.usage.ru_stime + INTERRUPT * sum(
        int(p.info["ticks"]) for p in profiles)
    t.between(f"{what}: seconds in samples", run.cpu * 0.99 - kernel - drawn -
              edge, sampled, run.cpu * 1.01 + drawn + edge)
    for p in profiles:
        # Ticks that met the file while another thread was making it.
        t.true(f"{what}: losses", not set(p.loss) - {"STORE_RACE"}, "none",
               p.describe())
