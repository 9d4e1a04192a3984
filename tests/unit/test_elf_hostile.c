/* Context: O.  core/object on ELF files that lie, at the edge of a page. */
#include "elf/ehframe.h"
#include "dwarf/lines.h"
#include "symbol/plt.h"
#include "symbol/symbol_lookup.h"

#include "compile.h"
#include "random.h"
#include "tail.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASKED 64

static unsigned char *image;
static size_t image_size;
static uint64_t text;
static size_t debug, debug_end;		/* where the debug information lies */

static void
find_debug(void)
{
	struct elf_file f;
	Elf_Scn *s = NULL;
	Elf64_Shdr h;

	cr_assert_eq(elf_file_open_memory(&f, image, image_size), 0);
	debug = image_size;
	while ((s = elf_nextscn(f.elf, s)) != NULL) {
		const char *name;

		cr_assert(elf_file_header(s, &h));
		name = elf_strptr(f.elf, f.names, h.sh_name);
		if (name == NULL || strncmp(name, ".debug_", 7) != 0)
			continue;
		if (h.sh_offset < debug)
			debug = h.sh_offset;
		if (h.sh_offset + h.sh_size > debug_end)
			debug_end = h.sh_offset + h.sh_size;
	}
	elf_file_close(&f);
	cr_assert_lt(debug, debug_end);
}

static void
setup(void)
{
	FILE *in;

	compile_init();
	compile_source("a", ".c", "-O1 -g -fplt -Wl,-z,lazy",
	    "#include <stdio.h>\n"
	    "static int __attribute__((noinline)) f(int n) {"
	    " return printf(\"%d\", n); }\n"
	    "static inline __attribute__((always_inline)) int g(int n) {"
	    " puts(\"g\"); return f(n) + 1; }\n"
	    "int main(int c, char **v) { puts(v[0]); return g(c); }\n");
	text = compile_address("a", "_init");
	in = fopen(compile_path("a"), "r");
	image = malloc(1 << 20);
	cr_assert_not_null(in);
	cr_assert_not_null(image);
	image_size = fread(image, 1, 1 << 20, in);
	fclose(in);
	cr_assert_gt(image_size, 4096);
	find_debug();
}

static void
teardown(void)
{
	free(image);
	compile_fini();
}

TestSuite(elf_hostile, .init = setup, .fini = teardown, .timeout = 120);

struct found {
	unsigned names;		/* of functions */
	unsigned inlined;	/* addresses in such */
};

/* Everything that object_resolve() does with one file. */
static struct found
read_all(const unsigned char *bytes, size_t size)
{
	struct symbol asked[ASKED];
	struct symbol_lookup set;
	struct ehframe bounds;
	struct ehframe_range range;
	struct arena arena = { 0 };
	struct elf_file f;
	struct lines lines;
	const unsigned char *id;
	struct found found = { 0, 0 };

	if (elf_file_open_memory(&f, bytes, size) != 0)
		return found;
	memset(asked, 0, sizeof(asked));
	for (size_t i = 0; i < ASKED; i++)
		asked[i].address = text + 16 * i;
	elf_file_build_id(&f, &id);
	cr_assert_eq(ehframe_open(&bounds, &f), 0);
	cr_assert_eq(symbol_lookup_begin(&set, asked, ASKED), 0);
	cr_assert_eq(plt_name(&f, asked, ASKED, &arena), 0);
	cr_assert_eq(symbol_lookup_add_file(&set, &f), 0);
	cr_assert_eq(symbol_lookup_resolve(&set, &bounds, &arena), 0);
	cr_assert_eq(lines_read(&lines, &f, NULL, asked, ASKED, &arena), 0);
	for (size_t i = 0; i < ASKED; i++) {
		ehframe_before(&bounds, asked[i].address, &range);
		found.names += asked[i].name != NULL &&
		    asked[i].name[0] != '\0';
		found.inlined += lines.count == ASKED &&
		    lines.places[i].count > 1;
	}
	lines_free(&lines);
	symbol_lookup_end(&set);
	ehframe_close(&bounds);
	elf_file_close(&f);
	arena_free(&arena);
	return found;
}

Test(elf_hostile, names_when_nothing_is_wrong)
{
	unsigned char *copy = tail_copy(image, image_size);
	struct found found = read_all(copy, image_size);

	cr_expect_gt(found.names, 8);
	cr_expect_gt(found.inlined, 0);
	tail_free(copy, image_size);
}

Test(elf_hostile, survives_every_length)
{
	for (size_t size = 0; size < image_size;
	    size += size < 4096 ? 1 : 61) {
		unsigned char *copy = tail_copy(image, size);

		read_all(copy, size);
		tail_free(copy, size);
	}
}

static void
survives_flips(unsigned flips, size_t first, size_t count)
{
	unsigned char *copy = tail_copy(image, image_size);
	uint64_t state = 1;

	for (unsigned i = 0; i < flips; i++) {
		memcpy(copy, image, image_size);
		for (unsigned j = 0; j < 1 + i % 8; j++) {
			size_t at = first + random_next(&state) % count;
			uint64_t kind = random_next(&state) % 3;

			copy[at] = kind == 0 ? 0xff : kind == 1 ? 0 :
			    (unsigned char)random_next(&state);
		}
		read_all(copy, image_size);
	}
	tail_free(copy, image_size);
}

Test(elf_hostile, survives_changes_anywhere)
{
	survives_flips(4000, 0, image_size);
}

Test(elf_hostile, survives_changes_in_its_headers)
{
	survives_flips(4000, 16, 1024);
	survives_flips(4000, image_size - 2048, 2048);
}

Test(elf_hostile, survives_changes_in_its_debug_information)
{
	survives_flips(8000, debug, debug_end - debug);
}
