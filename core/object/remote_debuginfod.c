/* Context: O.  Debug files from servers, by libdebuginfod. */
#include "remote.h"

#include <elfutils/debuginfod.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Of the whole process: the time that the user lets it take is one. */
static struct {
	bool allowed;
	double end;		/* CLOCK_MONOTONIC, s */
	debuginfod_client *client;
	struct remote_sum sum;
} remote;

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Called at least every second while a server is waited for; not 0 ends it. */
static int
is_late(debuginfod_client *client, long done, long all)
{
	(void)client, (void)done, (void)all;
	if (now() >= remote.end)
		remote.sum.late = true;
	return remote.sum.late;
}

int
remote_allow(double seconds)
{
	const char *servers = getenv("DEBUGINFOD_URLS");

	if (servers == NULL || servers[0] == '\0')
		return -EDESTADDRREQ;
	remote.allowed = true;
	remote.end = now() + seconds;
	return 0;
}

struct remote_sum
remote_sum(void)
{
	return remote.sum;
}

static bool
is_ready(void)
{
	if (!remote.allowed || is_late(NULL, 0, 0))
		return false;
	if (remote.client == NULL) {
		remote.client = debuginfod_begin();
		if (remote.client != NULL)
			debuginfod_set_progressfn(remote.client, is_late);
	}
	return remote.client != NULL;
}

int
remote_debugfile(struct elf_file *debug, const unsigned char *id, size_t bytes,
    struct debugfile_refused *refused)
{
	char *path = NULL;
	int fd, ret = -ENOENT;

	if (bytes == 0 || !is_ready())
		return -ENOENT;
	remote.sum.asked++;
	fd = debuginfod_find_debuginfo(remote.client, id, (int)bytes, &path);
	if (fd < 0)
		return -ENOENT;
	close(fd);
	if (path != NULL)
		ret = debugfile_at(debug, path, id, bytes, refused);
	free(path);
	remote.sum.found += ret == 0;
	return ret;
}
