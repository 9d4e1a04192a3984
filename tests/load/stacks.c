/*
 * Context: load.  Known stacks: stacks KIND [N].  All of the time is in leaf(),
 * or a call of the kernel's, below the functions that the kind is of; stacks.py
 * has their names.
 */
#include "load.h"

#include <alloca.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#define KEEP	__asm__ volatile("" ::: "memory")	/* no jump instead */
#define FUNCTION __attribute__((noinline, noclone)) uint64_t

static const double SECONDS = 0.6;
static double ends;		/* of this thread's CPU time */
static volatile uint64_t sink;

FUNCTION leaf(uint64_t n);

FUNCTION
leaf(uint64_t n)
{
	uint64_t x = n;

	for (int i = 0; i < 2000; i++) {
		x = x * 6364136223846793005u + 7;
		__asm__ volatile("" : "+r"(x));
	}
	return x;
}

static int
is_over(void)
{
	return load_clock(CLOCK_THREAD_CPUTIME_ID) >= ends;
}

/* A path through three levels of two functions each; it counts itself. */
static uint64_t taken[8];

#define LEVEL(name, left, right, bit) \
	FUNCTION name(uint64_t path); \
	FUNCTION \
	name(uint64_t path) \
	{ \
		uint64_t x = path & bit ? right(path) : left(path); \
		KEEP; \
		return x + 1; \
	}

FUNCTION end_of(uint64_t path);

FUNCTION
end_of(uint64_t path)
{
	uint64_t x = 0;

	taken[path]++;
	for (int i = 0; i < 40; i++)
		x += leaf(path);
	KEEP;
	return x;
}

LEVEL(c0, end_of, end_of, 4)
LEVEL(c1, end_of, end_of, 4)
LEVEL(b0, c0, c1, 4)
LEVEL(b1, c0, c1, 4)
LEVEL(a0, b0, b1, 2)
LEVEL(a1, b0, b1, 2)
LEVEL(top, a0, a1, 1)

/* Not evenly: 0 is taken eight times as often as 7. */
static void
paths(void)
{
	uint64_t state = 88172645463325252u;

	while (!is_over()) {
		uint64_t a, b;

		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		a = state & 7;
		b = state >> 3 & 7;
		sink += top(a < b ? a : b);
	}
	for (int i = 0; i < 8; i++)
		printf("%s%llu", i ? " " : "", (unsigned long long)taken[i]);
	putchar('\n');
}

FUNCTION recurse(uint64_t n);

FUNCTION
recurse(uint64_t n)
{
	uint64_t x = n == 0 ? leaf(n) : recurse(n - 1);

	KEEP;
	return x + n;
}

static void
deep(uint64_t n)
{
	while (!is_over())
		sink += recurse(n);
}

/* The stack pointer is moved by as much as nobody knows before. */
FUNCTION aligned(uint64_t n);

FUNCTION
aligned(uint64_t n)
{
	_Alignas(64) volatile char room[256];
	volatile char *more = alloca(n % 512 + 16);
	uint64_t x;

	room[n % 256] = more[0] = (char)n;
	x = leaf(n);
	KEEP;
	return x + (uint64_t)room[n % 256] + (uint64_t)more[0];
}

static void
odd_frames(void)
{
	for (uint64_t n = 0; !is_over(); n++)
		sink += aligned(n);
}

/* So much work, whatever it takes. */
static void
work(uint64_t n)
{
	for (int i = 0; i < 4000000; i++)
		sink += recurse(n);
}

static void
handler(int sig)
{
	(void)sig;
	sink += leaf(1);
	KEEP;
}

FUNCTION interrupted(uint64_t n);

/* By an instruction, not by a call. */
FUNCTION
interrupted(uint64_t n)
{
	volatile int *none = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE |
	    MAP_ANONYMOUS, -1, 0);
	uint64_t x = n;

	while (!is_over())
		x += (uint64_t)*none;
	return x;
}

static sigjmp_buf back;

/* The handler goes back by a jump: the load would fault for ever. */
static void
faulted(int sig)
{
	(void)sig;
	sink += leaf(1);
	KEEP;
	siglongjmp(back, 1);
}

static void
signals(int altstack)
{
	static char stack[65536];
	stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
	struct sigaction sa = {.sa_handler = faulted,
	    .sa_flags = altstack ? SA_ONSTACK : 0};

	LOAD_TRY(altstack ? sigaltstack(&own, NULL) : 0);
	LOAD_TRY(sigaction(SIGSEGV, &sa, NULL));
	while (!is_over())
		if (sigsetjmp(back, 1) == 0)
			interrupted(1);
}

/* Interrupted at address 0, which ends no stack. */
static void
null_calls(void)
{
	uint64_t (*volatile none)(uint64_t) = NULL;
	struct sigaction sa = {.sa_handler = faulted};

	LOAD_TRY(sigaction(SIGSEGV, &sa, NULL));
	while (!is_over())
		if (sigsetjmp(back, 1) == 0)
			sink += none(1);
}

FUNCTION raiser(uint64_t n);

FUNCTION
raiser(uint64_t n)
{
	raise(SIGUSR1);
	KEEP;
	return n;
}

static void
raised(void)
{
	signal(SIGUSR1, handler);
	while (!is_over())
		raiser(1);
}

static ucontext_t main_context, fibre_context;

static void
fibre(void)
{
	for (;;) {
		sink += leaf(3);
		swapcontext(&fibre_context, &main_context);
	}
}

/* Its stack is where malloc's memory is, and gone and there again. */
static void
fibres(void)
{
	while (!is_over()) {
		const size_t bytes = 65536;
		char *stack = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		getcontext(&fibre_context);
		fibre_context.uc_stack.ss_sp = stack;
		fibre_context.uc_stack.ss_size = bytes;
		makecontext(&fibre_context, fibre, 0);
		for (int i = 0; i < 100; i++)
			swapcontext(&main_context, &fibre_context);
		munmap(stack, bytes);
	}
}

__attribute__((noinline, noclone, noreturn)) void never(uint64_t n);
__attribute__((noinline, noclone)) void calls_never(uint64_t n);

void
never(uint64_t n)
{
	while (!is_over())
		sink += leaf(n);
	exit(0);
}

/* Its last instruction is the call: the return address is of another. */
void
calls_never(uint64_t n)
{
	sink += n;
	never(n);
}

FUNCTION reader(uint64_t n);

FUNCTION
reader(uint64_t n)
{
	static char room[1 << 20];
	static int zero = -1;

	if (zero < 0)
		zero = open("/dev/zero", O_RDONLY);
	n += (uint64_t)read(zero, room, sizeof room);
	KEEP;
	return n;
}

static void
system_calls(void)
{
	while (!is_over())
		sink += reader(1);
}

#define INLINED __attribute__((always_inline)) static inline uint64_t

INLINED
inner(uint64_t n)
{
	n = leaf(n) + 1;
	KEEP;
	return n;
}

INLINED
outer(uint64_t n)
{
	n = inner(n + 1) + inner(n + 2);
	KEEP;
	return n;
}

FUNCTION has_inlined(uint64_t n);

FUNCTION
has_inlined(uint64_t n)
{
	n += outer(n);
	KEEP;
	n += inner(n);
	KEEP;
	return n;
}

static void
inlined(void)
{
	while (!is_over())
		sink += has_inlined(3);
}

static int nothing, noise;

FUNCTION take(uint64_t n, int from);

FUNCTION
take(uint64_t n, int from)
{
	static char room[16384];

	n += (uint64_t)read(from, room, sizeof room);
	KEEP;
	return n;
}

/* So deep that no copy of a stack's end has what called it. */
FUNCTION down(uint64_t n, int from, unsigned depth);

FUNCTION
down(uint64_t n, int from, unsigned depth)
{
	volatile char room[40];

	room[0] = (char)n;
	n = depth == 0 ? take(n, from) : down(n, from, depth - 1);
	KEEP;
	return n + (uint64_t)room[0];
}

FUNCTION from_nothing(uint64_t n, unsigned depth);
FUNCTION from_noise(uint64_t n, unsigned depth);

FUNCTION
from_nothing(uint64_t n, unsigned depth)
{
	n += down(n, nothing, depth);
	KEEP;
	return n;
}

FUNCTION
from_noise(uint64_t n, unsigned depth)
{
	n += down(n, noise, depth);
	KEEP;
	return n;
}

/* By one way two that look the same, and are not in the kernel. */
static void
two_ways(unsigned depth)
{
	uint64_t random = 88172645463325252u;
	unsigned n;

	nothing = open("/dev/zero", O_RDONLY);
	noise = open("/dev/urandom", O_RDONLY);
	while (!is_over()) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		for (n = random % 64; n > 0; n--)
			sink += from_nothing(n, depth);
		for (n = random % 4; n > 0; n--)
			sink += from_noise(n, depth);
	}
}

static int quiet[2];		/* a pipe of nobody's */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never_told = PTHREAD_COND_INITIALIZER;

FUNCTION nap(uint64_t ns);
FUNCTION poll_pipe(uint64_t ns);
FUNCTION wait_told(uint64_t ns);
FUNCTION read_pipe(uint64_t ns);

FUNCTION
nap(uint64_t ns)
{
	const struct timespec t = {0, (long)ns};

	nanosleep(&t, NULL);
	KEEP;
	return ns;
}

FUNCTION
poll_pipe(uint64_t ns)
{
	const struct timespec t = {0, (long)ns};
	struct pollfd p = {quiet[0], POLLIN, 0};

	ppoll(&p, 1, &t, NULL);
	KEEP;
	return ns;
}

FUNCTION
wait_told(uint64_t ns)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += (long)ns;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	pthread_mutex_lock(&mutex);
	pthread_cond_timedwait(&never_told, &mutex, &t);
	pthread_mutex_unlock(&mutex);
	KEEP;
	return ns;
}

FUNCTION
read_pipe(uint64_t ns)
{
	char byte;

	ns += (uint64_t)read(quiet[0], &byte, 1);
	KEEP;
	return ns;
}

static void *
sleeper(void *sleeps)
{
	uint64_t (*const *fn)(uint64_t) = sleeps;
	const double until = load_clock(CLOCK_MONOTONIC) + SECONDS;

	while (load_clock(CLOCK_MONOTONIC) < until)
		sink += (*fn)(50000000);
	return NULL;
}

static void
sleepers(void)
{
	static uint64_t (*const sleeps[])(uint64_t) = {
		nap, poll_pipe, wait_told, read_pipe,
	};
	pthread_t thread[4];
	unsigned i;

	if (pipe(quiet) != 0)
		abort();
	for (i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, sleeper,
		    (void *)&sleeps[i]);
	for (i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	/* Closed and not written to: one that began late reads again. */
	close(quiet[1]);
	pthread_join(thread[3], NULL);
}

FUNCTION sleep_by(uint64_t ns, int polls);
FUNCTION napper(uint64_t ns);
FUNCTION poller(uint64_t ns);

FUNCTION
sleep_by(uint64_t ns, int polls)
{
	ns += polls ? poll_pipe(ns) : nap(ns);
	KEEP;
	return ns;
}

FUNCTION
napper(uint64_t ns)
{
	ns += sleep_by(ns, 0);
	KEEP;
	return ns;
}

FUNCTION
poller(uint64_t ns)
{
	ns += sleep_by(ns, 1);
	KEEP;
	return ns;
}

/* By one way two that sleep in turns, never long. */
static void *
in_turns(void *unused)
{
	const double until = load_clock(CLOCK_MONOTONIC) + 3 * SECONDS;

	while (load_clock(CLOCK_MONOTONIC) < until)
		sink += napper(20000) + poller(20000);
	return unused;
}

static void
turns(void)
{
	pthread_t thread[8];
	unsigned i;

	if (pipe(quiet) != 0)
		abort();
	for (i = 0; i < 8; i++)
		pthread_create(&thread[i], NULL, in_turns, NULL);
	for (i = 0; i < 8; i++)
		pthread_join(thread[i], NULL);
}

static void *
in_thread(void *unused)
{
	ends = load_clock(CLOCK_THREAD_CPUTIME_ID) + SECONDS;
	while (!is_over())
		sink += recurse(5);
	return unused;
}

/* Its stack is the program's, beside another mapping. */
static void
threads(void)
{
	const size_t bytes = 1 << 18;
	pthread_attr_t attr;
	pthread_t thread;
	char *stack = mmap(NULL, 3 * bytes, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, stack + bytes, bytes);
	pthread_create(&thread, &attr, in_thread, NULL);
	pthread_join(thread, NULL);
	LOAD_TRY(munmap(stack, 3 * bytes));
	pthread_create(&thread, NULL, in_thread, NULL);
	pthread_join(thread, NULL);
}

static void *
short_life(void *unused)
{
	load_burn(0.02);
	return unused;
}

static void
reused(void)
{
	pthread_t thread;

	for (int i = 0; i < 100; i++) {
		pthread_create(&thread, NULL, short_life, NULL);
		pthread_join(thread, NULL);
	}
}

int
main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";

	ends = load_clock(CLOCK_THREAD_CPUTIME_ID) + SECONDS;
	if (strcmp(kind, "paths") == 0)
		paths();
	else if (strcmp(kind, "deep") == 0)
		deep(strtoul(argv[2], NULL, 10));
	else if (strcmp(kind, "work") == 0)
		work(strtoul(argv[2], NULL, 10));
	else if (strcmp(kind, "odd") == 0)
		odd_frames();
	else if (strcmp(kind, "null_calls") == 0)
		null_calls();
	else if (strcmp(kind, "signals") == 0)
		signals(0);
	else if (strcmp(kind, "altstack") == 0)
		signals(1);
	else if (strcmp(kind, "raised") == 0)
		raised();
	else if (strcmp(kind, "fibres") == 0)
		fibres();
	else if (strcmp(kind, "never") == 0)
		calls_never(1);
	else if (strcmp(kind, "calls") == 0)
		system_calls();
	else if (strcmp(kind, "inlined") == 0)
		inlined();
	else if (strcmp(kind, "ways") == 0)
		two_ways((unsigned)strtoul(argv[2], NULL, 10));
	else if (strcmp(kind, "reused") == 0)
		reused();
	else if (strcmp(kind, "sleepers") == 0)
		sleepers();
	else if (strcmp(kind, "turns") == 0)
		turns();
	else if (strcmp(kind, "threads") == 0)
		threads();
	else
		return 2;
	return 0;
}
