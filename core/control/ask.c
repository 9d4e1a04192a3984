/* Context: O.  Asking a running process; doc/internals.md, section 19. */
#include "ask.h"

#include "alive.h"
#include "guard.h"
#include "header.h"
#include "load.h"
#include "lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define QUIET_NS	30000000u	/* in user mode: several ticks, and what
					   /proc may be off by */

static uint64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int
refuse(struct fault *f, const char *what, const char *remedy, int error)
{
	int ret = fault_set(f, what, FAULT_NO_OFFSET, error);

	f->remedy = remedy;
	return ret;
}

static int
gone(struct fault *f, const char *what, const char *remedy)
{
	refuse(f, what, remedy, 0);
	return -ESRCH;
}

static int
open_own(const char *path, struct fault *f)
{
	struct stat st;
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0)
		return refuse(f, "cannot be opened for writing", errno ==
		    EACCES ? "only its owner can control a process" : NULL,
		    errno);
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    (st.st_uid == geteuid() || geteuid() == 0))
		return fd;
	close(fd);
	return refuse(f, "belongs to somebody else", "only its owner can "
	    "control a process", 0);
}

/* -ESRCH: there is nobody to be told. */
static int
check_life(const struct format_header *h, struct fault *f)
{
	if (h->end == FORMAT_END_DUMP)
		return gone(f, "is a copy of a profile", "name the profile, "
		    "or the process");
	if (h->state == FORMAT_SEALED)
		return gone(f, h->end == FORMAT_END_EXEC ? "its process has "
		    "gone on to another program" : "its process has ended",
		    "prof shows what it counted");
	switch (alive_check(h)) {
	case 1:
		return 0;
	case 0:
		return gone(f, "its process was killed", "prof shows what it "
		    "counted");
	default:
		return refuse(f, "its process runs elsewhere", "control it on "
		    "its host, and in its pid namespace", 0);
	}
}

static int
map_header(struct ask *a, struct fault *f)
{
	unsigned char head[FORMAT_HEADER];
	struct format_header h;
	struct stat st;
	int ret;

	if (fstat(a->fd, &st) != 0 ||
	    pread(a->fd, head, sizeof(head), 0) != sizeof(head))
		return fault_set(f, "cannot be read", FAULT_NO_OFFSET, errno);
	ret = header_read(&h, head, (uint64_t)st.st_size, f);
	if (ret == 0)
		ret = check_life(&h, f);
	if (ret != 0)
		return ret;
	a->header = guard_map(a->fd);
	if (a->header == NULL)
		return fault_set(f, "cannot be mapped", FAULT_NO_OFFSET, errno);
	return 0;
}

int
ask_open(struct ask *a, const char *path, struct fault *f)
{
	char live[PATH_MAX];
	int ret;

	memset(a, 0, sizeof(*a));
	a->fd = -1;
	ret = load_live(path, live, f);
	if (ret != 0)
		return ret;
	ret = a->fd = open_own(live, f);
	if (ret >= 0)
		ret = map_header(a, f);
	if (ret < 0)
		ask_close(a);
	return ret;
}

void
ask_close(struct ask *a)
{
	kick_end(&a->kick);
	if (a->header != NULL)
		guard_unmap(a->header);
	if (a->fd >= 0)
		close(a->fd);
	a->header = NULL;
	a->fd = -1;
}

/*
 * Without a change: what was asked last, if that waits still; else what holds.
 * Of one who was killed while he wrote, too: some of it may be what waits.
 */
static void
wish(const struct format_header *h, struct ask_change *c)
{
	const bool waits = __atomic_load_n(&h->asked, __ATOMIC_RELAXED) !=
	    h->answered;

	if (!c->state)
		c->stop = waits ? h->ask_stop != 0 : header_is_stopped(h);
	if (c->first_rate)
		c->interval_ns = h->first_interval_ns;
	else if (!c->rate)
		c->interval_ns = waits ? h->ask_interval_ns : h->interval_ns;
	if (c->watch == NULL)
		c->watch = waits ? h->ask_watch : h->watch;
	if (c->first_modes && h->first_modes != 0)
		c->modes = h->first_modes;
	else if (!c->what)
		c->modes = waits ? h->ask_modes : h->modes;
	c->modes |= c->more;
}

/* Where it can look: in a call, a fork or a page fault it cannot. */
static uint64_t
user_ns(int32_t pid)
{
	uint64_t cpu = alive_cpu(pid), system = alive_system_ns(pid);

	return cpu > system ? cpu - system : 0;
}

/* Odd while it is written; one that was killed in it left it odd. */
int
ask_for(struct ask *a, const struct ask_change *change, struct fault *f)
{
	struct ask_change c = *change;
	struct format_header *h = a->header;
	uint32_t number;
	int ret = lock_take(a->fd, f);

	if (ret != 0)
		return ret;
	wish(h, &c);
	number = __atomic_load_n(&h->asked, __ATOMIC_RELAXED) | 1;
	__atomic_store_n(&h->asked, number, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	__atomic_store_n(&h->ask_stop, c.stop, __ATOMIC_RELAXED);
	__atomic_store_n(&h->ask_modes, c.modes, __ATOMIC_RELAXED);
	__atomic_store_n(&h->ask_interval_ns, c.interval_ns, __ATOMIC_RELAXED);
	if (c.forget)
		__atomic_store_n(&h->ask_forget, h->ask_forget + 1,
		    __ATOMIC_RELAXED);
	if (c.watch != h->ask_watch)
		snprintf(h->ask_watch, sizeof(h->ask_watch), "%.*s",
		    FORMAT_WATCH - 1, c.watch);
	a->looked_ns = alive_cpu(h->pid);
	a->user_ns = user_ns(h->pid);
	a->asked_mono = now_ns();
	a->number = number + 1;
	a->rate = change->rate;
	a->what = change->what || change->more != 0;
	__atomic_store_n(&h->asked, a->number, __ATOMIC_RELEASE);
	lock_drop(a->fd);
	return 0;
}

bool
ask_answered(const struct ask *a)
{
	uint32_t answered = __atomic_load_n(&a->header->answered,
	    __ATOMIC_ACQUIRE);

	return (int32_t)(answered - a->number) >= 0;
}

unsigned
ask_kick(struct ask *a)
{
	if (a->kick.count == 0)
		kick_begin(&a->kick, a->header);
	return a->kick.count;
}

bool
ask_sleeps(struct ask *a)
{
	const uint64_t before = a->looked_ns;

	a->looked_ns = alive_cpu(a->header->pid);
	return a->looked_ns == before && !alive_runs(a->header->pid);
}

static bool
is_gone(const struct ask *a)
{
	return __atomic_load_n(&a->header->state, __ATOMIC_ACQUIRE) !=
	    FORMAT_LIVE || alive_check(a->header) != 1;
}

/* An interval or a mode may be another's, asked beside ours. */
static bool
is_refused(const struct ask *a)
{
	switch (a->header->answer) {
	case 0:
		return false;
	case EINVAL:
		return a->rate;
	case EOPNOTSUPP:
		return a->what;
	default:
		return true;
	}
}

enum ask_answer
ask_answer(const struct ask *a)
{
	if (ask_answered(a))
		return is_refused(a) ? ASK_REFUSED : ASK_DONE;
	if (is_gone(a))
		return ASK_GONE;
	/* A thread's next tick is 100 ms of its own off, if it is stopped. */
	if (a->kick.count == 0 &&
	    header_is_stopped(a->header))
		return ASK_ARMED;
	return user_ns(a->header->pid) > a->user_ns + QUIET_NS ? ASK_SILENT :
	    ASK_ARMED;
}
