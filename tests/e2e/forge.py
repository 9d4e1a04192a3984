# Context: O.  Profiles that no program here would leave: of one that was left,
# with other records behind its own (doc/format.md).
import struct
import time

HEADER, UNIT, CLOSED = 4096, 16, 1
AT = {"cap": 24, "birth_real": 32, "pid": 48, "start_ticks": 72, "state": 512,
      "end": 516, "end_real": 528, "used": 768, "modules": 1024,
      "threads": 1028, "arcs": 1032, "sample_ns": 1192}


class Forge:
    """The bytes of the profile at `path`, to be added to and saved."""

    def __init__(self, path):
        with open(path, "rb") as f:
            self.bytes = bytearray(f.read())
        used = self.get("used", "<Q") & ~CLOSED
        del self.bytes[used:]

    def get(self, field, form="<I"):
        return struct.unpack_from(form, self.bytes, AT[field])[0]

    def put(self, field, value, form="<I"):
        struct.pack_into(form, self.bytes, AT[field], value)

    def add(self, record):
        """Its index."""
        index = len(self.bytes) // UNIT
        self.bytes += record + bytes(-len(record) % UNIT)
        return index

    def places(self, path, places):
        """A thread, alone in the file, that was at each of these addresses of
        a module: {address: (count, ns)}."""
        text = self.add(struct.pack("<I", len(path)) + path.encode())
        module = self.add(struct.pack(
            "<IIQQQQQQQII32sQ", 0, text, 1 << 40, 2 << 40, 1 << 40, 0, 0, 0,
            0, 0, 32, bytes(range(1, 33)), 0))
        node = "<IIIIQIIQQ"
        root = self.add(struct.pack(node, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        last = 0
        for address, (count, ns) in places.items():
            last = self.add(struct.pack(node, root, 0, last, module, address,
                                        1, 0, count, ns))
        struct.pack_into("<I", self.bytes, root * UNIT + 4, last)
        ticks = sum(count for count, _ in places.values())
        ns = sum(ns for _, ns in places.values())
        thread = self.add(struct.pack(
            "<IIII16sQQQQQQIIIIQQ", 0, root, self.get("pid"), 1, b"forged", 1,
            2, ns, 0, 0, 0, 1, 0, 0, 0, ticks, 1))
        self.put("modules", module)
        self.put("threads", thread)
        self.put("arcs", 0)
        # Samples of the profile that was there may stand for more than its
        # CPU time, by chance, and are scaled to it then.
        self.put("sample_ns", 0, "<Q")

    def save(self, path):
        self.put("used", len(self.bytes) | CLOSED, "<Q")
        self.put("cap", max(len(self.bytes), 1 << 20), "<Q")
        self.put("end_real", time.time_ns(), "<Q")
        with open(path, "wb") as f:
            f.write(self.bytes)
