/*
 * Context: O.  Reads standard input as a file, for prof(1); see
 * standard_input.h.
 */
#define _GNU_SOURCE
#include "standard_input.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* Copies one descriptor to the other, up to the end.  Returns 0 or -errno. */
static int
copy_descriptor(int from, int to)
{
	char room[1 << 16];
	ssize_t got, put;

	while ((got = read(from, room, sizeof(room))) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		for (ssize_t at = 0; at < got; at += put) {
			put = write(to, room + at, (size_t)(got - at));
			if (put < 0 && errno != EINTR)
				return -errno;
			put = put < 0 ? 0 : put;
		}
	}
	return 0;
}

int
standard_input_copy(char name[STANDARD_INPUT_NAME], struct fault *f)
{
	int ret, fd;

	if (isatty(STDIN_FILENO)) {
		fault_set(f, "standard input is a terminal", FAULT_NO_OFFSET,
		    0);
		f->file = STANDARD_INPUT;
		f->remedy = "send a file or another command's output, as in: "
		    "perf script | prof -";
		return -ENOTTY;
	}
	fd = memfd_create("standard input", MFD_CLOEXEC);
	ret = fd < 0 ? -errno : copy_descriptor(STDIN_FILENO, fd);
	if (ret == 0) {
		snprintf(name, STANDARD_INPUT_NAME, "/proc/self/fd/%d", fd);
		return 0;
	}
	if (fd >= 0)
		close(fd);
	fault_set(f, "standard input cannot be read", FAULT_NO_OFFSET, -ret);
	f->file = STANDARD_INPUT;
	return ret;
}
