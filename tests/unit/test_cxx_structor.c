/* Context: O.  Tests of core/object/symbol/cxx_structor.c. */
#include "symbol/cxx_structor.h"

#include <criterion/criterion.h>
#include <string.h>

static void
is_at(const char *name, const char *rest)
{
	const size_t at = cxx_structor_inlined(name);

	cr_expect_str_eq(at == 0 ? "" : name + at, rest, "%s", name);
}

Test(cxx_structor, inlined)
{
	is_at("_ZN4ItemC4ERKS_", "4ERKS_");
	is_at("_ZN4ItemD4Ev", "4Ev");
	is_at("_ZN1a1bI2C4EC4Ev", "4Ev");
	is_at("_ZNSt6vectorI4ItemSaIS0_EEC4ERKS2_", "4ERKS2_");
	is_at("_ZN1AILi14EEC4Ev", "4Ev");
	is_at("_ZN1AILb1EA3_cEC4IT_EEOT_", "4IT_EEOT_");
	is_at("_ZN3BoxIL4Kind3EEC4Ei", "4Ei");
	is_at("_ZN3BoxIL4Kindn3EEC4Ei", "4Ei");
	is_at("_ZN3BoxILN1A4KindE3EEC4Ei", "4Ei");
	is_at("_ZN3BoxIDv4_fE3FooC4Ei", "4Ei");
	is_at("_ZN3BoxIDF16_EC4Ei", "4Ei");
	is_at("_ZN1aL3fooC4Ev", "4Ev");
}

Test(cxx_structor, others)
{
	is_at("", "");
	is_at("C4", "");
	is_at("_ZN", "");
	is_at("_ZN4ItemC1ERKS_", "");
	is_at("_Z1fI2C4EvT_", "");
	is_at("_ZN1a2C4Ev", "");
	is_at("_ZN1a99C4Ev", "");
	is_at("_ZN1A1fIZNS_C4EvEUlvE_EEvT_", "");
	is_at("_ZN1aL", "");
	is_at("_ZN1aLN", "");
	is_at("_ZN1aL1", "");
	is_at("_ZN1aLi", "");
	is_at("_ZN1aA", "");
	is_at("_ZN1aS", "");
	is_at("_ZN99999999999999999999999C4", "");
}
