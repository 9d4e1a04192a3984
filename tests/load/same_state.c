/* Context: load.  All that a process can see of itself and that a hook could
 * spoil, in words that do not depend on where things were loaded. */
#include "same.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>

#define SIGNALS 65
#define LIMITS 16
#define FDS 256

extern char **environ;

struct same_state {
	uint64_t mask;
	struct sigaction action[SIGNALS];
	stack_t stack;
	struct rlimit limit[LIMITS];
	struct itimerval timer[3];
	unsigned char open[FDS];
	uint64_t environment;
};

volatile int same_handled;

void
same_first(int sig)
{
	same_handled += sig;
}

void
same_second(int sig)
{
	same_handled += 1000 * sig;
}

long
same_waited(pid_t pid)
{
	int status = -1;

	if (pid < 0)
		return -1;
	if (waitpid(pid, &status, 0) != pid)
		return -2;
	return status;
}

/* A mask and a disposition for a child to inherit. */
sigset_t
same_set(int a, int b)
{
	sigset_t s;

	sigemptyset(&s);
	if (a)
		sigaddset(&s, a);
	if (b)
		sigaddset(&s, b);
	return s;
}

uint64_t
same_bits(const sigset_t *s)
{
	uint64_t u;

	memcpy(&u, s, sizeof(u));
	return u;
}

void
same_block(int how)
{
	sigset_t s = same_set(SIGPROF, SIGUSR2);

	sigprocmask(how, &s, NULL);
	signal(SIGTTIN, how == SIG_BLOCK ? SIG_IGN : SIG_DFL);
}

static uint64_t
environment(void)
{
	uint64_t h = (uint64_t)(uintptr_t)environ;
	const char *c;
	char **e;

	for (e = environ; *e; e++)
		for (c = *e, h = h * 31 + (uint64_t)(uintptr_t)c; *c; c++)
			h = h * 31 + (unsigned char)*c;
	return h;
}

static void
descriptors(unsigned char *is_open)
{
	struct dirent *e;
	DIR *dir = opendir("/proc/self/fd");
	int fd;

	if (dir == NULL)
		load_die("/proc/self/fd");
	while ((e = readdir(dir)) != NULL) {
		fd = atoi(e->d_name);
		if (e->d_name[0] != '.' && fd != dirfd(dir) && fd < FDS)
			is_open[fd] = 1;
	}
	closedir(dir);
}

struct same_state *
same_take(void)
{
	struct same_state *s = calloc(1, sizeof(*s));
	sigset_t set;
	int i;

	sigprocmask(SIG_BLOCK, NULL, &set);
	s->mask = same_bits(&set);
	for (i = 1; i < SIGNALS; i++)
		if (sigaction(i, NULL, &s->action[i]) != 0)
			s->action[i].sa_flags = -1;
	sigaltstack(NULL, &s->stack);
	for (i = 0; i < LIMITS; i++)
		getrlimit((__rlimit_resource_t)i, &s->limit[i]);
	getitimer(ITIMER_VIRTUAL, &s->timer[1]);
	getitimer(ITIMER_PROF, &s->timer[2]);
	descriptors(s->open);
	s->environment = environment();
	return s;
}

static const char *
handler_name(const struct sigaction *a)
{
	void (*h)(int) = a->sa_handler;

	return h == SIG_DFL ? "default" : h == SIG_IGN ? "ignore" :
	    h == SIG_HOLD ? "hold" : h == same_first ? "first" :
	    h == same_second ? "second" : "foreign";
}

static int
same_action(const struct sigaction *a, const struct sigaction *b)
{
	return a->sa_handler == b->sa_handler && a->sa_flags == b->sa_flags &&
	    memcmp(&a->sa_mask, &b->sa_mask, 8) == 0;
}

static void
print_action(int sig, const struct sigaction *a)
{
	printf("\tsignal %d %s flags %#x mask %#llx\n", sig, handler_name(a),
	    (unsigned)a->sa_flags,
	    (unsigned long long)same_bits(&a->sa_mask));
}

static void
print_signals(const struct same_state *b, const struct same_state *s)
{
	static const struct sigaction none;
	int i;

	if (b == NULL || b->mask != s->mask)
		printf("\tmask %#llx\n", (unsigned long long)s->mask);
	for (i = 1; i < SIGNALS; i++)
		if (!same_action(b ? &b->action[i] : &none, &s->action[i]))
			print_action(i, &s->action[i]);
	if (b == NULL || b->stack.ss_flags != s->stack.ss_flags ||
	    b->stack.ss_sp != s->stack.ss_sp ||
	    b->stack.ss_size != s->stack.ss_size)
		printf("\tstack flags %d size %zu %s\n", s->stack.ss_flags,
		    s->stack.ss_size, s->stack.ss_sp ? "set" : "none");
}

void
same_print(const struct same_state *b, const struct same_state *s)
{
	int i;

	print_signals(b, s);
	for (i = 0; i < LIMITS; i++)
		if (b == NULL || memcmp(&b->limit[i], &s->limit[i],
		    sizeof(s->limit[i])) != 0)
			printf("\tlimit %d %llx %llx\n", i,
			    (unsigned long long)s->limit[i].rlim_cur,
			    (unsigned long long)s->limit[i].rlim_max);
	for (i = 1; i < 3; i++)
		if (b == NULL || memcmp(&b->timer[i], &s->timer[i],
		    sizeof(s->timer[i])) != 0)
			printf("\ttimer %d %s interval %ld.%06ld\n", i,
			    s->timer[i].it_value.tv_sec ||
			    s->timer[i].it_value.tv_usec ? "on" : "off",
			    (long)s->timer[i].it_interval.tv_sec,
			    (long)s->timer[i].it_interval.tv_usec);
	for (i = 0; i < FDS; i++)
		if ((b ? b->open[i] : 0) != s->open[i])
			printf("\tdescriptor %d %s\n", i,
			    s->open[i] ? "open" : "closed");
	if (b != NULL && b->environment != s->environment)
		printf("\tenvironment changed\n");
}
