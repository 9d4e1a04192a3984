/* Context: O.  The code of one function: its instructions and their lines. */
#include "code.h"

#include "disasm.h"
#include "grow.h"
#include "symbolise.h"

#include <stdio.h>
#include <string.h>

#define FIRST	4096u		/* bytes looked at for a function's end ... */
#define MOST	(1u << 22)	/* ... and no more than this */

/* Addresses from the function's start on that are in it; *size of them. */
static int
find_end(const struct object_ref *ref, uint64_t start, struct symbol **asked,
    size_t *size, struct code *c, struct lines *lines)
{
	for (size_t room = FIRST;; room *= 8) {
		struct symbol *own = calloc(room, sizeof(*own));
		const char *debug;
		int ret;

		if (own == NULL)
			return -ENOMEM;
		for (size_t i = 0; i < room; i++)
			own[i].address = start + i;
		ret = object_resolve(ref, own, room, &c->arena, &c->state,
		    &debug, lines);
		for (*size = 0; ret == 0 && *size < room &&
		    own[*size].start == start && own[*size].name != NULL;
		    ++*size)
			;
		if (ret == 0 && (*size < room || room >= MOST)) {
			*asked = own;
			return 0;
		}
		free(own);
		lines_free(lines);
		if (ret != 0)
			return ret;
	}
}

static int
add(struct code *c, uint64_t address, size_t bytes, const char *text,
    const struct lines *lines, size_t at)
{
	const struct lines_place *p = at < lines->count ? &lines->places[at] :
	    NULL;
	struct code_instruction own = { .address = address,
		.bytes = (uint32_t)bytes };

	if (p != NULL && p->count != 0) {
		own.file = lines->frames[p->first].file;
		own.line = lines->frames[p->first].line;
	}
	own.text = arena_copy(&c->arena, text, strlen(text));
	if (own.text == NULL || grow(&c->all, c->count, &c->room,
	    sizeof(*c->all)) != 0)
		return -ENOMEM;
	c->all[c->count++] = own;
	return 0;
}

static int
take_apart(struct code *c, const struct object_code *o, uint64_t start,
    const struct lines *lines)
{
	struct disasm *d = disasm_open(o->machine);
	char text[DISASM_TEXT];
	size_t at = 0;
	int ret = 0;

	c->disassembled = d != NULL;
	while (at < o->size && ret == 0) {
		size_t bytes = d == NULL ? 0 : disasm_next(d, o->bytes + at,
		    o->size - at, start + at, text);

		if (bytes == 0) {
			snprintf(text, sizeof(text), ".byte 0x%02x",
			    o->bytes[at]);
			bytes = 1;
		}
		ret = add(c, start + at, bytes, d != NULL ? text : "", lines,
		    at);
		at += bytes;
	}
	disasm_close(d);
	return ret;
}

int
code_read(struct code *c, const struct model *m, uint32_t function)
{
	const struct model_function *f = &m->functions[function];
	struct object_ref ref;
	struct object_code bytes = { .bytes = NULL };
	struct symbol *asked = NULL;
	struct lines lines = { .places = NULL };
	size_t size;
	int ret;

	memset(c, 0, sizeof(*c));
	c->state = OBJECT_MISSING;
	if (!f->named || !symbolise_ref(m, f->module, &ref))
		return 0;
	ret = find_end(&ref, f->start, &asked, &size, c, &lines);
	if (ret == 0 && size != 0)
		ret = object_read_code(&ref, f->start, size, &bytes);
	if (ret == 0 && bytes.size != 0)
		ret = take_apart(c, &bytes, f->start, &lines);
	free(bytes.bytes);
	free(asked);
	lines_free(&lines);
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
code_free(struct code *c)
{
	free(c->all);
	arena_free(&c->arena);
	memset(c, 0, sizeof(*c));
}
