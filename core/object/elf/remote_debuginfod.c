/*
 * Context: O.  Debug files from servers, by libdebuginfod, for object_files.c;
 * see remote.h.  The library brings some 30 others, which take 5 ms to load; so
 * it is loaded only if the user asks for servers.
 */
#include "elf/remote.h"

#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* State of the process: the user's time limit is one for all requests. */
static struct {
	bool allowed;
	double end;		/* CLOCK_MONOTONIC, s */
	debuginfod_client *client;
	struct remote_sum sum;
	void *library;
	debuginfod_client *(*begin)(void);
	void (*set_progress)(debuginfod_client *client,
	    debuginfod_progressfn_t is_past_deadline);
	int (*find)(debuginfod_client *client, const unsigned char *id,
	    int bytes, char **path);
} remote;

#define LIBRARY "libdebuginfod.so.1"

static double
monotonic_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/*
 * Called at least every second while a server is waited for; a result other
 * than 0 ends the wait.
 */
static int
is_past_deadline(debuginfod_client *client, long done, long all)
{
	(void)client, (void)done, (void)all;
	if (monotonic_seconds() >= remote.end)
		remote.sum.late = true;
	return remote.sum.late;
}

/*
 * Loads the library and finds its functions.  Returns whether it can be used.
 * It stays loaded.
 */
static bool
load_library(void)
{
	if (remote.library != NULL)
		return true;
	remote.library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (remote.library == NULL)
		return false;
	/* POSIX prescribes this form for a function from dlsym(3). */
	*(void **)&remote.begin = dlsym(remote.library, "debuginfod_begin");
	*(void **)&remote.set_progress = dlsym(remote.library,
	    "debuginfod_set_progressfn");
	*(void **)&remote.find = dlsym(remote.library,
	    "debuginfod_find_debuginfo");
	return remote.begin != NULL && remote.set_progress != NULL &&
	    remote.find != NULL;
}

int
remote_allow(double seconds)
{
	const char *servers = getenv("DEBUGINFOD_URLS");

	if (servers == NULL || servers[0] == '\0')
		return -EDESTADDRREQ;
	if (!load_library())
		return -ENOSYS;
	remote.allowed = true;
	remote.end = monotonic_seconds() + seconds;
	return 0;
}

struct remote_sum
remote_sum(void)
{
	return remote.sum;
}

/*
 * Returns whether servers may be asked now: they are allowed, there is time
 * left, and the library works.
 */
static bool
is_ready(void)
{
	if (!remote.allowed || is_past_deadline(NULL, 0, 0))
		return false;
	if (remote.client == NULL) {
		remote.client = remote.begin();
		if (remote.client != NULL)
			remote.set_progress(remote.client, is_past_deadline);
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
	fd = remote.find(remote.client, id, (int)bytes, &path);
	if (fd < 0)
		return -ENOENT;
	close(fd);
	if (path != NULL)
		ret = debugfile_open_at(debug, path, id, bytes, refused);
	free(path);
	remote.sum.found += ret == 0;
	return ret;
}
