/* Context: O.  Tests of core/hot/module/modules.c: when it looks again. */
#include "mapped.h"

#include "module/module_stale.h"
#include "module/modules.h"
#include "store/store.h"
#include "store/store_create.h"
#include "target.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <unistd.h>

static void
start(void)
{
	target_init();
	target_birth();
}

TestSuite(refresh, .init = start, .fini = target_fini);

/* An address that is not found makes it look again, but less and less often. */
Test(refresh, looks_at_a_limited_rate)
{
	struct module_hit hit;
	uint64_t first, wait;

	modules_find(16, &hit);
	first = mon->module_mono;
	wait = mon->module_wait;
	cr_assert_neq(first, 0);
	mon->module_wait = 3600000000000;
	for (unsigned i = 0; i < 100; i++)
		modules_find(16, &hit);
	cr_expect_eq(mon->module_mono, first);
	mon->module_wait = 1;
	modules_find(16, &hit);
	cr_expect_gt(mon->module_mono, first);
	cr_expect_eq(mon->module_wait, 2);
	for (unsigned i = 0; i < 40; i++) {
		mon->module_mono = 1;
		modules_find(16, &hit);
	}
	cr_expect_leq(mon->module_wait, 2000000000u, "at most some seconds");
	/* One that is found brings the first wait back. */
	mon->module_mono = 1;
	modules_find((uintptr_t)mapped_page(-1, MAP_PRIVATE | MAP_ANONYMOUS),
	    &hit);
	cr_expect(hit.known);
	cr_expect_eq(mon->module_wait, wait / 2);
}

Test(refresh, new_ones_when_told)
{
	struct module_hit hit;
	char *p;

	modules_refresh();
	mon->module_wait = 3600000000000;
	p = mapped_page(mapped_file("new", 4096), MAP_PRIVATE);
	modules_find((uintptr_t)p, &hit);
	cr_expect_not(hit.known);
	module_stale_mark();
	modules_find((uintptr_t)p, &hit);
	cr_expect(hit.known);
	cr_expect_str_eq(mapped_path(hit.record), target_path("new"));
}

/*
 * Where generated code was unmapped, the map is read again, but at a limited
 * rate: a compiler may do that all the time.
 */
Test(refresh, generated_code_that_goes)
{
	struct module_hit hit;
	char *p = mapped_page(-1, MAP_PRIVATE | MAP_ANONYMOUS);
	unsigned generation;
	uint64_t now;

	modules_refresh();
	generation = atomic_load(&mon->text_generation);
	cr_assert_eq(mmap(p, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE |
	    MAP_FIXED, mapped_file("later", 4096), 0), p);
	modules_note_code_gone(false);
	modules_find((uintptr_t)start, &hit);
	cr_expect(hit.known);
	cr_expect(modules_find_known((uintptr_t)start, &hit), "not affected");
	cr_expect_not(modules_find_known((uintptr_t)p, &hit));
	mon->module_mono = now = sys_clock(CLOCK_MONOTONIC) - 20000000;
	modules_find((uintptr_t)start, &hit);
	cr_expect_eq(mon->module_mono, now);
	cr_expect_eq(atomic_load(&mon->text_generation), generation);
	modules_find((uintptr_t)p, &hit);
	cr_expect_gt(mon->module_mono, now);
	cr_expect(hit.known);
	cr_expect_str_eq(mapped_path(hit.record), target_path("later"));
	cr_expect_neq(atomic_load(&mon->text_generation), generation);
	now = mon->module_mono;
	modules_find((uintptr_t)p, &hit);
	cr_expect_eq(mon->module_mono, now);
}

/* Within 10 ms, the table answers as before. */
Test(refresh, generated_code_that_goes_often)
{
	struct module_hit hit;
	char *p = mapped_page(-1, MAP_PRIVATE | MAP_ANONYMOUS);
	unsigned reads = 0;
	uint64_t now;

	modules_refresh();
	for (unsigned i = 0; i < 100; i++) {
		modules_note_code_gone(false);
		now = mon->module_mono = sys_clock(CLOCK_MONOTONIC);
		modules_find((uintptr_t)p, &hit);
		cr_expect(hit.known);
		reads += mon->module_mono != now;
	}
	cr_expect_lt(reads, 50, "unless this thread loses the processor");
}

Test(refresh, another_object_at_the_same_place)
{
	struct module_hit a, b;
	char *p = mapped_page(mapped_file("first", 4096), MAP_PRIVATE);
	uint64_t before;

	modules_find((uintptr_t)p, &a);
	cr_expect_eq(mapped_record(a.record)->unload_mono, 0);
	before = sys_clock(CLOCK_MONOTONIC);
	cr_assert_eq(mmap(p, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE |
	    MAP_FIXED, mapped_file("second", 4096), 0), p);
	modules_refresh();
	modules_find((uintptr_t)p, &b);
	cr_expect_str_eq(mapped_path(b.record), target_path("second"));
	cr_expect_str_eq(mapped_path(a.record), target_path("first"));
	cr_expect_geq(mapped_record(a.record)->unload_mono, before);
	cr_expect_eq(mapped_record(b.record)->unload_mono, 0);
}

Test(refresh, more_than_the_table_holds, .timeout = 60)
{
	const unsigned n = MODULE_MAX + 100;
	char *p = mmap(NULL, 2 * n * 4096ul, PROT_NONE, MAP_PRIVATE |
	    MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct module_hit hit;

	cr_assert_neq(p, MAP_FAILED);
	for (unsigned i = 0; i < n; i++)
		if (mprotect(p + 2 * i * 4096ul, 4096, PROT_EXEC) != 0)
			cr_skip_test("no so many mappings here");
	modules_refresh();
	cr_expect_geq(target_loss(LOSS_MODULE_FULL), 100);
	cr_expect_leq(target_loss(LOSS_MODULE_FULL), 200);
	modules_find((uintptr_t)p, &hit);
	cr_expect(hit.known);
}

Test(refresh, frozen)
{
	struct module_hit hit;
	char *p;

	modules_refresh();
	atomic_store(&mon->frozen, true);
	p = mapped_page(-1, MAP_PRIVATE | MAP_ANONYMOUS);
	module_stale_mark();
	modules_find((uintptr_t)p, &hit);
	cr_expect_not(hit.known);
	modules_find((uintptr_t)start, &hit);
	cr_expect(hit.known);
}

static int
without_the_map(void)
{
	struct module_hit hit;

	target_init();
	if (!store_create_try())
		return __LINE__;
	modules_refresh();
	if (target_forbid(SYS_openat, O_RDONLY | O_CLOEXEC, EACCES) != 0)
		return __LINE__;
	modules_refresh();
	if (target_loss(LOSS_MODULE_READ) != 1)
		return __LINE__;
	/* The modules that were known stay in force. */
	modules_find((uintptr_t)start, &hit);
	unlink(mon->store.path);	/* rm(1) could not start */
	rmdir(config.directory);
	return hit.known && hit.record != 0 ? 0 : __LINE__;
}

Test(refresh, a_map_that_cannot_be_read)
{
	int line = target_child(without_the_map);

	cr_expect_eq(line, 0, "line %d", line);
}

/* A table that is being written answers nothing. */
Test(refresh, a_torn_table)
{
	struct module_table *t;
	struct module_hit hit;

	modules_refresh();
	mon->module_wait = 3600000000000;
	t = atomic_load(&mon->modules);
	atomic_fetch_add(&t->sequence, 1);
	modules_find((uintptr_t)start, &hit);
	cr_expect_not(hit.known);
	cr_expect_eq(hit.address, (uintptr_t)start);
	atomic_fetch_add(&t->sequence, 1);
	modules_find((uintptr_t)start, &hit);
	cr_expect(hit.known);
}

/* Nobody waits, nobody gets another module's answer. */
static _Atomic(bool) stop;

static void *
refresh_on(void *unused)
{
	while (!atomic_load(&stop))
		modules_refresh();
	return unused;
}

Test(refresh, searches_during_refreshes, .timeout = 60)
{
	struct module_hit first, hit;
	uint64_t n, known = 0;
	pthread_t thread[2];

	modules_find((uintptr_t)start, &first);
	mon->module_wait = 3600000000000;
	for (unsigned i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, refresh_on, NULL);
	for (n = 0; n < 300000; n++) {
		modules_find((uintptr_t)start, &hit);
		if (!hit.known)
			continue;
		known++;
		cr_assert_eq(hit.record, first.record);
		cr_assert_eq(hit.address, first.address);
	}
	atomic_store(&stop, true);
	for (unsigned i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	cr_expect_geq(known, n - n / 100, "%ju of %ju", (uintmax_t)known,
	    (uintmax_t)n);
}
