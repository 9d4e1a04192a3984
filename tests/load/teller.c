/* Context: load.  Tells others by libmontell: teller THREADS TIMES WHO COMMAND
 * [VALUE].  Each thread tells so often; the first one's first reports are
 * printed.  Its own handler of SIGBUS is to be the one at the end, as it was
 * before. */
#include "mon_tell.h"

#include "load.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

static const char *const words[] = {
	"done", "armed", "refused", "silent", "gone", "to come", "fault",
};
static char **ask;
static int times;
static _Atomic long reports;

static void
print(void *loud, const struct mon_tell *t)
{
	atomic_fetch_add(&reports, 1);
	if (loud == NULL)
		return;
	if (t->bytes < sizeof *t)
		load_die("an older library");
	printf("%s pid %d stopped %d watch %s interval %llu ticks %llu%s%s\n",
	    words[t->answer], (int)t->pid, t->stopped, t->watch,
	    (unsigned long long)t->interval_ns, (unsigned long long)t->ticks,
	    t->problem != NULL ? ": " : "",
	    t->problem != NULL ? t->problem : "");
}

static void *
tell(void *first)
{
	int ret = 0;

	for (int i = 0; i < times; i++) {
		ret = mon_tell(ask[0], ask[1], ask[2], print,
		    i == 0 ? first : NULL);
		if (first != NULL && i == 0)
			printf("%d %s\n", ret, ret < 0 ? strerrorname_np(errno)
			    : "");
	}
	return NULL;
}

static void
on_bus(int sig)
{
	(void)sig;
}

int
main(int argc, char **argv)
{
	const int threads = argc > 1 ? atoi(argv[1]) : 0;
	pthread_t others[64];
	struct sigaction a = { .sa_handler = on_bus }, now;

	if (argc < 5 || threads < 1 || threads > 64)
		load_die("teller THREADS TIMES WHO COMMAND [VALUE]");
	times = atoi(argv[2]);
	ask = argv + 3;
	sigaction(SIGBUS, &a, NULL);
	for (int i = 1; i < threads; i++)
		pthread_create(&others[i], NULL, tell, NULL);
	tell(&times);
	for (int i = 1; i < threads; i++)
		pthread_join(others[i], NULL);
	sigaction(SIGBUS, NULL, &now);
	if (now.sa_handler != on_bus)
		load_die("SIGBUS has another handler now");
	raise(SIGBUS);
	printf("%ld reports\n", atomic_load(&reports));
	return 0;
}
