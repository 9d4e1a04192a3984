/* Context: O.  Tests of core/object/base/maps_path.c: files of any name. */
#include "base/maps_path.h"
#include "resolve.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

TestSuite(maps_path, .init = resolve_init, .fini = resolve_fini);

#define DELETED " (deleted)"

/* As the map has it of a file that is mapped here, less the tail as libmon. */
static const char *
path_in_map(const char *path)
{
	static char line[2 * PATH_MAX];
	int fd = open(path, O_RDONLY);
	void *at = mmap(NULL, 1, PROT_READ, MAP_PRIVATE, fd, 0);
	FILE *in = fopen("/proc/self/maps", "r");
	uint64_t start = 0;
	char *found;

	cr_assert_neq(at, MAP_FAILED);
	cr_assert_not_null(in);
	while (start != (uintptr_t)at) {
		cr_assert_not_null(fgets(line, sizeof(line), in));
		cr_assert_eq(sscanf(line, "%" SCNx64, &start), 1);
	}
	fclose(in);
	munmap(at, 1);
	close(fd);
	found = strchr(line, '/');
	cr_assert_not_null(found, "%s", line);
	found[strcspn(found, "\n")] = '\0';
	if (strlen(found) > strlen(DELETED) && strcmp(found + strlen(found) -
	    strlen(DELETED), DELETED) == 0)
		found[strlen(found) - strlen(DELETED)] = '\0';
	return found;
}

/* A program of that name, and another where the map seems to say that it is. */
static void
finds(const char *flags, const char *name)
{
	enum object_state state;
	struct object_ref ref;
	struct symbol s;
	char path[PATH_MAX];
	uint64_t at;

	compile_source("b", ".c", "-O1 -Wl,--build-id=0x8765", PROGRAM);
	compile_source("a", ".c", flags, PROGRAM);
	at = compile_address("a", "hidden");
	snprintf(path, sizeof(path), "%s", compile_path(name));
	cr_assert_eq(rename(compile_path("a"), path), 0);
	ref = ref_of(path);
	ref.path = path_in_map(path);
	s = resolve_ref(&ref, at + 3, &state);
	cr_expect_eq(state, OBJECT_FOUND, "%s", ref.path);
	expect_named(&s, "hidden", at);
	if (strcmp(ref.path, path) == 0)
		return;
	cr_assert_eq(rename(compile_path("b"), ref.path), 0);
	s = resolve_ref(&ref, at + 3, &state);
	cr_expect_eq(state, OBJECT_FOUND, "%s", ref.path);
	expect_named(&s, "hidden", at);
	/* And when it is gone, the other one does not name it. */
	cr_assert_eq(unlink(path), 0);
	s = resolve_ref(&ref, at + 3, &state);
	cr_expect_eq(state, OBJECT_CHANGED);
	cr_expect_null(s.name);
}

Test(maps_path, finds_a_file_with_a_newline_in_its_name)
{
	finds("-O1 -Wl,--build-id", "x\ny\n");
	finds("-O1 -Wl,--build-id=none", "x\ny\n");
}

Test(maps_path, finds_a_file_that_is_named_as_if_it_were_deleted)
{
	finds("-O1 -Wl,--build-id", "x" DELETED);
	finds("-O1 -Wl,--build-id=none", "x" DELETED);
	finds("-O1 -Wl,--build-id=none", "x\ny" DELETED);
}

Test(maps_path, finds_a_file_with_a_backslash_in_its_name)
{
	finds("-O1 -Wl,--build-id", "x\\012y");
	finds("-O1 -Wl,--build-id=none", "x\\y\\0123");
}

/* A debug file lies beside it. */
Test(maps_path, follows_a_debuglink_from_a_directory_of_any_name)
{
	enum object_state state;
	struct object_ref ref;
	struct symbol s;
	uint64_t at;

	compile_source("a", ".c", "-O1", PROGRAM);
	at = compile_address("a", "hidden");
	cr_assert_eq(compile_run("objcopy --only-keep-debug a a.debug && "
	    "strip a && objcopy --add-gnu-debuglink=a.debug a && "
	    "d=\"$(printf 'd\\ne')\" && mkdir \"$d\" && "
	    "mv a a.debug \"$d\""), 0);
	ref = ref_of(compile_path("d\ne/a"));
	ref.path = path_in_map(compile_path("d\ne/a"));
	s = resolve_ref(&ref, at + 3, &state);
	cr_expect_eq(state, OBJECT_FOUND);
	expect_named(&s, "hidden", at);
}

Test(maps_path, says_what_a_path_may_be)
{
	char room[16];

	cr_expect(maps_path_candidate(room, sizeof(room), "/r", "/a\\012\\012b",
	    0));
	cr_expect_str_eq(room, "/r/a\\012\\012b");
	cr_expect(maps_path_candidate(room, sizeof(room), "/r", "/a\\012\\012b",
	    1));
	cr_expect_str_eq(room, "/r/a\n\nb");
	cr_expect_not(maps_path_candidate(room, sizeof(room), "", "/a\\01", 1));
	cr_expect(maps_path_candidate(room, sizeof(room), "", "/a", 2));
	cr_expect_str_eq(room, "/a" DELETED);
	cr_expect_not(maps_path_candidate(room, sizeof(room), "", "/a", 3));
	cr_expect(maps_path_candidate(room, sizeof(room), "", "\\012", 3));
	cr_expect_str_eq(room, "\n" DELETED);
	cr_expect_not(maps_path_candidate(room, sizeof(room), "", "/abcdef",
	    2));
	cr_expect_not(maps_path_candidate(room, sizeof(room), "/abcdefgh",
	    "/abcdef", 0));
}
