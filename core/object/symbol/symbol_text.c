/*
 * Context: O.  Reads a text file of symbols into memory, for kallsyms.c and
 * code/jitmap.c; see symbol_text.h.
 */
#include "symbol/symbol_text.h"

#include "base/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Reads to the end of the file: a file in /proc has no size, and a JIT map
 * grows.  Returns as symbol_text_read().
 */
static char *
symbol_text_read_fd(int fd, size_t *bytes)
{
	size_t room = 65536, used = 0;
	char *text = malloc(room);

	while (text != NULL) {
		ssize_t n = read(fd, text + used, room - used - 1);

		if (n == 0) {
			text[used] = '\0';
			*bytes = used;
			return text;
		}
		if (n < 0 && errno != EINTR)
			break;
		if (n > 0)
			used += (size_t)n;
		if (room - used == 1) {
			char *more = realloc(text, room * 2);

			if (more == NULL)
				break;
			text = more;
			room *= 2;
		}
	}
	free(text);
	return NULL;
}

char *
symbol_text_read(const char *path, size_t *bytes, uid_t *owner)
{
	struct stat st;
	int fd = regular_file_open(path, O_NOFOLLOW, &st);
	char *text;

	if (fd < 0)
		return NULL;
	*owner = st.st_uid;
	text = symbol_text_read_fd(fd, bytes);
	close(fd);
	return text;
}
