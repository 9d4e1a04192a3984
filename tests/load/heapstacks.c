/*
 * Context: O.  Allocations from stacks that are not what they were before.
 *
 * heapstacks inherited: a thread whose stack ends 256 KiB before that of the
 * one before it, whose functions are called from the same places. heapstacks
 * hidden: a function that has no return address for a while.
 */
#include "load.h"

#include <alloca.h>
#include <pthread.h>
#include <sys/mman.h>

#define MIB	((size_t)1 << 20)
#define FAR	(MIB / 4)

static void *volatile block;
static uintptr_t place;

__attribute__((noinline)) static void
ask(size_t n)
{
	place = (uintptr_t)__builtin_frame_address(0);
	free(block = malloc(n));
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void
take(size_t bytes)
{
	char *volatile p = alloca(bytes + 1);

	*p = 1;
	ask(7);
	*p = 2;
}

static void *
work(void *bytes)
{
	take((size_t)bytes);
	return NULL;
}

/* A stack of more than libc keeps for the next thread. */
static uintptr_t
thread(size_t stack, size_t bytes)
{
	pthread_attr_t attr;
	pthread_t t;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, stack);
	if (pthread_create(&t, &attr, work, (void *)bytes) != 0)
		load_die("pthread_create");
	pthread_join(t, NULL);
	usleep(20000);		/* the kernel has let it go, too */
	return place;
}

static void
inherited(void)
{
	uintptr_t before;

	for (int i = 0; i < 3; i++)
		before = thread(64 * MIB, FAR);
	if (mmap(NULL, FAR, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
	    MAP_FAILED)
		load_die("mmap");
	printf("same %d\n", thread(64 * MIB - FAR, 0) == before);
}

#if defined(__x86_64__)
static volatile int never;

__attribute__((noinline)) static void
hide(int hidden, size_t n)
{
	void *volatile *at = (void *volatile *)__builtin_frame_address(0) + 1;
	void *was = *at;

	if (hidden)
		*at = NULL;
	ask(n);
	*at = was;
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void
one(int hidden, size_t n)
{
	hide(hidden, n);
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void
other(int hidden, size_t n)
{
	hide(hidden, n);
	__asm__ volatile("nop" ::: "memory");
}

static void
hidden(void)
{
	for (int i = 0; i < 5; i++) {
		one(!never, 100);
		one(never, 1000);
		other(never, 10000);
		other(never, 20000);
	}
	printf("same 1\n");
}
#else
static void
hidden(void)
{
	printf("same 0\n");
}
#endif

int
main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "inherited") == 0)
		inherited();
	else if (argc == 2 && strcmp(argv[1], "hidden") == 0)
		hidden();
	else
		return 2;
	return 0;
}
