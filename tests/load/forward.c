/* Context: load.  Has calls of libc's names, which go on to the next ones, as
 * the Erlang VM has. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define DEEPEST	8

static unsigned depth;

static void *
next(const char *name)
{
	if (++depth > DEEPEST) {
		puts("it comes back for ever");
		exit(1);
	}
	return dlsym(RTLD_NEXT, name);
}

int __sigaction(int sig, const struct sigaction *act, struct sigaction *old);

int
__sigaction(int sig, const struct sigaction *act, struct sigaction *old)
{
	int (*fn)(int, const struct sigaction *, struct sigaction *);
	int ret;

	*(void **)(void *)&fn = next("__sigaction");
	ret = fn(sig, act, old);
	depth--;
	return ret;
}

int
sigaction(int sig, const struct sigaction *act, struct sigaction *old)
{
	return __sigaction(sig, act, old);
}

int gsignal(int sig);

int
raise(int sig)
{
	int (*fn)(int), ret;

	*(void **)(void *)&fn = next("gsignal");
	ret = fn(sig);
	depth--;
	return ret;
}

static volatile sig_atomic_t got;

static void
note(int sig)
{
	got = sig;
}

int
main(void)
{
	struct sigaction act = {.sa_handler = note}, old = {0};
	int sigs[] = {SIGUSR1, SIGPROF, SIGBUS}, i;

	for (i = 0; i < 3; i++) {
		if (sigaction(sigs[i], &act, NULL) != 0 ||
		    raise(sigs[i]) != 0 ||
		    sigaction(sigs[i], NULL, &old) != 0)
			return 2;
		printf("%d %d\n", got == sigs[i], old.sa_handler == note);
	}
	return 0;
}
