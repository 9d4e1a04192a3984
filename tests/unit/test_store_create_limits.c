/*
 * Context: O. Tests of core/hot/store/store_create.c: what cannot be had, and
 * by many.
 */
#include "born.h"
#include "store/store.h"
#include "store/store_create.h"

#include "base/store_header.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

TestSuite(store_create_limits, .init = target_init, .fini = target_fini);

Test(store_create_limits, no_directory)
{
	char saved[PATH_MAX];

	strcpy(saved, config.directory);
	strcat(config.directory, "/none");
	for (unsigned i = 1; i <= 5; i++) {
		cr_expect_not(store_create_try());
		cr_expect_eq(mon->store.attempts, i);
		cr_expect_eq(mon->store.error, ENOENT);
		/* Not again before its time. */
		cr_expect_not(store_create_try());
		cr_expect_eq(mon->store.attempts, i);
		cr_expect_eq(atomic_load(&mon->store.state), i < 5 ?
		    STORE_NONE : STORE_CLOSED);
		mon->store.retry_mono = 0;
	}
	strcpy(config.directory, saved);
	cr_expect_not(store_create_try(), "given up for good");
}

Test(store_create_limits, a_directory_that_comes_later)
{
	strcat(config.directory, "/later");
	cr_expect_not(store_create_try());
	cr_assert_eq(mkdir(config.directory, 0700), 0);
	mon->store.retry_mono = 0;
	cr_expect(store_create_try());
	*strrchr(config.directory, '/') = '\0';
}

Test(store_create_limits, a_name_that_is_too_long)
{
	char saved[PATH_MAX];

	strcpy(saved, config.directory);
	memset(config.directory, '/', PATH_MAX - 3);
	config.directory[PATH_MAX - 3] = '\0';
	cr_expect_not(store_create_try());
	cr_expect_eq(mon->store.error, ENAMETOOLONG);
	strcpy(config.directory, saved);
}

Test(store_create_limits, a_limit_of_file_size)
{
	struct rlimit limit = {300000, 300000};

	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	target_birth();
	cr_expect_eq(store_header()->cap, 300000 & ~4095);
	while (store_take(4096) != 0)
		;
	cr_expect_eq(store_refusal_loss(), LOSS_STORE_FULL);
}

Test(store_create_limits, a_limit_that_leaves_nothing)
{
	struct rlimit limit = {2 * FORMAT_HEADER - 1, RLIM_INFINITY};

	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	cr_expect_not(store_create_try());
	cr_expect_eq(mon->store.error, EFBIG);
	cr_expect_neq(access(born_named("%d.target"), F_OK), 0);
}

/* A file that cannot be mapped is not left behind. */
static int
without_mmap(void)
{
	unsigned before = target_descriptors();

	mon->pid = getpid();
	if (target_forbid(SYS_mmap, PROT_READ | PROT_WRITE, ENOMEM) != 0)
		return __LINE__;
	if (store_create_try() || mon->store.error != ENOMEM)
		return __LINE__;
	if (store_header() != NULL)
		return __LINE__;
	if (access(born_named("%d.target"), F_OK) == 0)
		return __LINE__;
	return target_descriptors() == before ? 0 : __LINE__;
}

Test(store_create_limits, no_memory)
{
	int line = target_child(without_mmap);

	cr_expect_eq(line, 0, "line %d", line);
}

Test(store_create_limits, frozen)
{
	atomic_store(&mon->frozen, true);
	cr_expect_not(store_create_try());
	cr_expect_eq(mon->store.attempts, 0);
}

/* One makes it, whoever comes first. */
#define RACERS	6
static _Atomic(unsigned) births;
static pthread_barrier_t begin;

static void *
attempt(void *unused)
{
	pthread_barrier_wait(&begin);
	if (store_create_try())
		atomic_fetch_add(&births, 1);
	return unused;
}

Test(store_create_limits, by_many)
{
	pthread_t thread[RACERS];

	pthread_barrier_init(&begin, NULL, RACERS);
	for (unsigned i = 0; i < RACERS; i++)
		pthread_create(&thread[i], NULL, attempt, NULL);
	for (unsigned i = 0; i < RACERS; i++)
		pthread_join(thread[i], NULL);
	cr_expect_eq(births, 1);
	cr_expect_eq(atomic_load(&mon->store.generation), 1);
	cr_expect_neq(access(born_named("%d.target.2"), F_OK), 0);
}

/* A program that locks all its memory locks no 64 MiB of ours. */
static long
locked_kib(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[128];
	long kib = -1;

	while (f != NULL && fgets(line, sizeof line, f) != NULL)
		if (sscanf(line, "VmLck: %ld", &kib) == 1)
			break;
	if (f != NULL)
		fclose(f);
	return kib;
}

static int
locked_memory(void)
{
	struct stat st;
	long before;

	mon->pid = getpid();
	config.size = 64 << 20;
	if (mlockall(MCL_FUTURE) != 0)
		return 0;	/* not allowed to */
	before = locked_kib();
	if (!store_create_try() || before < 0)
		return __LINE__;
	if (store_take(1024) == 0 || locked_kib() - before > 1024)
		return __LINE__;
	if (stat(mon->store.path, &st) != 0 || st.st_blocks > 2048)
		return __LINE__;
	return 0;
}

Test(store_create_limits, locked_memory)
{
	int line = target_child(locked_memory);

	cr_expect_eq(line, 0, "line %d", line);
}
