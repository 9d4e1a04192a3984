/*
 * Context: O. Tests of core/runtime/classic/call_totals.c and
 * core/runtime/classic/yield_monout.c.
 */
#include "classic/call_totals.h"
#include "classic/yield_monout.h"
#include "store/store.h"
#include "target.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define ROOM	5

static void
start(void)
{
	target_init();
	target_slot();
}

TestSuite(call_totals, .init = start, .fini = target_fini);

static struct format_arcs *
block(void)
{
	uint32_t index = store_take(sizeof(struct format_arcs) +
	    ROOM * sizeof(struct format_arc));
	struct format_arcs *b = store_at(index);

	cr_assert_neq(index, 0);
	b->room = ROOM;
	store_publish(&store_raw_header()->arcs, index);
	return b;
}

Test(call_totals, none)
{
	struct call_totals *t = call_totals_make();

	cr_expect_eq(t->count, 0, "no file");
	cr_expect_eq(call_totals_get(t, 5), 0);
	call_totals_free(t);
	target_birth();
	t = call_totals_make();
	cr_expect_eq(t->count, 0, "no arc");
	call_totals_free(t);
	cr_expect_eq(call_totals_get(NULL, 5), 0);
	call_totals_free(NULL);
}

/* Callers and blocks of a function add up, oldest first, by absolute places. */
Test(call_totals, adds_up)
{
	uint32_t module;
	struct format_module *m;
	struct format_arcs *b;
	struct call_totals *t;

	target_birth();
	module = store_take(sizeof *m);
	m = store_at(module);
	m->bias = 0x10000;
	b = block();
	b->arc[0] = (struct format_arc){.self = 100, .from = 1, .count = 3};
	b->arc[1] = (struct format_arc){.self = 8, .count = 5,
	    .self_module = module};
	b->arc[2] = (struct format_arc){.self = 100, .from = 2, .count = 4};
	b = block();
	b->arc[0] = (struct format_arc){.self = 100, .from = 1, .count = 10};
	b->arc[4] = (struct format_arc){.self = 7, .count = 1};
	t = call_totals_make();
	cr_assert_not_null(t);
	cr_assert_eq(t->count, 3);
	cr_expect_eq(t->cell[0].pc, 100);
	cr_expect_eq(t->cell[0].calls, 17);
	cr_expect_eq(t->cell[1].pc, 0x10008);
	cr_expect_eq(t->cell[1].calls, 5);
	cr_expect_eq(t->cell[2].pc, 7);
	cr_expect_eq(call_totals_get(t, 100), 17);
	cr_expect_eq(call_totals_get(t, 0x10008), 5);
	cr_expect_eq(call_totals_get(t, 101), 0);
	call_totals_free(t);
}

static unsigned
exists(const char *name)
{
	return access(target_path(name), F_OK) == 0;
}

/* The file that is there moves on, one to come has the next name at once. */
Test(call_totals, the_name_is_left)
{
	char first[64], second[64], third[64];

	snprintf(first, sizeof first, "%d.target", getpid());
	snprintf(second, sizeof second, "%d.target.2", getpid());
	snprintf(third, sizeof third, "%d.target.3", getpid());
	target_birth();
	cr_expect(exists(first));
	close(creat(target_path(second), 0600));
	yield_monout_name();
	cr_expect_not(exists(first));
	cr_expect(exists(third));
	cr_expect_str_eq(mon->store.path, target_path(third));
	yield_monout_name();
	cr_expect(exists(third), "once");
}

Test(call_totals, the_name_is_never_taken)
{
	char second[64];

	snprintf(second, sizeof second, "%d.target.2", getpid());
	yield_monout_name();
	target_birth();
	cr_expect_str_eq(mon->store.path, target_path(second));
	config.yields = false;
}
