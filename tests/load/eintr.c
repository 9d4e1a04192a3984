/* Context: load.  Every call that signal(7) says is never restarted, each in a
 * thread of its own that also burns CPU time; none may see EINTR, and each
 * must end as it would without us.  Prints a line a call. */
#include "eintr.h"

#include <pthread.h>

static volatile double end;

#define ROW(name) { #name, call_##name, 0, 0, 0 },
static struct row {
	const char *name;
	int (*call)(void);
	long calls, interrupted, wrong;
} rows[] = {
	EINTR_CALLS(ROW)
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

static void *
repeat(void *arg)
{
	struct row *row = arg;
	int error;

	while (load_clock(CLOCK_MONOTONIC) < end) {
		load_burn(0.0007);	/* the clock is running when we go in */
		errno = 0;
		error = row->call();
		row->calls++;
		row->interrupted += error == EINTR;
		if (error != 0 && error != EINTR && row->wrong++ == 0)
			fprintf(stderr, "%s: %s (%d)\n", row->name,
			    strerror(error), error);
	}
	return NULL;
}

/* Calls that wait for a partner for good must not keep us at the end. */
static void *
finish(void *arg)
{
	double last = end + 2;

	while (load_clock(CLOCK_MONOTONIC) < last) {
		call_msgsnd();
		call_semop_up();
		call_pthread_kill();
	}
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t id[ROWS], last;
	size_t i;
	int bad = 0;

	eintr_wait_init();
	eintr_ipc_init();
	end = load_clock(CLOCK_MONOTONIC) + load_number(argc, argv, 1, 2);
	for (i = 0; i < ROWS; i++)
		if (pthread_create(&id[i], NULL, repeat, &rows[i]) != 0)
			load_die("pthread_create");
	while (load_clock(CLOCK_MONOTONIC) < end)
		load_spin(100000);	/* and a thread that never sleeps */
	pthread_create(&last, NULL, finish, NULL);
	for (i = 0; i < ROWS; i++)
		pthread_join(id[i], NULL);
	pthread_join(last, NULL);
	eintr_ipc_fini();
	for (i = 0; i < ROWS; i++) {
		printf("%s calls %ld EINTR %ld wrong %ld\n", rows[i].name,
		    rows[i].calls, rows[i].interrupted, rows[i].wrong);
		bad += rows[i].interrupted || rows[i].wrong || !rows[i].calls;
	}
	return bad != 0;
}
