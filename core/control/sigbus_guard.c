/*
 * Context: O.  Maps headers that may be truncated, for control_client.c, in any
 * thread; see sigbus_guard.h.  The handler walks the list without the lock.
 */
#include "sigbus_guard.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>

/*
 * One guarded mapping.  Entries are used again and never freed, so the signal
 * handler can walk the list without a lock.
 */
struct guarded {
	_Atomic(struct format_header *) header;	/* NULL: free */
	struct guarded *next;
};

/* Held while the list, `mapped` or the action of SIGBUS changes. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct guarded *) all;
static unsigned mapped;
static struct sigaction before;

static struct format_header *
find_guarded(const void *address)
{
	for (struct guarded *g = atomic_load(&all); g != NULL; g = g->next) {
		char *h = (char *)atomic_load(&g->header);

		if (h != NULL && (const char *)address >= h &&
		    (const char *)address < h + FORMAT_HEADER)
			return (struct format_header *)h;
	}
	return NULL;
}

/* Passes a signal that is not about a guarded header to the former action. */
static void
forward_sigbus(int sig, siginfo_t *si, void *context)
{
	const bool sent = si->si_code <= 0;

	if ((before.sa_flags & SA_SIGINFO) != 0) {
		before.sa_sigaction(sig, si, context);
	} else if (before.sa_handler == SIG_IGN && sent) {
		return;
	} else if (before.sa_handler == SIG_DFL ||
	    before.sa_handler == SIG_IGN) {
		/*
		 * A faulting instruction faults again; a signal that was sent
		 * is sent again.
		 */
		signal(sig, SIG_DFL);
		if (sent)
			raise(sig);
	} else {
		before.sa_handler(sig);
	}
}

static void
handle_sigbus(int sig, siginfo_t *si, void *context)
{
	const int error = errno;
	void *h = si->si_code <= 0 ? NULL : find_guarded(si->si_addr);

	if (h == NULL || mmap(h, FORMAT_HEADER, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		forward_sigbus(sig, si, context);
	errno = error;
}

static void
install_sigbus_handler(void)
{
	struct sigaction a = { .sa_sigaction = handle_sigbus,
		.sa_flags = SA_SIGINFO | SA_ONSTACK };

	sigaction(SIGBUS, &a, &before);
}

/* Restores the former handler, unless another one has replaced ours. */
static void
restore_sigbus_handler(void)
{
	struct sigaction now;

	if (sigaction(SIGBUS, NULL, &now) == 0 &&
	    (now.sa_flags & SA_SIGINFO) != 0 &&
	    now.sa_sigaction == handle_sigbus)
		sigaction(SIGBUS, &before, NULL);
}

/* Returns a free entry of the list, or NULL.  The caller holds the lock. */
static struct guarded *
allocate_guarded(void)
{
	struct guarded *g = atomic_load(&all);

	while (g != NULL && atomic_load(&g->header) != NULL)
		g = g->next;
	if (g != NULL)
		return g;
	g = calloc(1, sizeof(*g));
	if (g != NULL) {
		g->next = atomic_load(&all);
		atomic_store(&all, g);
	}
	return g;
}

struct format_header *
sigbus_guard_map(int fd)
{
	struct format_header *h = mmap(NULL, FORMAT_HEADER, PROT_READ |
	    PROT_WRITE, MAP_SHARED, fd, 0);
	struct guarded *g;

	if (h == MAP_FAILED)
		return NULL;
	pthread_mutex_lock(&lock);
	g = allocate_guarded();
	if (g != NULL) {
		atomic_store(&g->header, h);
		if (mapped++ == 0)
			install_sigbus_handler();
	}
	pthread_mutex_unlock(&lock);
	if (g != NULL)
		return h;
	munmap(h, FORMAT_HEADER);
	errno = ENOMEM;
	return NULL;
}

void
sigbus_guard_unmap(struct format_header *h)
{
	struct guarded *g;

	pthread_mutex_lock(&lock);
	g = atomic_load(&all);
	while (g != NULL && atomic_load(&g->header) != h)
		g = g->next;
	/*
	 * Before the address is free: it may soon be that of a file of another
	 * thread, whose SIGBUS is not ours.
	 */
	if (g != NULL) {
		atomic_store(&g->header, NULL);
		if (--mapped == 0)
			restore_sigbus_handler();
	}
	pthread_mutex_unlock(&lock);
	munmap(h, FORMAT_HEADER);
}
