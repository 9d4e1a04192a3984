/* Context: load.  Jumps out of a handler on an alternate stack that lies above
 * the thread's own, as _FORTIFY_SOURCE lets a program do.  Built by the
 * test. */
#include "load.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

#define BYTES 65536

static char *stack;
static sigjmp_buf back;
static volatile int jumps;

static void
handler(int sig)
{
	(void)sig;
	jumps++;
	siglongjmp(back, 1);
}

static void *
jump(void *unused)
{
	stack_t s = { .ss_sp = stack, .ss_size = BYTES };
	volatile int i;

	(void)unused;
	LOAD_TRY(sigaltstack(&s, NULL));
	for (i = 0; i < 50; i++) {
		if (sigsetjmp(back, 1) == 0)
			raise(SIGUSR1);
		load_burn(0.002);
	}
	return NULL;
}

int
main(void)
{
	struct sigaction a = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
	pthread_t id;
	char here;

	/* Mapped first, so the thread's stack comes below. */
	stack = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE |
	    MAP_ANONYMOUS, -1, 0);
	LOAD_TRY(sigaction(SIGUSR1, &a, NULL));
	if (stack == MAP_FAILED || stack > &here ||
	    pthread_create(&id, NULL, jump, NULL) != 0)
		load_die("jumps_down");
	pthread_join(id, NULL);
	printf("jumps %d\n", jumps);
	return 0;
}
