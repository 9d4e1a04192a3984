/*
 * Context: load.  Programs that live by their own faults, as collectors and
 * debuggers do: own_faults KIND [NUMBER].  Each prints what must have come out.
 */
#include "load.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>

#define PAGE		4096
#define PAGES		64
#define THREADS		4

static double end;
static atomic_long handled, wrong;
static atomic_int deepest;
static __thread int within;

static void
on(int sig, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction sa = { .sa_flags = flags | SA_SIGINFO };

	sa.sa_sigaction = handler;
	LOAD_TRY(sigaction(sig, &sa, NULL));
}

static char *
pages(size_t count, int protection)
{
	char *at = mmap(NULL, count * PAGE, protection, MAP_PRIVATE |
	    MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		load_die("mmap");
	return at;
}

/* A barrier: who touches a page is let in, after some work. */
static void
let_in(int sig, siginfo_t *info, void *context)
{
	char *page = (char *)((uintptr_t)info->si_addr & -(uintptr_t)PAGE);

	(void)sig, (void)context;
	load_spin(20000);
	LOAD_TRY(mprotect(page, PAGE, PROT_READ | PROT_WRITE));
	handled++;
}

static int
mask_differs(const sigset_t *before)
{
	sigset_t now;

	pthread_sigmask(SIG_BLOCK, NULL, &now);
	for (int sig = 1; sig <= SIGRTMAX; sig++)
		if (sigismember(&now, sig) != sigismember(before, sig))
			return 1;
	return 0;
}

static void *
collect(void *arg)
{
	char *heap = pages(PAGES, PROT_NONE);
	sigset_t before;
	unsigned char rounds = 0;

	(void)arg;
	pthread_sigmask(SIG_BLOCK, NULL, &before);
	while (load_clock(CLOCK_MONOTONIC) < end) {
		rounds++;
		for (int i = 0; i < PAGES; i++)
			heap[i * PAGE + i]++;
		LOAD_TRY(mprotect(heap, PAGES * PAGE, PROT_NONE));
		handled -= PAGES;
		wrong += mask_differs(&before);
	}
	LOAD_TRY(mprotect(heap, PAGES * PAGE, PROT_READ));
	for (int i = 0; i < PAGES; i++)
		wrong += (unsigned char)heap[i * PAGE + i] != rounds;
	return NULL;
}

/* The handler allocates, as the threads do all the time. */
static void
allocate_in(int sig, siginfo_t *info, void *context)
{
	char *p = malloc(1000 + (size_t)handled % 100000);

	if (p == NULL)
		load_die("malloc");
	*(volatile char *)p = 1;
	free(p);
	let_in(sig, info, context);
}

/* rbp is a register like any other: it points to what may not be read. */
static void
wander(uint64_t n, const void *at)
{
#ifdef __x86_64__
	__asm__ volatile(
	    "push %%rbp\n"
	    "	mov %1, %%rbp\n"
	    "1:	dec %0\n"
	    "	jnz 1b\n"
	    "	pop %%rbp\n"
	    : "+r"(n) : "r"(at) : "cc", "memory");
#else
	(void)at;
	load_spin(n);
#endif
}

static void *
allocate(void *arg)
{
	char *heap = pages(PAGES, PROT_NONE);
	void *had[64] = { NULL };

	(void)arg;
	for (unsigned n = 0; load_clock(CLOCK_MONOTONIC) < end; n++) {
		for (unsigned i = 0; i < 64; i++) {
			free(had[i]);
			had[i] = malloc(16 + (n * 64 + i) * 97 % 5000);
		}
		wander(20000, heap);
		heap[n % PAGES * PAGE] = 1;
		LOAD_TRY(mprotect(heap + n % PAGES * PAGE, PAGE, PROT_NONE));
		handled--;
	}
	for (unsigned i = 0; i < 64; i++)
		free(had[i]);
	return NULL;
}

static void
in_threads(void *(*run)(void *))
{
	pthread_t id[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&id[i], NULL, run, NULL) != 0)
			load_die("pthread_create");
	for (int i = 0; i < THREADS; i++)
		pthread_join(id[i], NULL);
}

static struct sigaction before;

/* Calls whom it replaced, if that is somebody. */
static void
chained(int sig, siginfo_t *info, void *context)
{
	int depth = ++within;

	if (depth > deepest)
		deepest = depth;
	handled++;
	if ((before.sa_flags & SA_SIGINFO) != 0)
		before.sa_sigaction(sig, info, context);
	else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
		before.sa_handler(sig);
	within--;
}

/* Around each call of something else, as libraries of runtimes do. */
static void
chain(int sig, long count)
{
	for (long i = 0; i < count; i++) {
		LOAD_TRY(sigaction(sig, NULL, &before));
		on(sig, chained, 0);
		load_spin(100);
		if (i % 64 == 0) {
			raise(sig);
			handled--;
		}
		LOAD_TRY(sigaction(sig, &before, NULL));
	}
}

static volatile int *nowhere;

static void
fault(int sig, siginfo_t *info, void *context)
{
	(void)sig, (void)info, (void)context;
	*nowhere = 1;
}

static void
gives_up(int sig, siginfo_t *info, void *context)
{
	(void)info, (void)context;
	load_spin(1000000);
	signal(sig, SIG_DFL);
}

static void
aborts(int sig, siginfo_t *info, void *context)
{
	(void)sig, (void)info, (void)context;
	abort();
}

static void
leaves(int sig, siginfo_t *info, void *context)
{
	(void)sig, (void)info, (void)context;
	_exit(3);
}

/* A fault that its handler does not mend. */
static void
end_by(const char *how)
{
	if (strcmp(how, "again") == 0)
		on(SIGSEGV, fault, 0);
	else if (strcmp(how, "deeper") == 0)
		on(SIGSEGV, fault, SA_NODEFER);
	else if (strcmp(how, "once") == 0)
		on(SIGSEGV, let_in, SA_RESETHAND);
	else if (strcmp(how, "gives_up") == 0)
		on(SIGSEGV, gives_up, 0);
	else if (strcmp(how, "aborts") == 0)
		on(SIGSEGV, aborts, 0);
	else if (strcmp(how, "leaves") == 0)
		on(SIGSEGV, leaves, 0);
	else
		exit(2);
	load_spin(20000000);
	nowhere = (volatile int *)pages(2, PROT_NONE);
	*nowhere = 1;
	nowhere += PAGE / sizeof(*nowhere);
	if (strcmp(how, "once") == 0)
		*nowhere = 2;
}

int
main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	double number = load_number(argc, argv, 2, 1);

	end = load_clock(CLOCK_MONOTONIC) + number;
	if (strcmp(kind, "collect") == 0) {
		on(SIGSEGV, let_in, 0);
		in_threads(collect);
	} else if (strcmp(kind, "allocate") == 0) {
		on(SIGSEGV, allocate_in, 0);
		in_threads(allocate);
	} else if (strcmp(kind, "chain") == 0) {
		chain(SIGPROF, (long)number);
		chain(SIGSEGV, (long)number);
	} else if (strcmp(kind, "end") == 0 && argc > 2) {
		end_by(argv[2]);
	} else {
		return 2;
	}
	printf("%s unhandled %ld wrong %ld deepest %d\n", kind, (long)handled,
	    (long)wrong, (int)deepest);
	return 0;
}
