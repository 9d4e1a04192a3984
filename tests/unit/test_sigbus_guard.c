/*
 * Context: O.  Tests of core/control/sigbus_guard.c: files that are cut while
 * mapped.
 */
#include "sigbus_guard.h"

#include "compile.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static int fd;
static volatile int others;
static sigjmp_buf away;

static void
on_other(int sig)
{
	others = sig;
	siglongjmp(away, 1);
}

static void
start(void)
{
	compile_init();
	fd = open(compile_path("file"), O_RDWR | O_CREAT, 0600);
	cr_assert_geq(fd, 0);
	cr_assert_eq(ftruncate(fd, FORMAT_HEADER), 0);
}

TestSuite(sigbus_guard, .init = start, .fini = compile_fini);

/* It is as if nothing had been in it, and what is written there is lost. */
Test(sigbus_guard, lives_through_a_cut)
{
	struct format_header *h = sigbus_guard_map(fd), *other;

	cr_assert_not_null(h);
	h->asked = 7;
	other = sigbus_guard_map(fd);
	cr_assert_eq(ftruncate(fd, 0), 0);
	cr_expect_eq(h->asked, 0);
	h->asked = 8;
	cr_expect_eq(h->asked, 8);
	sigbus_guard_unmap(h);
	cr_expect_eq(other->asked, 0);
	sigbus_guard_unmap(other);
}

/* The program's own SIGBUS: one in a file of its own, and one that is sent. */
Test(sigbus_guard, hands_on_what_is_not_ours)
{
	struct sigaction a = { .sa_handler = on_other, .sa_flags = SA_NODEFER };
	struct sigaction now;
	struct format_header *h;
	volatile char *own;

	sigaction(SIGBUS, &a, NULL);
	h = sigbus_guard_map(fd);
	own = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	cr_assert_eq(ftruncate(fd, 0), 0);
	if (sigsetjmp(away, 1) == 0)
		(void)*own;
	cr_expect_eq(others, SIGBUS);
	others = 0;
	if (sigsetjmp(away, 1) == 0)
		raise(SIGBUS);
	cr_expect_eq(others, SIGBUS);
	sigbus_guard_unmap(h);
	sigaction(SIGBUS, NULL, &now);
	cr_expect_eq(now.sa_handler, on_other);
}

/*
 * One that is sent, and ignored, is nothing; a fault that is ignored ends it.
 */
Test(sigbus_guard, ignores_what_is_ignored)
{
	signal(SIGBUS, SIG_IGN);
	sigbus_guard_map(fd);
	cr_expect_eq(raise(SIGBUS), 0);
	cr_expect_eq(kill(getpid(), SIGBUS), 0);
}

Test(sigbus_guard, does_not_ignore_a_fault, .signal = SIGBUS)
{
	volatile char *own = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);

	signal(SIGBUS, SIG_IGN);
	sigbus_guard_map(fd);
	cr_assert_eq(ftruncate(fd, 0), 0);
	(void)*own;
}

/* Who has none dies of his own as ever. */
Test(sigbus_guard, leaves_the_default, .signal = SIGBUS)
{
	sigbus_guard_map(fd);
	raise(SIGBUS);
}

/* Another that was put before ours meanwhile stays. */
Test(sigbus_guard, takes_nobodys_place)
{
	struct format_header *h = sigbus_guard_map(fd);
	struct sigaction a = { .sa_handler = on_other }, now;

	sigaction(SIGBUS, &a, NULL);
	sigbus_guard_unmap(h);
	sigaction(SIGBUS, NULL, &now);
	cr_expect_eq(now.sa_handler, on_other);
}
