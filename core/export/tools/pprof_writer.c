/*
 * Context: O.  Writes the parts and the texts of a pprof profile, for
 * export_pprof.c and pprof_places.c; see pprof_writer.h.
 */
#include "tools/pprof_writer.h"

#include "base/utf8.h"

#include <stdlib.h>

/*
 * Returns a text as UTF-8, which pprof requires; each byte that is none is
 * replaced by U+FFFD.
 */
static const char *
clean_utf8(struct pprof_writer *w, const char *text)
{
	char *copy = NULL;
	const char *kept = NULL;
	size_t bytes;
	FILE *to;

	if (utf8_is_valid(text))
		return text;
	to = open_memstream(&copy, &bytes);
	if (to == NULL)
		return NULL;
	utf8_put(to, text);
	if (fclose(to) == 0)
		kept = arena_copy(w->arena, copy, bytes);
	free(copy);
	return kept;
}

int64_t
pprof_writer_string(struct pprof_writer *w, const char *text)
{
	const char *own = clean_utf8(w, text);
	uint32_t number = own == NULL ? UINT32_MAX :
	    string_pool_add(&w->strings, own);

	w->failed |= number == UINT32_MAX;
	return number;
}

void
pprof_writer_put(struct pprof_writer *w, const Pprof__Profile *part)
{
	const size_t bytes = pprof__profile__get_packed_size(part);
	uint8_t *packed = malloc(bytes + 1);

	if (packed == NULL) {
		w->failed = true;
		return;
	}
	pprof__profile__pack(part, packed);
	gzip_write(&w->zip, packed, bytes);
	free(packed);
}

void
pprof_writer_put_strings(struct pprof_writer *w)
{
	Pprof__Profile part = PPROF__PROFILE__INIT;

	for (size_t i = 0; i < w->strings.count; i++) {
		char *one = (char *)(uintptr_t)w->strings.all[i];

		part.n_string_table = 1;
		part.string_table = &one;
		pprof_writer_put(w, &part);
	}
}
