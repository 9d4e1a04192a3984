/* Context: O.  Tests of core/model/names/name_nearest.c. */
#include "names/name_nearest.h"

#include <criterion/criterion.h>

static bool
is_nearer(const char *typed, const char *near, const char *far)
{
	return name_nearest_distance(typed, near) <
	    name_nearest_distance(typed, far);
}

Test(name_nearest, finds_errors_of_typing)
{
	cr_expect_eq(name_nearest_distance("slow_hash",
	    "SessionStore::slow_hash(int)"), 0);
	cr_expect_eq(name_nearest_distance("slow_hsah", "slow_hash"), 2);
	cr_expect_eq(name_nearest_distance("Parse", "parse<int>"), 0);
	cr_expect(is_nearer("parse_lien", "parse_line", "parse_file"));
	cr_expect(is_nearer("maloc", "malloc", "calloc"));
}

Test(name_nearest, finds_a_common_part)
{
	cr_expect_neq(name_nearest_distance("hashing", "slow_hash"),
	    NAME_NEAREST_FAR);
	cr_expect(is_nearer("slow_hash", "slow_hasher", "slow_hash_of_words"));
}

Test(name_nearest, leaves_other_names_alone)
{
	cr_expect_eq(name_nearest_distance("slow_hash", "main"),
	    NAME_NEAREST_FAR);
	cr_expect_eq(name_nearest_distance("ab", "main"), NAME_NEAREST_FAR);
	cr_expect_eq(name_nearest_distance("", "main"), NAME_NEAREST_FAR);
	cr_expect_eq(name_nearest_distance("main", ""), NAME_NEAREST_FAR);
}
