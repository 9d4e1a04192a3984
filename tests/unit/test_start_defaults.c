/*
 * Context: O.  Tests of core/hot/store/start_defaults.c: what a new file's
 * process begins as.
 */
#include "store/start_defaults.h"

#include "base/store_header.h"
#include "born.h"
#include "count/record.h"
#include "module/module_filter.h"
#include "store/store.h"
#include "target.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MS	1000000u

static struct format_defaults o;

static const char *
name(void)
{
	char leaf[32];

	snprintf(leaf, sizeof leaf, FORMAT_DEFAULTS_NAME "%u",
	    (unsigned)geteuid());
	return target_path(leaf);
}

static void
start(void)
{
	target_init();
	config.place = CONFIG_PLACE_DIR;
	memset(&o, 0, sizeof o);
	memcpy(o.magic, FORMAT_DEFAULTS_MAGIC, sizeof o.magic);
}

TestSuite(start_defaults, .init = start, .fini = target_fini);

static void
stand(uint32_t what, bool stop, uint64_t interval)
{
	o.what = what;
	o.stop = stop;
	o.interval_ns = interval;
	born_write(name(), &o, sizeof o);
}

static void
tick(struct thread_slot *s)
{
	record_tick(s, (uintptr_t)tick, RECORD_EITHER, 1, 4 * MS);
}

/* Not even the tick that made the file. */
Test(start_defaults, nothing_of_a_stopped_one_slips_through)
{
	struct thread_slot *s = target_slot();

	stand(FORMAT_D_STATE, true, 0);
	tick(s);
	cr_assert_not_null(store_header());
	cr_expect_neq(store_header()->stopped_ns & FORMAT_STOPPED, 0);
	cr_expect_eq(store_header()->threads, 0);
	tick(s);
	cr_expect_eq(store_header()->threads, 0);
	cr_expect_eq(target_loss(LOSS_STORE_NONE), 0);
}

Test(start_defaults, start_one_that_began_stopped)
{
	struct thread_slot *s = target_slot();

	atomic_fetch_or(&lineage.paused, LINEAGE_STOPPED);
	stand(FORMAT_D_STATE, false, 0);
	target_birth();
	cr_expect_not(lineage_is_paused(LINEAGE_STOPPED));
	cr_expect_eq(store_header()->stopped_ns & FORMAT_STOPPED, 0);
	cr_expect_neq(store_header()->stopped_ns, 0);
	tick(s);
	cr_expect_neq(store_header()->threads, 0);
}

Test(start_defaults, change_the_interval_alone)
{
	stand(FORMAT_D_RATE, true, 20 * MS);
	target_birth();
	cr_expect_eq(store_header()->interval_ns, 20 * MS);
	cr_expect_eq(store_header()->first_interval_ns, 0);
	cr_expect_not(lineage_is_paused(LINEAGE_STOPPED));
}

Test(start_defaults, name_the_modules)
{
	strcpy(o.watch, "libz*");
	stand(FORMAT_D_WATCH, false, 0);
	target_birth();
	cr_expect_str_eq(store_header()->watch, "libz*");
	cr_expect_str_eq(module_filter_list(), "libz*");
}

/* Refuses intervals that no tool writes. */
Test(start_defaults, take_no_interval_that_cannot_be)
{
	stand(FORMAT_D_RATE, false, 1);
	target_birth();
	cr_expect_eq(store_header()->interval_ns, 0);
}

static void
expect_none(void)
{
	struct format_defaults none;

	cr_expect_not(start_defaults_read(&none));
}

Test(start_defaults, none_stand)
{
	expect_none();
}

Test(start_defaults, of_another_magic_are_none)
{
	o.magic[7] = '2';
	stand(FORMAT_D_STATE, true, 0);
	expect_none();
}

Test(start_defaults, that_are_cut_are_none)
{
	born_write(name(), &o, sizeof o - 1);
	expect_none();
}

/* Neither a pipe, which would be waited for, nor a link. */
Test(start_defaults, are_a_plain_file)
{
	cr_assert_eq(mkfifo(name(), 0600), 0);
	expect_none();
	cr_assert_eq(unlink(name()), 0);
	stand(FORMAT_D_STATE, true, 0);
	cr_assert_eq(rename(name(), target_path("other")), 0);
	cr_assert_eq(symlink(target_path("other"), name()), 0);
	expect_none();
}

/* Other users' may lie in a directory that all write to. */
Test(start_defaults, of_a_stranger_are_none)
{
	if (geteuid() != 0)
		cr_skip_test("wants to give a file away");
	stand(FORMAT_D_STATE, true, 0);
	cr_assert_eq(chown(name(), 65534, 65534), 0);
	expect_none();
}

Test(start_defaults, are_of_directories_alone)
{
	stand(FORMAT_D_STATE, true, 0);
	config.place = CONFIG_PLACE_PLAIN;
	expect_none();
}
