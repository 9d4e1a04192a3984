/*
 * Context: O.  Sends an order to one running process, for a control session
 * (control_session.c) in a tool or in a program with libmontell; see
 * control_client.h and doc/design/live-control.md.
 */
#include "control_client.h"

#include "base/clock_ns.h"
#include "file_lock.h"
#include "decode/header.h"
#include "load.h"
#include "process_state.h"
#include "sigbus_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/*
 * user CPU time after which silence is an answer: several ticks, and the
 * possible error of /proc
 */
#define QUIET_NS	30000000u

static int
fault_control_refused(struct fault *f, const char *what, const char *remedy,
    int error)
{
	int ret = fault_set(f, what, FAULT_NO_OFFSET, error);

	f->remedy = remedy;
	return ret;
}

static int
fault_process_ended(struct fault *f, const char *what, const char *remedy)
{
	fault_control_refused(f, what, remedy, 0);
	return -ESRCH;
}

/*
 * Opens the profile for writing if the caller owns it or is root.  Returns the
 * descriptor, or -errno with *f set.
 */
static int
open_owned_profile(const char *path, struct fault *f)
{
	struct stat st;
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0)
		return fault_control_refused(f, "cannot be opened for writing",
		    errno == EACCES ? "only its owner can control a process" :
		    NULL, errno);
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    (st.st_uid == geteuid() || geteuid() == 0))
		return fd;
	close(fd);
	return fault_control_refused(f, "belongs to another user",
	    "only its owner can " "control a process", 0);
}

/*
 * Returns 0 if the process of the profile runs here, -ESRCH if no process is
 * left to be asked, or another -errno, with *f set unless 0.
 */
static int
check_process_alive(const struct format_header *h, struct fault *f)
{
	if (h->end == FORMAT_END_DUMP)
		return fault_process_ended(f, "is a copy of a profile",
		    "name the profile, " "or the process");
	if (h->state == FORMAT_SEALED)
		return fault_process_ended(f, h->end == FORMAT_END_EXEC ?
		    "its process has " "gone on to another program" :
		    "its process has ended", "prof shows what it counted");
	switch (process_state_check(h)) {
	case 1:
		return 0;
	case 0:
		return fault_process_ended(f, "its process is gone",
		    "prof shows what it " "counted");
	default:
		return fault_control_refused(f, "its process runs elsewhere",
		    "control it on " "its host, and in its pid namespace", 0);
	}
}

/*
 * Checks and maps the header of a->fd.  Returns as control_client_open() does;
 * the caller closes.
 */
static int
map_header(struct control_client *a, struct fault *f)
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
		ret = check_process_alive(&h, f);
	if (ret != 0)
		return ret;
	a->header = sigbus_guard_map(a->fd);
	if (a->header == NULL)
		return fault_set(f, "cannot be mapped", FAULT_NO_OFFSET, errno);
	return 0;
}

int
control_client_open(struct control_client *a, const char *path, struct fault *f)
{
	char live[PATH_MAX];
	int ret;

	memset(a, 0, sizeof(*a));
	a->fd = -1;
	ret = load_resolve_path(path, live, f);
	if (ret != 0)
		return ret;
	ret = a->fd = open_owned_profile(live, f);
	if (ret >= 0)
		ret = map_header(a, f);
	if (ret < 0)
		control_client_close(a);
	return ret;
}

void
control_client_close(struct control_client *a)
{
	kick_end(&a->kick);
	if (a->header != NULL)
		sigbus_guard_unmap(a->header);
	if (a->fd >= 0)
		close(a->fd);
	a->header = NULL;
	a->fd = -1;
}

/*
 * Returns whether an order for these modes would be refused.  It is known
 * before the process wakes, which then obeys the rest of the order.
 */
static bool
asks_impossible_modes(const struct format_header *h, uint32_t modes)
{
	return (modes & ~h->modes & __atomic_load_n(&h->no_modes,
	    __ATOMIC_RELAXED)) != 0;
}

/*
 * Fills in the settings that *c leaves as they are: from the last order, if the
 * process has not answered it yet; else from the settings in force.  This holds
 * for an order whose writer was killed while it wrote: part of it may be what
 * waits.
 */
static void
complete_request(const struct format_header *h, struct control_client_change *c)
{
	const bool waits = __atomic_load_n(&h->asked, __ATOMIC_RELAXED) !=
	    h->answered;
	uint32_t modes = waits ? h->ask_modes : h->modes;

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
		c->modes = modes;
	c->modes |= c->more;
	if (asks_impossible_modes(h, c->modes))
		c->modes = modes;
}

/*
 * Returns the CPU time in which the process could look at an order.  It cannot
 * look in a system call, a fork or a page fault.
 */
static uint64_t
process_user_ns(int32_t pid)
{
	uint64_t cpu = process_state_cpu_ns(pid), system =
	    process_state_system_ns(pid);

	return cpu > system ? cpu - system : 0;
}

/*
 * Returns whether the process is behind a seccomp filter and the order would
 * change anything: it will refuse it all, and gets no order.
 */
static bool
is_frozen_for(const struct format_header *h,
    const struct control_client_change *c)
{
	return __atomic_load_n(&h->frozen, __ATOMIC_RELAXED) != 0 &&
	    (c->stop != header_is_stopped(h) || c->forget ||
	    c->interval_ns != h->interval_ns || c->modes != h->modes ||
	    strcmp(c->watch, h->watch) != 0);
}

/*
 * `asked` is odd while the order is written.  A writer that was killed in
 * between has left it odd.
 */
int
control_client_send(struct control_client *a,
    const struct control_client_change *change, struct fault *f)
{
	struct control_client_change c = *change;
	struct format_header *h = a->header;
	uint32_t number;
	int ret = file_lock_take(a->fd, f);

	if (ret != 0)
		return ret;
	complete_request(h, &c);
	if (is_frozen_for(h, &c)) {
		a->refusal = EPERM;
		a->number = h->answered;
		file_lock_drop(a->fd);
		return 0;
	}
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
	a->looked_ns = process_state_cpu_ns(h->pid);
	a->user_ns = process_user_ns(h->pid);
	a->asked_mono = clock_ns_now(CLOCK_MONOTONIC);
	a->number = number + 1;
	a->rate = change->rate;
	a->what = change->what || change->more != 0;
	a->refusal = asks_impossible_modes(h, (change->what ?
	    change->modes : 0) | change->more) ? EOPNOTSUPP : 0;
	__atomic_store_n(&h->asked, a->number, __ATOMIC_RELEASE);
	file_lock_drop(a->fd);
	return 0;
}

bool
control_client_answered(const struct control_client *a)
{
	uint32_t answered = __atomic_load_n(&a->header->answered,
	    __ATOMIC_ACQUIRE);

	return (int32_t)(answered - a->number) >= 0;
}

unsigned
control_client_kick(struct control_client *a)
{
	if (a->kick.count == 0)
		kick_begin(&a->kick, a->header);
	return a->kick.count;
}

bool
control_client_is_asleep(struct control_client *a)
{
	const uint64_t before = a->looked_ns;

	a->looked_ns = process_state_cpu_ns(a->header->pid);
	return a->looked_ns == before &&
	    !process_state_is_runnable(a->header->pid);
}

static bool
has_process_ended(const struct control_client *a)
{
	return __atomic_load_n(&a->header->state, __ATOMIC_ACQUIRE) !=
	    FORMAT_LIVE || process_state_check(a->header) != 1;
}

/*
 * Returns whether the errno in `answer` concerns our order.  An interval or a
 * mode may have come from another tool, with an order beside ours.
 */
static bool
is_request_refused(const struct control_client *a)
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

int
control_client_refusal(const struct control_client *a)
{
	if (a->refusal != 0)
		return a->refusal;
	return control_client_answered(a) && is_request_refused(a) ?
	    a->header->answer : 0;
}

enum control_client_answer
control_client_answer(const struct control_client *a)
{
	if (control_client_answered(a))
		return control_client_refusal(a) != 0 ?
		    CONTROL_CLIENT_REFUSED : CONTROL_CLIENT_DONE;
	if (has_process_ended(a))
		return CONTROL_CLIENT_GONE;
	if (a->refusal != 0)
		return CONTROL_CLIENT_REFUSED;
	/*
	 * The next tick of a thread of a stopped process comes after 100 ms of
	 * CPU time of that thread.
	 */
	if (a->kick.count == 0 &&
	    header_is_stopped(a->header))
		return CONTROL_CLIENT_ARMED;
	return process_user_ns(a->header->pid) > a->user_ns + QUIET_NS ?
	    CONTROL_CLIENT_SILENT : CONTROL_CLIENT_ARMED;
}
