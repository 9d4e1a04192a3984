/*
 * Context: O.  Gives back unused space of profiles, for load_open(); see
 * trim.h.  The only writer here of a file that a process may still have mapped.
 */
#include "trim.h"

#include "decode/header.h"
#include "process_state.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * Returns whether the process may have left the file longer than it is: it was
 * killed, or went on to another image beside threads that still counted.
 */
static bool
is_left_long(const struct format_header *h)
{
	return (h->state == FORMAT_LIVE && h->end == FORMAT_END_NONE) ||
	    (h->state == FORMAT_SEALED && h->end == FORMAT_END_EXEC);
}

/*
 * Reads the header of the file into *h.  Returns whether the file is valid,
 * belongs to the user whose process made it, and is longer than it need be, and
 * whether that process is certain to be gone.
 */
static bool
is_trimmable(int fd, struct format_header *h)
{
	unsigned char head[FORMAT_HEADER];
	struct stat st;
	struct fault f;

	return fstat(fd, &st) == 0 &&
	    pread(fd, head, sizeof(head), 0) == sizeof(head) &&
	    header_read(h, head, (uint64_t)st.st_size, &f) == 0 &&
	    is_left_long(h) && h->used >= FORMAT_HEADER &&
	    h->used < (uint64_t)st.st_size &&
	    h->euid == st.st_uid && process_state_is_gone(h);
}

/*
 * Truncates the file fd, which is open for writing and locked, after it has
 * looked at the header again.  Marks it closed first, as a seal does: a process
 * that shared memory with the one that is gone may still write, and must take
 * no more space.
 */
static void
trim_locked(int fd, const struct stat *st)
{
	const struct timespec times[2] = { st->st_atim, st->st_mtim };
	struct format_header *h, copy;
	uint64_t used;

	if (!is_trimmable(fd, &copy))
		return;
	h = mmap(NULL, FORMAT_HEADER, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
	    0);
	if (h == MAP_FAILED)
		return;
	used = __atomic_fetch_or(&h->used, FORMAT_CLOSED, __ATOMIC_ACQ_REL) &
	    ~(uint64_t)FORMAT_CLOSED;
	if (ftruncate(fd, (off_t)used) == 0)
		futimens(fd, times);
	munmap(h, FORMAT_HEADER);
}

void
trim_unused(int fd, const struct stat *st)
{
	struct format_header h;
	char path[32];
	struct stat now;
	int own;

	if (st->st_uid != geteuid() || !is_trimmable(fd, &h))
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	own = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (own < 0)
		return;
	if (fstat(own, &now) == 0 && now.st_dev == st->st_dev &&
	    now.st_ino == st->st_ino && flock(own, LOCK_EX | LOCK_NB) == 0)
		trim_locked(own, st);
	close(own);
}
