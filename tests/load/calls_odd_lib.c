/* Context: load.  The library of calls_odd.c, compiled for counting; -DRESOLVER
 * and -DWAITS have it run before anybody is ready for it. */
#include <pthread.h>

#define BARE __attribute__((no_instrument_function))
#define WHOLE __attribute__((noinline))

WHOLE double
odd_add(double a, double b, double c, double d, double e, double f, double g,
    double h)
{
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
}

#ifdef RESOLVER
/* Runs while the loader relocates this library: before libmon.so, as a rule. */
static int
one(void)
{
	return 1;
}

static int (*
resolve(void))(void)
{
	return one;
}

static int picked(void) __attribute__((ifunc("resolve")));
#else
static int
picked(void)
{
	return 1;
}
#endif

WHOLE int
odd_pick(void)
{
	return picked();
}

#ifdef WAITS
static WHOLE void *
work(void *arg)
{
	return arg;
}

/* The loader's lock is held here, and whoever asks for it waits for us. */
BARE __attribute__((constructor)) static void
begin(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, work, NULL) == 0)
		pthread_join(thread, NULL);
}
#endif
