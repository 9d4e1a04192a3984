/*
 * Context: O.  Tells known blocks from leaks, for the section of leaks of
 * heap_summary.c; see heap_known.h.
 */
#include "heap/heap_known.h"

#include "base/plural.h"
#include "base/quantity.h"
#include "derive/module_origin.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static enum module_origin
origin_of(const struct model *m, uint32_t module)
{
	return module_origin_find(&m->modules[module]);
}

/*
 * Returns the kind of a row; HEAP_KNOWN_KINDS if it is not known.  The dynamic
 * linker calls nothing in libstdc++ but the constructors of the library.
 */
static enum heap_known_kind
kind_of_row(struct model *m, const struct model_row *r)
{
	const struct stack_frame *caller = &m->stacks.frames[r->stack];
	enum module_origin origin;

	if (r->module == MODEL_NONE || r->function == MODEL_NONE)
		return HEAP_KNOWN_KINDS;
	origin = origin_of(m, r->module);
	if (origin == MODULE_ORIGIN_LIBC && strcmp(model_function_name(m,
	    r->function), "_IO_file_doallocate") == 0)
		return HEAP_KNOWN_STDIO;
	if (origin == MODULE_ORIGIN_LIBSTDCXX && r->stack != 0 &&
	    caller->module != MODEL_NONE &&
	    origin_of(m, caller->module) == MODULE_ORIGIN_LOADER)
		return HEAP_KNOWN_CXX;
	return HEAP_KNOWN_KINDS;
}

int
heap_known_find(struct heap_known *k, struct model *m)
{
	*k = (struct heap_known) { .kinds = malloc(m->row_count + 1) };
	if (k->kinds == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < m->row_count; i++)
		k->kinds[i] = (uint8_t)kind_of_row(m, &m->rows[i]);
	return 0;
}

void
heap_known_take(struct heap_known *k, struct model *m)
{
	for (size_t i = 0; i < m->row_count; i++) {
		struct model_row *r = &m->rows[i];
		const unsigned kind = k->kinds[i];

		if (kind == HEAP_KNOWN_KINDS)
			continue;
		k->bytes[kind] += r->ns;
		k->blocks[kind] += model_heap(m, r)->live_blocks;
		r->ns = r->count = 0;
	}
}

void
heap_known_print(FILE *out, const struct heap_known *k)
{
	static const char *const texts[HEAP_KNOWN_KINDS] = {
		[HEAP_KNOWN_CXX] = "libstdc++ since it was loaded, for "
		    "exceptions",
		[HEAP_KNOWN_STDIO] = "libc, as buffers of stdio streams",
	};
	char room[QUANTITY_TEXT_ROOM];

	for (unsigned i = 0; i < HEAP_KNOWN_KINDS; i++)
		if (k->blocks[i] != 0)
			fprintf(out, "no leak: %s in %" PRIu64 " block%s kept "
			    "by %s\n", quantity_format_bytes(k->bytes[i], room),
			    k->blocks[i], plural_suffix(k->blocks[i]),
			    texts[i]);
}

void
heap_known_free(struct heap_known *k)
{
	free(k->kinds);
	k->kinds = NULL;
}
