/*
 * Context: load.  Replaces the thread pointer, as emulators do while they run
 * code that has another one, works, faults and receives signals meanwhile.
 *
 * Prints how often its handlers ran.  Nothing here may touch thread-local
 * storage while it is away, which includes errno and stack protectors.
 */
#include "load.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <ucontext.h>

#define ROUNDS	40000000	/* some 20 ms */

static volatile int faults, signals;

#ifdef __x86_64__
#define FAULT	"xorl %%eax, %%eax; movb (%%rax), %%al"	/* 2 and 2 bytes */

static long
call(long nr, long a, long b)
{
	long ret;

	__asm__ volatile("syscall" : "=a"(ret) : "a"(nr), "D"(a), "S"(b) :
	    "rcx", "r11", "memory");
	return ret;
}

static uintptr_t
exchange(uintptr_t pointer)
{
	enum { SET_FS = 0x1002, GET_FS = 0x1003 };
	static uintptr_t before;

	call(SYS_arch_prctl, GET_FS, (long)&before);
	call(SYS_arch_prctl, SET_FS, (long)pointer);
	return before;
}

static void
fault(void)
{
	__asm__ volatile(FAULT : : : "rax", "memory");
}
#define STEP(uc)	((uc)->uc_mcontext.gregs[REG_RIP] += 2)
#else
static long
call(long nr, long a, long b)
{
	register long x8 __asm__("x8") = nr;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1) : "memory");
	return x0;
}

static uintptr_t
exchange(uintptr_t pointer)
{
	uintptr_t before;

	__asm__ volatile("mrs %0, tpidr_el0; msr tpidr_el0, %1" :
	    "=&r"(before) : "r"(pointer));
	return before;
}

static void
fault(void)
{
	__asm__ volatile("mov x9, xzr; ldrb w9, [x9]" : : : "x9", "memory");
}
#define STEP(uc)	((uc)->uc_mcontext.pc += 4)
#endif

static void
handle(int sig, siginfo_t *si, void *context)
{
	ucontext_t *uc = context;

	(void)si;
	if (sig == SIGSEGV) {
		STEP(uc);
		faults++;
	} else {
		signals++;
	}
}

static void
work(void)
{
	long i;

	for (i = 0; i < ROUNDS; i++)
		__asm__ volatile("");
}

static void
go_away(uintptr_t to)
{
	const uintptr_t own = exchange(to);

	work();
	fault();
	call(SYS_tkill, call(SYS_gettid, 0, 0), SIGUSR1);
	call(SYS_tkill, call(SYS_gettid, 0, 0), SIGUSR2);
	work();
	exchange(own);
}

static void *
run(void *stack)
{
	static uintptr_t room[1024];
	stack_t s = {.ss_sp = stack, .ss_size = 65536};

	if (stack != NULL && sigaltstack(&s, NULL) != 0)
		load_die("sigaltstack");
	go_away(0);
	go_away((uintptr_t)&room[512]);
	return NULL;
}

int
main(void)
{
	struct sigaction a = {.sa_sigaction = handle,
		.sa_flags = SA_SIGINFO | SA_ONSTACK};
	pthread_t id;

	sigaction(SIGSEGV, &a, NULL);
	sigaction(SIGUSR1, &a, NULL);
	a.sa_flags = SA_SIGINFO;
	sigaction(SIGUSR2, &a, NULL);
	load_burn(0.03);	/* the fine clock, too */
	run(NULL);
	run(malloc(65536));
	if (pthread_create(&id, NULL, run, NULL) != 0)
		load_die("pthread_create");
	pthread_join(id, NULL);
	printf("%d faults, %d signals\n", faults, signals);
	return 3;
}
