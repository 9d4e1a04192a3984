/* Context: O.  All bytes of a regular file. */
#include "readall.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is shorter than it was a moment ago is what it is. */
static int
readall_bytes(int fd, unsigned char *bytes, size_t *size, struct fault *f)
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
readall(const char *path, unsigned char **bytes, size_t *size,
    struct fault *f)
{
	struct stat st;
	int fd, ret;

	*bytes = NULL;
	/* Before it is opened too: to open a device can act, a FIFO waits. */
	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return READALL_NONE;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return READALL_NONE;
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return READALL_NONE;
	}
	*size = (size_t)st.st_size;
	*bytes = malloc(*size + 1);
	ret = *bytes == NULL ?
	    fault_set(f, "out of memory", FAULT_NO_OFFSET, ENOMEM) :
	    readall_bytes(fd, *bytes, size, f);
	close(fd);
	return ret;
}
