/*
 * Context: O.  Finds the hottest line of each function, for html_tree.c; see
 * html_lines.h.
 */
#include "html/html_lines.h"

#include "base/vector.h"

#include <errno.h>
#include <stdlib.h>

int
html_lines_add(struct html_lines *l, uint32_t function, uint32_t file,
    uint32_t line, uint64_t ns)
{
	const size_t before = l->keys.count;
	const uint32_t n = key_table_add(&l->keys, function, file, line);

	if (n == UINT32_MAX)
		return -ENOMEM;
	if (n == before) {	/* the key is new */
		if (vector_grow(&l->ns, n, &l->room, sizeof(*l->ns)) != 0)
			return -ENOMEM;
		l->ns[n] = 0;
	}
	l->ns[n] += ns;
	return 0;
}

void
html_lines_hottest(const struct html_lines *l, uint32_t *hottest,
    size_t functions)
{
	for (size_t i = 0; i < functions; i++)
		hottest[i] = UINT32_MAX;
	for (size_t i = 0; i < l->keys.count; i++) {
		uint32_t *line = &hottest[l->keys.all[i].a];

		if (*line == UINT32_MAX || l->ns[i] > l->ns[*line])
			*line = (uint32_t)i;
	}
}

void
html_lines_free(struct html_lines *l)
{
	key_table_free(&l->keys);
	free(l->ns);
}
