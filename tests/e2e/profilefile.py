# Context: O.  For harness.py: one profile file, as `prof --info` shows it.
import os

# A tick in kernel mode has no sample of its own: the interrupt of the clock
# itself, at most, is in the row of the rest (measured.md: 22 to 38 us).
INTERRUPT = 60e-6


class Profile:
    """One profile file, by what `prof --info` says of it."""

    def __init__(self, path, info):
        self.path, self.info = path, info
        self.name = os.path.basename(path)
        self.pid = int(info.get("pid", 0))
        self.loss = {k[5:]: int(v) for k, v in info.items()
                     if k.startswith("loss.")}

    def threads(self):
        """One pass: a file of thousands of threads has a million keys."""
        found = [{} for _ in range(int(self.info.get("threads", 0)))]
        for k, v in self.info.items():
            if k.startswith("thread."):
                _, i, name = k.split(".", 2)
                found[int(i)][name] = v
        return found

    def sum(self, key):
        return sum(int(t[key]) for t in self.threads())

    @property
    def sampled(self):
        """CPU seconds that its samples stand for."""
        return self.sum("sample_ns") / 1e9

    @property
    def cpu(self):
        """CPU seconds by the kernel, of this image."""
        return (int(self.info["cpu_ns"]) -
                int(self.info["cpu_birth_ns"])) / 1e9

    @property
    def seconds(self):
        """CPU seconds that samples stand for, and of the rest that the kernel
        charged no more than may have none: its own time outside of calls, and
        the clock's interrupts.  Time unread in user mode is missed."""
        rest = self.cpu - self.sampled
        room = (int(self.info["system_ns"]) / 1e9 + 5 * self.tick +
                INTERRUPT * int(self.info["ticks"]))
        return self.sampled + max(0, min(rest, room))

    @property
    def samples(self):
        return self.sum("samples")

    @property
    def members(self):
        return self.sum("members")

    @property
    def tick(self):
        return int(self.info.get("tick_ns", 4000000)) / 1e9

    def describe(self):
        keys = ("state", "end", "process", "coarse", "fine", "fine_errno",
                "ticks", "threads")
        return (" ".join(f"{k}={self.info.get(k)}" for k in keys) +
                "".join(f" loss.{k}={v}" for k, v in self.loss.items()))
