/* Context: O.  Tests of core/object: the names in a program's own file. */
#include "resolve.h"

#include "symbol/demangle.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(object, .init = resolve_init, .fini = resolve_fini);

static void
names_all(const char *flags)
{
	static const char *const names[] = { "hidden", "shown", "main" };

	compile_source("a", ".c", flags, PROGRAM);
	for (size_t i = 0; i < 3; i++) {
		uint64_t at = compile_address("a", names[i]);
		struct symbol first = resolve("a", at);
		struct symbol inside = resolve("a", at + 2);

		expect_named(&first, names[i], at);
		expect_named(&inside, names[i], at);
	}
}

Test(object, names_a_pie)
{
	names_all("-O1 -fpie -pie");
}

Test(object, names_an_executable_at_a_fixed_address)
{
	names_all("-O1 -fno-pie -no-pie");
}

static void
bounds(const char *flags)
{
	uint64_t at;
	struct symbol s;

	compile_source("a", ".c", flags, PROGRAM);
	at = compile_address("a", "hidden");
	cr_assert_eq(compile_run("strip a"), 0);
	s = resolve("a", at + 3);
	cr_expect_null(s.name);
	cr_expect(s.start_known);
	cr_expect_eq(s.start, at);
}

Test(object, bounds_a_stripped_function)
{
	bounds("-O1");
}

/* The table of .eh_frame_hdr is an index only: without it .eh_frame is read. */
Test(object, bounds_without_the_header_table)
{
	bounds("-O1 -Wl,--no-eh-frame-hdr");
}

Test(object, says_nothing_of_code_without_any_table)
{
	uint64_t at;
	struct symbol s;

	compile_source("a", ".c", "-O1 -fno-asynchronous-unwind-tables "
	    "-fno-unwind-tables", PROGRAM);
	at = compile_address("a", "hidden");
	cr_assert_eq(compile_run("strip a"), 0);
	s = resolve("a", at + 3);
	cr_expect_null(s.name);
	cr_expect_not(s.start_known);
	cr_expect_eq(s.start, at + 3);
}

Test(object, marks_the_resolver_of_an_ifunc)
{
	uint64_t at;
	struct symbol s;

	compile_source("a", ".c", "-O1",
	    "static int one(void) { return 0; }\n"
	    "static void *choose(void) { return one; }\n"
	    "int pick(void) __attribute__((ifunc(\"choose\")));\n"
	    "int main(void) { return pick(); }\n");
	at = compile_address("a", "main");
	cr_assert_eq(compile_run("objcopy --strip-symbol=choose a"), 0);
	s = resolve("a", compile_address("a", "pick"));
	cr_expect_str_eq(s.name, "pick@ifunc");
	s = resolve("a", at);
	cr_expect_str_eq(s.name, "main");
}

/* Every stub that objdump knows must have the same name here. */
static void
names_stubs(const char *flags)
{
	char line[256], name[128];
	unsigned long address;
	unsigned found = 0;
	FILE *in;

	compile_source("a", ".c", flags,
	    "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
	    "int main(int c, char **v) { puts(v[0]); free(malloc(c));\n"
	    "return strlen(v[0]) + (getenv(v[0]) == (char *)free); }\n");
	snprintf(line, sizeof(line), "objdump -d '%s'", compile_path("a"));
	in = popen(line, "r");
	cr_assert_not_null(in);
	while (fgets(line, sizeof(line), in) != NULL) {
		struct symbol s;

		if (sscanf(line, "%lx <%127[^>]>:", &address, name) != 2 ||
		    strstr(name, "@plt") == NULL || strchr(name, '-') != NULL)
			continue;
		s = resolve("a", address + 5);
		expect_named(&s, name, address);
		found++;
	}
	pclose(in);
	cr_expect_geq(found, 3);
}

Test(object, names_stubs_of_the_plt)
{
	names_stubs("-O0 -fplt -Wl,-z,lazy");
}

Test(object, names_stubs_bound_at_start)
{
	names_stubs("-O0 -fplt -Wl,-z,now -fno-pie -no-pie");
}

Test(object, names_stubs_with_branch_protection)
{
	names_stubs("-O0 -fplt -fcf-protection -Wl,-z,ibtplt -Wl,-z,lazy");
}

/* Assembly: no sizes, no unwind table, and a gap that belongs to no one. */
#define ASSEMBLY \
	"	.text\n	.globl main\n	.type main, @function\n" \
	"main:	nop\n	nop\n	nop\n	ret\n" \
	"next:	nop\n	nop\n	nop\n	ret\n" \
	"	.globl sized\n	.type sized, @function\n" \
	"sized:	nop\n	nop\n	.size sized, .-sized\n" \
	"gap:	nop\n	nop\n" \
	"	.section .note.GNU-stack,\"\",@progbits\n"

Test(object, lets_assembly_run_to_the_next_symbol)
{
	uint64_t at, next, sized;
	struct symbol s;

	compile_source("a", ".s", "", ASSEMBLY);
	at = compile_address("a", "main");
	next = compile_address("a", "next");
	sized = compile_address("a", "sized");
	s = resolve("a", next - 1);
	expect_named(&s, "main", at);
	s = resolve("a", next + 1);
	expect_named(&s, "next", next);
	s = resolve("a", sized + 1);
	expect_named(&s, "sized", sized);
}

Test(object, names_nothing_beyond_the_size_of_a_symbol)
{
	uint64_t sized;
	struct symbol s;

	compile_source("a", ".s", "", ASSEMBLY);
	sized = compile_address("a", "sized");
	cr_assert_eq(compile_run("objcopy --strip-symbol=gap a"), 0);
	s = resolve("a", sized + 3);
	cr_expect_null(s.name);
	cr_expect_not(s.start_known);
}

/* MARK of prof.h: two parts of one function, and what is before them. */
#define MARKED \
	"	.text\n	.globl main\n	.type main, @function\n" \
	"main:	nop\n	nop\n" \
	"	.type M.one, @function\n" \
	"M.one:	nop\n	nop\n" \
	"	.type M.two, @function\n" \
	"M.two:	nop\n	ret\n	.size main, .-main\n" \
	"	.globl behind\n	.type behind, @function\n" \
	"behind:	nop\n	ret\n	.size behind, .-behind\n" \
	"	.section .note.GNU-stack,\"\",@progbits\n"

Test(object, parts_a_function_at_its_marks)
{
	static const struct { const char *name; unsigned at; } want[] = {
		{ "main", 0 }, { "main", 0 }, { "M.one", 2 }, { "M.one", 2 },
		{ "M.two", 4 }, { "M.two", 4 }, { "behind", 6 },
		{ "behind", 6 },
	};
	uint64_t at;

	compile_source("a", ".s", "", MARKED);
	at = compile_address("a", "main");
	for (unsigned i = 0; i < sizeof(want) / sizeof(*want); i++) {
		struct symbol s = resolve("a", at + i);

		expect_named(&s, want[i].name, at + want[i].at);
	}
}

/* A function with unwind data after an unsized label is not the label's. */
Test(object, believes_the_unwind_table_before_an_unsized_symbol)
{
	uint64_t main_at, next;
	struct symbol s;

	compile_source("a", ".s", "",
	    "	.text\n	.globl main\n"
	    "main:	nop\n	nop\n	ret\n"
	    "next:	.cfi_startproc\n	nop\n	nop\n	ret\n"
	    "	.cfi_endproc\n"
	    "	.section .note.GNU-stack,\"\",@progbits\n");
	main_at = compile_address("a", "main");
	next = compile_address("a", "next");
	cr_assert_eq(compile_run("objcopy --strip-symbol=next a"), 0);
	s = resolve("a", main_at + 1);
	expect_named(&s, "main", main_at);
	s = resolve("a", next + 1);
	cr_expect_null(s.name);
	cr_expect(s.start_known);
	cr_expect_eq(s.start, next);
}

static enum object_state
state_of(const char *path)
{
	const struct object_ref ref = { .path = path, .build_id =
	    (const unsigned char *)"12345678", .build_id_bytes = 8 };
	enum object_state state;

	resolve_ref(&ref, 0x1000, &state);
	return state;
}

/* A file that exists and cannot be opened is not gone. */
Test(object, says_why_a_file_is_not_read)
{
	compile_source("a", ".c", "-O1", PROGRAM);
	cr_expect_eq(state_of(compile_path("a")), OBJECT_CHANGED);
	cr_expect_eq(state_of(compile_path("none")), OBJECT_MISSING);
	cr_expect_eq(state_of(compile_path("a/below")), OBJECT_MISSING);
	cr_assert_eq(symlink("round", compile_path("round")), 0);
	cr_expect_eq(state_of(compile_path("round")), OBJECT_UNREADABLE);
	cr_assert_eq(chmod(compile_path("a"), 0111), 0);
	if (geteuid() == 0)
		cr_assert_eq(seteuid(65534), 0);
	cr_expect_eq(state_of(compile_path("a")), OBJECT_NO_PERMISSION);
	cr_assert_eq(seteuid(getuid()), 0);
}

Test(object, names_a_batch_as_it_names_each)
{
	static const char *const names[] = { "hidden", "shown", "main" };
	struct symbol s[3 * 4];
	enum object_state state;
	struct object_ref ref;
	uint64_t least = UINT64_MAX;

	compile_source("a", ".c", "-O1", PROGRAM);
	ref = ref_of(compile_path("a"));
	for (size_t i = 0; i < 3; i++)
		if (compile_address("a", names[i]) < least)
			least = compile_address("a", names[i]);
	memset(s, 0, sizeof(s));
	for (size_t i = 0; i < 12; i++)
		s[i].address = least + 4 * i;
	cr_assert_eq(object_resolve(&ref, s, 12, &arena, &state,
	    &refused, NULL), 0);
	for (size_t i = 0; i < 12; i++) {
		struct symbol one = resolve("a", s[i].address);

		cr_expect_eq(one.start, s[i].start);
		cr_expect_eq(one.start_known, s[i].start_known);
		cr_expect_eq(one.name == NULL, s[i].name == NULL);
		if (one.name != NULL && s[i].name != NULL)
			cr_expect_str_eq(one.name, s[i].name);
	}
}

Test(object, writes_cxx_names_as_they_are_written)
{
	uint64_t at;
	struct symbol s;

	if (compile_run("command -v ${CXX:-c++} >/dev/null") != 0)
		cr_skip("no C++ compiler");
	compile_source("a", ".cc", "-O1",
	    "namespace zoo { template <class T> struct Cat {\n"
	    "T __attribute__((noinline)) purr(T n) { return n * 2; } }; }\n"
	    "int main(int c, char **) { return zoo::Cat<int>().purr(c); }\n");
	at = compile_address("a", "_ZN3zoo3CatIiE4purrEi");
	s = resolve("a", at);
	cr_assert_not_null(s.name);
	cr_expect_str_eq(demangle_name(&arena, s.name, DEMANGLE_SHORT),
	    "zoo::Cat<int>::purr");
	cr_expect_str_eq(demangle_name(&arena, s.name, DEMANGLE_FULL),
	    "zoo::Cat<int>::purr(int)");
	cr_expect_str_eq(demangle_name(&arena, s.name, DEMANGLE_OFF),
	    "_ZN3zoo3CatIiE4purrEi");
}
