/* Context: load.  Alternate signal stacks as programs use them: what the kernel
 * answers and where handlers run, in words that do not depend on addresses; and
 * stacks that the program gives up without telling the kernel. */
#include "load.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <ucontext.h>

#ifndef SS_AUTODISARM
#define SS_AUTODISARM (1U << 31)
#endif
#define BYTES 65536
#define WORDS 64

static char stack[BYTES] __attribute__((aligned(4096)));
static char other[BYTES] __attribute__((aligned(4096)));
static sigjmp_buf back;
static volatile int handled, wrong, stop;

static int
set(void *base, size_t bytes, unsigned flags, stack_t *old)
{
	stack_t s = { 0 };

	s.ss_sp = base;
	s.ss_size = bytes;
	s.ss_flags = (int)flags;
	errno = 0;
	return sigaltstack(&s, old);
}

static void
handle(int sig, void (*f)(int, siginfo_t *, void *), int flags)
{
	struct sigaction a = { 0 };

	a.sa_sigaction = f;
	a.sa_flags = flags;
	LOAD_TRY(sigaction(sig, &a, NULL));
}

static const char *
place(const void *p)
{
	return (char *)p >= stack && (char *)p < stack + BYTES ? "stack" :
	    (char *)p >= other && (char *)p < other + BYTES ? "other" :
	    p == NULL ? "null" : "elsewhere";
}

static void
tell(const char *what)
{
	stack_t now;

	memset(&now, 0x55, sizeof(now));
	if (sigaltstack(NULL, &now) != 0)
		load_die("sigaltstack");
	printf("%s: %s, %lu bytes, flags %#x\n", what, place(now.ss_sp),
	    (unsigned long)now.ss_size, (unsigned)now.ss_flags);
}

static void
burn(void)
{
	load_burn(0.3);
}

/* Gives the stack up while no handler would run there. */
static void
unmapped(void)
{
	char *p = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE |
	    MAP_ANONYMOUS, -1, 0);

	LOAD_TRY(set(p, BYTES, 0, NULL));
	munmap(p, BYTES);
	burn();
	set(NULL, 0, SS_DISABLE, NULL);
	burn();
}

/* Uses the memory of the stack for something else. */
static void
reuse(void)
{
	unsigned i, changed = 0;

	memset(stack, 0x5a, BYTES);
	burn();
	for (i = 0; i < BYTES; i++)
		changed += stack[i] != 0x5a;
	printf("changed %u\n", changed);
}

static void
reused(void)
{
	LOAD_TRY(set(stack, BYTES, 0, NULL));
	reuse();
}

/* Sets it by number, the first time and later ones. */
static void
numbered(void)
{
	const stack_t s = { .ss_sp = stack, .ss_size = BYTES };
	const stack_t none = { .ss_flags = SS_DISABLE };
	stack_t old;

	for (int i = 0; i < 2; i++) {
		LOAD_TRY(syscall(SYS_sigaltstack, &s, NULL));
		LOAD_TRY(syscall(SYS_sigaltstack, NULL, &old));
		printf("set %d %zu\n", old.ss_sp == stack, old.ss_size);
		reuse();
		LOAD_TRY(syscall(SYS_sigaltstack, &none, NULL));
	}
}

static void
count(int sig, siginfo_t *si, void *uc)
{
	(void)sig;
	(void)si;
	(void)uc;
	handled++;
}

static void
mend(int sig, siginfo_t *si, void *uc)
{
	count(sig, si, uc);
	mprotect(stack, BYTES, PROT_READ | PROT_WRITE);
}

static void
protected(void)
{
	handle(SIGSEGV, mend, SA_SIGINFO);
	handle(SIGUSR1, count, SA_SIGINFO | SA_ONSTACK);
	LOAD_TRY(set(stack, BYTES, 0, NULL));
	mprotect(stack, BYTES, PROT_READ);
	burn();
	printf("faults %d\n", handled);
}

static void *
flip(void *unused)
{
	while (!stop) {
		mprotect(stack, BYTES, PROT_READ);
		mprotect(stack, BYTES, PROT_READ | PROT_WRITE);
	}
	return unused;
}

static void
flipped(void)
{
	pthread_t id;

	handle(SIGSEGV, count, SA_SIGINFO);
	LOAD_TRY(set(stack, BYTES, 0, NULL));
	if (pthread_create(&id, NULL, flip, NULL) != 0)
		load_die("pthread_create");
	burn();
	stop = 1;
	pthread_join(id, NULL);
	printf("faults %d\n", handled);
}

static void *
set_and_free(void *unused)
{
	char *p = malloc(BYTES);

	set(p, BYTES, 0, NULL);
	load_burn(0.01);
	free(p);
	load_burn(0.01);
	return unused;
}

/* Threads free their stacks and go on while a handler would run there. */
static void
threads(void)
{
	pthread_t id[4];
	int i, j;

	handle(SIGSEGV, count, SA_SIGINFO | SA_ONSTACK);
	handle(SIGUSR1, count, SA_SIGINFO | SA_ONSTACK);
	for (i = 0; i < 10; i++) {
		for (j = 0; j < 4; j++)
			if (pthread_create(&id[j], NULL, set_and_free,
			    NULL) != 0)
				load_die("pthread_create");
		for (j = 0; j < 4; j++)
			pthread_join(id[j], NULL);
	}
	printf("handled %d\n", handled);
}

/* Prints what the kernel refuses and what it takes. */
static void
try(const char *what, void *base, size_t bytes, unsigned flags)
{
	stack_t old;
	int ret;

	memset(&old, 0x55, sizeof(old));
	ret = set(base, bytes, flags, &old);
	printf("%s: %d %d, was %s, flags %#x\n", what, ret, ret ? errno : 0,
	    ret ? "-" : place(old.ss_sp), ret ? 0 : (unsigned)old.ss_flags);
	tell("  now");
}

static void
answers(void)
{
	static const unsigned flags[] = { 1, 2, 3, 4, 0x100, ~0u,
	    SS_AUTODISARM, SS_AUTODISARM | 1, SS_AUTODISARM | 2,
	    SS_AUTODISARM | 3 };
	static const size_t sizes[] = { 0, 100, 2047, 2048, 5119, 5120, 8192,
	    BYTES };
	char what[32];
	unsigned i;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		snprintf(what, sizeof(what), "size %lu",
		    (unsigned long)sizes[i]);
		try(what, stack, sizes[i], 0);
		try("disabled", other, sizes[i], SS_DISABLE);
	}
	for (i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
		snprintf(what, sizeof(what), "flags %#x", flags[i]);
		try(what, stack, BYTES, flags[i]);
		try(what, other, BYTES / 2, flags[i]);
	}
	try("null", NULL, BYTES, 0);
	try("all", NULL, ~(size_t)0, 0);
	try("stack", stack, BYTES, 0);
}

static stack_t *
bad(int i)
{
	char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE |
	    MAP_ANONYMOUS, -1, 0);
	stack_t good = { 0 };

	good.ss_sp = other;
	good.ss_size = BYTES;
	switch (i) {
	case 0:
		return NULL;
	case 1:
		return (stack_t *)8;
	case 2:			/* half of it is there */
		munmap(p + 4096, 4096);
		return (stack_t *)(void *)(p + 4096 - 8);
	case 3:
		*(stack_t *)(void *)p = good;
		mprotect(p, 4096, PROT_READ);
		return (stack_t *)(void *)p;
	case 4:
		return (stack_t *)~(uintptr_t)0xfff;
	default:
		*(stack_t *)(void *)p = good;
		return (stack_t *)(void *)p;
	}
}

static void
pointers_here(void)
{
	int i, j, ret;

	for (i = 0; i < 6; i++)
		for (j = 0; j < 6; j++) {
			errno = 0;
			ret = sigaltstack(bad(i), bad(j));
			printf("pointers %d %d: %d %d\n", i, j, ret, errno);
			tell("  now");
			set(stack, BYTES, 0, NULL);
		}
}

static void
pointers_in_handler(int sig, siginfo_t *si, void *uc)
{
	count(sig, si, uc);
	pointers_here();
}

static void
pointers(void)
{
	pointers_here();
	handle(SIGUSR1, pointers_in_handler, SA_SIGINFO | SA_ONSTACK);
	raise(SIGUSR1);
	set(NULL, 0, SS_DISABLE, NULL);
	handle(SIGUSR1, pointers_in_handler, SA_SIGINFO);
	raise(SIGUSR1);
	tell("after");
}

static void
look(int sig, siginfo_t *si, void *context)
{
	ucontext_t *uc = context;
	char here;

	printf("handler of %d on %s, siginfo on %s %d %d, context on %s\n", sig,
	    place(&here), place(si), si->si_signo, si->si_value.sival_int,
	    place(uc));
	tell("  there");
	try("  set there", other, BYTES, 0);
	try("  disable there", NULL, 0, SS_DISABLE);
	if (sig == SIGUSR1) {
		union sigval v = { 7 };

		pthread_sigqueue(pthread_self(), SIGUSR2, v);
	}
	handled++;
}

static void
handlers(void)
{
	static const unsigned flags[] = { 0, SS_AUTODISARM };
	union sigval v = { 5 };
	struct sigaction a;
	unsigned i, j;

	for (i = 0; i < 2; i++)
		for (j = 0; j < 4; j++) {
			handle(SIGUSR1, look, SA_SIGINFO | (j & 1 ?
			    SA_ONSTACK : 0));
			handle(SIGUSR2, look, SA_SIGINFO | (j & 2 ?
			    SA_ONSTACK : 0));
			set(stack, BYTES, flags[i], NULL);
			sigqueue(getpid(), SIGUSR1, v);
			tell("after");
			set(NULL, 0, SS_DISABLE, NULL);
		}
	sigaction(SIGUSR1, NULL, &a);
	printf("handler %d flags %#x\n", a.sa_sigaction == look,
	    (unsigned)a.sa_flags & ~0x04000000u);
	handle(SIGUSR1, look, (int)(SA_ONSTACK | SA_RESETHAND));
	sigaction(SIGUSR1, NULL, &a);
	printf("handler %d flags %#x\n", a.sa_sigaction == look,
	    (unsigned)a.sa_flags & ~0x04000000u);
	printf("signal %d\n", signal(SIGUSR1, SIG_DFL) == a.sa_handler);
}

static void
on_stack_only(int sig, siginfo_t *si, void *uc)
{
	char here;

	(void)sig;
	(void)si;
	(void)uc;
	load_spin(2000);
	wrong += place(&here)[0] != 's';
	handled++;
}

/*
 * The registers of the interrupted code, vector registers included, must
 * survive handlers.
 */
static void
registers(void)
{
	volatile double sum = 0;
	double x[WORDS];
	int i, j;

	handle(SIGUSR1, on_stack_only, SA_SIGINFO | SA_ONSTACK);
	LOAD_TRY(set(stack, BYTES, 0, NULL));
	for (i = 0; i < WORDS; i++)
		x[i] = i;
	for (j = 0; j < 2000; j++) {
		double a = j, b = j + 0.5;

		__asm__ volatile("" : "+x"(a), "+x"(b));
		if (j % 2 == 0)
			raise(SIGUSR1);
		sum += a + b + x[j % WORDS] - (2 * j + 0.5);
	}
	printf("handled %d wrong %d sum %.1f\n", handled, wrong, sum);
}

static void
leave(int sig, siginfo_t *si, void *uc)
{
	char here;

	(void)sig;
	(void)si;
	(void)uc;
	wrong += place(&here)[0] != 's';
	handled++;
	siglongjmp(back, 1);
}

__attribute__((noinline)) static int
recurse(volatile char *above)
{
	volatile char c[1024];

	c[0] = above[0];
	return c[0] == 0 ? 0 : recurse(c) + c[0];
}

/* Runs at the end of the thread's own stack, where nothing else can run. */
static void *
overflow_here(void *unused)
{
	volatile int i;
	volatile char c = 1;

	LOAD_TRY(set(stack, BYTES, 0, NULL));
	for (i = 0; i < 5; i++)
		if (sigsetjmp(back, 1) == 0)
			recurse(&c);
	return unused;
}

static void
overflow(void)
{
	const struct rlimit mib = { 1 << 20, RLIM_INFINITY };
	pthread_t id;

	setrlimit(RLIMIT_STACK, &mib);
	handle(SIGSEGV, leave, SA_SIGINFO | SA_ONSTACK);
	overflow_here(NULL);
	if (pthread_create(&id, NULL, overflow_here, NULL) != 0)
		load_die("pthread_create");
	pthread_join(id, NULL);
	printf("handled %d wrong %d\n", handled, wrong);
}

/*
 * Coroutines as QEMU and GNU Pth make them: the program leaves a handler and
 * resumes it after its signal is over.
 */
#define COROUTINES 40
static sigjmp_buf inside[COROUTINES], outside;
static volatile int making, turns[COROUTINES];

static void
coroutine(int sig, siginfo_t *si, void *uc)
{
	const int self = making;
	char here[256];

	(void)sig;
	(void)si;
	(void)uc;
	memset(here, self, sizeof(here));
	if (sigsetjmp(inside[self], 0) == 0)
		return;
	for (;;) {
		load_spin(2000);
		wrong += here[5] != self;
		turns[self]++;
		if (sigsetjmp(inside[self], 0) == 0)
			siglongjmp(outside, 1);
	}
}

static void
coroutines(void)
{
	volatile int i, round;
	stack_t before;

	handle(SIGUSR2, coroutine, SA_SIGINFO | SA_ONSTACK);
	for (making = 0; making < COROUTINES; making++) {
		LOAD_TRY(set(malloc(BYTES), BYTES, 0, &before));
		raise(SIGUSR2);
		LOAD_TRY(set(NULL, 0, SS_DISABLE, NULL));
	}
	for (round = 0; round < 50; round++)
		for (i = 0; i < COROUTINES; i++)
			if (sigsetjmp(outside, 0) == 0)
				siglongjmp(inside[i], 1);
	for (i = 0; i < COROUTINES; i++)
		wrong += turns[i] != 50;
	printf("wrong %d\n", wrong);
	tell("after");
}

static ucontext_t aside_context, away_context;

static void
away(void)
{
	tell("away");
	setcontext(&aside_context);
}

static void
switch_away(int sig, siginfo_t *si, void *uc)
{
	(void)sig;
	(void)si;
	(void)uc;
	tell("in");
	swapcontext(&aside_context, &away_context);
	tell("in again");
	handled++;
}

/* SS_AUTODISARM is for handlers that a program leaves and resumes. */
static void
switched(void)
{
	handle(SIGUSR1, switch_away, SA_SIGINFO | SA_ONSTACK);
	LOAD_TRY(set(stack, BYTES, SS_AUTODISARM, NULL));
	getcontext(&away_context);
	away_context.uc_stack.ss_sp = other;
	away_context.uc_stack.ss_size = BYTES;
	makecontext(&away_context, away, 0);
	raise(SIGUSR1);
	tell("after");
}

static void
set_other(int sig, siginfo_t *si, void *uc)
{
	(void)sig;
	(void)si;
	(void)uc;
	tell("before");
	set(other, BYTES, 0, NULL);
	tell("set");
}

/* The kernel undoes at a handler's end what the handler set by
 * sigaltstack(2). */
static void
returned(void)
{
	int i;

	handle(SIGUSR1, set_other, SA_SIGINFO);
	for (i = 0; i < 3; i++) {
		set(stack, BYTES - 16 * i, i == 1 ? SS_AUTODISARM : 0, NULL);
		raise(SIGUSR1);
		tell("after");
	}
}

static void *
tell_thread(void *unused)
{
	tell("thread");
	set(other, BYTES, 0, NULL);
	tell("thread");
	raise(SIGUSR1);
	return unused;
}

static void
children(void)
{
	pthread_t id;
	int status;

	handle(SIGUSR1, look, SA_SIGINFO | SA_ONSTACK);
	handle(SIGUSR2, look, SA_SIGINFO);
	LOAD_TRY(set(stack, BYTES, 0, NULL));
	fflush(stdout);
	if (fork() == 0) {
		tell("child");
		raise(SIGUSR1);
		burn();
		set(NULL, 0, SS_DISABLE, NULL);
		tell("child");
		fflush(stdout);
		_exit(0);
	}
	wait(&status);
	fflush(stdout);
	if (vfork() == 0) {
		static stack_t now;
		static struct sigaction a;
		int ret;

		sigaltstack(NULL, &now);
		sigaction(SIGUSR1, NULL, &a);
		sigaction(SIGUSR1, &a, NULL);
		ret = now.ss_sp != stack || a.sa_sigaction != look;
		set(other, BYTES, 0, NULL);
		_exit(ret);
	}
	wait(&status);
	printf("status %#x\n", (unsigned)status);
	tell("parent");
	if (pthread_create(&id, NULL, tell_thread, NULL) != 0)
		load_die("pthread_create");
	pthread_join(id, NULL);
	tell("parent");
}

static void
on_early(int sig, siginfo_t *info, void *context)
{
	int here;

	(void)info, (void)context;
	printf("signal %d on %s\n", sig, place(&here));
}

/*
 * Handlers that are set before there is a profile stay the program's when one
 * is made.
 */
static void
early(void)
{
	static const int signals[] = { SIGBUS, SIGSEGV, SIGUSR1 };
	struct sigaction now;
	unsigned i;

	set(stack, BYTES, 0, NULL);
	for (i = 0; i < 3; i++)
		handle(signals[i], on_early, SA_SIGINFO | SA_ONSTACK);
	load_burn(0.05);
	for (i = 0; i < 3; i++) {
		LOAD_TRY(sigaction(signals[i], NULL, &now));
		printf("%s, flags %#x\n", now.sa_sigaction == on_early ?
		    "own" : "another", (unsigned)now.sa_flags);
		raise(signals[i]);
	}
}

int
main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} kinds[] = {
		{ "unmapped", unmapped }, { "reused", reused },
		{ "numbered", numbered },
		{ "protected", protected }, { "flipped", flipped },
		{ "threads", threads }, { "answers", answers },
		{ "pointers", pointers }, { "handlers", handlers },
		{ "registers", registers }, { "overflow", overflow },
		{ "coroutines", coroutines }, { "switched", switched },
		{ "returned", returned }, { "children", children },
		{ "early", early },
	};
	unsigned i;

	if (argc > 1 && strcmp(argv[1], "early") != 0)
		load_burn(0.05);	/* so that there is a profile */
	for (i = 0; argc > 1 && i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strcmp(argv[1], kinds[i].name) == 0) {
			kinds[i].run();
			printf("%s done\n", argv[1]);
			return 0;
		}
	return 2;
}
