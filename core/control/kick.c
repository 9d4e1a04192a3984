/*
 * Context: O.  Interrupts the threads of another process, for control_client.c
 * while an order waits; see kick.h.
 */
#include "kick.h"

#include "process_state.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define THREADS		256u	/* of one process; each needs a descriptor */
#define PERIOD_NS	10000u	/* the least that the kernel accepts */

/*
 * Opens an event of the CPU clock of a thread in user mode; it is to expire
 * once.  The event belongs to the thread itself, even if another thread gets
 * its number later, and an exec closes it.  A kernel before 5.13 cannot do the
 * latter and refuses the event; that is wanted, as the signal would kill the
 * next program.
 */
static int
open_kick_event(pid_t tid)
{
	struct perf_event_attr a = {
		.size = sizeof(a),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = PERIOD_NS,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.wakeup_events = 1,
		.remove_on_exec = 1,
	};

	return (int)syscall(SYS_perf_event_open, &a, tid, -1, -1,
	    PERF_FLAG_FD_CLOEXEC);
}

/* Makes the event send `sig` to the thread.  Returns whether it will. */
static bool
aim_kick_event(int fd, pid_t tid, int sig)
{
	const struct f_owner_ex owner = { .type = F_OWNER_TID, .pid = tid };

	return fcntl(fd, F_SETSIG, sig) == 0 &&
	    fcntl(fd, F_SETOWN_EX, &owner) == 0 &&
	    fcntl(fd, F_SETFL, O_ASYNC | O_NONBLOCK) == 0;
}

/*
 * Returns whether the process catches the signal: without a handler it would be
 * killed.  All threads share one table of handlers.
 */
static bool
is_signal_caught(pid_t pid, unsigned sig)
{
	char path[48], line[256];
	uint64_t caught = 0;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	in = fopen(path, "re");
	if (in == NULL)
		return false;
	while (fgets(line, sizeof(line), in) != NULL)
		if (sscanf(line, "SigCgt: %" SCNx64, &caught) == 1)
			break;
	fclose(in);
	return (caught >> (sig - 1) & 1) != 0;
}

/* Returns whether the process of *h lives here and wants this signal now. */
static bool
is_safe_to_kick(const struct format_header *h, unsigned sig)
{
	return sig >= 1 && sig <= 64 &&
	    __atomic_load_n(&h->state, __ATOMIC_ACQUIRE) == FORMAT_LIVE &&
	    process_state_check(h) == 1 && is_signal_caught(h->pid, sig) &&
	    __atomic_load_n(&h->kick_signal, __ATOMIC_SEQ_CST) == sig;
}

/*
 * Returns whether the thread still belongs to the process.  The event belongs
 * to the thread that had the number when the event was opened.  A thread that
 * ended after it was listed may have left its number to a thread of another
 * process.
 */
static bool
is_thread_of(pid_t pid, pid_t tid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d", (int)pid, (int)tid);
	return access(path, F_OK) == 0;
}

/* Opens an event, not running yet, for each thread of the process. */
static void
aim_at_threads(struct kick *k, pid_t pid, int sig)
{
	char path[48];
	struct dirent *e;
	DIR *all;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	all = opendir(path);
	while (all != NULL && k->count < THREADS &&
	    (e = readdir(all)) != NULL) {
		pid_t tid = (pid_t)strtol(e->d_name, NULL, 10);
		int fd = tid <= 0 ? -1 : open_kick_event(tid);

		if (fd >= 0 && is_thread_of(pid, tid) &&
		    aim_kick_event(fd, tid, sig))
			k->fds[k->count++] = fd;
		else if (fd >= 0)
			close(fd);
	}
	if (all != NULL)
		closedir(all);
}

void
kick_begin(struct kick *k, struct format_header *h)
{
	const unsigned sig = h->kick_signal;

	k->count = 0;
	k->fds = malloc(THREADS * sizeof(*k->fds));
	if (k->fds == NULL)
		return;
	aim_at_threads(k, h->pid, (int)sig);
	/*
	 * First announce the kicks, then check that they are still allowed.
	 * The process does the reverse when a thread takes an alternate stack
	 * on which the handler would not fit: it withdraws kick_signal, then
	 * looks at `kicks`.  So at least one of the two sides sees the other.
	 */
	__atomic_fetch_add(&h->kicks, k->count, __ATOMIC_SEQ_CST);
	if (!is_safe_to_kick(h, sig)) {
		kick_end(k);
		return;
	}
	for (unsigned i = 0; i < k->count; i++)
		ioctl(k->fds[i], PERF_EVENT_IOC_REFRESH, 1);
}

void
kick_end(struct kick *k)
{
	for (unsigned i = 0; i < k->count; i++)
		close(k->fds[i]);
	free(k->fds);
	k->fds = NULL;
	k->count = 0;
}
