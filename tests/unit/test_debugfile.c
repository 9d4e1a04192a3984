/* Context: O.  Tests of core/object: symbols that lie beside a file. */
#define _GNU_SOURCE		/* unshare */
#include "elf/minidebug.h"
#include "resolve.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <sched.h>
#include <sys/mount.h>

TestSuite(debugfile, .init = resolve_init, .fini = resolve_fini);

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

Test(debugfile, follows_a_debuglink_by_build_id)
{
	follows_link("-O1 -Wl,--build-id", "true");
}

Test(debugfile, follows_a_debuglink_by_crc)
{
	follows_link("-O1 -Wl,--build-id=none", "true");
}

Test(debugfile, follows_a_debuglink_into_dot_debug)
{
	follows_link("-O1", "mkdir .debug && mv a.debug .debug");
}

/* Checks a stripped file: the first that was refused is named. */
static void
refuses_link(const char *flags, const char *spoil, enum object_state why)
{
	enum object_state state;
	struct object_ref ref;
	struct symbol s;
	uint64_t at;

	compile_source("a", ".c", flags, PROGRAM);
	at = compile_address("a", "hidden");
	cr_assert_eq(compile_run(STRIP_TO_LINK), 0);
	cr_assert_eq(compile_run(spoil), 0);
	ref = ref_of(compile_path("a"));
	s = resolve_ref(&ref, at + 3, &state);
	cr_expect_null(s.name);
	cr_expect_eq(s.start, at);
	cr_expect_eq(state, why);
	cr_expect_str_eq(refused != NULL ? refused : "(none)",
	    why != OBJECT_FOUND ? compile_path("a.debug") : "(none)");
}

#define OTHER_BUILD \
	"printf 'int main(void){return 1;}' > b.c && cc -g -o c b.c " \
	"-Wl,--build-id=0x87654321 && objcopy --only-keep-debug c a.debug"

Test(debugfile, refuses_a_debug_file_with_another_crc)
{
	refuses_link("-O1 -Wl,--build-id=none", "printf x >> a.debug",
	    OBJECT_DEBUG_WRONG_CRC);
}

Test(debugfile, refuses_a_debug_file_with_another_build_id)
{
	refuses_link("-O1 -Wl,--build-id=0x12345678", OTHER_BUILD,
	    OBJECT_DEBUG_WRONG_ID);
}

Test(debugfile, refuses_a_debug_file_that_is_none)
{
	refuses_link("-O1", "echo text > a.debug", OBJECT_DEBUG_NOT_ELF);
	refuses_link("-O1", "rm a.debug", OBJECT_FOUND);
}

/* The right one further on, or all symbols in the file: nothing is missed. */
Test(debugfile, says_nothing_of_a_debug_file_that_is_not_missed)
{
	enum object_state state;
	struct object_ref ref;
	struct symbol s;
	uint64_t at;

	follows_link("-O1 -Wl,--build-id=0x12345678",
	    "mkdir .debug && mv a.debug .debug && " OTHER_BUILD);
	cr_expect_null(refused);
	compile_source("a", ".c", "-O1 -Wl,--build-id=0x12345678", PROGRAM);
	at = compile_address("a", "hidden");
	cr_assert_eq(compile_run("rm .debug/a.debug && " OTHER_BUILD " && "
	    "objcopy --add-gnu-debuglink=a.debug a"), 0);
	ref = ref_of(compile_path("a"));
	s = resolve_ref(&ref, at + 3, &state);
	cr_expect_eq(state, OBJECT_FOUND);
	cr_expect_null(refused);
	expect_named(&s, "hidden", at);
}

#define DEBUG_BY_ID "/usr/lib/debug/.build-id/12/345678.debug"

/* In a file system of its own: the place is one for the whole system. */
Test(debugfile, refuses_a_debug_file_with_another_build_id_than_its_place)
{
	enum object_state state;
	struct object_ref ref;
	struct symbol s;
	uint64_t at;

	compile_source("a", ".c", "-O1 -Wl,--build-id=0x12345678", PROGRAM);
	at = compile_address("a", "hidden");
	cr_assert_eq(compile_run("cp a d && strip a && " OTHER_BUILD), 0);
	if (unshare(CLONE_NEWNS) != 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    compile_run("mount -t tmpfs debug /usr/lib/debug && "
	    "mkdir -p /usr/lib/debug/.build-id/12") != 0)
		cr_skip("may not mount");
	cr_assert_eq(compile_run("cp a.debug " DEBUG_BY_ID), 0);
	ref = ref_of(compile_path("a"));
	s = resolve_ref(&ref, at + 3, &state);
	cr_expect_null(s.name);
	cr_expect_eq(state, OBJECT_DEBUG_WRONG_ID);
	cr_expect_str_eq(refused != NULL ? refused : "(none)", DEBUG_BY_ID);
	cr_assert_eq(compile_run("objcopy --only-keep-debug d "
	    DEBUG_BY_ID), 0);
	s = resolve_ref(&ref, at + 3, &state);
	cr_expect_eq(state, OBJECT_FOUND);
	cr_expect_null(refused);
	expect_named(&s, "hidden", at);
}

#define PACK_SYMBOLS \
	"objcopy --only-keep-debug a m && echo hidden > keep && " \
	"objcopy -S --keep-symbols=keep m && xz m"
#define STRIP_TO_PACK \
	"strip a && objcopy --add-section .gnu_debugdata=m.xz a"

static enum object_state
resolve_hidden(const char *strip)
{
	struct object_ref ref;
	enum object_state state;
	struct symbol s;
	uint64_t at;

	if (compile_run("command -v xz >/dev/null") != 0)
		cr_skip("xz is not installed");
	compile_source("a", ".c", "-O1 -Wl,--build-id", PROGRAM);
	at = compile_address("a", "hidden");
	cr_assert_eq(compile_run(PACK_SYMBOLS), 0);
	cr_assert_eq(compile_run(strip), 0);
	ref = ref_of(compile_path("a"));
	s = resolve_ref(&ref, at + 3, &state);
	if (state == OBJECT_MINIDEBUG_DAMAGED)
		cr_expect_null(s.name);
	else
		expect_named(&s, "hidden", at);
	return state;
}

Test(debugfile, reads_lzma_mini_debug_information)
{
	cr_expect_eq(resolve_hidden(STRIP_TO_PACK), OBJECT_FOUND);
}

/* The file's own symbols are used, and the loss is reported. */
Test(debugfile, says_that_a_debug_file_is_cut_short)
{
	cr_expect_eq(resolve_hidden(STRIP_TO_LINK " && "
	    "truncate -s -100 a.debug && " STRIP_TO_PACK),
	    OBJECT_DEBUG_TRUNCATED);
}

Test(debugfile, says_that_mini_debug_information_is_damaged)
{
	cr_expect_eq(resolve_hidden("truncate -s -20 m.xz && " STRIP_TO_PACK),
	    OBJECT_MINIDEBUG_DAMAGED);
}

/* Little in the file, and whatever one likes in memory. */
Test(debugfile, unpacks_no_more_than_the_file_can_hold)
{
	struct elf_file f, mini;

	if (compile_run("command -v xz >/dev/null") != 0)
		cr_skip("xz is not installed");
	compile_source("a", ".c", "-O1", PROGRAM);
	cr_assert_eq(compile_run("objcopy --only-keep-debug a m && "
	    "truncate -s 200M m && xz -0 m && strip a && "
	    "objcopy --add-section .gnu_debugdata=m.xz a"), 0);
	cr_assert_eq(elf_file_open(&f, compile_path("a")), 0);
	cr_expect_eq(minidebug_open(&mini, &f), -EINVAL);
	elf_file_close(&f);
}
