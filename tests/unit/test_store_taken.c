/* Context: O.  Tests of core/hot/store/store.c: somebody else truncates the
 * file. */
#include "store/store.h"
#include "store/store_create.h"
#include "target.h"

#include "base/store_header.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

static void
start(void)
{
	target_init();
	target_birth();
}

TestSuite(taken, .init = start, .fini = target_fini);
TestSuite(bare, .init = target_init, .fini = target_fini);

/* Somebody else truncates it: the program does not notice. */
Test(taken, truncated)
{
	uint32_t index = store_take(3 * FORMAT_STEP);
	volatile char *p = store_at(index);
	unsigned generation = atomic_load(&mon->store.generation);
	struct target_file t;

	cr_assert_eq(truncate(mon->store.path, FORMAT_HEADER), 0);
	p[2 * FORMAT_STEP] = 1;
	cr_expect_eq(p[2 * FORMAT_STEP], 1, "nobody reads it, but it stands");
	cr_expect_null(store_header());
	cr_expect_eq(target_loss(LOSS_STORE_TAKEN), 1);
	p[0] = 1;
	cr_expect_eq(target_loss(LOSS_STORE_TAKEN), 1);
	/* The next file is not made at once, and then under another name. */
	cr_expect_not(store_create_if_due());
	mon->store.retry_mono = 0;
	cr_assert(store_create_if_due());
	cr_expect_gt(atomic_load(&mon->store.generation), generation);
	cr_expect_neq(store_take(16), 0);
	target_read(&t, mon->store.path);
	cr_expect_eq(t.d.header.loss[LOSS_STORE_TAKEN], 1);
	target_read_fini(&t);
}

static int
truncated_within(uint64_t bytes)
{
	const struct rlimit r = {bytes, bytes};
	volatile char *p;

	mon->pid = getpid();
	if (!store_create_try())
		return __LINE__;
	p = store_at(store_take(3 * FORMAT_STEP));
	if (setrlimit(RLIMIT_DATA, &r) != 0 ||
	    truncate(mon->store.path, FORMAT_HEADER) != 0)
		return __LINE__;
	p[2 * FORMAT_STEP] = 1;
	p[FORMAT_STEP] = 2;
	if (p[2 * FORMAT_STEP] != 1 || p[FORMAT_STEP] != 2)
		return __LINE__;
	return target_loss(LOSS_STORE_TAKEN) == 1 ? 0 : __LINE__;
}

/* The stack, some 100 KiB, is in the number, but not in what is limited. */
static int
page_by_page(void)
{
	uint64_t pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	if (f == NULL || fscanf(f, "%*u %*u %*u %*u %*u %" SCNu64, &pages) != 1)
		return __LINE__;
	fclose(f);
	return truncated_within(pages * 4096 + TARGET_CAP / 4);
}

static int
not_a_page(void)
{
	return truncated_within(0);
}

/* The kernel counts memory of the process's own against RLIMIT_DATA. */
Test(bare, truncated_under_a_limit, .timeout = 10)
{
	int line = target_child(page_by_page);

	cr_expect_eq(line, 0, "line %d", line);
	cr_expect_eq(target_child(not_a_page), -SIGBUS, "it does not loop");
}

/* A fault that is not ours is the program's. */
static int
fault_of_the_program(void)
{
	int fd = open(target_path("own"), O_RDWR | O_CREAT, 0600);
	volatile char *p = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);

	return p[0] + __LINE__;
}

Test(taken, faults_elsewhere)
{
	cr_expect_eq(target_child(fault_of_the_program), -SIGBUS);
}
