/* Context: O.  Tests of core/object/dwarf/lines.c, beside what addr2line
 * says. */
#include "compile.h"
#include "dwarf/lines.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(lines, .init = compile_init, .fini = compile_fini);

#define ASKED_MOST	6000
#define SOURCE_LINES	60	/* none of these has as many */

/* Inlined three deep, in a loop's block, and a part that hardly ever runs. */
static const char *const SOURCE =
	"#include <stdlib.h>\n"
	"static inline int third(int n)\n"
	"{\n"
	"	int s = 0;\n"
	"	for (int i = 0; i < n; i++) {\n"
	"		int k = i * n;\n"
	"		s += k ^ (s >> 3);\n"
	"	}\n"
	"	return s;\n"
	"}\n"
	"static inline int second(int n)\n"
	"{\n"
	"	return third(n + 1) *\n"
	"	    third(n + 2);\n"
	"}\n"
	"static inline int first(int n) { return second(n) + 1; }\n"
	"int *table;\n"
	"__attribute__((noinline)) int alone(int n)\n"
	"{\n"
	"	if (__builtin_expect(n == 12345, 0))\n"
	"		abort();\n"
	"	return first(n) +\n"
	"	    table[first(n + 3) & 7];\n"
	"}\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	(void)argv;\n"
	"	table = calloc(8, sizeof *table);\n"
	"	return alone(argc) + first(argc) == 77;\n"
	"}\n";

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

static bool is_cxx;

struct told {
	FILE *list;		/* what addr2line printed */
	char line[8192];
	bool ended;
};

static bool
next(struct told *t)
{
	t->ended = fgets(t->line, sizeof t->line, t->list) == NULL;
	if (!t->ended)
		t->line[strcspn(t->line, "\n")] = '\0';
	return !t->ended;
}

static bool
is_address(const struct told *t)
{
	return t->ended || strncmp(t->line, "0x", 2) == 0;
}

/* "FILE:LINE", "FILE:LINE (discriminator N)", "??:0", "FILE:?". */
static bool
same_line(const struct lines_frame *f, const char *told)
{
	const char *colon = strrchr(told, ':');
	unsigned long line = colon == NULL ? 0 : strtoul(colon + 1, NULL, 10);
	size_t bytes = colon == NULL ? 0 : (size_t)(colon - told);

	if (f->line != line)
		return false;
	/* Lines that this file has not: it takes one for another. */
	if (line > SOURCE_LINES && bytes > 8 &&
	    strncmp(colon - 8, "/prog.cc", 8) == 0)
		return true;
	return line == 0 || (f->file != NULL && strlen(f->file) == bytes &&
	    strncmp(f->file, told, bytes) == 0);
}

/* It gives the symbol's name to C++ functions that have no linkage name. */
static bool
same_name(const struct lines_frame *f, const char *told)
{
	return f->function == NULL || strcmp(f->function, told) == 0 ||
	    (is_cxx && strncmp(f->function, "_Z", 2) != 0);
}

/* Frame by frame; as many as there are. */
static bool
same_place(const struct lines *l, size_t i, struct told *t)
{
	const struct lines_place *p = &l->places[i];
	bool same = true;
	unsigned k;

	for (k = 0; next(t) && !is_address(t); k++) {
		bool name;

		if (k == p->count) {
			/* It knows a name, of the symbol table, and no line. */
			next(t);
			same &= p->count == 0 &&
			    strcspn(t->line, "?") < strlen(t->line);
			continue;
		}
		name = same_name(&l->frames[p->first + k], t->line);
		next(t);
		same &= name && same_line(&l->frames[p->first + k], t->line);
	}
	return same && (k == p->count || p->count == 0);
}

static size_t
ask(struct symbol *asked, const struct elf_file *f, const char *name)
{
	FILE *list = fopen(compile_path("asked"), "w");
	Elf64_Shdr text;
	size_t count;

	cr_assert(elf_file_header(elf_file_section(f, name), &text));
	count = text.sh_size < ASKED_MOST ? text.sh_size : ASKED_MOST;
	for (size_t i = 0; i < count; i++) {
		asked[i].address = text.sh_addr + i;
		fprintf(list, "%#jx\n", (uintmax_t)asked[i].address);
	}
	fclose(list);
	return count;
}

/* Compares the lines of `name` with those of `reference`, which has the same
 * code. */
static void
hold_against(const char *name, const char *reference, const char *what)
{
	struct symbol *asked = calloc(ASKED_MOST, sizeof *asked);
	struct told t = { .list = NULL };
	struct arena arena = { .chunk = NULL };
	struct elf_file f;
	struct lines l;
	char command[256];
	size_t count, different = 0, inlined = 0, known = 0;

	cr_assert_eq(elf_file_open(&f, compile_path(name)), 0);
	count = ask(asked, &f, ".text");
	snprintf(command, sizeof command, "addr2line -afi -e %s <asked >told",
	    reference);
	cr_assert_eq(compile_run(command), 0);
	t.list = fopen(compile_path("told"), "r");
	cr_assert(next(&t));
	cr_assert_eq(lines_read(&l, &f, NULL, asked, count, &arena), 0);
	for (size_t i = 0; i < count; i++) {
		cr_assert_eq(strtoull(t.line, NULL, 16), asked[i].address);
		different += !same_place(&l, i, &t);
		known += l.places[i].count != 0;
		inlined += l.places[i].count > 1;
	}
	cr_expect(different == 0, "%s: %zu of %zu differ", what, different,
	    count);
	cr_expect_gt(known, count / 3, "%s: %zu of %zu known", what, known,
	    count);
	cr_expect(strstr(what, "-O0") != NULL || inlined > 20,
	    "%s: %zu inlined", what, inlined);
	fclose(t.list);
	lines_free(&l);
	arena_free(&arena);
	elf_file_close(&f);
	free(asked);
}

static void
by_flags(const char *flags)
{
	compile_source("prog", ".c", flags, SOURCE);
	hold_against("prog", "prog", flags);
}

/* Reads forms that addr2line cannot read itself. */
static void
by_flags_as(const char *flags, const char *plain)
{
	compile_source("prog", ".c", plain, SOURCE);
	compile_run("mv prog plain");
	compile_source("prog", ".c", flags, SOURCE);
	hold_against("prog", "plain", flags);
}

/* complaints 50: all kinds of DWARF; debug files apart are test_debugfile's. */
Test(lines, versions)
{
	by_flags("-O2 -gdwarf-5");
	by_flags("-O2 -gdwarf-4");
	by_flags("-O2 -gdwarf-3");
	by_flags("-O2 -gdwarf-2");
	by_flags("-O0 -g");
	by_flags("-O3 -g");
}

Test(lines, compressed)
{
	by_flags("-O2 -g -gz=zlib");
	by_flags_as("-O2 -g -gz=zlib-gnu", "-O2 -g");
}

/* Beside the program; gone, the lines are known still. */
Test(lines, split)
{
	by_flags_as("-O2 -gdwarf-5 -gsplit-dwarf", "-O2 -gdwarf-5");
	by_flags_as("-O2 -gdwarf-4 -gsplit-dwarf", "-O2 -gdwarf-4");
}

/* Returns what lines_read() says about the places of prog. */
static enum lines_fault
fault_of_prog(char *apart, size_t room)
{
	static struct symbol asked[ASKED_MOST];
	struct arena arena = { .chunk = NULL };
	enum lines_fault fault;
	struct elf_file f;
	struct lines l;
	size_t count;

	cr_assert_eq(elf_file_open(&f, compile_path("prog")), 0);
	count = ask(asked, &f, ".text");
	cr_assert_eq(lines_read(&l, &f, compile_path("prog"), asked, count,
	    &arena), 0);
	fault = l.fault;
	snprintf(apart, room, "%s", l.apart == NULL ? "" : l.apart);
	lines_free(&l);
	arena_free(&arena);
	elf_file_close(&f);
	return fault;
}

static void
without_its_split_part(const char *flags)
{
	char apart[512];

	compile_source("prog", ".c", flags, SOURCE);
	cr_expect_eq(fault_of_prog(apart, sizeof apart), LINES_OK);
	cr_assert_eq(compile_run("rm *.dwo"), 0);
	cr_expect_eq(fault_of_prog(apart, sizeof apart), LINES_SPLIT_MISSING);
	cr_expect(strstr(apart, ".dwo") != NULL && apart[0] == '/', "%s",
	    apart);
	cr_assert_eq(compile_run("touch prog.dwp"), 0);
	cr_expect_eq(fault_of_prog(apart, sizeof apart), LINES_DWP_MISSING);
	cr_expect_str_eq(apart, compile_path("prog.dwp"));
	cr_assert_eq(compile_run("rm prog.dwp"), 0);
}

Test(lines, split_and_gone)
{
	without_its_split_part("-O2 -gdwarf-5 -gsplit-dwarf");
	without_its_split_part("-O2 -gdwarf-4 -gsplit-dwarf");
}

/* A libelf that supports zstd reads it; another says why it cannot. */
Test(lines, compressed_by_zstd)
{
	char apart[512];

	compile_source("prog", ".c", "-O2 -g", SOURCE);
	cr_expect_eq(fault_of_prog(apart, sizeof apart), LINES_OK);
	compile_run("cp prog plain");
	if (compile_run("objcopy --compress-debug-sections=zstd prog") != 0)
		cr_skip_test("objcopy has no zstd");
	if (fault_of_prog(apart, sizeof apart) == LINES_OK)
		hold_against("prog", "plain", "zstd");
	else
		cr_expect_eq(fault_of_prog(apart, sizeof apart), LINES_ZSTD);
}

/* Replaces the bytes of a section of prog, from its start on. */
static void
overwrite(const char *section, unsigned char byte, unsigned n)
{
	Elf64_Shdr header;
	struct elf_file f;
	FILE *out;

	cr_assert_eq(elf_file_open(&f, compile_path("prog")), 0);
	cr_assert(elf_file_header(elf_file_section(&f, section), &header));
	elf_file_close(&f);
	out = fopen(compile_path("prog"), "r+");
	fseek(out, (long)header.sh_offset, SEEK_SET);
	while (n-- > 0)
		fputc(byte, out);
	fclose(out);
}

Test(lines, damaged_units)
{
	char apart[512];

	compile_source("prog", ".c", "-O2 -g", SOURCE);
	overwrite(".debug_info", 0xff, 40);
	cr_expect_eq(fault_of_prog(apart, sizeof apart), LINES_DAMAGED);
}

/* A kind of compression that no libelf supports yet. */
Test(lines, compressed_by_nobody)
{
	char apart[512];

	compile_source("prog", ".c", "-O2 -g -gz=zlib", SOURCE);
	overwrite(".debug_info", 77, 1);
	cr_expect_eq(fault_of_prog(apart, sizeof apart), LINES_COMPRESSED);
}

Test(lines, functions_in_sections)
{
	by_flags("-O2 -g -ffunction-sections");
}

Test(lines, templates_and_namespaces)
{
	is_cxx = true;
	compile_source("prog", ".cc", "-O2 -g", SOURCE_CC);
	hold_against("prog", "prog", "C++ -O2");
	compile_source("prog", ".cc", "-O3 -gdwarf-4", SOURCE_CC);
	hold_against("prog", "prog", "C++ -O3");
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
	count = ask(asked, &f, ".text");
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
