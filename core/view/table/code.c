/*
 * Context: O.  Reads the code of functions, for annotated code and the page.
 * The end of a function is found by resolving the address of each byte after
 * its start, in rounds of growing size, until another function begins; then its
 * bytes are disassembled.
 */
#include "table/code.h"

#include "base/compare.h"
#include "code/disasm.h"
#include "names/symbolize.h"
#include "base/vector.h"

#include <stdio.h>
#include <string.h>

/* bytes that the first round resolves for each function */
#define FIRST_BYTES	4096u

/* bytes that a round resolves at most, for all functions together */
#define BYTES_MAX	(1u << 22)

/* A function whose end is searched. */
struct span {
	struct code *code;
	uint64_t start;
	uint64_t limit;	/* start of the next function that is asked for */
	/* bytes resolved, and how many of them belong to the function */
	size_t asked, size;
	bool ended;
};

/* State of code_read(). */
struct reading {
	struct code_set *codes;
	struct object_ref ref;
	struct span *spans;	/* ascending */
	size_t count;
	struct symbol *asked;	/* bytes of all spans that have not ended */
	size_t asked_count;
	struct lines lines;
};

/* Adds an instruction; `at` is the index of its first byte in r->asked. */
static int
add_instruction(struct reading *r, struct code *c, uint64_t address,
    size_t bytes, const char *text, size_t at)
{
	const struct lines *lines = &r->lines;
	const struct lines_place *p = at < lines->count ? &lines->places[at] :
	    NULL;
	struct code_instruction own = { .address = address,
		.bytes = (uint32_t)bytes };

	if (p != NULL && p->count != 0) {
		own.file = lines->frames[p->first].file;
		own.line = lines->frames[p->first].line;
	}
	own.text = arena_copy(&r->codes->arena, text, strlen(text));
	if (own.text == NULL || vector_grow(&c->all, c->count, &c->room,
	    sizeof(*c->all)) != 0)
		return -ENOMEM;
	c->all[c->count++] = own;
	return 0;
}

/*
 * Adds the instructions of a span, whose bytes are *o and whose symbols begin
 * at r->asked[first].  Without a disassembler each byte is one.
 */
static int
disassemble_span(struct reading *r, const struct span *s,
    const struct object_code *o, size_t first)
{
	struct code *c = s->code;
	struct disasm *d = disasm_open(o->machine);
	char text[DISASM_TEXT];
	size_t at = 0;
	int ret = 0;

	c->disassembled = d != NULL;
	while (at < o->size && ret == 0) {
		size_t bytes = d == NULL ? 0 : disasm_next(d, o->bytes + at,
		    o->size - at, s->start + at, text);

		if (bytes == 0) {
			snprintf(text, sizeof(text), ".byte 0x%02x",
			    o->bytes[at]);
			bytes = 1;
		}
		ret = add_instruction(r, c, s->start + at, bytes, d != NULL ?
		    text : "", first + at);
		at += bytes;
	}
	disasm_close(d);
	return ret;
}

/*
 * Finds the end of a span in the symbols that were resolved, of which its own
 * begin at `first`, and disassembles the span if it has ended.
 */
static int
find_span_end(struct reading *r, struct span *s, size_t first, size_t room)
{
	const struct symbol *own = r->asked + first;
	struct object_code bytes = { 0 };
	int ret = 0;

	for (s->size = 0; s->size < s->asked &&
	    own[s->size].start == s->start && own[s->size].name != NULL;
	    s->size++)
		;
	s->ended = s->size < s->asked || s->asked < room || room == BYTES_MAX;
	if (s->ended && s->size != 0)
		ret = object_read_code(&r->ref, s->start, s->size, &bytes);
	if (ret == 0 && bytes.size != 0)
		ret = disassemble_span(r, s, &bytes, first);
	free(bytes.bytes);
	return ret;
}

/*
 * Makes r->asked: up to `room` bytes of each span that has not ended, from span
 * `begin` on, as many spans as fit in BYTES_MAX.  Sets *end to the first span
 * left out.  Addresses are asked for once, as spans do not overlap.
 */
static int
request_addresses(struct reading *r, size_t room, size_t begin, size_t *end)
{
	size_t n = 0, i;

	for (i = begin; i < r->count && n <= BYTES_MAX - room; i++) {
		struct span *s = &r->spans[i];

		s->asked = s->ended ? 0 : s->limit - s->start < room ?
		    (size_t)(s->limit - s->start) : room;
		n += s->asked;
	}
	*end = i;
	r->asked_count = n;
	r->asked = calloc(n + 1, sizeof(*r->asked));
	if (r->asked == NULL)
		return -ENOMEM;
	n = 0;
	for (i = begin; i < *end; i++)
		for (size_t k = 0; k < r->spans[i].asked; k++)
			r->asked[n++].address = r->spans[i].start + k;
	return 0;
}

/*
 * Resolves up to `room` bytes of each span that has not ended, from span *at
 * on; sets *at to the first span left out.
 */
static int
resolve_spans(struct reading *r, size_t room, size_t *at)
{
	const size_t begin = *at;
	enum object_state state = OBJECT_MISSING;
	const char *debug;
	size_t first = 0;
	int ret = request_addresses(r, room, begin, at);

	if (ret == 0 && r->asked_count != 0)
		ret = object_resolve(&r->ref, r->asked, r->asked_count,
		    &r->codes->arena, &state, &debug, &r->lines);
	for (size_t i = begin; i < *at && ret == 0; i++) {
		struct span *s = &r->spans[i];

		if (s->ended)
			continue;
		s->code->state = state;
		ret = find_span_end(r, s, first, room);
		first += s->asked;
	}
	free(r->asked);
	lines_free(&r->lines);
	return ret;
}

static int
compare_code_spans(const void *left, const void *right)
{
	const struct span *a = left, *b = right;

	return compare_u64(a->start, b->start);
}

/*
 * Reads all spans: resolves addresses from the start of each one on, until they
 * are in another function.
 */
static int
read_all_spans(struct reading *r)
{
	int ret = 0;

	if (r->count > 1)
		qsort(r->spans, r->count, sizeof(*r->spans),
		    compare_code_spans);
	for (size_t i = 0; i < r->count; i++)
		r->spans[i].limit = i + 1 < r->count ? r->spans[i + 1].start :
		    UINT64_MAX;
	for (size_t room = FIRST_BYTES;; room = room < BYTES_MAX / 8 ?
	    room * 8 : BYTES_MAX) {
		for (size_t at = 0; at < r->count && ret == 0;)
			ret = resolve_spans(r, room, &at);
		if (ret != 0 || room == BYTES_MAX)
			return ret;
	}
}

int
code_read(struct code_set *c, const struct model *m, uint32_t module,
    const uint32_t *functions, size_t count)
{
	struct reading r = { .codes = c };
	int ret = 0;

	memset(c, 0, sizeof(*c));
	c->all = calloc(count + 1, sizeof(*c->all));
	c->count = c->all == NULL ? 0 : count;
	r.spans = calloc(count + 1, sizeof(*r.spans));
	if (c->all == NULL || r.spans == NULL)
		ret = -ENOMEM;
	for (size_t i = 0; i < count && ret == 0; i++) {
		const struct model_function *f = &m->functions[functions[i]];

		c->all[i].state = OBJECT_MISSING;
		if (f->named)
			r.spans[r.count++] = (struct span) {
				.code = &c->all[i], .start = f->start,
			};
	}
	if (ret == 0 && symbolize_ref(m, module, &r.ref))
		ret = read_all_spans(&r);
	free(r.spans);
	return ret;
}

size_t
code_at(const struct code *c, uint64_t address)
{
	size_t low = 0, high = c->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (c->all[middle].address + c->all[middle].bytes <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < c->count && c->all[low].address <= address ? low :
	    c->count;
}

void
code_free(struct code_set *c)
{
	for (size_t i = 0; i < c->count; i++)
		free(c->all[i].all);
	free(c->all);
	arena_free(&c->arena);
	memset(c, 0, sizeof(*c));
}
