/* Context: O.  A built profile, decoded from a tail copy. */
#include "opened.h"

#include "tail.h"

#include <criterion/criterion.h>

void
opened_part(struct opened *o, struct build *b, size_t size)
{
	*o = (struct opened){.size = size};
	o->copy = tail_copy(b->bytes, size);
	o->error = decode_open(&o->d, o->copy, size, &o->f);
}

void
opened_whole(struct opened *o, struct build *b)
{
	opened_part(o, b, build_size(b));
}

void
opened_fini(struct opened *o)
{
	if (o->error == 0)
		decode_close(&o->d);
	tail_free(o->copy, o->size);
}

/* Reads each byte of the text, so that one outside the copy faults. */
static int
touch(struct opened *o, uint32_t index)
{
	volatile char byte = 0;
	uint32_t length;
	const char *text = decode_text(&o->d, index, &length, &o->f);

	if (text == NULL)
		return -1;
	for (uint32_t i = 0; i < length; i++)
		byte = text[i];
	(void)byte;
	return 0;
}

struct opened_scan {
	struct opened *o;
	uint64_t records;
};

static int
count(void *arg, uint32_t index, const struct format_node *n)
{
	struct opened_scan *w = arg;

	cr_assert_gt(index, n->parent);
	w->records++;
	return 0;
}

static int
count_arc(void *arg, uint32_t index, const struct format_arc *a)
{
	struct opened_scan *w = arg;

	(void)index;
	cr_assert_neq(a->self, 0);
	w->records++;
	return 0;
}

int
opened_walk(struct opened *o)
{
	const struct format_header *h = &o->d.header;
	const uint32_t texts[] = {h->exe, h->cmdline, h->host, h->options};
	struct opened_scan w = {.o = o};
	struct format_module m;
	struct format_thread t;
	uint32_t at = 0;
	int got;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (touch(o, texts[i]) != 0)
			return -1;
	while ((got = decode_module(&o->d, &at, &m, &o->f)) == 1) {
		w.records++;
		if (touch(o, m.path) != 0)
			return -1;
	}
	if (got != 0)
		return got;
	at = 0;
	while ((got = decode_thread(&o->d, &at, &t, &o->f)) == 1) {
		w.records++;
		got = decode_tree(&o->d, t.root, count, &w, &o->f);
		if (got != 0)
			return got;
	}
	if (got == 0)
		got = decode_arcs(&o->d, count_arc, &w, &o->f);
	/* An arc is the least of them. */
	cr_assert_leq(w.records, o->size / sizeof(struct format_arc));
	return got;
}

void
opened_refuses(struct build *b, const char *what, uint64_t offset)
{
	struct opened o;
	int error;

	opened_whole(&o, b);
	error = o.error != 0 ? o.error : opened_walk(&o);
	cr_expect_lt(error, 0, "accepted, want: %s", what);
	cr_expect_str_eq(o.f.what != NULL ? o.f.what : "", what);
	cr_expect_eq(o.f.offset, offset, "%s: offset %#jx, want %#jx", what,
	    (uintmax_t)o.f.offset, (uintmax_t)offset);
	cr_expect_eq(o.f.errnum, 0);
	opened_fini(&o);
}

void
opened_cuts(struct build *b, uint64_t cuts)
{
	struct opened o;

	opened_whole(&o, b);
	cr_assert_eq(o.error, 0, "refused: %s", o.f.what);
	cr_expect_eq(opened_walk(&o), 0, "fault: %s", o.f.what);
	cr_expect_eq(o.d.cut, cuts, "%ju cuts, want %ju",
	    (uintmax_t)o.d.cut, (uintmax_t)cuts);
	opened_fini(&o);
}
