/* Context: O.  Tests of core/object/symbol/demangle.c. */
#include "symbol/demangle.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void
shows(const char *stored, enum demangle how, const char *want)
{
	struct arena arena = { 0 };

	cr_expect_str_eq(demangle_name(&arena, stored, how), want);
	arena_free(&arena);
}

Test(demangle, leaves_c_alone)
{
	shows("main", DEMANGLE_SHORT, "main");
	shows("_start", DEMANGLE_SHORT, "_start");
	shows("__libc_start_main", DEMANGLE_FULL, "__libc_start_main");
	shows("work.cold", DEMANGLE_SHORT, "work.cold");
	shows("", DEMANGLE_SHORT, "");
	shows("_", DEMANGLE_SHORT, "_");
}

Test(demangle, writes_cxx)
{
	shows("_ZNSt6vectorIiSaIiEE9push_backERKi", DEMANGLE_SHORT,
	    "std::vector<int>::push_back");
	shows("_ZNSt6vectorIiSaIiEE9push_backERKi", DEMANGLE_FULL,
	    "std::vector<int, std::allocator<int> >::push_back(int const&)");
	shows("_ZNSt6vectorIiSaIiEE9push_backERKi", DEMANGLE_PARAMETERS,
	    "std::vector<int>::push_back(int const&)");
	shows("_Z3addii", DEMANGLE_SHORT, "add");
	shows("_Z3addii", DEMANGLE_FULL, "add(int, int)");
	shows("_Z3addii", DEMANGLE_OFF, "_Z3addii");
	shows("_ZnwmSt11align_val_t", DEMANGLE_SHORT, "operator new");
}

Test(demangle, writes_rust_of_both_schemes)
{
	shows("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE",
	    DEMANGLE_SHORT, "core::fmt::Formatter::pad");
	shows("_RNvC6_123foo3bar", DEMANGLE_SHORT, "123foo::bar");
}

Test(demangle, keeps_what_we_put_behind)
{
	shows("_Z3addii@plt", DEMANGLE_SHORT, "add@plt");
	shows("_Z4pickv@ifunc", DEMANGLE_FULL, "pick()@ifunc");
	shows("puts@plt", DEMANGLE_SHORT, "puts@plt");
}

/* Names come from files nobody vouches for. */
Test(demangle, survives_an_endless_name)
{
	size_t bytes = 1 << 20;
	char *name = malloc(bytes + 1);
	struct arena arena = { 0 };

	cr_assert_not_null(name);
	memset(name, 'P', bytes);
	memcpy(name, "_Z1f", 4);
	name[bytes] = '\0';
	cr_expect_eq(demangle_name(&arena, name, DEMANGLE_FULL), name);
	name[2000] = '\0';
	cr_expect_not_null(demangle_name(&arena, name, DEMANGLE_FULL));
	arena_free(&arena);
	free(name);
}
