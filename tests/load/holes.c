/* Context: load.  Addresses that the program gave up and takes again with
 * MAP_FIXED, as it may while nobody else maps memory in its process: each kind
 * is another way to take them. */
#include "load.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define PAGE 4096
#define ROUNDS 10

static int taken;

static char *
fixed(char *at, size_t bytes)
{
	char *p = mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE |
	    MAP_ANONYMOUS | (at == NULL ? 0 : MAP_FIXED), -1, 0);

	if (p == MAP_FAILED)
		load_die("mmap");
	return p;
}

/*
 * Detects a mapping that another thread has made meanwhile: mincore(2) fails in
 * a hole.
 */
static void
again(size_t bytes)
{
	unsigned char resident;
	char *p = fixed(NULL, bytes);

	memset(p, 1, bytes);
	munmap(p, bytes);
	load_burn(0.02);
	taken += mincore(p, PAGE, &resident) == 0;
	fixed(p, bytes);
	memset(p, 0xff, bytes);
	load_burn(0.01);
	munmap(p, bytes);
}

static void
small(void)
{
	int i;

	for (i = 0; i < ROUNDS; i++)
		again(PAGE);
}

static void
large(void)
{
	int i;

	for (i = 0; i < ROUNDS; i++)
		again((size_t)16 << 20);
}

static void *
burn(void *unused)
{
	load_burn(0.02);
	return unused;
}

static void
threads(void)
{
	pthread_t id;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		if (pthread_create(&id, NULL, burn, NULL) != 0)
			load_die("pthread_create");
		again((size_t)(i + 1) * PAGE);
		pthread_join(id, NULL);
	}
}

/* The child maps what its parent gave up. */
static void
forked(void)
{
	const size_t bytes = (size_t)16 << 20;
	char *p = fixed(NULL, bytes);
	int status = 0;

	munmap(p, bytes);
	if (fork() == 0) {
		load_burn(0.05);
		memset(fixed(p, bytes), 1, bytes);
		again(bytes);
		_exit(taken);
	}
	load_burn(0.05);
	LOAD_TRY(wait(&status));
	taken += status != 0;
}

/*
 * The kernel puts what the program maps, and the holes, below a reservation as
 * runtimes of languages make it.
 */
static void
reserved(void)
{
	const size_t bytes = (size_t)80 << 20;
	unsigned char resident;

	if (mmap(NULL, (size_t)1 << 40, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS |
	    MAP_NORESERVE, -1, 0) == MAP_FAILED)
		load_die("mmap");
	for (int i = 0; i < ROUNDS; i++) {
		char *p = fixed(NULL, bytes);
		size_t at = 0;

		munmap(p, bytes);
		load_burn(0.02);
		while (at < bytes && mincore(p + at, PAGE, &resident) != 0)
			at += PAGE;
		taken += at < bytes;
		memset(fixed(p, bytes), 0xff, bytes);
		load_burn(0.01);
		munmap(p, bytes);
	}
}

static void *
deep(void *low)
{
	volatile char c[512];

	c[0] = 1;
	return (char *)c < (char *)low ? NULL : deep(low);
}

/* A stack grows down into what was given up. */
static void
grows(void)
{
	const size_t whole = 288 * PAGE, stack = 32 * PAGE, first = 16 * PAGE;
	char *p = fixed(NULL, whole);
	pthread_attr_t a;
	pthread_t id;

	munmap(p, whole);
	if (mmap(p + whole - first, first, PROT_READ | PROT_WRITE, MAP_FIXED |
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0) == MAP_FAILED)
		load_die("mmap");
	load_burn(0.05);
	pthread_attr_init(&a);
	pthread_attr_setstack(&a, p + whole - stack, stack);
	if (pthread_create(&id, &a, deep, p + whole - stack + PAGE) != 0)
		load_die("pthread_create");
	pthread_join(id, NULL);
}

int
main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} kinds[] = {
		{ "small", small }, { "large", large }, { "threads", threads },
		{ "forked", forked }, { "grows", grows },
		{ "reserved", reserved },
	};
	unsigned i;

	for (i = 0; argc > 1 && i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strcmp(argv[1], kinds[i].name) == 0) {
			kinds[i].run();
			printf("%s taken %d\n", argv[1], taken);
			return 0;
		}
	return 2;
}
