/* Context: O.  Tests of core/object/symbol/name_match.c. */
#include "symbol/name_match.h"

#include <criterion/criterion.h>

/* Returns the strictest way in which the pattern matches. */
static enum name_match
first_match(const char *pattern, const char *name)
{
	unsigned how = NAME_MATCH_WHOLE;

	while (how < NAME_MATCHES &&
	    !name_match(pattern, name, (enum name_match)how))
		how++;
	return (enum name_match)how;
}

Test(name_match, whole_names_and_shell_patterns)
{
	cr_expect_eq(first_match("main", "main"), NAME_MATCH_WHOLE);
	cr_expect_eq(first_match("m*n", "main"), NAME_MATCH_WHOLE);
	cr_expect_eq(first_match("[vdso]", "[vdso]"), NAME_MATCH_WHOLE);
	cr_expect_eq(first_match("x", "main"), NAME_MATCHES);
	cr_expect_eq(first_match("", "main"), NAME_MATCHES);
	cr_expect_eq(first_match("", ""), NAME_MATCH_WHOLE);
}

Test(name_match, last_components)
{
	static const char name[] = "app::Store<int, a::b>::slow_hash<c::d>";

	cr_expect_eq(first_match("slow_hash", name), NAME_MATCH_COMPONENT);
	cr_expect_eq(first_match("slow_hash<c::d>", name),
	    NAME_MATCH_COMPONENT);
	cr_expect_eq(first_match("Store<int, a::b>::slow_hash", name),
	    NAME_MATCH_COMPONENT);
	cr_expect_eq(first_match("Store", name), NAME_MATCH_PART);
	cr_expect_eq(first_match("hash", name), NAME_MATCH_PART);
	cr_expect_eq(first_match("b", name), NAME_MATCH_PART);
	cr_expect_eq(first_match("f", "a::f(b::c) const"),
	    NAME_MATCH_COMPONENT);
	cr_expect_eq(first_match("write", "write@plt"), NAME_MATCH_COMPONENT);
	cr_expect_eq(first_match("f", "f.constprop.0"), NAME_MATCH_COMPONENT);
	cr_expect_eq(first_match("memcpy", "__memcpy_avx512_unaligned_erms"),
	    NAME_MATCH_COMPONENT);
	cr_expect_eq(first_match("sin", "__sin_fma"), NAME_MATCH_COMPONENT);
	cr_expect_eq(first_match("mem", "__memcpy_avx512_unaligned_erms"),
	    NAME_MATCH_PART);
	cr_expect_eq(first_match("memcpy", "__memcpy_chk"), NAME_MATCH_PART);
	cr_expect_eq(first_match("hash", "main.hash"), NAME_MATCH_COMPONENT);
	cr_expect_eq(first_match("libc.so.6", "/lib/libc.so.6"),
	    NAME_MATCH_COMPONENT);
}

Test(name_match, any_part)
{
	cr_expect_eq(first_match("libc", "libc.so.6"), NAME_MATCH_PART);
	cr_expect_eq(first_match("LOOP", "main_loop"), NAME_MATCH_PART);
	cr_expect_eq(first_match("a::b", "x<a::b>"), NAME_MATCH_PART);
	cr_expect_eq(first_match("::", ":"), NAME_MATCHES);
	cr_expect_eq(first_match("<<", "<"), NAME_MATCHES);
}

Test(name_match, mark_of_a_copy)
{
	cr_expect_eq(name_match_clone_mark("parse"), 5);
	cr_expect_eq(name_match_clone_mark("parse.isra.0"), 5);
	cr_expect_eq(name_match_clone_mark("parse.constprop.0.cold"), 5);
	cr_expect_eq(name_match_clone_mark("_ZN1aE.llvm.123"), 6);
	cr_expect_eq(name_match_clone_mark("main.part.run"), 13);
	cr_expect_eq(name_match_clone_mark("a.cold_start"), 12);
	cr_expect_eq(name_match_clone_mark(".cold"), 5);
}
