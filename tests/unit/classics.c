/* Context: O.  Files of classic profilers, byte by byte, for tests. */
#include "classics.h"

#include "tail.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[65536];

void
classics_init(struct classics *k, bool wide, bool big)
{
	memset(k, 0, sizeof(*k));
	k->wide = wide;
	k->big = big;
}

void
classics_text(struct classics *k, const void *from, size_t bytes)
{
	if (bytes > sizeof(k->bytes) - k->size)
		abort();
	memcpy(k->bytes + k->size, from, bytes);
	k->size += bytes;
}

void
classics_put(struct classics *k, uint64_t value, unsigned width)
{
	unsigned char b[8];

	for (unsigned i = 0; i < width; i++)
		b[k->big ? width - 1 - i : i] = (unsigned char)(value >> 8 * i);
	classics_text(k, b, width);
}

void
classics_zero(struct classics *k, size_t bytes)
{
	while (bytes-- > 0)
		classics_put(k, 0, 1);
}

void
classics_word(struct classics *k, uint64_t value)
{
	classics_put(k, value, k->wide ? 8 : 4);
}

static void
bins(struct classics *k)
{
	for (unsigned i = 0; i < 16; i++)
		classics_put(k, i == 1 ? 5 : i == 14 ? 7 : 0, 2);
}

/* Writes the data behind the tag. */
static void
hist(struct classics *k, uint64_t low)
{
	classics_word(k, low);
	classics_word(k, low + 64);
	classics_put(k, 16, 4);
	classics_put(k, 100, 4);
	classics_text(k, "seconds\0\0\0\0\0\0\0\0s", 16);
	bins(k);
}

void
classics_gmon(struct classics *k, uint64_t low)
{
	classics_text(k, "gmon", 4);
	classics_put(k, 1, 4);
	classics_zero(k, 12);
	classics_put(k, 0, 1);
	hist(k, low);
	classics_put(k, 1, 1);
	classics_word(k, low + 16);
	classics_word(k, low + 32);
	classics_put(k, 3, 4);
}

/* Room for two arcs, of which one is in use and a second one from outside. */
void
classics_sprof(struct classics *k, uint64_t low)
{
	classics_text(k, "gmon", 4);
	classics_put(k, 0x1ffff, 4);
	classics_zero(k, 12);
	classics_put(k, 0, 4);
	hist(k, low);
	classics_put(k, 1, 4);
	classics_put(k, 2, 4);
	classics_word(k, 16);
	classics_word(k, 32);
	classics_put(k, 3, 4);
	classics_word(k, 0);
	classics_word(k, 48);
	classics_put(k, 9, 4);
	classics_zero(k, 60);
}

static void
bsd_rest(struct classics *k, uint64_t low)
{
	bins(k);
	classics_word(k, low + 16);
	classics_word(k, low + 32);
	classics_word(k, 3);
}

void
classics_bsd(struct classics *k, uint64_t low)
{
	classics_word(k, low);
	classics_word(k, low + 64);
	classics_put(k, (k->wide ? 40 : 32) + 32, 4);
	classics_put(k, 0x51879, 4);
	classics_put(k, 100, 4);
	classics_zero(k, 12);
	bsd_rest(k, low);
}

void
classics_bsd_old(struct classics *k, uint64_t low)
{
	classics_word(k, low);
	classics_word(k, low + 64);
	classics_put(k, (k->wide ? 24 : 12) + 32, 4);
	classics_zero(k, k->wide ? 4 : 0);
	bsd_rest(k, low);
}

void
classics_monout(struct classics *k, uint64_t low)
{
	classics_word(k, low);
	classics_word(k, low + 64);
	classics_word(k, 2);
	classics_word(k, low + 33);
	classics_word(k, 3);
	classics_word(k, 0);
	classics_word(k, 0);
	bins(k);
}

/* Two modules; two callers of one function, one of another; four samples. */
void
classics_prof(struct classics *k, uint64_t low)
{
	static const char paths[] = "/none/prog\0/none/lib.so";

	classics_put(k, 0x50524f46, 4);
	classics_put(k, 1, 2);
	classics_put(k, 0, 2);
	classics_put(k, 16, 8);
	classics_put(k, 3, 4);			/* modules */
	classics_put(k, 1, 4);
	classics_put(k, 24 + 2 * 32 + 24, 8);
	classics_put(k, 24, 8);
	classics_put(k, 56, 8);
	classics_put(k, 88, 8);
	classics_put(k, low, 8);
	classics_put(k, low + 0x1000, 8);
	classics_put(k, 0, 8);
	classics_put(k, 99, 8);
	classics_put(k, low + 0x1000, 8);
	classics_put(k, low + 0x2000, 8);
	classics_text(k, paths, sizeof(paths));
	classics_put(k, 2, 4);			/* calls */
	classics_put(k, 1, 4);
	classics_put(k, 24 + 3 * 48, 8);
	classics_put(k, 24, 8);
	for (unsigned i = 0; i < 3; i++) {
		classics_put(k, i == 0 ? 24 + 96 : 0, 8);
		classics_put(k, i == 0 ? 24 + 48 : 0, 8);
		classics_put(k, low + (i == 1 ? 0x1010 : 0x10), 8);
		classics_put(k, low + (i == 2 ? 0x1030 : 0x20), 8);
		classics_put(k, 3 + i, 8);
		classics_put(k, 0, 8);
	}
	classics_put(k, UINT32_MAX, 4);		/* nothing */
	classics_put(k, 1, 4);
	classics_put(k, 16, 8);
	classics_put(k, 1, 4);			/* samples */
	classics_put(k, 1, 4);
	classics_put(k, 32 + 4 * 8, 8);
	classics_put(k, 32, 8);
	classics_put(k, 4, 8);
	classics_put(k, low + 0x24, 8);
	classics_put(k, low + 0x24, 8);
	classics_put(k, low + 0x1034, 8);
	classics_put(k, 0x10, 8);
}

static void
say(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void
say(const char *format, ...)
{
	size_t used = strlen(text);
	va_list args;

	va_start(args, format);
	vsnprintf(text + used, sizeof(text) - used, format, args);
	va_end(args);
}

static int
on_bin(void *arg, const struct classic_bin *b)
{
	(void)arg;
	say("%" PRIx64 "-%" PRIx64 " %" PRIu64 " at %" PRIu64 " of %" PRIu32
	    "\n", b->low, b->high, b->count, b->offset, b->rate);
	return 0;
}

static int
on_arc(void *arg, const struct classic_arc *a)
{
	(void)arg;
	if (a->caller)
		say("%" PRIx64 "%s", a->from, a->outside ? "?" : "");
	say("->%" PRIx64 "%s %" PRIu64 " at %" PRIu64 "\n", a->self,
	    a->elsewhere ? "?" : "", a->count, a->offset);
	return 0;
}

static int
on_module(void *arg, const struct classic_module *m)
{
	(void)arg;
	say("%.*s %" PRIx64 "-%" PRIx64 "\n", (int)m->path_bytes, m->path,
	    m->start, m->end);
	return 0;
}

const char *
classics_read(const struct classics *k, struct classic *c, struct fault *f)
{
	const struct classic_sink sink = {
		.bin = on_bin, .arc = on_arc, .module = on_module,
	};
	unsigned char *copy = tail_copy(k->bytes, k->size);
	int ret;

	memset(f, 0, sizeof(*f));
	text[0] = '\0';
	ret = classic_open(c, copy, k->size,
	    &(struct classic_program) { .wide = true }, f);
	if (ret == 0 && classic_read(c, &sink, f) != 0)
		abort();	/* the open has checked it */
	tail_free(copy, k->size);
	return ret == 0 ? text : NULL;
}

void
classics_hurt(const struct classics *k)
{
	struct classics own = *k;
	struct classic c;
	struct fault f;

	for (; own.size > 0; own.size--)
		if (classics_read(&own, &c, &f) == NULL && f.what != NULL &&
		    f.offset > own.size)
			abort();
	for (size_t i = 0; i < k->size; i++)
		for (unsigned value = 0; value < 256; value += 51) {
			own = *k;
			own.bytes[i] = (unsigned char)value;
			if (classics_read(&own, &c, &f) == NULL &&
			    f.what != NULL && f.offset > own.size)
				abort();
		}
}
