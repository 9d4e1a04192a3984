/* Context: load.  Storms on odd stacks: fibres of one page between guards,
 * alternate signal stacks that are full, jumps out of handlers, libraries
 * that come and go under the clock. */
#include "load.h"

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <ucontext.h>

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif
#define FIBRES 16
#define PAGE 4096

static volatile double end;
static ucontext_t main_context, fibre[FIBRES];
static uint64_t turns[FIBRES];
static volatile sig_atomic_t handled;
static sigjmp_buf back;

static int
running(void)
{
	return load_clock(CLOCK_MONOTONIC) < end;
}

/* A stack with a page that must not be touched at both ends. */
static char *
guarded(size_t bytes)
{
	char *p = mmap(NULL, bytes + 2 * PAGE, PROT_NONE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		load_die("mmap");
	LOAD_TRY(mprotect(p + PAGE, bytes, PROT_READ | PROT_WRITE));
	return p + PAGE;
}

static void
fibre_main(int i)
{
	for (;;) {
		load_spin(5000);
		turns[i]++;
		swapcontext(&fibre[i], &main_context);
	}
}

static void
fibres(void)
{
	volatile uint64_t rounds = 0, wrong = 0;
	int i;

	for (i = 0; i < FIBRES; i++) {
		getcontext(&fibre[i]);
		fibre[i].uc_stack.ss_sp = guarded(PAGE);
		fibre[i].uc_stack.ss_size = PAGE;
		fibre[i].uc_link = &main_context;
		makecontext(&fibre[i], (void (*)(void))fibre_main, 1, i);
	}
	for (; running(); rounds++)
		for (i = 0; i < FIBRES; i++)
			swapcontext(&main_context, &fibre[i]);
	for (i = 0; i < FIBRES; i++)
		wrong += turns[i] != rounds;
	printf("fibres wrong %llu\n", (unsigned long long)wrong);
}

static void
use_stack(int sig)
{
	(void)sig;
	load_spin(20000);	/* ticks come while we are on it */
	handled++;
}

static void
deeper(int sig)
{
	load_spin(5000);
	if (sig == SIGUSR1)
		raise(SIGUSR2);
	handled++;
}

static void
on_stack(int sig, void (*f)(int), int flags)
{
	struct sigaction a;

	memset(&a, 0, sizeof(a));
	a.sa_handler = f;
	a.sa_flags = SA_ONSTACK | flags;
	LOAD_TRY(sigaction(sig, &a, NULL));
}

/* The program's own handler is busy on the smallest stack that is allowed. */
static void
altstack(void)
{
	size_t least = getauxval(AT_MINSIGSTKSZ);
	stack_t st = { 0 }, seen;
	long sent = 0, wrong = 0;

	least = least ? least : MINSIGSTKSZ;
	st.ss_size = (least + 1024 + 15) & ~(size_t)15;
	st.ss_sp = guarded(4 * PAGE) + 4 * PAGE - st.ss_size;
	LOAD_TRY(sigaltstack(&st, NULL));
	on_stack(SIGUSR1, use_stack, 0);
	for (; running(); sent++) {
		raise(SIGUSR1);
		load_spin(5000);
		LOAD_TRY(sigaltstack(NULL, &seen));
		wrong += seen.ss_sp != st.ss_sp || seen.ss_size != st.ss_size ||
		    seen.ss_flags != 0;
	}
	printf("altstack lost %ld wrong %ld\n", sent - handled, wrong);
}

/*
 * The alternate stack that Rust gives each thread.  The frame of a tick grows
 * by 8 KiB where AMX is used.
 */
static void
tight(int tiles)
{
	size_t least = getauxval(AT_MINSIGSTKSZ);
	stack_t st = { 0 };

	st.ss_size = least > 8192 ? least : 8192;
	st.ss_sp = guarded((st.ss_size + PAGE - 1) / PAGE * PAGE);
	LOAD_TRY(sigaltstack(&st, NULL));
#ifdef __x86_64__
	if (tiles && syscall(SYS_arch_prctl, 0x1023, 18L) == 0) {
		char config[64] = { 1 };

		config[16] = 64;	/* bytes a row of tile 0 */
		config[48] = 1;		/* its rows */
		__asm__ volatile(".byte 0xc4, 0xe2, 0x78, 0x49, 0x00\n"
		    /* ldtilecfg (%rax); tilezero %tmm0 */
		    "	.byte 0xc4, 0xe2, 0x7b, 0x49, 0xc0"
		    : : "a"(config) : "memory");
	}
#else
	(void)tiles;
#endif
	while (running())
		load_spin(5000);
	printf("tight done\n");
}

/* A page a turn, as deep as the handler below wants it. */
__attribute__((noinline)) static void
dig(int pages)
{
	volatile char page[PAGE];

	page[0] = page[PAGE - 1] = (char)0xa5;
	if (pages > 0)
		dig(pages - 1);
	handled += page[0] != page[PAGE - 1];
}

static void
dig_deep(int sig)
{
	(void)sig;
	dig(64);
}

/* The program set no stack: it has the whole of the thread's. */
static void
deep(void)
{
	on_stack(SIGUSR1, dig_deep, 0);
	raise(SIGUSR1);
	puts("deep done");
}

/* Two signals deep on one alternate stack. */
static void
nested(void)
{
	stack_t st = { 0 };
	long sent = 0;

	st.ss_size = 8 * PAGE;
	st.ss_sp = guarded(st.ss_size);
	LOAD_TRY(sigaltstack(&st, NULL));
	on_stack(SIGUSR1, deeper, 0);
	on_stack(SIGUSR2, deeper, 0);
	for (; running(); sent += 2)
		raise(SIGUSR1);
	printf("nested lost %ld\n", sent - handled);
}

static void
jump(int sig)
{
	(void)sig;
	load_spin(3000);
	handled++;
	siglongjmp(back, 1);
}

static volatile char *no_page;

/* Out of handlers by siglongjmp, on an alternate stack and off it; out of
 * real faults, as garbage collectors and JITs do. */
static void
jumps(void)
{
	volatile long sent = 0;
	stack_t st = { 0 };
	sigset_t before, after;

	st.ss_size = 8 * PAGE;
	st.ss_sp = guarded(st.ss_size);
	LOAD_TRY(sigaltstack(&st, NULL));
	no_page = guarded(PAGE) + PAGE;
	on_stack(SIGSEGV, jump, 0);
	on_stack(SIGUSR1, jump, SA_NODEFER);
	sigprocmask(SIG_BLOCK, NULL, &before);
	for (; running(); sent++) {
		if (sigsetjmp(back, 1) != 0)
			continue;
		load_spin(3000);
		if (sent % 2)
			*no_page = 1;
		raise(SIGUSR1);
	}
	sigprocmask(SIG_BLOCK, NULL, &after);
	printf("jumps lost %ld mask %s\n", sent - handled,
	    memcmp(&before, &after, 8) ? "changed" : "same");
}

static const char **libraries;

static void *
loader(void *arg)
{
	const char **path = arg;
	uint64_t (*run)(uint64_t);
	void *handle, *entry;

	for (; running(); path = path[1] ? path + 1 : libraries) {
		handle = dlopen(*path, RTLD_NOW | RTLD_LOCAL);
		entry = handle ? dlsym(handle, "part_lib") : NULL;
		if (entry == NULL) {
			fprintf(stderr, "%s\n", dlerror());
			exit(1);
		}
		memcpy(&run, &entry, sizeof(run));
		run(20000);
		if (dlclose(handle) != 0)
			exit(1);
	}
	return NULL;
}

/* argv: libraries, one of them loaded at any time by each of four threads. */
static void
dlopens(const char **argv)
{
	pthread_t id[4];
	int i;

	libraries = argv;
	for (i = 0; i < 4; i++)
		if (pthread_create(&id[i], NULL, loader, argv) != 0)
			load_die("pthread_create");
	for (i = 0; i < 4; i++)
		pthread_join(id[i], NULL);
	puts("dlopen done");
}

int
main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";

	end = load_clock(CLOCK_MONOTONIC) + load_number(argc, argv, 2, 1);
	if (strcmp(kind, "fibres") == 0)
		fibres();
	else if (strcmp(kind, "altstack") == 0)
		altstack();
	else if (strcmp(kind, "tight") == 0)
		tight(argc > 3);
	else if (strcmp(kind, "deep") == 0)
		deep();
	else if (strcmp(kind, "nested") == 0)
		nested();
	else if (strcmp(kind, "jumps") == 0)
		jumps();
	else if (strcmp(kind, "dlopen") == 0 && argc > 3)
		dlopens((const char **)argv + 3);
	else
		return 2;
	return 0;
}
