/* Context: load.  CPU time of every kind: in the kernel, in faults, in bursts
 * between sleeps, in threads that are gone at once.  Prints where it went. */
#include "load.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>

static double elapsed_in[2];	/* system calls, user code */

/* Never as long as the one before: else 10,000 ticks a second are in step. */
__attribute__((noinline)) static void
call_kernel(int fd, char *page)
{
	double t = load_clock(CLOCK_THREAD_CPUTIME_ID);

	LOAD_TRY(pread(fd, page, (size_t)random() % (1 << 21), 0));
	elapsed_in[0] += load_clock(CLOCK_THREAD_CPUTIME_ID) - t;
}

static void
syscalls(double seconds)
{
	static char page[1 << 21];
	double t, end = load_clock(CLOCK_THREAD_CPUTIME_ID) + seconds;
	int fd;

	LOAD_TRY(fd = open("/dev/zero", O_RDONLY));
	while ((t = load_clock(CLOCK_THREAD_CPUTIME_ID)) < end) {
		call_kernel(fd, page);
		call_kernel(fd, page);
		load_spin(10000 + (uint64_t)random() % 20000);
	}
	close(fd);
	printf("syscalls %.6f\n", elapsed_in[0]);
}

static void
faults(double seconds)
{
	const size_t bytes = 1 << 22;
	double end = load_clock(CLOCK_THREAD_CPUTIME_ID) + seconds;
	char *p;
	size_t i;

	while (load_clock(CLOCK_THREAD_CPUTIME_ID) < end) {
		p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (p == MAP_FAILED)
			load_die("mmap");
		madvise(p, bytes, MADV_NOHUGEPAGE);
		for (i = 0; i < bytes; i += 4096)
			p[i] = 1;
		munmap(p, bytes);
	}
}

/* Bursts far below a tick: a clock that starts afresh at each wake-up, or one
 * that ticks in step with the timer that wakes us, sees none of this. */
static void
sleeper(double seconds)
{
	double t, end = load_clock(CLOCK_THREAD_CPUTIME_ID) + seconds;
	int n = 0;

	while ((t = load_clock(CLOCK_THREAD_CPUTIME_ID)) < end) {
		load_burn(0.0003);
		load_sleep(0.0002 + 0.0001 * (n++ % 7));
	}
}

static void *
blink(void *arg)
{
	load_burn(*(double *)arg);
	return NULL;
}

/* Two at a time, each of `each` CPU seconds, until `seconds` are used. */
static void
threads(double seconds, double each)
{
	double end = load_clock(CLOCK_PROCESS_CPUTIME_ID) + seconds;
	pthread_t id[2];
	long n = 0;

	for (; load_clock(CLOCK_PROCESS_CPUTIME_ID) < end; n += 2) {
		if (pthread_create(&id[0], NULL, blink, &each) != 0 ||
		    pthread_create(&id[1], NULL, blink, &each) != 0)
			load_die("pthread_create");
		pthread_join(id[0], NULL);
		pthread_join(id[1], NULL);
	}
	printf("threads %ld\n", n);
}

static void *
asleep(void *arg)
{
	load_sleep(*(double *)arg);
	return NULL;
}

/* Seconds that this thread was ready, and others ran: no sleep either. */
static double
waited(void)
{
	unsigned long long ran, waits = 0;
	FILE *f = fopen("/proc/thread-self/schedstat", "r");

	if (f == NULL || fscanf(f, "%llu %llu", &ran, &waits) != 2)
		waits = 0;
	if (f != NULL)
		fclose(f);
	return (double)waits / 1e9;
}

/* Half of the real time at work.  Five spells are 50 ms: in step with a clock
 * of 100 Hz that does not vary. */
static void *
half(void *arg)
{
	double end = load_clock(CLOCK_MONOTONIC) + *(double *)arg, t, u;
	double slept = 0, late;
	int n = 0;

	while ((t = load_clock(CLOCK_MONOTONIC)) < end) {
		load_burn(0.003 + 0.001 * (n++ % 5));
		u = load_clock(CLOCK_MONOTONIC);
		late = waited();
		load_sleep(u - t);
		late = waited() - late;
		slept += load_clock(CLOCK_MONOTONIC) - u - late;
	}
	printf("slept %.6f\n", slept);
	return NULL;
}

/* Real time: a thread that sleeps, one that does half of the time. */
static void
wall(double seconds)
{
	pthread_t id[2];

	if (pthread_create(&id[0], NULL, asleep, &seconds) != 0 ||
	    pthread_create(&id[1], NULL, half, &seconds) != 0)
		load_die("pthread_create");
	pthread_join(id[0], NULL);
	pthread_join(id[1], NULL);
}

int
main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	double seconds = load_number(argc, argv, 2, 1);

	if (strcmp(kind, "burn") == 0)
		load_burn(seconds);
	else if (strcmp(kind, "syscalls") == 0)
		syscalls(seconds);
	else if (strcmp(kind, "faults") == 0)
		faults(seconds);
	else if (strcmp(kind, "sleeper") == 0)
		sleeper(seconds);
	else if (strcmp(kind, "wall") == 0)
		wall(seconds);
	else if (strcmp(kind, "blink") == 0)
		threads(seconds, load_number(argc, argv, 3, 0.0007));
	else
		return 2;
	printf("cpu %.6f\n", load_clock(CLOCK_PROCESS_CPUTIME_ID));
	return 0;
}
