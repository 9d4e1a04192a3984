/* Context: O.  Names of generated code, from the map its compiler wrote. */
#define _GNU_SOURCE		/* memrchr */
#include "textmap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Lines are read last to first, so that the first to claim an address is the
 * latest.  free_at[i] leads to the first address from i on that nobody claimed:
 * each is claimed once, whatever the file says.
 */
static size_t
jitmap_free(size_t *free_at, size_t i)
{
	size_t top = i;

	while (free_at[top] != top)
		top = free_at[top];
	while (free_at[i] != top) {
		size_t next = free_at[i];

		free_at[i] = top;
		i = next;
	}
	return top;
}

static int
jitmap_claim(const char *line, size_t bytes, struct symbol *asked,
    size_t count, size_t *free_at, struct arena *arena)
{
	char *at;
	uint64_t start = strtoull(line, &at, 16), size;
	const char *name = NULL;

	if (at == line || *at != ' ')
		return 0;
	size = strtoull(at + 1, &at, 16);
	if (*at != ' ' || at + 1 >= line + bytes)
		return 0;
	at++;
	for (size_t i = jitmap_free(free_at, symbol_first(asked, count, start));
	    i < count && asked[i].address - start < size;
	    i = jitmap_free(free_at, i)) {
		if (name == NULL)
			name = arena_copy(arena, at,
			    (size_t)(line + bytes - at));
		if (name == NULL)
			return -ENOMEM;
		asked[i].name = name;
		asked[i].start = start;
		asked[i].bounded = true;
		free_at[i] = i + 1;
	}
	return 0;
}

static int
jitmap_lines(const char *text, size_t bytes, struct symbol *asked,
    size_t count, size_t *free_at, struct arena *arena)
{
	int ret = 0;

	while (bytes > 0 && ret == 0) {
		const char *end = memrchr(text, '\n', bytes);
		const char *line;

		/* What follows the last newline is still being written. */
		if (end == NULL)
			break;
		bytes = (size_t)(end - text);
		line = memrchr(text, '\n', bytes);
		line = line == NULL ? text : line + 1;
		ret = jitmap_claim(line, (size_t)(end - line), asked, count,
		    free_at, arena);
	}
	return ret;
}

int
jitmap_name(const char *path, uid_t owner, struct symbol *asked,
    size_t count, struct arena *arena)
{
	size_t bytes, *free_at;
	uid_t writer;
	char *text = textmap_read(path, &bytes, &writer);
	int ret = -ENOMEM;

	if (text == NULL || (writer != owner && writer != 0)) {
		free(text);
		return 0;
	}
	free_at = malloc((count + 1) * sizeof(*free_at));
	if (free_at != NULL) {
		for (size_t i = 0; i <= count; i++)
			free_at[i] = i;
		ret = jitmap_lines(text, bytes, asked, count, free_at, arena);
	}
	free(free_at);
	free(text);
	return ret;
}
