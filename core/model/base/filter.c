/*
 * Context: O.  The user's filters, lists of shell patterns and /expressions/,
 * for prof's options, readers, views and exporters; see filter.h.  A kind
 * without patterns lets everything pass.
 */
#include "base/filter.h"

#include "base/vector.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * If `what` is a kind that filters functions and text is /EXPRESSION/, compiles
 * EXPRESSION into a new *to; else leaves *to alone.  Returns 0, -ENOMEM, or
 * -EINVAL if EXPRESSION is not valid.
 */
static int
compile_expression(enum filter_kind what, const char *text, regex_t **to)
{
	const size_t bytes = strlen(text);
	char *inner;
	int ret;

	if (what < FILTER_FUNCTION || bytes < 3 || text[0] != '/' ||
	    text[bytes - 1] != '/')
		return 0;
	inner = strndup(text + 1, bytes - 2);
	*to = malloc(sizeof(**to));
	if (inner == NULL || *to == NULL) {
		ret = -ENOMEM;
	} else {
		ret = regcomp(*to, inner, REG_EXTENDED | REG_NOSUB) == 0 ? 0 :
		    -EINVAL;
	}
	free(inner);
	if (ret == 0)
		return 0;
	free(*to);
	*to = NULL;
	return ret;
}

int
filter_add(struct filter *f, enum filter_kind what, const char *pattern)
{
	struct filter_pattern own = { .text = pattern };
	int ret = compile_expression(what, pattern, &own.regex);

	if (ret != 0)
		return ret;
	if (vector_grow(&f->pattern[what], f->count[what], &f->room[what],
	    sizeof(own)) != 0) {
		if (own.regex != NULL)
			regfree(own.regex);
		free(own.regex);
		return -ENOMEM;
	}
	f->pattern[what][f->count[what]++] = own;
	return 0;
}

void
filter_free(struct filter *f)
{
	for (size_t i = 0; i < FILTER_KINDS; i++) {
		for (size_t n = 0; n < f->count[i]; n++) {
			if (f->pattern[i][n].regex != NULL)
				regfree(f->pattern[i][n].regex);
			free(f->pattern[i][n].regex);
		}
		free(f->pattern[i]);
	}
}

bool
filter_pattern_matches(const struct filter_pattern *p, const char *text)
{
	return p->regex != NULL ? regexec(p->regex, text, 0, NULL, 0) == 0 :
	    name_match(p->text, text, p->how);
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
		if (filter_pattern_matches(&f->pattern[what][i], text))
			return true;
	return f->count[what] == 0;
}

bool
filter_match_module(const struct filter *f, const char *name, const char *path)
{
	for (size_t i = 0; i < f->count[FILTER_MODULE]; i++) {
		const struct filter_pattern *p = &f->pattern[FILTER_MODULE][i];

		if (filter_pattern_matches(p, name) ||
		    name_match(p->text, path, NAME_MATCH_WHOLE))
			return true;
	}
	return f->count[FILTER_MODULE] == 0;
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
