/* Context: O.  Tests of core/object/symbol/cxx_collapse.c. */
#include "symbol/cxx_collapse.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static void
gives(const char *name, size_t bytes, const char *want)
{
	char *got = cxx_collapse(name, bytes);

	cr_expect(got != NULL && strcmp(got, want) == 0, "%s gives %s", name,
	    got != NULL ? got : "nothing");
	free(got);
}

static void
gives_none(const char *name)
{
	char *got = cxx_collapse(name, 10);

	cr_expect_null(got, "%s gives %s", name, got);
	free(got);
}

Test(cxx_collapse, innermost_first)
{
	static const char name[] =
	    "std::map<std::string, std::pair<int, std::vector<long>>>::find";

	gives(name, 61, "std::map<std::string, std::pair<int, "
	    "std::vector<...>>>::find");
	gives(name, 45, "std::map<std::string, std::pair<...>>::find");
	gives(name, 20, "std::map<...>::find");
	gives(name, 5, "std::map<...>::find");
	gives("f<a<b>>::g<c<d>>(e<f>)", 18, "f<...>::g<...>(e<...>)");
}

Test(cxx_collapse, keeps_what_is_no_argument)
{
	gives("std::operator<< <std::char_traits<char>>", 20,
	    "std::operator<< <...>");
	gives("std::operator<<std::char_traits<char>>", 37,
	    "std::operator<<std::char_traits<...>>");
	gives("std::operator><char, int>", 8, "std::operator><...>");
	gives("A<b>::operator->", 3, "A<...>::operator->");
	gives("f<g<int>>()::<lambda(int)>", 10, "f<...>()::<lambda(int)>");
}

Test(cxx_collapse, leaves_the_rest_alone)
{
	gives_none("main");
	gives_none("");
	gives_none("operator<");
	gives_none("broken<int");
	gives_none("broken>int<");
}
