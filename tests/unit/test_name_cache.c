/* Context: O.  Tests of core/model/names/name_cache.c and
 * name_cache_resolve.c. */
#include "names/name_cache.h"

#include "elf/elf_layout.h"
#include "format.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static struct name_cache n;

static void
setup(void)
{
	name_cache_init(&n);
}

static void
teardown(void)
{
	name_cache_free(&n);
}

TestSuite(name_cache, .init = setup, .fini = teardown);

__attribute__((noinline)) static int
namer_landmark(int x)
{
	return x * 3 + 1;
}

/* That of this program; *address becomes one of its file. */
static uint32_t
ourselves(uint64_t *address)
{
	struct name_cache_module own = { .path = "" };
	char path[4096] = "", line[4352];
	struct elf_layout p;
	FILE *maps = fopen("/proc/self/maps", "r");
	uint64_t start, end, offset;

	cr_assert_gt(readlink("/proc/self/exe", path, sizeof(path) - 1), 0);
	cr_assert_eq(elf_layout_read(&p, path), 0);
	while (fgets(line, sizeof(line), maps) != NULL)
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64,
		    &start, &end, &offset) == 3 && *address >= start &&
		    *address < end)
			break;
	fclose(maps);
	*address += offset - start + (p.low - p.offset);
	own.path = path;
	own.path_bytes = strlen(path);
	own.device = p.device;
	own.inode = p.inode;
	own.seen = p.changed + 1;
	own.build_id_bytes = p.build_id_bytes;
	memcpy(own.build_id, p.build_id, p.build_id_bytes);
	return name_cache_add_module(&n, &own);
}

Test(name_cache, names_places_of_a_file_once)
{
	uint64_t address = (uintptr_t)namer_landmark;
	const uint32_t module = ourselves(&address);
	const uint32_t a = name_cache_request(&n, module,
	    NAME_CACHE_ANY_PROCESS, address);
	const uint32_t b = name_cache_request(&n, module,
	    NAME_CACHE_ANY_PROCESS, address + 1);

	cr_assert_eq(namer_landmark(1), 4);
	cr_expect_eq(name_cache_get(&n, a).function, HASH_INDEX_NONE);
	cr_assert_eq(name_cache_resolve(&n), 0);
	cr_expect_str_eq(name_cache_get(&n, a).text, "namer_landmark");
	cr_expect_eq(name_cache_get(&n, a).function, name_cache_get(&n,
	    b).function);
	cr_expect(name_cache_get(&n, a).named);
	cr_expect_not(name_cache_get(&n, a).kernel);
	cr_expect_eq(n.wait_count, 0u);
	cr_expect_eq(name_cache_request(&n, module, NAME_CACHE_ANY_PROCESS,
	    address), a);
	cr_expect_eq(n.wait_count, 0u);
}

Test(name_cache, names_what_is_in_no_file)
{
	const struct name_cache_module gone = {
		.path = "/nowhere/lib.so", .path_bytes = 15, .inode = 5,
	};
	const uint32_t module = name_cache_add_module(&n, &gone);
	const uint32_t a = name_cache_request(&n, module,
	    NAME_CACHE_ANY_PROCESS, 0x1234);
	const uint32_t cut = name_cache_request(&n, NAME_CACHE_CUT,
	    NAME_CACHE_ANY_PROCESS, FORMAT_CUT_UNREADABLE);

	cr_assert_eq(name_cache_resolve(&n), 0);
	cr_expect_str_eq(name_cache_get(&n, a).text, "lib.so+0x1234");
	cr_expect_str_eq(name_cache_get(&n, a).module, "lib.so");
	cr_expect_str_eq(name_cache_get(&n, cut).text,
	    "[no callers: stack not readable]");
}

Test(name_cache, names_the_kernel)
{
	struct kallsyms k = { .all = NULL };
	uint32_t place;

	if (kallsyms_read(&k, "/proc/kallsyms") != 0)
		cr_skip_test("no names of the kernel are shown");
	place = name_cache_request(&n, NAME_CACHE_KERNEL,
	    NAME_CACHE_ANY_PROCESS, k.all[9].start);
	cr_assert_eq(name_cache_resolve(&n), 0);
	cr_expect_str_eq(name_cache_get(&n, place).text, k.all[9].name);
	cr_expect(name_cache_get(&n, place).kernel);
	kallsyms_free(&k);
}

/* An address of a process that is gone is another place than in a new one. */
Test(name_cache, names_generated_code_by_the_map_of_its_process)
{
	struct timespec now;
	struct name_cache_process own = { .pid = getpid(), .uid = getuid() };
	struct name_cache_process other = { .pid = getpid(), .birth = 1 };
	uint32_t a, b;
	char path[64];
	FILE *out;

	clock_gettime(CLOCK_REALTIME, &now);
	own.birth = (uint64_t)now.tv_sec * 1000000000u;
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	out = fopen(path, "w");
	fputs("1000 20 made_here\n", out);
	fclose(out);
	a = name_cache_request(&n, NAME_CACHE_GENERATED,
	    name_cache_add_process(&n, &own), 0x1010);
	b = name_cache_request(&n, NAME_CACHE_GENERATED,
	    name_cache_add_process(&n, &other), 0x2000);
	cr_assert_eq(name_cache_resolve(&n), 0);
	unlink(path);
	cr_expect_str_eq(name_cache_get(&n, a).text, "made_here");
	cr_expect_str_eq(name_cache_get(&n, a).module, "[generated code]");
	cr_expect_str_eq(name_cache_get(&n, b).text, "[generated code]");
	cr_expect_not(name_cache_get(&n, b).named);
	/* It may get a name yet. */
	cr_expect_eq(n.wait_count, 1u);
}

Test(name_cache, takes_names_that_are_known)
{
	const uint32_t a = name_cache_add_known(&n, "f", "prog", false);

	cr_expect_eq(name_cache_add_known(&n, "f", "prog", false), a);
	cr_expect_neq(name_cache_add_known(&n, "f", "lib", false), a);
	cr_assert_eq(name_cache_resolve(&n), 0);
	cr_expect_str_eq(name_cache_get(&n, a).text, "f");
	cr_expect_str_eq(name_cache_get(&n, a).module, "prog");
}
