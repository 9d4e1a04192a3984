# Context: O.  A tprof.out by the struct that doc/format.md has, and no more
# code of ours: what tests hold the tools against.
import collections
import struct

HEAD, TEXT, EVENT, PROCESS, THREAD, MODULE, NODE, PLACE, NAME, STAT, COUNT, \
    END, LOSS = range(1, 14)
TEXTS = {HEAD, EVENT, PROCESS, THREAD, MODULE, NAME, LOSS}
STATS = ["sample", "overflow", "buf", "emptybuf", "dropbuf",
         "dropbuf_samples"]
Sample = collections.namedtuple(
    "Sample", "pid tid cpu kernel event pc node weight time program")
Node = collections.namedtuple("Node", "caller module pid flags address")


class Out:
    def __init__(self, data):
        self.head, self.events, self.stats = {}, {}, {}
        self.processes, self.threads, self.modules = {}, {}, [None]
        self.nodes, self.samples, self.counts = [None], [], {}
        self.names, self.ended = {}, False
        at = 0
        while at + 24 <= len(data):
            a, b, c, flags, d = struct.unpack_from("<IIIIQ", data, at)
            at += 24
            if not flags & 2:
                self.samples.append(Sample(a, b, c, flags & 1, flags >> 24, d,
                                           None, 0, 0,
                                           self.processes.get(a)))
                continue
            text = b""
            if flags >> 24 in TEXTS:
                while len(text) < c and at + 24 <= len(data):
                    text += data[at:at + 12] + data[at + 16:at + 24]
                    at += 24
                if len(text) < c:
                    break
            self.note(flags, a, b, c, d, text[:c].decode("utf-8", "replace"))

    def note(self, flags, a, b, c, d, text):
        kind = flags >> 24
        if kind == HEAD:
            self.head = dict(x.split("=", 1) for x in text.splitlines())
        elif kind == EVENT:
            self.events[a] = (text, b, d)
        elif kind == PROCESS:
            self.processes[a] = text
        elif kind == THREAD:
            self.threads[a, b] = text
        elif kind == MODULE:
            self.modules.append(text.split(" ", 4)[4])
        elif kind == NODE:
            self.nodes.append(Node(a, b, c, flags & 0xff, d))
        elif kind == PLACE:
            self.samples[-1] = self.samples[-1]._replace(
                node=a, weight=b | c << 32, time=d)
        elif kind == NAME:
            self.names[d] = text
        elif kind == STAT:
            self.stats[STATS[a]] = d
        elif kind == COUNT:
            self.counts[a, b] = d
        elif kind == END:
            self.ended = True

    def module(self, sample):
        """The path that its own place is in, "" where none is known."""
        node = self.nodes[sample.node] if sample.node else None
        return self.modules[node.module] if node and node.module else ""

    def depth(self, sample):
        n, depth = sample.node, 0
        while n:
            n, depth = self.nodes[n].caller, depth + 1
        return depth

    def is_cut(self, sample):
        n = sample.node
        while n:
            if self.nodes[n].flags & 8:
                return True
            n = self.nodes[n].caller
        return False


def of_another_boot(data):
    """Return the file as if it were of a kernel that is gone."""
    places = [24 * n + i for n in range(1, len(data) // 24)
              for i in (*range(12), *range(16, 24))][:4096]
    text = bytes(data[i] for i in places)
    at = text.index(b"boot_id=") + len("boot_id=")
    out = bytearray(data)
    out[places[at]] = ord("1" if text[at:at + 1] == b"0" else "0")
    return bytes(out)


def read(path):
    with open(path, "rb") as f:
        return Out(f.read())
