/* Context: O.  What the user wants to see: shell patterns. */
#include "filter.h"

#include "grow.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int
filter_add(struct filter *f, enum filter_what what, const char *pattern)
{
	if (grow(&f->pattern[what], f->count[what], &f->room[what],
	    sizeof(pattern)) != 0)
		return -ENOMEM;
	f->pattern[what][f->count[what]++] = pattern;
	return 0;
}

void
filter_free(struct filter *f)
{
	for (size_t i = 0; i < FILTER_WHATS; i++)
		free(f->pattern[i]);
}

bool
filter_is_on(const struct filter *f, enum filter_what what)
{
	return f->count[what] != 0;
}

bool
filter_text(const struct filter *f, enum filter_what what, const char *text)
{
	for (size_t i = 0; i < f->count[what]; i++)
		/* "[vdso]" is a pattern too, of one letter. */
		if (strcmp(f->pattern[what][i], text) == 0 ||
		    fnmatch(f->pattern[what][i], text, 0) == 0)
			return true;
	return f->count[what] == 0;
}

bool
filter_number(const struct filter *f, enum filter_what what, int64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, number);
	return filter_text(f, what, text);
}

enum filter_what
filter_unmet(const struct filter *f, const bool *met)
{
	unsigned i = 0;

	while (i < FILTER_WHATS && (met[i] || f->count[i] == 0))
		i++;
	return (enum filter_what)i;
}
