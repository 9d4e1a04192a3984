/*
 * Context: O.  The source files of a model: chooses the name that is shown of
 * each path, at the end of symbolize_all().
 */
#define _GNU_SOURCE		/* qsort_r */
#include "base/source_files.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Returns the last part of a path, or the path if it ends in a slash. */
static const char *
source_basename(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL || slash[1] == '\0' ? path : slash + 1;
}

static int
compare_basenames(const void *left, const void *right, void *paths)
{
	const char *const *all = paths;

	return strcmp(source_basename(all[*(const uint32_t *)left]),
	    source_basename(all[*(const uint32_t *)right]));
}

static bool
same_basename(const struct source_files *s, const uint32_t *a,
    const uint32_t *b)
{
	return compare_basenames(a, b, s->paths.all) == 0;
}

int
source_files_finish(struct source_files *s)
{
	const size_t count = s->paths.count;
	uint32_t *by_last = calloc(count + 1, sizeof(*by_last));

	s->shown = calloc(count + 1, sizeof(*s->shown));
	if (by_last == NULL || s->shown == NULL) {
		free(by_last);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < count; i++)
		by_last[i] = i;
	if (count > 1)
		qsort_r(by_last, count, sizeof(*by_last), compare_basenames,
		    s->paths.all);
	for (size_t i = 0; i < count; i++) {
		const char *path = s->paths.all[by_last[i]];
		bool alone = (i == 0 ||
		    !same_basename(s, &by_last[i - 1], &by_last[i])) &&
		    (i + 1 == count ||
		    !same_basename(s, &by_last[i], &by_last[i + 1]));

		s->shown[by_last[i]] = alone ? source_basename(path) : path;
	}
	free(by_last);
	return 0;
}

void
source_files_free(struct source_files *s)
{
	string_pool_free(&s->paths);
	free(s->shown);
	memset(s, 0, sizeof(*s));
}
