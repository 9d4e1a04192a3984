/*
 * Context: O.  Reads a whole file into memory; see read_file.h.  For the
 * readers of files that are no profiles of libmon.
 */
#include "read_file.h"

#include "base/regular_file.h"
#include "base/vector.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Reads *size bytes from the start of a file.  Sets *size to what was read: the
 * file may have become shorter a moment ago.  Returns 0, or -errno with *f set.
 */
static int
read_file_bytes(int fd, unsigned char *bytes, size_t *size, struct fault *f)
{
	size_t got = 0;

	while (got < *size) {
		ssize_t n = pread(fd, bytes + got, *size - got, (off_t)got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fault_set(f, "cannot be read", got, errno);
		if (n == 0)
			break;
		got += (size_t)n;
	}
	*size = got;
	return 0;
}

int
read_file_all(const char *path, unsigned char **bytes, size_t *size,
    struct fault *f)
{
	struct stat st;
	int fd = regular_file_open(path, 0, &st), ret;

	*bytes = NULL;
	if (fd < 0)
		return READ_FILE_NONE;
	*size = (size_t)st.st_size;
	*bytes = malloc(*size + 1);
	ret = *bytes == NULL ? fault_set_no_memory(f) :
	    read_file_bytes(fd, *bytes, size, f);
	close(fd);
	return ret;
}

size_t
read_file_head(const char *path, unsigned char *bytes, size_t size)
{
	struct fault f;
	struct stat st;
	int fd = regular_file_open(path, 0, &st);
	size_t got = size;

	if (fd < 0)
		return 0;
	if (read_file_bytes(fd, bytes, &got, &f) != 0)
		got = 0;
	close(fd);
	return got;
}

int
read_file_stream(int fd, unsigned char **bytes, size_t *size, struct fault *f)
{
	size_t room = 0;
	ssize_t n;

	*bytes = NULL;
	*size = 0;
	do {
		if (vector_grow(bytes, *size, &room, 1) != 0)
			return fault_set_no_memory(f);
		n = read(fd, *bytes + *size, room - *size);
		*size += n > 0 ? (size_t)n : 0;
	} while (n > 0 || (n < 0 && errno == EINTR));
	return n == 0 ? 0 : fault_set(f, "cannot be read", *size, errno);
}
