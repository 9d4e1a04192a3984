/* Context: O.  The user's filters: lists of shell patterns, see filter.h. */
#include "base/filter.h"

#include "base/vector.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int
filter_add(struct filter *f, enum filter_kind what, const char *pattern)
{
	if (vector_grow(&f->pattern[what], f->count[what], &f->room[what],
	    sizeof(pattern)) != 0)
		return -ENOMEM;
	f->pattern[what][f->count[what]++] = pattern;
	return 0;
}

void
filter_free(struct filter *f)
{
	for (size_t i = 0; i < FILTER_KINDS; i++)
		free(f->pattern[i]);
}

bool
filter_is_on(const struct filter *f, enum filter_kind what)
{
	return f->count[what] != 0;
}

bool
filter_match_text(const struct filter *f, enum filter_kind what,
    const char *text)
{
	for (size_t i = 0; i < f->count[what]; i++)
		/* "[vdso]" is also a pattern, for one letter. */
		if (strcmp(f->pattern[what][i], text) == 0 ||
		    fnmatch(f->pattern[what][i], text, 0) == 0)
			return true;
	return f->count[what] == 0;
}

bool
filter_match_number(const struct filter *f, enum filter_kind what,
    int64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, number);
	return filter_match_text(f, what, text);
}

enum filter_kind
filter_first_unmatched(const struct filter *f, const bool *met)
{
	unsigned i = 0;

	while (i < FILTER_KINDS && (met[i] || f->count[i] == 0))
		i++;
	return (enum filter_kind)i;
}
