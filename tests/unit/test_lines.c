/* Context: O.  Tests of core/object/dwarf/lines.c, beside what addr2line
 * says. */
#include "addr2line.h"
#include "compile.h"
#include "dwarf/lines.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(lines, .init = compile_init, .fini = compile_fini);

static const char *const SOURCE_CC =
	"#include <algorithm>\n"
	"#include <cstdlib>\n"
	"#include <map>\n"
	"#include <string>\n"
	"#include <vector>\n"
	"namespace outer { namespace {\n"
	"template <class T> struct box {\n"
	"	T v;\n"
	"	T twice() const { return v + v; }\n"
	"};\n"
	"} int sum(const std::vector<int> &v)\n"
	"{\n"
	"	box<int> b{0};\n"
	"	for (int n : v) b.v += n;\n"
	"	return b.twice();\n"
	"} }\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	std::map<std::string, int> m;\n"
	"	std::vector<int> v;\n"
	"	for (int i = 0; i < argc; i++) { m[argv[i]]++; v.push_back(i); }\n"
	"	std::sort(v.begin(), v.end(), [](int a, int b) { return a > b; });\n"
	"	return outer::sum(v) + (int)m.size() == 99;\n"
	"}\n";

/* complaints 50: all kinds of DWARF; debug files apart are test_debugfile's. */
Test(lines, versions)
{
	lines_by_flags("-O2 -gdwarf-5");
	lines_by_flags("-O2 -gdwarf-4");
	lines_by_flags("-O2 -gdwarf-3");
	lines_by_flags("-O2 -gdwarf-2");
	lines_by_flags("-O0 -g");
	lines_by_flags("-O3 -g");
}

Test(lines, functions_in_sections)
{
	lines_by_flags("-O2 -g -ffunction-sections");
}

Test(lines, templates_and_namespaces)
{
	is_cxx = true;
	compile_source("prog", ".cc", "-O2 -g", SOURCE_CC);
	lines_hold_against("prog", "prog", "C++ -O2");
	compile_source("prog", ".cc", "-O3 -gdwarf-4", SOURCE_CC);
	lines_hold_against("prog", "prog", "C++ -O3");
}

/* Is there an inlined function whose name begins so? */
static bool
has_function(const struct lines *l, const char *head)
{
	for (size_t i = 0; i < l->frame_count; i++)
		if (l->frames[i].function != NULL && strncmp(
		    l->frames[i].function, head, strlen(head)) == 0)
			return true;
	return false;
}

/* Also where nothing but their declaration is in these. */
Test(lines, names_have_their_namespaces)
{
	static struct symbol asked[ASKED_MOST];
	struct arena arena = { .chunk = NULL };
	struct elf_file f;
	struct lines l;
	size_t count;

	compile_source("prog", ".cc", "-O2 -g", SOURCE_CC);
	cr_assert_eq(elf_file_open(&f, compile_path("prog")), 0);
	count = lines_ask(asked, &f, ".text");
	cr_assert_eq(lines_read(&l, &f, NULL, asked, count, &arena), 0);
	cr_expect(has_function(&l, "std::sort<"));
	cr_expect(has_function(&l, "std::__sort<"));
	cr_expect_not(has_function(&l, "sort<"));
	cr_expect_not(has_function(&l, "__sort<"));
	lines_free(&l);
	arena_free(&arena);
	elf_file_close(&f);
}

Test(lines, none)
{
	struct symbol asked = { .address = 0x1000 };
	struct arena arena = { .chunk = NULL };
	struct elf_file f;
	struct lines l;

	compile_source("prog", ".c", "-O2 -s", SOURCE);
	cr_assert_eq(elf_file_open(&f, compile_path("prog")), 0);
	cr_expect_eq(lines_read(&l, &f, NULL, &asked, 1, &arena), 0);
	cr_expect_eq(l.places[0].count, 0);
	lines_free(&l);
	elf_file_close(&f);
}
