/*
 * Context: O.  Mounts a file tree and answers its requests, one after another
 * in the only thread of proffs.  Called by main() of proffs.
 *
 * The loop does what libfuse's own does, with one difference.  A reader that
 * reads a histogram pair by pair asks again at once, and to be woken for that
 * costs more than the answer (16 us if the processor has halted, see
 * doc/performance.md).  So the loop looks for the next request for AWAKE_NS
 * before it sleeps, if it has just sent a pair, that request came within
 * AWAKE_NS of the answer before, and there are several processors.
 */
#include "proffs/proffs_serve.h"

#include "base/clock_ns.h"

#include <errno.h>
#include <fcntl.h>
#include <fuse3/fuse_lowlevel.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>

/* Several times a wake-up; this is what a reader that stops costs, once. */
#define AWAKE_NS	100000

/* Returns whether the reader can run while this process looks for requests. */
static bool
has_several_processors(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) == 0 &&
	    CPU_COUNT(&set) > 1;
}

/*
 * Receives the next request, as fuse_session_receive_buf() does on a blocking
 * descriptor.  Looks without sleeping until the time `awake`.  Returns -EINTR
 * if a signal came.
 */
static int
receive_request(struct fuse_session *session, struct fuse_buf *buf,
    uint64_t awake)
{
	struct pollfd p = { .fd = fuse_session_fd(session), .events = POLLIN };
	int got;

	while ((got = fuse_session_receive_buf(session, buf)) == -EAGAIN) {
		if (clock_ns_now(CLOCK_MONOTONIC) < awake)
			sched_yield();	/* let the reader run */
		else if (poll(&p, 1, -1) < 0)
			return -errno;
	}
	return got;
}

/*
 * Answers requests until the tree is unmounted or a signal ends that.  The
 * session's descriptor is nonblocking.  Returns 0 or -1.
 */
static int
serve_requests(struct fuse_session *session)
{
	const bool may_wait = has_several_processors();
	struct fuse_buf buf = { 0 };
	uint64_t answered = 0, awake = 0;
	bool soon;
	int got = 0;

	while (!fuse_session_exited(session)) {
		got = receive_request(session, &buf, awake);
		if (got == -EINTR)
			continue;
		if (got <= 0)
			break;
		soon = clock_ns_now(CLOCK_MONOTONIC) - answered < AWAKE_NS;
		fuse_session_process_buf(session, &buf);
		answered = clock_ns_now(CLOCK_MONOTONIC);
		awake = proffs_tree_sent_pair() && soon && may_wait ?
		    answered + AWAKE_NS : 0;
	}
	free(buf.mem);
	return got < 0 && got != -EINTR ? -1 : 0;
}

/*
 * Goes to the background unless told not to, and answers requests.  The tree is
 * mounted.  Returns 0 or not 0.
 */
static int
serve_mounted(struct fuse *fuse, const struct fuse_cmdline_opts *o)
{
	struct fuse_session *session = fuse_get_session(fuse);
	const int fd = fuse_session_fd(session);
	const int flags = fcntl(fd, F_GETFL);
	int ret = fuse_daemonize(o->foreground);

	if (ret == 0)
		ret = fuse_set_signal_handlers(session);
	if (ret != 0)
		return ret;
	if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0)
		ret = -1;
	else
		ret = serve_requests(session);
	fuse_remove_signal_handlers(session);
	return ret;
}

int
proffs_serve(struct fuse_args *args, const struct fuse_operations *tree)
{
	struct fuse_cmdline_opts o;
	struct fuse *fuse = NULL;
	int ret = fuse_parse_cmdline(args, &o);

	if (ret == 0)
		fuse = fuse_new(args, tree, sizeof(*tree), NULL);
	if (fuse == NULL)
		ret = -1;
	if (ret == 0)
		ret = fuse_mount(fuse, o.mountpoint);
	if (ret == 0) {
		ret = serve_mounted(fuse, &o);
		fuse_unmount(fuse);
	}
	if (fuse != NULL)
		fuse_destroy(fuse);
	free(o.mountpoint);
	return ret != 0;
}
