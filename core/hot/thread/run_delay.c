/*
 * Context: S.  Reads schedstat of a thread from /proc, for thread_life.c,
 * sleep_sampler.c and the seal's sums; see run_delay.h.
 */
#include "thread/run_delay.h"

#include "base/str.h"
#include "module/proc_info.h"

/* three numbers of at most 20 digits */
#define RUN_DELAY_LINE	72

static void
write_schedstat_path(char *path, size_t room, int tid)
{
	struct str s;

	str_init(&s, path, room);
	str_add(&s, "/proc/self/");
	if (tid != 0) {
		str_add(&s, "task/");
		str_add_number(&s, (uint64_t)tid);
		str_add(&s, "/");
	}
	str_add(&s, "schedstat");
}

/* Reads a number and the blank or line end behind it. */
static uint64_t
next_number(const char **p)
{
	uint64_t n = str_decimal(p);

	if (**p != '\0')
		(*p)++;
	return n;
}

uint64_t
run_delay_read(int tid)
{
	char path[48], line[RUN_DELAY_LINE];
	const char *p = line;
	uint64_t delay;

	write_schedstat_path(path, sizeof(path), tid);
	if (proc_info_read(path, line, sizeof(line)) <= 0)
		return RUN_DELAY_UNKNOWN;
	next_number(&p);		/* time on a processor */
	delay = next_number(&p);
	/* times that it ran: a kernel that does not count says 0 */
	return next_number(&p) == 0 ? RUN_DELAY_UNKNOWN : delay;
}
