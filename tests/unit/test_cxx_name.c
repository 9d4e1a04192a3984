/* Context: O.  Tests of core/object/symbol/cxx_name.c. */
#include "symbol/cxx_name.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void
becomes(const char *name, const char *want)
{
	char *got = cxx_name_shorten(name);

	cr_expect_not_null(got, "%s", name);
	if (got != NULL)
		cr_expect_str_eq(got, want, "%s: %s", name, got);
	free(got);
}

#define STRING \
	"std::__cxx11::basic_string<char, std::char_traits<char>, " \
	"std::allocator<char> >"

Test(cxx_name, leaves_plain_names)
{
	becomes("main", "main");
	becomes("", "");
	becomes("a::b<int, char>::c", "a::b<int, char>::c");
	becomes("std::pair<int, std::allocator<int> >",
	    "std::pair<int, std::allocator<int>>");
	becomes("std::vector<int, Own<int> >::at",
	    "std::vector<int, Own<int>>::at");
	becomes("f<std::allocator<int> >", "f<std::allocator<int>>");
}

Test(cxx_name, names_strings_and_streams)
{
	becomes(STRING "::_M_mutate", "std::string::_M_mutate");
	becomes("std::basic_string<wchar_t, std::char_traits<wchar_t>, "
	    "std::allocator<wchar_t> >::append", "std::wstring::append");
	becomes("std::basic_ostream<char, std::char_traits<char> >::flush",
	    "std::ostream::flush");
	becomes("std::operator<< <std::char_traits<char> >",
	    "std::operator<< <std::char_traits<char>>");
	becomes("std::basic_string<char, Own<char> >",
	    "std::basic_string<char, Own<char>>");
}

Test(cxx_name, drops_default_arguments)
{
	becomes("std::map<" STRING ", std::shared_ptr<Value>, std::less<"
	    STRING " >, std::allocator<std::pair<" STRING " const, "
	    "std::shared_ptr<Value> > > >::operator[]",
	    "std::map<std::string, std::shared_ptr<Value>>::operator[]");
	becomes("std::map<int, int, Less, std::allocator<std::pair<int const, "
	    "int> > >::find",
	    "std::map<int, int, Less>::find");
	becomes("std::__shared_ptr<Value, (__gnu_cxx::_Lock_policy)2>::get",
	    "std::__shared_ptr<Value>::get");
	becomes("std::unique_ptr<A, std::default_delete<A> >::reset",
	    "std::unique_ptr<A>::reset");
	becomes("std::vector<std::allocator<int> >::begin",
	    "std::vector<std::allocator<int>>::begin");
}

/* An argument that looks like a default, but is none, is part of the name. */
Test(cxx_name, keeps_what_a_user_wrote)
{
	becomes("std::map<int, std::less<int>, std::less<int>, "
	    "std::allocator<std::pair<int const, std::less<int> > > >",
	    "std::map<int, std::less<int>>");
	becomes("std::set<int, std::less<void>, std::allocator<int> >",
	    "std::set<int, std::less<void>>");
	becomes("std::unordered_map<int, std::hash<int>, std::hash<int>, "
	    "std::equal_to<int>, std::allocator<std::pair<int const, "
	    "std::hash<int> > > >", "std::unordered_map<int, std::hash<int>>");
	becomes("std::unique_ptr<int, std::default_delete<int const> >",
	    "std::unique_ptr<int, std::default_delete<int const>>");
	becomes("std::_Rb_tree<int, int, std::_Identity<int>, std::less<int>, "
	    "std::allocator<int> >::_M_insert_", "std::_Rb_tree<int, int, "
	    "std::_Identity<int>>::_M_insert_");
}

Test(cxx_name, drops_versions_and_tags)
{
	becomes("std::__1::vector<int, std::__1::allocator<int> >::size",
	    "std::vector<int>::size");
	becomes("std::filesystem::__cxx11::path::path[abi:cxx11]",
	    "std::filesystem::path::path");
	becomes("std::chrono::_V2::steady_clock::now",
	    "std::chrono::steady_clock::now");
	becomes("__1::f", "__1::f");
	becomes("u::__1::g", "u::__1::g");
	becomes("u::_V2::S::h", "u::_V2::S::h");
	becomes("std::__cxx1998::vector<int, std::allocator<int> >",
	    "std::__cxx1998::vector<int>");
}

/* The symbols of operators are no brackets. */
Test(cxx_name, keeps_operators)
{
	becomes("A::operator<", "A::operator<");
	becomes("A::operator-><int>", "A::operator-><int>");
	becomes("operator>> <int>", "operator>> <int>");
	becomes("A::operator()<int>", "A::operator()<int>");
	becomes("A::operator<=>", "A::operator<=>");
	becomes("my_operator<int>", "my_operator<int>");
	becomes("f(int)::{lambda(" STRING ", int)#1}::operator()() const",
	    "f(int)::{lambda(std::string, int)#1}::operator()() const");
	becomes("<A as core::B<C>>::call", "<A as core::B<C>>::call");
}

/* Names come from files that anybody can write. */
Test(cxx_name, gives_up_on_what_does_not_match)
{
	static const char *const odd[] = {
		"a<b", "a>b", "a(b", "a<b(c>d)", "<", ">", "(", "a<,",
	};
	char deep[2001];

	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
		cr_expect_null(cxx_name_shorten(odd[i]), "%s", odd[i]);
	memset(deep, '<', 1000);
	memset(deep + 1000, '>', 1000);
	deep[2000] = '\0';
	cr_expect_null(cxx_name_shorten(deep));
}
