/* Context: O.  Tests of core/device/module_ids.c: the numbers of modules. */
#include "module_ids.h"

#include <criterion/criterion.h>
#include <stdio.h>

static struct module_ids c;

static uint32_t
number(const char *path, unsigned char build)
{
	struct model_module m = { .path = path, .build_id_bytes = 1 };

	m.build_id[0] = build;
	return module_ids_assign(&c, &m);
}

/* One number for one build of one path, in the order of first sight. */
Test(module_ids, numbers_modules)
{
	cr_expect_eq(number("/lib/a", 1), 1);
	cr_expect_eq(number("/lib/b", 1), 2);
	cr_expect_eq(number("/lib/a", 2), 3);
	cr_expect_eq(number("/lib/a", 1), 1);
	cr_expect_str_eq(module_ids_get(&c, 3)->path, "/lib/a");
	cr_expect_str_eq(module_ids_name(module_ids_get(&c, 2)), "b");
	cr_expect_null(module_ids_get(&c, 0));
	cr_expect_null(module_ids_get(&c, 4));
	module_ids_free(&c);
}

/* Forgotten, and seen again under the number that it had. */
Test(module_ids, never_gives_a_number_twice)
{
	number("/lib/a", 1);
	number("[vdso]", 1);
	module_ids_forget(&c);
	cr_expect_null(module_ids_get(&c, 1));
	cr_expect_eq(number("/lib/c", 1), 3);
	cr_expect_null(module_ids_get(&c, 2));
	cr_expect_eq(number("[vdso]", 1), 2);
	cr_expect_str_eq(module_ids_name(module_ids_get(&c, 2)), "[vdso]");
	module_ids_free(&c);
}

/* More than there is room for at first. */
Test(module_ids, has_many)
{
	char path[32];

	for (unsigned i = 1; i <= 500; i++) {
		snprintf(path, sizeof path, "/lib/%u", i);
		cr_assert_eq(number(path, 1), i);
	}
	cr_expect_eq(number("/lib/77", 1), 77);
	module_ids_free(&c);
}
