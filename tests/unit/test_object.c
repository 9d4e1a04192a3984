/* Context: O.  Tests of core/object on programs made here. */
#include "object.h"

#include "compile.h"
#include "demangle.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>

static struct arena arena;

static void
setup(void)
{
	compile_init();
}

static void
teardown(void)
{
	arena_free(&arena);
	compile_fini();
}

TestSuite(object, .init = setup, .fini = teardown);

#define PROGRAM \
	"static int hidden(int n) __attribute__((noinline));\n" \
	"static int hidden(int n) { return n * 3 + 1; }\n" \
	"int shown(int n) { int s = 0; while (n-- > 0) s += hidden(n);" \
	" return s; }\n" \
	"int main(int c, char **v) { (void)v; return shown(c); }\n"

/* The identity that a profile would hold of the file. */
static struct object_ref
ref_of(const char *path)
{
	static unsigned char id[32];
	const unsigned char *own;
	struct object_ref ref = { .path = path, .build_id = id };
	struct elf_file f;

	cr_assert_eq(elf_file_open(&f, path), 0, "%s", path);
	ref.build_id_bytes = elf_file_build_id(&f, &own);
	if (ref.build_id_bytes != 0)
		memcpy(id, own, ref.build_id_bytes);
	ref.device = f.device;
	ref.inode = f.inode;
	ref.seen = f.changed;
	elf_file_close(&f);
	return ref;
}

static struct symbol
resolve_ref(const struct object_ref *ref, uint64_t address,
    enum object_state *state)
{
	struct symbol s = { .address = address };

	cr_assert_eq(object_resolve(ref, &s, 1, &arena, state), 0);
	return s;
}

static struct symbol
resolve(const char *name, uint64_t address)
{
	enum object_state state;
	struct object_ref ref = ref_of(compile_path(name));
	struct symbol s = resolve_ref(&ref, address, &state);

	cr_expect_eq(state, OBJECT_FOUND);
	return s;
}

static void
expect_named(const struct symbol *s, const char *name, uint64_t start)
{
	cr_expect_str_eq(s->name != NULL ? s->name : "(none)", name);
	cr_expect_eq(s->start, start, "%#jx, not %#jx", (uintmax_t)s->start,
	    (uintmax_t)start);
	cr_expect(s->bounded);
}

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

Test(object, bounds_a_stripped_function)
{
	uint64_t at;
	struct symbol s;

	compile_source("a", ".c", "-O1", PROGRAM);
	at = compile_address("a", "hidden");
	cr_assert_eq(compile_run("strip a"), 0);
	s = resolve("a", at + 3);
	cr_expect_null(s.name);
	cr_expect(s.bounded);
	cr_expect_eq(s.start, at);
}

/* The table of .eh_frame_hdr is an index only: without it .eh_frame is read. */
Test(object, bounds_without_the_header_table)
{
	uint64_t at;
	struct symbol s;

	compile_source("a", ".c", "-O1 -Wl,--no-eh-frame-hdr", PROGRAM);
	at = compile_address("a", "hidden");
	cr_assert_eq(compile_run("strip a"), 0);
	s = resolve("a", at + 3);
	cr_expect_null(s.name);
	cr_expect(s.bounded);
	cr_expect_eq(s.start, at);
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
	cr_expect_not(s.bounded);
	cr_expect_eq(s.start, at + 3);
}

#define STRIP_TO_LINK \
	"objcopy --only-keep-debug a a.debug && strip a && " \
	"objcopy --add-gnu-debuglink=a.debug a"

static void
follows_link(const char *flags, const char *place)
{
	uint64_t at;
	struct symbol s;

	compile_source("a", ".c", flags, PROGRAM);
	at = compile_address("a", "hidden");
	cr_assert_eq(compile_run(STRIP_TO_LINK), 0);
	cr_assert_eq(compile_run(place), 0);
	s = resolve("a", at + 3);
	expect_named(&s, "hidden", at);
}

Test(object, follows_a_debuglink_by_build_id)
{
	follows_link("-O1 -Wl,--build-id", "true");
}

Test(object, follows_a_debuglink_by_crc)
{
	follows_link("-O1 -Wl,--build-id=none", "true");
}

Test(object, follows_a_debuglink_into_dot_debug)
{
	follows_link("-O1", "mkdir .debug && mv a.debug .debug");
}

static void
refuses_link(const char *flags, const char *spoil)
{
	uint64_t at;
	struct symbol s;

	compile_source("a", ".c", flags, PROGRAM);
	at = compile_address("a", "hidden");
	cr_assert_eq(compile_run(STRIP_TO_LINK), 0);
	cr_assert_eq(compile_run(spoil), 0);
	s = resolve("a", at + 3);
	cr_expect_null(s.name);
	cr_expect_eq(s.start, at);
}

Test(object, refuses_a_debug_file_with_another_crc)
{
	refuses_link("-O1 -Wl,--build-id=none", "printf x >> a.debug");
}

Test(object, refuses_a_debug_file_with_another_build_id)
{
	refuses_link("-O1 -Wl,--build-id=0x12345678", "cp a.debug b && "
	    "printf 'int main(void){return 1;}' > b.c && cc -g -o c b.c "
	    "-Wl,--build-id=0x87654321 && objcopy --only-keep-debug c a.debug");
}

Test(object, reads_lzma_mini_debug_information)
{
	uint64_t at;
	struct symbol s;

	if (compile_run("command -v xz >/dev/null") != 0)
		cr_skip("xz is not installed");
	compile_source("a", ".c", "-O1", PROGRAM);
	at = compile_address("a", "hidden");
	cr_assert_eq(compile_run("objcopy --only-keep-debug a m && "
	    "echo hidden > keep && "
	    "objcopy -S --keep-symbols=keep m && xz m && strip a && "
	    "objcopy --add-section .gnu_debugdata=m.xz a"), 0);
	s = resolve("a", at + 3);
	expect_named(&s, "hidden", at);
}

Test(object, does_not_use_a_file_with_another_build_id)
{
	enum object_state state;
	struct object_ref ref;
	struct symbol s;

	compile_source("a", ".c", "-O1 -Wl,--build-id=0x12345678", PROGRAM);
	ref = ref_of(compile_path("a"));
	compile_source("a", ".c", "-O1 -Wl,--build-id=0x12345679", PROGRAM);
	s = resolve_ref(&ref, compile_address("a", "main"), &state);
	cr_expect_eq(state, OBJECT_CHANGED);
	cr_expect_null(s.name);
	cr_expect_not(s.bounded);
}

Test(object, does_not_use_a_replaced_file_without_build_id)
{
	enum object_state state;
	struct object_ref ref;
	struct symbol s;

	compile_source("a", ".c", "-O1 -Wl,--build-id=none", PROGRAM);
	ref = ref_of(compile_path("a"));
	cr_assert_eq(compile_run("cp a b && mv b a"), 0);
	s = resolve_ref(&ref, compile_address("a", "main"), &state);
	cr_expect_eq(state, OBJECT_CHANGED);
	cr_expect_null(s.name);
}

Test(object, does_not_use_a_file_rewritten_in_place_without_build_id)
{
	enum object_state state;
	struct object_ref ref;
	struct symbol s;

	compile_source("a", ".c", "-O1 -Wl,--build-id=none", PROGRAM);
	ref = ref_of(compile_path("a"));
	cr_assert_eq(compile_run("cp a b && sleep 0.01 && cat b > a"), 0);
	s = resolve_ref(&ref, compile_address("a", "main"), &state);
	cr_expect_eq(state, OBJECT_CHANGED);
	cr_expect_null(s.name);
}

Test(object, says_that_a_file_is_missing_or_no_elf)
{
	enum object_state state;
	struct object_ref ref = { .path = compile_path("none") };

	resolve_ref(&ref, 1, &state);
	cr_expect_eq(state, OBJECT_MISSING);
	cr_assert_eq(compile_run("echo text > text; mkfifo fifo"), 0);
	ref.path = compile_path("text");
	resolve_ref(&ref, 1, &state);
	cr_expect_eq(state, OBJECT_NOT_ELF);
	ref.path = compile_path("fifo");
	resolve_ref(&ref, 1, &state);
	cr_expect_eq(state, OBJECT_NOT_ELF);
	ref.path = "[heap]";
	resolve_ref(&ref, 1, &state);
	cr_expect_eq(state, OBJECT_MISSING);
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
	cr_expect_not(s.bounded);
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
	cr_expect(s.bounded);
	cr_expect_eq(s.start, next);
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
	cr_assert_eq(object_resolve(&ref, s, 12, &arena, &state), 0);
	for (size_t i = 0; i < 12; i++) {
		struct symbol one = resolve("a", s[i].address);

		cr_expect_eq(one.start, s[i].start);
		cr_expect_eq(one.bounded, s[i].bounded);
		cr_expect_eq(one.name == NULL, s[i].name == NULL);
		if (one.name != NULL && s[i].name != NULL)
			cr_expect_str_eq(one.name, s[i].name);
	}
}

Test(object, names_the_vdso_from_our_own_memory)
{
	const Elf64_Ehdr *image = (const Elf64_Ehdr *)getauxval(
	    AT_SYSINFO_EHDR);
	struct object_ref ref = { .path = "[vdso]", .vdso = true };
	const unsigned char *id;
	enum object_state state;
	struct elf_file f;
	struct symbol s;
	Elf64_Sym sym = { .st_name = 0 };
	const unsigned char *table;
	size_t bytes;

	if (image == NULL)
		cr_skip("no vdso");
	cr_assert_eq(elf_file_view(&f, image, image->e_shoff +
	    (size_t)image->e_shnum * image->e_shentsize), 0);
	ref.build_id_bytes = elf_file_build_id(&f, &id);
	ref.build_id = id;
	table = elf_file_bytes(elf_file_section(&f, ".dynsym"), &bytes);
	cr_assert_not_null(table);
	for (size_t at = 0; at + sizeof(sym) <= bytes &&
	    (ELF64_ST_TYPE(sym.st_info) != STT_FUNC || sym.st_size == 0);
	    at += sizeof(sym))
		memcpy(&sym, table + at, sizeof(sym));
	cr_assert_neq(sym.st_size, 0);
	s = resolve_ref(&ref, sym.st_value + sym.st_size - 1, &state);
	cr_expect_eq(state, OBJECT_FOUND);
	cr_expect_not_null(s.name);
	cr_expect_eq(s.start, sym.st_value);
	ref.build_id_bytes--;
	resolve_ref(&ref, sym.st_value, &state);
	cr_expect_eq(state, OBJECT_CHANGED);
	elf_file_close(&f);
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
