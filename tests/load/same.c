/* Context: load.  Calls everything that libmon hooks and prints what each call
 * returned and changed; bare and under libmon the text must be the same. */
#include "same.h"

#include <pthread.h>

static volatile int stop;

static void *
spin(void *arg)
{
	while (!stop)
		load_spin(100000);
	return arg;
}

static void
run(const struct same_call *c)
{
	struct same_state *before, *after;
	long r;
	int error;

	load_burn(0.005);	/* the clocks are on and have ticked */
	before = same_take();
	errno = 77;
	r = c->call();
	error = errno;
	after = same_take();
	if (r < 0 || error != 77)
		printf("%s = %ld errno %d\n", c->name, r, error);
	else
		printf("%s = %ld\n", c->name, r);
	same_print(before, after);
	free(before);
	free(after);
}

/* same [busy]: with a thread that makes ticks come to the process all along. */
int
main(int argc, char **argv)
{
	static const struct same_call *const parts[] = {
		same_signal, same_wait, same_process, same_apart, same_thread,
		same_gmon
	};
	const struct same_call *c;
	struct same_state *s;
	size_t i;
	pthread_t id;

	setvbuf(stdout, NULL, _IOLBF, 0);	/* children inherit no text */
	load_burn(0.02);
	if (argc > 1 && strcmp(argv[1], "busy") == 0)
		pthread_create(&id, NULL, spin, NULL);
	s = same_take();
	puts("at first");
	same_print(NULL, s);
	free(s);
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		for (c = parts[i]; c->name; c++)
			run(c);
	s = same_take();
	puts("at last");
	same_print(NULL, s);
	free(s);
	stop = 1;
	return 0;
}
