/*
 * Context: P.  Writes the records of a tprof.out, and reads it with every index
 * checked, for the sampler, the model and reports; see tprof.h.
 */
#include "classic/tprof.h"

#include "bytes.h"
#include "hex.h"

#include <errno.h>

static const char *const stat_names[TPROF_STATS] = {
	[TPROF_S_SAMPLE] = "sample",
	[TPROF_S_OVERFLOW] = "overflow",
	[TPROF_S_BUF] = "buf",
	[TPROF_S_EMPTYBUF] = "emptybuf",
	[TPROF_S_DROPBUF] = "dropbuf",
	[TPROF_S_DROPBUF_SAMPLES] = "dropbuf_samples",
};

const char *
tprof_stat_name(unsigned stat)
{
	return stat < TPROF_STATS ? stat_names[stat] : NULL;
}

void
tprof_put_record(unsigned char *to, const struct tprof_record *r)
{
	to = bytes_put(to, r->pid, 4);
	to = bytes_put(to, r->lwp, 4);
	to = bytes_put(to, r->cpu, 4);
	to = bytes_put(to, r->flags, 4);
	bytes_put(to, r->pc, 8);
}

/*
 * Returns the place of byte `i` of a text in its note: texts lie around the
 * flags.
 */
static uint32_t
text_place(uint32_t i)
{
	return i < 12 ? i : i + 4;
}

void
tprof_put_text(unsigned char *to, const char *text, uint32_t bytes)
{
	const struct tprof_record empty = {
		.flags = TPROF_F_NOTE |
		    (uint32_t)TPROF_N_TEXT << TPROF_KIND_SHIFT,
	};

	tprof_put_record(to, &empty);
	for (uint32_t i = 0; i < bytes && i < TPROF_TEXT_EACH; i++)
		to[text_place(i)] = (unsigned char)text[i];
}

/* A text that is written into bounded room; `used` may exceed `bytes`. */
struct text_encoder {
	char *to;
	size_t bytes, used;
};

static void
put_char(struct text_encoder *p, char c)
{
	if (p->used < p->bytes)
		p->to[p->used] = c;
	p->used++;
}

static void
put_number(struct text_encoder *p, uint64_t n)
{
	char digits[20];
	unsigned count = 0;

	do
		digits[count++] = (char)('0' + n % 10);
	while ((n /= 10) != 0);
	while (count > 0)
		put_char(p, digits[--count]);
	put_char(p, ' ');
}

size_t
tprof_module_put(const struct tprof_module *m, char *to, size_t bytes)
{
	char id[2 * sizeof(m->build_id) + 1];
	struct text_encoder p = { to, bytes, 0 };

	hex_put(id, m->build_id, m->build_id_bytes);
	for (const char *at = id; *at != '\0'; at++)
		put_char(&p, *at);
	if (m->build_id_bytes == 0)
		put_char(&p, '-');
	put_char(&p, ' ');
	put_number(&p, m->device);
	put_number(&p, m->inode);
	put_number(&p, m->seen);
	for (uint32_t i = 0; i < m->path_bytes; i++)
		put_char(&p, m->path[i]);
	return p.used;
}

/* The rest of a text that is being parsed. */
struct text_decoder {
	const char *at, *end;
};

static unsigned
hex_digit(char c)
{
	return c >= '0' && c <= '9' ? (unsigned)(c - '0') :
	    c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

/* Parses a build-id or "-".  Returns false if it is neither. */
static bool
get_build_id(struct text_decoder *g, struct tprof_module *m)
{
	m->build_id_bytes = 0;
	if (g->at < g->end && *g->at == '-') {
		g->at++;
		return true;
	}
	while (g->end - g->at >= 2 && *g->at != ' ') {
		const unsigned high = hex_digit(g->at[0]);
		const unsigned low = hex_digit(g->at[1]);

		if (high > 15 || low > 15 ||
		    m->build_id_bytes == sizeof(m->build_id))
			return false;
		m->build_id[m->build_id_bytes++] =
		    (uint8_t)(high << 4 | low);
		g->at += 2;
	}
	return m->build_id_bytes != 0;
}

/* Parses a blank and a number.  Returns false if there is none. */
static bool
get_number(struct text_decoder *g, uint64_t *n)
{
	if (g->end - g->at < 2 || *g->at++ != ' ')
		return false;
	for (*n = 0; g->at < g->end && *g->at >= '0' && *g->at <= '9';
	    g->at++) {
		const uint64_t digit = (uint64_t)(*g->at - '0');

		if (*n > (UINT64_MAX - digit) / 10)
			return false;
		*n = *n * 10 + digit;
	}
	return g->at[-1] != ' ';
}

bool
tprof_module_get(struct tprof_module *m, const char *text, size_t bytes)
{
	struct text_decoder g = { text, text + bytes };

	if (!get_build_id(&g, m) || !get_number(&g, &m->device) ||
	    !get_number(&g, &m->inode) || !get_number(&g, &m->seen) ||
	    g.end - g.at < 2 || *g.at++ != ' ')
		return false;
	m->path = g.at;
	m->path_bytes = (uint32_t)(g.end - g.at);
	return true;
}

static struct bytes
all_of(const unsigned char *bytes, size_t size)
{
	return (struct bytes) { .at = bytes, .size = size };
}

static struct tprof_record
record_at(const unsigned char *at)
{
	const struct bytes b = all_of(at, TPROF_RECORD);

	return (struct tprof_record) {
		.pid = (uint32_t)bytes_get(&b, 0, 4),
		.lwp = (uint32_t)bytes_get(&b, 4, 4),
		.cpu = (uint32_t)bytes_get(&b, 8, 4),
		.flags = (uint32_t)bytes_get(&b, 12, 4),
		.pc = bytes_get(&b, 16, 8),
	};
}

static bool
is_note(const struct tprof_record *r, enum tprof_kind kind)
{
	return (r->flags & TPROF_F_NOTE) != 0 && tprof_kind(r->flags) == kind;
}

bool
tprof_is(const unsigned char *bytes, size_t size)
{
	struct tprof_record r;

	if (size < TPROF_RECORD)
		return false;
	r = record_at(bytes);
	return is_note(&r, TPROF_N_HEAD) && r.pid == TPROF_MAGIC;
}

/*
 * Returns whether all records may be NetBSD's, which sets in the flags only one
 * bit and the number of the counter.
 */
static bool
is_netbsd(const unsigned char *bytes, size_t size)
{
	for (size_t at = 0; size - at >= TPROF_RECORD; at += TPROF_RECORD)
		if ((record_at(bytes + at).flags & 0x00fffffeu) != 0)
			return false;
	return size >= TPROF_RECORD;
}

/*
 * Returns whether all values may be program counters.  NetBSD 5 sampled only
 * the kernel, which lies in the upper half of the addresses.
 */
static bool
is_counters(const unsigned char *bytes, size_t size)
{
	const struct bytes b = all_of(bytes, size);

	for (size_t at = 0; size - at >= 8; at += 8)
		if (bytes_get(&b, at, 8) >> 63 == 0)
			return false;
	return true;
}

int
tprof_open(struct tprof_reader *r, const unsigned char *bytes, size_t size,
    struct fault *f)
{
	*r = (struct tprof_reader) { .bytes = bytes, .size = size };
	if (size < 8)
		return fault_set(f, "has no samples", FAULT_NO_OFFSET, 0);
	if (!tprof_is(bytes, size)) {
		r->layout = is_netbsd(bytes, size) ? TPROF_NETBSD :
		    TPROF_COUNTERS;
		if (r->layout == TPROF_NETBSD || is_counters(bytes, size))
			return 0;
		fault_set(f, "is not a file of tprof", FAULT_NO_OFFSET, 0);
		f->remedy = "tprof monitor writes one";
		return -EINVAL;
	}
	if (record_at(bytes).lwp != TPROF_VERSION) {
		fault_set(f, "is a tprof.out of another version", 4, 0);
		f->remedy = "read it by the tprof that wrote it";
		return -EINVAL;
	}
	return 0;
}

static bool
has_text(uint32_t kind)
{
	return kind == TPROF_N_HEAD || kind == TPROF_N_EVENT ||
	    kind == TPROF_N_PROCESS || kind == TPROF_N_THREAD ||
	    kind == TPROF_N_MODULE || kind == TPROF_N_NAME ||
	    kind == TPROF_N_LOSS;
}

/*
 * Reads the text of a note, whose records start at r->at.  Returns 1, 0 if the
 * file ends in it, or -EINVAL.
 */
static int
take_text(struct tprof_reader *r, struct tprof_item *item, struct fault *f)
{
	const uint32_t bytes = item->n.c;

	item->text = item->room;
	item->text_bytes = 0;
	if (bytes > TPROF_TEXT_MAX)
		return fault_set(f, "a text is too long", item->offset, 0);
	while (item->text_bytes < bytes) {
		struct tprof_record own;

		if (r->size - r->at < TPROF_RECORD) {
			r->cut = true;
			return 0;
		}
		own = record_at(r->bytes + r->at);
		if (!is_note(&own, TPROF_N_TEXT))
			return fault_set(f, "a text ends too early", r->at,
			    0);
		for (uint32_t i = 0; i < TPROF_TEXT_EACH &&
		    item->text_bytes < bytes; i++)
			item->room[item->text_bytes++] =
			    (char)r->bytes[r->at + text_place(i)];
		r->at += TPROF_RECORD;
	}
	item->room[bytes] = '\0';
	return 1;
}

/*
 * Checks the number of a note and the numbers that it refers to.  Returns 1 or
 * -EINVAL.
 */
static int
check_note(struct tprof_reader *r, const struct tprof_item *item,
    struct fault *f)
{
	const struct tprof_note *n = &item->n;

	switch (tprof_kind(n->flags)) {
	case TPROF_N_EVENT:
	case TPROF_N_COUNT:
		return n->a < TPROF_EVENTS ? 1 : fault_set(f,
		    "an event has a number that is too large", item->offset,
		    0);
	case TPROF_N_MODULE:
		return n->a == ++r->modules && r->modules != 0 ? 1 :
		    fault_set(f, "modules are out of order", item->offset, 0);
	case TPROF_N_NODE:
		if (n->a > r->nodes || n->b > r->modules ||
		    r->nodes == UINT32_MAX)
			return fault_set(f, "a node names a caller or a module "
			    "that does not exist", item->offset, 0);
		r->nodes++;
		return 1;
	case TPROF_N_PLACE:
		return n->a <= r->nodes ? 1 : fault_set(f,
		    "a place names a node that does not "
		    "exist", item->offset, 0);
	default:
		return 1;
	}
}

/* Reads a program counter of NetBSD 5 as a sample.  Returns 1. */
static int
next_counter(struct tprof_reader *r, struct tprof_item *item)
{
	const struct bytes b = all_of(r->bytes, r->size);

	item->note = false;
	item->offset = r->at;
	item->sample = (struct tprof_record) {
		.cpu = TPROF_CPU_UNKNOWN, .pc = bytes_get(&b, r->at, 8),
	};
	/* NetBSD 5 sampled only the kernel. */
	item->sample.flags = TPROF_F_KERNEL;
	r->at += 8;
	return 1;
}

int
tprof_next(struct tprof_reader *r, struct tprof_item *item, struct fault *f)
{
	const size_t each = r->layout == TPROF_COUNTERS ? 8 : TPROF_RECORD;
	int ret;

	if (r->size - r->at < each) {
		r->cut |= r->size != r->at;
		return 0;
	}
	if (r->layout == TPROF_COUNTERS)
		return next_counter(r, item);
	item->offset = r->at;
	item->text = NULL;
	item->text_bytes = 0;
	item->sample = record_at(r->bytes + r->at);
	item->note = r->layout == TPROF_OURS &&
	    (item->sample.flags & TPROF_F_NOTE) != 0;
	r->at += TPROF_RECORD;
	if (!item->note)
		return 1;
	item->n = (struct tprof_note) {
		.a = item->sample.pid, .b = item->sample.lwp,
		.c = item->sample.cpu, .flags = item->sample.flags,
		.d = item->sample.pc,
	};
	r->ended |= tprof_kind(item->n.flags) == TPROF_N_END;
	ret = has_text(tprof_kind(item->n.flags)) ? take_text(r, item, f) : 1;
	return ret == 1 ? check_note(r, item, f) : ret;
}
