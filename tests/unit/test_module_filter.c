/*
 * Context: O. Tests of core/hot/module/module_filter.c: which modules are told
 * apart.
 */
#include "module/module_filter.h"

#include "count/record.h"
#include "store/store.h"
#include "target.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(module_filter, .init = target_init, .fini = target_fini);

static bool
has(const char *list, const char *path)
{
	module_filter_set(list);
	return module_filter_matches(path, strlen(path));
}

Test(module_filter, a_name_is_the_last_part)
{
	cr_expect(has("libz.so.1", "/usr/lib/libz.so.1"));
	cr_expect_not(has("libz.so", "/usr/lib/libz.so.1"));
	cr_expect_not(has("lib", "/usr/lib/libz.so.1"));
	cr_expect(has("[vdso]", "[vdso]"));
}

Test(module_filter, a_path_is_all_of_it)
{
	cr_expect(has("/usr/lib/libz.so.1", "/usr/lib/libz.so.1"));
	cr_expect_not(has("lib/libz.so.1", "/usr/lib/libz.so.1"));
	cr_expect(has("*/lib/*", "/usr/lib/libz.so.1"));
}

Test(module_filter, stars_and_question_marks)
{
	cr_expect(has("libz*", "/usr/lib/libz.so.1"));
	cr_expect(has("*.so.?", "/usr/lib/libz.so.1"));
	cr_expect(has("*z*1", "/usr/lib/libz.so.1"));
	cr_expect(has("l*b*.*.1*", "/usr/lib/libz.so.1"));
	cr_expect_not(has("*z*2", "/usr/lib/libz.so.1"));
	cr_expect_not(has("libz.so.1?", "/usr/lib/libz.so.1"));
	cr_expect(has("*", "a"));
	cr_expect(has("**", ""));
	cr_expect_not(has("?", ""));
}

Test(module_filter, any_of_several)
{
	cr_expect(has("liba,libz*", "/usr/lib/libz.so.1"));
	cr_expect(has("libz*,liba", "/usr/lib/libz.so.1"));
	cr_expect(has(",,libz*,", "/usr/lib/libz.so.1"));
	cr_expect_not(has("liba,libb", "/usr/lib/libz.so.1"));
	cr_expect_not(has(",", "/usr/lib/libz.so.1"));
	cr_expect_not(has("/a,libz", "/usr/lib/libz.so.1"));
}

/* One that is too long is cut, and ends. */
Test(module_filter, is_as_long_as_there_is_room)
{
	char list[2 * FORMAT_WATCH];

	memset(list, '*', sizeof list);
	list[sizeof list - 1] = '\0';
	module_filter_set(list);
	cr_expect_eq(strlen(module_filter_list()), FORMAT_WATCH - 1);
	module_filter_set("");
	cr_expect_not(module_filter_is_on());
}

static struct format_node
only_node(struct thread_slot *s, uint32_t kind)
{
	const struct format_thread *t = store_at(s->records.thread);
	const struct format_node *root = store_at(t->root), *n;
	uint32_t at;

	for (at = root->child; at != 0; at = n->sibling) {
		n = store_at(at);
		if (n->kind == kind)
			return *n;
	}
	return (struct format_node) { 0 };
}

static void
tick(struct thread_slot *s)
{
	record_tick(s, (uintptr_t)tick, RECORD_EITHER, 1, 4000000);
}

/* Time in modules that are not told apart is not lost; and the list holds from
 * one tick on. */
Test(module_filter, time_elsewhere_adds_up)
{
	struct thread_slot *s = target_slot();

	target_birth();
	module_filter_set("nothing of this name");
	tick(s);
	tick(s);
	cr_expect_eq(only_node(s, FORMAT_UNWATCHED).count, 2);
	cr_expect_eq(only_node(s, FORMAT_UNWATCHED).ns, 8000000);
	module_filter_set("test_module_filter,*libmon*");
	tick(s);
	cr_expect_eq(only_node(s, FORMAT_UNWATCHED).count, 2);
	cr_expect_eq(only_node(s, FORMAT_USER).count, 1);
	module_filter_set("");
	tick(s);
	cr_expect_eq(only_node(s, FORMAT_USER).count, 2);
}
