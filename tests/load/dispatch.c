/*
 * Context: load.  Syscall user dispatch (prctl(2)): the kernel hands each
 * system call from outside libc to a handler of SIGSYS, which emulates it.
 *
 * Prints how many calls the handler met.  They are the program's own.
 */
#include "load.h"

#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH	59	/* Linux 5.11 */
#endif
#define CALLS		8
#define EMULATED	4242

static volatile char blocks;
static volatile int met, foreign;
static unsigned long first, last;

static void
emulate(int sig, siginfo_t *si, void *context)
{
	ucontext_t *uc = context;

	(void)sig;
	blocks = 0;
	met++;
	foreign += si->si_syscall != SYS_getpid;
#ifdef __x86_64__
	uc->uc_mcontext.gregs[REG_RAX] = EMULATED;
#else
	uc->uc_mcontext.regs[0] = EMULATED;
#endif
}

/* Calls getpid() from this code, past libc, whose calls are allowed. */
static long
call(void)
{
#ifdef __x86_64__
	long ret = SYS_getpid;

	__asm__ volatile("syscall" : "+a"(ret) : : "rcx", "r11", "memory");
#else
	register long ret __asm__("x0") = 0;
	register long nr __asm__("x8") = SYS_getpid;

	__asm__ volatile("svc 0" : "+r"(ret) : "r"(nr) : "memory");
#endif
	return ret;
}

static int
find_libc(struct dl_phdr_info *object, size_t size, void *unused)
{
	const ElfW(Phdr) *p = object->dlpi_phdr;

	(void)size;
	(void)unused;
	if (strstr(object->dlpi_name, "libc.so") == NULL)
		return 0;
	first = object->dlpi_addr;
	for (; p < object->dlpi_phdr + object->dlpi_phnum; p++)
		if (p->p_type == PT_LOAD)
			last = first + p->p_vaddr + p->p_memsz;
	return 1;
}

static void *
dispatch(void *raw)
{
	int i, ret;

	load_burn(0.03);
	ret = raw != NULL ? (int)syscall(SYS_prctl,
	    PR_SET_SYSCALL_USER_DISPATCH, 1, first, last - first, &blocks) :
	    prctl(PR_SET_SYSCALL_USER_DISPATCH, 1, first, last - first,
	    &blocks);
	if (ret != 0) {
		printf("none\n");
		return raw;
	}
	for (i = 0; i < CALLS; i++) {
		blocks = 1;
		load_spin(6000000);
		if (call() != EMULATED)
			load_die("emulated");
	}
	blocks = 0;
	return raw;
}

int
main(void)
{
	struct sigaction a = {.sa_sigaction = emulate,
		.sa_flags = SA_SIGINFO | SA_NODEFER};
	pthread_t id;

	dl_iterate_phdr(find_libc, NULL);
	sigaction(SIGSYS, &a, NULL);
	dispatch(NULL);
	if (pthread_create(&id, NULL, dispatch, &a) != 0)
		load_die("pthread_create");
	pthread_join(id, NULL);
	printf("met %d, foreign %d\n", met, foreign);
	return 7;
}
