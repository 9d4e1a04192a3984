/* Context: O.  Fuzzes the readers of what names generated code, and of
 * /proc/kallsyms. */
#include "fuzz.h"

#include "code/jitdump.h"
#include "symbol/symbol_text.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Both ends, the middle, and neighbours, as bounds turn there. */
static const uint64_t asked[] = {
	0, 1, 0xfff, 0x1000, 0x1001, 0x103f, 0x1040, 0x7f0000000000,
	0x7fffffffffffffff, 0x8000000000000000, 0xffffffff81000000,
	0xffffffff81000010, UINT64_MAX - 1, UINT64_MAX,
};

#define ASKED (sizeof asked / sizeof *asked)

typedef int reader(const char *path, struct symbol *symbols, size_t count,
    struct arena *arena);

static int
read_jitmap(const char *path, struct symbol *symbols, size_t count,
    struct arena *arena)
{
	return jitmap_name(path, geteuid(), symbols, count, arena);
}

static int
read_kernel(const char *path, struct symbol *symbols, size_t count,
    struct arena *arena)
{
	int ret = kallsyms_name(path, symbols, count, arena);

	return ret == -ENOENT ? 0 : ret;
}

static int
read_dump(const char *path, struct symbol *symbols, size_t count,
    struct arena *arena)
{
	struct lines l = {0};
	int ret = jitdump_name(path, geteuid(), 4242, symbols, count, arena,
	    &l);

	for (size_t i = 0; i < l.frame_count; i++)
		(void)strlen(l.frames[i].file);
	/* Each address has one line. */
	FUZZ_MUST(l.frame_count <= count);
	lines_free(&l);
	return ret;
}

static void
read_with(reader *read, const char *path)
{
	struct symbol symbols[ASKED] = {0};
	struct arena arena = {0};

	for (size_t i = 0; i < ASKED; i++)
		symbols[i].address = symbols[i].start = asked[i];
	FUZZ_MUST(read(path, symbols, ASKED, &arena) == 0);
	for (size_t i = 0; i < ASKED; i++) {
		FUZZ_MUST(symbols[i].address == asked[i]);
		if (symbols[i].name != NULL)
			(void)strlen(symbols[i].name);
		FUZZ_MUST(!symbols[i].start_known ||
		    symbols[i].start <= asked[i]);
	}
	arena_free(&arena);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file(data, size);

	read_with(read_jitmap, path);
	read_with(read_kernel, path);
	read_with(read_dump, path);
	return 0;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room,
    unsigned int seed)
{
	return fuzz_mutate(data, size, room, seed, 2, fuzz_mutate_bytes);
}
