/*
 * Context: O.  Notes what could not be read of a file whose rest was added, for
 * the footer and as a fault.  The readers in core/model/foreign and
 * read_classic.c call it.
 */
#include "foreign/skipped_records.h"

#include "load.h"
#include "base/vector.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SKIPPED_RECORDS_TEXT	300u

static const char *
keep_skipped_text(struct model *m, const char *text)
{
	return text == NULL ? NULL : model_intern(m, text, strlen(text));
}

/*
 * Returns a text of the model that says how many records were left out and why;
 * NULL if memory is out.
 */
static const char *
describe_skipped(struct model *m, const struct model_skipped *own)
{
	char text[SKIPPED_RECORDS_TEXT];

	snprintf(text, sizeof(text), "%" PRIu64 " %s%s: %s", own->count,
	    own->unit, own->count == 1 ? " is left out" : "s are left out; "
	    "the first", own->what);
	return keep_skipped_text(m, text);
}

int
skipped_records_add(struct model *m, const struct model_skipped *own,
    struct fault *f)
{
	const char *words = describe_skipped(m, own);
	struct model_skipped *to;

	if (words == NULL || vector_grow(&m->left, m->left_count, &m->left_room,
	    sizeof(*m->left)) != 0)
		return fault_set_no_memory(f);
	to = &m->left[m->left_count++];
	*to = *own;
	to->what = keep_skipped_text(m, own->what);
	to->file = keep_skipped_text(m, own->file);
	if (to->what == NULL || to->file == NULL)
		return fault_set_no_memory(f);
	if (own->is_line)
		fault_set_line(f, words, own->first);
	else
		fault_set(f, words, own->first, 0);
	return LOAD_PARTLY;
}
