/* Context: load.  An alternate stack that holds no more than it has to: tight
 * SIZE [LEFT].  Runs until standard input ends: beside it, or, with LEFT, in a
 * handler upon it that leaves so many bytes. */
#include "load.h"

#include <poll.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ	51
#endif
#define BELOW	65536	/* that is nobody's */

static size_t used;

static int
is_over(void)
{
	struct pollfd p = { .fd = 0, .events = POLLIN };

	return poll(&p, 1, 0) != 0;
}

static void
run(void)
{
	while (!is_over())
		load_spin(100000);
}

static void
handler(int sig)
{
	char room[used];

	memset(room, sig, used);
	__asm__ volatile("" : : "r"(room) : "memory");
	run();
	__asm__ volatile("" : : "r"(room) : "memory");
}

int
main(int argc, char **argv)
{
	const size_t size = (size_t)load_number(argc, argv, 1, 8192);
	struct sigaction a = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
	char *memory = mmap(NULL, BELOW + size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	stack_t s = { .ss_size = size };

	load_burn(0.1);		/* so that there is a profile */
	if (memory == MAP_FAILED || mprotect(memory, BELOW, PROT_NONE) != 0)
		load_die("mmap");
	s.ss_sp = memory + BELOW;
	LOAD_TRY(sigaltstack(&s, NULL));
	used = (size_t)load_number(argc, argv, 2, 0);
	if (used == 0) {
		run();
	} else {
		used = size - getauxval(AT_MINSIGSTKSZ) - used;
		sigaction(SIGUSR1, &a, NULL);
		raise(SIGUSR1);
	}
	puts("fine");
	return 0;
}
