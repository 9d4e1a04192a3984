/*
 * Context: S.  Opens the perf events of a thread, for perf_clock.c, behind
 * private_fds_run(), perhaps in a helper thread; so it uses no TLS.  See
 * perf_event.h.
 */
#include "clock/perf_event.h"

#include "base/str.h"
#include "clock/kernel_samples.h"
#include "clock/perf_ring.h"

#include <linux/perf_event.h>

/*
 * Opens the event of user or kernel mode of thread s->tid, which does not run
 * yet.  Returns its descriptor or -errno.
 */
static int
open_perf_event(const struct thread_slot *s, bool kernel)
{
	struct perf_event_attr a;
	int fd;

	mem_zero(&a, sizeof(a));	/* {0} calls memset on arm64 */
	a.size = sizeof(a);
	a.type = PERF_TYPE_SOFTWARE;
	a.config = PERF_COUNT_SW_CPU_CLOCK;
	a.sample_period = s->fine_clock.period;
	a.sample_type = PERF_SAMPLE_IP;
	a.disabled = 1;
	a.exclude_kernel = !kernel;
	a.exclude_user = kernel;
	a.exclude_hv = 1;
	a.wakeup_events = 1;
	a.remove_on_exec = 1;
	if (kernel)
		kernel_samples_set_attr(&a);
	fd = (int)SYS(perf_event_open, &a, s->tid, -1, -1,
	    PERF_FLAG_FD_CLOEXEC, 0);
	if (fd == -EINVAL || fd == -E2BIG) {
		a.remove_on_exec = 0;	/* before Linux 5.13 */
		fd = (int)SYS(perf_event_open, &a, s->tid, -1, -1,
		    PERF_FLAG_FD_CLOEXEC, 0);
	}
	return fd;
}

/* Makes the event send the tick's signal to its thread. */
static int
direct_event_signal(const struct thread_slot *s, int fd)
{
	struct f_owner_ex owner = {F_OWNER_TID, s->tid};
	int sig = atomic_load(&virtual_signals.signal);
	long ret;

	ret = SYS(fcntl, fd, F_SETSIG, sig, 0, 0, 0);
	if (ret == 0)
		ret = SYS(fcntl, fd, F_SETOWN_EX, &owner, 0, 0, 0);
	if (ret == 0)
		ret = SYS(fcntl, fd, F_SETFL, O_ASYNC | O_NONBLOCK, 0, 0, 0);
	return (int)ret;
}

static int
enable_perf_event(int fd)
{
	return (int)SYS(ioctl, fd, PERF_EVENT_IOC_ENABLE, 0, 0, 0, 0);
}

/*
 * Maps the ring of the user-mode event.  A data page takes locked memory, of
 * which a user has little; if it is refused, the ring is mapped without one.
 */
static bool
map_event_ring(struct thread_slot *s, int fd)
{
	if (!atomic_load(&mon->no_pages) &&
	    perf_ring_map(&s->fine_clock.ring, fd, 1, PERF_RING_SAMPLE_WORDS))
		return true;
	if (!perf_ring_map(&s->fine_clock.ring, fd, 0, PERF_RING_SAMPLE_WORDS))
		return false;
	atomic_store(&mon->no_pages, true);
	return true;
}

int
perf_event_start_user(struct thread_slot *s)
{
	int fd, ret;

	fd = open_perf_event(s, false);
	if (fd < 0)
		return fd;
	if (s->fine_clock.fd != fd + 1)
		s->fine_clock.last_fd = s->fine_clock.fd;
	s->fine_clock.fd = fd + 1;
	ret = map_event_ring(s, fd) ? direct_event_signal(s, fd) : -EPERM;
	if (ret == 0)
		ret = enable_perf_event(fd);
	sys_close(fd);
	if (ret != 0)
		perf_ring_unmap(&s->fine_clock.ring);
	return ret;
}

int
perf_event_start_kernel(struct thread_slot *s)
{
	int fd, ret;

	fd = open_perf_event(s, true);
	if (fd < 0)
		return fd;
	ret = kernel_samples_map(&s->kernel_clock.ring, fd) ?
	    enable_perf_event(fd) : -EPERM;
	sys_close(fd);
	if (ret != 0)
		perf_ring_unmap(&s->kernel_clock.ring);
	return ret;
}
