/*
 * Context: O.  Finds processes that run already and their threads, for
 * recording_attached.c, top_kernel.c and sampler_open.c; see attached.h.
 */
#include "process/attached.h"

#include "base/vector.h"
#include "process_state.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* How often the processes are looked at: nothing is sampled after their end. */
#define LOOK_NS		100000000

/* Returns the number of a process in `text`; 0 if it is none. */
static pid_t
parse_pid(const char *text, size_t bytes)
{
	const size_t digits = strspn(text, "0123456789");

	return digits != bytes || digits == 0 || digits > 9 ? 0 :
	    (pid_t)strtol(text, NULL, 10);
}

/* Sets *f.  Returns -ESRCH. */
static int
fault_process(struct fault *f, const char *file, const char *what,
    const char *remedy)
{
	fault_set(f, what, FAULT_NO_OFFSET, 0);
	f->file = file;
	f->remedy = remedy;
	return -ESRCH;
}

/* Returns the process that a thread belongs to; 0 if there is none. */
static pid_t
process_of_thread(pid_t tid)
{
	char path[32], line[128];
	int pid = 0;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)tid);
	in = fopen(path, "re");
	while (in != NULL && pid == 0 && fgets(line, sizeof(line), in) != NULL)
		if (sscanf(line, "Tgid: %d", &pid) != 1)
			pid = 0;
	if (in != NULL)
		fclose(in);
	return pid;
}

/*
 * Adds a process to the list, unless it is there.  Returns 0, or -ESRCH with *f
 * set.
 */
static int
add_process(struct attached *a, pid_t pid, struct fault *f)
{
	struct attached_process *p = &a->all[a->count];

	for (size_t i = 0; i < a->count; i++)
		if (a->all[i].pid == pid)
			return 0;
	*p = (struct attached_process) { .pid = pid };
	snprintf(p->name, sizeof(p->name), "%d", (int)pid);
	p->start = process_state_start_ns(pid);
	if (p->start == 0)
		return fault_process(f, p->name, "no such process runs", NULL);
	if (process_of_thread(pid) != pid)
		return fault_process(f, p->name, "is a thread, no process",
		    "name its process, which is Tgid in its /proc/TID/status");
	a->count++;
	a->running++;
	return 0;
}

/* Adds the processes of a list.  Returns as attached_open(). */
static int
parse_list(struct attached *a, const char *pids, struct fault *f)
{
	size_t room = 1;
	int ret = 0;

	for (const char *at = pids; *at != '\0'; at++)
		room += *at == ',';
	a->all = calloc(room, sizeof(*a->all));
	if (a->all == NULL)
		return fault_set_no_memory(f);
	for (const char *at = pids; ret == 0; at++) {
		const size_t bytes = strcspn(at, ",");
		const pid_t pid = parse_pid(at, bytes);

		if (pid == 0) {
			fault_process(f, pids, "is no list of processes",
			    "give numbers, as in 12,13");
			return -EINVAL;
		}
		ret = add_process(a, pid, f);
		at += bytes;
		if (*at == '\0')
			break;
	}
	return ret;
}

int
attached_watch(struct attached *a, int fd, struct fault *f)
{
	struct epoll_event e = { .events = EPOLLIN };

	return fd >= 0 && epoll_ctl(a->news, EPOLL_CTL_ADD, fd, &e) == 0 ? 0 :
	    fault_set(f, "cannot be waited for", FAULT_NO_OFFSET, errno);
}

int
attached_open(struct attached *a, const char *pids, struct fault *f)
{
	const struct itimerspec each = {
		.it_value.tv_nsec = LOOK_NS, .it_interval.tv_nsec = LOOK_NS,
	};
	int ret;

	*a = (struct attached) { .news = -1, .timer = -1 };
	ret = parse_list(a, pids, f);
	if (ret != 0)
		return ret;
	a->news = epoll_create1(EPOLL_CLOEXEC);
	if (a->news >= 0)
		a->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC |
		    TFD_NONBLOCK);
	if (a->timer < 0)
		return fault_set(f, "no timer can be made", FAULT_NO_OFFSET,
		    errno);
	timerfd_settime(a->timer, 0, &each, NULL);
	return attached_watch(a, a->timer, f);
}

static bool
has_thread(const struct attached *a, pid_t tid)
{
	const uint32_t hash = hash_index_hash((uint32_t)tid);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&a->by_tid, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (a->tids[n] == tid)
			return true;
	return false;
}

static int
add_thread(struct attached *a, pid_t tid)
{
	int ret = vector_grow(&a->tids, a->tid_count, &a->tid_room,
	    sizeof(*a->tids));

	if (ret == 0)
		ret = hash_index_add(&a->by_tid, hash_index_hash((uint32_t)tid),
		    (uint32_t)a->tid_count);
	if (ret == 0)
		a->tids[a->tid_count++] = tid;
	return ret;
}

/*
 * Adds the threads of a process that are not known; none if it has ended.
 * Returns 0 or -ENOMEM.
 */
static int
find_threads(struct attached *a, pid_t pid)
{
	char path[32];
	struct dirent *e;
	int ret = 0;
	DIR *all;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	all = opendir(path);
	while (all != NULL && ret == 0 && (e = readdir(all)) != NULL) {
		const pid_t tid = parse_pid(e->d_name, strlen(e->d_name));

		if (tid != 0 && !has_thread(a, tid))
			ret = add_thread(a, tid);
	}
	if (all != NULL)
		closedir(all);
	return ret;
}

ssize_t
attached_find_threads(struct attached *a)
{
	const size_t before = a->tid_count;

	for (size_t i = 0; i < a->count; i++)
		if (find_threads(a, a->all[i].pid) != 0)
			return -ENOMEM;
	return (ssize_t)(a->tid_count - before);
}

bool
attached_have_ended(struct attached *a)
{
	uint64_t times;

	while (read(a->timer, &times, sizeof(times)) < 0 && errno == EINTR)
		;
	for (size_t i = 0; i < a->count; i++) {
		struct attached_process *p = &a->all[i];

		if (p->ended || process_state_started_at(p->pid, p->start))
			continue;
		p->ended = true;
		a->running--;
	}
	return a->running == 0;
}

void
attached_close(struct attached *a)
{
	if (a->news >= 0)
		close(a->news);
	if (a->timer >= 0)
		close(a->timer);
	free(a->all);
	free(a->tids);
	hash_index_free(&a->by_tid);
	*a = (struct attached) { .news = -1, .timer = -1 };
}
