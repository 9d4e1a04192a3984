/*
 * Context: load.  Passes bad pointers for every pointer of every hooked call,
 * in turn: NULL, wild, forbidden, read-only, at the edge of a page, across one.
 *
 * Each call runs in a child of its own.  It prints one line: what the call
 * returned, errno, what it wrote and the mask after it, or the signal that
 * ended it.  A test compares the lines of two runs.
 */
#include "pointers.h"

#include "load.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

static const char *const kinds[] = {
	"good", "null", "wild", "kernel", "forbidden", "readonly", "edge",
	"torn", "behind", "fifth",
};
#define KINDS (sizeof(kinds) / sizeof(*kinds))

static size_t page;

/*
 * Maps two pages between forbidden ones, filled with bytes that must not
 * change.
 */
static char *
arena(void)
{
	char *a = mmap(NULL, 4 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
	    -1, 0);

	mprotect(a + page, 2 * page, PROT_READ | PROT_WRITE);
	memset(a + page, 0x5a, 2 * page);
	return a + page;
}

/*
 * Makes a pointer of that kind into the pages `in`, and copies as much of the
 * good bytes as fits there.
 */
static void *
make(const struct pointers_good *good, const char *kind, char *in)
{
	char *end = in + 2 * page, *at = in + 64;
	size_t half = (good->n + 1) / 2;

	if (good->bytes == NULL || strcmp(kind, "null") == 0)
		return NULL;
	if (strcmp(kind, "wild") == 0)
		return (void *)8;
	if (strcmp(kind, "kernel") == 0)
		return (void *)0xffff800000000000;
	if (strcmp(kind, "forbidden") == 0)
		return end + 64;
	if (strcmp(kind, "edge") == 0)
		at = end - good->n;
	if (strcmp(kind, "torn") == 0) {
		at = end - half;
		memcpy(at, good->bytes, half);
		return at;
	}
	/* The part that is missing ends between two members of a struct. */
	if (strcmp(kind, "fifth") == 0)
		half = good->n / 5;
	if (strcmp(kind, "behind") == 0 || strcmp(kind, "fifth") == 0) {
		at = in - half;
		memcpy(in, (const char *)good->bytes + half, good->n - half);
		return at;
	}
	memcpy(at, good->bytes, good->n);
	if (strcmp(kind, "readonly") == 0)
		mprotect(in, page, PROT_READ);
	return at;
}

static void
nothing(int sig)
{
	(void)sig;
}

/*
 * Makes SIGUSR1 pending and blocks SIGUSR2, so that a call that waits returns.
 */
static void
prepare(void)
{
	struct sigaction a = {0};
	sigset_t s;

	a.sa_handler = nothing;
	sigaction(SIGUSR1, &a, NULL);
	sigemptyset(&s);
	sigaddset(&s, SIGUSR1);
	sigaddset(&s, SIGUSR2);
	sigprocmask(SIG_BLOCK, &s, NULL);
	raise(SIGUSR1);
	alarm(10);
}

static void
run(const struct pointers_call *c, unsigned which, const char *kind)
{
	char *in[POINTERS_MOST];
	void *p[POINTERS_MOST];
	unsigned long long now[16] = {0};
	unsigned i;
	size_t j;
	long ret;

	for (i = 0; i < POINTERS_MOST; i++) {
		in[i] = arena();
		p[i] = make(&c->good[i], i == which ? kind : "good", in[i]);
	}
	prepare();
	errno = 0;
	ret = c->call(p);
	/* Results are numbers of this process, except -1 and errors. */
	printf("%ld %s", ret, errno == 0 ? "0" : strerrorname_np(errno));
	sigprocmask(SIG_BLOCK, NULL, (sigset_t *)now);
	printf(" mask %llx", now[0]);
	for (i = 0; i < POINTERS_MOST; i++) {
		const unsigned char *b = p[i];

		if (c->good[i].shown == 0 || (i == which &&
		    strcmp(kind, "good") != 0 && strcmp(kind, "edge") != 0))
			continue;
		printf(" %u:", i);
		for (j = 0; j < c->good[i].shown; j++)
			printf("%02x", b[j]);
	}
	if (which < POINTERS_MOST && strcmp(kind, "torn") == 0) {
		unsigned touched = 0;

		for (j = 0; j < 2 * page - c->good[which].n; j++)
			touched += in[which][j] != 0x5a;
		printf(" beside %u", touched);
	}
	printf("\n");
	fflush(stdout);
	_exit(0);
}

static void
in_child(const struct pointers_call *c, unsigned which, const char *kind)
{
	int status = 0;
	pid_t pid;

	printf("%s %u %s: ", c->name, which, kind);
	fflush(stdout);
	pid = fork();
	if (pid == 0)
		run(c, which, kind);
	waitpid(pid, &status, 0);
	if (WIFSIGNALED(status))
		printf("signal %d\n", WTERMSIG(status));
	else if (WEXITSTATUS(status) != 0)
		printf("exit %d\n", WEXITSTATUS(status));
}

static void
sweep(const struct pointers_call *c, const char *only)
{
	unsigned i, k;

	for (; c->name != NULL; c++) {
		if (only != NULL && strcmp(only, c->name) != 0)
			continue;
		in_child(c, POINTERS_MOST, "good");
		for (i = 0; i < POINTERS_MOST; i++)
			for (k = c->good[i].wanted ? 2 : 1; k < KINDS &&
			    c->good[i].bytes != NULL; k++)
				in_child(c, i, kinds[k]);
	}
}

/* [name of one call] */
int
main(int argc, char **argv)
{
	const char *only = argc > 1 ? argv[1] : NULL;

	page = (size_t)sysconf(_SC_PAGESIZE);
	sweep(pointers_signals, only);
	sweep(pointers_waits, only);
	sweep(pointers_others, only);
	sweep(pointers_sleeps, only);
	return 0;
}
