/*
 * Context: O.  Reads lines of source files that still exist on this machine,
 * for annotated code and the HTML page; see source_text.h.
 */
#include "derive/source_text.h"

#include "base/regular_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SOURCE_BYTES_MAX	(64u << 20)	/* larger files are not read */

/*
 * Returns the contents of a regular file, to be freed, with a NUL behind them;
 * NULL if it cannot be read or has SOURCE_BYTES_MAX bytes or more.
 */
static char *
read_source_file(const char *path, size_t *bytes)
{
	struct stat st;
	int fd = regular_file_open(path, 0, &st);
	char *text = NULL;
	ssize_t n = -1;

	if (fd < 0)
		return NULL;
	if (st.st_size >= 0 && (uint64_t)st.st_size < SOURCE_BYTES_MAX)
		text = malloc((size_t)st.st_size + 1);
	if (text != NULL)
		n = read(fd, text, (size_t)st.st_size);
	close(fd);
	if (n >= 0) {
		text[n] = '\0';
		*bytes = (size_t)n;
		return text;
	}
	free(text);
	return NULL;
}

/* Sets s->lines; leaves it NULL with count 0 if memory is out. */
static void
split_source_lines(struct source_text *s, size_t bytes)
{
	size_t count = 1;

	/* A newline at the end begins no line. */
	if (bytes != 0 && s->text[bytes - 1] == '\n')
		s->text[--bytes] = '\0';
	for (size_t i = 0; i < bytes; i++)
		count += s->text[i] == '\n';
	s->lines = calloc(count, sizeof(*s->lines));
	if (s->lines == NULL)
		return;
	s->lines[s->count++] = s->text;
	for (size_t i = 0; i < bytes; i++)
		if (s->text[i] == '\n') {
			s->text[i] = '\0';
			s->lines[s->count++] = s->text + i + 1;
		}
}

/*
 * Replaces the file in *s.  If it cannot be read, only s->path is set, so that
 * it is not read for each line.
 */
static void
load_source_file(struct source_text *s, const char *path)
{
	size_t bytes = 0;

	source_text_free(s);
	s->path = strdup(path);
	s->text = read_source_file(path, &bytes);
	if (s->text != NULL)
		split_source_lines(s, bytes);
}

const char *
source_text_line(struct source_text *s, const char *path, uint32_t line)
{
	if (s->path == NULL || strcmp(s->path, path) != 0)
		load_source_file(s, path);
	return line == 0 || line > s->count ? NULL : s->lines[line - 1];
}

void
source_text_free(struct source_text *s)
{
	free(s->path);
	free(s->text);
	free(s->lines);
	memset(s, 0, sizeof(*s));
}
