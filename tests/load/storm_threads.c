/* Context: load.  Storms of threads: born and gone at once, cancelled, many
 * at a time, walking their own stacks.  Each prints what must have come out. */
#include "load.h"

#include <execinfo.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long done;

static void *
short_thread(void *arg)
{
	load_spin(2000);
	atomic_fetch_add(&done, 1);
	return arg;
}

/* Memory of this image alone: ru_maxrss takes in the parent's before exec. */
static long
resident_peak(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];
	long kib = -1;

	while (f != NULL && kib < 0 && fgets(line, sizeof(line), f) != NULL)
		if (strncmp(line, "VmHWM:", 6) == 0)
			kib = atol(line + 6);
	if (f == NULL || fclose(f) != 0 || kib < 0)
		load_die("/proc/self/status");
	return kib;
}

static void
many(long count)
{
	pthread_attr_t detached;
	pthread_t id;
	long i;

	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	for (i = 0; i < count; i++) {
		if (i % 4 == 3) {
			while (pthread_create(&id, &detached, short_thread,
			    NULL) == EAGAIN)
				load_sleep(0.001);
			continue;
		}
		if (pthread_create(&id, NULL, short_thread, &done) != 0)
			load_die("pthread_create");
		pthread_join(id, NULL);
	}
	while (atomic_load(&done) < count)
		load_sleep(0.001);
	printf("many %ld\npeak %ld\n", atomic_load(&done), resident_peak());
}

static void
cleaned(void *arg)
{
	(void)arg;
	atomic_fetch_add(&done, 1);
}

/*
 * Cancelled in the middle of work, at a cancellation point, or while blocked.
 */
static void *
victim(void *arg)
{
	if ((long)arg % 3 == 0)
		pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	pthread_cleanup_push(cleaned, NULL);
	for (;;) {
		if ((long)arg % 3 == 2)
			load_sleep(10);
		load_spin(1000);
		pthread_testcancel();
	}
	pthread_cleanup_pop(1);
	return NULL;
}

static void
cancel(double seconds)
{
	double end = load_clock(CLOCK_MONOTONIC) + seconds;
	long n, cancelled = 0, i;
	pthread_t id[6];
	void *result;

	for (n = 0; load_clock(CLOCK_MONOTONIC) < end; n += 6) {
		for (i = 0; i < 6; i++)
			if (pthread_create(&id[i], NULL, victim, (void *)i))
				load_die("pthread_create");
		load_spin(1000 * (uint64_t)(n % 50));
		for (i = 0; i < 6; i++)
			pthread_cancel(id[i]);
		for (i = 0; i < 6; i++) {
			pthread_join(id[i], &result);
			cancelled += result == PTHREAD_CANCELED;
		}
	}
	/*
	 * One that is cancelled before it has its handler has nothing to clean.
	 */
	printf("cancel %s %s\n", cancelled == n ? "all" : "some",
	    atomic_load(&done) <= n ? "sane" : "cleaned twice");
}

struct walk_arguments {
	double seconds;
	uint64_t wrong;
};

__attribute__((noinline)) static int
depth(int n)
{
	void *frames[64];
	int r = n ? depth(n - 1) : backtrace(frames, 64);

	__asm__ volatile("");
	return r;
}

static void *
walker(void *arg)
{
	struct walk_arguments *w = arg;
	double end = load_clock(CLOCK_MONOTONIC) + w->seconds;
	int n;

	while (load_clock(CLOCK_MONOTONIC) < end)
		for (n = 0; n < 20; n++)
			w->wrong += depth(n) != depth(0) + n;
	return NULL;
}

static void
backtraces(double seconds)
{
	struct walk_arguments w[8];
	pthread_t id[8];
	uint64_t wrong = 0;
	int i;

	for (i = 0; i < 8; i++) {
		w[i] = (struct walk_arguments){ seconds, 0 };
		if (pthread_create(&id[i], NULL, walker, &w[i]) != 0)
			load_die("pthread_create");
	}
	for (i = 0; i < 8; i++) {
		pthread_join(id[i], NULL);
		wrong += w[i].wrong;
	}
	printf("backtraces wrong %llu\n", (unsigned long long)wrong);
}

/* A sum that a lost or doubled instruction would change; vector registers
 * hold half of it. */
static void *
summer(void *arg)
{
	double *a = arg, sum = 0;
	float v[16] = { 0 };
	int i, j;

	for (i = 0; i < (int)a[0]; i++)
		for (j = 0; j < 16; j++) {
			v[j] += 1;
			sum += 0.5;
		}
	for (j = 0; j < 16; j++)
		sum += (double)v[j];
	a[1] = sum;
	return NULL;
}

static void
busy(double rounds)
{
	double a[64][2];
	pthread_t id[64];
	int i, right = 0;

	for (i = 0; i < 64; i++) {
		a[i][0] = rounds;
		if (pthread_create(&id[i], NULL, summer, a[i]) != 0)
			load_die("pthread_create");
	}
	for (i = 0; i < 64; i++) {
		pthread_join(id[i], NULL);
		right += a[i][1] == rounds * 16 * 1.5;
	}
	printf("busy right %d\n", right);
}

#define FIRST 200
static pthread_t first[FIRST];

static void *
allocate(void *arg)
{
	for (size_t i = 0; i < 20000; i++) {
		char *p = malloc(i % 3000 + 1);

		if (p == NULL)
			load_die("malloc");
		*(volatile char *)p = 1;
		free(p);
	}
	atomic_fetch_add(&done, 1);
	return arg;
}

/* libc hands arguments to constructors, too. */
__attribute__((constructor)) static void
begin(int argc, char **argv)
{
	if (argc < 2 || strcmp(argv[1], "first") != 0)
		return;
	for (int i = 0; i < FIRST; i++)
		if (pthread_create(&first[i], NULL, allocate, NULL) != 0)
			load_die("pthread_create");
}

static void
wait_for_first(void)
{
	for (int i = 0; i < FIRST; i++)
		pthread_join(first[i], NULL);
	printf("first %ld\n", atomic_load(&done));
}

int
main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	double number = load_number(argc, argv, 2, 1);

	if (strcmp(kind, "many") == 0)
		many((long)number);
	else if (strcmp(kind, "cancel") == 0)
		cancel(number);
	else if (strcmp(kind, "backtraces") == 0)
		backtraces(number);
	else if (strcmp(kind, "first") == 0)
		wait_for_first();
	else if (strcmp(kind, "busy") == 0)
		busy(number);	/* below 2^24: a float counts exactly */
	else
		return 2;
	return 0;
}
