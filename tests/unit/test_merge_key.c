/* Context: O.  Tests of core/object: is it the file that ran? */
#define _GNU_SOURCE		/* unshare */
#include "elf/ehframe.h"
#include "symbol/plt.h"
#include "resolve.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

TestSuite(merge_key, .init = resolve_init, .fini = resolve_fini);

Test(merge_key, does_not_use_a_file_with_another_build_id)
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
	cr_expect_not(s.start_known);
}

Test(merge_key, does_not_use_a_replaced_file_without_build_id)
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

Test(merge_key, does_not_use_a_file_rewritten_in_place_without_build_id)
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

Test(merge_key, does_not_use_a_file_that_is_cut_short)
{
	enum object_state state;
	struct object_ref ref;
	struct symbol s;
	struct stat st;
	uint64_t at;

	compile_source("a", ".c", "-O1 -Wl,--build-id", PROGRAM);
	at = compile_address("a", "main");
	ref = ref_of(compile_path("a"));
	cr_assert_eq(stat(compile_path("a"), &st), 0);
	cr_assert_eq(truncate(compile_path("a"), st.st_size - 64), 0);
	s = resolve_ref(&ref, at, &state);
	cr_expect_eq(state, OBJECT_TRUNCATED);
	cr_expect_null(s.name);
}

#define MOUNT_OVERLAY \
	"mkdir low up work both && mount -t tmpfs low low && " \
	"cp \"$(command -v cat)\" low/cat && { mount -t overlay " \
	"-o lowerdir=low,upperdir=up,workdir=work both both || " \
	"{ umount low; false; }; }"

/* The key of a running program, as its profile has it. */
static void
ref_of_mapped(struct object_ref *ref)
{
	unsigned from_major, from_minor;
	FILE *in;

	cr_assert_eq(compile_run("both/cat /proc/self/maps | "
	    "grep -m 1 both/cat > maps"), 0);
	in = fopen(compile_path("maps"), "r");
	cr_assert_not_null(in);
	cr_assert_eq(fscanf(in, "%*s %*s %*x %x:%x %" SCNu64, &from_major,
	    &from_minor, &ref->inode), 3);
	fclose(in);
	ref->device = (uint64_t)from_major << 32 | from_minor;
	ref->build_id_bytes = 0;
}

/* There stat(2) and the memory map have other numbers for one file. */
Test(merge_key, knows_a_file_on_overlayfs_without_build_id)
{
	enum object_state state;
	struct object_ref ref;
	struct stat st;

	if (unshare(CLONE_NEWNS) != 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    compile_run(MOUNT_OVERLAY) != 0)
		cr_skip("may not mount");
	ref = ref_of(compile_path("both/cat"));
	ref_of_mapped(&ref);
	cr_assert_eq(stat(ref.path, &st), 0);
	resolve_ref(&ref, 1, &state);
	cr_expect_eq(state, OBJECT_FOUND);
	ref.inode++;
	resolve_ref(&ref, 1, &state);
	cr_expect_eq(state, OBJECT_CHANGED);
	cr_assert_eq(compile_run("umount both low"), 0);
	if (ref.device == ((uint64_t)major(st.st_dev) << 32 |
	    minor(st.st_dev)))
		cr_skip("this kernel has one number for both");
}

/* A mapping of it would end the tool with SIGBUS. */
Test(merge_key, survives_a_file_that_is_truncated_while_it_is_read)
{
	struct ehframe bounds;
	struct symbol_lookup set;
	struct symbol s = { .address = 1 };
	struct elf_file f;

	compile_source("a", ".c", "-O1 -fplt", PROGRAM
	    "static char far[1 << 20] = { 1 }; char *keep = far;\n");
	s.address = compile_address("a", "main");
	cr_assert_eq(elf_file_open(&f, compile_path("a")), 0);
	cr_expect(elf_file_is_unchanged(&f));
	cr_assert_eq(truncate(compile_path("a"), 0), 0);
	cr_assert_eq(ehframe_open(&bounds, &f), 0);
	cr_assert_eq(symbol_lookup_begin(&set, &s, 1), 0);
	cr_expect_eq(plt_name(&f, &s, 1, &arena), 0);
	cr_expect_eq(symbol_lookup_add_file(&set, &f), 0);
	cr_expect_eq(symbol_lookup_resolve(&set, &bounds, &arena), 0);
	cr_expect_not(elf_file_is_unchanged(&f));
	symbol_lookup_end(&set);
	ehframe_close(&bounds);
	elf_file_close(&f);
}

/* From another file, or half of each, comes no name. */
Test(merge_key, distrusts_a_file_that_is_written_while_it_is_read)
{
	struct elf_file f;

	compile_source("a", ".c", "-O1", PROGRAM);
	cr_assert_eq(elf_file_open(&f, compile_path("a")), 0);
	cr_assert_eq(compile_run("sleep 0.01; cp a b; cat b > a"), 0);
	cr_expect_not(elf_file_is_unchanged(&f));
	elf_file_close(&f);
}

Test(merge_key, says_that_a_file_is_missing_or_no_elf)
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

Test(merge_key, names_the_vdso_from_our_own_memory)
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
	cr_assert_eq(elf_file_open_memory(&f, image, image->e_shoff +
	    (size_t)image->e_shnum * image->e_shentsize), 0);
	ref.build_id_bytes = elf_file_build_id(&f, &id);
	ref.build_id = id;
	table = elf_file_bytes(&f, elf_file_section(&f, ".dynsym"), &bytes);
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
