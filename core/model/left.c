/* Context: O.  Notes what could not be read of a file whose rest was added. */
#include "left.h"

#include "grow.h"
#include "load.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LEFT_TEXT	300u

static const char *
keep(struct model *m, const char *text)
{
	return text == NULL ? NULL : model_text(m, text, strlen(text));
}

static const char *
in_words(struct model *m, const struct model_left *own)
{
	char text[LEFT_TEXT];

	snprintf(text, sizeof(text), "%" PRIu64 " %s%s: %s", own->count,
	    own->unit, own->count == 1 ? " is left out" : "s are left out; "
	    "the first", own->what);
	return keep(m, text);
}

int
left_add(struct model *m, const struct model_left *own, struct fault *f)
{
	const char *words = in_words(m, own);
	struct model_left *to;

	if (words == NULL || grow(&m->left, m->left_count, &m->left_room,
	    sizeof(*m->left)) != 0)
		return fault_set(f, "out of memory", FAULT_NO_OFFSET, ENOMEM);
	to = &m->left[m->left_count++];
	*to = *own;
	to->what = keep(m, own->what);
	to->file = keep(m, own->file);
	if (to->what == NULL || to->file == NULL)
		return fault_set(f, "out of memory", FAULT_NO_OFFSET, ENOMEM);
	if (own->is_line)
		fault_set_line(f, words, own->first);
	else
		fault_set(f, words, own->first, 0);
	return LOAD_PARTLY;
}
