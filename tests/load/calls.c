/* Context: load.  A program that knows how often each of its functions was
 * called; built by the tests with -pg and the like.  Prints `function calls`
 * lines of this process at its end. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define BARE __attribute__((no_instrument_function))
#define WHOLE __attribute__((noinline, noclone))

typedef double four __attribute__((vector_size(32)));

static unsigned long leaf_calls, many_calls, handler_calls, deep_calls;
static unsigned long thread_calls, vararg_calls, jump_calls, nested_calls;
static volatile sig_atomic_t handled;
static jmp_buf back;

WHOLE uint64_t
leaf(uint64_t x)
{
	__asm__ volatile("" : "+r"(x));	/* or calls are left out */
	return x * 3 + 1;
}

/* Every argument register, and some on the stack. */
WHOLE double
many(long a, long b, long c, long d, long e, long f, long g, double h,
    double i, double j, double k, double l, double m, double n, double o,
    four p)
{
	return (double)(a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g) +
	    h + 2 * i + 3 * j + 4 * k + 5 * l + 6 * m + 7 * n + 8 * o +
	    p[0] + p[1] * 2 + p[2] * 3 + p[3] * 4;
}

/* %al says how many vector registers to save. */
WHOLE double
vararg(int n, ...)
{
	double sum = 0;
	va_list list;

	va_start(list, n);
	while (n-- > 0)
		sum += va_arg(list, double);
	va_end(list);
	return sum;
}

WHOLE unsigned
deep(unsigned n)
{
	unsigned below = n == 0 ? 0 : deep(n - 1);

	__asm__ volatile("" : "+r"(below));
	return below + 1;
}

WHOLE void
jump(int n)
{
	longjmp(back, n);
}

WHOLE void
handler(int sig)
{
	(void)sig;
	handled++;
}

static WHOLE uint64_t
spin(uint64_t n)
{
	uint64_t x = n;

	while (n-- > 0)
		x = leaf(x);
	return x;
}

static void *
work(void *n)
{
	return (void *)(uintptr_t)spin(*(uint64_t *)n);
}

static void
threads(int count, uint64_t n)
{
	pthread_t id[64];
	int i;

	for (i = 0; i < count; i++)
		if (pthread_create(&id[i], NULL, work, &n) != 0)
			exit(3);
	for (i = 0; i < count; i++)
		pthread_join(id[i], NULL);
	leaf_calls += (unsigned long)count * n;
	thread_calls += (unsigned long)count;
}

/* A clock of the program's own calls a function in the midst of others. */
static void
signals(uint64_t n)
{
	struct itimerval every = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
	struct sigaction act;
	uint64_t calls = 0;

	memset(&act, 0, sizeof act);
	act.sa_handler = handler;
	act.sa_flags = SA_RESTART;
	sigaction(SIGALRM, &act, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	while (handled < (sig_atomic_t)n) {
		spin(1000);
		calls += 1000;
	}
	setitimer(ITIMER_REAL, &never, NULL);
	leaf_calls += calls;
	handler_calls += (unsigned long)handled;
}

static void
registers(unsigned n)
{
	four p = {1, 2, 3, 4};
	double sum = 0;
	unsigned i;

	for (i = 0; i < n; i++) {
		sum += many(i, i + 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
		    15, p);
		sum += vararg(3, 1.5, 2.5, (double)i);
	}
	many_calls += n;
	vararg_calls += n;
	printf("# registers %.1f\n", sum);
}

#ifndef __clang__
/* The static chain is in %r10. */
static WHOLE long
apply(long (*f)(long), long n)
{
	return f(n);
}

static long
nested(long n)
{
	long base = n;
	auto long inner(long x);
	long inner(long x) { return x + base; }

	nested_calls++;
	return apply(inner, 2);
}
#endif

static void
jumps(int n)
{
	volatile int i;

	for (i = 1; i <= n; i++)
		if (setjmp(back) == 0)
			jump(i);
	jump_calls += (unsigned long)n;
}

BARE static void
tell(void)
{
	printf("leaf %lu\n", leaf_calls);
	printf("many %lu\n", many_calls);
	printf("vararg %lu\n", vararg_calls);
	printf("deep %lu\n", deep_calls);
	printf("jump %lu\n", jump_calls);
	printf("handler %lu\n", handler_calls);
	printf("work %lu\n", thread_calls);
	printf("main 1\n");
	fflush(stdout);
}

/* argv: a kind and a number. */
int
main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	uint64_t n = argc > 2 ? strtoull(argv[2], NULL, 10) : 1000;

	if (strcmp(kind, "plain") == 0) {
		spin(n);
		leaf_calls += n;
		registers(1000);
		deep_calls += deep(99);
		jumps(1000);
#ifndef __clang__
		printf("# nested %ld\n", nested(40));
#endif
	} else if (strcmp(kind, "threads") == 0) {
		threads(argc > 3 ? atoi(argv[3]) : 2, n);
	} else if (strcmp(kind, "signals") == 0) {
		signals(n);
	} else if (strcmp(kind, "killed") == 0) {
		spin(n);
		leaf_calls += n;
		tell();
		kill(getpid(), SIGKILL);
	} else if (strcmp(kind, "fork") == 0) {
		spin(n);
		leaf_calls += n;
		if (fork() == 0) {
			leaf_calls = 2 * n;
			spin(2 * n);
			return 0;
		}
		wait(NULL);
	} else {
		return 2;
	}
	tell();
	return 0;
}
